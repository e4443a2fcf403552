"""What a running room counts. The numbers' names and meanings are in `ops.metrics`; here is where they come from."""

from __future__ import annotations

from typing import Any

from cluster.room.state import Lobby, RoomState
from engines.kernel import codec
from engines.kernel.contract import Game
from ops.metrics import Tally

NO_MODE = "none"


class RoomCounts:
    """One room's part of its process's tally. On the path of an action: one call, settled later."""

    def __init__(self, tally: Tally, store: str) -> None:
        self._tally, self._store = tally, store
        self._options: dict[str, Any] | None = None
        self._mode = NO_MODE
        self._phases: set[str] = set()  # of this mode, that have been played in

    def mode(self, game: Game[Any], lobby: Lobby) -> str:
        """Which of its game's sets of rules the room plays by."""
        if lobby.options is not self._options:
            self._options = lobby.options
            self._mode = str(getattr(codec.decode_options(game.Options, lobby.options), "mode", NO_MODE))
            self._begin_at_zero(game.id)
        return self._mode

    def _begin_at_zero(self, game: str) -> None:
        """What must be seen at its first time: a counter that begins at 1 has never risen, for Prometheus."""
        self._phases.clear()
        self._tally.count("hanpan_actions_total", game, "refused", "engine_error", by=0)
        self._tally.count("hanpan_bot_faults_total", game, by=0)
        for event in ("begun", "ended"):
            self._tally.count("hanpan_games_total", game, self._mode, event, by=0)

    def turn(
        self,
        game: Game[Any],
        lobby: Lobby,
        *,
        whole: float,
        decide: float,
        append: float,
        tell: float,
        player: float | None,
    ) -> None:
        """An accepted action, with its parts, and how long its player had thought about it."""
        name = game.id
        thought = () if player is None else (("hanpan_player_seconds", name, player),)
        self._tally.soon(
            ("hanpan_actions_total", name, "accepted", "ok", 1),
            ("hanpan_turn_seconds", name, self.mode(game, lobby), whole),
            ("hanpan_turn_decide_seconds", name, decide),
            ("hanpan_turn_append_seconds", name, append),
            ("hanpan_turn_tell_seconds", name, tell),
            *thought,
        )

    def refused(self, game: str, code: str) -> None:
        self._tally.count("hanpan_actions_total", game, "refused", code)

    def plays_in(self, game: Game[Any], lobby: Lobby, phase: str) -> None:
        """Somebody may let a deadline pass in this phase: that begins at zero as well."""
        mode = self.mode(game, lobby)
        if phase not in self._phases:
            self._phases.add(phase)
            self._tally.count("hanpan_timeouts_total", game.id, mode, phase, by=0)

    def timed_out(self, game: Game[Any], lobby: Lobby, phase: str) -> None:
        self._tally.count("hanpan_timeouts_total", game.id, self.mode(game, lobby), phase)

    def bot_fault(self, game: str) -> None:
        self._tally.count("hanpan_bot_faults_total", game)

    def stepped(self, game: Game[Any], before: RoomState, after: RoomState) -> None:
        """Whether a game began or ended between these two."""
        old, new = before.lobby, after.lobby
        if old is None or new is None or old is new:
            return
        began = new.games > old.games
        if began:
            self._tally.count("hanpan_games_total", game.id, self.mode(game, new), "begun")
        if new.status == "finished" and (began or old.status == "playing"):
            self._tally.count("hanpan_games_total", game.id, self.mode(game, new), "ended")

    def sessions(self, lobby: Lobby | None, people: list[str]) -> None:
        """Who is connected just now."""
        players = sum(1 for player in people if lobby is not None and lobby.seat_of(player) is not None)
        self._tally.gauge("hanpan_sessions", "player", value=players)
        self._tally.gauge("hanpan_sessions", "spectator", value=len(people) - players)

    def paused(self, paused: bool) -> None:
        self._tally.gauge("hanpan_rooms_paused", value=int(paused))

    # ------------------------------------------------------------ the log

    def appended(self, seconds: float) -> None:
        self._tally.soon(
            ("hanpan_log_append_seconds", self._store, seconds), ("hanpan_log_appends_total", self._store, 1)
        )

    def took_over(self, game: Game[Any], lobby: Lobby, seconds: float) -> None:
        self.mode(game, lobby)
        self.paused(False)
        self._tally.observe("hanpan_takeover_seconds", seconds)

    def snapshot(self) -> None:
        self._tally.count("hanpan_log_snapshots_total", self._store)

    def store_error(self, kind: str) -> None:
        """``conflict``: another owns the room; ``unavailable``: the store did not answer."""
        self._tally.count("hanpan_log_errors_total", self._store, kind)
