"""A second reckoning of 섯다: from what was told alone, chip by chip, what everybody must have.

`Ledger` hears the events of a game as a spectator does. It knows the document, not the engine: pots are made of single
chips when cards are shown, hands are looked up in tables of words, and the verdict is 6.3 written down once more. What
the engine then pays must be what the ledger pays.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from engines.kernel.contract import Event, Json

ORDER = [  # 6.1 from the top, but for points; "38" means the lights of both months
    *["l38", "l18", "l13", "10-10", "9-9", "8-8", "7-7", "6-6", "5-5", "4-4", "3-3", "2-2", "1-1"],
    *["1-2", "1-4", "1-9", "1-10", "4-10", "4-6"],
]
CATCHES = {"ttaengjabi": ("9-9", "1-1"), "amhaeng": ("l18", "l13")}  # from, to
VOIDS = {"gusa": "1-2", "off": "1-2", "upTo8": "8-8", "upTo9": "9-9", "upToJang": "10-10"}  # up to
LAST_REMATCH = 3


def rank(faces: frozenset[str], options: Json) -> int:
    """The place of two cards in the order, from 0, the best."""
    low, high = sorted(int("".join(c for c in face if c.isdigit())) for face in faces)
    if {face[-1] for face in faces} == {"광"}:
        lights = f"l{low}{high}"
        if lights == "l38" or options["gwangTtaeng"] == "all":
            return ORDER.index(lights)
    if (words := f"{low}-{high}") in ORDER:
        return ORDER.index(words)
    return len(ORDER) + 9 - (low + high) % 10


def special(faces: frozenset[str], options: Json) -> str | None:
    """Which special these cards are."""
    months = {face[:-1] if face != "8기러기" else "8" for face in faces}
    if options["ttaengjabi"] != "off" and months == {"3", "7"}:
        return "ttaengjabi" if options["ttaengjabi"] == "loose" or faces == {"3광", "7열"} else None
    if options["amhaeng"] and faces == {"4열", "7열"}:
        return "amhaeng"
    if options["gusa"] and months == {"4", "9"}:
        return "mungGusa" if faces == {"4열", "9열"} and options["mungGusa"] != "off" else "gusa"
    return None


def verdict(hands: dict[str, frozenset[str]], options: Json) -> tuple[set[str], str | None]:
    """6.3: who wins, or plays again and why."""
    ranks = {player: rank(faces, options) for player, faces in hands.items()}
    specials = {player: special(faces, options) for player, faces in hands.items()}
    best = min(ranks.values())
    winners = {player for player in hands if ranks[player] == best}
    for kind, (top, bottom) in CATCHES.items():
        if ORDER.index(top) <= best <= ORDER.index(bottom) and kind in specials.values():
            winners = {player for player in hands if specials[player] == kind}
    voids = set[str]()
    for player, holds in specials.items():
        if holds in ("gusa", "mungGusa") and player not in winners:
            limit = VOIDS["gusa" if holds == "gusa" else options["mungGusa"]]
            if min(ranks[other] for other in hands if other != player) >= ORDER.index(limit):
                voids.add(player)
    if voids:
        return set(hands), "gusa"
    if len(winners) > 1 and options["tieRule"] == "rematch":
        return winners, "tie"
    return winners, None


class Ledger:
    """What everybody has, by what has been told."""

    def __init__(self, options: Json) -> None:
        self.options = options
        self.stacks: dict[str, int] = {}
        self.chips: dict[str, int] = {}
        self.carried: list[list[Any]] = []  # amount, who may win it, why it was carried
        self.given = 0
        self.hands = self.rematches = self.paid = 0

    def hear(self, events: tuple[Event, ...]) -> None:
        """Everything that was told in one step. Fails where a pot is paid otherwise than it must be."""
        for event in events:
            said: Any = {name: value for name, value in event.items() if name != "type"}
            hear = getattr(self, f"_{event['type']}", None)
            if hear is not None:
                hear(**said)

    # ------------------------------------------------------------ chips come and go

    def _gameStarted(self, seats: list[str]) -> None:
        self.stacks = dict.fromkeys(seats, self.options["startingChips"])
        self.given = sum(self.stacks.values())

    def _rebought(self, player: str, stack: int) -> None:
        assert self.stacks[player] == 0
        self.stacks[player] = stack
        self.given += stack

    def _put(self, player: str, amount: int) -> None:
        self.stacks[player] -= amount
        assert self.stacks[player] >= 0
        self.chips[player] += amount

    def _handStarted(self, dealer: str, baseUnit: int, **_: object) -> None:
        everybody = [*self.stacks, *self.stacks]
        order = everybody[everybody.index(dealer) :][: len(self.stacks)]
        self.unit = baseUnit
        self.carried = []
        self.rematch = 0
        self._sit([player for player in order if self.stacks[player] > 0])

    def _rematchStarted(self, rematchNo: int, participants: list[str], reason: str, dealer: str) -> None:
        self._all_paid()
        self.rematch += 1
        self.rematches += 1
        assert rematchNo == self.rematch <= LAST_REMATCH
        assert participants[0] == dealer
        assert set(participants) == {player for _, may_win, _ in self.carried for player in may_win}
        self._sit(participants)

    def _sit(self, order: list[str]) -> None:
        self.order = order
        self.live = set(order)
        self.chips = dict.fromkeys(order, 0)
        self.faces: dict[str, frozenset[str]] = {}
        self.due: list[tuple[int, dict[str, int]]] | None = None

    def _ante(self, player: str, amount: int, allIn: bool) -> None:
        assert amount == min(self.unit, self.stacks[player])
        assert self.rematch == 0
        self._put(player, amount)

    def _bet(self, player: str, amount: int, bet: str, **_: object) -> None:
        self._put(player, amount)
        if bet == "die":
            self.live.remove(player)
            for one in self.carried:
                if len(one[1]) > 1:
                    one[1] -= {player}

    def _returned(self, player: str, amount: int) -> None:
        self._put(player, -amount)

    def _rejoined(self, player: str, amount: int) -> None:
        self.stacks[player] -= amount
        void = [one for one in self.carried if one[2] == "gusa"]
        void[0][0] += amount
        for one in void:
            one[1] |= {player}

    # ------------------------------------------------------------ the end of a game of the hand

    def _shown(self, player: str, cards: list[Json], name: str, value: int, special: str | None) -> None:
        assert player in self.live
        self.faces[player] = frozenset(card["face"] for card in cards)
        assert len(self.faces[player]) == 2

    def _pots(self) -> list[list[Any]]:
        """Chip by chip: whoever has put in the n-th and is still in may win all n-ths."""
        layers: list[tuple[frozenset[str], int]] = []
        for n in range(1, max(self.chips.values(), default=0) + 1):
            payers = {player for player, amount in self.chips.items() if amount >= n}
            may_win = frozenset(payers & self.live)
            assert len(payers) > 1 or not may_win or payers == set(self.order), "an unmatched chip lies on the table"
            layers.append((may_win or (layers[-1][0] if layers else frozenset()), len(payers)))
        pots: list[list[Any]] = [
            [sum(n for _, n in same), set(may_win), None] for may_win, same in groupby(layers, lambda one: one[0])
        ]
        orphans = sum(amount for amount, may_win, _ in pots if not may_win)
        pots = [pot for pot in pots if pot[1]]
        if orphans:
            [one for one in self.carried if one[1] & self.live][-1][0] += orphans
        return pots

    def _judge(self) -> None:
        """What must now be paid, and what is carried over."""
        pots, self.carried, self.due = [*self.carried, *self._pots()], [], []
        if len(self.live) > 1:
            assert set(self.faces) == self.live
        for amount, may_win, _ in pots:
            winners, why = set(may_win), None
            if len(may_win) > 1:
                winners, why = verdict({player: self.faces[player] for player in may_win}, self.options)
            if why is not None and self.rematch < LAST_REMATCH:
                self.carried.append([amount, winners, why])
                continue
            share, odd = divmod(amount, len(winners))
            first = [player for player in self.order if player in winners]
            self.due.append((amount, {player: share + (i < odd) for i, player in enumerate(first)}))

    def _settle(self) -> None:
        if self.due is None:
            self._judge()

    def _potWon(self, amount: int, shares: dict[str, int], **_: object) -> None:
        self._settle()
        assert self.due is not None
        self.due.remove((amount, shares))
        self.paid += 1
        for player, share in shares.items():
            self.stacks[player] += share

    def _all_paid(self) -> None:
        self._settle()
        assert self.due == []

    def _rejoinAsked(self, players: list[str], price: int) -> None:
        self._all_paid()
        pot = sum(amount for amount, _, _ in self.carried)
        assert price == {"half": pot // 2, "full": pot}[self.options["rejoinCost"]]
        assert all(self.stacks[player] >= price for player in players)

    def _handEnded(self, **_: object) -> None:
        self._all_paid()
        assert self.carried == []
        self.hands += 1
        assert sum(self.stacks.values()) == self.given
