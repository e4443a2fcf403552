"""The static page: the files of ``gateway/web``, read once, zipped once, ready to be served.

Only types in this table are served, nothing hidden and no tests: what else lies in the folder stays there.

Browsers keep what they have read for good, and never ask whether it changed: each file has an address that holds a
hash of all files together, ``/a/<tree>/ui/dom.js``. One hash of the whole and not one of each file, because modules
name each other by relative addresses: these stay below the same prefix by themselves, so that neither a build step nor
an import map (inline script, which our policy refuses) has to put hashes into them, and one visit never mixes two
versions. The price is that a new version is fetched whole; that is some 70 KiB. What a person opens (``*.html``) has an
address that stays, is asked for each time, and is read with the addresses of its files put in.

A plain address (``/ui/dom.js``) is always the newest file, and so is one below the hash of another version: while
gateways are updated one after the other, a page of the new one may ask an old one. Both are not to be kept unasked.

Zipped is gzip alone: brotli would spare a first visit some 8 KiB, for a dependency.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from email.utils import formatdate, parsedate_to_datetime
from hashlib import sha256
from pathlib import Path

import msgspec

WEB = Path(__file__).parent / "web"
INDEX = "/index.html"
OPS = "/ops/index.html"
LOST = "/404.html"  # what who browses gets where there is nothing
VERSIONED = "/a"  # what follows is the hash of the tree, then a file's path
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
    forever: bool = False  # at this address there will never be anything else


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
        found = self._pages.get(path)
        if found is None and (other := _OF_A_TREE.match(path)) is not None:
            found = self._pages.get(path[other.end() :])
        return found


_OF_A_TREE = re.compile(rf"{VERSIONED}/[^/]+(?=/)")
_NAMED = re.compile(r"""\b(href|src)="(/[^"]+)\"""")  # in HTML, which is ours: always so quoted


def answer(page: Page, *, accepts: str, if_none_match: str, if_modified_since: str) -> Answer:
    """The page, or that it has not changed."""
    zipped = page.zipped is not None and "gzip" in accepts
    etag = f'"{page.etag}-gz"' if zipped else f'"{page.etag}"'
    headers = {
        "Content-Type": page.type,
        "ETag": etag,
        "Last-Modified": page.modified,
        "Cache-Control": "public, max-age=31536000, immutable" if page.forever else "no-cache",
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
    """The files by their plain addresses, and all but HTML by those of their version."""
    files = {}
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        hidden = any(part.startswith(".") or part in _UNSERVED for part in inside.parts)
        if not hidden and file.suffix in TYPES and file.is_file() and not file.is_symlink():
            files[f"/{inside.as_posix()}"] = file
    bodies = {path: file.read_bytes() for path, file in files.items()}
    prefix = f"{VERSIONED}/{_hash(b''.join(f'{path} {_hash(body)} '.encode() for path, body in bodies.items()))}"
    kept = {path: f"{prefix}{path}" for path, file in files.items() if file.suffix != ".html"}

    def versioned(named: re.Match[str]) -> str:
        return f'{named[1]}="{kept.get(named[2], named[2])}"'

    changed = {path: file.stat().st_mtime for path, file in files.items()}
    pages = {}
    for path, file in files.items():
        if path in kept:
            pages[path] = page = page_of(file.suffix, bodies[path], changed[path])
            pages[kept[path]] = msgspec.structs.replace(page, forever=True)
        else:  # it names the others: it is as new as the newest of them
            body = _NAMED.sub(versioned, bodies[path].decode()).encode()
            pages[path] = page_of(file.suffix, body, max(changed.values()))
    return pages


def page_of(suffix: str, body: bytes, modified: float) -> Page:
    """A file, or anything that is as a file would be: the same for everybody, for as long as the process lives."""
    zipped = None
    if suffix in _ZIPPED and len(body) >= SMALLEST_ZIPPED:
        zipped = gzip.compress(body, mtime=0)
    return Page(body, zipped, TYPES[suffix], _hash(body), formatdate(modified, usegmt=True))


def _hash(body: bytes) -> str:
    return sha256(body).hexdigest()[:24]
