"""Who somebody is: people with a signed, expiring token of ours, and the names that they may have.

A token is a JWT (HS256) with ``sub`` (the player id), ``name``, ``iat`` and ``exp``. Its header's ``kid`` says which
key signed it: several keys are accepted, the first one signs. So a key is rotated by putting a new one in front, and
dropped when the last token that it signed has expired.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Protocol

import jwt
import msgspec
from jwt.types import Options

ALGORITHM = "HS256"
NAME_LENGTH = 20
KEY_LENGTH = 32  # characters; what HS256 needs to be worth something

_UNTIMED = Options(verify_exp=False, verify_iat=False)  # the time is ours to compare, with our clock

# Letters that show nothing although Unicode calls them letters, marks or symbols.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Controls, zero-width and bidi characters, lone surrogates, private and unassigned ones, line separators.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PILED_MARKS = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3}")


class Identity(msgspec.Struct, frozen=True):
    """A person, as far as this server knows them."""

    player: str
    name: str


class Issued(msgspec.Struct, frozen=True, rename="camel"):
    """A new token, and what it says; the answer of POST /api/guest and /api/account."""

    token: str
    player: str
    name: str
    expires_in: int  # seconds


class Authenticator(Protocol):
    """Tells who a token belongs to. It may take its time; sockets wait with their other business meanwhile."""

    async def identify(self, token: str) -> Identity | None:
        """None where the token is none of ours, or has expired."""
        ...


class _Claims(msgspec.Struct, frozen=True):
    sub: str
    name: str
    exp: int


class Guests:
    """Issues tokens and knows them again."""

    def __init__(self, keys: Sequence[str], days: float = 30.0, now: Callable[[], float] = time.time) -> None:
        if not keys:
            raise ValueError("there is no key to sign tokens with")
        for key in keys:
            if len(key) < KEY_LENGTH:
                raise ValueError(f"a key for tokens has at least {KEY_LENGTH} characters")
        self._keys = {kid_of(key): key for key in reversed(keys)}
        self._signing = kid_of(keys[0])
        self._seconds = int(days * 86_400)
        self._now = now

    def issue(self, name: str, player: str | None = None, seconds: int | None = None) -> Issued:
        """A token for a person who is new, or who comes to renew theirs or to take another name.

        ``seconds``: it is good for no longer than that.
        """
        player = player or f"g_{secrets.token_hex(10)}"
        now = int(self._now())
        good = self._seconds if seconds is None else min(self._seconds, seconds)
        claims = {"sub": player, "name": name, "iat": now, "exp": now + good}
        token = jwt.encode(claims, self._keys[self._signing], ALGORITHM, headers={"kid": self._signing})
        return Issued(token, player, name, good)

    def known(self, token: str) -> Identity | None:
        """Whose token it is."""
        try:
            key = self._keys[jwt.get_unverified_header(token)["kid"]]
            claims = msgspec.convert(jwt.decode(token, key, [ALGORITHM], options=_UNTIMED), _Claims)
        except (jwt.InvalidTokenError, msgspec.ValidationError, KeyError, TypeError, ValueError):
            return None
        return Identity(claims.sub, claims.name) if claims.exp > self._now() else None

    async def identify(self, token: str) -> Identity | None:
        return self.known(token)


def is_same(given: str, secret: str) -> bool:
    """Is this the secret? Takes as long for any guess: what is compared is as long for every one."""
    one, two = (sha256(text.encode("utf-8", "surrogateescape")).digest() for text in (given, secret))
    return hmac.compare_digest(one, two)


def kid_of(key: str) -> str:
    """A key's name, which tells nothing about it."""
    return sha256(b"hanpan token key " + key.encode()).hexdigest()[:8]


def clean_name(text: str) -> str | None:
    """The name as it is shown: composed (NFC), trimmed, 1 to 20 visible characters; None where that cannot be."""
    if len(text) > 8 * NAME_LENGTH:  # composing makes it shorter, but never by so much
        return None
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH or _PILED_MARKS.search(name):
        return None
    return None if any(one in _BLANK or unicodedata.category(one) in _HIDDEN for one in name) else name
