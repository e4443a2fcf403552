"""What a log shows to whoever looks into a room: does it replay, how did things stand, what happened when.

It is shown as anybody in the room could see it. What only some may see, and what nobody may, is left out: seeds, what
is in a move beside its type, events with an audience, and any field that is not named here. Those are in the log
itself, which is for `Reveal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from cluster.entries import Acted, Created, Entry
from cluster.faults import place_of
from cluster.recovery import FindGame, states
from cluster.room.audience import Situation, visible
from cluster.room.room import CannotPlay, DigestMismatch, Room
from engines.catalog import GAMES

# What of facts and of the lobby everyone in the room is told. What is added to them is a secret until it stands here.
SHOWN = frozenset(
    """
    room code game creator options seats public spectators autoStart host banned games closed status reason
    player players name seat bot ready left stateVersion decision
    """.split()  # noqa: SIM905  # as words, it can be read
)


class Verdict(msgspec.Struct, frozen=True):
    """What a replay of one log came to."""

    game: str | None
    entries: int
    replayed: int  # entries whose digests came out as logged; the next one did not
    why: str | None = None  # what is wrong

    @property
    def ok(self) -> bool:
        return self.why is None


class Line(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One entry, without secrets."""

    seq: int
    epoch: int
    at: int  # ms of room time since the room's first entry
    kind: str
    fact: dict[str, Any]
    hidden: list[str] = []  # what of the fact was left out
    who: str | None = None
    id: str | None = None
    digest: str
    events: list[dict[str, Any]] | None = None  # what everyone was told of it; None: it does not replay


class Inspection(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A log, replayed."""

    verdict: Verdict
    seq: int  # what follows is how things stood after this entry; 0: nothing replays
    at: int  # ms of room time since the first entry
    lobby: dict[str, Any] | None
    view: dict[str, Any] | None  # what a spectator sees; None before the first game
    asked: list[str]  # players whose answer the game waits for
    deadline_in: int | None  # ms from that entry to the timeout
    lines: list[Line]


def check_log(entries: Sequence[Entry], find_game: FindGame | None = None) -> Verdict:
    """Replays the whole log, and compares every digest."""
    return replay(entries, find_game)[0]


def replay(entries: Sequence[Entry], find_game: FindGame | None = None) -> tuple[Verdict, Room | None]:
    """The verdict, and the room after the last entry if all of them replay."""
    verdict, room = _replayed(entries, find_game, lambda entry, room: None)
    return verdict, room if verdict.ok else None


def inspect(
    entries: Sequence[Entry],
    find_game: FindGame | None = None,
    *,
    seq: int | None = None,
    first: int | None = None,
    limit: int = 50,
) -> Inspection:
    """Replays the whole log, and shows how things stood after entry ``seq``, and ``limit`` entries from ``first`` on.

    Without ``seq`` it is the last entry that replays; without ``first`` the last ``limit`` entries are listed.
    """
    start = max(1, len(entries) - limit + 1) if first is None else max(1, first)
    listed = range(start, start + limit)
    told: dict[int, list[dict[str, Any]]] = {}
    stood: _Moment | None = None

    def look(entry: Entry, room: Room) -> None:
        nonlocal stood
        if entry.seq in listed:
            steps = room.missed(entry.seq - 1) or []
            told[entry.seq] = [event for _, events in steps for event in visible(events, None)]
        if entry.seq == seq:
            stood = _Moment.of(room)

    verdict, room = _replayed(entries, find_game, look)
    if stood is None and room is not None:
        stood = _Moment.of(room)
    stood = stood or _Moment()
    began = entries[0].at if entries else 0
    return Inspection(
        verdict=verdict,
        seq=stood.seq,
        at=max(0, stood.at - began),
        lobby=stood.lobby,
        view=stood.view,
        asked=stood.asked,
        deadline_in=stood.deadline_in,
        lines=[_line(entry, began, told.get(entry.seq)) for entry in entries if entry.seq in listed],
    )


class _Moment(msgspec.Struct, frozen=True):
    seq: int = 0
    at: int = 0
    lobby: dict[str, Any] | None = None
    view: dict[str, Any] | None = None
    asked: list[str] = []
    deadline_in: int | None = None

    @classmethod
    def of(cls, room: Room) -> _Moment:
        situation = Situation(room.game, room.state, room.legal, room.seq, room.at)
        running = room.state.running
        lobby: dict[str, Any] = msgspec.to_builtins(room.state.lobby)
        seats = [seat and {name: seat[name] for name in seat if name in SHOWN} for seat in lobby["seats"]]
        lobby = {name: value for name, value in lobby.items() if name in SHOWN} | {"seats": seats}
        return cls(
            room.seq,
            room.at,
            lobby,
            situation.view(None),
            [] if running is None else list(running.questions),
            situation.deadline_in,
        )


def _replayed(entries: Sequence[Entry], find_game: FindGame | None, look: Any) -> tuple[Verdict, Room | None]:
    """The verdict, and the room after the last entry that replays. ``look(entry, room)`` is called after each."""
    find_game = find_game or GAMES.__getitem__
    if not entries:
        return Verdict(None, 0, 0, "the log is empty"), None
    begun = entries[0].fact
    game = begun.game if isinstance(begun, Created) else None
    replayed, room = 0, None
    try:
        for replayed, room in enumerate(states(entries, find_game), 1):
            look(entries[replayed - 1], room)
    except (DigestMismatch, CannotPlay) as wrong:
        return Verdict(game, len(entries), replayed, f"{type(wrong).__name__}: {wrong}"), room
    except Exception as bug:  # whatever an engine does with a state that it did not expect
        return Verdict(game, len(entries), replayed, place_of(bug)), room
    return Verdict(game, len(entries), replayed), room


def _line(entry: Entry, began: int, events: list[dict[str, Any]] | None) -> Line:
    fact: dict[str, Any] = msgspec.to_builtins(entry.fact)
    kind = fact.pop("kind")
    hidden = [name for name in fact if name not in SHOWN]
    fact = {name: value for name, value in fact.items() if name in SHOWN}
    if isinstance(entry.fact, Acted):
        action = entry.fact.action
        hidden = [name for name in hidden if name != "action"]
        hidden += [f"action.{name}" for name in action if name != "type"]
        fact["action"] = {name: value for name, value in action.items() if name == "type"}
    return Line(
        seq=entry.seq,
        epoch=entry.epoch,
        at=max(0, entry.at - began),
        kind=kind,
        fact=fact,
        hidden=hidden,
        who=entry.who,
        id=entry.id,
        digest=entry.digest,
        events=events,
    )
