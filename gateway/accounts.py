"""A deployment's own accounts: its identity provider's tokens (JWT), checked against the keys it publishes (JWKS).

    account token ──Accounts.known──▶ who it is ──Guests.issue──▶ a token of ours, which expires with it

A person shows their account's token once; from then on they have one of ours like everyone, so nothing on the way of a
game waits for an identity provider or a public key. Keys are fetched by whoever is given as ``fetch``, when they are
older than FRESH_SECONDS or a token names one that we have not seen, at most once in AGAIN_SECONDS whatever tokens name.
Where they cannot be fetched, those that we have go on being good for STALE_SECONDS.

The page sends people to the deployment's own address to sign in and takes the token back itself (`web/account.js`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
import msgspec
import structlog
from jwt.types import Options

from gateway.auth import clean_name
from gateway.metering import GatewayMetrics, NoMetrics
from gateway.refusals import refusal

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")  # with a public key: whoever can check them cannot make them
FRESH_SECONDS = 600.0
AGAIN_SECONDS = 10.0
STALE_SECONDS = 86_400.0
KEYS_MOST = 32
DOCUMENT_BYTES = 131_072
LEEWAY_SECONDS = 60  # between their clock and ours
NAMELESS = "손님"
ADDED = frozenset({"redirect_uri", "state", "nonce"})  # to the address of the sign-in, by the page
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

log = structlog.get_logger()
_OPTIONS = Options(require=["exp", "iss", "aud", "sub"])

Fetch = Callable[[], Awaitable[bytes]]  # the JWKS document; raises OSError or TimeoutError


class Account(msgspec.Struct, frozen=True):
    """A person of the deployment's."""

    player: str
    name: str
    seconds: int  # until the account's token expires


class _Document(msgspec.Struct):
    keys: list[dict[str, Any]]


class Accounts:
    """Knows accounts by their tokens."""

    def __init__(
        self,
        fetch: Fetch,
        *,
        issuer: str,
        audience: str,
        name_claim: str = "name",
        now: Callable[[], float] = time.time,
        metrics: GatewayMetrics | None = None,
    ) -> None:
        self._metrics = metrics or NoMetrics()
        self._fetch, self._issuer, self._audience = fetch, issuer, audience
        self._name_claim = name_claim
        self._now = now
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")
        self._fetching: asyncio.Task[None] | None = None

    async def known(self, token: str) -> Account | None:
        """Whose token it is, or None. Raises `Refused`, ``unavailable``, where there are no keys to tell by."""
        try:
            kid = jwt.get_unverified_header(token).get("kid")
        except (jwt.InvalidTokenError, ValueError):
            return None
        key = await self._key(kid) if isinstance(kid, str) else None
        if key is None:
            return None
        try:
            claims = jwt.decode(
                token,
                key,
                list(ALGORITHMS),
                options=_OPTIONS,
                issuer=self._issuer,
                audience=self._audience,
                leeway=LEEWAY_SECONDS,
            )
        except (jwt.InvalidTokenError, ValueError, TypeError):
            return None
        return self._account(claims)

    def _account(self, claims: dict[str, Any]) -> Account | None:
        subject, seconds = claims["sub"], int(claims["exp"] - self._now())
        if not isinstance(subject, str) or not subject or seconds <= 0:
            return None
        name = claims.get(self._name_claim)
        shown = clean_name(name) if isinstance(name, str) else None
        return Account(player_of(self._issuer, subject), shown or NAMELESS, seconds)

    # ------------------------------------------------------------ keys

    async def _key(self, kid: str) -> jwt.PyJWK | None:
        age = self._now() - self._fetched_at
        if kid not in self._keys or age > FRESH_SECONDS:
            await self._refresh()
            age = self._now() - self._fetched_at
        if not self._keys or age > STALE_SECONDS:
            raise refusal("unavailable")
        return self._keys.get(kid)

    async def _refresh(self) -> None:
        """Fetches the keys, if that was not tried just now; whoever comes meanwhile waits for the same answer."""
        if self._fetching is None:
            if self._now() - self._tried_at < AGAIN_SECONDS:
                return
            self._tried_at = self._now()
            self._fetching = asyncio.get_running_loop().create_task(self._fetch_keys())
        fetching = self._fetching
        try:
            await asyncio.shield(fetching)
        finally:
            if fetching.done() and self._fetching is fetching:
                self._fetching = None

    async def _fetch_keys(self) -> None:
        try:
            keys = keys_in(await self._fetch())
        except (OSError, TimeoutError, ValueError) as no:
            log.warning("no_account_keys", why=type(no).__name__)
            self._metrics.account_keys(False)
            return
        self._metrics.account_keys(True)
        self._keys, self._fetched_at = keys, self._now()


def keys_in(document: bytes) -> dict[str, jwt.PyJWK]:
    """The signing keys of a JWKS document, by ``kid``; `ValueError` where it is none, or has none that we take."""
    if len(document) > DOCUMENT_BYTES:
        raise ValueError("a document of keys that is too long")
    keys: dict[str, jwt.PyJWK] = {}
    for row in msgspec.json.decode(document, type=_Document).keys[:KEYS_MOST]:
        kid = row.get("kid")
        if not isinstance(kid, str) or row.get("use", "sig") != "sig" or row.get("kty") == "oct":
            continue
        try:
            key = jwt.PyJWK(row)
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue  # of a kind that we do not know: others may do
        if key.algorithm_name in ALGORITHMS:
            keys[kid] = key
    if not keys:
        raise ValueError("no key that can be used")
    return keys


def is_sign_in(address: str) -> bool:
    """May the page send people here to sign in? Only where nobody on the way can read or change what comes back."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
        asked = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))}
    except ValueError:
        return False
    if not address.isascii() or not address.isprintable() or " " in address or "\\" in address or "#" in address:
        return False
    safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    return safe and bool(host) and "@" not in parts.netloc and not asked & ADDED


def player_of(issuer: str, subject: str) -> str:
    """An account's player id: always the same, never a guest's or a bot's, and no address to write to."""
    return "a_" + sha256(f"{issuer}\n{subject}".encode()).hexdigest()[:24]


def is_account(player: str) -> bool:
    return player.startswith("a_")
