"""Who may come into a room: passwords, invitations, those who were sent away, one seat for one person, and how many."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from cluster import process
from cluster.client import CreateRoom, Refused
from cluster.connection import ClusterConnection
from cluster.entries import Created, Entry, Kicked, RoomSet, decode, encode
from cluster.log import RoomRow
from cluster.messages import AddBot, Kick, SetRoom
from cluster.replay import replay_of
from cluster.room.lock import invitation, is_invitation, is_password, lock_of
from cluster.room.room import Settings
from cluster.running import TRIES
from tests.cluster.desk import Desk, seated
from tests.cluster.mini import QUICK, SECRET, Client, MiniCluster, light, mini_cluster, start_game, until

ONE, TWO = bytes(range(32)), bytes(range(1, 33))
WORD = "만두 세 판"


class Keyed(Client):
    """A client that comes with a key."""

    def __init__(self, mini: MiniCluster, room: str, player: str, key: str, join: str = "watch") -> None:
        real = mini.gateway.attach
        mini.gateway.attach = lambda *args, **fields: real(*args, **fields, key=key)  # type: ignore[method-assign]
        try:
            super().__init__(mini, room, player, join)  # type: ignore[arg-type]
        finally:
            del mini.gateway.attach

    async def outcome(self) -> str:
        """``in``, or the code of the Bye."""
        await until(lambda: self.bye is not None or self.situation)
        return "in" if self.bye is None else self.bye.code


# ---------------------------------------------------------------- locks by themselves


def test_a_password_is_known_again_and_only_that():
    lock = lock_of(WORD, ONE)
    assert is_password(lock, WORD)
    assert is_password(lock, f" {WORD} ")
    for wrong in ("", "만두 세 판!", "만두세판", lock, "\ud800".encode("utf-8", "replace").decode()):
        assert not is_password(lock, wrong)


def test_a_lock_tells_nothing_of_its_password_and_never_looks_the_same():
    assert WORD not in lock_of(WORD, ONE)
    assert lock_of(WORD, ONE) != lock_of(WORD, TWO)
    assert lock_of("", ONE) == ""


def test_an_invitation_is_long_and_tells_nothing_of_the_chance_that_seeds_games():
    invite = invitation(ONE)
    assert len(invite) == 22  # 128 bits
    assert invite != invitation(TWO)
    assert ONE.hex() not in invite
    assert is_invitation(invite, invite)
    assert not is_invitation(invite, invite[:-1])
    assert not is_invitation("", "")  # a room of before there were invitations


def test_secrets_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch):
    compared = []

    def digest(one: bytes, two: bytes) -> bool:
        compared.append((one, two))
        return one == two

    monkeypatch.setattr("cluster.room.lock.hmac.compare_digest", digest)
    is_invitation("abc", "abd")
    is_password(lock_of(WORD, ONE), "x")
    assert len(compared) == 2


# ---------------------------------------------------------------- in the room's state


def test_a_room_of_before_there_were_locks_replays_as_it_was():
    """What such a log holds is decoded, and gives the same digest: fields that are not there add nothing."""
    desk = Desk()
    old = desk.log[0]
    assert isinstance(old.fact, Created)
    bare = msgspec.structs.replace(old, fact=msgspec.structs.replace(old.fact, invite=""))
    text = encode(bare)
    assert b"invite" not in text
    assert b"lock" not in text
    assert decode(text) == bare
    assert b"invite" not in msgspec.json.encode(msgspec.structs.replace(desk.lobby, invite=""))


def test_a_new_password_and_a_kick_make_a_new_invitation_and_other_changes_do_not():
    desk = seated("anna", "bob")
    invites = [desk.lobby.invite]
    for chance, player, said in (
        (ONE[::-1], "anna", SetRoom("i1", public=True)),
        (TWO, "anna", SetRoom("i2", password=WORD)),
        (TWO[::-1], "anna", Kick("i3", "bob")),
        (b"x" * 32, "anna", AddBot("i4")),
        (b"y" * 32, "anna", Kick("i5", "bot-1")),
    ):
        desk.chance = chance
        desk.say(player, said)
        invites.append(desk.lobby.invite)
    first, same, second, third, bot, last = invites
    assert first == same
    assert len({first, second, third}) == 3
    assert third == bot == last
    assert is_password(desk.lobby.lock, WORD)
    desk.say("anna", SetRoom("i6", password=""))
    assert desk.lobby.lock == ""


def test_a_log_never_holds_a_password():
    desk = seated("anna")
    desk.do("anna", SetRoom, password=WORD)
    fact = desk.log[-1].fact
    assert isinstance(fact, RoomSet)
    assert is_password(fact.lock, WORD)
    assert WORD.encode() not in b"".join(map(encode, desk.log))


def test_however_many_are_sent_away_a_room_stays_small():
    desk = seated("anna")
    for number in range(1_200):
        desk.comes(f"g{number}")
        desk.do("anna", Kick, player=f"g{number}")
    assert len(desk.lobby.banned) == 1_000
    assert desk.lobby.banned[-1] == "g1199"


# ---------------------------------------------------------------- at the door


async def locked_room(mini: MiniCluster, **wish: object) -> tuple[str, Client]:
    room = await mini.create(lock=lock_of(WORD, ONE), **wish)
    assert room.locked
    host = Client(mini, room.id, "anna")
    await host.welcome()
    return room.id, host


async def test_a_locked_room_lets_in_by_password_and_by_invitation():
    async with mini_cluster() as mini:
        room, host = await locked_room(mini)
        assert host.room["locked"]
        invite = host.room["invite"]
        assert await Keyed(mini, room, "bob", "").outcome() == "locked"
        assert await Keyed(mini, room, "bob", "dumplings").outcome() == "wrong_key"
        assert await Keyed(mini, room, "bob", WORD).outcome() == "in"
        assert await Keyed(mini, room, "cora", invite, "seat").outcome() == "in"
        assert await Keyed(mini, room, "dora", invite[:-1]).outcome() == "wrong_key"


async def test_whoever_has_a_seat_needs_no_key_also_after_a_recovery():
    async with mini_cluster() as mini:
        room, _host = await locked_room(mini)
        bob = Keyed(mini, room, "bob", WORD, "seat")
        assert await bob.outcome() == "in"
        mini.kill_owner(room)
        await until(lambda: bob.resumes)
        assert await Keyed(mini, room, "bob", "").outcome() == "in"
        assert await Keyed(mini, room, "eve", "").outcome() == "locked"


async def test_a_spectator_is_not_asked_again_because_the_room_has_moved():
    async with mini_cluster() as mini:
        room, _host = await locked_room(mini)
        watcher = Keyed(mini, room, "bob", WORD)
        assert await watcher.outcome() == "in"
        mini.running(room)._tried.extend([mini.loop.time()] * TRIES)
        mini.kill_owner(room)
        await until(lambda: watcher.resumes)
        assert watcher.bye is None


async def test_wrong_passwords_are_looked_at_only_so_often_and_invitations_always():
    async with mini_cluster() as mini:
        room, host = await locked_room(mini)
        for number in range(TRIES):
            assert await Keyed(mini, room, f"g{number}", f"guess {number}").outcome() == "wrong_key"
        assert await Keyed(mini, room, "late", WORD).outcome() == "wrong_key"
        assert await Keyed(mini, room, "late", host.room["invite"]).outcome() == "in"


async def test_whoever_was_sent_away_does_not_come_back_under_any_name_by_the_old_invitation():
    async with mini_cluster() as mini:
        room, host = await locked_room(mini)
        old = host.room["invite"]
        eve = Keyed(mini, room, "eve", old)
        assert await eve.outcome() == "in"
        assert (await host.do("kick", player="eve"))["type"] == "ack"
        await until(lambda: eve.bye)
        assert eve.bye is not None
        assert eve.bye.code == "kicked"
        new = (await until(lambda: host.room if host.room["invite"] != old else None))["invite"]
        assert new not in str(eve.messages)  # the new one is not for them
        assert await Keyed(mini, room, "eve2", old).outcome() == "wrong_key"
        assert await Keyed(mini, room, "bob", new).outcome() == "in"


@pytest.mark.parametrize("how", ["reconnect", "another gateway", "recovery", "snapshot", "restart"])
async def test_whoever_was_sent_away_stays_away(how: str):
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini, options={"seconds": 3600})
        assert (await anna.do("kick", player="bob"))["type"] == "ack"
        await until(lambda: bob.bye)
        gateway = mini.gateway
        match how:
            case "another gateway":
                gateway = ClusterConnection(mini.directory.address, SECRET, "gw2")
                await gateway.start()
                await until(lambda: gateway.ready)
            case "recovery":
                mini.kill_owner(room)
                await until(lambda: anna.resumes)
            case "snapshot":
                running = mini.running(room)
                running._snapshot_at = 0
                await light(anna)
                await until(lambda: running._snapshot_at > 0)
                mini.kill_owner(room)
                await until(lambda: anna.resumes)
            case "restart":
                await mini.restart_directory()
        for join in ("seat", "watch"):
            again = Client(mini, room, "bob", join, gateway=gateway)  # type: ignore[arg-type]
            assert await until(lambda again=again: again.bye)
            assert again.bye is not None
            assert again.bye.code == "banned"
        assert any(isinstance(entry.fact, Kicked) for entry in await mini.log(room))
        if gateway is not mini.gateway:
            await gateway.close()


async def test_a_locked_room_is_no_quick_match():
    async with mini_cluster() as mini:
        room, _host = await locked_room(mini, public=True)
        await until(lambda: mini.records[room].summary.online)
        assert (await mini.gateway.quick("lamps", "bob")).id != room


@pytest.mark.parametrize("closed_to", ["locked", "spectators"])
async def test_a_game_behind_a_lock_is_shown_again_only_to_those_who_played(closed_to: str):
    async with mini_cluster() as mini:
        wish = {"lock": lock_of(WORD, ONE)} if closed_to == "locked" else {"spectators": False}
        room = await mini.create(seats=2, bots=1, options={"lamps": 1}, **wish)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        assert (await anna.do("start"))["type"] == "ack"
        await light(anna)
        await until(lambda: anna.room.get("status") == "finished")
        assert (await mini.gateway.replay(room.id, 0, "anna"))["viewer"] == "anna"
        for viewer in (None, "eve"):
            with pytest.raises(Refused, match="not_public"):
                await mini.gateway.replay(room.id, 0, viewer)


@pytest.mark.parametrize("closed_to", ["locked", "spectators"])
async def test_a_game_is_shown_as_the_room_was_when_it_was_played(closed_to: str, monkeypatch: pytest.MonkeyPatch):
    """Behind a lock, in the open, and with a lock put on in mid-game; whatever the room is afterwards.

    And who may not see it costs the room no replay.
    """
    shut, opened = {"password": WORD}, {"password": ""}
    if closed_to == "spectators":
        shut, opened = {"spectators": False}, {"spectators": True}
    worked_out: list[tuple[int, str | None]] = []

    def counted(entries: Any, find_game: Any, number: int, viewer: str | None) -> dict[str, Any]:
        worked_out.append((number, viewer))
        return replay_of(entries, find_game, number, viewer)

    monkeypatch.setitem(process.PASTS, "replay", counted)
    async with mini_cluster() as mini:
        room = await mini.create(seats=2, bots=1, options={"lamps": 1})
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        for number, (before, meanwhile) in enumerate([(shut, shut), (opened, opened), (opened, shut)]):
            await anna.do("room", **before)
            assert (await anna.do("start"))["type"] == "ack"
            await anna.do("room", **meanwhile)
            await light(anna)
            await until(lambda number=number: anna.room["games"] == number + 1 and anna.room["status"] == "finished")
        await anna.do("room", **opened)
        outcome: dict[int, list[str]] = {}
        for number in range(3):
            for viewer in ("anna", "eve", None):
                try:
                    told = str((await mini.gateway.replay(room.id, number, viewer))["viewer"])
                except Refused as no:
                    told = no.code
                outcome.setdefault(number, []).append(told)
        assert outcome == {
            0: ["anna", "not_public", "not_public"],
            1: ["anna", "None", "None"],
            2: ["anna", "not_public", "not_public"],
        }
        assert worked_out == [(0, "anna"), (1, "anna"), (1, "eve"), (1, None), (2, "anna")]


async def test_who_may_not_see_a_game_does_not_even_have_its_log_read(monkeypatch: pytest.MonkeyPatch):
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini, spectators=False)
        reads: list[str] = []
        running = mini.running(room)
        real = running._log.read

        async def read(after: int = 0) -> list[Entry]:
            reads.append("read")
            return await real(after)

        monkeypatch.setattr(running._log, "read", read)
        for viewer, game, code in (("eve", 0, "not_public"), (None, 0, "not_public"), ("anna", 1, "no_such_game")):
            for ask in (mini.gateway.replay, mini.gateway.fairness):
                with pytest.raises(Refused, match=code):
                    await ask(room, game, viewer)
        assert reads == []
        with pytest.raises(Refused, match="not_finished"):
            await mini.gateway.replay(room, 0, "anna")
        assert reads == ["read"]
        assert (await light(anna))["type"] == "ack"


# ---------------------------------------------------------------- one seat, and how many


async def test_one_person_has_one_seat_whatever_they_open():
    """Many sockets at two gateways, each wanting a seat, and each asking for another one."""
    async with mini_cluster() as mini:
        other = ClusterConnection(mini.directory.address, SECRET, "gw2")
        await other.start()
        await until(lambda: other.ready)
        room = await mini.create(seats=4)
        clients = [Client(mini, room.id, "anna", gateway=gateway) for gateway in (mini.gateway, other) * 6]
        for number, client in enumerate(clients):
            client.say("sit", seat=number % 4)
        await until(lambda: sum(client.bye is None for client in clients) == 1)
        last = next(client for client in clients if client.bye is None)
        assert all(client.bye.code == "replaced" for client in clients if client.bye is not None)
        await last.do("ready")
        assert [seat["player"] for seat in last.room["seats"] if seat] == ["anna"]
        entries = await mini.log(room.id)
        assert sum(entry.fact.__struct_config__.tag == "seat" for entry in entries) == 1
        await other.close()


async def test_so_many_may_watch_and_players_always_come_in():
    async with mini_cluster(settings=msgspec.structs.replace(QUICK, watchers=2)) as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        watchers = [Client(mini, room.id, f"w{number}", "watch") for number in range(3)]
        await until(lambda: watchers[2].bye)
        assert watchers[2].bye is not None
        assert watchers[2].bye.code == "crowded"
        again = Client(mini, room.id, "w1", "watch")  # takes over from themselves
        await again.welcome()
        bob = Client(mini, room.id, "bob", "seat")
        assert (await until(lambda: bob.bye or bob.situation)) is not None
        mini.kill_owner(room.id)
        await until(lambda: anna.resumes and again.resumes)
        assert Settings().watchers == 200


async def test_one_person_has_so_many_open_rooms_and_may_close_one():
    async with mini_cluster(spares=3, directory={"rooms_each": 2}) as mini:
        first = await mini.create()
        await mini.create()
        with pytest.raises(Refused, match="too_many_rooms"):
            await mini.create()
        await mini.create(creator="bob")
        host = Client(mini, first.id, "anna")
        await host.welcome()
        await host.do("close")
        await until(lambda: first.id not in mini.records)
        await mini.create()
        mini._keys -= 1  # the same wish again is the same room, however full
        await mini.create()
        await mini.restart_directory()
        await until(lambda: mini.gateway.ready)
        with pytest.raises(Refused, match="too_many_rooms"):  # it is known from the catalogue
            await mini.create()


@pytest.mark.parametrize(("limit", "code"), [("rooms_each", "too_many_rooms"), ("placing_most", "overloaded")])
async def test_wishes_that_come_together_are_counted_before_they_are_written_down(
    limit: str, code: str, monkeypatch: pytest.MonkeyPatch
):
    """A catalogue on another machine takes its time. The same wish, sent again meanwhile, is one wish."""
    async with mini_cluster(spares=3, directory={limit: 2}) as mini:
        add, answers = mini.directory.stored.catalogue.add, asyncio.Event()

        async def slowly(row: RoomRow) -> RoomRow:
            await answers.wait()
            return await add(row)

        monkeypatch.setattr(mini.directory.stored.catalogue, "add", slowly)
        wishes = [CreateRoom(game="lamps", creator="anna", key=key) for key in ("a", "b", "a", "c", "d")]
        first, second, again, *more = [asyncio.create_task(mini.gateway.create(wish)) for wish in wishes]
        await until(lambda: all(wish.done() for wish in more))
        answers.set()
        assert (await first).id == (await again).id != (await second).id
        assert [wish.exception().code for wish in more] == [code, code]
        assert mini.directory.reception.making == {}


async def test_only_so_many_closed_rooms_are_read_at_a_time():
    """Each takes a process: whoever asks for old games without end takes none from those who play."""
    async with mini_cluster(spares=3, directory={"reading_most": 1}) as mini:
        old = []
        for _ in range(2):
            room = await mini.create(seats=2, bots=1, options={"lamps": 1}, auto_start=False)
            anna = Client(mini, room.id, "anna")
            await anna.welcome()
            await anna.do("start")
            await light(anna)
            await until(lambda anna=anna: anna.room.get("status") == "finished")
            await anna.do("close")
            await until(lambda room=room: room.id not in mini.records)
            old.append(room.id)
        assert (await mini.gateway.replay(old[0], 0, "anna"))["viewer"] == "anna"
        with pytest.raises(Refused, match="overloaded") as no:
            await mini.gateway.replay(old[1], 0, "anna")
        assert no.value.retry
        assert (await mini.gateway.replay(old[0], 0, "anna"))["viewer"] == "anna"
        await mini.create()


async def test_rooms_that_wait_for_a_process_are_only_so_many():
    async with mini_cluster(directory={"placing_most": 0}) as mini:
        with pytest.raises(Refused, match="overloaded") as no:
            await mini.create()
        assert no.value.retry


def test_entries_of_kicks_without_an_invitation_are_read():
    text = b'{"seq":3,"epoch":1,"at":5,"fact":{"kind":"kick","player":"bob"},"digest":"x"}'
    assert decode(text) == Entry(3, 1, 5, Kicked("bob"), "x")
