"""The commands: how they are called, what they print, how they end. hanpan itself is a fake here."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluster.stores import open_store
from ops import cli, runfile
from tests.ops.parlour import Parlour

TOKEN = "operator"
ROOM = {
    "id": "9f86d081",
    "code": "CODE22",
    "game": "bench-turn",
    "status": "playing",
    "epoch": 2,
    "node": "n1",
    "pid": 4711,
    "seqHeard": 41,
    "seats": 4,
    "taken": 3,
    "online": 2,
    "parked": False,
    "quarantined": None,
}


class FakeHanpan(ThreadingHTTPServer):
    """Answers what operators ask."""

    answers: dict[str, Any]


class _Handler(BaseHTTPRequestHandler):
    server: FakeHanpan

    def do_GET(self) -> None:
        allowed = self.headers.get("Authorization") == f"Bearer {TOKEN}"
        found = self.server.answers.get(self.path) if allowed else None
        body = {"code": "not_found", "message": "없어요"} if found is None else found
        text = json.dumps(body).encode()
        self.send_response(404 if found is None else 200)
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
        "/api/admin/rooms": {"rooms": [ROOM, {**ROOM, "id": "7c3a", "game": "ninety-nine", "node": None, "pid": None}]},
        "/api/admin/nodes": {
            "nodes": [{"node": "n1", "pid": 7, "spares": 4, "wanted": 6, "rooms": 1, "metrics": "127.0.0.1:9"}]
        },
    }
    thread = threading.Thread(target=server.serve_forever)
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


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_each_option_can_come_from_the_environment(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And the help says from which variable."""
    status, out, _ = run(capsys, command, "--help")
    assert status == 0
    if command not in ("chaos", "store"):  # their options are one level below
        assert "HANPAN_" in out


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
        ("up", "--port", "0", "--data", "/proc/nowhere"),
        ("rooms", "--url", "http://127.0.0.1:foo"),
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


def test_defaults_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANPAN_PORT", "9")
    monkeypatch.setenv("HANPAN_ROOMS", "3")
    args = cli.make_parser("load").parse_args(["load", "--players", "5"])
    assert (args.url, args.rooms, args.players) == ("http://127.0.0.1:9", 3, 5)


# ---------------------------------------------------------------- asking hanpan


def test_rooms_are_listed_with_their_processes(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rooms", "--token", TOKEN)
    assert status == 0
    head, first, second = out.splitlines()
    assert head.split() == ["room", "code", "game", "state", "seats", "online", "node", "pid", "epoch", "seq", "≥"]
    assert first.split() == ["9f86d081", "CODE22", "bench-turn", "playing", "3/4", "2", "n1", "4711", "2", "41"]
    assert "placing" in second
    status, out, _ = run(capsys, "rooms", "--token", TOKEN, "--game", "ninety-nine", "--json")
    assert [room["id"] for room in json.loads(out)["rooms"]] == ["7c3a"]


def test_a_quarantined_room_says_why(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    hanpan.answers["/api/admin/rooms"] = {"rooms": [{**ROOM, "quarantined": "died 3 times after entry 7"}]}
    _, out, _ = run(capsys, "rooms", "--token", TOKEN)
    assert "quarantined: died 3 times after entry 7" in out


def test_a_stranded_room_says_so_and_why(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    stranded = {**ROOM, "pid": None, "node": None, "stranded": "no node can play bench-turn of version 2"}
    hanpan.answers["/api/admin/rooms"] = {"rooms": [stranded]}
    _, out, _ = run(capsys, "rooms", "--token", TOKEN)
    assert " stranded " in out
    assert "is stranded: no node can play bench-turn of version 2" in out


def test_nodes_are_listed(hanpan: FakeHanpan, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "nodes", "--token", TOKEN)
    assert status == 0
    assert out.splitlines()[1].split() == ["n1", "open", "7", "1", "4", "6", "-", "127.0.0.1:9"]


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
    good = json.loads(msgspec.json.encode(parlour.entries))
    bad = [*good[:-1], {**good[-1], "digest": "0" * 32}]
    hanpan.answers |= {
        "/api/admin/all": {"rooms": ["good", "bad"]},
        "/api/admin/log?room=good": {"entries": good},
        "/api/admin/log?room=bad": {"entries": bad},
    }
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


async def _stored(folder: Path, parlour: Parlour) -> None:
    log = await open_store(f"sqlite:{folder}").room("r", create=True)
    await log.claim(1, "test", 0)
    await log.append(1, 1, parlour.entries)
    await log.close()


def test_verify_reads_a_folder_without_any_hanpan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_stored(tmp_path, Parlour()))
    assert run(capsys, "verify", "r", "--data", str(tmp_path))[0] == 0
    status, _, err = run(capsys, "verify", "other", "--data", str(tmp_path))
    assert status == 3
    assert "other" in err


def test_games_lists_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "games", "--json")
    assert status == 0
    listed = {game["id"]: game for game in json.loads(out)["games"]}
    assert listed["bench-turn"]["players"] == [2, 8]
    assert "ninety-nine" in run(capsys, "games")[1]
