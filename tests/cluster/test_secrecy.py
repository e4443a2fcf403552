"""No secret leaves a room: what a viewer is sent depends on nothing that the viewer may not see."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cluster.entries import Began, Entry
from cluster.messages import Leave, Sit
from cluster.replay import replay_of
from cluster.room.audience import Audience, Session, Situation
from cluster.room.decide import Person
from cluster.room.room import Decision
from tests.cluster.desk import CHANCE, Desk, playing
from tests.cluster.lamps import GAME

VIEWERS = ["anna", "bob", "cora", "watcher"]
OTHER_CHANCE = CHANCE[::-1]


class Told(Desk):
    """A desk that also tells everyone, as the host does; and keeps every frame by who got it."""

    def __init__(self, **kwargs: Any) -> None:
        self.audience: Audience[str] = Audience()
        self.frames: dict[str, list[bytes]] = {player: [] for player in VIEWERS}
        super().__init__(**kwargs)

    def situation(self) -> Situation:
        return Situation(self.game, self.room.state, self.room.legal, self.room.seq, self.now)

    def attach(self, player: str, missed_from: int | None = None) -> None:
        session = Session(player, Person(player, player.title()))
        self.audience.enter(session)
        missed = None if missed_from is None else self.room.missed(missed_from)
        self._deliver([self.audience.welcome(self.situation(), session, missed)])
        self._deliver(self.audience.tell_presence(self.lobby, player, True))

    def _write(self, decision: Decision) -> None:
        super()._write(decision)
        self._deliver(
            self.audience.tell_step(
                self.situation(),
                decision.outcome.events,
                lobby_changed=decision.lobby_changed,
                game_changed=decision.game_changed,
            )
        )

    def _deliver(self, tellings: Any) -> None:
        for telling in tellings:
            for session in telling.to:
                self.frames[session.key].append(telling.message)


def lived(chance: bytes) -> Told:
    """A whole life of a room: a game with timeouts, absences, a resume, and a welcome at the end."""
    desk = Told(seats=3, auto_start=True, chance=CHANCE)  # the same invitation: no secret of the game's
    desk.chance = chance
    for player in VIEWERS:
        desk.comes(player)
        desk.attach(player)
    for player in ("anna", "bob", "cora"):
        desk.do(player, Sit)
    desk.play("anna")
    desk.now = desk.room.deadline()
    desk.due()
    desk.goes("bob")
    desk.now += 5000
    desk.due()
    desk.comes("bob")
    desk.attach("bob", missed_from=2)
    desk.attach("watcher", missed_from=2)
    while desk.lobby.status == "playing":
        desk.now = desk.room.deadline()
        desk.due()
    for player in VIEWERS:
        desk.attach(player, missed_from=1)
    return desk


@pytest.mark.parametrize("viewer", VIEWERS)
def test_two_rooms_that_differ_in_others_secrets_send_a_viewer_the_same_bytes(viewer: str, monkeypatch: Any):
    """The viewer's own secret is held equal; all others differ with the seed."""
    real = GAME.setup

    def setup(options: Any, players: Any, seed: bytes, now: int, state_version: int | None = None) -> Any:
        step = real(options, players, seed, now, state_version)
        if viewer not in step.state.secrets:
            return step
        state = msgspec.structs.replace(step.state, secrets={**step.state.secrets, viewer: 7})
        events = tuple({**e, "secret": 7} if e.get("audience") == [viewer] else e for e in step.events)
        return type(step)(state, events)

    monkeypatch.setattr(GAME, "setup", setup)
    one, two = lived(CHANCE), lived(OTHER_CHANCE)
    assert one.table.state.secrets != two.table.state.secrets
    assert len(one.frames[viewer]) > 10
    assert one.frames[viewer] == two.frames[viewer]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_frame_holds_a_seed_or_anothers_secret(viewer: str):
    desk = lived(CHANCE)
    everything = b"\n".join(desk.frames[viewer])
    assert b"audience" not in everything
    assert b"seed" not in everything
    assert CHANCE.hex().encode() not in everything
    for player, secret in desk.table.state.secrets.items():
        assert (str(secret).encode() in everything) == (player == viewer)


def test_no_frame_holds_a_time_of_the_rooms_own_clock():
    """Clients are told milliseconds remaining, and nothing else about time."""
    desk = lived(CHANCE)
    start = str(desk.log[0].at)[:6].encode()
    for viewer in VIEWERS:
        for frame in desk.frames[viewer]:
            assert b'"deadline"' not in frame
            assert start not in frame


def test_one_who_left_sees_what_a_spectator_sees():
    desk = Told(seats=3, auto_start=True)
    for player in VIEWERS:
        desk.comes(player)
        desk.attach(player)
    for player in ("anna", "bob", "cora"):
        desk.do(player, Sit)
    desk.do("bob", Leave)
    assert b"secret" not in desk.frames["bob"][-1]
    assert desk.frames["bob"][-1] == desk.frames["watcher"][-1]
    desk.attach("bob", missed_from=1)
    assert b"secret" not in desk.frames["bob"][-1]


def test_a_bot_chooses_from_its_own_view_alone():
    seen: list[dict[str, Any]] = []
    real = GAME.bot

    def bot(view: dict[str, Any], legal: Any, rng: Any) -> Any:
        seen.append(view)
        return real(view, legal, rng)

    desk = playing("anna", bots=1)
    desk.game.bot = bot  # type: ignore[method-assign]
    try:
        desk.play("anna")
        desk.now += 2000
        desk.due()
    finally:
        del desk.game.bot
    [view] = seen
    assert view["turn"] == "bot-1"
    assert view["secret"] == desk.table.state.secrets["bot-1"]
    assert str(desk.table.state.secrets["anna"]) not in str(view)


def test_a_replay_shows_each_viewer_what_they_saw_and_no_more():
    desk = lived(CHANCE)
    secrets = desk.table.state.secrets
    for viewer in [*VIEWERS, None, "stranger"]:
        text = msgspec.json.encode(replay_of(desk.log, lambda _: GAME, 0, viewer))
        for player, secret in secrets.items():
            assert (str(secret).encode() in text) == (player == viewer)
        assert CHANCE.hex().encode() not in text
        assert b"audience" not in text


def test_what_a_log_line_would_show_of_an_entry_is_secret_only_where_it_must_be():
    """Seeds stand in `Began` alone: whoever prints other entries prints no secret."""
    desk = lived(CHANCE)

    def text(entry: Entry) -> bytes:
        return msgspec.json.encode(entry)

    assert [type(e.fact) for e in desk.log if CHANCE.hex().encode() in text(e)] == [Began]
