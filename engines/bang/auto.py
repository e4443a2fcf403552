"""What is played for someone whose time is up (document 8.5).

It looks at that player's own cards and at what everybody sees.
"""

from __future__ import annotations

from engines.bang import flips, flow
from engines.bang.actions import (
    Action,
    Discard,
    EndPlay,
    GiveUp,
    KitKeepTwo,
    PickCharacter,
    PickFlip,
    Respond,
    SidHeal,
    StorePick,
    TakeHit,
    UseBarrel,
)
from engines.bang.cards import KIND, CardId
from engines.bang.rules import HEAL_COST, KEPT_BY_KIT, defence, two_left, why_not_barrel, window
from engines.bang.state import Choose2, Duel, Dying, Indians, KitKeep, LuckyPick, Shot, Store
from engines.bang.table import Draft, Table
from engines.kernel.contract import PlayerId


def answer(draft: Draft, player: PlayerId) -> None:
    """Answers this player's window."""
    flow.perform(draft, player, automatic(draft, player))


def automatic(table: Table, player: PlayerId) -> Action:
    """What 8.5 answers for this player."""
    asked = window(table, player)
    match asked:
        case Choose2():
            return PickCharacter(table.players[player].character_offer[0])
        case KitKeep(options=cards):
            return KitKeepTwo(cards[:KEPT_BY_KIT])
        case LuckyPick(options=cards, purpose=purpose):
            return PickFlip(next((card for card in cards if flips.succeeds(purpose, card)), cards[0]))
        case Store(revealed=cards):
            return StorePick(cards[0])
        case Dying():
            return rescue(table, player)
        case Shot() | Indians() | Duel():
            return _defend(table, player)
        case None:
            raise AssertionError(f"{player} is asked nothing")


def _defend(table: Table, player: PlayerId) -> Action:
    """Barrels first (BG-29), then all the cards that are needed; where these are not there, none is spent (BG-27)."""
    if table.options.auto_defend == "off":
        return TakeHit()
    if why_not_barrel(table, player) is None:
        return UseBarrel()
    asked = window(table, player)
    kinds, needed = defence(table, player, asked)
    own = "missed" if isinstance(asked, Shot) else "bang"  # a card's own use before that of one who may swap them
    cards = sorted(
        (card for card in table.players[player].hand if KIND[card] in kinds), key=lambda card: KIND[card] != own
    )
    return Respond(tuple(cards[:needed])) if len(cards) >= needed else TakeHit()


def rescue(table: Table, player: PlayerId) -> Action:
    """The next step of a way to survive; where there is none, nothing is spent on it (BG-5).

    As many 맥주 as are allowed and useful, the rest by pairs of other cards; the pairs come first, for the 맥주 have to
    be exactly what is still needed (BG-4).
    """
    found = table.players[player]
    needed = 1 - found.life
    beers = [] if two_left(table) else [card for card in found.hand if KIND[card] == "beer"]
    others = sorted(card for card in found.hand if card not in beers)
    pairs = needed - min(needed, len(beers))
    if pairs == 0:
        return Respond(tuple(beers[:needed]))
    if found.traits.heals_by_discard and len(others) >= pairs * HEAL_COST:
        return SidHeal(tuple(others[:HEAL_COST]))
    return GiveUp()


def go_on(draft: Draft, player: PlayerId) -> None:
    """The next step of this player's turn."""
    match draft.turn.phase:
        case "draw":
            flow.draw_plainly(draft, player)
            flow.settle(draft)
        case "play":
            flow.perform(draft, player, EndPlay())
        case "discard":
            flow.perform(draft, player, Discard(_any_surplus(draft, player)))
        case "setup" | "start":
            raise AssertionError("these phases ask nobody, or by a window")


def _any_surplus(draft: Draft, player: PlayerId) -> tuple[CardId, ...]:
    """Random cards, as many as are too many."""
    found = draft.players[player]
    mixed, draft.rng = draft.rng.shuffle(found.hand)
    return mixed[: len(found.hand) - found.life]
