"""From a log to a room: the newest snapshot and the entries after it, or all entries where it does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cluster.entries import Created, Entry
from cluster.faults import place_of
from cluster.log import Damaged, RoomLog, Unavailable
from cluster.room.room import CannotPlay, DigestMismatch, Room, Settings, saved_game
from engines.catalog import BrokenGame, UnknownGame
from engines.kernel.contract import Game

FindGame = Callable[[str], Game[Any]]


def find(find_game: FindGame, game: str) -> Game[Any]:
    """The game of this id. Raises `CannotPlay` where it is not installed here, or cannot be used."""
    try:
        return find_game(game)
    except UnknownGame as unknown:
        raise CannotPlay(f"{game} is not installed here") from unknown
    except BrokenGame as broken:
        raise CannotPlay(str(broken)) from broken


async def recover(
    log: RoomLog, find_game: FindGame, epoch: int, settings: Settings | None = None
) -> tuple[Room | None, str | None]:
    """The room as its log says it is, and why its snapshot could not be used, if so. None for an empty log.

    Raises `CannotPlay` where the game is not to be had here as the log needs it, `DigestMismatch` where the entries
    themselves do not replay, and what an engine raises.
    """
    snapshot = await log.snapshot()
    if snapshot is not None:
        try:
            head, *tail = await log.read(snapshot.seq - 1)
            room = Room(find(find_game, saved_game(snapshot.data)), epoch, settings)
            room.restore(snapshot.data, head.digest)
        except (Unavailable, Damaged):
            raise
        except Exception as unfit:  # also a bug in the game's `load`: the entries do not need it
            why = str(unfit) if isinstance(unfit, DigestMismatch) else place_of(unfit)
            return replayed(await log.read(), find_game, epoch, settings), why
        room.replay(tail)
        return room, None
    return replayed(await log.read(), find_game, epoch, settings), None


def replayed(
    entries: Sequence[Entry], find_game: FindGame, epoch: int, settings: Settings | None = None
) -> Room | None:
    """The room after all of these entries, from the first one on."""
    last = None
    for last in states(entries, find_game, epoch, settings):  # noqa: B007  # the last one is what is wanted
        pass
    return last


def states(
    entries: Sequence[Entry], find_game: FindGame, epoch: int = 0, settings: Settings | None = None
) -> Iterator[Room]:
    """The same room object after each entry in turn. Raises `DigestMismatch` at the first that does not fit.

    Raises `CannotPlay` as `recover` does.
    """
    if not entries:
        return
    first = entries[0].fact
    if not isinstance(first, Created):
        raise DigestMismatch("the log does not begin with the room's creation")
    room = Room(find(find_game, first.game), epoch, settings)
    for entry in entries:
        room.replay((entry,))
        yield room
