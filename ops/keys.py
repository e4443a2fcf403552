"""A hanpan's secrets: from the environment; those of a `hanpan up` else from files that it makes at its first start."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ops.problem import Problem

MADE_BYTES = 32
LEAST = 32  # characters of a key that somebody has put there

VARIABLES = ("HANPAN_SECRET", "HANPAN_TOKEN_KEYS", "HANPAN_ADMIN_TOKEN")


class Keys(msgspec.Struct, frozen=True):
    """The secrets of one hanpan."""

    links: bytes  # what links between processes prove that they know
    tokens: str  # keys of guests' tokens, by commas: the first signs, all are accepted
    admin: str  # what proves that somebody is an operator


def keys_of(data: Path, env: Mapping[str, str]) -> Keys:
    """Those of a `hanpan up` with this data folder. Raises `Problem`, which never shows a value."""
    return Keys(
        links=links_secret(env) or _hex(kept(data / "secret")[0], str(data / "secret")),
        tokens=env.get("HANPAN_TOKEN_KEYS") or ",".join(kept(data / "token-key")),
        admin=env.get("HANPAN_ADMIN_TOKEN") or kept(data / "admin-token")[0],
    )


def links_secret(env: Mapping[str, str]) -> bytes:
    """HANPAN_SECRET; empty where it is not given. Raises `Problem`, which never shows it."""
    if not (text := env.get("HANPAN_SECRET", "")):
        return b""
    if len(secret := _hex(text, "HANPAN_SECRET")) < LEAST // 2:
        raise Problem("bad_config", f"HANPAN_SECRET must be given: {LEAST} hexadecimal digits or more", 2)
    return secret


def _hex(text: str, where: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as bad:
        raise Problem("bad_config", f"{where} is not hexadecimal", 2) from bad


def kept(path: Path) -> list[str]:
    """The keys in this file, one a line; the first is in use. One is made, at random, where there is no such file.

    The file is there whole or not at all, also where the machine loses power: half a key would be one that can be
    guessed. Raises `Problem` where it holds none, or one that is too short.
    """
    with contextlib.suppress(FileNotFoundError):
        return _read(path)
    _make(path)
    return _read(path)


def _read(path: Path) -> list[str]:
    keys = path.read_text().split()
    if not keys or any(len(key) < LEAST for key in keys):
        raise Problem("bad_secret", f"{path} must hold keys of {LEAST} characters or more, one a line", 2)
    return keys


def _make(path: Path) -> None:
    fd, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(fd, "w") as file:
            file.write(secrets.token_hex(MADE_BYTES))
            file.flush()
            os.fsync(fd)
        with contextlib.suppress(FileExistsError):  # another was quicker: its key counts
            os.link(name, path)
    finally:
        os.unlink(name)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
