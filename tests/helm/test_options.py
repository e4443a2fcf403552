"""Everything that hanpan can be told reaches the pods through values, or stands here with the reason why it does not.

What can be told is asked of hanpan itself: the variables that `hanpan up`, `join` and `gateway` name in their help, and
every setting of a gateway. So a new option is missing here until somebody has decided about it.
"""

from __future__ import annotations

import re
from typing import Any, get_type_hints

import msgspec
import pytest

from cluster.room.room import Settings as Room
from gateway.config import Settings, from_env
from ops import cli
from ops.logs import LEVELS
from tests.helm.chart import environment, merged, pods, set_
from tests.helm.test_values import DEFAULTS, SCHEMA

IN_GATEWAYS = SCHEMA["properties"]["gateway"]["properties"]["settings"]["properties"]  # by a setting's own name


def group(**more: Any) -> dict[str, Any]:
    """Values whose group of nodes differs by this."""
    return set_("rooms.groups", [{**DEFAULTS["rooms"]["groups"][0], **more}])


def secret(key: str) -> dict[str, Any]:
    return {"secretKeyRef": {"name": "mine", "key": key}}


# Values that differ from the defaults, and what becomes of the variable.
BY_VALUES: dict[str, tuple[dict[str, Any], Any]] = {
    "HANPAN_ADMIN_TOKEN": (set_("secrets.existing", "mine"), secret("adminToken")),
    "HANPAN_CHAOS": (set_("chaos.enabled", True), "1"),
    "HANPAN_DIRECTORY": (set_("directory.port", 7500), "play-hanpan-directory.games.svc.cluster.local:7500"),
    "HANPAN_DRAIN_SECONDS": (set_("rooms.drainSeconds", 33), "33"),
    "HANPAN_DRAIN_SPREAD": (set_("gateway.drain.spreadSeconds", 7), "7"),
    "HANPAN_HEADROOM": (set_("ray.autoscaling", {"enabled": True, "headroom": 77}), "77"),
    "HANPAN_KEEP_DAYS": (set_("store.keepDays", 0.5), "0.5"),
    "HANPAN_LEAST_NODES": (merged(group(minReplicas=5), set_("ray.autoscaling.enabled", True)), "5"),
    "HANPAN_LIMIT": (group(slots=9), "9"),
    "HANPAN_LISTEN": (set_("directory.port", 7500), "0.0.0.0:7500"),
    "HANPAN_LOG_LEVEL": (set_("logLevel", "debug"), "debug"),
    "HANPAN_ROOMS_EACH": (set_("rooms.each", 5), "5"),
    "HANPAN_ROOM_MEMORY": (group(roomMemory=0), "0"),
    "HANPAN_ROOM_SETTINGS": (set_("rooms.settings", {"watchers": 9}), '{"watchers":9}'),
    "HANPAN_ROOM_PORTS": (set_("rooms.ports", {"from": 21_000, "to": 21_999}), "21000-21999"),
    "HANPAN_SECRET": (set_("secrets.existing", "mine"), secret("links")),
    "HANPAN_SPARES": (group(spares=7), "7"),
    "HANPAN_SPARES_MOST": (group(sparesMost=50), "50"),
    "HANPAN_STORE": (set_("store", {"existingSecret": "mine", "key": "dsn"}), secret("dsn")),
    "HANPAN_TOKEN_KEYS": (set_("secrets.existing", "mine"), secret("tokenKeys")),
}
NOT_BY_VALUES = {
    "HANPAN_DATA": "a pod keeps nothing: logs are in PostgreSQL, and the secrets in a Secret",
    "HANPAN_DRAIN_TO": "all gateways are behind one address, the Service's",
    "HANPAN_DRAIN_WAIT": "the preStop hook waits, before a gateway hears that it is to end: gateway.drain.waitSeconds",
    "HANPAN_FOUND_AT": "gateways find rooms at the pod's own address",
    "HANPAN_HOST": "the pod's own address",
    "HANPAN_LOG": "a container's log is its standard error",
    "HANPAN_METRICS_PORT": "9640, as the pod's port and the NetworkPolicy say",
    "HANPAN_NAME": "the pod's name",
    "HANPAN_PORT": "8080, as the pod's port says; gateway.service.port is what others see",
    "HANPAN_ROLE": "stands in the arguments: the head is the directory's, all others have rooms",
    "HANPAN_WEB_RELOAD": "for whoever works on the page",
}


def known() -> set[str]:
    """The variables that a deployment's commands read."""
    found = {f"HANPAN_{name.upper()}" for name in Settings.__struct_fields__}
    for command in ("up", "join", "gateway"):
        parser = cli.make_parser(command)._subparsers._group_actions[0].choices[command]  # type: ignore[union-attr,index]
        found |= set(re.findall(r"HANPAN_[A-Z_]+", parser.format_help()))
    return found


def environments(values: dict[str, Any]) -> dict[str, Any]:
    """What the variables are, in whatever pod."""
    found: dict[str, Any] = {}
    for _, pod in pods(values):
        found |= environment(pod["spec"]["containers"][0])
    return found


def test_every_option_is_settable_through_values_or_has_a_reason() -> None:
    in_gateways = {f"HANPAN_{name.upper()}" for name in IN_GATEWAYS}
    decided = [*BY_VALUES, *in_gateways, *NOT_BY_VALUES]
    assert len(decided) == len(set(decided))
    assert sorted(decided) == sorted(known())


@pytest.mark.parametrize("variable", BY_VALUES)
def test_a_value_reaches_its_variable(variable: str) -> None:
    values, expected = BY_VALUES[variable]
    assert environments({}).get(variable) != expected
    assert environments(values)[variable] == expected


def test_levels_of_the_log_are_those_that_there_are() -> None:
    assert SCHEMA["properties"]["logLevel"]["enum"] == list(LEVELS)


def test_every_setting_of_rooms_arrives_as_they_read_it() -> None:
    settings = {name: [20, 60] if name == "bot_delay" else 5_000_000 for name in Room.__struct_fields__}
    assert set(SCHEMA["properties"]["rooms"]["properties"]["settings"]["properties"]) == set(settings)
    text = environments(set_("rooms.settings", settings))["HANPAN_ROOM_SETTINGS"]
    assert msgspec.json.decode(text, type=Room) == msgspec.convert(settings, Room)


def test_every_setting_of_a_gateway_arrives_as_it_was_written() -> None:
    """Fractions too: a rate of which 0 were left would be no limit at all."""
    samples = {
        str: "https://a.example.org",
        int: 5_000_000,
        float: 0.25,
        bool: 0,
        tuple[str, ...]: "https://a,https://b",
    }
    types = get_type_hints(Settings)
    given = {name: samples[types[name]] for name in IN_GATEWAYS}
    [gateway] = [pod for name, pod in pods(set_("gateway.settings", given)) if name == "play-hanpan-gateway"]
    variables = environment(gateway["spec"]["containers"][0])
    settings = from_env({name: value for name, value in variables.items() if isinstance(value, str)})
    read = {str: str, int: int, float: float, bool: bool, tuple[str, ...]: lambda text: tuple(text.split(","))}
    assert {name: getattr(settings, name) for name in given} == {
        name: read[types[name]](value) for name, value in given.items()
    }
