"""Where each alert fires, and where it does not: series as promtool writes them, a value every 15 seconds."""

from __future__ import annotations

import msgspec

Series = dict[str, str]


class Case(msgspec.Struct, frozen=True):
    """So it is, and so at this time these alerts fire: labels besides the severity, and what is said. Or none does."""

    why: str
    series: Series
    at: str = "5m"
    fires: tuple[tuple[dict[str, str], str], ...] = ()
    interval: str = "15s"


def on(labels: dict[str, str], says: str) -> tuple[dict[str, str], str]:
    return labels, says


def turns(game: str, all: str, fast: str) -> Series:
    return {
        f'hanpan_turn_seconds_count{{game="{game}", mode="m"}}': all,
        f'hanpan_turn_seconds_bucket{{game="{game}", mode="m", le="0.1"}}': fast,
    }


def answers(game: str, timeouts: str, accepted: str) -> Series:
    return {
        f'hanpan_timeouts_total{{game="{game}", mode="m", phase="p"}}': timeouts,
        f'hanpan_actions_total{{game="{game}", outcome="accepted", code="ok"}}': accepted,
    }


def recoveries(died: str, rooms: str, drained: str = "0x100") -> Series:
    return {
        'hanpan_recoveries_total{node="n", reason="died"}': died,
        'hanpan_recoveries_total{node="n", reason="drain"}': drained,
        'hanpan_room_processes{node="n"}': rooms,
    }


def disk(available: str, folder: str = "data") -> Series:
    name = f'hanpan_node_disk_bytes{{node="n", folder="{folder}", kind='
    return {f'{name}"total"}}': "1000x400", f'{name}"available"}}': available}


def memory(available: str) -> Series:
    return {
        'hanpan_node_memory_bytes{node="n", kind="total"}': "1000x100",
        'hanpan_node_memory_bytes{node="n", kind="available"}': available,
    }


def directory(gateway: str, node: str) -> Series:
    return {
        'hanpan_links{instance="gw", job="hanpan-gateways", kind="directory"}': gateway,
        'hanpan_links{instance="node", job="hanpan-nodes", kind="directory"}': node,
    }


def makes_rooms(can: str, *, directory: str = "1x100", instance: str = "gw") -> Series:
    return {
        f'hanpan_gateway_makes_rooms{{instance="{instance}"}}': can,
        f'hanpan_links{{instance="{instance}", job="hanpan-gateways", kind="directory"}}': directory,
    }


def starts(ok: str, failed: str) -> Series:
    return {
        'hanpan_process_starts_total{node="n", outcome="ok"}': ok,
        'hanpan_process_starts_total{node="n", outcome="failed"}': failed,
    }


NO_KEYS = "cannot fetch the identity provider's keys: its people will not be able to sign in"


def account_keys(ok: str, failed: str) -> Series:
    return {
        'hanpan_gateway_account_keys_total{instance="gw", outcome="ok"}': ok,
        'hanpan_gateway_account_keys_total{instance="gw", outcome="failed"}': failed,
    }


def hellos(ok: str, bad: str) -> Series:
    return {
        'hanpan_gateway_handshakes_total{code="ok"}': ok,
        'hanpan_gateway_handshakes_total{code="bad_token"}': bad,
    }


def spares(ready: str, wanted: str = "4x100", *, rooms: str = "10x100", node: str = "n") -> Series:
    return {
        f'hanpan_spares{{node="{node}"}}': ready,
        f'hanpan_spares_wanted{{node="{node}"}}': wanted,
        f'hanpan_room_processes{{node="{node}"}}': rooms,
        f'hanpan_process_limit{{node="{node}"}}': "50x100",
    }


def full(rooms: str) -> Series:
    return {
        'hanpan_room_processes{node="n"}': rooms,
        'hanpan_spares{node="n"}': "10x100",
        'hanpan_process_limit{node="n"}': "1000x100",
    }


def store(paused: str, unavailable: str) -> Series:
    return {
        'hanpan_rooms_paused{node="n"}': paused,
        'hanpan_log_errors_total{node="n", store="sqlite", kind="unavailable"}': unavailable,
    }


def appends(all: str, within: str) -> Series:
    name = 'hanpan_log_append_seconds_bucket{store="sqlite", le='
    return {f'{name}"0.05"}}': within, f'{name}"0.1"}}': all, f'{name}"+Inf"}}': all}


def recovery(all: str, within: str) -> Series:
    name = 'hanpan_recovery_seconds_bucket{node="n", le='
    return {f'{name}"1"}}': within, f'{name}"10"}}': all, f'{name}"+Inf"}}': all}


def drops(dropped: str, sockets: str) -> Series:
    return {
        'hanpan_outbox_drops_total{instance="gw"}': dropped,
        'hanpan_gateway_sockets{instance="gw"}': sockets,
    }


def sockets(open: str) -> Series:
    return {'hanpan_gateway_sockets{instance="gw"}': open, 'hanpan_gateway_sockets_limit{instance="gw"}': "1000x100"}


def up(job: str, value: str) -> Series:
    return {f'up{{job="{job}", instance="{job[7]}:1"}}': value}


_LATENCY = "the promise is that 99.9 % of turns take at most 100 ms"
_TIMEOUTS = "the promise is that 95 % of questions are answered in time"

CASES: dict[str, tuple[Case, ...]] = {
    "HanpanTurnLatencyBurn": (
        Case(
            "in one of two games every tenth turn is slow, for an hour and a quarter",
            turns("slow", "0+64x120", "0+56x120") | turns("good", "0+64x120", "0+64x120"),
            "75m",
            (
                on({"game": "slow", "window": "1h"}, f"slow: 12.5% fail over 1h; {_LATENCY}"),
                on({"game": "slow", "window": "6h"}, f"slow: 12.5% fail over 6h; {_LATENCY}"),
            ),
            "1m",
        ),
        Case(
            "one turn in 256 is slow for a day: no emergency, but not for ever",
            turns("g", "0+512x300", "0+510x300"),
            "23h",
            (
                on({"game": "g", "window": "1d"}, f"g: 0.3906% fail over 1d; {_LATENCY}"),
                on({"game": "g", "window": "3d"}, f"g: 0.3906% fail over 3d; {_LATENCY}"),
            ),
            "10m",
        ),
        Case("that was yesterday", turns("g", "0+512x300", "0+510x144 73952+512x156"), "40h", (), "10m"),
        Case("within the budget", turns("g", "0+10000x240", "0+9995x240"), "200m", (), "1m"),
        Case("hardly anybody plays, and half of it is slow", turns("g", "0+1x240", "0+0.5x240"), "200m", (), "1m"),
    ),
    "HanpanTimeoutsBurn": (
        Case(
            "in one game hardly anybody can answer, in another nobody ever did; in a third nothing ever timed out",
            answers("lost", "0+56x120", "0+8x120")
            | {'hanpan_timeouts_total{game="mute", mode="m", phase="p"}': "0+64x120"}
            | {'hanpan_actions_total{game="well", outcome="accepted", code="ok"}': "0+64x120"},
            "75m",
            tuple(
                [
                    on({"game": game, "window": window}, f"{game}: {share} fail over {window}; {_TIMEOUTS}")
                    for window in ("1h", "6h")
                    for game, share in (("lost", "87.5%"), ("mute", "100%"))
                ]
            ),
            "1m",
        ),
        Case("a person in thirty falls asleep", answers("g", "0+100x240", "0+2900x240"), "200m", (), "1m"),
    ),
    "HanpanTimeoutsSurge": (
        Case(
            "two hours of one in sixteen, then half of all",
            answers("g", "0+4x120 512+32x30", "0+60x120 7232+32x30"),
            "140m",
            (on({"game": "g"}, "g: 50% of questions time out, three times what is usual"),),
            "1m",
        ),
        Case("a game that is always like that", answers("g", "0+32x150", "0+32x150"), "140m", (), "1m"),
        Case("the same surge at night, when one room plays", answers("g", "0x120 0+1x30", "0+1x150"), "140m", (), "1m"),
    ),
    "HanpanEngineErrors": (
        Case(
            "an engine raises twice",
            {'hanpan_actions_total{game="g", outcome="refused", code="engine_error"}': "0x20 2x80"},
            "10m",
            (on({"game": "g"}, "g: its engine raised while it judged 2 actions"),),
        ),
        Case(
            "people do what may not be done", {'hanpan_actions_total{game="g", outcome="refused", code="x"}': "0+9x99"}
        ),
    ),
    "HanpanRecoveriesSurge": (
        Case(
            "a node with 20 of 100 rooms is lost",
            recoveries("0x20 20x80", "100x100"),
            "8m",
            (on({}, "20 rooms lost their process within ten minutes"),),
        ),
        Case("20 of 10,000 rooms", recoveries("0x20 20x80", "10000x100"), "8m"),
        Case("a node is drained", recoveries("0x100", "100x100", "0x20 20x80"), "8m"),
        Case("three of ten rooms: somebody tries things out", recoveries("0x20 3x80", "10x100"), "8m"),
    ),
    "HanpanRecoveriesSlow": (
        Case(
            "half of them take up to ten seconds",
            recovery("0+8x100", "0+4x100"),
            "20m",
            (on({}, "one lost room in a hundred is away for 9.82s or longer"),),
        ),
        Case("all are back within a second", recovery("0+8x100", "0+8x100"), "20m"),
        Case("nothing is lost", recovery("5x100", "2x100"), "20m"),
    ),
    "HanpanRoomsWithoutProcess": (
        Case(
            "two rooms wait",
            {'hanpan_rooms{state="placing", game="g"}': "9x100", "hanpan_rooms_overdue": "0x8 2x92"},
            "3m",
            (on({}, "2 rooms have been waiting for a process for more than a minute"),),
        ),
        Case(
            "many come, and none of them waits for long",
            {'hanpan_rooms{state="placing", game="g"}': "9x100", "hanpan_rooms_overdue": "0x100"},
        ),
        Case("one waited for just so long", {"hanpan_rooms_overdue": "0x8 1 0x91"}, "2m30s"),
    ),
    "HanpanRoomsStranded": (
        Case(
            "three rooms of a game that is gone",
            {'hanpan_rooms{state="stranded", game="g"}': "0x4 3x96"},
            "4m",
            (on({"game": "g"}, "g: 3 rooms wait for a node that can play their game"),),
        ),
        Case("a blink, while a node is rolled", {'hanpan_rooms{state="stranded", game="g"}': "0x4 3 0x95"}, "4m"),
    ),
    "HanpanRoomQuarantined": (
        Case(
            "one room",
            {'hanpan_rooms{state="quarantined", game="g"}': "0x4 1x96"},
            "2m",
            (on({"game": "g"}, "g: 1 rooms are quarantined; their people wait for an operator"),),
        ),
        Case("none", {'hanpan_rooms{state="quarantined", game="g"}': "0x100"}, "2m"),
    ),
    "HanpanNoSpares": (
        Case(
            "no node has one, for minutes",
            spares("4 0x99") | spares("0x100", rooms="50x100", node="full"),
            "5m",
            (on({}, "no node has a spare: rooms wait seconds to begin and to be brought back"),),
        ),
        Case("none for a moment", spares("4x14 0x3 1x83"), "5m"),
        Case("none are wanted", spares("0x100", "0x100"), "5m"),
        Case(
            "one node is full, another has some", spares("0x100", rooms="50x100") | spares("4x100", node="other"), "5m"
        ),
    ),
    "HanpanNodeWithoutSpares": (
        Case(
            "one of two starts none, though it may",
            spares("4 0x99") | spares("4x100", node="other"),
            "12m",
            (on({"node": "n"}, "n has had no spare for ten minutes, though it may start processes"),),
        ),
        Case("it is full", spares("0x100", rooms="50x100") | spares("4x100", node="other"), "12m"),
        Case("it is drained", spares("0x100", "0x100"), "12m"),
        Case("now and then it has one", spares("0 0 0 0 0 0 0 0 0 1 0x20 1 0x68"), "12m"),
    ),
    "HanpanNodeFull": (
        Case(
            "905 rooms and ten spares of 1000",
            full("905x100"),
            "11m",
            (on({"node": "n"}, "n has 91.5% of the room processes that it may have"),),
        ),
        Case("half", full("500x100"), "11m"),
    ),
    "HanpanStartsFail": (
        Case(
            "every second start fails",
            starts("0+1x100", "0+1x100"),
            "10m",
            (on({"node": "n"}, "n could not start 40 room processes within ten minutes"),),
        ),
        Case("one failed", starts("0+1x100", "0x10 1x90"), "10m"),
    ),
    "HanpanNodeAgentAbsent": (
        Case(
            "one of two does not answer",
            up("hanpan-nodes", "1 0x99") | {'up{job="hanpan-nodes", instance="other"}': "1x100"},
            "3m",
            (
                on(
                    {"job": "hanpan-nodes", "instance": "n:1"},
                    "the node agent at n:1 does not answer; its rooms play on, unwatched",
                ),
            ),
        ),
        Case(
            "nobody knows of any",
            up("hanpan-gateways", "1x100"),
            "3m",
            (on({"job": "hanpan-nodes"}, "the node agent at  does not answer; its rooms play on, unwatched"),),
        ),
        Case("one scrape was missed", up("hanpan-nodes", "1x10 0 1x89"), "3m"),
    ),
    "HanpanMemoryShort": (
        Case(
            "a sixteenth is left",
            memory("62.5x100"),
            "6m",
            (on({"node": "n"}, "n has 6.25% of its memory left"),),
        ),
        Case("half is left", memory("500x100"), "6m"),
    ),
    "HanpanDiskShort": (
        Case(
            "little is left",
            disk("50x400"),
            "12m",
            (on({"node": "n", "folder": "data"}, "n: the disk under its data folder is filling up"),),
        ),
        Case(
            "a fifth is left, but not for long",
            disk("600-1x400", "ray"),
            "99m",
            (on({"node": "n", "folder": "ray"}, "n: the disk under its ray folder is filling up"),),
        ),
        Case("half of it is left, and much is written to it just now", disk("900-1x400"), "90m"),
        Case("a fifth is left, and one file was written to it", disk("240x300 220x100"), "78m"),
        Case("it fills in weeks", disk("240-0.01x400"), "90m"),
    ),
    "HanpanLogStoreDown": (
        Case(
            "rooms are paused",
            store("0 3x99", "0+12x100"),
            "3m",
            (on({}, "the log store does not answer (3 rooms paused or appends failed)"),),
        ),
        Case(
            "no room is awake, and none can be woken",
            store("0x100", "0+2x100"),
            "3m",
            (on({}, "the log store does not answer (8 rooms paused or appends failed)"),),
        ),
        Case("it was down, and is back", store("3x4 0x96", "0+3x4 12x96"), "5m"),
        Case("one append failed", store("0x100", "0x8 1x92"), "2m45s"),
        Case("one room stood still for a moment", store("0x8 1 0x91", "0x8 2x92"), "2m45s"),
    ),
    "HanpanLogStoreErrors": (
        Case(
            "one append failed",
            store("0x100", "0x8 1x92"),
            "5m",
            (on({"store": "sqlite"}, "sqlite: 1 appends, claims or probes failed within 15 minutes"),),
        ),
        Case("that was half an hour ago", store("0x200", "0x8 1x192"), "35m"),
        Case(
            "another owned the room",
            {'hanpan_log_errors_total{node="n", store="sqlite", kind="conflict"}': "0+1x100"},
        ),
    ),
    "HanpanLogStoreSlow": (
        Case(
            "half of the appends take up to 100 ms",
            appends("0+64x100", "0+32x100"),
            "20m",
            (on({"store": "sqlite"}, "sqlite: one append in a hundred takes 99ms or longer"),),
        ),
        Case("all are within 50 ms", appends("0+64x100", "0+64x100"), "20m"),
    ),
    "HanpanLogConflicts": (
        Case(
            "two sides fight over rooms",
            {'hanpan_log_errors_total{node="n", store="postgres", kind="conflict"}': "0+1x100"},
            "10m",
            (on({}, "40 appends of owners that were none any more within ten minutes"),),
        ),
        Case(
            "one old owner woke up",
            {'hanpan_log_errors_total{node="n", store="postgres", kind="conflict"}': "0x10 1x90"},
            "10m",
        ),
    ),
    "HanpanGatewayAbsent": (
        Case(
            "it does not answer",
            up("hanpan-gateways", "1 0x99"),
            "3m",
            (on({"job": "hanpan-gateways", "instance": "g:1"}, "the gateway at g:1 does not answer"),),
        ),
        Case("one scrape was missed", up("hanpan-gateways", "1x10 0 1x89"), "3m"),
    ),
    "HanpanGatewayFull": (
        Case(
            "few more fit",
            sockets("950x100"),
            "6m",
            (on({"instance": "gw"}, "gw has 95% of the sockets that it takes"),),
        ),
        Case("many more fit", sockets("500x100"), "6m"),
    ),
    "HanpanGatewayOverloaded": (
        Case(
            "for most of five minutes",
            {'hanpan_gateway_overloaded{instance="gw"}': "0x4 1x40"},
            "8m",
            (on({"instance": "gw"}, "gw has turned new people away for 100% of five minutes"),),
        ),
        Case("a moment, now and then", {'hanpan_gateway_overloaded{instance="gw"}': "1 0 0 0 1 0 0 0 1 0x40"}, "6m"),
    ),
    "HanpanOutboxDrops": (
        Case(
            "40 of 1000 clients",
            drops("0+1x100", "1000x100"),
            "10m",
            (on({"instance": "gw"}, "gw gave up on 40 clients that did not read"),),
        ),
        Case("40 of 10,000", drops("0+1x100", "10000x100"), "10m"),
        Case("two of ten", drops("0x20 2x80", "10x100"), "10m"),
    ),
    "HanpanAccountKeysStale": (
        Case(
            "they are never to be had",
            account_keys("0x100", "0+1x100"),
            "40m",
            (on({"instance": "gw"}, f"gw {NO_KEYS}"),),
        ),
        Case("now and then they are not", account_keys("0+1x10 10+0x30", "0+1x20"), "15m"),
        Case("nobody has an account", account_keys("0x100", "0x100"), "40m"),
    ),
    "HanpanTokensRefused": (
        Case(
            "half of all hellos",
            hellos("0+8x100", "0+8x100"),
            "20m",
            (on({}, "50% of all hellos bring a token that is not accepted"),),
        ),
        Case("one in ten is old", hellos("0+9x100", "0+1x100"), "20m"),
        Case("a single client that does not give up", hellos("0x100", "0+1x100"), "20m"),
    ),
    "HanpanNoNewRooms": (
        Case(
            "the only node is drained",
            makes_rooms("1 0x99"),
            "3m",
            (on({}, "no room can be made or brought back: no node takes one"),),
        ),
        Case("its nodes are away for a moment", makes_rooms("1x10 0x3 1x87"), "3m30s"),
        Case(
            "one of two gateways is about to end", makes_rooms("1 0x99") | makes_rooms("1x100", instance="other"), "3m"
        ),
        Case("the directory is away: that is another alert", makes_rooms("0x100", directory="0x100"), "3m"),
    ),
    "HanpanDirectoryAbsent": (
        Case(
            "nobody has it",
            directory("1 0x99", "1 0x99"),
            "2m",
            (on({}, "nobody has the directory on the line: nothing begins, and nothing that dies comes back"),),
        ),
        Case("it was restarted", directory("1x6 0 1x93", "1x6 0 1x93"), "2m"),
        Case("one of two has it: that is another alert", directory("1 0x99", "1x100"), "2m"),
    ),
    "HanpanDirectoryUnreachable": (
        Case(
            "a gateway has lost it",
            directory("1 0x99", "1x100"),
            "4m",
            (
                on(
                    {"instance": "gw", "job": "hanpan-gateways", "kind": "directory"},
                    "gw does not reach the directory, and others do",
                ),
            ),
        ),
        Case("nobody has it: that is another alert", directory("0x100", "0x100"), "4m"),
    ),
    "HanpanStrangersAtTheLinks": (
        Case(
            "somebody knocks",
            {'hanpan_link_auth_failures_total{instance="node"}': "0x20 1x80"},
            "8m",
            (on({"instance": "node"}, "somebody without the cluster's secret dialled a link at node"),),
        ),
        Case("nobody does", {'hanpan_link_auth_failures_total{instance="node"}': "7x100"}, "8m"),
    ),
}
