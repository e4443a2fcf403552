"""Settings, and the README's table of them."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

import msgspec
import pytest

import gateway
from gateway.app import serve
from gateway.config import ConfigError, Settings, from_env
from gateway.limits import Rate
from gateway.refusals import PARTINGS, REFUSALS

README = Path(gateway.__file__).parent / "README.md"


def test_the_environment_is_read():
    settings = from_env(
        {
            "HANPAN_PORT": "9000",
            "HANPAN_TOKEN_KEYS": " a, b ,",
            "HANPAN_WEB_RELOAD": "1",
            "HANPAN_PING_SECONDS": "2.5",
            "HANPAN_MESSAGES_RATE": "0",
            "HANPAN_NAME": "",
            "HANPAN_OTHER": "x",
        }
    )
    assert settings == Settings(port=9000, token_keys=("a", "b"), web_reload=True, ping_seconds=2.5, messages_rate=0.0)
    assert settings.rates.messages == Rate(0.0, 60.0)


def test_what_is_given_goes_before_the_environment():
    env = {"HANPAN_PORT": "9000", "HANPAN_HOST": "::"}
    assert from_env(env, port=1, host=None) == Settings(port=1, host="::")


@pytest.mark.parametrize("value", ["many", "-1", "inf", "nan", "1e999"])
def test_what_is_no_number_is_refused_by_name(value: str):
    with pytest.raises(ConfigError, match="HANPAN_PING_SECONDS") as wrong:
        from_env({"HANPAN_PING_SECONDS": value})
    assert value not in str(wrong.value)


@pytest.mark.parametrize("missing", ["directory", "secret", "token_keys"])
async def test_a_gateway_does_not_start_without(missing: str):
    given = {"directory": "localhost:1", "secret": "00" * 32, "token_keys": ("k" * 32,)}
    with pytest.raises(ConfigError, match=f"HANPAN_{missing.upper()}"):
        await serve(Settings(**{**given, missing: type(given[missing])()}))


async def test_a_secret_that_is_not_hex_is_not_shown():
    with pytest.raises(ConfigError, match="HANPAN_SECRET") as wrong:
        await serve(Settings(directory="localhost:1", secret="hush", token_keys=("k" * 32,)))
    assert "hush" not in str(wrong.value)


async def test_a_key_that_is_too_short_is_refused_before_anything_is_made_and_not_shown():
    with pytest.raises(ConfigError, match="HANPAN_TOKEN_KEYS") as wrong:
        await serve(Settings(directory="localhost:1", secret="00" * 32, token_keys=("k" * 32, "hush")))
    assert "hush" not in str(wrong.value)


def test_settings_do_not_show_their_secrets():
    shown = repr(Settings(secret="hush", token_keys=("hush",), admin_token="hush"))
    assert "hush" not in shown


def test_the_readme_has_every_setting_and_its_default():
    rows = re.findall(r"^\| (`HANPAN_[^|]*) \| ([^|]*) \|", README.read_text(), re.MULTILINE)
    defaults = {}
    for names, values in rows:
        found = re.findall(r"`HANPAN_(\w+)`", names)
        given = [value.strip(" `") for value in values.split(",")] if len(found) > 1 else [values.strip(" `")]
        defaults |= dict(zip(found, given, strict=True))
    assert {name.upper() for name in Settings.__struct_fields__} == set(defaults)
    for name, default in zip(Settings.__struct_fields__, Settings.__struct_defaults__, strict=True):
        shown = defaults[name.upper()]
        if default in ("", ()):
            assert shown.startswith("none")
        elif isinstance(default, str):
            assert shown == default
        else:
            assert float(shown) == float(default)


def test_the_readme_has_every_limit_with_its_default_and_a_sentence():
    """The table of limits: each setting is one, each default is its, each code has a sentence."""
    table = README.read_text().partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| `([\w.]+)` \| ([^|]+) \| ([^|]+) \|", table, re.MULTILINE)
    assert len(rows) > 35
    for _, where, default, codes in rows:
        for code in re.findall(r"`(\w+)`", codes):
            assert code in REFUSALS or code in PARTINGS, code
        if "." not in where:
            shown = re.match(r"[\d.]+", default)
            assert shown is not None, where
            seconds = float(shown[0]) * {"KiB": 1024, "h": 3600}.get(
                default[shown.end() :].strip().partition("/")[0], 1
            )
            assert seconds == getattr(Settings(), where), where
        else:
            module, _, name = where.rpartition(".")
            owner = pkgutil.resolve_name(module)
            if isinstance(owner, type):
                [value] = [field.default for field in msgspec.structs.fields(owner) if field.name == name]
                assert default == str(value), where
            elif name.isupper():
                assert default.startswith(str(getattr(owner, name))), where
            else:
                assert name == "Rates"  # of which the row says two figures
                assert default == "{0.per_second}/s, {0.burst}".format(owner.Rates().strikes), where
    limits = {
        name for name in Settings.__struct_fields__ if re.search(r"_rate$|_bytes$|sessions|strangers|connect", name)
    }
    assert limits <= {where for _, where, _, _ in rows}
