"""States from JSON, also such as somebody has edited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.kernel import codec
from engines.kernel.contract import Json, PlayerId
from engines.parlett.actions import Offering
from engines.parlett.forms import BID_CARDS, DECKS, FORMS, NPC, VARIANTS, Phase, form_of
from engines.parlett.rules import judge_premium
from engines.parlett.state import Offer, State, Taken, awaited, table
from engines.parlett.tricks import order

ENDED: tuple[Phase, ...] = ("roundEnd", "finished")


def load(data: Json) -> State:
    """A state from its dump; raises ``ValueError`` where it cannot be a moment of a game.

    What passes can be played on to the end. Whether the tricks of the past were played by the rules, and what was
    scored for them, is not asked.
    """
    state = codec.load(State, data)
    # Each may rely on those before it.
    for wrong in (_wrong_names, _wrong_round, _wrong_cards, _wrong_premiums, _wrong_turn):
        if found := "; ".join(wrong(state)):
            raise ValueError(f"not a state of parlett-ninety-nine: {found}")
    return state


def _wrong_names(state: State) -> Iterator[str]:
    seats, players = set(state.seats), set(table(state))
    if len(seats) < len(state.seats) or not 2 <= len(seats) <= 4 or NPC in seats:
        yield "seats are not two to four different players"
        return
    if form_of(state.options, len(seats)) != state.form:
        yield f"{len(seats)} players do not play {state.form}"
        return
    if any(named.keys() != players for named in (state.hands, state.tricks_won, state.scores, state.streaks)):
        yield "hands, tricksWon, scores and streaks do not name the players"
    scored = [{*points} for points in state.round_scores]
    scored += [{*state.last_round}] if state.last_round else []
    if any(named != players for named in scored):
        yield "roundScores or lastRound do not name the players"
    of_seats: list[Iterable[PlayerId]] = [state.offers, state.ready, state.left, state.missed_turns, [state.dealer]]
    of_table = [*state.bids, *[played.player for played in (*state.trick, *state.last_trick)]]
    if any(not seats.issuperset(named) for named in of_seats) or not players.issuperset(of_table):
        yield "the state names somebody who does not play"


def _wrong_round(state: State) -> Iterator[str]:
    """The round, its phase, and how far it has come."""
    ended, rounds, won = state.phase in ENDED, state.options.rounds, [*state.tricks_won.values()]
    if not 1 <= state.round <= rounds or (ended and (state.phase == "finished") != (state.round == rounds)):
        yield f"the phase is {state.phase} in round {state.round} of {rounds}"
    if len(state.round_scores) != state.round - (not ended) or bool(state.round_scores) != bool(state.last_round):
        yield "a round has ended without a score, or has a score and has not ended"
    if not ended and state.phase not in VARIANTS[state.options.variant].phases:
        yield f"there is no {state.phase} in {state.options.variant}"
    played, all_tricks = sum(won), FORMS[state.form].tricks
    if min(won) < 0 or not (played == all_tricks if ended else played < all_tricks):
        yield f"the phase is {state.phase}, and {played} of {all_tricks} tricks have been taken"
    if state.phase != "playing" and not ended and (state.trick or played):
        yield f"the phase is {state.phase}, and there are tricks"
    if state.ready and state.phase != "roundEnd":
        yield "somebody is ready for the next round before this one has ended"


def _wrong_cards(state: State) -> Iterator[str]:
    there = [card for cards in (*state.hands.values(), *state.bids.values()) for card in cards]
    there += [*state.played, *(played.card for played in state.trick)]
    there += [] if state.turn_up is None else [state.turn_up]
    if sorted(there) != sorted(DECKS[state.form, state.options.variant]):
        yield "the cards are not one deck"
    if any(len(cards) != BID_CARDS for cards in state.bids.values()):
        yield "a bid is not three cards"
    least, most = _bidders(state)
    if not least <= state.bids.keys() <= most:
        yield f"the phase is {state.phase}, and bids are laid by {', '.join(state.bids) or 'nobody'}"
    finished = sum(state.tricks_won.values())
    if len(state.played) != finished * len(state.hands):
        yield "played and tricksWon disagree"
    if not {played.card for played in state.last_trick} <= {*state.played}:
        yield "the last trick is not among the cards played"
    in_trick = [played.player for played in state.trick]
    for player, hand in state.hands.items():
        held = FORMS[state.form].dealt - finished - in_trick.count(player) - BID_CARDS * (player in state.bids)
        if len(hand) != held:
            yield f"{player} holds {len(hand)} cards, not {held}"


def _since(state: State, phase: Phase) -> int:
    """By how many phases this round is past that one; less than none: it is still to come."""
    phases = (*VARIANTS[state.options.variant].phases, *ENDED)
    return phases.index(state.phase) - phases.index(phase)


def _bidders(state: State) -> tuple[set[PlayerId], set[PlayerId]]:
    """Who must have laid a bid by now, and who may have."""
    everybody = {*table(state)}
    npc = {NPC} & everybody
    if state.phase in ENDED:
        return everybody, everybody
    if "bidding" not in VARIANTS[state.options.variant].phases or _since(state, "bidding") < 0:
        return npc, npc
    return (npc if state.phase == "bidding" else everybody), everybody


def _wrong_premiums(state: State) -> Iterator[str]:
    said: list[Offer | Taken] = [*state.offers.values(), *state.premiums]
    if any(judge_premium(state, Offering(one.kind, one.tricks)) for one in said):
        yield "there is a premium bid that cannot be made here"
    takers = [taken.player for taken in state.premiums]
    if any(taken.kind == "none" for taken in state.premiums) or not {*takers} <= {*state.seats}:
        yield "a premium bid that is none, or nobody's, has taken effect"
    if len({*takers}) < len(takers) or (len(takers) > 1 and not FORMS[state.form].every_premium):
        yield "more premium bids have taken effect than can"
    since = _since(state, "premium")
    if (state.offers and since < 0) or (takers and since <= 0):
        yield f"the phase is {state.phase}, and premium bids have been made"


def _wrong_turn(state: State) -> Iterator[str]:
    turn, npc_plays = state.phase in ("trump", "playing"), state.phase == "playing" and state.form == "npc"
    if not (state.current in table(state) if turn else state.current is None):
        yield f"the phase is {state.phase}, and the current player {state.current}"
    elif state.phase == "trump" and state.current not in [taken.player for taken in state.premiums[:1]]:
        yield f"{state.current} has no trump to name"
    if not (state.controller in state.seats if npc_plays else state.controller is None):
        yield f"the NPC is played by {state.controller}"
    elif state.phase == "playing" and state.current is not None:
        yield from _wrong_trick(state, state.current)
    if state.phase in ("bidding", "premium", "roundEnd") and not awaited(state):
        yield "nobody is asked anything"


def _wrong_trick(state: State, current: PlayerId) -> Iterator[str]:
    in_turn = [*[played.player for played in state.trick], current]
    leader = in_turn[0]
    if state.form == "npc" and leader not in (NPC, state.controller):
        yield f"{leader} leads, and {state.controller} plays the NPC"
    elif leader == NPC and not state.played:
        yield "the NPC leads to the first trick"
    elif tuple(in_turn) != order(state, leader)[: len(in_turn)]:
        yield f"the trick is played by {', '.join(in_turn)}, which is not in turn"
