"""A round of betting, as it is played (document 5.4). What a bet costs is `engines.kernel.betting`'s to say."""

from __future__ import annotations

from engines.kernel.betting import LABELS, Bet, next_to_act
from engines.kernel.contract import PlayerId
from engines.seotda.chips import fold, put, sweep
from engines.seotda.state import Betting, Draft


def act(draft: Draft, player: PlayerId, bet: Bet, amount: int) -> None:
    """The player whose turn it is bets, and the turn passes."""
    betting = draft.hand.betting
    assert betting is not None
    current_bet = betting.current_bet
    if bet == "die":
        fold(draft, player)
    else:
        current_bet = max(current_bet, put(draft, player, amount, bet))
    draft.tell("bet", player=player, bet=bet, label=LABELS[bet], amount=amount)
    if draft.players[player].all_in:
        draft.events[-1]["allIn"] = True
    pass_on(draft, draft.hand.participants.index(player) + 1, current_bet)


def pass_on(draft: Draft, start: int, current_bet: int) -> None:
    """The turn goes to the first from this place on who is still to act, or to nobody: then the round is over."""
    betting = draft.hand.betting
    assert betting is not None
    following = next_to_act(draft.hand.participants, start, draft.players, current_bet)
    if following != betting.to_act:
        draft.asked_at = draft.now
        draft.set_hand(betting=Betting(betting.street, following, current_bet))


def go_on(draft: Draft) -> bool:
    """Waits for whose turn it is. When the round is over, chips go into the pots and the plan goes on."""
    betting = draft.hand.betting
    assert betting is not None
    if betting.to_act is not None and len(draft.live()) > 1:
        return False
    sweep(draft)
    draft.set_hand(phase="dealing", stage=draft.hand.stage + 1, betting=None)
    return True
