"""Between hands: the result is looked at, who has no chips gets new ones or goes, and the next hand or the end comes.

Document 5.1.9, 5.3, 5.6, 6.6.
"""

from __future__ import annotations

from engines.kernel.contract import PlayerId
from engines.seotda.deal import new_hand
from engines.seotda.state import LOG_LENGTH, BiggestPot, Draft, Hand, HandRecord, Seat

MOST_HANDS = 300  # lastStanding is over by then (6.6)


# ---------------------------------------------------------------- the hand is over


def end_hand(draft: Draft) -> None:
    """All pots are paid. Rematches were the same hand (5.5.6, SD-44)."""
    hand = draft.hand
    draft.hands_played += 1
    record = HandRecord(hand.hand_no, hand.rematch_no, draft.won.copy(), hand.main_hand)
    whole = sum(draft.won.values())  # 판돈 is all of it (5.4)
    if draft.biggest_pot is None or whole > draft.biggest_pot.amount:
        winners = tuple([player for player in draft.seats if player in draft.won])
        draft.biggest_pot = BiggestPot(hand.hand_no, whole, winners)
    draft.public_log = (*draft.public_log, record)[-LOG_LENGTH:]
    here = tuple([seat.id for seat in draft.seats.values() if seat.status == "playing"])
    draft.set_hand(phase="handEnd", betting=None, ready_pending=here)
    draft.asked_at = draft.now
    draft.tell("handEnded", handNo=hand.hand_no, rematches=hand.rematch_no, won=draft.won.copy())


def ready(draft: Draft, player: PlayerId) -> None:
    """The player has seen it."""
    draft.set_hand(ready_pending=tuple([other for other in draft.hand.ready_pending if other != player]))
    draft.tell("ready", player=player)


def go_on(draft: Draft) -> bool:
    """Waits for everybody; not where only one is left at the table to look (SD-36)."""
    if draft.hand.ready_pending and not alone(draft):
        return False
    draft.set_hand(ready_pending=())
    for seat in list(draft.seats.values()):
        if seat.stack == 0 and seat.status in ("playing", "left"):
            _bust(draft, seat)
    if over_by_hands(draft):  # nobody is asked after the last hand (5.6, SD-44)
        draft.rebuy_pending = ()
        finish(draft)
        return True
    draft.phase = "rebuy"
    draft.asked_at = draft.now
    if draft.rebuy_pending and can_go_on(draft):
        draft.tell("rebuyAsked", players=list(draft.rebuy_pending), amount=draft.options.starting_chips)
    return True


def alone(draft: Draft) -> bool:
    """Whether at most one player has neither left nor been eliminated, nor will be: "즉시 종료" (6.6, SD-36)."""
    return sum([_connected(seat) for seat in draft.seats.values()]) <= 1


def _connected(seat: Seat) -> bool:
    """SD-35 (an owner may want another): 접속 중 means not having left. A lost connection ends no game."""
    return seat.status in ("playing", "busted")


def can_go_on(draft: Draft) -> bool:
    """Whether there can be another hand: two who are here have chips, or may yet get some (6.6)."""
    seats = draft.seats.values()
    return sum([_connected(seat) and (seat.stack > 0 or may_rebuy(draft, seat)) for seat in seats]) > 1


def over_by_hands(draft: Draft) -> bool:
    """Whether the number of hands alone ends the game."""
    options = draft.options
    return draft.hands_played >= (options.hand_limit if options.end_condition == "hands" else MOST_HANDS)


# ---------------------------------------------------------------- without chips


def may_rebuy(draft: Draft, seat: Seat) -> bool:
    """Whether the player could get new chips (5.6). Who has left could not (SD-37)."""
    options = draft.options
    if not _connected(seat) or options.rebuy == "off":
        return False
    return options.rebuy == "unlimited" or seat.rebuys < options.rebuy_limit


def _bust(draft: Draft, seat: Seat) -> None:
    """No chips left: out, or to be asked about new ones."""
    if may_rebuy(draft, seat):
        draft.set_seat(seat.id, status="busted")
        draft.rebuy_pending = (*draft.rebuy_pending, seat.id)
        draft.tell("busted", player=seat.id)
    else:
        _eliminate(draft, seat.id)


def _eliminate(draft: Draft, player: PlayerId) -> None:
    draft.set_seat(player, status="eliminated", eliminated_at_hand=draft.hand.hand_no)
    draft.tell("eliminated", player=player, handNo=draft.hand.hand_no)


def rebuy(draft: Draft, player: PlayerId, accept: bool) -> None:
    """New chips, always as many as at the start (SD-31), or out of the game."""
    draft.rebuy_pending = tuple([other for other in draft.rebuy_pending if other != player])
    if not accept:
        _eliminate(draft, player)
        return
    chips = draft.options.starting_chips
    draft.set_seat(player, stack=chips, status="playing", rebuys=draft.seats[player].rebuys + 1)
    draft.tell("rebought", player=player, stack=chips)


def rebuys_go_on(draft: Draft) -> bool:
    """Waits for everybody who is asked; then the next hand, or the end. Where no answer could bring another hand, none
    is waited for."""
    if draft.rebuy_pending and can_go_on(draft):
        return False
    for player in draft.rebuy_pending:
        _eliminate(draft, player)
    draft.rebuy_pending = ()
    _after_rebuys(draft)
    return True


# ---------------------------------------------------------------- the next hand, or the end


def _after_rebuys(draft: Draft) -> None:
    hand_no = draft.hand.hand_no
    gone = tuple([seat.id for seat in draft.seats.values() if seat.eliminated_at_hand == hand_no])
    if gone:
        draft.elimination_seq = (*draft.elimination_seq, gone)
    if over_by_chips(draft):
        finish(draft)
        return
    draft.phase = "playing"
    new_hand(draft, next_dealer(draft, draft.hand))


def over_by_chips(draft: Draft) -> bool:
    """Whether at most one who is here has chips; who has left and has chips counts for nothing (6.6)."""
    return sum([seat.status == "playing" and seat.stack > 0 for seat in draft.seats.values()]) <= 1


def next_dealer(draft: Draft, hand: Hand) -> int:
    """The next hand's dealer (5.3).

    SD-13 (an owner may want another): counted from the dealer of the hand before its rematches, whom distance 0 makes
    the nearest; and where the one so found has no chips, it is the next who has.
    """
    round_the_table = draft.clockwise(hand.first_dealer_seat)
    if draft.options.dealer_rule == "winner":
        found = next(seat for seat in round_the_table if seat.id in hand.main_takers)
    else:
        found = next(seat for seat in [*round_the_table[1:], round_the_table[0]] if seat.stack > 0)
    return next(seat.seat for seat in draft.clockwise(found.seat) if seat.stack > 0)


def finish(draft: Draft) -> None:
    """The game is over."""
    draft.phase = "finished"
    draft.tell("gameFinished", handsPlayed=draft.hands_played)
