"""Sealed games for tests: people whose clients add a number, on a `Desk`, playing at random."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

from cluster.messages import Ack, Lend, Pledge, Sit, Start
from cluster.room.room import Settings
from engines.catalog import GAMES
from engines.kernel import sealed
from engines.kernel.legal import sample
from tests.cluster.desk import Desk

SECRET = sha256(b"a secret of the room's").digest()


def number_of(player: str, game: int = 0) -> str:
    """The number that this player adds: 32 bytes in hex."""
    return sha256(f"{player} {game}".encode()).hexdigest()


def pledge_of(player: str, game: int = 0) -> str:
    return sealed.pledge_of(player, bytes.fromhex(number_of(player, game)))


def pledged(game: str, *players: str, secret: bytes = SECRET, options: dict[str, Any] | None = None) -> Desk:
    """A room in which these people sit, and all have pledged."""
    desk = Desk(
        GAMES[game],
        Settings(bot_delay=(0, 0)),
        chance=secret,
        seats=max(len(players), GAMES[game].min_players),
        creator=players[0],
        options=options or {},
    )
    desk.comes(*players)
    for player in players:
        assert isinstance(desk.do(player, Sit, pledge=pledge_of(player)), Ack)
    return desk


def started(game: str, *players: str, silent: tuple[str, ...] = (), **kwargs: Any) -> Desk:
    """The same, and the host has started; ``silent`` do not open their numbers, and time has passed."""
    desk = pledged(game, *players, **kwargs)
    ready(desk, *players)
    for player in players:
        if player not in silent:
            assert isinstance(desk.do(player, Lend, number=number_of(player)), Ack)
    if silent:
        desk.now += 2_000
        desk.due()
    assert desk.lobby.status == "playing"
    return desk


def ready(desk: Desk, *players: str) -> None:
    from cluster.messages import Ready

    for player in players[1:]:
        desk.do(player, Ready)
    assert isinstance(desk.do(players[0], Start), Ack)


def again(desk: Desk, *players: str, game: int) -> None:
    """After a game: new numbers, and all are ready for another."""
    from cluster.messages import Ready

    for player in players:
        assert isinstance(desk.do(player, Pledge, pledge=pledge_of(player, game)), Ack)
    for player in players:
        assert isinstance(desk.do(player, Ready), Ack)
    for player in players:
        assert isinstance(desk.do(player, Lend, number=number_of(player, game)), Ack)


def played(desk: Desk, rng: Random, most: int = 3_000) -> Desk:
    """Plays on at random, until the game is over or so many moves are made."""
    for _ in range(most):
        if desk.lobby.status != "playing":
            return desk
        gone = {player for player, status in desk.table.presence.items() if status == "left"}
        asked = {player: legal for player, legal in desk.room.legal.items() if legal and player not in gone}
        desk.now += 1
        if not asked or rng.random() < 0.03:
            deadline = desk.room.deadline()
            assert deadline is not None
            desk.now = max(desk.now, deadline)
            desk.due()
            continue
        player = rng.choice(sorted(asked))
        assert isinstance(desk.play(player, sample(asked[player], rng)), Ack)
    return desk
