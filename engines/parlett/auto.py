"""What is done for someone whose time is up (RULES 8.5, PN-23), and how long they have.

It looks at that player's own cards and at what everybody sees, so it tells nobody anything.
"""

from __future__ import annotations

from engines.kernel.contract import PlayerId
from engines.parlett.actions import AnyAction, Bid, Offering, Play, Ready, Trump
from engines.parlett.forms import BID_CARDS, Phase
from engines.parlett.rules import playable
from engines.parlett.state import Draft, State, awaited


def automatic(game: State | Draft, player: PlayerId) -> AnyAction:
    """The three lowest ids; no premium; no trump; the lowest id that may be played; ready."""
    match game.phase:
        case "bidding":
            return Bid(tuple(sorted(game.hands[player])[:BID_CARDS]))
        case "premium":
            return Offering("none")
        case "trump":
            return Trump(None)
        case "playing":
            return Play(min(playable(game)))
        case _:
            return Ready()


HURRY_AFTER = 3  # deadlines missed in a row, until the player's own next action
HURRIED_MS = 3_000
LEFT_MS = 1_000
SCORE_MS = 12_000  # to look at a round's score
TIMES: dict[Phase, int] = {"bidding": 2}  # choosing three of twelve cards takes longer than one


def wait_ms(game: State | Draft, player: PlayerId) -> int:
    """How long this player is waited for."""
    if waits_no_longer(game, player):
        return LEFT_MS
    if game.missed_turns.get(player, 0) >= HURRY_AFTER:
        return HURRIED_MS
    if game.phase == "roundEnd":
        return SCORE_MS
    return game.options.turn_seconds * 1000 * TIMES.get(game.phase, 1)


def waits_no_longer(game: State | Draft, player: PlayerId) -> bool:
    """PN-23: who has left keeps the seat, and is played for almost at once."""
    return player in game.left


def deadline_of(game: State | Draft, player: PlayerId) -> int:
    return game.asked_at + wait_ms(game, player)


def deadline(game: State | Draft) -> int | None:
    """The earliest one."""
    return min([deadline_of(game, player) for player in awaited(game)], default=None)
