"""How a game goes: rounds, the phases of a round, tricks, the score.

Each round runs through the phases of its variant (`forms.VARIANTS`); a phase in which nobody is asked anything is
passed over. Each function changes the draft it is given, and tells what happened as events. Whatever brings hidden
things to light is told after an event that does not: ``roundStarted`` before a deal, ``playStarted`` before cards are
laid open, ``roundScored`` before bids are shown.
"""

from __future__ import annotations

from typing import assert_never

from engines.kernel.contract import Json, PlayerId
from engines.parlett.actions import AnyAction, Bid, Offering, Play, Ready, Trump
from engines.parlett.cards import JOKER, NAME, NINE, CardId, Suit, bid_value, counting, faces
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
from engines.parlett.rules import winner
from engines.parlett.scoring import bonuses, premium_points, right_numbers
from engines.parlett.state import Draft, Offer, Played, Row, State, Taken, awaited, table


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
        case Offering(kind=kind, tricks=tricks):
            draft.offers = {**draft.offers, player: Offer(kind, tricks)}
            draft.tell("premiumAnswered", player=player)
        case Trump(suit=suit):
            draft.trump = suit  # none named is none for this round, and for the next to inherit (PN-21)
            draft.current = None
            draft.tell("trumpNamed", player=player, trump=suit, face=suit_name(suit))
        case Play(card_id=card):
            _play(draft, player, card)
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


def clockwise(game: State | Draft, first: PlayerId) -> tuple[PlayerId, ...]:
    """The players, this one first."""
    at = game.seats.index(first)
    return (*game.seats[at:], *game.seats[:at])


def from_dealers_left(game: State | Draft) -> tuple[PlayerId, ...]:
    """The players in the order of their claims: the dealer's left first, the dealer last."""
    dealer, *others = clockwise(game, game.dealer)
    return (*others, dealer)


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
            _start_play(draft)
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


# ---------------------------------------------------------------- play


def _start_play(draft: Draft) -> None:
    """-플레이-: what is to be open is laid open before the first card (PN-6), and the NPC's hand with it."""
    draft.current = leader = _first_leader(draft)
    draft.controller = leader if draft.form == "npc" else None
    draft.tell("playStarted", leader=leader)
    for taken in draft.premiums:
        if PREMIUMS[taken.kind].bid:
            cards = draft.bids[taken.player]
            draft.tell("bidShown", player=taken.player, **_bid_json(draft, cards))
    for player in table(draft):
        if player in open_hands(draft):
            draft.tell("handShown", player=player, cards=seen_all(draft.hands[player], draft.turn_up))


def _first_leader(draft: Draft) -> PlayerId:
    """The dealer's left leads; of two without an NPC that is who did not deal (PN-18)."""
    first, *_ = from_dealers_left(draft)
    return first_beside_npc(draft) if draft.form == "npc" else first


def first_beside_npc(draft: Draft) -> PlayerId:
    """PN-14 (an owner may want another): who has not declared, where just one has; else who did not deal."""
    quiet = [player for player in draft.seats if all(taken.player != player for taken in draft.premiums)]
    if len(quiet) == 1:
        return quiet[0]
    first, *_ = from_dealers_left(draft)
    return first


def _order(draft: Draft, leader: PlayerId) -> tuple[PlayerId, ...]:
    """In which order a trick is played (PN-15): clockwise; beside an NPC, the NPC is last unless it leads."""
    if draft.form != "npc":
        return clockwise(draft, leader)
    assert draft.controller is not None
    mine, other = clockwise(draft, draft.controller)
    return (NPC, other, mine) if leader == NPC else (mine, other, NPC)


def _play(draft: Draft, player: PlayerId, card: CardId) -> None:
    who = draft.current
    assert who is not None
    draft.hands = {**draft.hands, who: tuple([held for held in draft.hands[who] if held != card])}
    draft.trick = (*draft.trick, Played(who, card))
    by = {} if who == player else {"by": player}
    draft.tell("cardPlayed", player=who, cardId=card, face=faces(draft.turn_up)[card], **by)
    order = _order(draft, draft.trick[0].player)
    draft.asked_at = draft.now
    if len(draft.trick) < len(order):
        draft.current = order[len(draft.trick)]
        return
    _end_trick(draft)


def _end_trick(draft: Draft) -> None:
    taker = winner(draft.trick, draft.trump, draft.turn_up)
    draft.tricks_won = {**draft.tricks_won, taker: draft.tricks_won[taker] + 1}
    draft.played = (*draft.played, *[played.card for played in draft.trick])
    draft.last_trick, draft.trick = draft.trick, ()
    draft.tell("trickWon", player=taker, tricks=draft.tricks_won[taker])
    draft.current = taker
    if taker != NPC and draft.form == "npc":
        draft.controller = taker
    if sum(draft.tricks_won.values()) == FORMS[draft.form].tricks:
        _score(draft)


def open_hands(game: State | Draft) -> frozenset[PlayerId]:
    """Whose hands everybody sees once play has begun: by a premium bid (PN-6, PN-22), and the NPC's."""
    shown = {taken.player for taken in game.premiums if PREMIUMS[taken.kind].hand}
    return frozenset({*shown, NPC} if game.form == "npc" else shown)


# ---------------------------------------------------------------- the score


def _score(draft: Draft) -> None:
    """-득점-, and the end of the game after its last round (-게임-)."""
    players = table(draft)
    if draft.options.variant == "unbid":  # the three that are left are the bid (PN-22)
        draft.bids = {player: draft.bids.get(player) or draft.hands[player] for player in players}
        draft.hands = dict.fromkeys(players, ())
    rows = _rows(draft, players)
    draft.last_round = rows
    points = {player: row.points for player, row in rows.items()}
    draft.round_scores = (*draft.round_scores, points)
    draft.scores = {player: score + points[player] for player, score in draft.scores.items()}
    draft.current = draft.controller = None
    draft.asked_at = draft.now
    draft.tell("roundScored", round=draft.round, rows={player: row_json(row) for player, row in rows.items()})
    for player in players:  # [비딩 보너스]: they show their bid to prove it; who failed need not (PN-9)
        if rows[player].made and player not in open_bids_in_play(draft):
            draft.tell("bidShown", player=player, **_bid_json(draft, draft.bids[player]))
    draft.phase = "roundEnd"
    if draft.round == draft.options.rounds:
        draft.phase = "finished"
        draft.tell("gameFinished", scores=draft.scores.copy())


def _rows(draft: Draft, players: tuple[PlayerId, ...]) -> dict[PlayerId, Row]:
    won, form = draft.tricks_won, draft.form
    made = {player: won[player] in right_numbers(draft.bids[player], draft.turn_up, form) for player in players}
    draft.streaks = {player: draft.streaks[player] + 1 if did else 0 for player, did in made.items()}
    bonus = bonuses(made, form, draft.streaks)
    # A number of tricks that was said (Unbid) must be taken, and be what the three cards left bid (RULES 7.3).
    failed = {taken.player for taken in draft.premiums if not made[taken.player]} | {
        taken.player for taken in draft.premiums if taken.tricks not in (None, won[taken.player])
    }
    premium = premium_points(players, draft.premiums, frozenset(failed))
    shown = open_bids_in_play(draft)
    return {
        player: Row(
            tricks=won[player],
            made=made[player],
            bid=bid_value(draft.bids[player], draft.turn_up) if made[player] or player in shown else None,
            bonus=bonus[player],
            premium=premium[player],
        )
        for player in players
    }


def open_bids_in_play(game: State | Draft) -> frozenset[PlayerId]:
    """Whose three cards everybody knows before the score: declared, revealed, or left of an open hand."""
    return frozenset(taken.player for taken in game.premiums if PREMIUMS[taken.kind].bid or PREMIUMS[taken.kind].hand)


# ---------------------------------------------------------------- as it is told


def seen(card: CardId, turn_up: CardId | None) -> Json:
    return {"id": card, "face": faces(turn_up)[card]}


def seen_all(cards: tuple[CardId, ...], turn_up: CardId | None) -> list[Json]:
    names = faces(turn_up)
    return [{"id": card, "face": names[card]} for card in cards]


def suit_name(suit: Suit | None) -> str:
    return "없음" if suit is None else NAME[suit]


def taken_json(taken: Taken) -> Json:
    shown: Json = {"player": taken.player, "kind": taken.kind}
    return shown if taken.tricks is None else {**shown, "tricks": taken.tricks}


def row_json(row: Row) -> Json:
    return {
        "tricks": row.tricks,
        "made": row.made,
        "bid": row.bid,
        "bonus": row.bonus,
        "premium": row.premium,
        "points": row.points,
    }


def _bid_json(draft: Draft, cards: tuple[CardId, ...]) -> Json:
    return {"tricks": bid_value(cards, draft.turn_up), "cards": seen_all(cards, draft.turn_up)}
