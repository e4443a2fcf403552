"""The commands: how they are called, what they print, how they end. hanpan itself is a fake here."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import socket
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluster.inspection import check_log
from cluster.stores import open_store
from ops import cli, runfile
from ops.commands import up
from tests.ops.parlour import Parlour

TOKEN = "operator"
ROOM = {
    "id": "9f86d081",
    "code": "CODE22",
    "game": "bench-turn",
    "state": "playing",
    "status": "playing",
    "epoch": 2,
    "node": "n1",
    "pid": 4711,
    "process": "n1-a-1",
    "seqHeard": 41,
    "games": 1,
    "public": False,
    "created": 1_800_000_000_000,
    "people": [
        {"player": "g_anna", "name": "안나", "seat": 0, "online": True},
        {"player": "b", "name": "봇", "bot": True},
    ],
    "seats": 4,
    "taken": 3,
    "online": 2,
    "parked": False,
    "stranded": None,
    "quarantined": None,
}


NODE = {
    "node": "n1",
    "pid": 7,
    "spares": 4,
    "wanted": 6,
    "starting": 0,
    "limit": 200,
    "rooms": 1,
    "draining": False,
    "version": "0.1.0",
    "metrics": "127.0.0.1:9",
    "vitals": {"sessions": 2, "cpu": 0.25, "memoryTotal": 2**34, "memoryFree": 2**32},
}


class FakeHanpan(ThreadingHTTPServer):
    """Answers what operators ask."""

    answers: dict[str, Any]
    orders: list[tuple[str, dict[str, Any], str]]  # what, with which arguments, by whom


OTHER = {**ROOM, "id": "7c3a", "game": "ninety-nine", "state": "placing", "node": None, "pid": None}
DEED = {
    "at": 1_800_000_000_000,
    "what": "move",
    "by": "min@here",
    "room": "9f86d081",
    "node": None,
    "outcome": "done",
    "times": 2,
}


class _Handler(BaseHTTPRequestHandler):
    server: FakeHanpan

    def do_GET(self) -> None:
        self._answer(self.server.answers.get(self.path))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.orders.append((self.path, body, self.headers["X-Hanpan-Operator"]))
        self._answer(self.server.answers.get(f"POST {self.path}"))

    def _answer(self, found: Any) -> None:
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            found = None
        body = {"code": "room_not_found", "message": "there is no such room"} if found is None else found
        text = json.dumps(body).encode()
        self.send_response(404 if found is None else 500 if "message" in body else 200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def hanpan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeHanpan]:
    """A fake one, on the port that the commands think of first."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("HANPAN_ADMIN_TOKEN", raising=False)
    server = FakeHanpan(("127.0.0.1", 0), _Handler)
    monkeypatch.setenv("HANPAN_PORT", str(server.server_port))
    server.answers = {
        "/api/admin/rooms": {"rooms": [ROOM, OTHER], "total": 2},
        "/api/admin/rooms?game=ninety-nine&player=anna": {"rooms": [OTHER], "total": 1},
        "/api/admin/nodes": {"nodes": [NODE]},
        "/api/admin/audit": {"deeds": [DEED]},
    }
    server.orders = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    try:
        status = cli.main(argv)
    except SystemExit as end:  # argparse
        status = int(end.code or 0)
    said = capsys.readouterr()
    return status, said.out, said.err


# ---------------------------------------------------------------- how they are called


# What one call is about, and not how it is made: a filter that lingers in a shell would hide rooms.
ASKED = {
    "rooms": {"--code", "--game", "--player", "--state", "--node", "--limit"},
    "room": {"--seq", "--entries", "--reveal"},
    "move": {"--to"},
    "drain": {"--retire", "--undo"},
    "replay": {"--game"},
    "verify": {"--all", "--fair", "--evidence", "--data", "--store"},
    "store export": {"--live"},
    "up": {"--json"},
}
FROM = re.compile(r"(?:HANPAN|RAY|KUBERAY)_\w+(?=(?:=1)?\]$)")  # how help ends
SAMPLES = ("1", "7", "debug", "127.0.0.1:1")


def options_of(command: str) -> Iterator[tuple[str, argparse.Action]]:
    """Every option of the command, and of those below it, with the words that lead there."""

    def walk(words: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, below in action.choices.items():
                    yield from walk(f"{words} {name}".strip(), below)
            elif action.option_strings and action.dest != "help":
                yield words, action

    for words, action in walk("", cli.make_parser(command)):
        if words.split()[0] == command:
            yield words, action


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_each_option_comes_from_the_variable_that_its_help_names(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And has one, unless it says what a single call is about."""
    named: dict[str, list[tuple[str, argparse.Action]]] = defaultdict(list)
    for words, action in options_of(command):
        name = action.option_strings[0]
        variable = FROM.search((action.help or "") % {"default": action.default, "prog": ""})
        assert (variable is None) == (name in ASKED.get(words, ())), f"{words} {name}"
        if variable is not None:
            named[variable[0]].append((words, action))
    for variable, options in named.items():
        choices = [choice for _, action in options for choice in action.choices or ()]
        text = next(
            text
            for text in (*choices, *SAMPLES)
            if all(text != action.default and fits(action, text) for _, action in options)
        )
        with monkeypatch.context() as shell:
            shell.setenv(variable, text)
            found = {(words, action.option_strings[0]): action for words, action in options_of(command)}
        for words, action in options:
            name = action.option_strings[0]
            assert found[words, name].default == (True if action.nargs == 0 else text), f"{words} {name}"


def fits(action: argparse.Action, text: str) -> bool:
    try:
        return action.type is None or action.type(text) is not None  # type: ignore[operator]
    except (ValueError, argparse.ArgumentTypeError):
        return False


@pytest.mark.parametrize("command", sorted(cli.COMMANDS.keys() - {"gateway", "join"}))
def test_what_is_asked_can_be_answered_as_json(command: str) -> None:
    leaves = {words for words, _ in options_of(command)}
    assert leaves == {words for words, action in options_of(command) if "--json" in action.option_strings}


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys)
    assert status == 2
    assert all(f"  {name} " in out for name in cli.COMMANDS)


def test_a_command_that_is_not_called_is_not_imported() -> None:
    code = (
        "import sys; from ops import cli; cli.make_parser('rooms'); sys.exit(bool({'aiohttp', 'ray'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "argv",
    [
        ("nonsense",),
        ("load", "--rooms", "0"),
        ("load", "--period", "-1"),
        ("load", "--options", "{"),
        ("load", "--options", "[]"),
        ("load", "--game", "no-such-game"),
        ("load", "--players", "99"),
        ("verify",),
        ("verify", "r", "--all"),
        ("verify", "--all", "--data", "/nowhere"),
        ("up", "--port", "65536"),
        ("up", "--spares", "-1"),
        ("up", "--log-level", "loud"),
        ("up", "--port", "0", "--data", "/proc/nowhere"),
        ("up", "--port", "0", "--data", "/proc/nowhere", "--store", "bogus:/x"),
        ("store", "check", "--store", "bogus:/x"),
        ("store", "tidy", "--store", "bogus:/x"),
        ("chaos", "kill-rooms", "--url", "http://127.0.0.1:foo"),
        ("rooms", "--url", "http://127.0.0.1:foo"),
        ("rooms", "--state", "plying"),
        ("chaos",),
        ("chaos", "kill-rooms", "--url", "http://hanpan.example", "--token", "t"),
        ("chaos", "node-killed", "--url", "http://hanpan.example", "--token", "t"),
        ("chaos", "storm", "--gcs", "floppy"),
    ],
)
def test_a_wrong_call_ends_with_2(argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, *argv)
    assert status == 2
    assert err
    assert not out


def test_a_hanpan_that_does_not_get_ready_says_so_to_programs_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the status of what did not answer, which 1 is not; and nothing of it is left."""
    from cluster import ray_cluster

    class Starts:
        """Stands for all the parts: their keepers never come to an end."""

        async def once(self) -> str:
            await asyncio.Event().wait()
            return ""

        async def stop(self) -> None:
            pass

    (temporary := tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr("ops.logs.configure", lambda **_: None)
    for name, instead in (("start_local", None), ("stop_local", None), ("node_id", "n")):
        monkeypatch.setattr(ray_cluster, name, lambda *_, instead=instead: instead)
    for name in ("_directory_once", "_agent_once"):
        monkeypatch.setattr(up._Up, name, lambda *_: Starts().once)
    monkeypatch.setattr(up, "_Gateway", lambda environment: Starts())
    monkeypatch.setattr(up, "READY_SECONDS", 0.0)
    status, out, _ = run(capsys, "up", "--port", "0", "--data", str(tmp_path / "data"), "--json")
    assert status == 3
    assert json.loads(out)["error"]["code"] == "not_ready"
    assert list(temporary.iterdir()) == []


def test_a_port_that_somebody_has_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has it would answer for us: perhaps another hanpan, whose run file must stay."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, out, err = run(capsys, "up", "--port", str(port), "--data", str(tmp_path / "data"))
    assert (status, out) == (3, "")
    assert f"127.0.0.1:{port}" in err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("variable", "text"),
    [("HANPAN_SESSIONS", "many"), ("HANPAN_GUESTS", "0"), ("HANPAN_ROOM_SETTINGS", '{"bot_delai": [1, 2]}')],
)
def test_what_a_part_could_not_be_started_with_is_refused_before_any_is(
    variable: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, text)
    status, out, err = run(capsys, "up", "--port", "0", "--data", str(tmp_path / "data"))
    assert (status, out) == (2, "")
    assert variable in err or "nobody could come in" in err


def test_defaults_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANPAN_PORT", "9")
    monkeypatch.setenv("HANPAN_ROOMS", "3")
    args = cli.make_parser("load").parse_args(["load", "--players", "5"])
    assert (args.url, args.rooms, args.players) == ("http://127.0.0.1:9", 3, 5)


@pytest.mark.parametrize("what", ["kill-rooms", "storm", "room-killed"])
def test_chaos_proves_who_it_is_as_every_other_command_does(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """HANPAN_TOKEN is what a player's token would be called. And whatever has a port is not to be broken for it."""
    for name, value in {"HANPAN_ADMIN_TOKEN": "a", "HANPAN_TOKEN": "b", "HANPAN_PORT": "9"}.items():
        monkeypatch.setenv(name, value)
    args = cli.make_parser("chaos").parse_args(["chaos", what])
    assert args.token == "a"
    assert args.url == ("http://127.0.0.1:9" if what == "kill-rooms" else None)
    monkeypatch.setenv("HANPAN_URL", "http://named")
    args = cli.make_parser("chaos").parse_args(["chaos", what, "--admin-token", "c"])
    assert (args.token, args.url) == ("c", "http://named")


# ---------------------------------------------------------------- asking hanpan


def test_rooms_are_listed_with_their_processes(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rooms", "--token", TOKEN)
    assert status == 0
    head, first, second = out.splitlines()
    assert head.split() == ["room", "code", "game", "state", "seats", "online", "node", "pid", "epoch", "seq", "≥"]
    assert first.split() == ["9f86d081", "CODE22", "bench-turn", "playing", "3/4", "2", "n1", "4711", "2", "41"]
    assert "placing" in second
    status, out, _ = run(capsys, "rooms", "--token", TOKEN, "--game", "ninety-nine", "--player", "anna", "--json")
    assert [room["id"] for room in json.loads(out)["rooms"]] == ["7c3a"]


def test_where_there_is_nothing_to_list_it_is_said(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    hanpan.answers["/api/admin/rooms"] = hanpan.answers["/api/admin/rooms?node=n9"] = {"rooms": [], "total": 0}
    hanpan.answers["/api/admin/audit"] = {"deeds": []}
    assert run(capsys, "rooms", "--token", TOKEN)[1] == "there are no rooms\n"
    assert run(capsys, "rooms", "--token", TOKEN, "--node", "n9")[1] == "no room fits\n"
    assert run(capsys, "audit", "--token", TOKEN)[1] == "no orders since the directory's start\n"


def test_the_newest_rooms_are_listed_and_how_many_more_there_are(
    hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]
) -> None:
    hanpan.answers["/api/admin/rooms?limit=1"] = {"rooms": [ROOM], "total": 9}
    _, out, _ = run(capsys, "rooms", "--token", TOKEN, "--limit", "1")
    assert out.splitlines()[2:] == ["", "and 8 older rooms"]


def test_gateways_are_listed_and_told_from_tools(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    one = {"name": "gw-1", "sockets": 12, "limit": 20_000, "draining": True, "version": "0.1.0", "pid": 8}
    hanpan.answers["/api/admin/overview"] = {"gateways": [one, {"name": "join head"}]}
    status, out, _ = run(capsys, "gateways", "--token", TOKEN)
    assert status == 0
    _, first, second = (" ".join(line.split()) for line in out.splitlines())
    assert first == "gw-1 ending 12 20000 0.1.0 8"
    assert second == "join head a tool, or just come - - - -"
    _, out, _ = run(capsys, "gateways", "--token", TOKEN, "--json")
    assert json.loads(out)["gateways"][0] == one


def test_a_quarantined_room_says_why(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    hanpan.answers["/api/admin/rooms"] = {"rooms": [{**ROOM, "quarantined": "died 3 times after entry 7"}], "total": 1}
    _, out, _ = run(capsys, "rooms", "--token", TOKEN)
    assert "quarantined: died 3 times after entry 7" in out


def test_a_stranded_room_says_so_and_why(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    stranded = {
        **ROOM,
        "state": "stranded",
        "pid": None,
        "node": None,
        "stranded": "no node can play bench-turn of version 2",
    }
    hanpan.answers["/api/admin/rooms"] = {"rooms": [stranded], "total": 1}
    _, out, _ = run(capsys, "rooms", "--token", TOKEN)
    assert " stranded " in out
    assert "is stranded: no node can play bench-turn of version 2" in out


def test_nodes_are_listed(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "nodes", "--token", TOKEN)
    assert status == 0
    head, row = out.splitlines()
    assert head.split()[:5] == ["node", "state", "rooms", "spares", "wanted"]
    assert " ".join(row.split()) == "n1 open 1 4 6 0 200 2 25% 4.0 GiB, 25% 0.1.0 7 127.0.0.1:9"


LINES = [
    {"seq": 1, "epoch": 1, "at": 0, "kind": "created", "fact": {}, "digest": "d", "events": []},
    {
        "seq": 2,
        "epoch": 1,
        "at": 4100,
        "kind": "action",
        "fact": {"action": {"type": "bid"}},
        "hidden": ["action.cards"],
        "digest": "d",
        "who": "g_anna",
        "events": [{"type": "bid", "player": "g_anna", "value": 3}],
    },
]
INSPECTION = {
    "verdict": {"game": "bench-turn", "entries": 2, "replayed": 2, "why": None},
    "seq": 2,
    "at": 4100,
    "lobby": {},
    "view": {"trick": ["♥7"]},
    "asked": ["g_anna"],
    "deadlineIn": 15_000,
    "lines": LINES,
}


def looked_into(hanpan: FakeHanpan, **inspection: Any) -> None:
    owners = [{"epoch": 1, "seq": 0, "wall": 1_800_000_000_000, "name": "n1-a-1"}]
    hanpan.answers["/api/admin/room?room=CODE22"] = {
        **ROOM,
        "owners": owners,
        "options": {},
        "deaths": 0,
        "fault": None,
    }
    hanpan.answers["/api/admin/inspect?room=CODE22&limit=20"] = {**INSPECTION, **inspection}


def test_a_room_is_shown_without_secrets(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    looked_into(hanpan)
    status, out, _ = run(capsys, "room", "CODE22", "--token", TOKEN)
    assert status == 0
    for part in (
        "all 2 entries replay",
        "pid 4711 on n1 (n1-a-1), epoch 2",
        "안나",
        "after entry 2; waits for g_anna, 15.0 s",
        '"♥7"',
        "bid player=g_anna value=3",
    ):
        assert part in out
    assert hanpan.orders == []
    assert json.loads(run(capsys, "room", "CODE22", "--token", TOKEN, "--json")[1])["inspection"] == INSPECTION


def test_a_room_whose_log_is_wrong_ends_with_1(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    looked_into(hanpan, verdict={"game": "g", "entries": 2, "replayed": 1, "why": "DigestMismatch: entry 2"})
    status, out, _ = run(capsys, "room", "CODE22", "--token", TOKEN)
    assert status == 1
    assert "DigestMismatch: entry 2" in out


def test_of_a_room_whose_log_cannot_be_read_is_shown_what_is_known(
    hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]
) -> None:
    looked_into(hanpan)
    hanpan.answers["/api/admin/inspect?room=CODE22&limit=20"] = {"code": "damaged", "message": "entry 2 is no entry"}
    status, out, _ = run(capsys, "room", "CODE22", "--token", TOKEN)
    assert status == 1
    for part in ("cannot be read: entry 2 is no entry", "pid 4711 on n1", "안나", "n1-a-1"):
        assert part in out
    status, out, _ = run(capsys, "room", "CODE22", "--token", TOKEN, "--json")
    assert (status, json.loads(out)["inspection"]) == (1, None)


def test_a_room_that_is_stranded_or_has_died_here_says_so(
    hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]
) -> None:
    looked_into(hanpan)
    row = hanpan.answers["/api/admin/room?room=CODE22"]
    row |= {"state": "stranded", "stranded": "no node can play it", "deaths": 2}
    out = run(capsys, "room", "CODE22", "--token", TOKEN)[1]
    assert "stranded: no node can play it" in out
    assert "deaths 2 at this entry" in out


def test_secrets_are_revealed_by_an_order(
    hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANPAN_OPERATOR", "min")
    looked_into(hanpan)
    hanpan.answers["POST /api/admin/reveal"] = {"entries": [{"seq": 1, "fact": {"seed": "5eed"}}]}
    status, out, _ = run(capsys, "room", "CODE22", "--token", TOKEN, "--reveal")
    assert (status, hanpan.orders) == (0, [("/api/admin/reveal", {"room": "CODE22"}, "min")])
    assert "5eed" in out


@pytest.mark.parametrize(("entries", "shown"), [(0, []), (1, [3]), (2, [2, 3]), (9, [1, 2, 3])])
def test_so_many_entries_are_revealed_and_no_more(
    entries: int, shown: list[int], hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]
) -> None:
    looked_into(hanpan)
    hanpan.answers[f"/api/admin/inspect?room=CODE22&limit={entries}"] = INSPECTION
    hanpan.answers["POST /api/admin/reveal"] = {"entries": [{"seq": seq} for seq in (1, 2, 3)]}
    words = ("room", "CODE22", "--token", TOKEN, "--reveal", "--entries", str(entries), "--json")
    status, out, _ = run(capsys, *words)
    assert status == 0
    assert [entry["seq"] for entry in json.loads(out)["revealed"]] == shown


@pytest.mark.parametrize(
    ("argv", "order", "answer", "said", "status"),
    [
        (["move", "CODE22"], ("move", {"room": "CODE22"}), ROOM, "CODE22 runs on n1, pid 4711, at epoch 2", 0),
        (["move", "CODE22", "--to", "n1"], ("move", {"room": "CODE22", "node": "n1"}), ROOM, "CODE22 runs on n1", 0),
        (["close", "CODE22"], ("close", {"room": "CODE22"}), {"closed": "9f86d081"}, "CODE22 is closed", 0),
        (["retry", "CODE22"], ("unquarantine", {"room": "CODE22"}), ROOM, "CODE22 is played again", 0),
        (
            ["retry", "CODE22"],
            ("unquarantine", {"room": "CODE22"}),
            {**ROOM, "quarantined": "no"},
            "stopped again: no",
            1,
        ),
    ],
)
def test_orders_are_given(
    hanpan: FakeHanpan,
    capsys: pytest.CaptureFixture[str],
    argv: list[str],
    order: tuple[str, dict[str, Any]],
    answer: dict[str, Any],
    said: str,
    status: int,
) -> None:
    hanpan.answers[f"POST /api/admin/{order[0]}"] = answer
    ended, out, _ = run(capsys, *argv, "--token", TOKEN)
    assert (ended, [(path, args) for path, args, _ in hanpan.orders]) == (
        status,
        [(f"/api/admin/{order[0]}", order[1])],
    )
    assert said in out
    assert json.loads(run(capsys, *argv, "--token", TOKEN, "--json")[1]) == answer
    assert run(capsys, *argv, "--token", "wrong")[0] == 3


def test_a_finished_game_is_printed_step_by_step(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    frames = [{"seq": 7, "at": 4100, "events": [{"type": "lit", "player": "a"}, {"type": "won"}], "view": {}}]
    tape = {
        "room": "r",
        "game": "lamps",
        "number": 1,
        "players": [{"player": "a", "name": "안나"}],
        "result": {"winner": ["a"]},
    }
    hanpan.answers["/api/admin/replay?room=CODE22&game=1"] = {**tape, "frames": frames}
    status, out, _ = run(capsys, "replay", "CODE22", "--game", "1", "--token", TOKEN)
    assert status == 0
    assert "lamps, game 1 of room r: 안나 (a)" in out
    assert "4.1 s      7  lit player=a\n                    won" in out
    assert '"winner"' in out


def test_orders_of_the_past_are_listed(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "audit", "--token", TOKEN)
    assert status == 0
    assert out.splitlines()[1].split() == ["2027-01-15", "08:00:00", "min@here", "move", "2", "9f86d081", "-", "done"]


def test_the_page_is_where_its_address_says(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "ops", "--token", TOKEN)
    assert (status, out) == (0, f"http://127.0.0.1:{hanpan.server_port}/ops#token={TOKEN}\n")
    assert run(capsys, "ops", "--token", "wrong")[0] == 3


def test_a_room_that_is_not_there_is_said_so_in_english(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "room", "NONE22", "--token", TOKEN)
    assert (status, err) == (3, "hanpan: there is no such room\n")


def test_beside_ones_own_hanpan_no_token_is_needed(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    fields = {"pid": 1, "url": "", "adminToken": TOKEN, "data": "", "directory": ""}
    runfile.write(hanpan.server_port, fields)
    assert run(capsys, "rooms")[0] == 0
    runfile.path(hanpan.server_port).chmod(0o644)
    status, _, err = run(capsys, "rooms")
    assert status == 3
    assert "mode 644" in err


@pytest.mark.parametrize("token", [[], ["--token", "wrong"]])
def test_whoever_is_no_operator_is_told_so(
    hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str], token: list[str]
) -> None:
    status, out, err = run(capsys, "rooms", *token)
    assert status == 3
    assert err
    assert not out


def test_problems_are_json_where_json_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rooms", "--url", "http://127.0.0.1:1", "--json")
    assert status == 3
    assert json.loads(out)["error"]["code"] == "unreachable"


# ---------------------------------------------------------------- verify and games


def test_verify_tells_good_logs_from_bad(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    parlour = Parlour()
    for _ in range(5):
        parlour.act()
    good = parlour.entries
    bad = [*good[:-1], msgspec.structs.replace(good[-1], digest="0" * 32)]
    hanpan.answers["/api/admin/all"] = {"rooms": ["good", "bad"]}
    for room, entries in (("good", good), ("bad", bad)):
        verdict = check_log(entries)
        said = {**msgspec.to_builtins(verdict), "ok": verdict.ok, "room": room}
        hanpan.answers[f"/api/admin/verify?room={room}"] = said
    assert run(capsys, "verify", "good", "--token", TOKEN)[0] == 0
    status, out, _ = run(capsys, "verify", "--all", "--token", TOKEN, "--json")
    assert status == 1
    report = json.loads(out)
    assert report["mismatches"] == 1
    assert [(room["room"], room["ok"], room["replayed"]) for room in report["rooms"]] == [
        ("good", True, len(good)),
        ("bad", False, len(good) - 1),
    ]
    status, out, _ = run(capsys, "verify", "bad", "--token", TOKEN)
    assert status == 1
    assert "1 of them wrong" in out


async def _stored(folder: Path, parlour: Parlour, room: str = "r") -> None:
    log = await open_store(f"sqlite:{folder}").room(room, create=True)
    await log.claim(1, "test", 0)
    await log.append(1, 1, parlour.entries)
    await log.close()


def test_verify_reads_a_folder_without_any_hanpan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_stored(tmp_path, Parlour()))
    assert run(capsys, "verify", "r", "--data", str(tmp_path))[0] == 0
    status, _, err = run(capsys, "verify", "other", "--data", str(tmp_path))
    assert status == 3
    assert "other" in err


@pytest.mark.parametrize("flags", [(), ("--fair",)])
def test_a_log_that_cannot_be_read_is_one_verdict_and_hides_no_other(
    flags: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be the first of thousands, and the one whose deals were wrong comes after it."""
    parlour = Parlour()
    for _ in range(5):
        parlour.act()
    bad = Parlour()
    bad.entries[:] = [*parlour.entries[:-1], msgspec.structs.replace(parlour.entries[-1], digest="0" * 32)]
    for name, log in (("broken", parlour), ("good", parlour), ("wrong", bad)):
        asyncio.run(_stored(tmp_path, log, name))
    (broken,) = (tmp_path / "rooms").rglob("broken*.db")
    broken.write_bytes(b"no database at all" * 1000)
    words = ("verify", "broken", "none", "good", "wrong", "--data", str(tmp_path), *flags)
    status, out, _ = run(capsys, *words, "--json")
    report = json.loads(out)
    assert status == 1
    assert [(row["room"], row["ok"]) for row in report["rooms"]] == [
        ("broken", False),
        ("good", True),
        ("wrong", False),
    ]
    assert report["mismatches"] == 2
    assert list(report["unseen"]) == ["none"]
    _, out, err = run(capsys, *words)
    assert "3 rooms, 2 of them wrong" in out
    assert err == f"hanpan: not looked at: none: {tmp_path} holds no such room\n"


def test_what_a_hanpan_does_not_answer_is_said_and_the_rest_is_looked_at(
    hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]
) -> None:
    """A room may have been forgotten since the list was made."""
    verdict = {**msgspec.to_builtins(check_log(Parlour().entries)), "ok": True}
    hanpan.answers["/api/admin/all"] = {"rooms": ["gone", "good"]}
    hanpan.answers["/api/admin/verify?room=good"] = {**verdict, "room": "good"}
    status, out, _ = run(capsys, "verify", "--all", "--token", TOKEN, "--json")
    assert status == 3
    report = json.loads(out)
    assert [row["room"] for row in report["rooms"]] == ["good"]
    assert report["unseen"] == {"gone": "there is no such room"}


def test_games_lists_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "games", "--json")
    assert status == 0
    listed = {game["id"]: game for game in json.loads(out)["games"]}
    assert listed["bench-turn"]["players"] == [2, 8]
    assert "ninety-nine" in run(capsys, "games")[1]
