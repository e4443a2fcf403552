"""The static page's files."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

import pytest

from gateway.pages import Page, Pages, answer, security_headers

LONG = "body { color: black }\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    web = tmp_path / "web"
    for name, text in {
        "index.html": "<!doctype html>",
        "assets/look.css": LONG,
        "assets/card.svg": "<svg/>",
        "assets/app.webmanifest": "{}",
        "README.md": "not for browsers",
        "secret.py": "no",
        ".hidden.js": "no",
        ".git/config.json": "no",
        "tests/state.test.mjs": "no",
    }.items():
        (web / name).parent.mkdir(parents=True, exist_ok=True)
        (web / name).write_text(text)
    (tmp_path / "outside.js").write_text("no")
    (web / "link.js").symlink_to(tmp_path / "outside.js")
    return web


def ask(page: Page | None, *, accepts: str = "", etag: str = "", since: str = "") -> tuple[int, dict[str, str], bytes]:
    assert page is not None
    found = answer(page, accepts=accepts, if_none_match=etag, if_modified_since=since)
    return found.status, found.headers, found.body


def test_only_what_is_meant_for_browsers_is_served(folder: Path):
    pages = Pages(folder)
    served = {"/index.html", "/assets/look.css", "/assets/card.svg", "/assets/app.webmanifest"}
    for file in folder.rglob("*"):
        path = f"/{file.relative_to(folder).as_posix()}"
        assert (pages.get(path) is not None) == (path in served), path
    for path in ("", "/", "/assets", "/assets/", "//index.html", "/../outside.js", "/assets/../index.html"):
        assert pages.get(path) is None


@pytest.mark.parametrize(
    ("path", "type"),
    [
        ("/index.html", "text/html; charset=utf-8"),
        ("/assets/look.css", "text/css; charset=utf-8"),
        ("/assets/card.svg", "image/svg+xml"),
        ("/assets/app.webmanifest", "application/manifest+json"),
    ],
)
def test_types(folder: Path, path: str, type: str):
    status, headers, _ = ask(Pages(folder).get(path))
    assert (status, headers["Content-Type"]) == (200, type)


def test_browsers_ask_each_time_and_hear_that_nothing_changed(folder: Path):
    page = Pages(folder).get("/index.html")
    status, headers, body = ask(page)
    assert (status, body) == (200, b"<!doctype html>")
    assert headers["Cache-Control"] == "no-cache"
    etag, modified = headers["ETag"], headers["Last-Modified"]
    for given in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        assert ask(page, etag=given)[::2] == (304, b"")
    assert ask(page, since=modified)[0] == 304
    assert ask(page, etag='"other"')[0] == 200
    assert ask(page, etag='"other"', since=modified)[0] == 200  # the tag goes before the date
    assert ask(page, since="Thu, 01 Jan 1970 00:00:00 GMT")[0] == 200
    assert ask(page, since="yesterday")[0] == 200


NAMING = '<link rel="stylesheet" href="/assets/look.css"><a href="/r/ABC234">'


def address_of(pages: Pages, path: str) -> str:
    """A file's address for good, as index.html has it."""
    named = re.search(rf'href="([^"]*{path})"', ask(pages.get("/index.html"))[2].decode())
    assert named is not None
    return named[1]


def test_a_file_has_an_address_that_browsers_keep_for_good(folder: Path):
    (folder / "index.html").write_text(NAMING)
    pages = Pages(folder)
    address = address_of(pages, "/assets/look.css")
    assert re.fullmatch(r"/a/[0-9a-f]{24}/assets/look.css", address)
    status, headers, body = ask(pages.get(address))
    assert (status, body) == (200, LONG.encode())
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert ask(pages.get("/assets/look.css"))[1]["Cache-Control"] == "no-cache"
    assert ask(pages.get(address.replace("look.css", "card.svg")))[2] == b"<svg/>"  # as relative addresses lead
    assert 'href="/r/ABC234"' in ask(pages.get("/index.html"))[2].decode()  # no file


@pytest.mark.parametrize("name", ["assets/look.css", "assets/card.svg"])
def test_any_change_makes_all_addresses_new_and_the_pages_that_name_them(folder: Path, name: str):
    (folder / "index.html").write_text(NAMING)
    before = Pages(folder)
    (folder / name).write_text("changed")
    os.utime(folder / name, (2_000_000_000, 2_000_000_000))
    after = Pages(folder)
    old, new = (address_of(pages, "/assets/look.css") for pages in (before, after))
    assert old != new
    index = before.get("/index.html")
    assert index is not None
    assert ask(after.get("/index.html"), etag=f'"{index.etag}"')[0] == 200
    assert ask(after.get("/index.html"), since=index.modified)[0] == 200
    # A gateway that is older or newer than the page answers as well as it can, and nobody keeps that.
    for pages, other in ((after, old), (before, new)):
        assert ask(pages.get(other))[1]["Cache-Control"] == "no-cache"
    assert address_of(Pages(folder), "/assets/look.css") == new  # the same files, on any machine: the same addresses


def test_there_is_nothing_more_below_a_version(folder: Path):
    pages = Pages(folder)
    for path in ("/a", "/a/", "/a/x", "/a/x/", "/a//assets/look.css", "/a/x/index.htm", "/a/x/a/x/assets/look.css"):
        assert pages.get(path) is None, path


def test_what_is_long_is_zipped_for_who_can_read_it(folder: Path):
    pages = Pages(folder)
    status, headers, body = ask(pages.get("/assets/look.css"), accepts="br, gzip")
    assert (status, headers["Content-Encoding"], gzip.decompress(body)) == (200, "gzip", LONG.encode())
    plain = ask(pages.get("/assets/look.css"), accepts="br")
    assert "Content-Encoding" not in plain[1]
    assert plain[1]["ETag"] != headers["ETag"]
    assert headers["Vary"] == plain[1]["Vary"] == "Accept-Encoding"
    assert "Content-Encoding" not in ask(pages.get("/index.html"), accepts="gzip")[1]


def test_files_are_read_once_unless_somebody_works_on_them(folder: Path):
    kept, fresh = Pages(folder), Pages(folder, reload=True)
    (folder / "index.html").write_text("<!doctype html>new")
    os.utime(folder / "index.html")
    assert ask(kept.get("/index.html"))[2] == b"<!doctype html>"
    assert ask(fresh.get("/index.html"))[2] == b"<!doctype html>new"


def test_no_folder_is_no_page(tmp_path: Path):
    assert Pages(tmp_path / "nowhere").get("/index.html") is None


def test_the_policy_lets_in_nothing_from_elsewhere():
    policy = security_headers()["Content-Security-Policy"]
    assert "'unsafe" not in policy
    assert "http" not in policy
    for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert part in policy


def test_sockets_may_go_to_the_gateways_that_a_page_may_be_sent_to_and_nothing_else_may():
    policy = security_headers(["https://b.example.org", "http://c.example.org:8080"])["Content-Security-Policy"]
    assert "connect-src 'self' wss://b.example.org ws://c.example.org:8080;" in policy
    assert policy.count("example.org") == 2
