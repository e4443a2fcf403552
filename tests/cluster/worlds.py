"""Two worlds: a room as it is, and the same room where everything that one viewer may not know is otherwise.

What the room sends that viewer must be the same bytes in both, whatever it is: a welcome, an update, a refusal. Which
things may be otherwise is each game's own business (`Audit.other_world` in `tests/engines/audits.py`); all else here is
the room's own code, as it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from random import Random
from typing import Any

import msgspec

from cluster.messages import Ack, Act, Ready, Reject, Sit
from cluster.messages import Start as Begin
from cluster.room.audience import Audience, Session, Situation
from cluster.room.decide import Person
from cluster.room.room import Decision, Room
from cluster.room.state import Digester
from engines.kernel.contract import Action, Event, Game, Json, PlayerId
from engines.kernel.legal import sample
from tests.cluster.desk import Desk, kind
from tests.engines.audits import Audit
from tests.engines.play import Start

WATCHER = "watcher"  # somebody without a seat, connected like everyone
_encode = msgspec.json.encode


class Table(Desk):
    """A room in which everyone plays and one watches; ``told`` is what those in ``keeps`` were ever told."""

    def __init__(self, game: Game[Any], start: Start, *, keeps: Sequence[PlayerId] = ()) -> None:
        self.audience: Audience[PlayerId] = Audience()
        self.told: dict[PlayerId, list[tuple[int, list[Event], Json | None]]] = {}
        self._keeps = keeps
        seed = bytes.fromhex(start.seed)
        super().__init__(game, chance=seed, options=start.options, seats=len(start.players), creator=start.players[0])
        for player in (*start.players, WATCHER):
            self.comes(player)
            self.audience.enter(Session(player, Person(player, player.title())))
            if player in keeps:
                self.told[player] = []
        for player in start.players:
            assert isinstance(self.do(player, Sit), Ack)
        for player in start.players[1:]:
            assert isinstance(self.do(player, Ready), Ack)
        assert isinstance(self.do(start.players[0], Begin), Ack)

    def _write(self, decision: Decision) -> None:
        super()._write(decision)
        if self._keeps:
            for viewer, update in updates(self.room, self.eyes(*self._keeps), decision, self.now).items():
                self.told[viewer].append((update["seq"], update.get("events", []), update.get("view")))

    def viewers(self) -> Sequence[PlayerId]:
        return (WATCHER, *self.table.players)

    def eyes(self, *viewers: PlayerId) -> Audience[PlayerId]:
        """Only these of those who are connected: what each is told is made for each by itself."""
        some: Audience[PlayerId] = Audience()
        for session in map(self.audience.of, viewers):
            if session is not None:
                some.enter(session)
        return some


def updates(room: Room, audience: Audience[PlayerId], decision: Decision, now: int) -> dict[PlayerId, Json]:
    """What each person is told of a step that has been taken."""
    tellings = audience.tell_step(
        Situation(room.game, room.state, room.legal, room.seq, now),
        decision.outcome.events,
        lobby_changed=decision.lobby_changed,
        game_changed=decision.game_changed,
    )
    return {session.key: msgspec.json.decode(telling.message) for telling in tellings for session in telling.to}


def welcome(room: Room, audience: Audience[PlayerId], viewer: PlayerId, missed_from: int, now: int) -> bytes:
    """The whole picture, with what was missed since an entry."""
    session = audience.of(viewer)
    assert session is not None
    situation = Situation(room.game, room.state, room.legal, room.seq, now)
    return audience.welcome(situation, session, room.missed(missed_from)).message


def twin(room: Room) -> Room:
    """The same room once more: what happens to the one does not happen to the other."""
    other = copy(room)
    other._digest = Digester()
    other._answers = {player: copy(answers) for player, answers in room._answers.items()}
    other._steps = copy(room._steps)
    other._away = dict(room._away)
    return other


def elsewhere(room: Room, state: Any) -> Room:
    """The same room in the other world: another state of the game, and what may be done in it."""
    assert room.state.table is not None
    other = twin(room)
    other.state = msgspec.structs.replace(room.state, table=msgspec.structs.replace(room.state.table, state=state))
    if not room.state.table.over:
        other.legal = {player: room.game.legal(state, player) for player in room.state.table.questions}
    return other


def as_loaded(room: Room) -> Room:
    """The room in its own world, but read back as the other world's is: the order of keys in JSON is no difference."""
    assert room.state.table is not None
    return elsewhere(room, room.game.load(room.game.dump(room.state.table.state)))


def probes(room: Room, viewer: PlayerId, rng: Random, dump: Json) -> Iterator[Action]:
    """What somebody might send who wants to find out something: what others may do, and hidden things by name."""
    asked = [sample(legal, rng) for player, legal in room.legal.items() if player != viewer and legal]
    own = [sample(legal, rng) for player, legal in room.legal.items() if player == viewer and legal]
    yield from rng.sample(asked, min(1, len(asked)))
    names = list(_atoms(dump))
    for action in (asked + own)[-2:]:
        field = rng.choice(list(action))
        if field != "type":
            yield {**action, field: _like(action[field], rng, names)}


def _like(value: Any, rng: Random, names: list[Any]) -> Any:
    if isinstance(value, list):
        return [rng.choice(names) for _ in range(max(1, len(value)))]
    alike = [name for name in names if type(name) is type(value)]
    return rng.choice(alike or names)


def _atoms(value: Any) -> Iterator[Any]:
    """Every name and number that stands in a dump, wherever."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _atoms(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _atoms(inner)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield value


def answer(room: Room, viewer: PlayerId, action: Action, id: str, table: Table) -> bytes:
    """What the viewer hears at once of a message; nothing is let be so. ``b"done"`` where it was taken."""
    question = room.state.table.questions.get(viewer) if room.state.table is not None else None
    said = Act(id, 0 if question is None else question.seq, action)
    verdict = room.judge(Person(viewer, viewer.title()), said, table.now, table.online, table.chance)
    match verdict:
        case Decision():
            return b"done"
        case Ack() | Reject():
            return _encode(verdict)


def step(room: Room, audience: Audience[PlayerId], who: PlayerId, action: Action, table: Table) -> dict[PlayerId, Json]:
    """Somebody's move, in this world; what each person is told of it."""
    assert room.state.table is not None
    said = Act("probe.step", room.state.table.questions[who].seq, action)
    decision = room.judge(Person(who, who.title()), said, table.now, table.online, table.chance)
    assert isinstance(decision, Decision), decision
    room.commit(decision)
    return updates(room, audience, decision, table.now)


def presence(room: Room, audience: Audience[PlayerId], player: PlayerId, table: Table) -> dict[PlayerId, Json] | None:
    """Somebody's connection is away for so long that the game hears of it."""
    online = table.online - {player}
    room.went(player, table.now)
    now = table.now + room.settings.away_after
    if (deadline := room.deadline()) is not None and deadline <= now:
        return None
    decision = room.due(now, online, table.chance)
    if decision is None:
        return None
    assert [kind(entry) for entry in decision.entries] == ["presence"]
    room.commit(decision)
    return updates(room, audience, decision, now)


def other_world(game: Game[Any], audit: Audit, dump: Json, viewer: PlayerId | None, rng: Random, action: Any) -> Any:
    """A state that this viewer could as well be in; None where the game knows that it cannot be."""
    try:
        return game.load(audit.other_world(dump, viewer, rng, action))
    except ValueError:
        return None
