"""다시 보기: a finished game, step by step, through one viewer's eyes.

The same log, the same engine, the same `view` and event filter as when it was played: a viewer sees what they could
see then, and nothing that stayed hidden comes out later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from cluster.entries import Began, Created, Entry, RoomSet
from cluster.link import Refusal
from cluster.link_io import RequestRefused
from cluster.recovery import FindGame, states
from cluster.room.audience import Situation, visible
from cluster.room.room import Room
from cluster.room.state import SeatState
from engines.kernel.contract import PlayerId, Rejected


class Shown(msgspec.Struct, frozen=True):
    """Who may be shown one game of a room."""

    players: frozenset[PlayerId]
    public: bool  # everybody: whoever came could watch, without a password, as long as this game was the table's

    def to(self, viewer: PlayerId | None) -> bool:
        return self.public or viewer in self.players


def shown(entries: Sequence[Entry]) -> list[Shown]:
    """The games that these entries begin, by their number. None is played again for that.

    A game is the table's until the next one begins. A room that is locked, or closed to spectators, before that does
    not show it any more; one that is opened afterwards does not show what was played behind a lock.
    """
    games: list[Shown] = []
    public = True
    for entry in entries:
        match entry.fact:
            case Created() | RoomSet() as room:
                public = room.spectators and not room.lock
                if games and not public:
                    games[-1] = Shown(games[-1].players, False)
            case Began(players=players):
                games.append(Shown(frozenset(players), public))
            case _:
                pass
    return games


def replay_of(entries: Sequence[Entry], find_game: FindGame, number: int, viewer: str | None) -> dict[str, Any]:
    """All steps of game ``number`` (from 0). Refuses ``no_such_game``, ``not_finished``, or as the game does."""
    frames: list[dict[str, Any]] = []
    began: Entry | None = None
    seated: dict[str, tuple[int, SeatState]] = {}  # by player, with the number of the seat
    last: Room | None = None
    for entry, room in zip(entries, states(entries, find_game), strict=True):
        lobby, table = room.state.lobby, room.state.table
        assert lobby is not None
        if isinstance(entry.fact, Began):
            if began is not None:
                break
            if lobby.games - 1 == number:
                began = entry
                seated = {seat.player: (i, seat) for i, seat in enumerate(lobby.seats) if seat is not None}
        if began is None or table is None:
            continue
        last = room
        frames.append(_frame(entry, room, began, viewer))
        if table.over:
            break
    if began is None or last is None:
        raise RequestRefused(Refusal("no_such_game", "그런 게임이 없어요"))
    table = last.state.table
    assert table is not None
    if not table.over:
        raise RequestRefused(Refusal("not_finished", "아직 끝나지 않은 게임이에요"))
    if (no := last.game.replay_refusal(table.state)) is not None:
        raise RequestRefused(_refusal(no))
    return {
        "room": last.state.lobby.room if last.state.lobby else "",
        "game": last.game.id,
        "number": number,
        "stateVersion": table.state_version,
        "players": [
            {"player": player, "name": seat.name, "seat": number, "bot": seat.bot}
            for player in table.players
            for number, seat in [seated[player]]
        ],
        "viewer": viewer if viewer in table.players else None,
        "result": last.game.result(table.state),
        "frames": frames,
    }


def _frame(entry: Entry, room: Room, began: Entry, viewer: str | None) -> dict[str, Any]:
    situation = Situation(room.game, room.state, {}, entry.seq, entry.at)
    eyes = None if viewer is None else situation.viewer(viewer)
    steps = room.missed(entry.seq - 1) or []
    events = [event for _, step in steps for event in visible(step, eyes)]
    return {"seq": entry.seq, "at": entry.at - began.at, "events": events, "view": situation.view(eyes)}


def _refusal(no: Rejected) -> Refusal:
    return Refusal(no.code, no.message)
