"""Why a card in the hand can be used now, or cannot (the option `beginnerHints`, document section 2 and 9)."""

from __future__ import annotations

from functools import lru_cache

from engines.bang.cards import AIM, KIND, CardKind
from engines.bang.legal import targets
from engines.bang.names import sentence
from engines.bang.options import Names
from engines.bang.refusals import refusal
from engines.bang.rules import defence, on_turn, two_left, why_not_kind, why_not_target, window
from engines.bang.state import Dying
from engines.bang.table import Table
from engines.kernel.contract import PlayerId, Rejected

Hint = tuple[bool, str]  # whether it can be used, and the reason

USABLE = {
    "play": "지금 낼 수 있습니다",
    "play_as": "{bang:으로} 낼 수 있습니다",
    "play_at": "{count}명에게 쓸 수 있습니다",
    "defend": "막는 데 쓸 수 있습니다",
    "rescue": "다시 일어나는 데 쓸 수 있습니다",
    "discard": "버릴 수 있습니다",
}


@lru_cache(maxsize=256)
def _usable(names: Names, why: str, count: int = 0) -> Hint:
    return True, sentence(names, USABLE[why], {"count": count})


def _unusable(refused: Rejected) -> Hint:
    return False, refused.message


def hints(table: Table, player: PlayerId) -> dict[CardKind, Hint]:
    """For each kind in this player's hand."""
    kinds = {KIND[card] for card in table.players[player].hand}
    names = table.options.names
    asked = window(table, player)
    if asked is not None:
        answers, needed = defence(table, player, asked)
        held = sum(KIND[card] in answers for card in table.players[player].hand)
        return {kind: _answer(table, asked, kind, answers, needed, held) for kind in kinds}
    if table.turn.phase == "discard" and on_turn(table, player, "discard") is None:
        return dict.fromkeys(kinds, _usable(names, "discard"))
    refused = on_turn(table, player, "play")
    if refused is not None:
        return dict.fromkeys(kinds, _unusable(refused))
    return {kind: _play(table, player, kind) for kind in kinds}


def _answer(table: Table, asked: object, kind: CardKind, answers: frozenset[CardKind], needed: int, held: int) -> Hint:
    names = table.options.names
    if kind not in answers:
        return _unusable(refusal(names, "no_defence"))
    if isinstance(asked, Dying) and two_left(table):
        return _unusable(refusal(names, "beer_two_left"))
    if held < needed:  # a second shot of 빗나감! that is not there: "막을 수 없음" (5.4)
        return _unusable(refusal(names, "wrong_count", count=needed))
    return _usable(names, "rescue" if isinstance(asked, Dying) else "defend")


def _play(table: Table, player: PlayerId, kind: CardKind) -> Hint:
    names, why = table.options.names, "play"
    if kind == "missed":
        if not table.players[player].traits.either_way:
            return _unusable(refusal(names, "missed_is_reaction"))
        kind, why = "bang", "play_as"
    if refused := why_not_kind(table, player, kind):
        return _unusable(refused)
    if kind not in AIM:
        return _usable(names, why)
    if found := targets(table, player, kind):
        return _usable(names, why if why == "play_as" else "play_at", len(found))
    return _unusable(_nearest_refusal(table, player, kind))


def _nearest_refusal(table: Table, player: PlayerId, kind: CardKind) -> Rejected:
    """Why not even the nearest can be aimed at."""
    distances = table.distances(player)
    nearest = min(distances, key=lambda other: distances[other])
    refused = why_not_target(table, player, kind, nearest, distances)
    assert refused is not None  # nobody can be aimed at
    return refused
