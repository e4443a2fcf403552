"""The page as it is served: small, whole, and nothing in it that its own content security policy would refuse.

What its modules do is tested in JavaScript (``node --test gateway/web/tests/``), and in a browser by ``tests/e2e``.
"""

from __future__ import annotations

import posixpath
import re
from html.parser import HTMLParser
from importlib.metadata import distribution

import pytest

from engines.catalog import GROUP
from gateway.pages import WEB, Page, Pages

FILES = sorted(f"/{file.relative_to(WEB).as_posix()}" for file in WEB.rglob("*") if file.is_file())
MODULES = [path for path in FILES if path.endswith(".js") and not path.startswith("/tests/")]
RULES = [path for path in MODULES if path.startswith("/rules/")]
OPS = "/ops/main.js"  # the operators' page
DOCUMENTS = [path for path in FILES if path.endswith(".html")]
LATE = ["/fair/sheet.js"]  # fetched when somebody asks for it
SHEETS = [path for path in FILES if path.endswith(".css")]

INSIDE = ["/play.js", "/ui/screens.js"]  # fetched once the lobby stands

# Bytes as they are sent, zipped. What the lobby waits for; what it can do without, which comes right after it; a table
# comes on top when its game is entered.
LOBBY = 32 * 1024
FIRST_VISIT = 76 * 1024
ONE_TABLE = 45 * 1024  # the largest has 22 kinds of cards and 16 people drawn
FIRST_GAME = 200 * 1024  # both together, and the rules: the law is that a first visit is no larger

VERSION = re.compile(r'(?<=")/a/[0-9a-f]+(?=/)')

REFUSED = ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", 'setAttribute("style"')
STATIC_IMPORT = re.compile(r"""^(?:import|export)\s[^;]*?from\s+"([^"]+)";|^import\s+"([^"]+)";""", re.MULTILINE)
GLOBAL_ADDRESS = re.compile(r"""(?:https?:)?//(?!www\.w3\.org)[a-z0-9-]+\.[a-z]""", re.IGNORECASE)


@pytest.fixture(scope="module")
def pages() -> Pages:
    return Pages()


def body(pages: Pages, path: str) -> str:
    found = pages.get(path)
    assert isinstance(found, Page), path
    return found.body.decode()


def index(pages: Pages) -> str:
    """index.html as it lies in the folder: with the plain addresses of its files."""
    return VERSION.sub("", body(pages, "/index.html"))


def sent(pages: Pages, paths: set[str]) -> int:
    """What these come to on the wire."""
    found = [pages.get(path) for path in paths]
    return sum(len(page.zipped or page.body) for page in found if page is not None)


def imports(source: str, path: str) -> set[str]:
    names = (first or second for first, second in STATIC_IMPORT.findall(source))
    return {posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in names}


def reached(pages: Pages, *starts: str) -> set[str]:
    """These modules and all that they import, directly or not."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imports(body(pages, path), path)
    return found


class Markup(HTMLParser):
    """What index.html asks for, and what it has inline."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.inline: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.links += [value for name, value in attrs if name in ("src", "href") and value and value != "/api/games"]
        self.inline += [name for name, _ in attrs if name == "style" or name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style") and data.strip():
            self.inline.append(self._inside)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_all_that_a_document_names_is_served_and_is_kept(pages: Pages, document: str) -> None:
    for link in Markup(body(pages, document)).links:
        found = pages.get("/index.html" if link == "/" else link)
        assert found is not None, link
        assert found.forever or link == "/", link


def test_documents_begin_with_their_modules(pages: Pages) -> None:
    assert "/main.js" in Markup(index(pages)).links
    assert OPS in Markup(VERSION.sub("", body(pages, "/ops/index.html"))).links


def test_players_do_not_fetch_what_is_for_operators(pages: Pages) -> None:
    assert not [path for path in reached(pages, "/main.js", *INSIDE, *tables(pages)) if path.startswith("/ops/")]


def test_nothing_is_inline(pages: Pages) -> None:
    for document in DOCUMENTS:
        assert Markup(body(pages, document)).inline == []
    for path in MODULES:
        source = body(pages, path)
        for refused in REFUSED:
            assert refused not in source, (path, refused)


@pytest.mark.parametrize("path", MODULES)
def test_every_import_leads_to_a_module_that_is_served(pages: Pages, path: str) -> None:
    for target in imports(body(pages, path), path):
        assert target in MODULES, target


def parts(pages: Pages) -> dict[str, set[str]]:
    """The address of each table, of which each is fetched when its game is entered, and what is asked for with it."""
    told = re.findall(r'^  "?([a-z-]+)"?: "(.*)",$', body(pages, "/tables/registry.js"), re.MULTILINE)
    return {
        f"/tables/{table}.js": {posixpath.normpath(f"/tables/{part}.js") for part in said.split()}
        for table, said in told
    }


def tables(pages: Pages) -> list[str]:
    return list(parts(pages))


def beside(pages: Pages) -> tuple[set[str], set[str]]:
    """The modules and the style sheets that are asked for with what the lobby can do without."""
    source = body(pages, "/inside.js")
    modules = re.search(r'^const PARTS = "(.*)";$', source, re.MULTILINE)
    sheets = re.search(r"^const SHEETS = \[(.*)\];$", source, re.MULTILINE)
    assert modules is not None
    assert sheets is not None
    return {f"/{part}.js" for part in modules[1].split()}, {
        f"/style/{name}.css" for name in re.findall(r'"(\w+)"', sheets[1])
    }


def test_what_the_lobby_can_do_without_is_asked_for_at_once(pages: Pages) -> None:
    modules, sheets = beside(pages)
    assert modules == reached(pages, *INSIDE) - reached(pages, "/main.js") - set(INSIDE)
    assert all(f'import(".{path}")' in body(pages, "/inside.js") for path in INSIDE)
    assert sheets | {link for link in Markup(index(pages)).links if link.endswith(".css")} == {
        path for path in SHEETS if path.startswith("/style/")
    }


def test_a_table_asks_for_all_its_modules_at_once(pages: Pages) -> None:
    first = reached(pages, "/main.js", *INSIDE)
    assert len(parts(pages)) == 5
    for table, asked in parts(pages).items():
        assert asked == reached(pages, table) - first - {table}


def test_no_module_lies_idle(pages: Pages) -> None:
    assert set(MODULES) == reached(pages, "/main.js", *INSIDE, *tables(pages), *RULES, *LATE, OPS)
    for module in tables(pages):
        assert pages.get(module.replace(".js", ".css")), module


def test_every_game_has_its_rules() -> None:
    ours = distribution("hanpan").entry_points.select(group=GROUP)  # whatever games a test beside this one has brought
    assert {f"/rules/{game.name}.js" for game in ours} <= set(RULES)


def test_a_first_visit_asks_for_all_its_modules_at_once(pages: Pages) -> None:
    """Instead of one after the other, as each turns out to import the next."""
    preloaded = set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', index(pages)))
    assert preloaded == reached(pages, "/main.js") - {"/main.js"}


def test_a_first_visit_waits_for_two_rounds_of_requests(pages: Pages) -> None:
    """After its document: a browser has six connections to a host, and a round costs a slow phone 0.15 s and more."""
    asked = re.findall(r'<(?:link rel="(?:modulepreload|stylesheet|preload)"|script type="module")', index(pages))
    assert len(asked) <= 12


@pytest.mark.parametrize("path", [*MODULES, *SHEETS, *DOCUMENTS])
def test_nothing_is_asked_of_another_host(pages: Pages, path: str) -> None:
    assert GLOBAL_ADDRESS.search(body(pages, path)) is None


def test_the_page_is_small(pages: Pages) -> None:
    lobby = {"/index.html", *Markup(index(pages)).links, *reached(pages, "/main.js")}
    assert sent(pages, lobby) <= LOBBY
    first = lobby | reached(pages, *INSIDE) | beside(pages)[1]
    assert sent(pages, first) <= FIRST_VISIT
    for table in tables(pages):
        files = reached(pages, table) - first | {table.replace(".js", ".css")}
        assert sent(pages, files) <= ONE_TABLE, table
        assert sent(pages, first | files | set(RULES)) <= FIRST_GAME


def test_tests_are_not_served(pages: Pages) -> None:
    assert any(path.startswith("/tests/") for path in FILES)
    assert not any(pages.get(path) for path in FILES if path.startswith("/tests/"))
