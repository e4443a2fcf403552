"""The end of one game of a hand: hands are shown, each pot is judged by itself, and what is undecided is carried over.

Document 6.3 to 6.5 and 5.5. Where only one player is left there is nothing to show or to judge, and the same code pays
out (5.1.8, SD-41).
"""

from __future__ import annotations

from msgspec.structs import replace

from engines.kernel.contract import Json, PlayerId
from engines.kernel.pots import split
from engines.seotda import rejoin
from engines.seotda.between import end_hand
from engines.seotda.cards import Card, seen
from engines.seotda.hands import Made, evaluate
from engines.seotda.judge import Verdict, resolve
from engines.seotda.state import BestHand, Draft, Outcome, Pot, Showdown, Shown

MOST_REMATCHES = 3  # in a hand, for whatever reason (5.5.5, SD-23)


def go_on(draft: Draft) -> bool:
    """Shows, judges, pays; then a rematch (perhaps asking who died to come back), or the end of the hand."""
    shown = _show(draft)
    hand = draft.hand
    pots = (*hand.carried_pots, *hand.pots)
    outcomes: list[Outcome] = []
    carried: dict[int, Pot] = {}
    for index in _order(pots):
        pot = pots[index]
        verdict = _judge(draft, pot, shown)
        outcomes.append(Outcome(verdict.type, index, pot.amount, verdict.players, verdict.reason))
        if verdict.type == "rematch":
            assert verdict.reason in ("gusa", "mungGusa", "tie")
            carried[index] = replace(pot, eligible=carry(verdict), reason=verdict.reason)
        else:
            _pay(draft, index, pot, verdict, shown)
    draft.set_hand(
        showdown=Showdown(draft.hand.showdown.hands if draft.hand.showdown and shown else (), tuple(outcomes)),
        carried_pots=tuple([carried[index] for index in sorted(carried)]),
        pots=(),
    )
    if not carried:
        end_hand(draft)
        return True
    draft.rematches += 1
    first = draft.hand.carried_pots[0]
    draft.set_hand(rematch_reason=first.reason)
    rejoin.ask(draft)
    return True


def _order(pots: tuple[Pot, ...]) -> list[int]:
    """The fewer may win a pot the earlier it is judged, and the main pot last (6.5)."""
    return sorted(range(len(pots)), key=lambda i: (pots[i].main, len(pots[i].eligible), -i))


# ---------------------------------------------------------------- showing


def shown_cards(hand: tuple[Card, ...], chosen: tuple[int, int] | None) -> tuple[Card, Card]:
    """The two cards that count. In three-card play the third is never shown to anybody (5.2)."""
    one, other = hand if chosen is None else [card for card in hand if card.id in chosen]
    return one, other


def seen_hand(one: Shown) -> Json:
    """A hand that has been shown, for everybody."""
    return {
        "player": one.id,
        "cards": [seen(card) for card in one.cards],
        "name": one.name,
        "value": one.value,
        "special": one.special,
    }


def _show(draft: Draft) -> dict[PlayerId, Made]:
    """Everybody still in shows, all at once; a last one left shows nothing (5.1.7, 5.1.8)."""
    live = draft.live()
    if len(live) == 1:
        return {}
    made: dict[PlayerId, Made] = {}
    hands = []
    for player in live:
        seated = draft.players[player]
        cards = shown_cards(seated.hand, seated.chosen)
        made[player] = what = evaluate(*cards, draft.options)
        hands.append(Shown(player, cards, what.name, what.value, what.special))
        best = draft.best_hand
        if best is None or what.value > best.value:
            draft.best_hand = BestHand(player, what.plain, draft.hand.hand_no, what.value)
    draft.set_hand(showdown=Showdown(tuple(hands), ()))
    draft.tell("showdown", players=live)
    for one in hands:
        draft.tell("shown", **seen_hand(one))
    return made


# ---------------------------------------------------------------- judging


def _judge(draft: Draft, pot: Pot, shown: dict[PlayerId, Made]) -> Verdict:
    """The pot among its own players, in the order from the dealer."""
    if len(pot.eligible) == 1:  # paid without being judged (SD-11); a carried one perhaps to somebody who died (SD-18)
        return Verdict("win", pot.eligible, "alone")
    among = {player: made for player, made in shown.items() if player in pot.eligible}
    verdict = resolve(among, draft.options)
    if verdict.type == "rematch" and draft.hand.rematch_no == MOST_REMATCHES:
        # Instead of a fourth: equal shares to all who would have played it, with 구사 also the weaker hands (SD-23).
        return Verdict("split", verdict.players, verdict.reason)
    return verdict


def carry(verdict: Verdict) -> tuple[PlayerId, ...]:
    """SD-15 (an owner may want another): a carried pot is for those who play for it again, and for nobody else.

    So who has lost a tie cannot win that pot after all, even if another pot keeps them in the rematch.
    """
    return verdict.players


def _pay(draft: Draft, index: int, pot: Pot, verdict: Verdict, shown: dict[PlayerId, Made]) -> None:
    """Shares; odd chips one each, to whoever of the winners comes first from the dealer (6.3.6, SD-14)."""
    order = draft.hand.participants
    winners = tuple(sorted(verdict.players, key=order.index))
    shares = split(pot.amount, winners)
    for player, share in shares.items():
        draft.set_seat(player, stack=draft.seats[player].stack + share)
        draft.won[player] = draft.won.get(player, 0) + share
    if pot.main:
        name = shown[winners[0]].name if winners[0] in shown else None
        draft.set_hand(main_takers=winners, main_hand=name)
    draft.tell(
        "potWon",
        potIndex=index,
        amount=pot.amount,
        winners=list(winners),
        shares=shares,
        reason=verdict.reason,
    )
