"""-득점-: what a round is worth to each, worked out from what happened alone; and the round's end."""

from __future__ import annotations

from engines.kernel.contract import PlayerId
from engines.parlett.cards import CardId, bid_value
from engines.parlett.forms import FORMS, PREMIUMS, FormName
from engines.parlett.state import Draft, Row, Taken, table
from engines.parlett.told import bid_json, open_bids_in_play, row_json


def right_numbers(bid: tuple[CardId, ...], turn_up: CardId | None, form: FormName) -> frozenset[int]:
    """The numbers of tricks with which this bid is made.

    The sum of the three; without an NPC also ten more (PN-19); for four, also ten more than three diamonds (PN-11).
    """
    value = bid_value(bid, turn_up)
    return frozenset((value, value + 10)) if value in FORMS[form].ten_more else frozenset((value,))


def bonuses(made: dict[PlayerId, bool], form: FormName, streaks: dict[PlayerId, int]) -> dict[PlayerId, int]:
    """[비딩 보너스]: by how many made it; without an NPC, ten for each round in a row that one has made (PN-19)."""
    table = FORMS[form].bonus
    if not table:
        return {player: 10 * streaks[player] if did else 0 for player, did in made.items()}
    each = table[sum(made.values())]
    return {player: each if did else 0 for player, did in made.items()}


def premium_points(
    players: tuple[PlayerId, ...], premiums: tuple[Taken, ...], failed: frozenset[PlayerId]
) -> dict[PlayerId, int]:
    """[프리미엄 비딩]: the value to whoever has kept it; where it failed, to every other, made or not (PN-7).

    PN-17: whoever has failed too gets nothing of another's failure. So of two declarers in an NPC's game who both fail
    neither gets anything, and the NPC gets both.
    """
    points = dict.fromkeys(players, 0)
    for taken in premiums:
        value = PREMIUMS[taken.kind].value
        if taken.player not in failed:
            points[taken.player] += value
            continue
        for other in players:
            if other not in failed:
                points[other] += value
    return points


# ---------------------------------------------------------------- the round's end


def score_round(draft: Draft) -> None:
    """-득점-, and the end of the game after its last round (-게임-)."""
    players = table(draft)
    if draft.options.variant == "unbid":  # the three that are left are the bid (PN-22)
        draft.bids = {player: draft.bids.get(player) or draft.hands[player] for player in players}
        draft.hands = dict.fromkeys(players, ())
    form, turn_up = draft.form, draft.turn_up
    made = {who: draft.tricks_won[who] in right_numbers(draft.bids[who], turn_up, form) for who in players}
    draft.streaks = {who: draft.streaks[who] + 1 if did else 0 for who, did in made.items()}
    draft.last_round = rows = _rows(draft, made)
    points = {player: row.points for player, row in rows.items()}
    draft.round_scores = (*draft.round_scores, points)
    draft.scores = {player: score + points[player] for player, score in draft.scores.items()}
    draft.current = draft.controller = None
    draft.asked_at = draft.now
    draft.tell("roundScored", round=draft.round, rows={player: row_json(row) for player, row in rows.items()})
    for player in players:  # [비딩 보너스]: they show their bid to prove it; who failed need not (PN-9)
        if rows[player].made and player not in open_bids_in_play(draft):
            draft.tell("bidShown", player=player, **bid_json(draft.bids[player], draft.turn_up))
    draft.phase = "roundEnd"
    if draft.round == draft.options.rounds:
        draft.phase = "finished"
        draft.tell("gameFinished", scores=draft.scores.copy())


def _rows(draft: Draft, made: dict[PlayerId, bool]) -> dict[PlayerId, Row]:
    won = draft.tricks_won
    bonus = bonuses(made, draft.form, draft.streaks)
    # A number of tricks that was said (Unbid) must be taken, and be what the three cards left bid (RULES 7.3.4).
    failed = frozenset(
        taken.player
        for taken in draft.premiums
        if not made[taken.player] or taken.tricks not in (None, won[taken.player])
    )
    premium = premium_points(tuple(made), draft.premiums, failed)
    shown = open_bids_in_play(draft)
    return {
        who: Row(
            tricks=won[who],
            made=did,
            bid=bid_value(draft.bids[who], draft.turn_up) if did or who in shown else None,
            bonus=bonus[who],
            premium=premium[who],
        )
        for who, did in made.items()
    }
