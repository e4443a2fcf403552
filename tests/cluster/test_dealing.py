"""Between start and the first card: pledges, the seal, numbers, and everything that can go wrong there."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from cluster.entries import Began, Entry, Lent, Sealed
from cluster.inspection import check_log
from cluster.messages import (
    Ack,
    AddBot,
    Close,
    Kick,
    Leave,
    Lend,
    PassHost,
    Pledge,
    Ready,
    Reject,
    SetOptions,
    SetRoom,
    Sit,
    Stand,
    Start,
)
from cluster.room.room import Settings
from engines.catalog import GAMES
from engines.kernel import sealed
from ops.deals import check_deals
from tests.cluster.dealings import SECRET, again, number_of, played, pledge_of, pledged, ready, started
from tests.cluster.desk import Desk, kind, seated
from tests.cluster.test_secrecy import Told

LEND_MS = Settings().lend_within
ANNA_BOB = ("anna", "bob")
THREE = ("anna", "bob", "cora")


def opened(desk: Desk, player: str, game: int = 0) -> Ack | Reject:
    return desk.do(player, Lend, number=number_of(player, game))


def sealed_now(*players: str, **kwargs: Any) -> Desk:
    """A room whose host has started, and that waits for numbers."""
    desk = pledged("seotda", *players, **kwargs)
    ready(desk, *players)
    assert desk.lobby.dealing is not None
    return desk


def code(answer: Ack | Reject) -> str:
    return answer.code if isinstance(answer, Reject) else "ack"


# ---------------------------------------------------------------- how it goes


def test_a_start_is_sealed_first_and_the_last_number_begins_the_game():
    desk = sealed_now(*ANNA_BOB)
    assert desk.kinds()[-1] == "seal"
    assert desk.lobby.status == "waiting"
    assert desk.lobby.dealing.awaited == ANNA_BOB
    assert code(opened(desk, "bob")) == "ack"
    assert desk.lobby.dealing.awaited == ("anna",)
    assert code(opened(desk, "anna")) == "ack"
    assert desk.kinds()[-4:] == ["seal", "lend", "lend", "start"]
    assert desk.lobby.status == "playing"
    assert check_log(desk.log).ok
    assert check_deals(desk.log).ok


def test_the_seed_is_the_secret_and_the_lot_of_all_numbers():
    desk = started("seotda", *ANNA_BOB)
    [seal] = [entry.fact for entry in desk.log if isinstance(entry.fact, Sealed)]
    [began] = [entry.fact for entry in desk.log if isinstance(entry.fact, Began)]
    assert seal.seal == sealed.seal(SECRET, 20, 256, {player: pledge_of(player) for player in ANNA_BOB})
    lot = sealed.lot_of(seal.seal, {player: number_of(player) for player in ANNA_BOB})
    assert bytes.fromhex(began.seed) == sealed.seed_of(SECRET, lot, 20)
    deal = desk.lobby.deal
    assert deal.begun
    assert (deal.secret, deal.awaited) == ("", ())
    assert deal.pledges == {player: pledge_of(player) for player in ANNA_BOB}
    assert deal.numbers == {player: number_of(player) for player in ANNA_BOB}


@pytest.mark.parametrize(
    ("game", "players", "options", "width"),
    [
        ("seotda", ANNA_BOB, {}, 20),
        ("parlett-ninety-nine", THREE, {}, 37),
        ("bang", (*THREE, "dan"), {}, 80),
        ("ninety-nine", ANNA_BOB, {"mode": "classic", "deckCount": 2}, 104),
    ],
)
def test_the_seal_is_as_wide_as_the_games_deck(game: str, players: Any, options: Any, width: int):
    desk = started(game, *players, options=options)
    assert desk.lobby.deal.width == width
    assert len(sealed.parts_of(desk.table.state.rng.seed)[0]) == 32


def test_where_nobody_has_pledged_a_game_begins_at_once_and_without_a_seal():
    desk = seated(*ANNA_BOB, game=GAMES["seotda"])
    ready(desk, *ANNA_BOB)
    assert desk.lobby.status == "playing"
    assert desk.lobby.deal is None
    assert len(desk.log[-1].fact.seed) == 64  # type: ignore[union-attr]


def test_a_game_without_a_seal_forgets_the_seal_of_the_one_before():
    desk = played(started("seotda", *ANNA_BOB, options={"handLimit": 10}), Random(1))
    assert desk.lobby.deal is not None
    for player in ANNA_BOB:
        desk.do(player, Ready)
    assert desk.lobby.status == "playing"
    assert desk.lobby.deal is None


def test_a_rematch_has_a_seal_and_numbers_of_its_own():
    desk = played(started("seotda", *ANNA_BOB, options={"handLimit": 10}), Random(1))
    first = desk.lobby.deal
    assert [seat.pledge for seat in desk.lobby.taken()] == ["", ""], "a number is good for one game"
    desk.chance = bytes(32)
    again(desk, *ANNA_BOB, game=1)
    assert desk.lobby.status == "playing"
    assert desk.lobby.deal.seal != first.seal
    assert set(desk.lobby.deal.numbers.values()).isdisjoint(first.numbers.values())
    assert check_deals(desk.log).sealed == 2
    assert check_deals(desk.log).ok


def test_a_room_that_starts_by_itself_is_sealed_when_it_is_full():
    desk = Desk(GAMES["seotda"], chance=SECRET, seats=2, auto_start=True)
    desk.comes(*ANNA_BOB)
    for player in ANNA_BOB:
        desk.do(player, Sit, pledge=pledge_of(player))
    assert desk.kinds()[-2:] == ["seat", "seal"]
    for player in ANNA_BOB:
        opened(desk, player)
    assert desk.lobby.status == "playing"


def test_bots_add_nothing_and_are_not_waited_for():
    desk = pledged("seotda", "anna")
    desk.do("anna", AddBot)
    desk.do("anna", Start)
    assert desk.lobby.dealing.awaited == ("anna",)
    opened(desk, "anna")
    assert desk.lobby.status == "playing"
    assert list(desk.lobby.deal.numbers) == ["anna"]


# ---------------------------------------------------------------- who does not answer


def test_one_who_does_not_answer_is_waited_for_two_seconds_and_no_longer():
    desk = sealed_now(*ANNA_BOB)
    opened(desk, "anna")
    at = desk.lobby.dealing.at
    assert desk.room.wake_at(desk.online) == at + LEND_MS
    assert not desk.room.can_park()
    desk.now = at + LEND_MS - 1
    assert desk.due() == []
    desk.now += 1
    assert desk.due() == ["start"]
    assert list(desk.lobby.deal.numbers) == ["anna"]
    assert set(desk.lobby.deal.pledges) == {"anna", "bob"}, "everybody sees whose is missing"
    assert code(opened(desk, "bob")) == "not_awaited"
    assert check_deals(desk.log).ok


def test_only_who_is_connected_and_has_pledged_is_waited_for():
    desk = pledged("seotda", *THREE)
    desk.do("cora", Stand)
    desk.do("cora", Sit)  # without a pledge
    for player in ("bob", "cora"):
        desk.do(player, Ready)
    desk.goes("bob")
    desk.do("anna", Start)
    assert desk.lobby.dealing.awaited == ("anna",)
    opened(desk, "anna")
    assert desk.lobby.status == "playing"
    assert desk.kinds()[-2:] == ["start", "presence"]


def test_a_number_must_be_the_one_that_was_pledged_and_asked_for():
    desk = sealed_now(*ANNA_BOB)
    assert code(desk.do("anna", Lend, number=number_of("bob"))) == "bad_number"
    assert code(desk.do("zoe", Lend, number=number_of("zoe"))) == "not_awaited"
    assert code(opened(desk, "anna")) == "ack"
    assert code(opened(desk, "anna")) == "not_awaited"
    assert desk.lobby.status == "waiting"
    before = pledged("seotda", *ANNA_BOB)
    assert code(opened(before, "anna")) == "not_awaited"


def test_a_number_that_is_sent_again_gets_its_first_answer():
    desk = sealed_now(*ANNA_BOB)
    lend = Lend("same", number_of("anna"))
    assert desk.say("anna", lend) == desk.say("anna", lend)
    assert desk.kinds().count("lend") == 1


def test_a_copied_pledge_is_of_no_use():
    """Who copies another's pledge cannot open it: a pledge is made for a name."""
    desk = pledged("seotda", *ANNA_BOB)
    desk.do("bob", Pledge, pledge=pledge_of("anna"))
    ready(desk, *ANNA_BOB)
    assert code(desk.do("bob", Lend, number=number_of("anna"))) == "bad_number"


def test_a_pledge_is_for_people_with_seats_between_games_and_a_later_one_counts():
    desk = pledged("seotda", *ANNA_BOB)
    assert code(desk.do("zoe", Pledge, pledge=pledge_of("zoe"))) == "not_seated"
    before = len(desk.log)
    assert code(desk.do("anna", Pledge, pledge=pledge_of("anna"))) == "ack"
    assert len(desk.log) == before, "the same again is nothing new"
    assert code(desk.do("anna", Pledge, pledge=pledge_of("anna", 9))) == "ack"
    ready(desk, *ANNA_BOB)
    assert code(opened(desk, "anna")) == "bad_number"
    assert code(opened(desk, "anna", 9)) == "ack"
    opened(desk, "bob")
    assert code(desk.do("anna", Pledge, pledge=pledge_of("anna", 1))) == "already_playing"


# ---------------------------------------------------------------- in between


@pytest.mark.parametrize(
    "said",
    [
        Sit,
        Stand,
        Ready,
        Start,
        AddBot,
        (Kick, {"player": "bob"}),
        (SetOptions, {"options": {}}),
        (SetRoom, {"seats": 5}),
    ],
    ids=lambda said: (said[0] if isinstance(said, tuple) else said).__name__,
)
def test_nothing_about_the_game_changes_between_its_seal_and_its_first_card(said: Any):
    desk = sealed_now(*ANNA_BOB)
    message, fields = said if isinstance(said, tuple) else (said, {})
    before = desk.lobby
    assert code(desk.do("anna", message, **fields)) == "starting"
    assert desk.lobby is before


def test_a_host_may_still_hand_over_or_close():
    desk = sealed_now(*ANNA_BOB)
    assert code(desk.do("anna", PassHost, player="bob")) == "ack"
    assert code(desk.do("bob", Close)) == "ack"
    assert desk.lobby.dealing is None
    assert desk.room.wake_at(desk.online) is None


def test_who_leaves_is_not_waited_for():
    desk = sealed_now(*THREE)
    opened(desk, "anna")
    opened(desk, "bob")
    assert code(desk.do("cora", Leave)) == "ack"
    assert desk.kinds()[-2:] == ["leave", "start"]
    assert desk.table.players == ANNA_BOB
    assert check_deals(desk.log).ok


def test_a_number_leaves_with_its_owner():
    desk = sealed_now(*THREE)
    opened(desk, "cora")
    desk.do("cora", Leave)
    assert desk.lobby.dealing.awaited == ANNA_BOB
    for player in ANNA_BOB:
        opened(desk, player)
    assert set(desk.lobby.deal.numbers) == set(ANNA_BOB)
    assert check_deals(desk.log).ok


def test_with_too_few_left_the_start_is_off_and_opened_numbers_are_spent():
    desk = sealed_now(*ANNA_BOB)
    opened(desk, "anna")
    desk.do("bob", Leave)
    assert desk.kinds()[-2:] == ["leave", "unseal"]
    assert desk.lobby.deal is None
    assert desk.lobby.status == "waiting"
    assert [seat.pledge for seat in desk.lobby.taken()] == [""]
    desk.comes("cora")
    assert code(desk.do("cora", Sit, pledge=pledge_of("cora"))) == "ack"


def test_where_those_who_are_left_cannot_play_by_these_options_the_start_is_off():
    """Sphinx is for three and four, and the game itself says so."""
    desk = pledged("parlett-ninety-nine", *THREE, options={"variant": "sphinx", "twoPlayer": "noNpc"})
    ready(desk, *THREE)
    for player in ANNA_BOB:
        opened(desk, player)
    desk.do("cora", Leave)
    assert desk.kinds()[-2:] == ["leave", "unseal"]
    assert desk.lobby.status == "waiting"
    assert desk.room.wake_at(desk.online) is None


def test_the_last_person_closes_the_room_behind_them():
    desk = pledged("seotda", "anna")
    desk.do("anna", AddBot)
    desk.do("anna", Start)
    desk.do("anna", Leave)
    assert desk.kinds()[-2:] == ["leave", "close"]
    assert desk.lobby.dealing is None


# ---------------------------------------------------------------- kill -9


@pytest.mark.parametrize("back", ["recover", "restore"])
def test_a_room_that_dies_between_seal_and_numbers_goes_on_with_the_same_seal(back: str):
    desk = sealed_now(*THREE)
    opened(desk, "anna")
    before = desk.lobby
    getattr(desk, back)()
    assert desk.lobby == before
    assert desk.room.can_park() is False
    desk.comes("bob")  # cora does not come back
    opened(desk, "bob")
    assert desk.lobby.status == "waiting"
    desk.now = before.dealing.at + LEND_MS
    desk.due()
    assert desk.lobby.status == "playing"
    assert desk.lobby.deal.seal == before.deal.seal
    assert set(desk.lobby.deal.numbers) == {"anna", "bob"}
    assert check_log(desk.log).ok
    assert check_deals(desk.log).ok


def test_every_entry_of_a_sealed_start_replays_to_its_digest():
    desk = started("bang", "anna", "bob", "cora", "dan", silent=("dan",))
    for cut in range(1, len(desk.log) + 1):
        assert check_log(desk.log[:cut]).ok


# ---------------------------------------------------------------- what is told


def test_no_frame_holds_the_secret_and_the_seal_comes_before_any_number():
    desk = Told(game=GAMES["seotda"], chance=SECRET, seats=2)
    for player in (*ANNA_BOB, "watcher"):
        desk.comes(player)
        desk.frames.setdefault(player, [])
        desk.attach(player)
    for player in ANNA_BOB:
        desk.do(player, Sit, pledge=pledge_of(player))
    ready(desk, *ANNA_BOB)
    seal = desk.lobby.dealing.seal.encode()
    for player in (*ANNA_BOB, "watcher"):
        assert seal in desk.frames[player][-1]
        assert not any(number_of(who).encode() in frame for who in ANNA_BOB for frame in desk.frames[player])
    for player in ANNA_BOB:
        opened(desk, player)
    for player in (*ANNA_BOB, "watcher"):
        desk.attach(player, missed_from=1)
        everything = b"\n".join(desk.frames[player])
        assert SECRET.hex().encode() not in everything
        assert b"secret" not in everything
        assert all(number_of(who).encode() in everything for who in ANNA_BOB)
        told = msgspec.json.decode(desk.frames[player][-1])["room"]["deal"]
        assert told["begun"] is True
        assert told["seal"].encode() == seal


def test_a_secret_stands_in_the_seal_and_in_the_seed_alone():
    desk = started("seotda", *ANNA_BOB)

    def holds(entry: Entry) -> bool:
        return SECRET.hex().encode() in msgspec.json.encode(entry)

    assert [kind(entry) for entry in desk.log if holds(entry)] == ["seal", "start"]
    assert [type(entry.fact) for entry in desk.log if holds(entry)] == [Sealed, Began]
    assert b"secret" not in msgspec.json.encode([entry.fact for entry in desk.log if isinstance(entry.fact, Lent)])
