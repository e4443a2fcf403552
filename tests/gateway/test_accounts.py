"""A deployment's own accounts, by an identity provider of the test's own; nothing here leaves the machine."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from aiohttp import ClientSession
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from cluster.client import Refused
from gateway.accounts import (
    AGAIN_SECONDS,
    FRESH_SECONDS,
    KEYS_MOST,
    STALE_SECONDS,
    Accounts,
    is_sign_in,
    keys_in,
    player_of,
)
from gateway.app import make_accounts
from gateway.auth import Guests
from gateway.config import ConfigError, Settings, check
from gateway.metering import GatewayMetrics, TallyMetrics
from ops.metrics import Tally
from tests.gateway.harness import KEY, gateway

ISSUER, AUDIENCE = "https://id.example", "hanpan"


class Provider:
    """An identity provider: keys, the document of them, and tokens."""

    def __init__(self) -> None:
        self.keys: dict[str, tuple[str, Any]] = {
            "rsa": ("RS256", rsa.generate_private_key(65537, 2048)),
            "ec": ("ES256", ec.generate_private_key(ec.SECP256R1())),
            "ed": ("EdDSA", ed25519.Ed25519PrivateKey.generate()),
        }
        self.asked = 0
        self.down = False
        self.wait: asyncio.Event | None = None

    def document(self) -> bytes:
        writers = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm}
        rows = []
        for kid, (algorithm, key) in self.keys.items():
            row = writers[algorithm].to_jwk(key.public_key(), as_dict=True)
            rows.append({**row, "kid": kid, "alg": algorithm, "use": "sig"})
        return json.dumps({"keys": rows}).encode()

    async def fetch(self) -> bytes:
        self.asked += 1
        if self.wait is not None:
            await self.wait.wait()
        if self.down:
            raise OSError("away")
        return self.document()

    def token(self, kid: str = "rsa", key: Any = None, headers: dict[str, Any] | None = None, **claims: Any) -> str:
        algorithm, own = self.keys[kid]
        said = {"sub": "u-1", "iss": ISSUER, "aud": AUDIENCE, "exp": int(time.time()) + 3600, "name": "안나", **claims}
        said = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(said, key or own, algorithm, headers={"kid": kid, **(headers or {})})


@pytest.fixture(scope="module")
def made() -> Provider:
    return Provider()  # once: to make keys takes a while


@pytest.fixture
def provider(made: Provider) -> Provider:
    provider = Provider.__new__(Provider)
    provider.keys, provider.asked, provider.down, provider.wait = dict(made.keys), 0, False, None
    return provider


class Clock:
    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


def accounts(provider: Provider, now: Any = time.time, metrics: GatewayMetrics | None = None) -> Accounts:
    return Accounts(provider.fetch, issuer=ISSUER, audience=AUDIENCE, now=now, metrics=metrics)


# ---------------------------------------------------------------- whose token it is


@pytest.mark.parametrize("kid", ["rsa", "ec", "ed"])
async def test_an_account_is_known_by_its_providers_key(provider: Provider, kid: str):
    account = await accounts(provider).known(provider.token(kid))
    assert account is not None
    assert account.player == player_of(ISSUER, "u-1")
    assert account.player.startswith("a_")
    assert account.name == "안나"
    assert 3500 < account.seconds <= 3600


async def test_the_same_person_is_the_same_player_and_others_are_not(provider: Provider):
    known = accounts(provider)
    first, again = await known.known(provider.token()), await known.known(provider.token("ec", name="한나"))
    other = await known.known(provider.token(sub="u-2"))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.player == again.player != other.player
    assert player_of("https://other.example", "u-1") != first.player


@pytest.mark.parametrize("name", [None, "", 7, "a\u202eb", "x" * 500])
async def test_an_account_whose_name_cannot_be_shown_is_a_guest_by_name(provider: Provider, name: Any):
    account = await accounts(provider).known(provider.token(name=name))
    assert account is not None
    assert account.name == "손님"


async def test_forged_and_foreign_tokens_are_nobodys(provider: Provider):
    known = accounts(provider)
    stranger = rsa.generate_private_key(65537, 2048)
    public = provider.keys["rsa"][1].public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    claims = {"sub": "u-1", "iss": ISSUER, "aud": AUDIENCE, "exp": int(time.time()) + 3600}
    encoded = jwt.utils.base64url_encode  # a public key as the secret of an HMAC: the classic confusion
    head = encoded(json.dumps({"alg": "HS256", "kid": "rsa"}).encode())
    body = encoded(json.dumps(claims).encode())
    confused = b".".join((head, body, encoded(hmac.new(pem, head + b"." + body, hashlib.sha256).digest()))).decode()
    for token in (
        "",
        "a.b.c",
        "x" * 9000,
        confused,
        jwt.encode(claims, None, "none", headers={"kid": "rsa"}),
        provider.token(key=stranger),
        provider.token(headers={"kid": "ec"}),  # another key's name
        provider.token(iss="https://evil.example"),
        provider.token(iss=None),
        provider.token(aud="another"),
        provider.token(aud=None),
        provider.token(sub=None),
        provider.token(sub=""),
        provider.token(exp=None),
        provider.token(exp=int(time.time()) - 3600),
        provider.token(nbf=int(time.time()) + 3600),
        provider.token()[:-4],
        Guests([KEY]).issue("안나", player_of(ISSUER, "u-1")).token,
    ):
        assert await known.known(token) is None, token
    assert await known.known(provider.token()) is not None


# ---------------------------------------------------------------- keys


async def test_a_rotated_key_is_fetched_when_a_token_names_it(provider: Provider):
    clock = Clock()
    known = accounts(provider, clock)
    assert await known.known(provider.token())
    provider.keys["new"] = ("EdDSA", ed25519.Ed25519PrivateKey.generate())
    clock.now += AGAIN_SECONDS
    assert await known.known(provider.token("new"))
    gone = provider.token()
    del provider.keys["rsa"]
    clock.now += FRESH_SECONDS + 1
    assert await known.known(provider.token("new"))
    assert await known.known(gone) is None
    assert provider.asked == 3


async def test_whatever_keys_tokens_name_the_provider_is_asked_once_in_a_while(provider: Provider):
    clock = Clock()
    known = accounts(provider, clock)
    for number in range(200):
        assert await known.known(provider.token(headers={"kid": f"made-up-{number}"})) is None
        clock.now += 0.01
    assert provider.asked == 1
    clock.now += AGAIN_SECONDS
    assert await known.known(provider.token(headers={"kid": "another"})) is None
    assert provider.asked == 2


async def test_many_who_come_at_once_ask_once(provider: Provider):
    known = accounts(provider)
    provider.wait = asyncio.Event()
    waiting = [asyncio.create_task(known.known(provider.token())) for _ in range(50)]
    await asyncio.sleep(0)
    waiting[0].cancel()  # one who goes away does not take the answer along
    await asyncio.sleep(0)
    provider.wait.set()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(answers[0], asyncio.CancelledError)
    assert all(not isinstance(answer, BaseException) and answer for answer in answers[1:])
    assert provider.asked == 1


async def test_while_the_provider_is_away_known_keys_are_good_for_a_day(provider: Provider):
    """And every try is counted, for somebody to hear of it within that day."""
    clock, tally = Clock(), Tally("gateway")
    known = accounts(provider, clock, TallyMetrics(tally))
    provider.down = True
    with pytest.raises(Refused, match="unavailable"):
        await known.known(provider.token())
    provider.down = False
    clock.now += AGAIN_SECONDS
    assert await known.known(provider.token())
    provider.down = True
    clock.now += STALE_SECONDS - 1
    assert await known.known(provider.token(exp=int(clock.now) + 60))
    clock.now += 2 + AGAIN_SECONDS
    with pytest.raises(Refused, match="unavailable"):
        await known.known(provider.token())
    assert tally.standing("hanpan_gateway_account_keys_total") == {("failed",): (3,), ("ok",): (1,)}


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"[]",
        b"{}",
        b'{"keys": 7}',
        b'{"keys": []}',
        b'{"keys": [7]}',
        b'{"keys": [{"kid": "x", "kty": "oct", "k": "c2VjcmV0"}]}',
        b'{"keys": [{"kid": "x", "kty": "RSA"}]}',
        b'{"keys": [{"kty": "nonsense"}]}',
        b" " * 200_000,
        b"\xff\xfe",
    ],
)
def test_a_document_without_keys_that_we_take_is_refused(document: bytes):
    with pytest.raises(ValueError):  # noqa: PT011  # msgspec's, json's or ours: whichever finds it first
        keys_in(document)


def test_only_so_many_keys_are_kept(made: Provider):
    [row] = [row for row in json.loads(made.document())["keys"] if row["kid"] == "ed"]
    many = {"keys": [{**row, "kid": f"k{number}"} for number in range(200)]}
    assert len(keys_in(json.dumps(many).encode())) == KEYS_MOST


# ---------------------------------------------------------------- over HTTP


@contextlib.contextmanager
def published(provider: Provider) -> Iterator[str]:
    """The provider's document at a local address, served by a thread."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = {"/jwks": 200, "/endless": 200, "/moved": 302}.get(self.path, 404)
            self.send_response(found)
            if found == 302:
                self.send_header("Location", "/jwks")
            self.end_headers()
            if self.path == "/jwks":
                provider.asked += 1
                self.wfile.write(provider.document())
            with contextlib.suppress(OSError):
                while self.path == "/endless":
                    self.wfile.write(b" " * 65_536)

        def log_message(self, format: str, *args: Any) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def settings(jwks: str) -> Settings:
    return Settings(accounts_jwks=jwks, accounts_issuer=ISSUER, accounts_audience=AUDIENCE)


async def test_an_account_comes_in_by_its_own_token_and_gets_one_of_ours(provider: Provider):
    async with AsyncExitStack() as stack:
        url = stack.enter_context(published(provider))
        http = await stack.enter_async_context(ClientSession())
        known = make_accounts(settings(f"{url}/jwks"), http)
        async with gateway(accounts=known) as gw:
            answer = await gw.post("/api/account", {}, provider.token(exp=int(time.time()) + 100))
            assert answer.status == 200
            assert answer.json["name"] == "안나"
            assert answer.json["expiresIn"] <= 100  # no longer than the account's
            room = await gw.room()
            client = await gw.client()
            await client.hello(answer.json["token"], room.summary.id)
            assert (await client.find("welcome"))["you"]["player"] == player_of(ISSUER, "u-1")
            assert (await gw.post("/api/rooms", {"game": "ninety-nine"}, answer.json["token"])).status == 201
            for wrong in ("nonsense", gw.token(), provider.token(aud="x")):
                no = await gw.post("/api/account", {}, wrong)
                assert (no.status, no.json["code"]) == (401, "bad_token")
            assert (await gw.post("/api/account", {})).status == 401
            # The account's own token opens nothing by itself, and its name is not to be changed here.
            assert (await gw.post("/api/rooms", {"game": "ninety-nine"}, provider.token())).status == 401
            no = await gw.post("/api/guest", {"name": "다른 이름"}, answer.json["token"])
            assert (no.status, no.json["code"]) == (409, "account_name")
    assert provider.asked == 1


@pytest.mark.parametrize("path", ["/moved", "/endless", "/nothing"])
async def test_a_provider_that_does_not_answer_as_it_should_is_away(provider: Provider, path: str):
    async with AsyncExitStack() as stack:
        url = stack.enter_context(published(provider))
        http = await stack.enter_async_context(ClientSession())
        gw = await stack.enter_async_context(gateway(accounts=make_accounts(settings(url + path), http)))
        answer = await gw.post("/api/account", {}, provider.token())
        assert (answer.status, answer.json["code"]) == (503, "unavailable")


async def test_keys_may_lie_in_a_file(provider: Provider, tmp_path: Any):
    file = tmp_path / "jwks.json"
    file.write_bytes(provider.document())
    async with ClientSession() as http:
        known = make_accounts(settings(str(file)), http)
        assert known is not None
        assert await known.known(provider.token())


async def test_where_there_are_no_accounts_and_where_there_are_no_guests(provider: Provider):
    async with gateway() as gw:
        no = await gw.post("/api/account", {}, provider.token())
        assert (no.status, no.json["code"]) == (404, "not_found")
    async with gateway(accounts=accounts(provider), guests=False) as gw:
        no = await gw.post("/api/guest", {"name": "안나"})
        assert (no.status, no.json["code"]) == (403, "accounts_only")
        assert (await gw.post("/api/account", {}, provider.token())).status == 200


# ---------------------------------------------------------------- where one signs in


@pytest.mark.parametrize(
    "address",
    [
        "https://id.example/authorize",
        "https://id.example",
        "https://id.example:8443/authorize?client_id=hanpan&scope=openid%20profile",
        "http://127.0.0.1:8081/sign-in",
        "http://[::1]:8081/",
    ],
)
def test_the_page_may_send_people_where_nobody_listens_in(address: str):
    assert is_sign_in(address)


@pytest.mark.parametrize(
    "address",
    [
        "http://id.example/authorize",
        "http://127.0.0.1.evil.example/",
        "http://localhost@evil.example/",
        "https://user:word@id.example/",
        "https://",
        "https:///authorize",
        "//id.example/",
        "/sign-in",
        "id.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://id.example/#fragment",
        "https://id.example/ space",
        "https://id.example\\@evil.example/",
        "https://id.example/\r\nX: y",
        "https://id.example:99999999/",
        "https://[::1/",
        "https://id.example/?redirect_uri=https://evil.example",
        "https://id.example/?state=",
        "https://id.example/?a=1&nonce=x",
    ],
)
def test_the_page_sends_nobody_to_an_address_that_is_none_or_not_safe(address: str):
    assert not is_sign_in(address)
    settings = Settings(
        directory="x",
        secret="00",
        token_keys=(KEY,),
        accounts_jwks="https://id.example/jwks",
        accounts_issuer=ISSUER,
        accounts_audience=AUDIENCE,
        accounts_sign_in=address,
    )
    with pytest.raises(ConfigError, match="HANPAN_ACCOUNTS_SIGN_IN"):
        check(settings)


def test_a_way_to_sign_in_needs_somebody_whose_tokens_are_taken():
    settings = Settings(directory="x", secret="00", token_keys=(KEY,), accounts_sign_in="https://id.example/")
    with pytest.raises(ConfigError, match="HANPAN_ACCOUNTS_JWKS"):
        check(settings)


async def test_the_page_is_told_how_people_come_in(provider: Provider):
    sign_in = "https://id.example/authorize"

    async def told(**given: Any) -> Any:
        async with gateway(**given) as gw:
            answer = await gw.call("GET", "/api/account")
            assert answer.status == 200
            again = await gw.call("GET", "/api/account", headers={"If-None-Match": answer.headers["ETag"]})
            assert again.status == 304
            return answer.json

    assert await told() == {"guests": True, "signIn": ""}
    assert await told(accounts=accounts(provider)) == {"guests": True, "signIn": ""}
    assert await told(accounts=accounts(provider), accounts_sign_in=sign_in) == {"guests": True, "signIn": sign_in}
    only = await told(accounts=accounts(provider), accounts_sign_in=sign_in, guests=False)
    assert only == {"guests": False, "signIn": sign_in}
    assert await told(accounts_sign_in=sign_in) == {"guests": True, "signIn": ""}  # nobody would take the token
