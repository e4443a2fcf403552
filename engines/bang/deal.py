"""Setting up (document 4): seats, roles, characters, and then life and hands."""

from __future__ import annotations

from collections.abc import Sequence

from engines.bang.cards import CARDS
from engines.bang.characters import CHARACTERS, CharacterId
from engines.bang.options import Options
from engines.bang.state import Choose2, Player, Role, State, Turn
from engines.bang.table import Draft
from engines.kernel.contract import PlayerId
from engines.kernel.rng import Rng

# How many of each by head count: 보안관, 부관, 무법자, 배신자.
ROLES: dict[int, dict[Role, int]] = {
    4: {"sheriff": 1, "deputy": 0, "outlaw": 2, "renegade": 1},
    5: {"sheriff": 1, "deputy": 1, "outlaw": 2, "renegade": 1},
    6: {"sheriff": 1, "deputy": 1, "outlaw": 3, "renegade": 1},
    7: {"sheriff": 1, "deputy": 2, "outlaw": 3, "renegade": 1},
}
# `deputyCount7`. Section 3.1 lists only three outlaw cards, but roles are data (BG-54).
ONE_DEPUTY: dict[int, dict[Role, int]] = {7: {"sheriff": 1, "deputy": 1, "outlaw": 4, "renegade": 1}}


def roles(options: Options, players: int) -> tuple[Role, ...]:
    """The role cards for so many players."""
    counts = ONE_DEPUTY.get(players, ROLES[players]) if options.deputy_count7 == "on" else ROLES[players]
    return tuple(role for role, count in counts.items() for _ in range(count))


def seat(options: Options, players: Sequence[PlayerId], seed: bytes, now: int) -> Draft:
    """Chance is asked in this order: seats, roles, characters, deck (8.4)."""
    rng = Rng(seed)
    seats, rng = rng.shuffle(tuple(players))
    given, rng = rng.shuffle(roles(options, len(seats)))
    characters, rng = rng.shuffle(tuple(CHARACTERS))
    deck, rng = rng.shuffle(tuple(card.id for card in CARDS))
    each = 2 if options.character_draft == "choose2" else 1
    seated = tuple(
        Player(id=name, seat=at, role=given[at], character_offer=characters[at * each : (at + 1) * each])
        for at, name in enumerate(seats)
    )
    sheriff = next(player.id for player in seated if player.role == "sheriff")
    turn = Turn(player=sheriff, phase="setup", deadline=now + options.turn_seconds * 1000)
    draft = Draft(State(options=options, rng=rng, players=seated, deck=deck, discard=(), turn=turn), now)
    draft.tell("gameStarted", seats=list(seats), sheriff=sheriff)
    for player in seated:
        draft.tell("roleDealt", player=player.id, role=player.role, audience=[player.id])
    if each == 2:
        _offer(draft)
    return draft


def _offer(draft: Draft) -> None:
    """Everybody chooses at once (BG-51)."""
    for player in draft.players.values():
        draft.reactions.append(Choose2(player=player.id, deadline=draft.wait(player.id)))
        offer = list(player.character_offer)
        draft.tell("charactersOffered", player=player.id, characters=offer, audience=[player.id])


def deal(draft: Draft) -> None:
    """All characters become known; then life, and as many cards (4.4, 4.5), seat by seat, each hand together."""
    for name, player in draft.players.items():
        (character,) = player.character_offer
        life = life_of(character, player.role)
        hand = draft.deck[len(draft.deck) - life :][::-1]  # the top card first
        draft.deck = draft.deck[: len(draft.deck) - life]
        draft.set(name, character=character, character_offer=(), max_life=life, life=life, hand=hand)
        draft.tell("characterRevealed", player=name, character=character, life=life)
        draft.tell("handDealt", player=name, cards=draft.seen(*hand), audience=[name])


def life_of(character: CharacterId, role: Role) -> int:
    """The sheriff has one more (4.4)."""
    return CHARACTERS[character].life + (role == "sheriff")
