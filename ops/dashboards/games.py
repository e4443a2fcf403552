"""Timeouts, and whether the games are well."""

from __future__ import annotations

from ops.dashboards.common import GAME, TIMEOUTS_BY_GAME, burn
from ops.dashboards.grafana import Board, Query, gauge, panel, quantiles, rate, row

BOARD = Board(
    "hanpan-games",
    "hanpan / timeouts and games",
    "Can people play? Deadlines that pass, refused moves, games that begin and do not end.",
    (
        row(
            "Timeouts",
            panel(
                "Share of questions",
                "Whose deadline passed before their player answered.",
                "percentunit",
                TIMEOUTS_BY_GAME,
                width=12,
                bad=0.05,
            ),
            panel(
                "Budget, burn rate", "1 uses it up in 30 days.", "short", *burn("timeouts", 0.05), width=12, bad=14.4
            ),
            panel(
                "By game and phase",
                "One phase alone: the page may not show what is asked.",
                "ops",
                Query(rate("hanpan_timeouts_total", GAME, "game, phase"), "{{game}} {{phase}}"),
                stack=True,
            ),
            panel(
                "By rules",
                "By game and mode.",
                "ops",
                Query(rate("hanpan_timeouts_total", GAME, "game, mode"), "{{game}} {{mode}}"),
                stack=True,
            ),
            panel(
                "Time a player took",
                "Near the deadline: the time is too short, or the page too slow.",
                "s",
                *quantiles("hanpan_player_seconds", GAME, "game", (0.5, 0.95)),
            ),
        ),
        row(
            "Moves",
            panel(
                "Accepted",
                "By game.",
                "ops",
                Query(rate("hanpan_actions_total", f'outcome="accepted", {GAME}', "game"), "{{game}}"),
                stack=True,
            ),
            panel(
                "Refused",
                "By code. Stale ones are races and harmless; engine_error is a bug.",
                "ops",
                Query(rate("hanpan_actions_total", f'outcome="refused", {GAME}', "game, code"), "{{game}} {{code}}"),
            ),
            panel(
                "Bots at fault",
                "Moves of a game's own bot that were none.",
                "ops",
                Query(rate("hanpan_bot_faults_total", GAME, "game"), "{{game}}"),
            ),
        ),
        row(
            "Games",
            panel(
                "Begun and ended",
                "Lines that part are games that nobody finishes.",
                "ops",
                Query(rate("hanpan_games_total", GAME, "game, event"), "{{game}} {{event}}"),
            ),
            panel(
                "By rules",
                "What people choose.",
                "ops",
                Query(rate("hanpan_games_total", f'event="begun", {GAME}', "game, mode"), "{{game}} {{mode}}"),
                stack=True,
            ),
            panel(
                "Rooms by game",
                "Not closed; parked ones count.",
                "short",
                Query(gauge("hanpan_rooms", GAME, "game"), "{{game}}"),
                stack=True,
            ),
        ),
    ),
    ("game",),
)
