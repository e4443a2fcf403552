"""Random lives of rooms: whatever people, bots, time and crashes do, these things hold after every step."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cluster.messages import (
    Ack,
    Act,
    AddBot,
    Close,
    Kick,
    Leave,
    Lend,
    PassHost,
    Pledge,
    Ready,
    SetOptions,
    SetRoom,
    Sit,
    Stand,
    Start,
    ToRoom,
)
from cluster.recovery import replayed
from cluster.room.room import Room, Settings
from engines.kernel.contract import Game
from tests.cluster.dealings import number_of, pledge_of
from tests.cluster.desk import RED, Desk
from tests.cluster.lamps import GAME
from tests.cluster.variants import VARIANTS

PEOPLE = st.sampled_from(["anna", "bob", "cora", "dave", "erin"])
ANYBODY = st.sampled_from(["anna", "bob", "cora", "dave", "erin", "bot-1", "bot-2", "zoe"])
SEATS = st.none() | st.integers(0, 4)
QUICK = Settings(bot_delay=(1, 900), away_after=4_000, host_away_after=9_000)


class RoomLife(RuleBasedStateMachine):
    """One room, from its creation on."""

    game: Game[Any] = GAME
    desk: Desk

    @initialize(bots=st.integers(0, 2), auto_start=st.booleans(), seats=st.integers(3, 4))
    def create(self, bots: int, auto_start: bool, seats: int) -> None:
        self.desk = Desk(self.game, QUICK, bots=bots, auto_start=auto_start, seats=seats)
        self.ids = 0
        self.answers: dict[tuple[str, str], tuple[ToRoom, Any]] = {}
        self.checked = 0

    def say(self, player: str, kind: Any, /, **fields: Any) -> None:
        self.ids += 1
        said = kind(id=f"i{self.ids}", **fields)
        before = self.desk.room.state
        answer = self.desk.say(player, said)
        self.answers[player, said.id] = (said, answer)
        if not isinstance(answer, Ack):
            assert self.desk.room.state is before

    # ------------------------------------------------------------ what people do

    @rule(player=PEOPLE)
    def comes(self, player: str) -> None:
        self.desk.comes(player)

    @rule(player=PEOPLE)
    def goes(self, player: str) -> None:
        self.desk.goes(player)

    @rule(player=PEOPLE, seat=SEATS)
    def sits(self, player: str, seat: int | None) -> None:
        self.say(player, Sit, seat=seat)

    @rule(player=PEOPLE)
    def stands(self, player: str) -> None:
        self.say(player, Stand)

    @rule(player=PEOPLE, ready=st.booleans())
    def readies(self, player: str, ready: bool) -> None:
        self.say(player, Ready, ready=ready)

    @rule(player=PEOPLE)
    def starts(self, player: str) -> None:
        self.say(player, Start)

    @rule()
    def all_get_ready_and_start(self) -> None:
        """Else a game would begin in few lives only."""
        for seat in self.desk.lobby.people():
            self.say(seat.player, Ready)
        if self.desk.lobby.host:
            self.say(self.desk.lobby.host, Start)

    @rule(player=PEOPLE, lamps=st.sampled_from([1, 2, 5, "x"]))
    def sets_options(self, player: str, lamps: Any) -> None:
        self.say(player, SetOptions, options={"lamps": lamps})

    @rule(player=PEOPLE, seats=st.none() | st.integers(2, 5), spectators=st.none() | st.booleans())
    def sets_room(self, player: str, seats: int | None, spectators: bool | None) -> None:
        self.say(player, SetRoom, seats=seats, spectators=spectators)

    @rule(player=PEOPLE, seat=SEATS)
    def adds_bot(self, player: str, seat: int | None) -> None:
        self.say(player, AddBot, seat=seat)

    @rule(player=PEOPLE, other=ANYBODY)
    def kicks(self, player: str, other: str) -> None:
        self.say(player, Kick, player=other)

    @rule(player=PEOPLE, other=ANYBODY)
    def passes_host(self, player: str, other: str) -> None:
        self.say(player, PassHost, player=other)

    @rule(player=PEOPLE)
    def leaves(self, player: str) -> None:
        self.say(player, Leave)

    @precondition(lambda self: self.ids > 30)
    @rule(player=PEOPLE)
    def closes(self, player: str) -> None:
        self.say(player, Close)

    @rule(player=PEOPLE, stale=st.booleans())
    def acts(self, player: str, stale: bool) -> None:
        number = self.desk.question(player) if self.desk.table else 0
        self.say(player, Act, decision=max(0, number - stale), action=RED)

    @rule()
    def those_who_are_asked_act(self) -> None:
        running = self.desk.room.state.running
        for player in list(running.questions) if running else []:
            self.say(player, Act, decision=self.desk.question(player), action=RED)

    @rule(data=st.data())
    def says_it_again(self, data: st.DataObject) -> None:
        """One of the last messages once more: the same answer, and nothing else."""
        known = list(self.answers.items())[-8:]
        if known:
            (player, _), (said, answer) = data.draw(st.sampled_from(known))
            state = self.desk.room.state
            assert self.desk.say(player, said) == answer
            assert self.desk.room.state is state

    @rule(player=PEOPLE, seat=SEATS, number=st.integers(0, 1))
    def sits_with_a_pledge(self, player: str, seat: int | None, number: int) -> None:
        self.say(player, Sit, seat=seat, pledge=pledge_of(player, number))

    @rule(player=PEOPLE, number=st.integers(0, 1))
    def pledges(self, player: str, number: int) -> None:
        self.say(player, Pledge, pledge=pledge_of(player, number))

    @rule()
    def all_pledge(self) -> None:
        for seat in self.desk.lobby.people():
            self.say(seat.player, Pledge, pledge=pledge_of(seat.player))

    @rule(player=PEOPLE, number=st.integers(0, 1))
    def lends(self, player: str, number: int) -> None:
        self.say(player, Lend, number=number_of(player, number))

    # ------------------------------------------------------------ time and crashes

    @rule(ms=st.sampled_from([1, 100, 1000, 5000]))
    def time_passes(self, ms: int) -> None:
        self.desk.now += ms
        self.desk.due()

    @rule()
    def time_passes_until_something_is_due(self) -> None:
        at = self.desk.room.wake_at(self.desk.online)
        if at is not None:
            before = self.desk.room.seq
            self.desk.now = max(self.desk.now, at)
            self.desk.due()
            again = self.desk.room.wake_at(self.desk.online)
            assert self.desk.room.seq > before or again is None or again > at, "woken for nothing"

    @rule(snapshot=st.booleans())
    def crashes(self, snapshot: bool) -> None:
        """What was an entry is remembered; refusals, and what changed nothing, may be judged again."""
        epoch = self.desk.room.epoch + 1
        self.desk.restore(epoch) if snapshot else self.desk.recover(epoch)
        entries = {(entry.who, entry.id) for entry in self.desk.log}
        self.answers = {key: answer for key, answer in self.answers.items() if key in entries}

    # ------------------------------------------------------------ what always holds

    @invariant()
    def nobody_sits_twice(self) -> None:
        seated = [seat.player for seat in self.desk.lobby.taken() if not seat.left]
        assert len(seated) == len(set(seated))
        assert not set(seated) & set(self.desk.lobby.banned)

    @invariant()
    def the_host_is_a_seated_person_or_nobody_is(self) -> None:
        people = {seat.player for seat in self.desk.lobby.people()}
        assert self.desk.lobby.host in people if people else self.desk.lobby.host is None

    @invariant()
    def the_status_fits_the_table(self) -> None:
        lobby, table, room = self.desk.lobby, self.desk.table, self.desk.room
        if lobby.status == "playing":
            assert table is not None
            assert not table.over
            assert set(table.players) == {seat.player for seat in lobby.taken()}
            assert table.questions
            assert room.deadline() is not None
            assert set(room.legal) == set(table.questions)
        else:
            assert room.deadline() is None
            assert not any(seat.left for seat in lobby.taken()) or lobby.status == "closed"
        assert (lobby.status == "closed") == ("close" in self.desk.kinds())
        assert "close" not in self.desk.kinds()[:-1]

    @invariant()
    def a_sealed_game_waits_for_somebody_and_not_for_ever(self) -> None:
        lobby = self.desk.lobby
        deal = lobby.dealing
        if deal is not None:
            assert lobby.status in ("waiting", "finished")
            assert deal.awaited
            assert set(deal.awaited) <= {seat.player for seat in lobby.people()}
            assert not set(deal.awaited) & set(deal.numbers)
            assert self.desk.room.wake_at(self.desk.online) <= deal.at + QUICK.lend_within
            assert not self.desk.room.can_park()
        elif lobby.deal is not None and lobby.status != "closed":
            assert lobby.deal.begun
            assert lobby.deal.secret == ""
            assert lobby.games > 0

    @invariant()
    def the_log_is_gapless_and_never_goes_back_in_time(self) -> None:
        new = self.desk.log[self.checked :]
        assert [entry.seq for entry in new] == list(range(self.checked + 1, len(self.desk.log) + 1))
        assert [entry.at for entry in self.desk.log] == sorted(entry.at for entry in self.desk.log)
        self.checked = len(self.desk.log)

    @invariant()
    def the_log_replays_to_this_very_state(self) -> None:
        """No fact is refused on replay, and every digest is right: `replayed` checks both."""
        again = replayed(self.desk.log, lambda _: self.game, 99)
        assert again is not None
        self.same(again)

    @invariant()
    def a_snapshot_and_the_tail_are_the_same_as_all_entries(self) -> None:
        half = len(self.desk.log) // 2 or 1
        first = replayed(self.desk.log[:half], lambda _: self.game, 1)
        assert first is not None
        room = Room(self.game, 99)
        room.restore(first.save(), self.desk.log[half - 1].digest)
        room.replay(self.desk.log[half:])
        self.same(room)

    def same(self, other: Room) -> None:
        mine = self.desk.room
        assert (other.state, other.seq, other.at) == (mine.state, mine.seq, mine.at)
        assert other.deadline() == mine.deadline()
        if mine.state.running:
            assert other.legal == mine.legal


class SimultaneousRoomLife(RoomLife):
    """The same with a game that asks everyone at once."""

    game = VARIANTS["together"]


class SealedRoomLife(RoomLife):
    """The same with a game whose deals are sealed."""

    game = VARIANTS["drawn"]


LIVES = settings(max_examples=25, stateful_step_count=40, derandomize=True)


@pytest.mark.parametrize("life", [RoomLife, SimultaneousRoomLife, SealedRoomLife])
def test_random_lives_of_a_room(life: type[RoomLife]):
    case = life.TestCase
    case.settings = LIVES
    case().runTest()
