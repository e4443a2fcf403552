"""-플레이-: who leads, whose turn it is, who takes the trick. Each function changes the draft it is given."""

from __future__ import annotations

from engines.kernel.contract import PlayerId
from engines.parlett.cards import CardId, faces
from engines.parlett.forms import FORMS, NPC, PREMIUMS
from engines.parlett.rules import winner
from engines.parlett.scoring import score_round
from engines.parlett.state import Draft, Played, State, clockwise, from_dealers_left, table
from engines.parlett.told import bid_json, open_hand, open_hands


def start_play(draft: Draft) -> None:
    """-플레이-: what is to be open is laid open before the first card (PN-6), and the NPC's hand with it."""
    draft.current = leader = _first_leader(draft)
    draft.controller = leader if draft.form == "npc" else None
    draft.tell("playStarted", leader=leader)
    for taken in draft.premiums:
        if PREMIUMS[taken.kind].bid:
            draft.tell("bidShown", player=taken.player, **bid_json(draft.bids[taken.player], draft.turn_up))
    for player in table(draft):
        if player in open_hands(draft):
            draft.tell("handShown", player=player, cards=open_hand(draft.hands[player], draft.turn_up))


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


def order(draft: State | Draft, leader: PlayerId) -> tuple[PlayerId, ...]:
    """In which order a trick is played (PN-15): clockwise; beside an NPC, the NPC is last unless it leads."""
    if draft.form != "npc":
        return clockwise(draft, leader)
    assert draft.controller is not None
    mine, other = clockwise(draft, draft.controller)
    return (NPC, other, mine) if leader == NPC else (mine, other, NPC)


def play(draft: Draft, player: PlayerId, card: CardId) -> None:
    """A card for the trick; ``player`` is who plays it, for the NPC perhaps."""
    who = draft.current
    assert who is not None
    draft.hands = {**draft.hands, who: tuple([held for held in draft.hands[who] if held != card])}
    draft.trick = (*draft.trick, Played(who, card))
    by = {} if who == player else {"by": player}
    draft.tell("cardPlayed", player=who, cardId=card, face=faces(draft.turn_up)[card], **by)
    turns = order(draft, draft.trick[0].player)
    draft.asked_at = draft.now
    if len(draft.trick) < len(turns):
        draft.current = turns[len(draft.trick)]
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
        score_round(draft)
