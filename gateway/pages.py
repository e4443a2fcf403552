"""The static page: the files of ``gateway/web``, read once, ready to be served under the addresses of their paths.

Only types in this table are served, nothing hidden and no tests: what else lies in the folder stays there. There is
no build step that would put a hash into file names, so browsers keep files and ask each time whether they changed;
an ETag makes that a short question.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from email.utils import formatdate, parsedate_to_datetime
from hashlib import sha256
from pathlib import Path

import msgspec

WEB = Path(__file__).parent / "web"
INDEX = "/index.html"
SMALLEST_ZIPPED = 512

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_ZIPPED = frozenset({".html", ".css", ".js", ".mjs", ".json", ".webmanifest", ".svg", ".txt"})
_UNSERVED = frozenset({"tests", "test", "node_modules", "package.json"})


def security_headers(elsewhere: Sequence[str] = ()) -> dict[str, str]:
    """What keeps a page to itself; its sockets may also go to these gateways, given as http or https addresses."""
    sockets = "".join(f" {address.replace('http', 'ws', 1)}" for address in elsewhere)
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self'{sockets}; "
            "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


class Page(msgspec.Struct, frozen=True):
    """One file."""

    body: bytes
    zipped: bytes | None
    type: str
    etag: str
    modified: str  # as HTTP writes dates


class Answer(msgspec.Struct, frozen=True):
    """What is to be sent."""

    status: int
    headers: dict[str, str]
    body: bytes


class Pages:
    """All files, by address."""

    def __init__(self, folder: Path = WEB, *, reload: bool = False) -> None:
        self._folder = folder
        self._reload = reload
        self._pages = _read(folder)

    def get(self, path: str) -> Page | None:
        """The file at this address; None where there is none."""
        if self._reload:
            self._pages = _read(self._folder)
        return self._pages.get(path)


def answer(page: Page, *, accepts: str, if_none_match: str, if_modified_since: str) -> Answer:
    """The page, or that it has not changed."""
    zipped = page.zipped is not None and "gzip" in accepts
    etag = f'"{page.etag}-gz"' if zipped else f'"{page.etag}"'
    headers = {
        "Content-Type": page.type,
        "ETag": etag,
        "Last-Modified": page.modified,
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
    }
    if _unchanged(page, etag, if_none_match, if_modified_since):
        return Answer(304, headers, b"")
    if zipped:
        assert page.zipped is not None
        return Answer(200, headers | {"Content-Encoding": "gzip"}, page.zipped)
    return Answer(200, headers, page.body)


def _unchanged(page: Page, etag: str, if_none_match: str, if_modified_since: str) -> bool:
    if if_none_match:  # then dates do not count (RFC 9110, 13.2.2)
        tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
        return etag in tags or "*" in tags
    try:
        return parsedate_to_datetime(page.modified) <= parsedate_to_datetime(if_modified_since)
    except (TypeError, ValueError):
        return False


def _read(folder: Path) -> dict[str, Page]:
    pages = {}
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        hidden = any(part.startswith(".") or part in _UNSERVED for part in inside.parts)
        if not hidden and file.suffix in TYPES and file.is_file() and not file.is_symlink():
            pages[f"/{inside.as_posix()}"] = _page(file)
    return pages


def _page(file: Path) -> Page:
    body = file.read_bytes()
    zipped = None
    if file.suffix in _ZIPPED and len(body) >= SMALLEST_ZIPPED:
        zipped = gzip.compress(body, mtime=0)
    modified = formatdate(file.stat().st_mtime, usegmt=True)
    return Page(body, zipped, TYPES[file.suffix], sha256(body).hexdigest()[:24], modified)
