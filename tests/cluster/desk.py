"""A room without a process: the log is a list, the clock a number, and everybody who is online is in a set.

`Desk` does what the host does, in the plainest way: judge, append, commit. With ``log`` and `Room` alone, every rule
of the room can be tried without a socket or a file.
"""

from __future__ import annotations

from typing import Any

from cluster.entries import Created, Entry
from cluster.messages import Ack, Act, Reject, ToRoom
from cluster.recovery import replayed
from cluster.room.decide import Person
from cluster.room.room import Decision, Room, Settings
from engines.kernel.contract import Game
from tests.cluster.lamps import GAME

START = 1_717_171_717_000  # as a real room: its clock starts at the date
CHANCE = bytes(range(32))
RED = {"type": "light", "colour": "red"}


class Desk:
    """One room, its log, and the people around it."""

    def __init__(
        self, game: Game[Any] = GAME, settings: Settings | None = None, chance: bytes = CHANCE, **created: Any
    ) -> None:
        self.game, self.chance = game, chance
        self.now = START
        self.online: set[str] = set()
        self.log: list[Entry] = []
        self.room = Room(game, 1, settings)
        bots = created.pop("bots", 0)
        fields = {"room": "r1", "code": "ABCDEF", "creator": "anna", "options": {}, "seats": 2, **created}
        made = self.room.create(Created(game=game.id, **fields), bots, self.now, chance)
        assert isinstance(made, Decision), made
        self._write(made)
        self._ids = 0

    # ------------------------------------------------------------ what the host does

    def _write(self, decision: Decision) -> None:
        assert decision.entries[0].seq == len(self.log) + 1
        self.log += decision.entries
        self.room.commit(decision)

    def say(self, player: str, said: ToRoom) -> Ack | Reject:
        """What the room answers, after it has done what follows."""
        verdict = self.room.judge(Person(player, player.title()), said, self.now, self.online, self.chance)
        if isinstance(verdict, Decision):
            self._write(verdict)
            return Ack(said.id, verdict.entries[0].seq)
        return verdict

    def do(self, player: str, kind: Any, /, **fields: Any) -> Ack | Reject:
        """The same, with an id of its own."""
        self._ids += 1
        return self.say(player, kind(id=f"{player}-{self._ids}", **fields))

    def due(self) -> list[str]:
        """Lets the room do all its own business that is due; the kinds of the entries it made."""
        before = len(self.log)
        while decision := self.room.due(self.now, self.online, self.chance):
            self._write(decision)
        return [kind(entry) for entry in self.log[before:]]

    def comes(self, *players: str) -> None:
        for player in players:
            self.online.add(player)
            decision = self.room.came(Person(player, player.title()), self.now, self.online, self.chance)
            if decision is not None:
                self._write(decision)

    def goes(self, *players: str) -> None:
        for player in players:
            self.online.discard(player)
            self.room.went(player, self.now)

    def recover(self, epoch: int = 2) -> None:
        """The room dies and is made again from its log, by another owner."""
        room = replayed(self.log, lambda _: self.game, epoch, self.room.settings)
        assert room is not None
        self.room = room
        self.now = room.at
        self.online = set()
        room.everyone_away(room.at)

    def restore(self, epoch: int = 2) -> None:
        """The same from a snapshot."""
        room = Room(self.game, epoch, self.room.settings)
        room.restore(self.room.save(), self.log[-1].digest)
        self.room = room

    # ------------------------------------------------------------ what tests ask

    @property
    def lobby(self) -> Any:
        return self.room.state.lobby

    @property
    def table(self) -> Any:
        return self.room.state.table

    def question(self, player: str) -> int:
        """The number of the question that is open to this player; 0: none."""
        asked = self.table.questions.get(player)
        return asked.seq if asked else 0

    def play(self, player: str, action: dict[str, Any] | None = None, /, **fields: Any) -> Ack | Reject:
        """A move in answer to the question now open."""
        fields = {"decision": self.question(player), "action": action or RED, **fields}
        return self.say(player, Act(**fields)) if "id" in fields else self.do(player, Act, **fields)

    def kinds(self) -> list[str]:
        return [kind(entry) for entry in self.log]


def kind(entry: Entry) -> str:
    """The tag of the entry's fact."""
    return str(entry.fact.__struct_config__.tag)


def seated(*players: str, game: Game[Any] = GAME, **created: Any) -> Desk:
    """A room in which these people sit, in this order; the first is the host."""
    from cluster.messages import Sit

    desk = Desk(game, **{"seats": max(2, len(players)), "creator": players[0], **created})
    desk.comes(*players)
    for player in players:
        assert isinstance(desk.do(player, Sit), Ack)
    return desk


def playing(*players: str, game: Game[Any] = GAME, **created: Any) -> Desk:
    """A room in which these people play."""
    desk = seated(*players, game=game, auto_start=True, **created)
    assert desk.lobby.status == "playing"
    return desk


def finished(*players: str, game: Game[Any] = GAME, **created: Any) -> Desk:
    """A room in which they have played to the end."""
    desk = playing(*players, game=game, **created)
    while desk.lobby.status == "playing":
        for player in desk.table.players:
            if desk.question(player):
                assert isinstance(desk.play(player), Ack)
    return desk
