"""Every setting of a gateway, its default, and the environment variable that changes it: HANPAN_ and its name.

The README's table is made from this one, and a test holds them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec

from gateway.limits import Rate
from gateway.session import Rates

PREFIX = "HANPAN_"
SECRET_FIELDS = frozenset({"secret", "token_keys", "admin_token"})


class ConfigError(ValueError):
    """A setting is missing or cannot be read. Names it, never its value."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A gateway's settings."""

    # where it listens, and whom it belongs to
    host: str = "127.0.0.1"
    port: int = 8080
    directory: str = ""  # host:port of the directory
    secret: str = ""  # hex; what links prove that they know
    name: str = "gateway"  # in logs and links

    # people
    token_keys: tuple[str, ...] = ()  # the first signs, all are accepted; 32 characters or more each
    token_days: float = 30.0
    admin_token: str = ""  # none: nobody is an operator here
    origins: tuple[str, ...] = ()  # pages of other hosts that may connect: https://example.org
    proxies: int = 0  # proxies of our own before us, whose X-Forwarded-For is believed

    # the page
    web_reload: bool = False  # look at the files again at each request: for whoever works on them

    # one session
    frame_bytes: int = 16_384  # a client's message
    outbox_bytes: int = 262_144  # waiting for a client that does not read
    hello_seconds: float = 10.0  # until a socket must be attached
    ping_seconds: float = 20.0  # between pings; a peer silent for three of them is gone
    close_seconds: float = 5.0  # a socket's last words have so long to arrive
    messages_rate: float = 20.0  # a second; 0: any number
    messages_burst: float = 60.0
    bytes_rate: float = 32_768.0
    bytes_burst: float = 131_072.0

    # many sessions; people behind one address of a mobile network share these
    sessions: int = 20_000
    sessions_per_address: int = 5_000

    # the lobby, a second and at once
    guests_rate: float = 20.0  # an address
    guests_burst: float = 2_000.0
    creates_rate: float = 10.0  # an address, for rooms and quick matches
    creates_burst: float = 2_000.0
    creates_each_rate: float = 2.0  # the same, one person
    creates_each_burst: float = 500.0
    codes_rate: float = 2.0  # wrong codes, an address; who guesses needs half a billion
    codes_burst: float = 60.0
    reads_rate: float = 100.0  # everything else, an address
    reads_burst: float = 2_000.0
    body_bytes: int = 65_536
    body_seconds: float = 10.0

    # the end
    drain_wait: float = 0.0  # seconds not ready, but serving, for load balancers to notice
    drain_spread: float = 2.0  # clients are told to come back within so many seconds, each at its own time
    drain_to: tuple[str, ...] = ()  # and where, if no balancer makes all gateways one address: https://b.example.org

    # logs
    log: str = ""  # a file; standard error where there is none
    log_level: str = "info"

    def __repr__(self) -> str:
        return f"Settings(host={self.host!r}, port={self.port}, …)"  # never the secrets

    @property
    def rates(self) -> Rates:
        return Rates(
            messages=Rate(self.messages_rate, self.messages_burst),
            bytes=Rate(self.bytes_rate, self.bytes_burst),
        )


def from_env(env: Mapping[str, str], **given: Any) -> Settings:
    """The settings from the environment; what is ``given``, and not None, goes before it."""
    types = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        text = env.get(PREFIX + name.upper())
        if text is not None and text != "":
            values[name] = _read(name, types[name], text)
    values.update({name: value for name, value in given.items() if value is not None})
    return Settings(**values)


def _read(name: str, kind: Any, text: str) -> Any:
    if kind is str:
        return text
    if kind == tuple[str, ...]:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind is bool:
        return text.lower() in ("1", "true", "yes", "on")
    try:
        number = kind(text)
    except ValueError as bad:
        raise ConfigError(f"{PREFIX}{name.upper()} is not a number") from bad
    if not 0 <= number < float("inf"):
        raise ConfigError(f"{PREFIX}{name.upper()} is out of range")
    return number
