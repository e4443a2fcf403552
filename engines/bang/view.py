"""What each viewer may see (document 8.3), and the result of a finished game (8.6).

Built from nothing: a field is here because somebody may see it, never copied from the state and then struck out.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engines.bang.cards import BARE_RANGE, KIND, REACH
from engines.bang.characters import CharacterId
from engines.bang.hints import hints
from engines.bang.names import (
    ABOUT,
    ANY_CARD,
    CHOICES,
    FACES,
    NAMES,
    PHASES,
    SEEN,
    SUMMARIES,
    TIPS,
    NameSet,
    seen_whole,
    sentence,
)
from engines.bang.options import Names, Options
from engines.bang.state import (
    Choose2,
    Duel,
    Dying,
    Indians,
    KitKeep,
    LogEntry,
    LuckyPick,
    Player,
    Reaction,
    Shot,
    State,
    Store,
)
from engines.bang.table import Table
from engines.kernel.contract import Json, PlayerId


def view(state: State, viewer: PlayerId | None) -> Json:
    """The public table; for a player also role, hand and what is offered; for everybody all of it once it is over."""
    table = Table(state)
    options, turn = state.options, state.turn
    names, finished = options.names, state.winner is not None
    named, faces = NAMES[names], SEEN[names]
    me = table.players.get(viewer) if viewer is not None else None
    distances: dict[PlayerId, int] = {}
    if me is not None and me.alive and options.show_distance_helper == "on" and not finished:
        distances = table.distances(me.id)
    reach = table.range_of(me.id) if me is not None and distances else 0
    rows = []
    for player in state.players:
        row = _row(player, named, names, finished or player is me)
        if finished:
            row["hand"] = [seen_whole(names, card) for card in player.hand]
        if player.id in distances:
            distance = distances[player.id]
            row["distance"], row["inRange"] = distance, distance <= reach
        rows.append(row)
    shown: Json = {
        "title": named.title,
        "options": _options(options).copy(),
        "phase": state.phase,
        "phaseName": PHASES[state.phase],
        "round": state.round,
        "current": None if finished else turn.player,
        "bangsPlayed": turn.bangs_played,
        "players": rows,
        "deckCount": len(state.deck),
        "discard": [faces[card].copy() for card in state.discard],
        "reactions": [_reaction(window, names) for window in state.reactions],
        "log": [_entry(entry, names).copy() for entry in state.log],
        "deathOrder": list(state.death_order),
        "deadline": _deadline(table, viewer),
    }
    if turn.black_jack_reveal is not None:
        shown["blackJackReveal"] = faces[turn.black_jack_reveal].copy()
    if (check := state.last_check) is not None:
        shown["lastCheck"] = {
            "player": check.player,
            "cards": [faces[card].copy() for card in check.card_ids],
            "purpose": check.purpose,
            "success": check.success,
        }
    if me is not None:
        _own(shown, table, me)
    if finished:
        shown["result"] = result(state)
    return shown


def _row(player: Player, named: NameSet, names: Names, known: bool) -> Json:
    """One seat, as everybody sees it; the role where it is public or ``known``."""
    row: Json = {
        "id": player.id,
        "seat": player.seat,
        "character": player.character,
        "life": player.life,
        "maxLife": player.max_life,
        "alive": player.alive,
        "handCount": len(player.hand),
        "inPlay": [seen_whole(names, card) for card in player.in_play],
    }
    weapon = next((card for card in player.in_play if card in REACH), None)  # without one it is the Colt 45 (3.3)
    row["weapon"] = named.words["bareHands"] if weapon is None else named.cards[KIND[weapon]]
    row["range"] = BARE_RANGE if weapon is None else REACH[weapon]
    if player.character is not None:
        row["characterName"] = named.characters[player.character]
        row["ability"] = ABOUT[names][player.character]
    # The sheriff is known from the start, the dead by the rule of the original (revealRoleOnDeath).
    if known or player.role == "sheriff" or not player.alive:
        row["role"] = player.role
        row["roleName"] = named.words[player.role]
    if player.alive and player.away_since is not None:  # of the dead no return is noted
        row["away"] = True
        row["playedFor"] = player.bot
    return row


def _own(shown: Json, table: Table, me: Player) -> None:
    """What only this player sees."""
    options = table.options
    names = options.names
    named = NAMES[names]
    shown["me"] = me.id
    shown["role"] = me.role
    shown["roleName"] = named.words[me.role]
    hand = [seen_whole(names, card) for card in me.hand]
    if options.beginner_hints == "on":
        shown["roleTip"] = TIPS[names][me.role]
        if table.base.winner is None:
            found = hints(table, me.id)
            for card in hand:
                card["playable"], card["reason"] = found[card["kind"]]
    shown["hand"] = hand
    if table.turn.player == me.id and table.turn.phase == "play":  # what stands in legal plays and is no card's id
        shown["labels"] = [{"id": "hand", "face": ANY_CARD}, {"id": "bang", "face": named.cards["bang"]}]
    if me.character_offer:
        shown["characterOffer"] = [_character(each, names) for each in me.character_offer]
    for window in table.reactions:
        if isinstance(window, KitKeep) and window.player == me.id:
            shown["kitOptions"] = [seen_whole(names, card) for card in window.options]


def _character(character: CharacterId, names: Names) -> Json:
    return {"id": character, "face": NAMES[names].characters[character], "ability": ABOUT[names][character]}


@lru_cache(maxsize=64)
def _options(options: Options) -> Json:
    found: Json = msgspec.to_builtins(options)
    return found


def _reaction(window: Reaction, names: Names) -> Json:
    """Who is asked, and why. The cards that one alone may see are not here, nor any time (see ``deadline``)."""
    faces, named = SEEN[names], NAMES[names]
    match window:
        case Shot():
            return {
                "kind": "bang",
                "name": named.cards[window.via],
                "player": window.target,
                "source": window.source,
                "via": window.via,
                "needed": window.needed,
            }
        case Indians():
            return {"kind": "indians", "name": named.cards["indians"], "player": window.target, "source": window.source}
        case Duel():
            return {
                "kind": "duel",
                "name": named.cards["duel"],
                "player": window.actor,
                "other": window.other,
                "source": window.source,
            }
        case Store():
            order = list(window.order)
            return {
                "kind": "store",
                "name": named.cards["generalStore"],
                "player": window.picker,
                "order": order[order.index(window.picker) :],
                "revealed": [faces[card].copy() for card in window.revealed],
            }
        case Dying():
            return {"kind": "dying", "name": named.words["dying"], "player": window.player, "killer": window.killer}
        case LuckyPick():
            return {
                "kind": "luckyPick",
                "name": f"{named.words['flip']}: {named.cards[window.purpose]}",
                "player": window.player,
                "purpose": window.purpose,
                "options": [faces[card].copy() for card in window.options],
            }
        case KitKeep() | Choose2():
            kind = "kitKeep" if isinstance(window, KitKeep) else "choose2"
            return {"kind": kind, "name": CHOICES[kind], "player": window.player}


@lru_cache(maxsize=4096)  # entries stay in the log for a while, and every viewer sees them each time
def _entry(entry: LogEntry, names: Names) -> dict[str, str]:
    """A line of the log; to be copied before it leaves."""
    shown = {"type": entry.type, "player": entry.player}
    if entry.other is not None:
        shown["target"] = entry.other
    if entry.cards:
        shown["face"] = ", ".join(FACES[names][card] for card in entry.cards)
    return shown


def _deadline(table: Table, viewer: PlayerId | None) -> int | None:
    """Until when the viewer is waited for; for one who is asked nothing, until when somebody is."""
    if table.base.winner is not None:
        return None
    asked = table.asked()
    if not asked:
        return table.turn.deadline
    if viewer in asked:
        return table.reactions[asked[viewer]].deadline
    return min(table.reactions[at].deadline for at in asked.values())


# ---------------------------------------------------------------- the result


def result(state: State) -> Json:
    """The GameResult. ``ranking`` has a row for each player, as all games do; its order is the document's (BG-52)."""
    team = state.winner
    assert team is not None
    deaths = {player: number for number, player in enumerate(state.death_order, start=1)}
    players: list[Json] = [
        {
            "id": player.id,
            "role": player.role,
            "character": player.character,
            "alive": player.alive,
            "won": won(player, team),
            "deathOrder": deaths.get(player.id),
        }
        for player in state.players
    ]
    # Winners before losers; of each the living in seat order, then the dead, the later death first.
    order = sorted(players, key=lambda row: (not row["won"], -(row["deathOrder"] or len(players) + 1)))
    ranking = [
        {"player": row["id"], "rank": rank, "role": row["role"], "won": row["won"], "score": int(bool(row["won"]))}
        for rank, row in enumerate(order, start=1)
    ]
    return {
        "winnerTeam": team,
        "players": players,
        "ranking": ranking,
        "winner": [row["id"] for row in order if row["won"]],
        "summary": sentence(state.options.names, SUMMARIES[team], {"round": state.round}),
    }


def won(player: Player, team: str) -> bool:
    """Teams win, the dead of them too (section 6)."""
    return TEAMS[player.role] == team


TEAMS = {"sheriff": "law", "deputy": "law", "outlaw": "outlaws", "renegade": "renegade"}
