"""What may be done: the one check behind every door (document 8.2).

`refusal_of` says why an action may not be done, or None. `apply`, the legal list, the hints on a player's cards and
what is played for the absent all come down to the same functions here.
"""

from __future__ import annotations

from typing import assert_never

from engines.bang.actions import (
    Action,
    Discard,
    Draw,
    EndPlay,
    GiveUp,
    KitKeepTwo,
    PickCharacter,
    PickFlip,
    Play,
    Respond,
    SidHeal,
    StorePick,
    TakeHit,
    UseBarrel,
)
from engines.bang.cards import AIM, BLUE, KIND, TAKES, WEAPONS, CardId, CardKind
from engines.bang.state import Choose2, Duel, Dying, Indians, KitKeep, LuckyPick, Phase, Reaction, Shot, Store
from engines.bang.table import Table
from engines.kernel.contract import PlayerId, Rejected

KEPT_BY_KIT = 2
HEAL_COST = 2


def refusal_of(table: Table, player: PlayerId, action: Action) -> Rejected | None:
    """Why this player may not do this now."""
    match action:
        case Play():
            return on_turn(table, player, "play") or why_not_play(table, player, action)
        case Respond(card_ids=cards):
            return why_not_respond(table, player, cards)
        case TakeHit():
            return None if isinstance(window(table, player), Shot | Indians | Duel) else _not_asked(table, player)
        case GiveUp():
            return None if isinstance(window(table, player), Dying) else _not_asked(table, player)
        case EndPlay():
            return on_turn(table, player, "play")
        case Draw():
            return on_turn(table, player, "draw") or why_not_draw(table, player, action)
        case Discard(card_ids=cards):
            count = len(table.players[player].hand) - table.players[player].life
            return on_turn(table, player, "discard") or why_not_these(table, player, cards, count)
        case SidHeal(card_ids=cards):
            return why_not_heal(table, player) or why_not_these(table, player, cards, HEAL_COST)
        case UseBarrel():
            return why_not_barrel(table, player)
        case StorePick(card_id=card):
            return _pick(table, player, Store, (card,))
        case PickFlip(card_id=card):
            return _pick(table, player, LuckyPick, (card,))
        case KitKeepTwo(keep=cards):
            return _pick(table, player, KitKeep, cards)
        case PickCharacter(character=character):
            if not isinstance(window(table, player), Choose2):
                return _not_asked(table, player)
            return None if character in table.players[player].character_offer else table.no("not_offered")
        case _:
            assert_never(action)


def window(table: Table, player: PlayerId) -> Reaction | None:
    """The window that this player can answer now."""
    at = table.window_of(player)
    return None if at is None else table.reactions[at]


def on_turn(table: Table, player: PlayerId, phase: Phase) -> Rejected | None:
    """Something for one phase of one's own turn, while nobody else is asked (5.4)."""
    if table.turn.player != player:
        return table.no("not_your_turn")
    if table.reactions:
        return table.no("reactions_open")
    return None if table.turn.phase == phase else table.no("wrong_phase")


def _not_asked(table: Table, player: PlayerId) -> Rejected:
    """Not now: and where nothing at all is asked of this player, because it is not the player's turn."""
    mine = table.window_of(player) is not None or table.turn.player == player
    return table.no("not_asked" if mine else "not_your_turn")


# ---------------------------------------------------------------- playing a card


def why_not_play(table: Table, player: PlayerId, play: Play) -> Rejected | None:
    """A card from the hand, on one's own turn."""
    if play.card_id not in table.players[player].hand:
        return table.no("no_such_card")
    kind = played_as(table, player, play)
    if isinstance(kind, Rejected):
        return kind
    return why_not_kind(table, player, kind) or why_not_at(table, player, kind, play.target, play.target_card)


def played_as(table: Table, player: PlayerId, play: Play) -> CardKind | Rejected:
    """What the card counts as. Only a 빗나감! of one who may plays as something else, and has to say so (BG-46)."""
    kind = KIND[play.card_id]
    if kind != "missed":
        return kind if play.as_ is None else table.no("as_not_allowed")
    if play.as_ != "bang":
        return table.no("missed_is_reaction")
    return "bang" if table.players[player].traits.either_way else table.no("as_not_allowed")


def why_not_kind(table: Table, player: PlayerId, kind: CardKind) -> Rejected | None:
    """Whatever the target: a second 뱅!, a 맥주 for nothing, what lies there already (5.2.4)."""
    if kind == "bang":
        if table.turn.bangs_played and not table.shots_unlimited(player):
            return table.no("bang_used")
    elif kind == "beer":
        if two_left(table):  # also with beerAtFullHealth, which lifts the other block alone (BG-38)
            return table.no("beer_two_left")
        found = table.players[player]
        if found.life == found.max_life and table.options.beer_at_full_health == "off":
            return table.no("beer_full")
    elif kind in BLUE and kind not in AIM and kind not in WEAPONS and table.has(player, kind):
        return table.no("same_in_play")  # another weapon, also of the same name, replaces the first (BG-37)
    return None


def two_left(table: Table) -> bool:
    """Where 맥주 has no effect. The dying are counted (BG-6)."""
    return len(table.living()) <= 2


def why_not_at(
    table: Table, player: PlayerId, kind: CardKind, target: PlayerId | None, target_card: CardId | str | None
) -> Rejected | None:
    """Whether this kind may be played at this target, and at this card of the target's."""
    if kind not in AIM:
        code = "target_stray" if target is not None else "target_card_stray" if target_card is not None else None
        return None if code is None else table.no(code)
    if target is None:
        return table.no("target_missing")
    if refused := why_not_target(table, player, kind, target, table.distances(player)):
        return refused
    if kind in TAKES:
        return why_not_card(table, player, target, target_card)
    return None if target_card is None else table.no("target_card_stray")


def why_not_target(
    table: Table, player: PlayerId, kind: CardKind, target: PlayerId, distances: dict[PlayerId, int]
) -> Rejected | None:
    """Another living player, as far away as this kind reaches (5.3)."""
    if target == player:  # only by the house rule, which sees no distance to oneself (BG-36)
        own = kind in TAKES and table.options.self_target_cat_balou == "on"
        if not own:
            return table.no("target_self")
        return None if table.players[player].in_play else table.no("target_has_none")
    distance = distances.get(target)
    if distance is None:
        return table.no("target_gone")
    match AIM[kind]:
        case "shot":
            reach = table.range_of(player)
            return None if distance <= reach else table.no("out_of_range", distance=distance, range=reach)
        case "near":  # whatever the weapon (5.1)
            if distance > 1:
                return table.no("too_far", distance=distance)
        case "jail":  # one for each, never the sheriff (BG-59)
            if table.players[target].role == "sheriff":
                return table.no("jail_sheriff")
            return table.no("jailed_already") if table.has(target, "jail") else None
        case "other":
            pass
    found = table.players[target]
    return table.no("target_has_none") if kind in TAKES and not (found.hand or found.in_play) else None  # BG-35


def why_not_card(table: Table, player: PlayerId, target: PlayerId, target_card: CardId | str | None) -> Rejected | None:
    """A card before the target, jail and dynamite too, or the hand where there is one (BG-35); never one's own hand."""
    if target_card is None:
        return table.no("target_card_missing")
    found = table.players[target]
    if target_card != "hand":
        return None if target_card in found.in_play else table.no("target_card_gone")
    if target == player:
        return table.no("own_hand")
    return None if found.hand else table.no("target_hand_empty")


# ---------------------------------------------------------------- answering


def defence(table: Table, player: PlayerId, asked: Reaction | None) -> tuple[frozenset[CardKind], int]:
    """The kinds that answer this window, and how many of them at once."""
    either = table.players[player].traits.either_way
    match asked:
        case Shot(needed=needed):
            return (BOTH_WAYS if either else MISSED), needed
        case Indians() | Duel():  # 인디언! too, although 8.2's row says it of the duel alone (BG-1)
            return (BOTH_WAYS if either else BANG), 1
        case Dying():
            return BEER, 1 - table.players[player].life
        case _:
            return NONE, 0


MISSED: frozenset[CardKind] = frozenset({"missed"})
BANG: frozenset[CardKind] = frozenset({"bang"})
BOTH_WAYS: frozenset[CardKind] = MISSED | BANG
BEER: frozenset[CardKind] = frozenset({"beer"})
NONE: frozenset[CardKind] = frozenset()


def why_not_respond(table: Table, player: PlayerId, cards: tuple[CardId, ...]) -> Rejected | None:
    """All that is needed at once, neither less nor more (5.4, BG-23, BG-27); to decline is another action (BG-60)."""
    asked = window(table, player)
    kinds, needed = defence(table, player, asked)
    if not kinds:
        return _not_asked(table, player)
    if isinstance(asked, Dying) and two_left(table):
        return table.no("beer_two_left")
    held = table.players[player].hand
    if any(card in held and KIND[card] not in kinds for card in cards):
        return table.no("no_defence")
    return why_not_these(table, player, cards, needed)


def why_not_these(table: Table, player: PlayerId, cards: tuple[CardId, ...], count: int) -> Rejected | None:
    """So many different cards of one's own hand."""
    held = table.players[player].hand
    if any(card not in held for card in cards):
        return table.no("no_such_card")
    if len(set(cards)) < len(cards):
        return table.no("same_card_twice")
    return None if len(cards) == count else table.no("wrong_count", count=count)


def next_barrel(table: Table, player: PlayerId, asked: Shot) -> str | None:
    """The barrel to be flipped next: the real one, then the one a character always has, once each a shot (BG-28)."""
    if not asked.barrel_tried and table.has(player, "barrel"):
        return "barrel_tried"
    if not asked.jour_tried and table.players[player].traits.barrels:
        return "jour_tried"
    return None


def why_not_barrel(table: Table, player: PlayerId) -> Rejected | None:
    """Only where it is not done by itself; it may also be left (BG-29)."""
    asked = window(table, player)
    if not isinstance(asked, Shot):
        return _not_asked(table, player)
    if table.options.auto_barrel == "on":
        return table.no("barrel_automatic")
    return None if next_barrel(table, player, asked) else table.no("no_barrel")


def why_not_heal(table: Table, player: PlayerId) -> Rejected | None:
    """In one's own play phase, also while others are asked, and where one is asked oneself (8.2, BG-2)."""
    found = table.players[player]
    if not found.traits.heals_by_discard:
        return table.no("heal_not_yours")
    own_turn = table.turn.player == player and table.turn.phase == "play"
    if not own_turn and not isinstance(window(table, player), Shot | Indians | Duel | Store | Dying):
        return table.no("heal_not_now")
    return None if found.life < found.max_life else table.no("heal_full")


# ---------------------------------------------------------------- choosing


def _pick(
    table: Table, player: PlayerId, kind: type[Store | LuckyPick | KitKeep], cards: tuple[CardId, ...]
) -> Rejected | None:
    """From what lies open in the window."""
    asked = window(table, player)
    if not isinstance(asked, kind):
        return _not_asked(table, player)
    offered = asked.revealed if isinstance(asked, Store) else asked.options
    if any(card not in offered for card in cards):
        return table.no("not_offered")
    if len(set(cards)) < len(cards):
        return table.no("same_card_twice")
    count = KEPT_BY_KIT if kind is KitKeep else 1
    return None if len(cards) == count else table.no("wrong_count", count=count)


def why_not_draw(table: Table, player: PlayerId, draw: Draw) -> Rejected | None:
    """The first card from elsewhere, for those who can (3.2)."""
    draws = table.players[player].traits.draws
    if draw.jesse_from is not None:
        if draws != "fromHand" or draw.pedro_discard:
            return table.no("draw_not_yours")
        found = table.players.get(draw.jesse_from)
        if found is None or not found.alive or draw.jesse_from == player:
            return table.no("target_gone")
        return None if found.hand else table.no("target_hand_empty")
    if draw.pedro_discard:
        if draws != "fromDiscard":
            return table.no("draw_not_yours")
        return None if table.discard else table.no("discard_empty")
    return None
