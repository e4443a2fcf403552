"""Chips on the table: put in, swept into pots, given up by whoever dies."""

from __future__ import annotations

from msgspec.structs import replace

from engines.kernel.betting import Bet
from engines.kernel.contract import PlayerId
from engines.kernel.pots import layers
from engines.seotda.state import Draft, Pot


def put(draft: Draft, player: PlayerId, amount: int, bet: Bet) -> int:
    """The player bets, and is all-in with the last chip. Returns what now lies in front of them."""
    stack, seated = draft.seats[player].stack - amount, draft.players[player]
    committed = seated.committed_round + amount
    draft.players[player] = replace(
        seated,
        committed_round=committed,
        all_in=stack == 0,
        acted_this_round=True,
        last_action=bet,
    )
    if amount:
        draft.set_seat(player, stack=stack)
        count(draft, player, amount)
    return committed


def count(draft: Draft, player: PlayerId, amount: int) -> None:
    """Keeps account of what the player has put in during this hand."""
    draft.committed_total[player] = draft.committed_total.get(player, 0) + amount


def sweep(draft: Draft) -> None:
    """A round is over, or 학교 is paid: what lies in front of the players goes into the pots, layer by layer (5.4).

    Doing so round by round comes to the same as doing it once at the end, for whoever is still in and not all-in has
    put in as much as any other in each round. What nobody matched comes back, of 학교 too (SD-9).
    """
    contributions = {
        player: seated.committed_round for player, seated in draft.players.items() if seated.committed_round
    }
    for player, seated in draft.players.items():
        if seated.committed_round or seated.acted_this_round:
            draft.players[player] = replace(seated, committed_round=0, acted_this_round=False)
    if not contributions:
        return
    sorted_out = layers(contributions, draft.live())
    if sorted_out.uncalled is not None:
        _give_back(draft, *sorted_out.uncalled)
    pots = list(draft.hand.pots)
    for amount, eligible in sorted_out.pots:
        if pots and pots[-1].eligible == eligible:
            pots[-1] = replace(pots[-1], amount=pots[-1].amount + amount)
        else:
            first_of_hand = not pots and draft.hand.rematch_no == 0
            pots.append(Pot(amount, eligible, main=first_of_hand))
    draft.set_hand(pots=tuple(pots))
    if sorted_out.orphaned:
        _adopt(draft, sorted_out.orphaned)


def _give_back(draft: Draft, player: PlayerId, amount: int) -> None:
    """Uncalled chips. Who gets some back has not bet everything after all, and is no longer all-in."""
    draft.set_seat(player, stack=draft.seats[player].stack + amount)
    draft.set_player(player, all_in=False)
    count(draft, player, -amount)
    draft.tell("returned", player=player, amount=amount)


def fold(draft: Draft, player: PlayerId) -> None:
    """The player dies: no pot is theirs to win any more.

    Except a carried pot that is theirs alone already, which they keep (SD-18).
    """
    draft.set_player(player, folded=True, last_action="die")
    hand = draft.hand
    carried = tuple([pot if len(pot.eligible) == 1 else _without(pot, player) for pot in hand.carried_pots])
    pots = [_without(pot, player) for pot in hand.pots]
    draft.set_hand(
        carried_pots=carried,
        pots=tuple([pot for pot in pots if pot.eligible]),
        died=(*hand.died, player),
    )
    if ownerless := sum([pot.amount for pot in pots if not pot.eligible]):
        _adopt(draft, ownerless)


def _without(pot: Pot, player: PlayerId) -> Pot:
    if player not in pot.eligible:
        return pot
    return replace(pot, eligible=tuple([other for other in pot.eligible if other != player]))


def _adopt(draft: Draft, amount: int) -> None:
    """Chips that nobody still in has reached go to the highest pot that somebody still in may win (SD-10)."""
    hand, live = draft.hand, draft.live()
    if hand.pots:  # each of these has somebody
        draft.set_hand(pots=(*hand.pots[:-1], replace(hand.pots[-1], amount=hand.pots[-1].amount + amount)))
        return
    carried = list(hand.carried_pots)
    at = max(i for i, pot in enumerate(carried) if any(player in live for player in pot.eligible))
    carried[at] = replace(carried[at], amount=carried[at].amount + amount)
    draft.set_hand(carried_pots=tuple(carried))
