"""Are a log's deals what was sealed? For who holds the log, and so the secrets; others check evidence (`fairness`)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluster.entries import Began, Entry, Lent, Pledged, Sat, Sealed, Unsealed
from cluster.fairness import fairness_of
from cluster.link_io import RequestRefused
from cluster.recovery import FindGame
from cluster.room.room import DigestMismatch
from engines.kernel import sealed
from ops.fairness import check


class Deals(msgspec.Struct, frozen=True):
    """What a log's deals came to."""

    games: int  # begun
    sealed: int  # of these
    wrong: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.wrong


def check_deals(entries: Sequence[Entry], find_game: FindGame | None = None) -> Deals:
    """Makes every seal again, and checks the evidence of each game for each of its players and for who watched."""
    if find_game is None:
        from engines.catalog import GAMES

        find_game = GAMES.__getitem__
    wrong: list[str] = []
    pledges: dict[str, str] = {}
    seal: Sealed | None = None
    numbers: dict[str, str] = {}
    games = with_seal = 0
    for entry in entries:
        match entry.fact:
            case Sat(player=player, pledge=pledge) | Pledged(player=player, pledge=pledge):
                pledges[player] = pledge
            case Sealed() as seal:
                numbers = {}
                given = {player: pledges.get(player, "") for player in seal.awaited}
                if seal.seal != sealed.seal(bytes.fromhex(seal.secret), seal.width, seal.draws, given):
                    wrong.append(f"entry {entry.seq}: the seal is not that of what lies under it")
            case Lent(player=player, number=number):
                if seal is None or sealed.pledge_of(player, bytes.fromhex(number)) != pledges.get(player):
                    wrong.append(
                        f"entry {entry.seq}: {player}'s number is not the one that was pledged before the seal"
                    )
                numbers[player] = number
            case Unsealed():
                seal, pledges = None, {}
            case Began() as began:
                games += 1
                if len(began.seed) == 2 * sealed.SEED_BYTES:
                    with_seal += 1
                    wrong += [f"game {games}: {what}" for what in _began(began, seal, numbers)]
                    wrong += [f"game {games}: {what}" for what in _evidence(entries, find_game, games - 1, began)]
                seal, pledges = None, {}
            case _:
                pass
    return Deals(games, with_seal, tuple(wrong))


def _began(began: Began, seal: Sealed | None, numbers: dict[str, str]) -> list[str]:
    if seal is None:
        return ["it was sealed by nobody"]
    here = {player: number for player, number in numbers.items() if player in began.players}
    lot = sealed.lot_of(seal.seal, here)
    if bytes.fromhex(began.seed) != sealed.seed_of(bytes.fromhex(seal.secret), lot, seal.width):
        return ["its seed is not what the seal and the numbers come to"]
    return []


def _evidence(entries: Sequence[Entry], find_game: FindGame, number: int, began: Began) -> list[str]:
    wrong = []
    for viewer in (None, *began.players):
        try:
            evidence = fairness_of(entries, find_game, number, viewer)
        except RequestRefused as no:
            return [f"there is no evidence: {no}"]
        except DigestMismatch as other:
            return [f"the log does not replay: {other}"]
        wrong += [f"what {viewer or 'the table'} may check: {what}" for what in check(evidence)]
    return wrong
