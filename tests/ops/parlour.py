"""A room and its clients without anything between them: the sans-I/O room, and `ops.player.Player`s around it."""

from __future__ import annotations

from random import Random

import msgspec

from cluster.entries import Created, Entry
from cluster.messages import Ack, Ready, Reject, Sit, Start, ToRoom
from cluster.room.audience import Audience, Session, Situation, Telling
from cluster.room.decide import Person
from cluster.room.room import Decision, Room
from engines.catalog import GAMES
from ops.player import Player
from ops.verify import Witness

CHANCE = bytes(range(32))
_decode = msgspec.json.Decoder(ToRoom).decode


class Parlour:
    """Everyone is told everything at once; what is logged is kept in `entries`."""

    def __init__(self, names: str = "AB", game: str = "bench-turn") -> None:
        self.game = GAMES[game]
        self.room = Room(self.game, epoch=1)
        self.now = 1_000
        self.entries: list[Entry] = []
        self.audience: Audience[str] = Audience()
        self.players: dict[str, Player] = {}
        fact = Created(room="r", code="CODE22", game=game, creator=names[0], options={}, seats=len(names))
        self._let(self.room.create(fact, 0, self.now, CHANCE))
        for name in names:
            self.join(name)
        for name in names[1:]:
            self.said(name, self.players[name].say(Ready)[1])
        self.said(names[0], self.players[names[0]].say(Start)[1])

    def join(self, name: str) -> None:
        """A new client of this player comes in, and is welcomed."""
        self.players[name] = Player("r", "token", prefix=name)
        session = Session(name, Person(name, name))
        self.audience.enter(session)
        self._let(self.room.judge(session.person, Sit(f"sit-{name}"), self.now, self.audience.online, CHANCE))
        self.tell([self.audience.welcome(self.situation(), session, None)])

    def situation(self) -> Situation:
        return Situation(self.game, self.room.state, self.room.legal, self.room.seq, self.now)

    def said(self, name: str, text: bytes, *, answer: bool = True) -> Ack | Reject:
        """The room hears this text from this player. Without ``answer`` nobody is told: it dies in between."""
        self.now += 10
        message = _decode(text)
        came = self.room.judge(Person(name, name), message, self.now, self.audience.online, CHANCE)
        reply: Ack | Reject
        if isinstance(came, Decision):
            reply = Ack(message.id, came.entries[0].seq)
            self._let(came, tell=answer)
        else:
            reply = came
        if answer:
            self.players[name].received(msgspec.json.encode(reply))
        return reply

    def time_passes(self, ms: int) -> None:
        """And the room does what is due."""
        self.now += ms
        while (decision := self.room.due(self.now, self.audience.online, CHANCE)) is not None:
            self._let(decision)

    def act(self) -> str:
        """Whoever is asked does what a bot would; the action's id."""
        for name, player in self.players.items():
            if player.asked:
                assert player.view is not None
                action = self.game.bot(player.view, player.legal, Random(self.room.seq))
                if action is not None:
                    id, text = player.act(action)
                    self.said(name, text)
                    return id
        raise AssertionError("nobody is asked who would do anything")

    def _let(self, decision: object, *, tell: bool = True) -> None:
        assert isinstance(decision, Decision), decision
        self.room.commit(decision)
        self.entries += decision.entries
        if tell:
            self.tell(
                self.audience.tell_step(
                    self.situation(),
                    decision.outcome.events,
                    lobby_changed=decision.lobby_changed,
                    game_changed=decision.game_changed,
                )
            )

    def tell(self, tellings: list[Telling[str]]) -> None:
        for telling in tellings:
            for session in telling.to:
                self.players[session.key].received(telling.message)

    def witnesses(self) -> list[Witness]:
        return [Witness(name, dict(each.acks), each.seq, each.view) for name, each in self.players.items()]
