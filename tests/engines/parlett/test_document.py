"""RULES.md: every rule has its test, every ruling its place, and the tables in it are what the engine has."""

from __future__ import annotations

import re
from pathlib import Path

from engines.parlett import actions

HERE = Path(__file__).parent
ENGINE = Path(actions.__file__).parent
TESTS = "\n".join(path.read_text() for path in HERE.glob("test_*.py"))
NAMES = "\n".join(re.findall(r"^def (test_\w+)", TESTS, re.M)) + "\n"
RULES = (ENGINE / "RULES.md").read_text()


def test_every_rule_has_a_test_of_its_number() -> None:
    """And no test names a rule that is not there."""
    rules = {number.replace(".", "_") for number in re.findall(r"^- \*\*([\d.]+)\*\*", RULES, re.M)}
    named = set(re.findall(r"_r(\d+(?:_\d+)+?)(?=_r\d|_pn|_[a-z]|\n)", NAMES))
    assert len(rules) == 70
    assert rules - named == set()
    assert {name for name in named - rules if not any(rule.startswith(name + "_") for rule in rules)} == set()


def test_every_ruling_is_cited_in_the_rules_and_in_a_test() -> None:
    """PN-1 to PN-24: in RULES.md, in the code where it branches, in a test's name."""
    rulings = {f"PN-{n}" for n in range(1, 25)}
    code = "\n".join(path.read_text() for path in ENGINE.glob("*.py"))
    assert set(re.findall(r"PN-\d+", RULES)) == rulings
    assert set(re.findall(r"PN-\d+", code)) == rulings
    assert {f"PN-{n}" for n in re.findall(r"_pn_(\d+)", NAMES)} == rulings
