"""The document's tables once more, read as slowly and as literally as they are written, to hold the engine against.

Nothing of the engine's rules is used here, only its state and the 80 cards. `may_do` is section 5 and the table of 8.2.
"""

from __future__ import annotations

from itertools import combinations

from engines.bang.cards import CARDS, CardId
from engines.bang.state import (
    Choose2,
    Duel,
    Dying,
    Indians,
    KitKeep,
    LuckyPick,
    Player,
    Shot,
    State,
    Store,
)
from engines.kernel.contract import Action

WEAPON = {"volcanic": 1, "schofield": 2, "remington": 3, "carabine": 4, "winchester": 5}
STAYS = {"barrel", "mustang", "scope", "dynamite"}


def kind(card: CardId) -> str:
    return CARDS[card].kind


def lies(player: Player, *kinds: str) -> bool:
    return any(kind(card) in kinds for card in player.in_play)


def distance(state: State, a: Player, b: Player) -> int:
    """5.1."""
    ring = [player.id for player in state.players if player.alive]
    there = back = 0
    at = ring.index(a.id)
    while ring[(at + there) % len(ring)] != b.id:
        there += 1
    while ring[(at - back) % len(ring)] != b.id:
        back += 1
    far = lies(b, "mustang") + (b.character == "paul")
    near = lies(a, "scope") + (a.character == "rose")
    return max(1, min(there, back) + far - near)


def reach(player: Player) -> int:
    return next((WEAPON[kind(card)] for card in player.in_play if kind(card) in WEAPON), 1)


def may_do(state: State, me: Player) -> list[Action]:
    """Everything that this player may do, in no order."""
    if state.winner is not None or not me.alive:
        return []
    mine = [window for window in state.reactions if window.asked == me.id]
    found: list[Action] = []
    if mine:
        found += answers(state, me, mine[-1])
    elif not state.reactions and state.turn.player == me.id:
        found += turn(state, me)
    window = mine[-1] if mine else None
    playing = state.turn.player == me.id and state.turn.phase == "play"
    heals = me.character == "sid" and me.life < me.max_life
    if heals and (playing or isinstance(window, Shot | Indians | Duel | Store | Dying)):
        found += [{"type": "sidHeal", "cardIds": [*two]} for two in combinations(me.hand, 2)]
    return found


def sets(me: Player, kinds: set[str], number: int) -> list[Action]:
    fit = [card for card in me.hand if kind(card) in kinds]
    return [{"type": "respond", "cardIds": [*some]} for some in combinations(fit, number)]


def answers(state: State, me: Player, window: object) -> list[Action]:
    """5.4, and 8.2's rows for whoever is asked."""
    swaps = {"bang", "missed"} if me.character == "calamity" else set()
    hit: list[Action] = [{"type": "takeHit"}]
    match window:
        case Shot():
            found = sets(me, {"missed"} | swaps, window.needed) + hit
            barrels = lies(me, "barrel") and not window.barrel_tried
            barrels = barrels or (me.character == "jourdonnais" and not window.jour_tried)
            return [*found, {"type": "useBarrel"}] if barrels and state.options.auto_barrel == "off" else found
        case Indians() | Duel():
            return sets(me, {"bang"} | swaps, 1) + hit
        case Dying():
            two = sum(player.alive for player in state.players) == 2
            return ([] if two else sets(me, {"beer"}, 1 - me.life)) + [{"type": "giveUp"}]
        case Store():
            return [{"type": "storePick", "cardId": card} for card in window.revealed]
        case LuckyPick():
            return [{"type": "luckyPick", "cardId": card} for card in window.options]
        case KitKeep():
            return [{"type": "kitKeep", "keep": [*two]} for two in combinations(window.options, 2)]
        case Choose2():
            return [{"type": "pickCharacter", "character": one} for one in me.character_offer]
    raise AssertionError(window)


def turn(state: State, me: Player) -> list[Action]:
    """5.2."""
    others = [player for player in state.players if player.alive and player.id != me.id]
    if state.turn.phase == "draw":
        found: list[Action] = [{"type": "draw"}]
        if me.character == "jesse":
            found += [{"type": "draw", "jesseFrom": player.id} for player in others if player.hand]
        if me.character == "pedro" and state.discard:
            found.append({"type": "draw", "pedroDiscard": True})
        return found
    if state.turn.phase == "discard":
        return [{"type": "discard", "cardIds": [*some]} for some in combinations(me.hand, len(me.hand) - me.life)]
    assert state.turn.phase == "play"
    return [{"type": "endPlay"}] + [action for card in me.hand for action in plays(state, me, others, card)]


def plays(state: State, me: Player, others: list[Player], card: CardId) -> list[Action]:
    """5.3, a row each."""
    plain: Action = {"type": "play", "cardId": card}
    targets: list[Player] = []
    match kind(card):
        case "missed" if me.character != "calamity":
            return []
        case "missed" | "bang":
            free = lies(me, "volcanic") or me.character == "willy"
            if state.turn.bangs_played == 0 or free:
                targets = [player for player in others if distance(state, me, player) <= reach(me)]
            if kind(card) == "missed":
                plain["as"] = "bang"
        case "beer":
            full = me.life == me.max_life and state.options.beer_at_full_health == "off"
            return [] if full or len(others) == 1 else [plain]
        case "duel":
            targets = others
        case "jail":
            targets = [player for player in others if player.role != "sheriff" and not lies(player, "jail")]
        case "panic" | "catBalou":
            near = kind(card) == "panic"
            reached = [player for player in others if not near or distance(state, me, player) <= 1]
            if state.options.self_target_cat_balou == "on":
                reached.append(me)
            return [
                {**plain, "target": player.id, "targetCard": one}
                for player in reached
                for one in ((["hand"] if player.hand and player is not me else []) + [*player.in_play])
            ]
        case name if name in STAYS:
            return [] if lies(me, name) else [plain]
        case _:
            return [plain]
    return [{**plain, "target": player.id} for player in targets]


class Onlooker:
    """Follows a game by what everybody is told and nothing else, and keeps the books of the public table."""

    def __init__(self) -> None:
        self.seats: list[str] = []
        self.hands: dict[str, int] = {}
        self.lives: dict[str, int] = {}
        self.front: dict[str, list[CardId]] = {}
        self.roles: dict[str, str] = {}
        self.dead: list[str] = []
        self.current: str | None = None
        self.winner: str | None = None

    def hear(self, event: Action) -> None:
        """One public event."""
        who = event.get("player", "")
        cards = [card["id"] for card in event.get("cards", ())]
        match event["type"]:
            case "gameStarted":
                self.seats = event["seats"]
                self.roles[event["sheriff"]] = "sheriff"
                self.front = {seat: [] for seat in self.seats}
                self.hands = dict.fromkeys(self.seats, 0)
                self.lives = dict.fromkeys(self.seats, 0)
            case "characterRevealed":
                self.lives[who] = self.hands[who] = event["life"]
            case "turnStarted":
                self.current = who
            case "cardsDrawn":
                self.hands[who] += event["count"]
            case "storePicked" | "discardTaken":
                self.hands[who] += 1
            case "looted":
                self.hands[who] += event["count"]
                self.hands[event["target"]], self.front[event["target"]] = 0, []
            case "responded" | "healedByDiscard":
                self.hands[who] -= len(cards)
            case "cardPlayed":
                self.play(event, event["card"]["id"])
            case "cardTaken":
                self.hands[who] += 1
                if event["where"] == "hand":
                    self.hands[event["target"]] -= 1
                else:
                    self.front[event["target"]].remove(event["card"]["id"])
            case "cardsDiscarded":
                for card in cards:
                    if card in self.front[who]:
                        self.front[who].remove(card)
                    else:
                        self.hands[who] -= 1
            case "penalty":
                self.hands[who], self.front[who] = 0, []
            case "dynamitePassed":
                self.front[event["target"]].append(self.take(who, "dynamite"))
            case "dynamiteExploded":
                self.take(who, "dynamite")
            case "jailEscaped" | "turnSkipped":
                self.take(who, "jail")
            case "lifeLost" | "lifeGained":
                self.lives[who] = event["life"]
            case "eliminated":
                self.dead.append(who)
            case "roleRevealed":
                self.roles[who] = event["role"]
            case "gameFinished":
                self.winner = event["winner"]

    def play(self, event: Action, card: CardId) -> None:
        who = event["player"]
        self.hands[who] -= 1
        if kind(card) == "jail":
            self.front[event["target"]].append(card)
        elif kind(card) in STAYS or kind(card) in WEAPON:
            self.front[who].append(card)

    def take(self, who: str, name: str) -> CardId:
        card = next(card for card in self.front[who] if kind(card) == name)
        self.front[who].remove(card)
        return card
