"""The page's types: those of the wire are made from the server's, and the page's code is true to them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from gateway.typings import FILE, typings

ROOT = Path(__file__).parents[2]
TSC = ROOT / ".node" / "node_modules" / "typescript" / "bin" / "tsc"


def test_the_typings_are_those_of_the_schemas() -> None:
    assert FILE.read_text() == typings(), "stale: make schemas"


def test_every_message_is_typed_and_defaults_may_be_absent() -> None:
    text = typings()
    for line in (
        "export type ServerMessage = Welcome | Update | Ack | Reject | Online | Pause | Resume | Bye | Error | Pong;",
        'export interface Reject {\n  type: "reject";\n  id: string;\n  code: string;\n  message: string;\n  retry?:',
        "seats: (SeatInfo | null)[];",
        "minutes: [number, number];",
    ):
        assert line in text


@pytest.mark.skipif(
    not TSC.exists() or shutil.which("node") is None, reason="no TypeScript here: `make browser` installs it"
)
@pytest.mark.slow  # `make check` looks for errors; that it finds them is shown here
@pytest.mark.timeout(600)
def test_the_pages_code_is_true_to_its_types(tmp_path: Path) -> None:
    """And a message that is misread is found: the checker looks at what it should look at."""
    assert (told := _checked(ROOT / "gateway" / "tsconfig.json")) == "", told
    web = tmp_path / "web"
    shutil.copytree(ROOT / "gateway" / "web", web, ignore=shutil.ignore_patterns("tests"))
    shutil.copy(ROOT / "gateway" / "tsconfig.json", tmp_path)
    state = web / "state.js"
    state.write_text(state.read_text().replace("message.decision ?? 0", "message.decided ?? 0"))
    assert "Property 'decided' does not exist on type" in _checked(tmp_path / "tsconfig.json")


def _checked(project: Path) -> str:
    environment = {**os.environ, "NODE_OPTIONS": "--max-old-space-size=512"}
    done = subprocess.run(
        ["node", str(TSC), "-p", str(project)], capture_output=True, text=True, check=False, env=environment
    )
    return done.stdout
