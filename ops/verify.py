"""Does a log hold what clients were told?

It is replayed from its first entry, without any snapshot (`cluster.inspection`). What clients saw is held against that:
every acknowledged action stands in the log once and where its acknowledgement said, and the last view of each is the
view that the replay gives for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from cluster.entries import Acted, Entry
from cluster.inspection import replay
from cluster.recovery import FindGame
from cluster.room.audience import Situation
from cluster.room.room import Room


class Witness(msgspec.Struct, frozen=True):
    """What one client was told."""

    player: str
    acks: dict[str, int]  # its actions, and the entry that was said to hold each
    seq: int | None  # the last entry it heard of
    view: dict[str, Any] | None  # its last view


class Proof(msgspec.Struct, frozen=True):
    """What one room's log says of what its clients were told."""

    lost: int  # acknowledged actions that the log does not hold, or not where it was said
    doubled: int  # actions that the log holds more than once
    digest_mismatches: int
    view_mismatches: int
    findings: tuple[str, ...]  # each of them, in words

    @property
    def ok(self) -> bool:
        return not self.findings


def prove(entries: Sequence[Entry], witnesses: Sequence[Witness], find_game: FindGame | None = None) -> Proof:
    """Holds what a room's clients were told against its whole log."""
    lost, doubled = _lost(entries, witnesses), _doubled(entries)
    verdict, room = replay(entries, find_game)
    digests = [] if verdict.ok else [f"entry {verdict.replayed + 1}: {verdict.why}"]
    views = [] if room is None else _unequal_views(room, witnesses)
    return Proof(len(lost), len(doubled), len(digests), len(views), (*lost, *doubled, *digests, *views))


def _lost(entries: Sequence[Entry], witnesses: Sequence[Witness]) -> list[str]:
    held = {(entry.who, entry.id, entry.seq) for entry in entries if isinstance(entry.fact, Acted)}
    return [
        f"{witness.player}'s action {id} was acknowledged as entry {seq}, which does not hold it"
        for witness in witnesses
        for id, seq in witness.acks.items()
        if (witness.player, id, seq) not in held
    ]


def _doubled(entries: Sequence[Entry]) -> list[str]:
    times = Counter((entry.who, entry.id) for entry in entries if entry.id is not None)
    return [f"{who}'s message {id} stands in the log {count} times" for (who, id), count in times.items() if count > 1]


def _unequal_views(room: Room, witnesses: Sequence[Witness]) -> list[str]:
    now = Situation(room.game, room.state, room.legal, room.seq, room.at)
    wrong = []
    for witness in witnesses:
        if witness.seq != room.seq:
            wrong.append(f"{witness.player} last heard of entry {witness.seq}, the log ends with {room.seq}")
            continue
        told = now.view(now.viewer(witness.player))
        if msgspec.json.decode(msgspec.json.encode(told)) != witness.view:
            wrong.append(f"{witness.player}'s view after entry {room.seq} is not the replay's")
    return wrong
