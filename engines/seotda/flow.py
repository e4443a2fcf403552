"""How a game goes on by itself between two questions.

A hand is in one of the phases of 8.1, and each phase has a function that does the next thing, or says that somebody is
being waited for. `advance` lets them take turns until somebody is asked, or the game is over. "dealing" and "showdown"
wait for nobody, so no state that anybody sees is in them.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.kernel.contract import PlayerId
from engines.seotda import bets, between, choosing, deal, rejoin, showdown
from engines.seotda.state import Draft, HandPhase

STEPS: dict[HandPhase, Callable[[Draft], bool]] = {  # true: has moved; false: somebody is being waited for
    "dealing": deal.go_on,
    "betting": bets.go_on,
    "choose": choosing.go_on,
    "showdown": showdown.go_on,
    "rejoin": rejoin.go_on,
    "handEnd": between.go_on,
}


def advance(draft: Draft) -> None:
    """On to the next question."""
    while draft.phase != "finished":
        moved = STEPS[draft.hand.phase](draft) if draft.phase == "playing" else between.rebuys_go_on(draft)
        if not moved:
            return


def begin(draft: Draft) -> None:
    """Setup (document 4): seats are drawn, then the first dealer, and the first hand begins."""
    first, draft.rng = draft.rng.below(len(draft.seats))
    draft.tell("gameStarted", seats=list(draft.seats))
    deal.new_hand(draft, first)
    advance(draft)


def leave(draft: Draft, player: PlayerId) -> None:
    """Gone for good (5.7, SD-37): out of this hand unless all-in, and never waited for again."""
    draft.set_seat(player, status="left")
    draft.tell("playerLeft", player=player)
    if draft.phase == "rebuy":
        if player in draft.rebuy_pending:
            between.rebuy(draft, player, accept=False)
    else:
        _leave_hand(draft, player)
    advance(draft)


def _leave_hand(draft: Draft, player: PlayerId) -> None:
    hand = draft.hand
    match hand.phase:
        case "rejoin":  # one who takes part in the rematch dies as it begins
            if player in hand.rejoin_pending:
                rejoin.answer(draft, player, accept=False)
        case "handEnd":
            if player in hand.ready_pending:
                draft.set_hand(ready_pending=tuple([other for other in hand.ready_pending if other != player]))
            if not between.can_go_on(draft):  # 즉시 종료 (6.6)
                draft.set_hand(ready_pending=())
        case "betting" | "choose":
            seated = draft.players.get(player)
            if seated is None or seated.folded:
                return
            if not seated.all_in:
                deal.die_at_once(draft, player)
                if hand.phase == "betting" and hand.betting is not None:
                    _die_in_betting(draft)
            elif hand.phase == "choose" and seated.chosen is None:
                choosing.choose_for(draft, player)


def _die_in_betting(draft: Draft) -> None:
    """The turn passes on, if it was the leaver's; whose else it was keeps it."""
    betting = draft.hand.betting
    assert betting is not None
    assert betting.to_act is not None
    bets.pass_on(draft, draft.hand.participants.index(betting.to_act), betting.current_bet)
