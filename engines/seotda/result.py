"""The result of a finished game (document 6.6 and 8.6)."""

from __future__ import annotations

from engines.kernel.contract import Json
from engines.seotda.between import MOST_HANDS
from engines.seotda.state import Seat, State


def result(state: State) -> Json:
    """The GameResult. Player ids stand where names will be shown."""
    by_score = state.options.end_condition == "hands" or state.hands_played >= MOST_HANDS
    standing = _by_score(state) if by_score else _by_survival(state)
    ordered = sorted(state.seats, key=standing.__getitem__, reverse=True)
    rows: list[Json] = []
    for place, seat in enumerate(ordered, start=1):
        shared = place > 1 and standing[seat] == standing[ordered[place - 2]]
        rank = rows[-1]["rank"] if shared else place  # 1, 2, 2, 4 (SD-33)
        rows.append(
            {
                "player": seat.id,
                "rank": rank,
                "score": score(state, seat) if by_score else len(ordered) + 1 - rank,
                "finalChips": seat.stack,
                "rebuys": seat.rebuys,
                "eliminatedAtHand": seat.eliminated_at_hand,
            }
        )
    best, biggest = state.best_hand, state.biggest_pot
    return {
        "ranking": rows,
        "winner": [row["player"] for row in rows if row["rank"] == 1],
        "summary": _summary(state, ordered, rows),
        "stats": {
            "handsPlayed": state.hands_played,
            "rematches": state.rematches,
            "bestHand": None if best is None else {"player": best.player, "name": best.name, "handNo": best.hand_no},
            "biggestPot": None
            if biggest is None
            else {"handNo": biggest.hand_no, "amount": biggest.amount, "winners": list(biggest.winners)},
        },
    }


def score(state: State, seat: Seat) -> int:
    """Chips, less what was given out again (6.6)."""
    return seat.stack - state.options.starting_chips * seat.rebuys


def _by_score(state: State) -> dict[Seat, tuple[int, ...]]:
    """Eliminated players are ranked by score too (SD-33)."""
    return {seat: (score(state, seat),) for seat in state.seats}


def _by_survival(state: State) -> dict[Seat, tuple[int, ...]]:
    """The later out the higher; out in the same hand, who began it with more chips (6.6), or both alike (SD-34).

    Who is still in comes first; of several, who is still here, then who has more chips.
    """
    return {
        seat: (1, seat.status != "left", seat.stack)
        if seat.eliminated_at_hand is None
        else (0, seat.eliminated_at_hand, seat.stack_at_hand_start)
        for seat in state.seats
    }


def _summary(state: State, ordered: list[Seat], rows: list[Json]) -> str:
    """ "20판 종료. 1위 영희(+860칩), 최고 족보 38광땡": what was won, not the score (SD-32)."""
    gain = score(state, ordered[0]) - state.options.starting_chips
    first = [row["player"] for row in rows if row["rank"] == 1]
    shared = "공동 " if len(first) > 1 else ""
    said = f"{state.hands_played}판 종료. {shared}1위 {', '.join(first)}({gain:+}칩)"
    return said if state.best_hand is None else f"{said}, 최고 족보 {state.best_hand.name}"
