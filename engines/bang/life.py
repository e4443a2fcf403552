"""Losing life and what follows (document 5.5, 5.6, 6).

A life lost, in this order: it is gone; at 0 or below a dying window opens; after survival, not before (unless
`drawBeforeDeath` says so), the hurt player's ability pays; whoever's hand is empty at any of these instants draws.
A death, in this order: role, reward or penalty, what is left behind, the win, the turn.
"""

from __future__ import annotations

from engines.bang import piles
from engines.bang.state import Dying, LuckyPick, Team
from engines.bang.table import Draft
from engines.kernel.contract import PlayerId

REWARD = 3  # cards for eliminating an outlaw


def gain_life(draft: Draft, player: PlayerId, points: int = 1) -> None:
    """Up to the maximum."""
    found = draft.players[player]
    life = min(found.max_life, found.life + points)
    if life != found.life:
        draft.set(player, life=life)
        draft.tell("lifeGained", player=player, life=life)


def lose_life(
    draft: Draft,
    player: PlayerId,
    points: int,
    *,
    source: PlayerId | None,
    killer: PlayerId | None,
    at: int | None = None,
) -> None:
    """``source`` played the card that hurts, ``killer`` gets reward or penalty; neither for a dynamite (5.3).

    A dying window stands in the place ``at`` of the one that it follows, so that the order stays clockwise (BG-7).
    """
    life = draft.players[player].life - points
    draft.set(player, life=life)
    draft.tell("lifeLost", player=player, points=points, life=life)
    draft.note("hurt", player, source)
    early = draft.options.draw_before_death == "on"
    if early or life > 0:
        _pay(draft, player, points, source)  # once: BG-21
    if life > 0:
        return
    window = Dying(
        player=player,
        killer=killer,
        lost=0 if early else points,
        source=None if early else source,
        deadline=draft.wait(player),
    )
    draft.reactions.insert(len(draft.reactions) if at is None else at, window)
    draft.tell("dying", player=player, life=life)


def _pay(draft: Draft, player: PlayerId, points: int, source: PlayerId | None) -> None:
    """What a hurt character's ability brings. One hit robs once, for only a dynamite takes more at once (BG-19)."""
    traits = draft.players[player].traits
    if traits.draws_when_hurt and points:
        piles.draw(draft, player, points)  # every point lost, whatever was healed since (BG-20)
    # BG-17 (an owner may want another): only a card that *another* player played is paid back, not one's own duel.
    if traits.robs_when_hurt and source not in (None, player):
        assert source is not None
        if draft.players[source].hand:  # an empty hand: nothing happens (3.2, BG-18)
            piles.steal(draft, player, source)


def check_dying(draft: Draft, player: PlayerId, at: int) -> None:
    """After a heal: with a life of 1 or more the window closes and the hurt are paid (5.5)."""
    if draft.players[player].life < 1:
        return
    window = draft.reactions.pop(at)
    assert isinstance(window, Dying)
    draft.tell("saved", player=player, life=draft.players[player].life)
    draft.note("saved", player)
    _pay(draft, player, window.lost, window.source)


# ---------------------------------------------------------------- death


def eliminate(draft: Draft, player: PlayerId, killer: PlayerId | None) -> None:
    """The numbered steps of 5.6, at once, whatever else is open (BG-8)."""
    draft.set(player, alive=False)
    draft.death_order = (*draft.death_order, player)
    role = draft.players[player].role
    draft.tell("eliminated", player=player, killer=killer)
    draft.tell("roleRevealed", player=player, role=role)  # 1
    draft.note("eliminated", player, killer)
    if killer is not None:  # 2; also for a duel's winner who did not begin it (BG-16)
        if role == "outlaw":
            piles.draw(draft, killer, REWARD)
        elif role == "deputy" and draft.players[killer].role == "sheriff":
            _penalty(draft, killer)
    _leave(draft, player)  # 3
    draft.winner = winner(draft)  # 4
    if draft.winner is not None:
        clear(draft)
        draft.tell("gameFinished", winner=draft.winner)
    elif draft.turn.player == player:  # 5
        clear(draft)


def _penalty(draft: Draft, sheriff: PlayerId) -> None:
    """The sheriff loses hand and equipment, a dynamite too (BG-14), and then what the dead deputy leaves comes (BG-13).

    That order is BG-13 (an owner may want another): a sheriff who loots keeps the deputy's cards.
    """
    found = draft.players[sheriff]
    cards = found.hand + found.in_play
    draft.tell("penalty", player=sheriff, cards=draft.seen(*cards))
    draft.set(sheriff, hand=(), in_play=())
    piles.discard(draft, *cards)
    piles.refill(draft, sheriff)  # BG-15


def _leave(draft: Draft, player: PlayerId) -> None:
    """Hand, then equipment, to a living looter (BG-11) or to the discards (BG-12, BG-43)."""
    found = draft.players[player]
    cards = found.hand + found.in_play
    draft.set(player, hand=(), in_play=())
    if not cards:
        return
    looter = next((other for other in draft.living() if draft.players[other].traits.loots), None)
    if looter is None:
        piles.discard(draft, *cards)
        draft.tell("cardsDiscarded", player=player, cards=draft.seen(*cards))
        return
    piles.gain(draft, looter, cards)
    draft.tell("looted", player=looter, target=player, count=len(cards))
    draft.tell("cardsReceived", player=looter, cards=draft.seen(*cards), audience=[looter])
    draft.note("looted", looter, player)


def winner(draft: Draft) -> Team | None:
    """Section 6, asked after each death in the order of arrival (BG-9, BG-10: an owner may want another).

    Who is dying is alive. Nobody is left only where nobody could be: each death is asked about by itself (BG-58).
    """
    living = [draft.players[player].role for player in draft.living()]
    if "sheriff" not in living:
        return "renegade" if living == ["renegade"] else "outlaws"
    if "outlaw" not in living and "renegade" not in living:
        return "law"
    return None


def clear(draft: Draft) -> None:
    """Every open window goes, and the cards that lay in them are discarded."""
    for window in draft.reactions:
        if isinstance(window, LuckyPick):  # the only one beside which others may die
            piles.discard(draft, *window.options)
    draft.reactions = []
