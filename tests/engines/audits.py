"""What the contract test must know of a game and cannot ask of the contract: one `Audit` a game.

A new game adds its own; without one its contract test fails and says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from copy import deepcopy
from random import Random

import msgspec

from engines.kernel.contract import Action, Json, PlayerId


class Audit(msgspec.Struct, frozen=True):
    """How to look behind one game's state, in its dump."""

    # Everything that may move but never appear or vanish: cards, chips.
    conserved: Callable[[Json], Hashable]
    # The same moment in another world: whatever this viewer may not see is different, all else is the same.
    # Where an action is given, another player is about to do it, and what is hidden may only change so that it can be
    # done, and tells the viewer the same, in both worlds: a card for its like.
    other_world: Callable[[Json, PlayerId | None, Random, Action | None], Json]
    # An event with which what was hidden comes to light by rights: from here on two worlds may go different ways.
    revealing: frozenset[str]
    # Random play has always ended by then.
    most_moves: int


# ---------------------------------------------------------------- ninety-nine


def _nn_cards(dump: Json) -> Hashable:
    piles = [dump["drawPile"], dump["discard"], *dump["hands"].values()]
    return tuple(sorted((card["id"], card["kind"], card["face"], card.get("v")) for pile in piles for card in pile))


def _nn_other_world(dump: Json, viewer: PlayerId | None, rng: Random, action: Action | None) -> Json:
    other = deepcopy(dump)
    other["rng"] = {"seed": msgspec.to_builtins(rng.randbytes(32)), "counter": rng.randrange(1000)}
    hands = [hand for player, hand in other["hands"].items() if player != viewer]
    alike: dict[Hashable, list[tuple[list[Json], int]]] = defaultdict(list)
    for pile in (other["drawPile"], other["discard"], *hands):
        for i, card in enumerate(pile):
            if action is None:
                alike[None].append((pile, i))
            elif card["id"] != action["cardId"]:
                alike[card["kind"], card.get("v")].append((pile, i))
    for places in alike.values():
        cards = [pile[i] for pile, i in places]
        rng.shuffle(cards)
        for (pile, i), card in zip(places, cards, strict=True):
            pile[i] = card
    if action is not None:  # what another player draws is not seen, and not asked for in this step
        rng.shuffle(other["drawPile"])
    return other


# ---------------------------------------------------------------- parlett-ninety-nine


def _pn_cards(dump: Json) -> Hashable:
    piles = (*dump["hands"].values(), *dump["bids"].values(), dump["played"], [one["card"] for one in dump["trick"]])
    return tuple(sorted([*(card for pile in piles for card in pile), *filter(None, [dump["turnUp"]])]))


def _pn_premiums(dump: Json) -> list[Json]:
    """Answers to the question for premium bids that can be given at this table."""
    if dump["options"]["variant"] == "unbid":
        kinds = [
            {"kind": "none"},
            {"kind": "declare", "tricks": 0},
            {"kind": "declare", "tricks": 9},
            {"kind": "reveal"},
        ]
    else:
        kinds = [{"kind": "none"}, {"kind": "declaration"}, {"kind": "revelation"}]
    return kinds[:-1] if dump["form"] == "npc" else kinds


def _pn_other_world(dump: Json, viewer: PlayerId | None, rng: Random, action: Action | None) -> Json:
    """Other hands, bids and offers than those that the viewer sees; before an action, cards of the same suit."""
    other = deepcopy(dump)
    other["rng"] = {"seed": msgspec.to_builtins(rng.randbytes(32)), "counter": rng.randrange(1000)}
    playing = dump["phase"] in ("playing", "roundEnd", "finished")
    kinds = {one["player"]: one["kind"] for one in dump["premiums"]} if playing else {}
    shown = {
        player for player, row in dump["lastRound"].items() if row["made"] and dump["phase"] != "playing" and playing
    }
    shown |= {player for player, kind in kinds.items() if kind in ("declaration", "revelation", "reveal", "both")}
    open_hands = {player for player, kind in kinds.items() if kind in ("revelation", "reveal", "both")}
    hidden = [
        (pile, i)
        for piles, seen in ((other["bids"], shown), (other["hands"], {*open_hands, *(["npc"] if playing else [])}))
        for player, pile in piles.items()
        if player not in seen and player != viewer
        for i in range(len(pile))
    ]
    fixed = () if action is None else (action.get("cardId"), *action.get("cardIds", ()))
    alike: dict[Hashable, list[tuple[list[str], int]]] = defaultdict(list)
    for pile, i in hidden:
        if pile[i] not in fixed:
            like = dump["turnUp"] if pile[i] == "JK" else pile[i]
            alike[None if action is None else like[:2]].append((pile, i))
    for places in alike.values():
        cards = [pile[i] for pile, i in places]
        rng.shuffle(cards)
        for (pile, i), card in zip(places, cards, strict=True):
            pile[i] = card
    if action is None and dump["phase"] == "premium":
        for player in other["offers"].keys() - {viewer}:
            other["offers"][player] = rng.choice(_pn_premiums(dump))
    return other


AUDITS: dict[str, Audit] = {
    "parlett-ninety-nine": Audit(
        conserved=_pn_cards,
        other_world=_pn_other_world,
        revealing=frozenset({"roundStarted", "playStarted", "roundScored"}),
        most_moves=1_200,
    ),
    "ninety-nine": Audit(
        conserved=_nn_cards,
        other_world=_nn_other_world,
        revealing=frozenset({"roundStarted"}),
        most_moves=5_000,
    ),
}
