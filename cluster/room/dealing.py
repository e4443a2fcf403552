"""Between start and the first card: the deals are sealed, and the players' numbers come in (``gateway/FAIRNESS.md``).

Only who has pledged a number and is connected is waited for, and not for long. Where that is nobody, a game begins at
once and without a seal, which would prove nothing to anybody.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from cluster.entries import AnyFact, Began, Lent, Pledged, PresenceSet, Sealed, Unsealed
from cluster.messages import Lend, Pledge
from cluster.room.refusals import refuse
from cluster.room.state import Deal, Lobby, SeatState
from engines.kernel import sealed
from engines.kernel.contract import Game, PlayerId, Rejected
from engines.kernel.rng import SEED_BYTES, watched


def begin(game: Game[Any], lobby: Lobby, taken: list[SeatState], online: Set[PlayerId], chance: bytes) -> list[AnyFact]:
    """A game is to begin: sealed first, where somebody will open a number to it."""
    pledges = {seat.player: seat.pledge for seat in taken if seat.pledge and seat.player in online}
    width = _width(game, lobby, taken) if pledges else None
    if width is None:
        return _began(game, lobby, taken, online, chance)
    draws = sealed.draws_of(width)
    return [Sealed(chance.hex(), sealed.seal(chance, width, draws, pledges), width, draws, list(pledges))]


def pledge(lobby: Lobby, me: PlayerId, said: Pledge) -> list[AnyFact] | Rejected:
    """Another number for the next game, in the place of any before."""
    index = lobby.seat_of(me)
    if index is None:
        return refuse("not_seated")
    if lobby.status == "playing":
        return refuse("already_playing")
    seat = lobby.seats[index]
    assert seat is not None
    return [] if seat.pledge == said.pledge else [Pledged(me, said.pledge)]


def lend(game: Game[Any], lobby: Lobby, me: PlayerId, said: Lend, online: Set[PlayerId]) -> list[AnyFact] | Rejected:
    """The number that was pledged; with the last one the game begins."""
    deal = lobby.dealing
    if deal is None or me not in deal.awaited:
        return refuse("not_awaited")
    if sealed.pledge_of(me, bytes.fromhex(said.number)) != deal.pledges[me]:
        return refuse("bad_number")
    facts: list[AnyFact] = [Lent(me, said.number)]
    if deal.awaited == (me,):
        facts += _dealt(game, lobby, lobby.taken(), deal, {**deal.numbers, me: said.number}, online)
    return facts


def left(game: Game[Any], lobby: Lobby, me: PlayerId, online: Set[PlayerId]) -> list[AnyFact]:
    """What follows where somebody leaves while numbers are awaited: the others play, where they can.

    If the leaver's was the last number to come, they begin at once.
    """
    deal = lobby.dealing
    if deal is None:
        return []
    staying = [seat for seat in lobby.taken() if seat.player != me]
    if len(staying) < game.min_players or _width(game, lobby, staying) is None:
        return [Unsealed()]
    if any(player != me for player in deal.awaited):
        return []
    numbers = {player: number for player, number in deal.numbers.items() if player != me}
    return _dealt(game, lobby, staying, deal, numbers, online)


def overdue(game: Game[Any], lobby: Lobby | None, online: Set[PlayerId]) -> list[AnyFact]:
    """Time is up: the game begins without the numbers that have not come."""
    assert lobby is not None
    deal = lobby.dealing
    assert deal is not None
    return _dealt(game, lobby, lobby.taken(), deal, deal.numbers, online)


def _dealt(
    game: Game[Any],
    lobby: Lobby,
    taken: list[SeatState],
    deal: Deal,
    numbers: dict[PlayerId, str],
    online: Set[PlayerId],
) -> list[AnyFact]:
    seed = sealed.seed_of(bytes.fromhex(deal.secret), sealed.lot_of(deal.seal, numbers), deal.width)
    return _began(game, lobby, taken, online, seed)


def _began(game: Game[Any], lobby: Lobby, taken: list[SeatState], online: Set[PlayerId], seed: bytes) -> list[AnyFact]:
    """The game begins; its engine hears at once of those who are not connected."""
    began = Began([seat.player for seat in taken], lobby.options, seed.hex(), game.state_version)
    away = [seat.player for seat in taken if not seat.bot and seat.player not in online]
    return [began, *(PresenceSet(player, "offline") for player in away)]


def _width(game: Game[Any], lobby: Lobby, taken: list[SeatState]) -> int | None:
    """The most things that a draw of this game mixes, which is at setup; None where it cannot be set up."""
    with watched() as draws:
        begun = game.setup(lobby.options, [seat.player for seat in taken], bytes(SEED_BYTES), 0)
    return None if isinstance(begun, Rejected) else max([drawn.count for drawn in draws], default=None)
