"""How a game goes: rounds, and the phases of a round. Its tricks are in `tricks`, its end in `scoring`.

Each round runs through the phases of its variant (`forms.VARIANTS`); a phase in which nobody is asked anything is
passed over. Each function changes the draft it is given, and tells what happened as events. Whatever brings hidden
things to light is told after an event that does not: ``roundStarted`` before a deal, ``playStarted`` before cards are
laid open, ``roundScored`` before bids are shown.
"""

from __future__ import annotations

from typing import assert_never

from engines.kernel.contract import PlayerId
from engines.parlett import tricks
from engines.parlett.actions import AnyAction, Bid, Offering, Play, Ready, Trump
from engines.parlett.cards import JOKER, NINE, CardId, Suit, counting
from engines.parlett.forms import (
    BID_CARDS,
    DECKS,
    FIRST_TRUMP,
    FORMS,
    NPC,
    PREMIUMS,
    TRUMP_AFTER,
    VARIANTS,
    Phase,
    premium_kinds,
)
from engines.parlett.state import Draft, Offer, Taken, awaited, clockwise, from_dealers_left, table
from engines.parlett.told import seen, seen_all, suit_name, taken_json


def begin(draft: Draft) -> None:
    """-카드 분배-: the first dealer is drawn, then the first round is dealt."""
    first, draft.rng = draft.rng.below(len(draft.seats))
    draft.dealer = draft.seats[first]
    _open_round(draft)


def carry_out(draft: Draft, player: PlayerId, action: AnyAction) -> None:
    """What a player does, or what is done for them. `proceed` must follow."""
    match action:
        case Bid(card_ids=cards):
            _bid(draft, player, cards)
        case Offering(kind=kind, tricks=number):
            draft.offers = {**draft.offers, player: Offer(kind, number)}
            draft.tell("premiumAnswered", player=player)
        case Trump(suit=suit):
            draft.trump = suit  # none named is none for this round, and for the next to inherit (PN-21)
            draft.current = None
            draft.tell("trumpNamed", player=player, trump=suit, face=suit_name(suit))
        case Play(card_id=card):
            tricks.play(draft, player, card)
        case Ready():
            draft.ready = (*draft.ready, player)
            draft.tell("playerReady", player=player)
        case _:
            assert_never(action)


def proceed(draft: Draft) -> None:
    """Once everyone who was asked has answered, what comes next."""
    match draft.phase:
        case "bidding" | "premium" if awaited(draft):
            return
        case "trump" if draft.current is not None:
            return
        case "playing" | "finished":
            return
        case "premium":
            _take_premiums(draft)
        case "roundEnd":
            if not awaited(draft):
                draft.round += 1
                draft.dealer = clockwise(draft, draft.dealer)[1]  # also with the NPC, who never deals (PN-10)
                _open_round(draft)
            return
        case _:
            pass
    _enter_next(draft)


# ---------------------------------------------------------------- a round begins


def _open_round(draft: Draft) -> None:
    """-카드 분배-: one card at a time, from the dealer's left; what is left over is turned up."""
    players = table(draft)
    cards, draft.rng = draft.rng.shuffle(DECKS[draft.form, draft.options.variant])
    at = players.index(draft.dealer) + 1
    order, dealt = (*players[at:], *players[:at]), FORMS[draft.form].dealt
    hands = {player: cards[i : dealt * len(players) : len(players)] for i, player in enumerate(order)}
    draft.bids = {}
    if draft.form == "npc":  # the first three dealt to it are its bid (PN-13), also in Unbid (RULES 7.3)
        draft.bids, hands[NPC] = {NPC: hands[NPC][:BID_CARDS]}, hands[NPC][BID_CARDS:]
    draft.hands = {player: tuple(sorted(hands[player])) for player in players}
    draft.turn_up = cards[-1] if len(cards) > dealt * len(players) else None
    draft.trump = _trump_of_round(draft)
    draft.offers, draft.premiums = {}, ()
    draft.current = draft.controller = None
    draft.trick = draft.last_trick = ()
    draft.played = ()
    draft.tricks_won = dict.fromkeys(players, 0)
    draft.ready = ()
    draft.tell("roundStarted", round=draft.round, dealer=draft.dealer)
    for player in draft.seats:
        draft.tell("handDealt", player=player, cards=seen_all(draft.hands[player], draft.turn_up), audience=[player])
    shown = {} if draft.turn_up is None else {"turnUp": seen(draft.turn_up, draft.turn_up)}
    draft.tell("trumpSet", trump=draft.trump, face=suit_name(draft.trump), **shown)
    _enter(draft, VARIANTS[draft.options.variant].phases[0])


def _trump_of_round(draft: Draft) -> Suit | None:
    """The trump suit with which a round begins."""
    match draft.options.variant:
        case "standard" | "unbid":  # the turn-up's; a joker or a 9 is none (-카드 분배-, PN-2)
            assert draft.turn_up is not None
            if draft.turn_up == JOKER:
                return None
            card = counting(None)[draft.turn_up]
            return None if card.rank == NINE else card.suit
        case "trump":  # by how many made the last bid, the NPC among them (PN-20)
            return TRUMP_AFTER[_made(draft)] if draft.round > 1 else FIRST_TRUMP
        case "sphinx":  # as in the last round, until somebody names another (PN-21)
            return draft.trump if draft.round > 1 else None


def _made(draft: Draft) -> int:
    return sum(row.made for row in draft.last_round.values())


# ---------------------------------------------------------------- its phases


def _enter_next(draft: Draft) -> None:
    phases = VARIANTS[draft.options.variant].phases
    _enter(draft, phases[phases.index(draft.phase) + 1])


def _enter(draft: Draft, phase: Phase) -> None:
    """Begins a phase, or the next one where this one asks nobody anything."""
    draft.phase, draft.asked_at = phase, draft.now
    match phase:
        case "premium":
            if premium_kinds(draft.options, draft.form) == ("none",):
                _enter_next(draft)
        case "trump":
            if not draft.premiums:
                _enter_next(draft)
            else:  # of two declarers beside an NPC, the one nearer to the dealer's left (RULES 7.2)
                draft.current = draft.premiums[0].player
        case "playing":
            tricks.start_play(draft)
        case _:
            pass


def _bid(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    """-비딩-: the three are out of the hand, face down, and stay so (PN-24)."""
    draft.bids = {**draft.bids, player: tuple(sorted(cards))}
    draft.hands = {**draft.hands, player: tuple([card for card in draft.hands[player] if card not in cards])}
    draft.tell("bidPlaced", player=player)


def _take_premiums(draft: Draft) -> None:
    """[프리미엄 비딩 선언의 방법]: every kind that was offered is told, and what takes effect.

    The numbers that go with the offers of Unbid are told only where they take effect.
    """
    draft.premiums = best_offers(draft)
    offers = {player: draft.offers[player].kind for player in draft.seats}
    draft.tell("premiumsShown", offers=offers, premiums=[taken_json(taken) for taken in draft.premiums])


def best_offers(draft: Draft) -> tuple[Taken, ...]:
    """PN-5 (an owner may want another): the highest kind, and of equals whoever comes first from the dealer's left.

    All others are void. Beside an NPC every declaration takes effect.
    """
    offers = [
        Taken(player, draft.offers[player].kind, draft.offers[player].tricks)
        for player in from_dealers_left(draft)
        if draft.offers[player].kind != "none"
    ]
    if not FORMS[draft.form].every_premium and offers:
        return (max(offers, key=lambda taken: PREMIUMS[taken.kind].value),)  # the first of equals
    return tuple(offers)
