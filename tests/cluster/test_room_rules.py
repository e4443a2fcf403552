"""The room's own rules, one at a time, without a socket, a file or a clock."""

from __future__ import annotations

import msgspec
import pytest

from cluster.entries import Created
from cluster.messages import (
    Ack,
    Act,
    AddBot,
    Close,
    Kick,
    Leave,
    PassHost,
    Ready,
    Reject,
    SetOptions,
    SetRoom,
    Sit,
    Stand,
    Start,
)
from cluster.room.advance import Stuck
from cluster.room.room import ANSWERS_KEPT, Room, Settings
from tests.cluster.desk import CHANCE, RED, START, Desk, finished, kind, playing, seated
from tests.cluster.variants import VARIANTS

TOGETHER = VARIANTS["together"]


def code(answer: Ack | Reject) -> str:
    return answer.code if isinstance(answer, Reject) else "ok"


# ---------------------------------------------------------------- creation


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({"options": {"lamps": "many"}}, "bad_options"),
        ({"options": {"colour": "red"}}, "bad_options"),
        ({"seats": 1}, "too_many_seats"),
        ({"seats": 5}, "too_many_seats"),
        ({"bots": 2}, "room_full"),
        ({"bots": -1}, "room_full"),
    ],
)
def test_a_wish_that_cannot_be_is_refused(wish: dict, expected: str):
    bots = wish.pop("bots", 0)
    fields = {"room": "r", "code": "C", "game": "lamps", "creator": "anna", "options": {}, "seats": 2, **wish}
    refused = Room(VARIANTS["together"], 1).create(Created(**fields), bots, START, CHANCE)
    assert isinstance(refused, Reject)
    assert refused.code == expected


def test_bots_of_a_new_room_sit_from_the_last_seat_down_and_people_from_the_first():
    desk = Desk(seats=4, bots=2)
    desk.comes("anna")
    desk.do("anna", Sit)
    assert [seat and seat.player for seat in desk.lobby.seats] == ["anna", None, "bot-2", "bot-1"]


# ---------------------------------------------------------------- ids


def test_an_id_is_answered_again_after_a_replay_and_after_a_snapshot():
    desk = playing("anna", "bob")
    move = Act("move", desk.question("anna"), RED)
    first = desk.say("anna", move)
    written = len(desk.log)
    desk.restore()
    assert desk.say("anna", move) == first
    desk.recover()
    assert desk.say("anna", move) == first
    assert len(desk.log) == written


def test_five_times_the_same_id_is_one_entry_and_five_equal_answers():
    desk = playing("anna", "bob")
    before, number = len(desk.log), desk.question("anna")
    answers = [desk.say("anna", Act("x", number, RED)) for _ in range(5)]
    assert answers == [Ack("x", before + 1)] * 5
    assert len(desk.log) == before + 1


def test_two_ids_for_one_turn_are_one_entry():
    desk = playing("anna", "bob")
    number, before = desk.question("anna"), len(desk.log)
    assert code(desk.say("anna", Act("x", number, RED))) == "ok"
    assert code(desk.say("anna", Act("y", number, RED))) == "stale_decision"
    assert len(desk.log) == before + 1


def test_an_id_that_changed_nothing_keeps_its_answer_too():
    """Else a message that comes late once more would be done after all, when things have changed."""
    desk = seated("anna", "bob")
    first = desk.say("bob", Ready("x", False))
    desk.say("bob", Ready("y", True))
    assert desk.say("bob", Ready("x", False)) == first
    assert desk.lobby.seats[1].ready


def test_a_refusal_keeps_its_answer_though_things_have_changed():
    desk = seated("anna", "bob")
    assert code(desk.say("anna", Start("x"))) == "not_ready"
    desk.do("bob", Ready)
    assert code(desk.say("anna", Start("x"))) == "not_ready"
    assert desk.lobby.status == "waiting"


def test_ids_of_different_people_do_not_meet():
    desk = playing("anna", "bob")
    assert code(desk.play("anna", id="x")) == "ok"
    assert code(desk.play("bob", id="x")) == "ok"


def test_the_last_ids_of_each_person_are_known_and_no_more_are_kept():
    desk = seated("anna", "bob")
    for number in range(3 * ANSWERS_KEPT):
        desk.say("bob", Ready(f"i{number}", number % 2 == 0))
    assert list(desk.room._answers["bob"]) == [f"i{n}" for n in range(2 * ANSWERS_KEPT, 3 * ANSWERS_KEPT)]


def test_strangers_cannot_make_the_room_remember_without_bound():
    """Spectators come and go for days, and each may say something."""
    desk = seated("anna", "bob")
    for number in range(2000):
        desk.say(f"guest-{number}", Ready("x"))
    assert len(desk.room._answers) <= 300
    assert {"anna", "bob"} <= desk.room._answers.keys()


# ---------------------------------------------------------------- decisions


def test_a_late_answer_to_an_earlier_question_is_refused():
    desk = playing("anna", "bob")
    first = desk.question("anna")
    desk.play("anna")
    desk.play("bob")
    assert desk.question("anna") > first
    assert code(desk.do("anna", Act, decision=first, action=RED)) == "stale_decision"
    assert code(desk.play("anna")) == "ok"


def test_an_answer_on_its_way_when_the_turn_times_out_is_refused():
    desk = playing("anna", "bob")
    first = desk.question("anna")
    desk.now = desk.room.deadline()
    assert desk.due() == ["timeout"]
    assert code(desk.do("anna", Act, decision=first, action=RED)) == "stale_decision"


def test_simultaneous_questions_keep_their_number_while_others_answer():
    desk = playing("anna", "bob", "cora", game=TOGETHER)
    asked = {player: desk.question(player) for player in ("anna", "bob", "cora")}
    assert code(desk.play("bob")) == "ok"
    assert desk.question("bob") == 0
    for player in ("anna", "cora"):
        assert desk.question(player) == asked[player]
        assert code(desk.do(player, Act, decision=asked[player], action=RED)) == "ok"
    assert all(desk.question(player) > asked[player] for player in asked)


def test_whoever_is_asked_nothing_and_says_so_hears_the_games_own_words():
    desk = playing("anna", "bob")
    assert code(desk.do("bob", Act, decision=0, action=RED)) == "not_your_turn"
    assert code(desk.do("anna", Act, decision=0, action=RED)) == "stale_decision"


def test_an_action_that_the_game_refuses_is_no_entry():
    desk = playing("anna", "bob")
    before, state = len(desk.log), desk.room.state
    assert code(desk.play("anna", {"type": "light", "colour": "octarine"})) == "bad_action"
    assert (len(desk.log), desk.room.state) == (before, state)


def test_an_engine_that_crashes_while_deciding_has_written_nothing():
    desk = playing("anna", "bob")
    before, state = len(desk.log), desk.room.state
    with pytest.raises(ZeroDivisionError):
        desk.play("anna", {"type": "crash"})
    assert len(desk.log) == before
    assert desk.room.state is state
    assert code(desk.play("anna")) == "ok"


# ---------------------------------------------------------------- beginning


def test_a_room_that_starts_by_itself_begins_when_its_last_seat_is_taken():
    desk = Desk(seats=3, bots=1, auto_start=True)
    desk.comes("anna", "bob")
    desk.do("anna", Sit)
    assert desk.lobby.status == "waiting"
    desk.do("bob", Sit)
    assert desk.kinds()[-2:] == ["seat", "start"]
    assert desk.table.players == ("anna", "bob", "bot-1")


def test_a_bot_on_the_last_seat_starts_it_too():
    desk = seated("anna", seats=2, auto_start=True)
    desk.do("anna", AddBot)
    assert desk.lobby.status == "playing"


def test_a_seat_taken_after_a_game_starts_nothing():
    desk = finished("anna", "bob")
    desk.do("bob", Stand)
    desk.comes("cora")
    desk.do("cora", Sit)
    assert desk.lobby.status == "finished"


def test_a_start_needs_enough_people_and_all_but_the_host_ready():
    desk = seated("anna", seats=3)
    assert code(desk.do("anna", Start)) == "not_enough_players"
    desk.comes("bob")
    desk.do("bob", Sit)
    assert code(desk.do("anna", Start)) == "not_ready"
    desk.do("anna", AddBot)
    desk.do("bob", Ready)
    assert code(desk.do("anna", Start)) == "ok"
    assert desk.table.players == ("anna", "bob", "bot-1")


def test_new_options_take_the_ready_marks_away_and_are_played():
    desk = seated("anna", "bob")
    desk.do("bob", Ready)
    desk.do("anna", SetOptions, options={"lamps": 1})
    assert code(desk.do("anna", Start)) == "not_ready"
    desk.do("bob", Ready)
    desk.do("anna", Start)
    desk.play("anna")
    assert desk.lobby.status == "finished"


def test_the_engine_hears_at_the_start_who_is_not_there():
    desk = seated("anna", "bob")
    desk.do("bob", Ready)
    desk.goes("bob")
    desk.do("anna", Start)
    assert desk.kinds()[-2:] == ["start", "presence"]
    assert desk.table.presence == {"bob": "offline"}


def test_a_game_that_will_not_be_dealt_is_refused_in_its_own_words():
    desk = seated("anna", "bob", game=VARIANTS["picky"])
    desk.do("bob", Ready)
    before = len(desk.log)
    assert code(desk.do("anna", Start)) == "bad_players"
    assert len(desk.log) == before


def test_a_rematch_begins_when_the_last_at_the_table_is_ready():
    desk = finished("anna", "bob", "cora")
    assert [desk.lobby.games, [seat.ready for seat in desk.lobby.taken()]] == [1, [False] * 3]
    desk.do("cora", Ready)
    desk.do("anna", Ready)
    assert desk.lobby.status == "finished"
    desk.do("bob", Ready)
    assert (desk.lobby.status, desk.lobby.games, desk.table.number) == ("playing", 2, 1)


def test_a_rematch_with_bots_waits_for_people_only_and_never_for_too_few():
    desk = finished("anna", "bob")
    desk.do("bob", Leave)
    desk.do("anna", Ready)
    assert desk.lobby.status == "finished"
    desk.do("anna", Ready, ready=False)
    desk.do("anna", AddBot)
    desk.do("anna", Ready)
    assert desk.lobby.status == "playing"


# ---------------------------------------------------------------- seats, host, leaving


def test_the_creator_is_host_on_arrival_and_another_until_then():
    desk = Desk(seats=3)
    desk.comes("bob", "anna")
    desk.do("bob", Sit)
    assert desk.lobby.host == "bob"
    desk.do("anna", Sit)
    assert desk.lobby.host == "anna"


def test_a_host_who_stands_up_is_followed_by_the_next_person_clockwise():
    desk = seated("anna", "bob", "cora", seats=4)
    desk.do("anna", PassHost, player="bob")
    desk.do("bob", Stand)
    assert desk.lobby.host == "cora"
    desk.do("cora", Stand)
    assert desk.lobby.host == "anna"
    desk.do("anna", Stand)
    assert desk.lobby.host is None
    desk.do("cora", Sit)
    assert desk.lobby.host == "cora"


def test_a_bot_never_becomes_host():
    desk = seated("anna", "bob", seats=4)
    desk.do("anna", AddBot)
    desk.do("anna", Stand)
    assert desk.lobby.host == "bob"
    desk.do("bob", Stand)
    assert desk.lobby.host is None


def test_a_host_who_stays_away_is_followed_by_one_who_is_there():
    settings = Settings(host_away_after=100, away_after=50)
    desk = seated("anna", "bob", "cora")
    desk.room.settings = settings
    desk.goes("anna", "bob")
    desk.now += 99
    assert desk.due() == []
    assert desk.room.wake_at(desk.online) == desk.now + 1
    desk.now += 1
    assert desk.due() == ["host"]
    assert desk.lobby.host == "cora"
    assert desk.due() == []


def test_a_host_who_is_back_in_time_stays_host():
    desk = seated("anna", "bob")
    desk.room.settings = Settings(host_away_after=100)
    desk.goes("anna")
    desk.now += 99
    desk.comes("anna")
    desk.now += 1000
    assert desk.due() == []
    assert desk.lobby.host == "anna"


def test_leaving_before_a_game_frees_the_seat():
    desk = seated("anna", "bob")
    desk.do("bob", Leave)
    assert desk.lobby.seats[1] is None


def test_leaving_in_mid_game_keeps_the_seat_until_the_end_and_the_engine_hears_of_it():
    desk = playing("anna", "bob", "cora")
    desk.do("bob", Leave)
    assert desk.table.presence == {"bob": "left"}
    assert desk.lobby.seats[1].left
    assert code(desk.do("bob", Act, decision=0, action=RED)) == "not_playing"
    assert code(desk.do("bob", Sit)) == "already_playing"
    assert code(desk.do("anna", Kick, player="bob")) == "ok"  # not seated, but still connected
    while desk.lobby.status == "playing":
        desk.now = desk.room.deadline()
        desk.due()
    assert [seat and seat.player for seat in desk.lobby.seats] == ["anna", None, "cora"]


def test_one_who_left_is_never_away_or_back_for_the_game():
    desk = playing("anna", "bob", "cora")
    desk.do("bob", Leave)
    desk.goes("bob")
    desk.now += 14_000
    assert desk.due() == []
    desk.comes("bob")
    assert desk.table.presence == {"bob": "left"}


def test_a_host_who_leaves_in_mid_game_is_followed_at_once():
    desk = playing("anna", "bob", "cora")
    desk.do("anna", Leave)
    assert desk.lobby.host == "bob"


def test_when_the_last_person_leaves_the_room_is_closed():
    desk = seated("anna", "bob", seats=3)
    desk.do("anna", AddBot)
    desk.do("bob", Leave)
    assert desk.lobby.status == "waiting"
    desk.do("anna", Leave)
    assert desk.kinds()[-2:] == ["leave", "close"]
    assert (desk.lobby.status, desk.lobby.closed) == ("closed", "empty")


def test_when_the_last_person_leaves_a_running_game_it_is_closed_too():
    desk = playing("anna", "bob", bots=1, seats=3)
    desk.do("anna", Leave)
    assert desk.lobby.status == "playing"
    desk.do("bob", Leave)
    assert desk.lobby.closed == "empty"


@pytest.mark.parametrize("end", ["host", "operator"])
def test_nothing_follows_a_close_in_mid_game(end: str):
    """``closed`` is the last entry: no timeout, no bot, no absence comes after it, and no question is open."""
    desk = playing("anna", "bob", bots=1, seats=3)
    desk.goes("bob")
    if end == "host":
        desk.do("anna", Close)
    else:
        desk._write(desk.room.expire("operator", desk.now))
    for room in (desk.room, None):
        if room is None:
            desk.recover()
        desk.now += 10_000_000
        assert desk.due() == []
        assert desk.room.deadline() is None
        assert desk.room.wake_at(desk.online) is None
        assert desk.room.can_park()
    desk.comes("bob", "anna")
    assert desk.kinds()[-1] == "close"
    assert not desk.room.faults


def test_kicked_people_are_out_for_good_and_kicked_bots_are_not():
    desk = seated("anna", "bob", seats=3)
    desk.do("anna", AddBot)
    desk.do("anna", Kick, player="bob")
    desk.do("anna", Kick, player="bot-1")
    assert desk.lobby.banned == ("bob",)
    assert code(desk.do("bob", Sit)) == "banned"
    desk.do("anna", AddBot)
    assert [seat and seat.player for seat in desk.lobby.seats] == ["anna", "bot-1", None]


def test_a_bot_kicked_in_mid_game_plays_no_more_and_the_deadline_plays_for_it():
    desk = playing("anna", "bob", bots=1, seats=3)
    desk.play("anna")
    desk.play("bob")
    desk.do("anna", Kick, player="bot-1")
    desk.now = desk.room.deadline() - 1
    assert desk.due() == []
    assert not desk.room.faults
    desk.now += 1
    assert desk.due() == ["timeout"]


def test_resizing_takes_empty_seats_and_keeps_the_order_of_people():
    desk = seated("anna", seats=4)
    desk.comes("bob")
    desk.do("bob", Sit, seat=3)
    desk.do("anna", SetRoom, seats=3)
    assert [seat and seat.player for seat in desk.lobby.seats] == ["anna", None, "bob"]
    desk.do("anna", SetRoom, seats=2)
    assert [seat and seat.player for seat in desk.lobby.seats] == ["anna", "bob"]
    desk.do("anna", SetRoom, seats=4)
    assert [seat and seat.player for seat in desk.lobby.seats] == ["anna", "bob", None, None]
    desk.comes("cora")
    desk.do("cora", Sit)
    assert code(desk.do("anna", SetRoom, seats=2)) == "seats_in_use"


def test_bots_get_the_first_free_name():
    desk = seated("anna", seats=4)
    for _ in range(3):
        desk.do("anna", AddBot)
    desk.do("anna", Kick, player="bot-2")
    desk.do("anna", AddBot)
    assert sorted(seat.player for seat in desk.lobby.taken()) == ["anna", "bot-1", "bot-2", "bot-3"]
    assert code(desk.do("anna", AddBot)) == "room_full"


# ---------------------------------------------------------------- deadlines


@pytest.mark.parametrize("offset", [-1, 0, 1])
@pytest.mark.parametrize("recovered", [False, True])
def test_around_the_deadline_exactly_one_of_action_and_timeout_happens(offset: int, recovered: bool):
    """As the worker does it: what is due goes first, then the message."""
    desk = playing("anna", "bob")
    number, deadline, before = desk.question("anna"), desk.room.deadline(), len(desk.log)
    if recovered:
        desk.recover()
        desk.comes("anna", "bob")
    desk.now = deadline + offset
    timed_out = desk.due()
    answer = desk.do("anna", Act, decision=number, action=RED)
    assert [kind(entry) for entry in desk.log[before:]] == (["action"] if offset < 0 else ["timeout"])
    assert (timed_out, code(answer)) == (([], "ok") if offset < 0 else (["timeout"], "stale_decision"))
    assert desk.due() == []


def test_one_deadline_is_one_timeout_however_often_it_is_asked():
    desk = playing("anna", "bob")
    desk.now = desk.room.deadline()
    assert desk.due() + desk.due() == ["timeout"]
    assert desk.room.deadline() > desk.now


def test_timers_run_with_nobody_connected_until_the_game_is_over():
    desk = playing("anna", "bob")
    desk.goes("anna", "bob")
    for _ in range(10):
        at = desk.room.wake_at(desk.online)
        if at is None:
            break
        desk.now = at
        desk.due()
    assert desk.lobby.status == "finished"
    assert desk.kinds().count("timeout") == 5
    assert desk.room.can_park()


def test_a_timeout_that_moves_nothing_is_a_bug_and_writes_nothing():
    desk = playing("anna", "bob", game=VARIANTS["stubborn"])
    desk.now, before = desk.room.deadline(), len(desk.log)
    with pytest.raises(Stuck):
        desk.due()
    assert len(desk.log) == before


# ---------------------------------------------------------------- those who are away


def test_a_short_absence_is_not_told_to_the_game():
    desk = playing("anna", "bob")
    desk.goes("bob")
    desk.now += desk.room.settings.away_after - 1
    assert desk.due() == []
    desk.comes("bob")
    assert desk.room.wake_at(desk.online) == desk.room.deadline()


def test_a_long_absence_is_told_once_and_so_is_the_return():
    desk = playing("anna", "bob")
    desk.goes("bob")
    desk.now += desk.room.settings.away_after
    assert desk.room.wake_at(desk.online) == desk.now
    assert desk.due() == ["presence"]
    assert desk.table.state.away == ("bob",)
    desk.now += 1000
    assert desk.due() == []
    desk.comes("bob")
    assert desk.kinds()[-1] == "presence"
    assert desk.table.state.away == ()
    desk.comes("bob")
    assert desk.table.presence == {}


def test_after_a_recovery_everyone_has_the_whole_grace_to_come_back():
    desk = playing("anna", "bob")
    desk.recover()
    desk.now += desk.room.settings.away_after - 1
    assert desk.due() == []
    desk.comes("anna")
    desk.now += 1
    assert desk.due() == ["presence"]
    assert desk.table.presence == {"bob": "offline"}


def test_a_return_that_could_not_be_logged_is_told_as_soon_as_it_can_be():
    """The store was down when bob came: the room learns of it from who is online."""
    desk = playing("anna", "bob")
    desk.goes("bob")
    desk.now += desk.room.settings.away_after
    desk.due()
    desk.online.add("bob")
    assert desk.room.wake_at(desk.online) <= desk.now
    assert desk.due() == ["presence"]
    assert desk.table.presence == {}


# ---------------------------------------------------------------- bots


def test_a_bot_thinks_within_its_delay_and_then_moves():
    desk = playing("anna", bots=1)
    desk.play("anna")
    low, high = desk.room.settings.bot_delay
    at = desk.room.wake_at(desk.online)
    assert desk.now + low <= at <= desk.now + high
    desk.now = at - 1
    assert desk.due() == []
    desk.now = at
    assert desk.due() == ["action"]
    assert desk.log[-1].who == "bot-1"


@pytest.mark.parametrize("name", ["crashing-bot", "illegal-bot"])
def test_a_bot_that_fails_plays_the_first_legal_action_and_the_fault_is_told(name: str):
    desk = playing("anna", bots=1, game=VARIANTS[name])
    desk.play("anna")
    desk.now += desk.room.settings.bot_delay[1]
    assert desk.due() == ["action"]
    assert desk.table.state.lamps == ("anna", "bot-1")
    assert len(desk.room.faults) == 1


def test_a_bot_that_cannot_play_at_all_leaves_it_to_the_deadline():
    desk = playing("anna", bots=1, game=VARIANTS["hopeless-bot"])
    desk.play("anna")
    desk.now += desk.room.settings.bot_delay[1]
    assert desk.due() == []
    assert len(desk.room.faults) == 2
    assert desk.room.wake_at(desk.online) == desk.room.deadline()
    desk.now = desk.room.deadline()
    assert desk.due() == ["timeout"]


def test_a_bot_that_would_rather_do_nothing_is_no_fault_and_asked_again_with_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
):
    desk = playing("anna", bots=1)
    monkeypatch.setattr(type(desk.room.game), "bot", lambda self, view, legal, rng: None)
    desk.play("anna")
    desk.now += desk.room.settings.bot_delay[1]
    assert desk.due() == []
    assert not desk.room.faults
    assert desk.room.wake_at(desk.online) == desk.room.deadline()
    desk.now = desk.room.deadline()
    assert desk.due() == ["timeout"]
    monkeypatch.undo()
    desk.play("anna")
    desk.now += desk.room.settings.bot_delay[1]
    assert desk.due() == ["action"]


def test_bots_alone_play_a_game_to_its_end_while_people_are_away():
    desk = playing("anna", bots=3, seats=4)
    desk.goes("anna")
    for _ in range(100):
        if (at := desk.room.wake_at(desk.online)) is None:
            break
        desk.now = max(desk.now, at)
        desk.due()
    assert desk.lobby.status == "finished"


# ---------------------------------------------------------------- time and steps


def test_entries_never_go_back_in_time():
    desk = playing("anna", "bob")
    desk.now -= 5000
    desk.play("anna")
    assert [entry.at for entry in desk.log] == sorted(entry.at for entry in desk.log)


def test_missed_steps_are_known_back_to_a_bound():
    desk = seated("anna", "bob")
    for number in range(100):
        desk.say("bob", Ready(f"i{number}", number % 2 == 0))
    assert desk.room.missed(desk.room.seq) == []
    assert [seq for seq, _ in desk.room.missed(desk.room.seq - 3)] == [desk.room.seq - n for n in (2, 1, 0)]
    assert len(desk.room.missed(desk.room.seq - 64)) == 64
    assert desk.room.missed(desk.room.seq - 65) is None
    assert desk.room.missed(desk.room.seq + 1) is None
    desk.restore()
    assert desk.room.missed(desk.room.seq) == []
    assert desk.room.missed(desk.room.seq - 1) is None


def test_the_answers_in_a_snapshot_are_json_and_hold_only_what_was_done():
    desk = seated("anna", "bob")
    desk.do("bob", Start)
    saved = msgspec.json.decode(desk.room.save())
    assert saved["answers"] == {"anna": [["anna-1", 2]], "bob": [["bob-2", 3]]}
