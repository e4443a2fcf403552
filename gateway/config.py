"""Every setting of a gateway, its default, and the environment variable that changes it: HANPAN_ and its name.

The README's table is made from this one, and a test holds them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec

from gateway.accounts import ADDED, is_sign_in
from gateway.auth import KEY_LENGTH
from gateway.limits import Rate
from gateway.session import Rates
from ops.logs import LEVELS

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
    guests: bool = True  # may people come without an account?
    accounts_jwks: str = ""  # where the deployment's identity provider publishes its keys; none: no accounts
    accounts_issuer: str = ""
    accounts_audience: str = ""
    accounts_name: str = "name"  # the claim that has the name to be shown
    accounts_sign_in: str = ""  # where the page sends people to sign in; none: it offers no way to
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
    idle_seconds: float = 10_800.0  # a session from which nothing comes but signs of life; 0: may stay for ever
    close_seconds: float = 5.0  # a socket's last words have so long to arrive
    messages_rate: float = 20.0  # a second; 0: any number
    messages_burst: float = 60.0
    bytes_rate: float = 32_768.0
    bytes_burst: float = 131_072.0
    commands_rate: float = 2.0  # of the messages, those that are no move
    commands_burst: float = 30.0

    # many sessions; people behind one address of a mobile network share these
    sessions: int = 20_000
    sessions_per_address: int = 5_000
    sessions_each: int = 20  # one person
    strangers_per_address: int = 1_000  # sockets of an address that have not said who they are
    connections: int = 25_000  # TCP connections, whatever they are for
    connections_per_address: int = 6_000  # where no proxy is before us
    keepalive_seconds: float = 75.0  # a connection without a whole request is closed
    lag_seconds: float = 1.0  # an event loop that is so late takes on nothing new; 0: never mind

    # coming into rooms, and the lobby: a second and at once
    joins_rate: float = 200.0  # an address
    joins_burst: float = 5_000.0
    joins_each_rate: float = 2.0  # one person
    joins_each_burst: float = 100.0
    keys_rate: float = 1.0  # wrong passwords of rooms, an address
    keys_burst: float = 100.0
    keys_each_rate: float = 0.1  # one person
    keys_each_burst: float = 10.0
    guests_rate: float = 20.0  # an address
    guests_burst: float = 2_000.0
    guests_each_rate: float = 0.2  # renewals and new names, one person
    guests_each_burst: float = 30.0
    creates_rate: float = 10.0  # an address, for rooms and quick matches
    creates_burst: float = 2_000.0
    creates_each_rate: float = 2.0  # the same, one person
    creates_each_burst: float = 500.0
    codes_rate: float = 2.0  # wrong codes, an address; who guesses needs half a billion
    codes_burst: float = 60.0
    codes_each_rate: float = 0.1  # one person
    codes_each_burst: float = 20.0
    replays_rate: float = 5.0  # finished games, an address: each may take a process for a while
    replays_burst: float = 100.0
    replays_each_rate: float = 0.2  # one person
    replays_each_burst: float = 20.0
    reads_rate: float = 100.0  # everything else, an address
    reads_burst: float = 2_000.0
    reads_each_rate: float = 10.0  # one person
    reads_each_burst: float = 300.0
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
            commands=Rate(self.commands_rate, self.commands_burst),
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


def check(settings: Settings) -> None:
    """What has no default must be given, and all must go together. Raises `ConfigError`, which never shows a value."""
    for name in ("directory", "secret", "token_keys"):
        if not getattr(settings, name):
            raise ConfigError(f"HANPAN_{name.upper()} is not set")
    for address in settings.drain_to:
        if not address.startswith(("http://", "https://")):
            raise ConfigError("HANPAN_DRAIN_TO has an address that does not begin with http:// or https://")
    if any(len(key) < KEY_LENGTH for key in settings.token_keys):
        raise ConfigError(f"HANPAN_TOKEN_KEYS has a key of fewer than {KEY_LENGTH} characters")
    try:
        bytes.fromhex(settings.secret)
    except ValueError as bad:
        raise ConfigError("HANPAN_SECRET is not hexadecimal") from bad
    if settings.log_level not in LEVELS:
        raise ConfigError(f"HANPAN_LOG_LEVEL is none of {', '.join(LEVELS)}")
    if settings.accounts_jwks and not (settings.accounts_issuer and settings.accounts_audience):
        raise ConfigError("with HANPAN_ACCOUNTS_JWKS, set HANPAN_ACCOUNTS_ISSUER and HANPAN_ACCOUNTS_AUDIENCE")
    if settings.accounts_sign_in and not settings.accounts_jwks:
        raise ConfigError("with HANPAN_ACCOUNTS_SIGN_IN, set HANPAN_ACCOUNTS_JWKS")
    if settings.accounts_sign_in and not is_sign_in(settings.accounts_sign_in):
        raise ConfigError(
            "HANPAN_ACCOUNTS_SIGN_IN must be an https:// address (or http:// of this machine), "
            f"without a fragment, a password, or one of {', '.join(sorted(ADDED))}"
        )
    if not settings.guests and not settings.accounts_jwks:
        raise ConfigError("without guests and without HANPAN_ACCOUNTS_JWKS nobody could come in")


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
