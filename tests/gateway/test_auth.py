"""Guests, their tokens and their names."""

from __future__ import annotations

import unicodedata

import jwt
import pytest

from gateway.auth import Guests, Identity, clean_name, kid_of

OLD, NEW = "o" * 32, "n" * 32


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_known_again_until_it_expires():
    clock = Clock()
    guests = Guests([NEW], days=1, now=clock)
    issued = guests.issue("안나")
    assert issued.player.startswith("g_")
    assert issued.expires_in == 86_400
    assert Identity(issued.player, "안나") == guests.known(issued.token)
    clock.now += 86_399
    assert guests.known(issued.token) is not None
    clock.now += 1
    assert guests.known(issued.token) is None


def test_two_guests_are_two_people():
    guests = Guests([NEW])
    assert guests.issue("a").player != guests.issue("a").player


def test_renewing_keeps_the_person_and_changes_the_name():
    guests = Guests([NEW])
    first = guests.issue("안나")
    assert Identity(first.player, "한나") == guests.known(guests.issue("한나", first.player).token)


def test_keys_are_rotated():
    """A new key signs; what the old one signed is good until the old one is dropped."""
    old, both, new = Guests([OLD]), Guests([NEW, OLD]), Guests([NEW])
    before, after = old.issue("a").token, both.issue("a").token
    assert both.known(before)
    assert both.known(after)
    assert new.known(after)
    assert new.known(before) is None
    assert old.known(after) is None
    assert kid_of(NEW) == jwt.get_unverified_header(after)["kid"]


@pytest.mark.parametrize("keys", [[], ["short"], [NEW, "short"]])
def test_weak_keys_are_refused(keys: list[str]):
    with pytest.raises(ValueError, match="key"):
        Guests(keys)


def _forged(claims: dict[str, object], key: str = NEW, algorithm: str = "HS256", **headers: object) -> str:
    return jwt.encode(claims, key, algorithm, headers={"kid": kid_of(NEW), **headers})


GOOD = {"sub": "g_x", "name": "x", "iat": 0, "exp": 4_000_000_000}


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "a.b.c",
        "eyJ\x00.\udcff.x",
        _forged(GOOD, OLD),  # another's signature under our key's name
        _forged(GOOD, "", "none"),
        _forged(GOOD, "n" * 64, "HS512"),
        _forged(GOOD, kid="other"),
        _forged(GOOD, kid=kid_of(NEW) + "x"),
        _forged({k: v for k, v in GOOD.items() if k != "exp"}),
        _forged({k: v for k, v in GOOD.items() if k != "sub"}),
        _forged({**GOOD, "name": None}),
        _forged({**GOOD, "exp": "soon"}),
        _forged(GOOD)[:-2],
        _forged(GOOD) + "x",
    ],
)
def test_forged_and_broken_tokens_are_nobodys(token: str):
    assert Guests([NEW]).known(token) is None


def test_the_good_one_is_somebodys():
    assert Identity("g_x", "x") == Guests([NEW]).known(_forged(GOOD))


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("안나", "안나"),
        ("  철수\t", "철수"),
        (unicodedata.normalize("NFD", "한글이름"), "한글이름"),
        ("a" * 20, "a" * 20),
        ("김 철수", "김 철수"),
        ("🙂🙂", "🙂🙂"),
        ("é́", "é́"),  # two marks are still a letter
    ],
)
def test_names_are_composed_and_trimmed(given: str, name: str):
    assert name == clean_name(given)


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "a" * 21,
        "a" * 100_000,
        "a\nb",
        "a\x00b",
        "a\u200bb",  # zero-width
        "\u202eabc",  # right to left
        "\u2066a",
        "\ufeffa",
        "\u3164",  # a Hangul letter that shows nothing
        "\u2800\u2800",
        "a\u2028b",
        "\ud800",
        "\ue000",
        "a\u0301\u0301\u0301\u0301",  # marks piled up
        "\U000e0041",
    ],
)
def test_names_that_deceive_or_do_not_show_are_refused(given: str):
    assert clean_name(given) is None
