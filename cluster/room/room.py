"""A room without I/O: it decides, and once the log has taken a decision, it lets it be so.

    decision = room.judge(person, message, now, online, chance)   # or room.due(now, …): the room's own business
    log.append(epoch, decision.entries[0].seq, decision.entries)  # elsewhere; may fail, and then nothing has happened
    room.commit(decision)

Time is the room's own (`cluster.clock`): milliseconds that stand still while nobody can play.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence, Set
from random import Random
from typing import Any
from zlib import crc32

import msgspec

from cluster.entries import AnyFact, Began, Closed, Created, Entry, TimedOut
from cluster.faults import place_of
from cluster.messages import Ack, Act, Reject, ToRoom
from cluster.room import dealing, decide
from cluster.room.advance import Outcome, advance
from cluster.room.decide import Around, Person
from cluster.room.state import Digester, RoomState, dump, load, saved_version
from engines.kernel.contract import Action, Event, Game, PlayerId, Range, Rejected

ANSWERS_KEPT = 32  # per person: how many of their last ids are known again
ASKERS_KEPT = 256  # people without a seat come and go: of so many the ids are kept
STEPS_KEPT = 64  # how many of the last steps a returning client can be told


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How patient a room is; all in ms of room time."""

    bot_delay: tuple[int, int] = (700, 1600)  # a bot thinks for somewhere between
    away_after: int = 4_000  # a player without a connection for so long is away, for the game
    host_away_after: int = 30_000  # a host who is away for so long is followed by another
    park_after: int = 5_000  # with nobody connected and nothing to time, the process is given back
    unused_after: int = 60_000  # a room in which nobody ever sat is closed
    watchers: int = 200  # people without a seat who may be connected at a time
    lend_within: int = 2_000  # a sealed game begins without a number that has not come: clients answer by themselves
    abandoned_after: int = 600_000  # a game that nobody has been connected to for so long stands still until they are


class Decision(msgspec.Struct, frozen=True):
    """Entries to be logged together, and the room after them."""

    entries: tuple[Entry, ...]
    outcome: Outcome  # the last one's, with the events of all
    lobby_changed: bool
    game_changed: bool


class DigestMismatch(Exception):
    """A log does not replay to the states that it was written from. The room must not go on."""


class CannotPlay(Exception):
    """The log is as it should be; but the game is not installed here, or only an older version of it.

    Nothing is wrong with the room. It has to be played elsewhere.
    """


class Room:
    """One room, from its first entry or from a replay on."""

    def __init__(self, game: Game[Any], epoch: int, settings: Settings | None = None) -> None:
        self.game = game
        self.epoch = epoch
        self.settings = settings or Settings()
        self.state = RoomState()
        self.seq = 0
        self.at = 0  # room ms of the last entry
        self.legal: dict[PlayerId, list[Action]] = {}
        self.faults: deque[str] = deque(maxlen=16)  # bugs in a game's bot, for whoever runs the room to report
        self._digest = Digester()
        self._answers: dict[PlayerId, OrderedDict[str, int | Reject]] = {}
        self._steps: deque[tuple[int, tuple[Event, ...]]] = deque(maxlen=STEPS_KEPT)
        self._steps_from = 0  # all steps after this seq are in _steps
        self._away: dict[PlayerId, int] = {}  # people without a connection, and since when
        self._bots: list[PlayerId] = []  # seated ones
        self._bot_failed: dict[PlayerId, int] = {}  # bots that found no answer to this question, or wish to give none

    # ------------------------------------------------------------ deciding

    def create(self, fact: Created, bots: int, now: int, chance: bytes) -> Decision | Reject:
        """The first entries of a new room."""
        return self._decide(decide.created(fact, bots, Around(self.game, frozenset(), chance)), None, "", now)

    def judge(
        self, person: Person, said: ToRoom, now: int, online: Set[PlayerId], chance: bytes
    ) -> Decision | Ack | Reject:
        """What a person's message comes to. A message that was answered before gets the same answer."""
        answers = self._answers.get(person.player)
        if answers is not None and (known := answers.get(said.id)) is not None:
            return known if isinstance(known, Reject) else Ack(said.id, known)
        verdict = decide.message(self.state, person, said, Around(self.game, online, chance))
        if verdict == []:
            self._remember(person.player, said.id, self.seq)
            return Ack(said.id, self.seq)
        decision = self._decide(verdict, person.player, said.id, now)
        if isinstance(decision, Reject):
            self._remember(person.player, said.id, decision)
        return decision

    def refused(self, person: Person, answer: Reject) -> None:
        """`judge` raised, and its caller has answered so: the same id gets the same answer again."""
        self._remember(person.player, answer.id, answer)

    def due(self, now: int, online: Set[PlayerId], chance: bytes) -> Decision | None:
        """The room's own business that is due, the most urgent first; None when there is none left."""
        around = Around(self.game, online, chance)
        facts: decide.Verdict = []
        if (deadline := self.deadline()) is not None and deadline <= now:
            facts = [TimedOut()]
        elif (until := self._lent_by()) is not None and until <= now:
            facts = dealing.overdue(self.game, self.state.lobby, online)
        else:
            while bot := self._next_bot(now):
                if moved := self._bot_moves(bot, now, around):
                    return moved
            facts = self._absences(now, online)
        if not facts:
            return None
        decision = self._decide(facts, None, "", now)
        if isinstance(decision, Reject):
            raise RuntimeError(f"the room's own {facts} was refused: {decision.code}")
        return decision

    def wake_at(self, online: Set[PlayerId]) -> int | None:
        """When `due` is worth asking again, if nothing else happens."""
        table = self.state.running
        deadline = self._lent_by() if table is None else self.game.deadline(table.state)
        if not self._bots and not self._away and (table is None or not table.presence):
            return deadline  # so it is after nearly every move
        bots, absences = self._thinking_bots(), self._absence_times(online)
        times = [*(self._bot_due(bot) for bot in bots), *absences]
        if deadline is not None:
            times.append(deadline)
        return min(times, default=None)

    def deadline(self) -> int | None:
        """When the game's next timeout is due."""
        table = self.state.running
        return None if table is None else self.game.deadline(table.state)

    def can_park(self) -> bool:
        """Is there nothing that time alone would bring about? (Nobody being connected is for others to know.)"""
        return self.deadline() is None and self._lent_by() is None and not self._thinking_bots()

    def _lent_by(self) -> int | None:
        """Until when a sealed game waits for players' numbers."""
        deal = None if self.state.lobby is None else self.state.lobby.dealing
        return None if deal is None else deal.at + self.settings.lend_within

    def expire(self, reason: str, now: int) -> Decision:
        """Closes the room for a reason of the cluster's."""
        decision = self._decide([Closed(reason)], None, "", now)  # type: ignore[arg-type]
        assert isinstance(decision, Decision)
        return decision

    def came(self, person: Person, now: int, online: Set[PlayerId], chance: bytes) -> Decision | None:
        """A person's connection is there (again): what the game must hear of it."""
        self._away.pop(person.player, None)
        facts = decide.presence(self.state, person.player, True)
        return self._own(facts, now)

    def went(self, player: PlayerId, now: int) -> None:
        """A person's connection is gone. The game hears of it only if it stays so."""
        if self._concerns(player):
            self._away.setdefault(player, now)

    def everyone_away(self, now: int) -> None:
        """After a recovery: nobody is connected yet."""
        lobby = self.state.lobby
        if lobby is not None:
            self._away = {seat.player: now for seat in lobby.people()}

    def _own(self, facts: list[AnyFact], now: int) -> Decision | None:
        if not facts:
            return None
        decision = self._decide(facts, None, "", now)
        assert isinstance(decision, Decision)
        return decision

    def _decide(self, verdict: decide.Verdict, who: PlayerId | None, id: str, now: int) -> Decision | Reject:
        if isinstance(verdict, Rejected):
            return Reject(id, verdict.code, verdict.message)
        at = max(now, self.at)
        room, seq = self.state, self.seq
        entries: list[Entry] = []
        events: tuple[Event, ...] = ()
        legal = None
        for fact in verdict:
            seq += 1
            outcome = advance(self.game, room, fact, who if not entries else None, seq, at)
            if isinstance(outcome, Rejected):
                return Reject(id, outcome.code, outcome.message)
            room = outcome.room
            events += outcome.events
            legal = outcome.legal if outcome.legal is not None else legal
            # Only the first fact is the person's own; the others follow from it.
            by, answers = (None, None) if entries else (who, id or None)
            entries.append(Entry(seq, self.epoch, at, fact, self._digest(room), by, answers))
        return Decision(
            tuple(entries),
            Outcome(room, events, legal),
            lobby_changed=room.lobby is not self.state.lobby,
            game_changed=room.table is not self.state.table,
        )

    # ------------------------------------------------------------ letting it be so

    def commit(self, decision: Decision) -> None:
        """The log holds the decision: now it is so."""
        outcome, last = decision.outcome, decision.entries[-1]
        self._be(outcome.room)
        self.seq, self.at = last.seq, last.at
        if outcome.legal is not None:
            self.legal = outcome.legal
        first = decision.entries[0]
        if first.id is not None and first.who is not None:
            self._remember(first.who, first.id, first.seq)
        self._steps_push(last.seq, outcome.events)

    def _be(self, state: RoomState) -> None:
        if state.lobby is not self.state.lobby:
            self._bots = (
                []
                if state.lobby is None
                else [seat.player for seat in state.lobby.taken() if seat.bot and not seat.left]
            )
        self.state = state

    def replay(self, entries: Sequence[Entry]) -> None:
        """Makes the entries so again, one by one. Raises `DigestMismatch`, or what an engine's bug raises.

        Raises `CannotPlay` where a game began that is of a later version than ours.
        """
        for entry in entries:
            if entry.seq != self.seq + 1:
                raise DigestMismatch(f"entry {entry.seq} follows {self.seq}")
            if isinstance(entry.fact, Began):
                self._must_know(entry.fact.state_version)
            outcome = advance(self.game, self.state, entry.fact, entry.who, entry.seq, entry.at)
            if isinstance(outcome, Rejected):
                raise DigestMismatch(f"entry {entry.seq} ({type(entry.fact).__name__}) is refused: {outcome.code}")
            if (digest := self._digest(outcome.room)) != entry.digest:
                raise DigestMismatch(f"entry {entry.seq}: digest {digest}, logged {entry.digest}")
            self.commit(Decision((entry,), outcome, lobby_changed=True, game_changed=True))

    def _must_know(self, version: int) -> None:
        if version > self.game.state_version:
            raise CannotPlay(f"{self.game.id} of version {version}; {self.game.state_version} is installed here")

    def missed(self, seq: int) -> list[tuple[int, tuple[Event, ...]]] | None:
        """The steps after ``seq``; None where not all of them are known any more."""
        if not self._steps_from <= seq <= self.seq:
            return None
        return [(step, events) for step, events in self._steps if step > seq]

    def _steps_push(self, seq: int, events: tuple[Event, ...]) -> None:
        if len(self._steps) == self._steps.maxlen:
            self._steps_from = self._steps[0][0]
        self._steps.append((seq, events))

    def _remember(self, player: PlayerId, id: str, answer: int | Reject) -> None:
        answers = self._answers.setdefault(player, OrderedDict())
        answers[id] = answer
        if len(answers) > ANSWERS_KEPT:
            answers.popitem(last=False)
        if len(self._answers) > ASKERS_KEPT:
            del self._answers[next(other for other in self._answers if not self._concerns(other))]

    # ------------------------------------------------------------ snapshots

    def save(self) -> bytes:
        """Everything that a recovery needs, without the steps of the past."""
        answers = {
            player: [(id, answer) for id, answer in kept.items() if isinstance(answer, int)]
            for player, kept in self._answers.items()
        }
        return msgspec.json.encode(
            _Snapshot(self.game.id, self.seq, self.at, self._digest(self.state), msgspec.Raw(dump(self.state)), answers)
        )

    def restore(self, data: bytes, digest: str) -> None:
        """The room as `save` left it after the entry with this digest; `DigestMismatch` where that is not so.

        Raises `CannotPlay` where the game on its table is of a later version than ours.
        """
        saved = msgspec.json.decode(data, type=_Snapshot)
        if (version := saved_version(saved.state)) is not None:
            self._must_know(version)
        state = load(bytes(saved.state), self.game)
        if not saved.digest == digest == self._digest(state):
            raise DigestMismatch(f"the snapshot after entry {saved.seq} is not the state that was logged")
        self._be(state)
        self.seq, self.at = saved.seq, saved.at
        self._answers = {player: OrderedDict(kept) for player, kept in saved.answers.items()}
        self._steps_from = saved.seq
        self._steps.clear()
        if (table := state.table) is not None and not table.over:
            self.legal = {player: self.game.legal(table.state, player) for player in table.questions}

    # ------------------------------------------------------------ those who are away

    def _concerns(self, player: PlayerId) -> bool:
        lobby = self.state.lobby
        return lobby is not None and lobby.seat_of(player) is not None

    def _absences(self, now: int, online: Set[PlayerId]) -> list[AnyFact]:
        settings, lobby = self.settings, self.state.lobby
        if facts := self._returns(online):
            return facts
        if not self._away:
            return []
        for player, since in list(self._away.items()):
            if player in online or not self._concerns(player):
                del self._away[player]
            elif since + settings.away_after <= now and (facts := decide.presence(self.state, player, False)):
                return facts
        if lobby is not None and lobby.host is not None:
            since_host = self._away.get(lobby.host)
            if since_host is not None and since_host + settings.host_away_after <= now:
                return decide.host_is_away(self.state, online)
        return []

    def _returns(self, online: Set[PlayerId]) -> list[AnyFact]:
        """Of someone who is there again, but could not be told of: the log was not to be had when they came."""
        table = self.state.running
        if table is None or not table.presence:
            return []
        back = next((who for who, status in table.presence.items() if status == "offline" and who in online), None)
        return [] if back is None else decide.presence(self.state, back, True)

    def _absence_times(self, online: Set[PlayerId]) -> list[int]:
        settings, lobby = self.settings, self.state.lobby
        times = [self.at] if self._returns(online) else []
        if not self._away:
            return times
        times += [
            since + settings.away_after
            for player, since in self._away.items()
            if decide.presence(self.state, player, False)
        ]
        if lobby is not None and lobby.host in self._away and decide.host_is_away(self.state, online):
            times.append(self._away[lobby.host] + settings.host_away_after)
        return times

    # ------------------------------------------------------------ bots

    def _thinking_bots(self) -> list[PlayerId]:
        table = self.state.running
        if table is None or not self._bots:
            return []
        asked = table.questions
        return [bot for bot in self._bots if bot in asked and self._bot_failed.get(bot) != asked[bot].seq]

    def _bot_due(self, bot: PlayerId) -> int:
        assert self.state.table is not None
        question = self.state.table.questions[bot]
        low, high = self.settings.bot_delay
        return question.at + low + crc32(f"{bot}/{question.seq}".encode()) % (high - low + 1)

    def _next_bot(self, now: int) -> PlayerId | None:
        at, bot = min(((self._bot_due(bot), bot) for bot in self._thinking_bots()), default=(now + 1, None))
        return bot if at <= now else None

    def _bot_moves(self, bot: PlayerId, now: int, around: Around) -> Decision | None:
        """The bot's own choice; should that fail, the first legal action; should that fail too, the deadline's.

        None also where the bot would rather do nothing for now.
        """
        table = self.state.table
        assert table is not None
        question = table.questions[bot]
        person = Person(bot, bot)
        for choose in (self._bot_choice, self._first_legal):
            try:
                action = choose(bot, around.chance)
                if action is None:
                    break
                said = Act(f"{bot}.{question.seq}", question.seq, action)
                verdict = decide.message(self.state, person, said, around)
                decision = self._decide(verdict, bot, said.id, now)
            except Exception as bug:  # a game's bot is code of others; its room must not die of it
                self.faults.append(f"{choose.__name__} of {bot}: {place_of(bug)}")
                continue
            if isinstance(decision, Decision):
                return decision
            self.faults.append(f"{choose.__name__} of {bot} was refused: {decision.code}")
        self._bot_failed[bot] = question.seq
        return None

    def _bot_choice(self, bot: PlayerId, chance: bytes) -> Action | None:
        assert self.state.table is not None
        return self.game.bot(self.game.view(self.state.table.state, bot), self.legal[bot], Random(chance))

    def _first_legal(self, bot: PlayerId, chance: bytes) -> Action:
        return {
            name: value["min"] if isinstance(value, dict) and value.keys() == set(Range.__struct_fields__) else value
            for name, value in self.legal[bot][0].items()
        }


class _Snapshot(msgspec.Struct, frozen=True):
    game: str
    seq: int
    at: int
    digest: str
    state: msgspec.Raw
    answers: dict[str, list[tuple[str, int]]]


def saved_game(data: bytes) -> str:
    """The id of the game that a snapshot is of. Raises `ValueError` where it is not a snapshot."""
    return msgspec.json.decode(data, type=_SnapshotGame).game


class _SnapshotGame(msgspec.Struct, frozen=True):
    game: str
