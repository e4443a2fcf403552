"""Accounts on the page: there and back by an identity server of the test's own, and nothing else signs anybody in."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from playwright.sync_api import Route

from tests.e2e.browsing import BROWSER_TEST, PHONE, Visitor, fits, open_room, picture
from tests.e2e.running import Hanpan, hanpan

pytestmark = [*BROWSER_TEST, pytest.mark.slow]

Visit = Callable[..., Visitor]
ISSUER, AUDIENCE = "https://id.example", "hanpan"


class Identity:
    """An identity server: the document of its key, and a page that signs whoever comes in at once, or says no."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.refuses = False
        self.asked: list[dict[str, str]] = []
        self.paths: list[str] = []
        identity = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                identity.answer(self)

            def log_message(self, format: str, *args: Any) -> None:
                return None

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self._thread = threading.Thread(target=self.server.serve_forever)
        self._thread.start()

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        address = urlsplit(to.path)
        self.paths.append(address.path)
        if address.path == "/jwks":
            row = ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
            body = json.dumps({"keys": [{**row, "kid": "k", "alg": "ES256", "use": "sig"}]}).encode()
            to.send_response(200)
        elif address.path == "/authorize":
            wish = {name: values[0] for name, values in parse_qs(address.query).items()}
            self.asked.append(wish)
            said = {"error": "access_denied"} if self.refuses else {"id_token": self.token(wish["nonce"])}
            body = b""
            to.send_response(302)
            to.send_header("Location", f"{wish['redirect_uri']}#{urlencode({**said, 'state': wish['state']})}")
        else:
            body = b""
            to.send_response(404)
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        to.wfile.write(body)

    def token(self, nonce: str, **claims: Any) -> str:
        expires = int(time.time()) + 3600
        said = {"sub": "u-1", "iss": ISSUER, "aud": AUDIENCE, "exp": expires, "name": "계정 안나", "nonce": nonce}
        return jwt.encode({**said, **claims}, self._key, "ES256", headers={"kid": "k"})

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()


@pytest.fixture(scope="module")
def identity() -> Iterator[Identity]:
    made = Identity()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _as_at_first(identity: Identity) -> None:
    identity.refuses = False
    identity.asked.clear()


@pytest.fixture(scope="module")
def running(identity: Identity) -> Iterator[Hanpan]:
    """Nobody comes in here without an account."""
    environment = {
        "HANPAN_GUESTS": "0",
        "HANPAN_ACCOUNTS_JWKS": f"{identity.url}/jwks",
        "HANPAN_ACCOUNTS_ISSUER": ISSUER,
        "HANPAN_ACCOUNTS_AUDIENCE": AUDIENCE,
        "HANPAN_ACCOUNTS_SIGN_IN": f"{identity.url}/authorize?client_id=hanpan&response_type=id_token",
    }
    with hanpan("--spares", "2", **environment) as started:
        yield started


def signed_in(visit: Visit, running: Hanpan) -> Visitor:
    me = visit(PHONE)
    me.page.goto(running.url)
    me.page.get_by_role("button", name="로그인").click()
    me.page.get_by_text("계정 안나 님, 어서 오세요").wait_for()
    return me


def kept(me: Visitor) -> dict[str, Any]:
    """Who the browser believes to be."""
    found: dict[str, Any] = me.page.evaluate("JSON.parse(localStorage.getItem('hanpan.me') ?? '{}')")
    return found


def test_one_signs_in_and_plays_and_the_token_is_nowhere_to_be_found(
    visit: Visit, running: Hanpan, identity: Identity
) -> None:
    me = visit(PHONE)
    navigated: list[str] = []
    sent: list[str] = []
    me.page.on("framenavigated", lambda frame: navigated.append(frame.url))
    me.page.on("request", lambda asked: sent.append(asked.url))
    me.page.goto(running.url)
    assert me.page.get_by_label("이름", exact=True).count() == 0
    picture(me.page, "account-lobby")
    fits(me.page)
    me.page.get_by_role("button", name="로그인").click()
    me.page.get_by_text("계정 안나 님, 어서 오세요").wait_for()
    assert me.page.url == f"{running.url}/"
    [asked] = identity.asked
    assert asked["redirect_uri"] == f"{running.url}/"
    assert (asked["client_id"], asked["response_type"]) == ("hanpan", "id_token")
    assert kept(me)["player"].startswith("a_")
    name = me.page.get_by_label("계정의 이름")
    assert (name.input_value(), name.get_attribute("readonly")) == ("계정 안나", "")

    open_room(me.page, running.url, "구십구", bots=1)
    me.page.locator(".seat.me").get_by_text("계정 안나").wait_for()

    # The token came behind the # and went no further: in no request's address, in no entry of the history, in no log.
    assert not [url for url in sent if "eyJ" in url.partition("#")[0]]
    me.page.go_back()
    assert "id_token" not in me.page.url
    assert "eyJ" not in me.page.evaluate("JSON.stringify([location.href, document.referrer, history.state])")
    assert me.page.evaluate("localStorage.getItem('hanpan.signIn')") is None
    assert "id_token" not in running.log()


def test_one_comes_back_to_the_room_that_one_was_invited_to(visit: Visit, running: Hanpan, identity: Identity) -> None:
    host = signed_in(visit, running)
    code = open_room(host.page, running.url, "구십구", bots=1)
    guest = visit(PHONE)
    guest.page.goto(f"{running.url}/r/{code}")
    dialog = guest.page.get_by_role("dialog")
    dialog.get_by_role("button", name="로그인").wait_for()
    assert dialog.locator("form").count() == 0  # no guests here
    identity.asked.clear()
    dialog.get_by_role("button", name="로그인").click()
    guest.page.locator(".waiting, .alone").first.wait_for()
    assert guest.page.url == f"{running.url}/r/{code}"
    assert code not in json.dumps(identity.asked)


def test_who_says_no_there_is_told_so_here_and_may_try_again(visit: Visit, running: Hanpan, identity: Identity) -> None:
    identity.refuses = True
    me = visit(PHONE)
    me.page.goto(running.url)
    me.page.get_by_role("button", name="로그인").click()
    me.page.get_by_text("로그인하지 못했어요").wait_for()
    assert me.page.url == f"{running.url}/"
    identity.refuses = False
    me.page.get_by_role("button", name="로그인").click()
    me.page.get_by_text("계정 안나 님, 어서 오세요").wait_for()


def test_nobody_is_signed_in_by_a_link(visit: Visit, running: Hanpan, identity: Identity) -> None:
    """Somebody's own good token, sent to another as a link; and one that was made for something else."""
    me = visit(PHONE)
    token = identity.token("whatever")
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.method + urlsplit(request.url).path))
    me.page.goto(f"{running.url}/#{urlencode({'id_token': token, 'state': 'x'})}")
    me.page.get_by_text("로그인하지 못했어요").wait_for()
    assert me.page.url == f"{running.url}/"

    asking = json.dumps({"state": "s", "nonce": "n", "from": "//127.0.0.1:1/"})
    me.page.evaluate("(asking) => localStorage.setItem('hanpan.signIn', asking)", asking)
    me.page.goto("about:blank")
    me.page.goto(f"{running.url}/#{urlencode({'id_token': token, 'state': 's'})}")
    me.page.get_by_text("로그인하지 못했어요").wait_for()
    assert me.page.url == f"{running.url}/"
    assert "POST/api/account" not in asked
    assert kept(me).get("token") is None


def test_what_has_expired_is_signed_in_again_and_is_not_a_guests_meanwhile(
    visit: Visit, running: Hanpan, identity: Identity
) -> None:
    me = signed_in(visit, running)
    player = kept(me)["player"]
    old = {**kept(me), "token": "no longer good"}
    me.page.evaluate("(old) => localStorage.setItem('hanpan.me', JSON.stringify(old))", old)
    me.page.reload()
    me.page.locator("article.game").first.get_by_role("button", name="빠른 대전").click()
    me.page.get_by_text("다시 로그인해 주세요").wait_for()
    assert (kept(me)["token"], kept(me)["player"]) == (None, player)
    me.faults.clear()  # the console tells of the 401
    me.page.get_by_role("button", name="로그인").click()
    me.page.get_by_text("계정 안나 님, 어서 오세요").first.wait_for()
    assert kept(me)["player"] == player

    me.page.get_by_role("button", name="설정").click()
    me.page.get_by_role("button", name="로그아웃").click()
    me.page.get_by_role("button", name="로그인").wait_for()
    assert kept(me)["token"] is None
    assert kept(me)["player"] is None


def test_where_guests_may_come_in_too_both_ways_are_open(visit: Visit, running: Hanpan, identity: Identity) -> None:
    """As the page is told by a gateway that lets guests in."""
    me = visit(PHONE)
    both = {"guests": True, "signIn": f"{identity.url}/authorize"}

    def told(route: Route) -> None:
        if route.request.method == "GET":
            route.fulfill(json=both)
        else:
            route.continue_()

    me.page.route("**/api/account", told)
    me.page.goto(running.url)
    me.page.get_by_label("이름", exact=True).wait_for()
    me.page.get_by_role("button", name="로그인").click()
    me.page.get_by_label("계정의 이름").wait_for()
