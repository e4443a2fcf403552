"""공정성 확인: evidence of deals is right, and tells nobody what they may not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from cluster import fairness
from cluster.entries import Began, Entry
from cluster.fairness import fairness_of
from cluster.link_io import RequestRefused
from cluster.messages import Leave
from cluster.recovery import states
from cluster.room.advance import Outcome, advance
from cluster.room.audience import Situation, visible
from cluster.room.state import Digester, RoomState
from engines.catalog import GAMES
from engines.kernel import sealed
from engines.kernel.ledger import Ledger, ledger_of
from engines.kernel.rng import watched
from ops.fairness import check, count
from tests.cluster.dealings import again, played, started
from tests.cluster.desk import Desk, finished, playing

FIVE = ("anna", "bob", "cora", "dan", "eve")
GAMES_PLAYED: dict[str, tuple[str, int, dict[str, Any]]] = {
    "ninety-nine": ("ninety-nine", 4, {"afterElimination": "continue"}),
    "ninety-nine lives": ("ninety-nine", 3, {"mode": "classic"}),
    "seotda": ("seotda", 3, {"handLimit": 10}),
    "seotda three": ("seotda", 4, {"handLimit": 10, "cardMode": "three"}),
    "parlett": ("parlett-ninety-nine", 3, {}),
    "parlett npc": ("parlett-ninety-nine", 2, {"twoPlayer": "npc"}),
    "bang": ("bang", 4, {}),
    "bang choose2": ("bang", 5, {"characterDraft": "choose2"}),
}
every_game = pytest.mark.parametrize("which", GAMES_PLAYED)


def desk_of(which: str, seed: int, most: int = 3000) -> tuple[Desk, tuple[str, ...]]:
    game, people, options = GAMES_PLAYED[which]
    players = FIVE[:people]
    secret = Random(f"{which} {seed}").randbytes(32)
    return played(started(game, *players, options=options, secret=secret), Random(seed), most), players


def evidence(desk: Desk, viewer: str | None = None, number: int = 0) -> dict[str, Any]:
    return fairness_of(desk.log, GAMES.__getitem__, number, viewer)


def ledger_after(entries: Sequence[Entry]) -> Ledger:
    """The ledger of a log's only game."""
    ledger, before = None, None
    stepping = states(entries, GAMES.__getitem__)
    for entry in entries:
        with watched() as draws:
            room = next(stepping)
        if isinstance(entry.fact, Began):
            ledger = ledger_of(room.game)
        table = room.state.table
        if ledger is not None and table is not None and table.state is not before:
            ledger.step(before, draws, fairness._events(room, entry), table.state)
            before = table.state
    assert ledger is not None
    return ledger


def places(found: dict[str, Any]) -> set[tuple[int, int, str]]:
    return {(draw["draw"], one["position"], one["item"]) for draw in found["drawn"] for one in draw["opened"]}


# ---------------------------------------------------------------- it is right


@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_the_evidence_of_a_whole_game_is_right_for_everyone(which: str, seed: int):
    desk, players = desk_of(which, seed)
    assert desk.lobby.status == "finished"
    for viewer in (None, "stranger", *players):
        found = evidence(desk, viewer)
        assert check(found) == []
        assert count(found) > 5
        assert found["over"] is True
        assert found["viewer"] == (viewer if viewer in players else None)
    assert evidence(desk, "stranger") == evidence(desk, None)


@every_game
def test_a_player_can_check_their_own_cards_at_once_and_nobody_elses(which: str):
    """Every card that was dealt to a player straight from a deck, while the game is played; and who sits where."""
    desk, players = desk_of(which, 3, most=15)
    assert desk.lobby.status == "playing"
    ledger = ledger_after(desk.log)
    seats = {number for number, draw in ledger.draws.items() if draw.what in ("seats", "dealer", "first")}
    table = {(one.draw, one.position) for one in ledger.openings if one.draw in seats}
    for viewer in players:
        found = evidence(desk, viewer)
        assert check(found) == []
        assert found["over"] is False
        own = {(one.draw, one.position) for one in ledger.openings if one.to == viewer}
        assert {(draw, position) for draw, position, _ in places(found)} == own | table
        assert own
    assert {(draw, position) for draw, position, _ in places(evidence(desk, None))} == table


@every_game
def test_what_is_opened_is_what_was_dealt_there(which: str):
    """Held against the engine itself: each opened place holds the card that the draw brought there."""
    desk, players = desk_of(which, 4)
    draws = {number: draw.drawn for number, draw in ledger_after(desk.log).draws.items()}
    for viewer in (None, *players):
        found = evidence(desk, viewer)
        for draw in found["drawn"]:
            order = draws[draw["draw"]].order
            for one in draw["opened"]:
                assert one["item"] == draw["items"][order[one["position"]]]


@pytest.mark.parametrize("which", [which for which in GAMES_PLAYED if not which.startswith("bang")])
def test_cards_come_off_the_top_of_the_deck_for_whom_the_events_say(which: str):
    """Place by place: as many as the events tell, in their order, and each player's own are all open to them."""
    desk, players = desk_of(which, 8)
    found = evidence(desk, "anna")
    decks = [draw for draw in found["drawn"] if draw["what"] == "deck" and "items" in draw]
    for draw in decks:
        mine = [at for at, player in enumerate(draw["taken"]) if player == "anna"]
        assert set(mine) <= {one["position"] for one in draw["opened"]}
    if which.startswith("seotda"):
        dealt = [event for events in told(desk.log, None) for event in events if event["type"] == "dealt"]
        assert [who for draw in decks for who in draw["taken"]] == [e["to"] for e in dealt for _ in range(e["count"])]
    if which == "parlett":
        assert all(draw["taken"][:3] == draw["taken"][3:6] and len(draw["taken"]) == 37 for draw in decks)
        assert all({*draw["taken"][:3]} == {*players} and draw["taken"][36] is None for draw in decks)


@every_game
def test_nothing_is_opened_to_all_that_was_not_seen_by_all(which: str):
    """Every face that is open to a spectator stands in an event that a spectator heard."""
    desk, _ = desk_of(which, 5)
    heard = msgspec.json.encode(told(desk.log, None)).decode()
    for draw in evidence(desk, None)["drawn"]:
        if draw["what"] in ("roles", "characters"):
            continue  # told by their ids, and opened by their names
        for one in draw["opened"]:
            assert f'"{one["face"]}"' in heard, one


def test_folded_hands_are_never_opened_to_others():
    """섯다 8.3: not in a whole game of many hands, not to anybody but their owner."""
    desk, players = desk_of("seotda", 6)
    ledger = ledger_after(desk.log)
    shown = {(one.draw, one.position) for one in ledger.openings if one.to is None}
    dealt = {player: {(o.draw, o.position) for o in ledger.openings if o.to == player} for player in players}
    folded = {player: places - shown for player, places in dealt.items()}
    assert any(folded.values())
    for viewer in (None, *players):
        opened = {(draw, position) for draw, position, _ in places(evidence(desk, viewer))}
        for owner, hidden in folded.items():
            assert opened.isdisjoint(hidden) or owner == viewer


def test_each_game_of_a_room_has_evidence_of_its_own():
    desk, players = desk_of("seotda", 7)
    desk.chance = bytes(32)
    again(desk, *players, game=1)
    for number in (0, 1):
        found = evidence(desk, "anna", number)
        assert check(found) == []
        assert (found["number"], found["over"]) == (number, number == 0)
    assert evidence(desk, "anna", 0)["seal"] != evidence(desk, "anna", 1)["seal"]


def test_who_did_not_answer_is_named():
    desk = started("seotda", "anna", "bob", silent=("bob",))
    found = evidence(desk, "bob")
    assert found["silent"] == ["bob"]
    assert list(found["numbers"]) == ["anna"]
    assert found["names"] == {"anna": "Anna", "bob": "Bob"}
    assert check(found) == []


@pytest.mark.parametrize(("game", "people"), [("ninety-nine", 4), ("bang", 5), ("parlett-ninety-nine", 3)])
def test_who_has_left_is_not_shown_what_their_seat_is_dealt_afterwards(game: str, people: int):
    """As in the room itself: from then on they see what a spectator sees."""
    desk = started(game, *FIVE[:people], secret=Random(game).randbytes(32))
    played(desk, Random(3), most=6)
    before = places(evidence(desk, "anna"))
    assert before
    desk.do("anna", Leave)
    played(desk, Random(4), most=40)
    dealt = {(one.draw, one.position) for one in ledger_after(desk.log).openings if one.to == "anna"}
    assert len(dealt) > len([one for one in before if (one[0], one[1]) in dealt]), "nothing was dealt to the empty seat"
    found = evidence(desk, "anna")
    assert places(found) - places(evidence(desk, None)) <= before
    assert found["viewer"] is None
    assert check(found) == []


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(RequestRefused) as no:
        call()
    assert no.value.refusal.message
    return no.value.refusal.code


def test_what_cannot_be_shown_is_refused_by_code():
    unsealed = finished("anna", "bob")
    assert refusal(lambda: evidence(unsealed)) == "no_seal"
    assert refusal(lambda: evidence(unsealed, number=1)) == "no_such_game"
    assert refusal(lambda: fairness_of([], GAMES.__getitem__, 0, None)) == "no_such_game"
    assert refusal(lambda: evidence(playing("anna", "bob"))) == "no_seal"


def test_reshuffles_in_mid_game_are_draws_like_others():
    """구십구 until the pile has been empty: the reshuffled discards are a later draw, and can be checked."""
    desk = started("ninety-nine", *FIVE[:2], options={"mode": "classic", "handSize": 3, "lives": 5, "deckCount": 1})
    played(desk, Random(2))
    decks = [draw for draw in evidence(desk)["drawn"] if draw["what"] == "deck"]
    assert len(decks) > 3
    assert check(evidence(desk)) == []


def test_a_reshuffle_that_takes_in_unseen_hands_is_never_opened():
    """8.3: what was mixed would name them. Nor is any card opened that somebody held meanwhile."""
    options = {"mode": "classic", "lives": 0, "handSize": 5, "deckCount": 1, "afterElimination": "continue"}
    for seed in range(60):
        desk = played(started("ninety-nine", *FIVE, options=options, secret=Random(seed).randbytes(32)), Random(seed))
        found = evidence(desk)
        blind = [draw for draw in found["drawn"] if draw["what"] == "deck" and "items" not in draw]
        if blind:
            break
    else:
        raise AssertionError("no game had such a reshuffle")
    assert check(found) == []
    assert all(not draw["opened"] for draw in blind)
    first = blind[0]["draw"]
    begun = next(n for n, entry in enumerate(desk.log) if isinstance(entry.fact, Began))
    at = next(n for n in range(begun, len(desk.log)) if first in ledger_after(desk.log[: n + 1]).draws)
    earlier, later = (
        {(one.draw, one.position) for one in ledger_after(log).openings if one.to is None and one.draw < first}
        for log in (desk.log[: at + 1], desk.log)
    )
    assert earlier == later


# ---------------------------------------------------------------- nothing leaks


def told(entries: Sequence[Entry], viewer: str | None) -> list[list[dict[str, Any]]]:
    """The events of each entry, as this viewer heard them."""
    return [
        [event for _, events in room.missed(entry.seq - 1) or [] for event in visible(events, viewer)]
        for entry, room in zip(entries, states(entries, GAMES.__getitem__), strict=True)
    ]


def relived(entries: Sequence[Entry], viewer: str | None) -> tuple[list[Entry], list[Any]] | None:
    """The same facts in another world: its log, and all that this viewer saw; None where they are refused there."""
    game = GAMES[entries[0].fact.game]  # type: ignore[union-attr]
    room, digest = RoomState(), Digester()
    log, seen = [], []
    for entry in entries:
        try:
            outcome = advance(game, room, entry.fact, entry.who, entry.seq, entry.at)
        except Exception:
            return None
        if not isinstance(outcome, Outcome):
            return None
        room = outcome.room
        log.append(msgspec.structs.replace(entry, digest=digest(room)))
        situation = Situation(game, room, outcome.legal or {}, entry.seq, entry.at)
        eyes = None if viewer is None else situation.viewer(viewer)
        seen.append((visible(outcome.events, eyes), situation.view(eyes)))
    return log, seen


@every_game
@pytest.mark.parametrize("viewer", [None, "anna"])
def test_worlds_that_differ_in_what_is_hidden_give_equal_evidence(which: str, viewer: str | None, monkeypatch: Any):
    """Two envelopes that stay closed for this viewer change their contents; all that the viewer saw is the same.

    A hash over a salt that nobody knows is taken to say nothing: in both worlds a closed envelope's hash is made of its
    salt alone. All else, byte for byte, must not depend on what lies in it. The lot is held, as it depends on the seal.
    """
    monkeypatch.setattr(sealed, "lot_of", lambda seal, numbers: bytes(range(32)))
    rng = Random(f"{which} {viewer}")
    worlds = 0
    for seed in range(1, 200):
        desk, _ = desk_of(which, seed, most=rng.choice((1, 3, 6, 12, 30, 90)))
        ledger = ledger_after(desk.log)
        deal = desk.lobby.deal
        secret, lot, width = sealed.parts_of(desk_seed(desk))
        ours = {(one.draw, one.position) for one in ledger.openings if one.to in (None, viewer)}
        draws = [n for n, draw in ledger.draws.items() if draw.drawn.count > 1 and n < deal.draws]
        number = rng.choice(draws)
        inside, salts = sealed.envelopes(secret, number, width)
        taken = [slot for slot in sealed.turn(lot, number, width) if inside[slot] < ledger.draws[number].drawn.count]
        closed = [slot for position, slot in enumerate(taken) if (number, position) not in ours]
        if len(closed) < 2:
            continue
        first, second = rng.sample(closed, 2)
        with monkeypatch.context() as here:
            blinded(here, secret, ledger, ours, deal.draws, width, lot)
            one = relived(desk.log, viewer)
            swap(here, number, first, second)
            other = relived(desk.log, viewer)
            if one is None or other is None or one[1] != other[1] or one[0][-1].digest == other[0][-1].digest:
                continue
            in_one = msgspec.json.encode(fairness_of(other[0], GAMES.__getitem__, 0, viewer))
            here.undo()
            blinded(here, secret, ledger, ours, deal.draws, width, lot)
            in_other = msgspec.json.encode(fairness_of(one[0], GAMES.__getitem__, 0, viewer))
            assert in_one == in_other
            for slot in closed:
                assert salts[slot].hex().encode() not in in_one
            assert secret.hex().encode() not in in_one
        worlds += 1
        if worlds == 3:
            return
    raise AssertionError(f"only {worlds} pairs of worlds")


def desk_seed(desk: Desk) -> bytes:
    return bytes.fromhex(next(e.fact.seed for e in desk.log if isinstance(e.fact, Began)))


def blinded(
    patch: Any, secret: bytes, ledger: Ledger, ours: set[tuple[int, int]], draws: int, width: int, lot: bytes
) -> None:
    """From here on the hash of a closed envelope is made of its salt alone, in whatever world."""
    opened = set()
    for number in range(draws):
        inside, salts = sealed.envelopes(secret, number, width)
        many = ledger.draws[number].drawn.count if number in ledger.draws else 0
        turn = sealed.turn(lot, number, width) if number in ledger.draws else []
        taken = [slot for slot in turn if inside[slot] < many]
        opened |= {salts[slot] for position, slot in enumerate(taken) if (number, position) in ours}
        opened |= {salts[slot] for slot in turn if inside[slot] >= many}
    real = sealed.leaf
    patch.setattr(sealed, "leaf", lambda index, salt: real(index if salt in opened else 0, salt))


def swap(patch: Any, number: int, first: int, second: int) -> None:
    """From here on these two envelopes hold each other's index."""
    real = sealed.envelopes

    def swapped(secret: bytes, draw: int, width: int) -> tuple[list[int], list[bytes]]:
        inside, salts = real(secret, draw, width)
        if draw == number:
            inside[first], inside[second] = inside[second], inside[first]
        return inside, salts

    patch.setattr(sealed, "envelopes", swapped)
