"""A player that sees what a player sees: its own view and its legal list, nothing else.

It bids the three cards without which the other nine are likeliest to take what those three bid. When it plays, it
weighs each card by what taking or losing this trick would leave it to do. Premium bids it makes with a safe hand only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from engines.kernel.contract import Action, Json
from engines.parlett.cards import Card, CardId, Suit, bid_value
from engines.parlett.estimate import Sight, fit
from engines.parlett.forms import BID_CARDS, FORMS, NPC

SAFE = 0.46  # how likely a bid must look to be declared; laying the hand open takes more
SAFER = 0.65
UNBID_SURE = 0.85  # in Unbid a bid is not fixed yet, so it is less sure than it looks
PLAYS_WELL = 0.75  # how often somebody who can beat a card does


def bot(view: Json, legal: list[Action], rng: Random) -> Action:
    """The action that looks best; a little chance among equals."""
    if len(legal) == 1:
        return legal[0]
    sight = Sight(view)
    match legal[0]["type"]:
        case "bid":
            three, _ = best_bid(sight, sight.trump)
            return next(action for action in legal if set(action["cardIds"]) == set(three))
        case "trump":
            return max(legal, key=lambda action: best_bid(sight, action["suit"])[1])
        case "premium":
            return _premium(sight, legal)
        case _:
            return _play(sight, legal, rng)


# ---------------------------------------------------------------- bids


def right(sight: Sight, value: int) -> tuple[int, ...]:
    """The numbers of tricks that make a bid of this value."""
    return (value, value + 10) if value in FORMS[sight.form].ten_more else (value,)


def best_bid(sight: Sight, trump: Suit | None, won: int = 0) -> tuple[tuple[CardId, ...], float]:
    """Which three to leave out of a hand, and how likely it then comes out even; so many tricks are in already."""
    chances = sight.chances(sight.hand, trump)

    def likely(three: tuple[CardId, ...]) -> float:
        rest = [chance for card, chance in chances.items() if card not in three]
        return max(fit(n - won, rest) for n in right(sight, bid_value(three, sight.turn_up)))

    threes = {three: likely(three) for three in combinations(sight.hand, BID_CARDS)}
    best = max(threes, key=threes.__getitem__)
    return best, threes[best]


def _premium(sight: Sight, legal: list[Action]) -> Action:
    """A bid that is likely enough is declared; with one that is nearly sure the hand is laid open too."""
    own = next((bid for bid in sight.view["bids"].values() if "cards" in bid), None)
    kinds = {action["kind"]: action for action in legal}
    if own is not None:
        chances = [*sight.chances(sight.hand, sight.trump).values()]
        likely = max(fit(n, chances) for n in right(sight, own["tricks"]))
        return _by_safety(likely, kinds, "declaration", "revelation")
    if "declaration" in kinds:  # Sphinx: the trump would be one's own to name, and all twelve cards are still in hand
        likely = max(best_bid(sight, trump)[1] for trump in ("D", "S", "H", "C", None))
        return _by_safety(likely, kinds, "declaration", "revelation")
    three, likely = best_bid(sight, sight.trump)
    offer = _by_safety(likely * UNBID_SURE, kinds, "declare", "both")
    return {**offer, "tricks": bid_value(three, sight.turn_up)} if "tricks" in offer else offer


def _by_safety(likely: float, kinds: dict[str, Action], safe: str, safer: str) -> Action:
    kind = safer if likely > SAFER else safe if likely > SAFE else "none"
    return kinds.get(kind, kinds["none"])


# ---------------------------------------------------------------- play


def _play(sight: Sight, legal: list[Action], rng: Random) -> Action:
    view = sight.view
    me = view["waiting"][0]
    keep, targets = _plan(sight, me)
    cards = [action["cardId"] for action in legal]
    for_npc = view["current"] == NPC

    def worth(card: CardId) -> float:
        """How likely it comes out even after this card, whether or not it brings me the trick."""
        rest = [held for held in sight.hand if held != card and held not in keep]
        chances = [*sight.chances(rest, sight.trump).values()]
        mine = _npc_gives(sight, me, card) if for_npc else _takes(sight, me, card)
        won = view["tricksWon"][me]
        even = max(mine * fit(n - won - 1, chances) + (1 - mine) * fit(n - won, chances) for n in targets)
        return even - (0.5 if card in keep else 0.0) + rng.random() * 1e-4

    return legal[cards.index(max(cards, key=worth))]


def _plan(sight: Sight, me: str) -> tuple[tuple[CardId, ...], tuple[int, ...]]:
    """The cards to keep back (in Unbid), and the numbers of tricks to end with."""
    view = sight.view
    if own := view["bids"].get(me):
        return (), right(sight, own["tricks"])
    said = next((one["tricks"] for one in view["premiums"] if one["player"] == me and "tricks" in one), None)
    won = view["tricksWon"][me]
    three, _ = best_bid(sight, sight.trump, won)
    if said is None:
        return three, right(sight, bid_value(three, sight.turn_up))
    chances = sight.chances(sight.hand, sight.trump)
    fitting = [c for c in combinations(sight.hand, BID_CARDS) if said in right(sight, bid_value(c, sight.turn_up))]
    if fitting:
        three = max(fitting, key=lambda c: fit(said - won, [p for card, p in chances.items() if card not in c]))
    return three, (said,)


def _takes(sight: Sight, me: str, card_id: CardId) -> float:
    """The chance that this card of mine takes the trick."""
    card = sight.card(card_id)
    if any(_beats(played, card, sight.trump, _led(sight, card)) for _, played in sight.trick):
        return 0.0
    chance = 1.0
    for player in _still_to_play(sight, me):
        chance *= 1 - _beaten_by(sight, player, card, _led(sight, card))
    return chance


def _npc_gives(sight: Sight, me: str, card_id: CardId) -> float:
    """The chance that the trick is mine if the NPC plays this: sure when it plays last, a guess when it leads."""
    card = sight.card(card_id)
    if sight.trick:
        led = sight.trick[0][1].suit
        best_player, best = sight.trick[0]
        for player, played in (*sight.trick[1:], (NPC, card)):
            if _beats(played, best, sight.trump, led):
                best_player, best = player, played
        return float(best_player == me)
    own = [sight.card(held) for held in sight.hand]
    follow = [held for held in own if held.suit == card.suit] or own
    return 0.5 if any(_beats(held, card, sight.trump, card.suit) for held in follow) else 0.1


def _led(sight: Sight, card: Card) -> Suit:
    return sight.trick[0][1].suit if sight.trick else card.suit


def _beats(one: Card, other: Card, trump: Suit | None, led: Suit) -> bool:
    def height(card: Card) -> tuple[int, int]:
        return (2 if card.suit == trump else 1 if card.suit == led else 0), card.rank

    return height(one) > height(other)


def _still_to_play(sight: Sight, me: str) -> list[str]:
    played = {player for player, _ in sight.trick}
    return [player for player in sight.view["handCounts"] if player != me and player not in played]


def _beaten_by(sight: Sight, player: str, card: Card, led: Suit) -> float:
    """The chance that this player, who plays later, beats the card."""
    held = sight.open.get(player)
    if held is not None:
        cards = [sight.card(one) for one in held]
        cards = [one for one in cards if one.suit == led] or cards
        return PLAYS_WELL if any(_beats(one, card, sight.trump, led) for one in cards) else 0.0
    count = sight.view["handCounts"][player]
    follows = 1 - _none(sight.unseen, count, lambda one: one.suit == led)
    higher = 1 - _none(sight.unseen, count, lambda one: one.suit == led and _beats(one, card, sight.trump, led))
    ruffs = 0.0 if led == sight.trump else 1 - _none(sight.unseen, count, lambda one: one.suit == sight.trump)
    if card.suit == sight.trump and led != sight.trump:
        higher, ruffs = 0.0, ruffs / 2
    return PLAYS_WELL * min(1.0, higher + (1 - follows) * ruffs)


def _none(unseen: Sequence[Card], count: int, of: Callable[[Card], bool]) -> float:
    """The chance that among so many of the unseen cards there is none of these."""
    if not unseen:
        return 1.0
    return float((1 - sum(map(of, unseen)) / len(unseen)) ** count)
