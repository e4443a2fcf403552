"""A player that sees what a player sees: its own view and its legal list, nothing else.

It reckons how often its cards beat two cards that it cannot see, by the rules alone, and holds that against the price.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations
from random import Random

import msgspec

from engines.kernel.contract import Action, Json
from engines.seotda.cards import DECK
from engines.seotda.deal import Deal, plan
from engines.seotda.hands import Made, evaluate
from engines.seotda.judge import resolve
from engines.seotda.options import Options

BLUFF = 0.06  # how often it bets on nothing
CHASE = 1.1  # how many other hands there seem to be behind each that has put in chips
MOST_REBUYS = 1  # where the last one standing wins; else new chips cost nothing
RAISES = ("full", "half", "ddadang", "quarter")


def bot(view: Json, legal: list[Action], rng: Random) -> Action:
    """The sensible answer to whatever is asked."""
    match legal[0]["type"]:
        case "choose":
            return _choose(view, legal)
        case "rejoin":
            return {"type": "rejoin", "accept": _comes_back(view)}
        case "rebuy":
            lasting = view["options"]["endCondition"] == "lastStanding"
            return {"type": "rebuy", "accept": not (lasting and _me(view)["rebuys"] >= MOST_REBUYS)}
        case "ready":
            return legal[0]
        case _:
            return _bet(view, rng)


def _bet(view: Json, rng: Random) -> Action:
    options = msgspec.convert(view["options"], Options)
    prices = {offer["type"]: offer["amount"] for offer in view["legalActions"]}
    rivals = sum(player["inHand"] for player in view["players"].values()) - 1
    against = rivals if "check" in prices else rivals * CHASE
    ids = tuple(card["id"] for card in view["hand"])
    wins = chance(
        ids,
        view["street"] == 0 and (options.card_mode == "three" or options.deal_mode == "twoRounds"),
        against,
        options,
    )
    wins = min(1.0, max(0.0, wins + rng.uniform(-0.03, 0.03)))
    fair = 1 / (rivals + 1)
    raises = [bet for bet in RAISES if bet in prices]
    if "check" in prices:
        if wins > 1.7 * fair and raises:
            return {"type": raises[0] if rng.random() < 0.6 else "ping"}
        if wins > 1.2 * fair or rng.random() < BLUFF:
            return {"type": "ping" if "ping" in prices else "check"}
        return {"type": "check"}
    if raises and (wins > 0.7 or (wins > 1.8 * fair and rng.random() < 0.5)):
        return {"type": raises[0] if wins > 0.85 else rng.choice(raises)}
    price = prices["call"]
    if wins >= price / (view["pot"] + price) or (price <= view["baseUnit"] and wins > 0.6 * fair):
        return {"type": "call"}
    return {"type": "die"}


def _choose(view: Json, legal: list[Action]) -> Action:
    """The pair that beats most; so a 땡잡이 may be worth more than nine points."""
    options = msgspec.convert(view["options"], Options)
    return max(legal, key=lambda action: strength(tuple(sorted(action["cardIds"])), options))


def _comes_back(view: Json) -> bool:
    """Where it is cheap: a half share of the table at most, and no more than a quarter of the own chips."""
    price = view["rejoinPrice"]
    rivals = max(len(pot["eligible"]) for pot in view["pots"])
    return bool(price * (rivals + 1) <= view["pot"] + price and price * 4 <= _me(view)["stack"])


def _me(view: Json) -> Json:
    me: Json = view["players"][view["me"]]
    return me


# ---------------------------------------------------------------- how good cards are


def deals(options: Options) -> list[Deal]:
    """How often cards are dealt in a hand."""
    return [stage for stage in plan(options) if isinstance(stage, Deal)]


@lru_cache(maxsize=4096)
def chance(ids: tuple[int, ...], one_to_come: bool, rivals: float, options: Options) -> float:
    """How often these cards, with one that may yet come, beat so many others' two."""
    hands = [(*ids, card.id) for card in DECK if card.id not in ids] if one_to_come else [ids]
    best = [max(strength(pair, options) for pair in combinations(sorted(hand), 2)) for hand in hands]
    return sum([math.pow(one, rivals) for one in best]) / len(best)


@lru_cache(maxsize=4096)
def strength(pair: tuple[int, ...], options: Options) -> float:
    """How often two cards beat another's two, a tie or a rematch being half."""
    mine = evaluate(DECK[pair[0]], DECK[pair[1]], options)
    rest = [card for card in DECK if card.id not in pair]
    rivals = [evaluate(a, b, options) for a, b in combinations(rest, 2)]
    return sum(_beats(mine, rival, options) for rival in rivals) / len(rivals)


def _beats(mine: Made, rival: Made, options: Options) -> float:
    if mine.special is None and rival.special is None:
        return 0.5 if mine.value == rival.value else float(mine.value > rival.value)
    verdict = resolve({"mine": mine, "rival": rival}, options)
    return float("mine" in verdict.players) if verdict.type == "win" else 0.5
