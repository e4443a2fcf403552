"""A player that sees what a player sees: its own view and its legal list, nothing else.

It plays for its role's side. Whom it takes for an enemy it reads off what everybody knows: the sheriff's star, and who
in the log has gone for whom. Then every legal action is worth something, and it takes the best.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engines.bang.cards import AIM, CARDS, KIND, WEAPONS, CardId, CardKind
from engines.kernel.contract import Action, Json, PlayerId

# What a card is worth in the hand, to keep it, to choose it, to take it from others.
WORTH: dict[CardKind, float] = {
    "bang": 3.0,
    "missed": 3.5,
    "beer": 4.0,
    "saloon": 1.5,
    "stagecoach": 4.5,
    "wellsFargo": 6.0,
    "generalStore": 2.0,
    "panic": 3.0,
    "catBalou": 2.8,
    "duel": 2.4,
    "indians": 2.2,
    "gatling": 3.2,
    "barrel": 4.2,
    "mustang": 4.0,
    "scope": 3.6,
    "jail": 2.2,
    "dynamite": 1.0,
    "volcanic": 3.2,
    "schofield": 2.6,
    "remington": 3.0,
    "carabine": 3.2,
    "winchester": 3.4,
}
HOSTILE_FROM = 0.15  # who is this much of an enemy is worth a shot
DANGER = 2  # life at which one is careful


class Mind:
    """What the bot makes of its view."""

    def __init__(self, view: Json) -> None:
        self.view = view
        self.rows: dict[PlayerId, Json] = {row["id"]: row for row in view["players"]}
        self.me: PlayerId = view["me"]
        self.row = self.rows[self.me]
        self.role: str = view["role"]
        self.living = [name for name, row in self.rows.items() if row["alive"]]
        self.hand: list[CardId] = [card["id"] for card in view["hand"]]
        self.kinds: list[CardKind] = [KIND[card] for card in self.hand]
        self.hurt: int = self.row["maxLife"] - self.row["life"]
        self.enemy = {name: self._enmity(name) for name in self.living if name != self.me}

    def _enmity(self, other: PlayerId) -> float:
        """From -1, a friend for sure, to 1, an enemy for sure."""
        sheriff = self.rows[other].get("role") == "sheriff"
        raids, guards = self._deeds(other)
        match self.role:
            case "sheriff":
                return min(1.0, 0.35 + raids - guards)
            case "deputy":
                return -1.0 if sheriff else min(1.0, 0.4 + raids - guards)
            case "outlaw":
                return 1.0 if sheriff else max(-1.0, min(0.5, 0.1 - raids + guards))
            case _:  # the renegade needs the sheriff alive, and weak, until everybody else is gone
                if sheriff:
                    return 1.0 if len(self.living) == 2 else -0.6
                return min(1.0, 0.45 + 0.5 * raids)

    def _deeds(self, other: PlayerId) -> tuple[float, float]:
        """How much this player went for the sheriff of late, and for those who did."""
        raids = guards = 0.0
        raiders = {entry["player"] for entry in self.view["log"] if self._at_sheriff(entry)}
        for entry in self.view["log"]:
            if entry["player"] == other:
                raids += 0.4 * self._at_sheriff(entry)
                guards += 0.3 * (entry["type"] == "played" and entry.get("target") in raiders)
        return raids, guards

    def _at_sheriff(self, entry: Json) -> bool:
        target = self.rows.get(entry.get("target", ""))
        return entry["type"] == "played" and target is not None and target.get("role") == "sheriff"

    # ---------------------------------------------------------------- what a card is worth

    def worth(self, card: CardId) -> float:
        """In this hand; the second of what one needs but once is worth little."""
        kind = KIND[card]
        value = WORTH[kind]
        mine = [KIND[one["id"]] for one in self.row["inPlay"]]
        if kind in WEAPONS:
            return value - 2.5 if any(held in WEAPONS for held in mine) else value
        if kind in mine:
            return 0.1
        if kind == "beer" and len(self.living) == 2:
            return 0.5
        return value - 0.4 * max(0, self.kinds.count(kind) - 2)

    def weakness(self, other: PlayerId) -> float:
        """More for one who has less life left."""
        return 1.0 / max(1, int(self.rows[other]["life"]))


def bot(view: Json, legal: list[Action], rng: Random) -> Action | None:
    """The best of what is allowed, a little chance among equals.

    None while others are asked and all that is allowed is to heal at the price of two cards: there is time for that
    when one is at play, or dying.
    """
    if all(action["type"] == "sidHeal" for action in legal):
        return None
    if len(legal) == 1:
        return legal[0]
    mind = Mind(view)
    return max(legal, key=lambda action: VALUES[action["type"]](mind, action) + rng.random() * 0.05)


# ---------------------------------------------------------------- playing


def _play(mind: Mind, action: Action) -> float:
    kind: CardKind = action.get("as") or KIND[action["cardId"]]
    if kind in AIM:
        return _at(mind, kind, action)
    match kind:
        case "stagecoach" | "wellsFargo":
            return 9.0
        case "generalStore":
            return 1.0
        case "beer":
            return 6.0 if mind.hurt >= 1 else -1.0
        case "saloon":
            friends = sum(
                -mind.enemy[name] for name in mind.enemy if mind.rows[name]["life"] < mind.rows[name]["maxLife"]
            )
            return 2.0 * min(1, mind.hurt) + friends - 0.5
        case "gatling" | "indians":
            return _at_all(mind)
        case "dynamite":
            return 0.3 + sum(mind.enemy.values()) / 4
        case _:
            return _equip(mind, kind)


def _at(mind: Mind, kind: CardKind, action: Action) -> float:
    target = action["target"]
    if target == mind.me:  # the house rule: off with what lies here and hurts
        return 3.0 if KIND[action["targetCard"]] in ("dynamite", "jail") else -3.0
    enmity = mind.enemy[target]
    if kind in ("panic", "catBalou"):
        return _take(mind, kind, action, enmity)
    if enmity < HOSTILE_FROM:
        return -2.0 + enmity
    match kind:
        case "bang":
            return 2.0 + 2.0 * enmity + 2.0 * mind.weakness(target)
        case "duel":
            ready = mind.kinds.count("bang")
            return (1.5 * enmity + mind.weakness(target)) if ready and mind.row["life"] > 1 else -1.0
        case _:  # jail
            return 1.5 + 2.0 * enmity


def _take(mind: Mind, kind: CardKind, action: Action, enmity: float) -> float:
    """From an enemy what is dear, from a friend only what harms."""
    card = action["targetCard"]
    dear = 2.5 if card == "hand" else WORTH[KIND[card]]
    harmful = card != "hand" and KIND[card] in ("jail", "dynamite")
    if harmful:
        return 3.0 * -enmity
    if enmity < HOSTILE_FROM:
        return -2.0 + enmity
    return 2.0 * enmity + 0.4 * dear + (0.5 if kind == "panic" else 0.0)


def _at_all(mind: Mind) -> float:
    total = sum(enmity * (0.5 + mind.weakness(name)) for name, enmity in mind.enemy.items())
    sheriff_may_fall = any(
        row.get("role") == "sheriff" and row["life"] <= 1 and name != mind.me for name, row in mind.rows.items()
    )
    if sheriff_may_fall and mind.role != "outlaw" and len(mind.living) > 2:
        return -5.0
    return 2.0 * total


def _equip(mind: Mind, kind: CardKind) -> float:
    if kind not in WEAPONS:
        return 7.0
    now = [KIND[card["id"]] for card in mind.row["inPlay"] if KIND[card["id"]] in WEAPONS]
    if not now:
        return 6.0 + 0.1 * WEAPONS[kind]
    if kind == "volcanic":
        return 5.0 if mind.kinds.count("bang") > 2 and mind.view["bangsPlayed"] else -1.0
    better = WEAPONS[kind] - WEAPONS[now[0]]
    return 1.0 + better if better > 0 and now[0] != "volcanic" else -1.0


# ---------------------------------------------------------------- answering


def _respond(mind: Mind, action: Action) -> float:
    """Always, but for a friend's duel."""
    own = next((one for one in reversed(mind.view["reactions"]) if one["player"] == mind.me), None)
    if own is not None and own["kind"] == "duel" and mind.row["life"] > DANGER:
        return 5.0 if mind.enemy.get(own["other"], 1.0) > HOSTILE_FROM else -1.0
    return 8.0 - 0.1 * sum(mind.worth(card) for card in action["cardIds"])


def _heal(mind: Mind, action: Action) -> float:
    """Two cards for a life: when it is short, or when the hand is full of little."""
    cost = sum(mind.worth(card) for card in action["cardIds"])
    life = mind.row["life"]
    if life <= 0:
        return 9.0 - 0.1 * cost
    return (9.5 if life < DANGER else 6.5) - cost


def _keep_dear(mind: Mind, action: Action) -> float:
    return -sum(mind.worth(card) for card in action["cardIds"])


def _draw(mind: Mind, action: Action) -> float:
    if "jesseFrom" in action:
        return 1.0 + mind.enemy[action["jesseFrom"]]
    if "pedroDiscard" in action:
        return mind.worth(mind.view["discard"][-1]["id"]) - 2.0
    return 1.0


def _lucky(mind: Mind, action: Action) -> float:
    """A heart; against a dynamite anything but a spade will do."""
    suit = CARDS[action["cardId"]].suit
    return 2.0 * (suit == "H") + 1.0 * (suit != "S")


VALUES: dict[str, Callable[[Mind, Action], float]] = {
    "play": _play,
    "respond": _respond,
    "sidHeal": _heal,
    "discard": _keep_dear,
    "draw": _draw,
    "luckyPick": _lucky,
    "storePick": lambda mind, action: mind.worth(action["cardId"]),
    "kitKeep": lambda mind, action: sum(mind.worth(card) for card in action["keep"]),
    "useBarrel": lambda mind, action: 9.0,
    "pickCharacter": lambda mind, action: 0.0,
    "takeHit": lambda mind, action: 0.0,
    "giveUp": lambda mind, action: -9.0,
    "endPlay": lambda mind, action: 0.0,
}
