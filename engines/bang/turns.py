"""Whose turn it is (document 5.2, 5.6.5)."""

from __future__ import annotations

from engines.bang.state import Turn
from engines.bang.table import BOT_MS, Draft
from engines.kernel.contract import PlayerId


def pass_on(draft: Draft) -> None:
    """To the next living player clockwise, also from somebody who has just died (BG-55)."""
    begin(draft, draft.others_from(draft.turn.player)[0])


def begin(draft: Draft, player: PlayerId) -> None:
    """A turn starts, with nothing carried over: no shot fired, no card shown (BG-45, BG-55)."""
    found = draft.players[player]
    if found.role == "sheriff":
        draft.round += 1  # BG-53
    wait = BOT_MS if found.bot else draft.options.turn_seconds * 1000
    draft.turn = Turn(player=player, phase="start", deadline=draft.now + wait)
    draft.tell("turnStarted", player=player, round=draft.round)
    draft.note("turn", player)
