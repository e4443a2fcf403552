"""What operators ask of a whole cluster, and what they order: it is done, and it is known who gave the order."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from cluster import figures
from cluster.admin import NAMES, ORDERS
from cluster.client import Refused
from cluster.inspection import Inspection, inspect
from cluster.inspector import Look
from cluster.room.lock import lock_of
from engines.catalog import GAMES
from tests.cluster.dealings import number_of, pledge_of
from tests.cluster.mini import Client, MiniCluster, light, mini_cluster, start_game, until
from tests.cluster.test_locks import Keyed


class Here:
    """Replays in the test's own process, which knows the game of the tests."""

    async def look(self, wish: Look) -> Inspection:
        return inspect(wish.entries, GAMES.__getitem__, seq=wish.seq, first=wish.first, limit=wish.limit)

    async def close(self) -> None:
        return None


@pytest.fixture(autouse=True)
def _quick(quick_restarts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cluster.running.SUMMARY_SECONDS", 0.02)


def cluster(**given: Any) -> AbstractAsyncContextManager[MiniCluster]:
    return mini_cluster(inspector=Here(), **given)


async def ask(mini: MiniCluster, what: str, by: str = "min@here", **args: Any) -> Any:
    return await mini.gateway.admin(what, args, by)


async def refused(mini: MiniCluster, what: str, **args: Any) -> str:
    with pytest.raises(Refused) as no:
        await ask(mini, what, **args)
    assert not any("가" <= letter <= "힣" for letter in no.value.message), no.value.message
    return no.value.code


async def played_by(mini: MiniCluster, room: str, online: int) -> dict[str, Any]:
    """The room's row, once it is reported that so many play in it."""

    async def row() -> Any:
        [found] = (await ask(mini, "rooms", q=room))["rooms"]
        return found if (found["online"], found["state"]) == (online, "playing") else None

    return await until(row)


# ---------------------------------------------------------------- questions


async def test_rooms_are_found_by_whatever_is_known_of_them():
    async with cluster(spares=3) as mini:
        room, _ = await start_game(mini, ("anna", "bob"))
        other = await mini.create(creator="carl")
        row = await played_by(mini, room, 2)
        assert {(one["player"], one["name"], one["seat"]) for one in row["people"]} == {
            ("anna", "Anna", 0),
            ("bob", "Bob", 1),
        }

        async def found(**wish: Any) -> list[str]:
            return [one["id"] for one in (await ask(mini, "rooms", **wish))["rooms"]]

        assert await found() == [other.id, room]  # newest first
        for wish in (
            {"q": row["code"].lower()},
            {"q": room[:9]},
            {"q": "ANN"},
            {"player": "bob"},
            {"code": row["code"]},
            {"state": "playing"},
            {"q": "anna", "game": "lamps", "node": "n"},
        ):
            assert await found(**wish) == [room], wish
        for wish in ({"q": "nobody"}, {"state": "parked"}, {"node": "m"}, {"player": row["code"]}, {"game": "bang"}):
            assert await found(**wish) == [], wish
        assert await ask(mini, "rooms", limit="1", offset="1") == {"rooms": [row], "total": 2}


async def test_who_was_in_a_parked_room_is_known_after_a_restart():
    async with cluster() as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        anna.attachment.detach()
        running = mini.running(room.id)
        await until(lambda: not running._audience)
        running._lonely_since = -1e9
        running._wake()
        await until(lambda: mini.records[room.id].parked)
        await mini.restart_directory()
        [row] = (await ask(mini, "rooms", player="Anna"))["rooms"]
        assert (row["id"], row["state"], row["people"][0]["player"]) == (room.id, "parked", "anna")


async def test_one_room_is_found_by_code_and_when_it_is_closed_by_id():
    async with cluster() as mini:
        room, _ = await start_game(mini)
        seen = await ask(mini, "room", room=(await played_by(mini, room, 2))["code"].lower())
        assert (seen["id"], seen["state"], seen["games"], seen["fault"]) == (room, "playing", 1, None)
        assert [owner["epoch"] for owner in seen["owners"]] == [1]
        await ask(mini, "close", room=room)
        await until(lambda: room not in mini.records)
        assert (await ask(mini, "room", room=room))["state"] == "closed"
        assert [one["id"] for one in (await ask(mini, "rooms", q=room))["rooms"]] == [room]
        assert (await ask(mini, "verify", room=room))["ok"]
        assert await refused(mini, "room", room="nowhere") == "room_not_found"
        assert await refused(mini, "inspect", room="nowhere") == "room_not_found"


async def test_the_overview_has_every_room_once_where_it_is():
    async with cluster(spares=3) as mini:
        room, _ = await start_game(mini)
        await mini.create()
        await played_by(mini, room, 2)
        seen = await ask(mini, "overview")
        [node] = seen["nodes"]
        codes = {record.code: record.state for record in mini.records.values()}
        assert {code: state for code, state, _ in node["cells"]} == codes
        assert (seen["rooms"], seen["online"], seen["states"]) == (2, 2, {"playing": 1, "waiting": 1})
        assert (node["rooms"], node["wanted"], seen["nowhere"], seen["cellsLeftOut"]) == (2, 3, [], 0)
        assert (seen["chaos"], seen["ready"]) == (False, True)
        assert [one["name"] for one in seen["gateways"]] == ["gw"]
        mini.gateway.report({"type": "gateway", "sockets": 2, "limit": 9, "draining": False, "pid": 1})

        async def told() -> bool:
            return (await ask(mini, "overview"))["gateways"][0].get("sockets") == 2

        await until(told)


async def test_turns_become_charts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(figures, "STEP_SECONDS", 1)
    monkeypatch.setattr("cluster.process.TALLY_SECONDS", 0.05)
    async with cluster() as mini:
        _, clients = await start_game(mini)
        mover = await until(lambda: next((client for client in clients if client.situation.get("decision")), None))
        await light(mover)

        async def charted() -> Any:
            chart = await ask(mini, "charts", game="lamps", minutes=1)
            return chart if sum(count or 0 for count in chart["turns"]) == 1 else None

        chart = await until(charted)
        assert chart["games"] == ["lamps"]
        assert [value for value in chart["p50"] if value is not None]
        assert max(count or 0 for count in chart["sessions"]) == 2
        [node] = (await ask(mini, "nodes"))["nodes"]
        assert node["vitals"]["memoryTotal"] > 0

        await mini.restart_directory()  # its agents tell the next one what it has not heard
        again = await until(charted)
        assert [value for value in again["p50"] if value] == [value for value in chart["p50"] if value]


async def test_a_log_is_inspected_without_secrets_and_verified():
    async with cluster() as mini:
        room, (anna, _) = await start_game(mini)
        seen = await ask(mini, "inspect", room=room, limit="2")
        assert (len(seen["lines"]), seen["view"]["lamps"], seen["verdict"]["why"]) == (2, [], None)
        assert str(anna.view["secret"]) not in str(seen)
        assert (await ask(mini, "verify", room=room))["ok"]
        assert (await ask(mini, "inspect", room=room, seq="1"))["seq"] == 1


async def test_no_question_shows_what_opens_a_room_or_what_it_will_deal():
    """Whatever operators may ask without an order, of a room with a password: not its hash, no invitation, no seed."""
    async with cluster() as mini:
        room = (await mini.create("seotda", seats=3, bots=1, lock=lock_of("만두", bytes(32)))).id
        anna = Client(mini, room, "anna", pledge=pledge_of("anna"))
        await anna.welcome()
        with capture_logs() as logged:
            assert (await anna.do("room", password="다른 만두"))["type"] == "ack"
            eve = Keyed(mini, room, "eve", "다른 만두")
            assert await eve.outcome() == "in"
            assert (await anna.do("kick", player="eve"))["type"] == "ack"
            assert (await anna.do("start"))["type"] == "ack"
            await until(lambda: anna.room["deal"]["awaited"])
            rows = [await everything(mini, room)]  # now the secret of the deal lies in the room's state, too
            assert (await anna.do("lend", number=number_of("anna")))["type"] == "ack"
            await until(lambda: anna.room["status"] == "playing")
        seen = [await ask(mini, "inspect", room=room, seq=n + 1) for n in range(len(await mini.log(room)))]
        rows.append(await everything(mini, room))
        await ask(mini, "close", room=room)
        await until(lambda: room not in mini.records)
        rows.append(await everything(mini, room))
        secrets = {
            (entry["fact"]["kind"], name): entry["fact"][name]
            for entry in msgspec.to_builtins(await mini.log(room))
            for name in ("lock", "invite", "secret", "seed")
            if entry["fact"].get(name)
        }
        assert {name for _, name in secrets} == {"lock", "invite", "secret", "seed"}
        assert {kind for kind, name in secrets if name == "invite"} == {"created", "room", "kick"}
        text = msgspec.json.encode([seen, rows, logged], enc_hook=str).decode()
        assert "seotda" in text
        for what, secret in secrets.items():
            assert secret not in text, what
        assert (await ask(mini, "audit"))["deeds"][0]["what"] == "close"
        shown = str((await ask(mini, "reveal", room=room))["entries"])  # by order they are, and that is kept
        assert all(secret in shown for secret in secrets.values())
        assert (await ask(mini, "audit"))["deeds"][0]["what"] == "reveal"


async def everything(mini: MiniCluster, room: str) -> dict[str, Any]:
    """The answers to all questions that there are."""
    of_a_room = {"room", "inspect", "verify"}
    return {
        what: await ask(mini, what, **({"room": room} if what in of_a_room else {})) for what in sorted(NAMES - ORDERS)
    }


async def test_a_room_of_an_installed_game_is_inspected_by_a_child():
    async with mini_cluster() as mini:
        room = await mini.create("ninety-nine", bots=1, seats=2)
        seen = await ask(mini, "inspect", room=room.id)
        assert seen["lobby"]["game"] == "ninety-nine"
        assert seen["verdict"]["replayed"] == len(await mini.log(room.id))


async def test_what_cannot_be_asked_is_refused_in_words():
    async with cluster() as mini:
        assert await refused(mini, "nonsense") == "unknown_request"
        for what, args in (
            ("rooms", {"limit": "many"}),
            ("rooms", {"limit": "-1"}),
            ("rooms", {"colour": "red"}),
            ("room", {}),
            ("charts", {"minutes": "61"}),
            ("inspect", {"room": "r", "limit": 10_001}),
            ("drain", {"node": ""}),
            ("move", {"room": ["r"]}),
        ):
            assert await refused(mini, what, **args) == "bad_request", what


# ---------------------------------------------------------------- orders


async def test_every_order_is_logged_before_it_is_carried_out_also_one_that_fails():
    with capture_logs() as logged:
        async with cluster() as mini:
            room = (await mini.create()).id
            for order in sorted(ORDERS):
                args = {"node": "nowhere"} if order in ("drain", "undrain") else {"room": "nowhere"}
                await refused(mini, order, **args)
            await ask(mini, "close", room=room)
            deeds = (await ask(mini, "audit"))["deeds"]
    lines = [line for line in logged if line["event"] == "audit"]
    assert [line["what"] for line in lines] == [*sorted(ORDERS), "close"]
    assert {line["by"] for line in lines} == {"min@here"}
    assert [deed["what"] for deed in deeds] == ["close", *sorted(ORDERS, reverse=True)]
    assert (deeds[0]["outcome"], deeds[0]["room"], deeds[0]["by"]) == ("done", room, "min@here")
    assert {deed["outcome"] for deed in deeds[1:]} == {"room_not_found", "no_such_node"}


async def test_questions_are_not_orders():
    async with cluster() as mini:
        for question in NAMES - ORDERS - {"room", "inspect", "verify"}:
            await ask(mini, question)
        assert (await ask(mini, "audit"))["deeds"] == []


async def test_secrets_are_revealed_to_order_and_that_is_kept():
    async with cluster() as mini:
        room, _ = await start_game(mini)
        entries = msgspec.to_builtins(await mini.log(room))
        began = next(entry["seq"] for entry in entries if entry["fact"]["kind"] == "start")
        [one] = (await ask(mini, "reveal", room=room, seq=began))["entries"]
        assert len(bytes.fromhex(one["fact"]["seed"])) == 32
        assert (await ask(mini, "reveal", room=room))["entries"] == entries
        [deed] = (await ask(mini, "audit"))["deeds"]
        assert (deed["what"], deed["times"], deed["outcome"]) == ("reveal", 2, "done")


async def test_deaths_are_those_at_the_entry_where_the_room_is_now():
    async with cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        mini.kill_owner(room)
        await until(lambda: anna.resumes == bob.resumes == 1)
        row = await ask(mini, "room", room=room)
        assert row["deaths"] == (1 if row["seq"] == mini.records[room].deaths[1] else 0)
        mover = await until(lambda: next((one for one in (anna, bob) if one.situation.get("decision")), None))
        assert (await light(mover))["type"] == "ack"
        assert (await ask(mini, "room", room=room))["deaths"] == 0


async def test_a_room_moves_to_another_process_of_its_only_node_in_mid_game():
    async with cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        before = mini.process_of(room)
        row = await ask(mini, "move", room=room)
        assert (row["epoch"], row["node"], row["process"] != before) == (2, "n", True)
        await until(lambda: anna.resumes == bob.resumes == 1)
        mover = await until(lambda: next((one for one in (anna, bob) if one.situation.get("decision")), None))
        assert (await light(mover))["type"] == "ack"
        assert mini.records[room].deaths[0] == 0
        assert b'hanpan_recoveries_total{reason="move"} 1.0' in mini.directory.tally.exposition()


async def test_a_room_moves_to_the_node_that_is_named_or_where_most_space_is():
    async with cluster() as mini, mini.node(spares=1):
        room, _ = await start_game(mini)
        assert mini.where(room) == "n"
        assert (await ask(mini, "move", room=room))["node"] == "second"
        await until(lambda: mini.nodes["n"].free > 0)
        assert (await ask(mini, "move", room=room, node="n"))["node"] == "n"
        assert await refused(mini, "move", room=room, node="nowhere") == "no_such_node"
        await ask(mini, "drain", node="second")
        await until(lambda: mini.nodes["second"].draining)
        assert await refused(mini, "move", room=room, node="second") == "draining"


async def test_a_room_that_runs_nowhere_or_has_nowhere_to_go_is_not_moved():
    async with cluster(spares=1) as mini:
        room = await mini.create()
        mini.nodes["n"].status["spares"] = 0
        assert await refused(mini, "move", room=room.id) == "no_spare"
        assert mini.where(room.id) == "n"
        mini.directory.registry.set_owner(mini.records[room.id], None)
        assert await refused(mini, "move", room=room.id) == "not_running"


async def test_a_quarantined_room_can_be_closed_for_good():
    async with cluster() as mini:
        room, _ = await start_game(mini)
        record = mini.records[room]
        before = await mini.log(room)
        mini.directory.placement.quarantine(record, "as told")
        await ask(mini, "close", room=room)
        assert mini.directory.registry.find(room) is None
        assert await mini.log(room) == before  # nobody may write it
        await mini.restart_directory()
        assert mini.directory.registry.find(room) is None
        assert (await ask(mini, "room", room=room))["state"] == "closed"
