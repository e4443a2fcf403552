"""Hands and rematches begin, and cards are dealt (document 5.1 to 5.3, 5.5)."""

from __future__ import annotations

from typing import NamedTuple

from engines.kernel.betting import next_to_act
from engines.kernel.contract import PlayerId
from engines.seotda import choosing
from engines.seotda.cards import DECK
from engines.seotda.chips import fold, sweep
from engines.seotda.options import Options, school
from engines.seotda.state import Betting, Draft, Hand, RoundPlayer


class Deal(NamedTuple):
    """So many cards to each who is still in."""

    cards: int


class Bets(NamedTuple):
    """A round of betting."""

    street: int


class Choice(NamedTuple):
    """Everybody still in picks two of their cards."""


# What happens between 학교 and showdown (5.1, 5.2). A rematch goes the same way (SD-19).
PLANS: dict[str, tuple[Deal | Bets | Choice, ...]] = {
    "twoRounds": (Deal(1), Bets(0), Deal(1), Bets(1)),
    "oneRound": (Deal(2), Bets(0)),
    "three": (Deal(2), Bets(0), Deal(1), Choice(), Bets(1)),
}


def plan(options: Options) -> tuple[Deal | Bets | Choice, ...]:
    """The game that these options play; three-card play has no dealMode (SD-43)."""
    return PLANS["three" if options.card_mode == "three" else options.deal_mode]


# ---------------------------------------------------------------- beginnings


def new_hand(draft: Draft, dealer_seat: int) -> None:
    """학교, then the cards (5.1). Whoever has chips takes part, left or not; who has left dies at once (5.7, SD-37)."""
    hand_no = draft.hand.hand_no + 1
    draft.base_unit = school(draft.options, hand_no)
    order = tuple([seat.id for seat in draft.clockwise(dealer_seat) if seat.stack > 0])
    draft.hand = Hand(
        hand_no=hand_no,
        phase="dealing",
        dealer_seat=dealer_seat,
        first_dealer_seat=dealer_seat,
        participants=order,
    )
    draft.tell("handStarted", handNo=hand_no, dealer=order[0], baseUnit=draft.base_unit)
    draft.players, draft.committed_total, draft.won = {}, {}, {}
    for player in order:
        stack = draft.seats[player].stack
        paid = min(draft.base_unit, stack)
        draft.set_seat(player, stack=stack - paid, stack_at_hand_start=stack)
        draft.players[player] = RoundPlayer(committed_round=paid, all_in=paid == stack)  # short of chips: 5.6
        draft.committed_total[player] = paid
        draft.tell("ante", player=player, amount=paid, allIn=paid == stack)
    for player in order:
        if draft.seats[player].status == "left":  # before all-in is asked for: they never contest (SD-37)
            die_at_once(draft, player)
    sweep(draft)
    _shuffle(draft)


def new_rematch(draft: Draft) -> None:
    """The same hand once more, for those who play for the carried pots; no 학교 (5.5.2)."""
    hand = draft.hand
    playing = {player for pot in hand.carried_pots for player in pot.eligible}  # SD-16
    order = tuple([seat.id for seat in draft.clockwise(hand.dealer_seat) if seat.id in playing])
    before = draft.players
    draft.players = {
        # all-in stays all-in, also for someone whom a side pot has just been paid (5.5.3, SD-17)
        player: RoundPlayer(
            all_in=(player in before and not before[player].folded and before[player].all_in)
            or draft.seats[player].stack == 0
        )
        for player in order
    }
    draft.set_hand(
        rematch_no=hand.rematch_no + 1,
        phase="dealing",
        stage=0,
        dealer_seat=draft.seats[order[0]].seat,  # 5.3: the dealer if they take part, else the next who does
        participants=order,
        betting=None,
    )
    draft.tell(
        "rematchStarted",
        rematchNo=draft.hand.rematch_no,
        reason=draft.hand.rematch_reason,
        dealer=order[0],
        participants=list(order),
    )
    for player in order:
        if len(draft.live()) > 1 and draft.seats[player].status == "left" and not draft.players[player].all_in:
            die_at_once(draft, player)
    _shuffle(draft)


def die_at_once(draft: Draft, player: PlayerId) -> None:
    """다이 without being asked: who has left contests nothing (5.7)."""
    fold(draft, player)
    draft.tell("bet", player=player, bet="die", label="다이", amount=0, auto=True)


def _shuffle(draft: Draft) -> None:
    """All twenty cards, for each hand and each rematch (8.4)."""
    deck, draft.rng = draft.rng.shuffle(DECK)
    draft.set_hand(deck=deck)


# ---------------------------------------------------------------- stages


def go_on(draft: Draft) -> bool:
    """The next stage of the plan; after the last, or when only one is left, the showdown."""
    stages, at = plan(draft.options), draft.hand.stage
    if at == len(stages) or len(draft.live()) == 1:
        draft.set_hand(phase="showdown")
        return True
    match stages[at]:
        case Deal(cards):
            _deal(draft, cards)
            draft.set_hand(stage=at + 1)
        case Bets(street):
            _open_bets(draft, street)
        case Choice():
            choosing.ask(draft)
    return True


def _deal(draft: Draft, cards: int) -> None:
    """From the top of the deck, to each who is still in, the dealer first. The cards are in no event (8.3)."""
    deck = draft.hand.deck
    for player in draft.live():
        draft.set_player(player, hand=(*draft.players[player].hand, *deck[:cards]))
        deck = deck[cards:]
        draft.tell("dealt", to=player, count=cards)
    draft.set_hand(deck=deck)


def _open_bets(draft: Draft, street: int) -> None:
    """The first in order who can act begins: the dealer, or who comes after a dealer out or all-in (5.1.6, SD-40)."""
    for player in draft.live():
        if draft.players[player].last_action is not None and not draft.players[player].all_in:
            draft.set_player(player, last_action=None)
    first = next_to_act(draft.hand.participants, 0, draft.players, 0)
    draft.set_hand(phase="betting", betting=Betting(street, first, 0))
    if first is not None:
        draft.asked_at = draft.now
        draft.tell("bettingStarted", street=street, toAct=first)
