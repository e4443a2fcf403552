"""What the contract test must know of a game and cannot ask of the contract: one `Audit` a game.

A new game adds its own; without one its contract test fails and says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import msgspec

from engines.bang.cards import KIND
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


def _copied(dump: Json) -> Json:
    """A dump to be changed. By way of JSON, which a dump is: that takes a tenth of the time of `copy.deepcopy`."""
    copy: Json = msgspec.json.decode(msgspec.json.encode(dump))
    return copy


# ---------------------------------------------------------------- ninety-nine


def _nn_cards(dump: Json) -> Hashable:
    piles = [dump["drawPile"], dump["discard"], *dump["hands"].values()]
    return tuple(sorted((card["id"], card["kind"], card["face"], card.get("v")) for pile in piles for card in pile))


def _nn_other_world(dump: Json, viewer: PlayerId | None, rng: Random, action: Action | None) -> Json:
    other = _copied(dump)
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


# ---------------------------------------------------------------- seotda


def _sd_cards_and_chips(dump: Json) -> Hashable:
    hand = dump["hand"]
    players = hand["players"].values()
    cards = [*hand["deck"], *(card for player in players for card in player["hand"])]
    chips = (
        sum(seat["stack"] - dump["options"]["startingChips"] * seat["rebuys"] for seat in dump["seats"])
        + sum(pot["amount"] for pot in (*hand["carriedPots"], *hand["pots"]))
        + sum(player["committedRound"] for player in players)
    )
    return chips, tuple(sorted((card["id"], card["month"], card["kind"]) for card in cards))


def _sd_other_world(dump: Json, viewer: PlayerId | None, rng: Random, action: Action | None) -> Json:
    """All cards that the viewer does not hold change places, but for those that somebody is about to choose.

    What a showdown has shown stands in its own record, which stays. Chosen cards stay chosen, as other cards. Where
    there is an action, the top of the deck stays too: the viewer's next card may come of it, which they will see.
    """
    other = _copied(dump)
    other["rng"] = {"seed": msgspec.to_builtins(rng.randbytes(32)), "counter": rng.randrange(1000)}
    hand = other["hand"]
    named = [] if action is None else action.get("cardIds", [])
    top = 0 if action is None else len(hand["participants"])
    places = [(hand["deck"], i) for i in range(top, len(hand["deck"]))]
    for player, seated in hand["players"].items():
        if player != viewer:
            places += [(seated["hand"], i) for i, card in enumerate(seated["hand"]) if card["id"] not in named]
    cards = [pile[i] for pile, i in places]
    mixed = rng.sample(cards, len(cards))
    for (pile, i), card in zip(places, mixed, strict=True):
        pile[i] = card
    became = {old["id"]: new["id"] for old, new in zip(cards, mixed, strict=True)}
    for player, seated in hand["players"].items():
        if player != viewer and seated["chosen"] is not None:
            seated["chosen"] = [became.get(card, card) for card in seated["chosen"]]
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
    other = _copied(dump)
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


# ---------------------------------------------------------------- bang


def _bang_cards(dump: Json) -> Hashable:
    piles = [dump["deck"], dump["discard"]]
    for player in dump["players"]:
        piles += [player["hand"], player["inPlay"]]
    for window in dump["reactions"]:  # what lies in a window, and the 잡화점 itself
        piles += [window.get("options", []), window.get("revealed", []), [window["card"]] if "card" in window else []]
    return tuple(sorted(card for pile in piles for card in pile))


def _bang_other_world(dump: Json, viewer: PlayerId | None, rng: Random, action: Action | None) -> Json:
    """Other hands, roles and offers. Before an action the deck is another one only where all it gives is unseen."""
    other = _copied(dump)
    over = dump["winner"] is not None
    others = [] if over else [player for player in other["players"] if player["id"] != viewer]
    hidden = [(player["hand"], i) for player in others for i in range(len(player["hand"]))]
    for window in other["reactions"]:
        if window["kind"] == "kitKeep" and window["player"] != viewer:
            hidden += [(window["options"], i) for i in range(3)]
    if action is None:
        other["rng"] = {"seed": msgspec.to_builtins(rng.randbytes(32)), "counter": rng.randrange(1000)}
        _mix([(player["characterOffer"], i) for player in others for i in range(len(player["characterOffer"]))], rng)
    if action is None or _bang_draws_unseen(dump, viewer, action):
        hidden += [(other["deck"], i) for i in range(len(other["deck"]))]
    fixed = set() if action is None else {action.get("cardId"), *action.get("cardIds", ()), *action.get("keep", ())}
    _mix([(pile, i) for pile, i in hidden if pile[i] not in fixed], rng)
    unknown = [player for player in others if player["alive"] and player["role"] != "sheriff"]
    roles = [player["role"] for player in unknown]
    rng.shuffle(roles)
    for player, role in zip(unknown, roles, strict=True):
        player["role"] = role
    return other


def _bang_draws_unseen(dump: Json, viewer: PlayerId | None, action: Action) -> bool:
    if action["type"] == "draw":
        (drawer,) = (player for player in dump["players"] if player["id"] == dump["turn"]["player"])
        return drawer["character"] != "blackJack" and action.get("jesseFrom") != viewer
    return action["type"] == "play" and KIND[action["cardId"]] in ("stagecoach", "wellsFargo")


def _mix(places: list[tuple[list[Any], int]], rng: Random) -> None:
    things = [pile[i] for pile, i in places]
    rng.shuffle(things)
    for (pile, i), thing in zip(places, things, strict=True):
        pile[i] = thing


AUDITS: dict[str, Audit] = {
    "bang": Audit(
        conserved=_bang_cards,
        other_world=_bang_other_world,
        revealing=frozenset({"eliminated", "cardStruck"}),
        most_moves=3_000,
    ),
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
    "seotda": Audit(
        conserved=_sd_cards_and_chips,
        other_world=_sd_other_world,
        revealing=frozenset({"showdown", "handStarted", "rematchStarted"}),  # shown, or dealt anew
        most_moves=40_000,  # lastStanding may take 300 hands of ten players
    ),
}
