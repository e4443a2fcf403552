"""What 뱅!'s table calls things: the engine's own names, in all three sets; and every event has its line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from engines.bang import cards, names
from gateway.pages import WEB

ROOT = WEB.parents[1]
TELLS = re.compile(r'\.tell\(\s*"(\w+)"')

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no node here: `make browser` installs it")


def exported(module: str, expression: str) -> Any:
    """What an expression of a module's exports (`m`) comes to."""
    script = f'import("{(WEB / module).as_uri()}").then((m) => console.log(JSON.stringify({expression})))'
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_names_are_the_engines() -> None:
    shown = exported("tables/bang/words.js", "[m.CARDS, m.WORDS, m.REACH, [...m.WORN]]")
    assert shown[0] == {kind: list(column) for kind, column in names.CARD_NAMES.items()}
    assert shown[1].items() <= {word: list(column) for word, column in names.OTHER_WORDS.items()}.items()
    assert shown[2] == cards.WEAPONS
    assert set(shown[3]) == cards.BLUE


def test_every_card_of_every_set_is_recognised() -> None:
    faces = {set_: list(shown) for set_, shown in names.FACES.items()}
    kinds = exported(
        "tables/bang/words.js", f"Object.values({json.dumps(faces)}).map((all) => all.map((one) => m.parts(one).kind))"
    )
    assert kinds == [list(cards.KIND)] * 3


def test_every_character_has_its_own_picture() -> None:
    ids = json.dumps(list(names.CHARACTER_NAMES))
    pictures = exported("tables/bang/art.js", f"[...{ids}, 'nobody'].map((id) => m.portrait(id).props.src)")
    assert len(set(pictures)) == len(names.CHARACTER_NAMES) + 1


def test_every_event_has_its_line_or_is_left_out_on_purpose() -> None:
    told = {kind for path in (ROOT / "engines" / "bang").glob("*.py") for kind in TELLS.findall(path.read_text())}
    assert len(told) > 30
    assert told <= set(exported("tables/bang.js", "m.told"))
