"""공정성 확인: what of a game's deals one viewer may check, as evidence that stands by itself.

The evidence is made from the log, when somebody asks for it: the game is played again, its draws are watched, and of
the sealed envelopes those are opened that this viewer may see (`engines.kernel.ledger`). ``gateway/FAIRNESS.md`` has
the whole design, and says how to check it; `ops.fairness` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cluster.entries import Began, Entry
from cluster.link import Refusal
from cluster.link_io import RequestRefused
from cluster.recovery import FindGame, states
from cluster.room.room import Room
from cluster.room.state import Deal
from engines.kernel import sealed
from engines.kernel.contract import PlayerId
from engines.kernel.ledger import Ledger, Opening, ledger_of
from engines.kernel.rng import watched

EVIDENCE_VERSION = 1


def fairness_of(entries: Sequence[Entry], find_game: FindGame, number: int, viewer: str | None) -> dict[str, Any]:
    """Evidence of game ``number`` (from 0) for this viewer, also while it is played.

    Refuses ``no_such_game``, or ``no_seal`` for a game that nobody added a number to, or of before there were seals;
    or as the game does whose finished games are not shown again.
    """
    room = ledger = began = None
    before, gone = None, False
    withheld: set[Opening] = set()
    stepping = states(entries, find_game)
    for entry in entries:
        with watched() as draws:
            room = next(stepping)
        lobby, table = room.state.lobby, room.state.table
        assert lobby is not None
        if isinstance(entry.fact, Began):
            if began is not None:
                break  # the game after: `room` is beyond ours, and all that is needed of ours was kept
            if lobby.games - 1 == number:
                began, ledger = entry.fact, ledger_of(room.game)
                seed, deal, game_id = bytes.fromhex(began.seed), lobby.deal, room.game.id
                if len(seed) != sealed.SEED_BYTES or deal is None:
                    raise RequestRefused(Refusal("no_seal", "이 판은 봉인하지 않고 섞어서 확인할 수 없어요"))
                people = [seat.player for seat in lobby.people()]
                names = {seat.player: seat.name for seat in lobby.taken()}
        if began is None or table is None:
            continue
        assert ledger is not None
        gone = viewer is not None and table.presence.get(viewer) == "left"
        if table.state is not before:
            known = frozenset(ledger.openings) if gone else frozenset()
            ledger.step(before, draws, _events(room, entry), table.state)
            if gone:  # their seat is played for, and its cards are not theirs to see
                withheld |= {one for one in ledger.openings if one.to == viewer and one not in known}
        before, over = table.state, table.over
        if over:
            break
    if began is None or ledger is None:
        raise RequestRefused(Refusal("no_such_game", "그런 게임이 없어요"))
    assert room is not None
    assert deal is not None
    if over and (no := room.game.replay_refusal(before)) is not None:  # what may not be shown again has no evidence
        raise RequestRefused(Refusal(no.code, no.message))
    return {
        "v": EVIDENCE_VERSION,
        "room": room.state.lobby.room if room.state.lobby else "",
        "game": game_id,
        "number": number,
        "over": over,
        "viewer": viewer if viewer in began.players and not gone else None,
        "players": began.players,
        "names": names,
        "silent": [player for player in people if player not in deal.numbers],
        **_sealed(deal),
        **_opened(ledger, deal, seed, [one for one in ledger.openings if one not in withheld], viewer, over),
    }


def _events(room: Room, entry: Entry) -> tuple[Any, ...]:
    steps = room.missed(entry.seq - 1) or []
    return tuple(event for _, events in steps for event in events)


def _sealed(deal: Deal) -> dict[str, Any]:
    return {
        "seal": deal.seal,
        "width": deal.width,
        "draws": deal.draws,
        "pledges": deal.pledges,
        "numbers": deal.numbers,
    }


def _opened(
    ledger: Ledger, deal: Deal, seed: bytes, openings: list[Opening], viewer: PlayerId | None, over: bool
) -> dict[str, Any]:
    """The draws so far, what of them lies open for this viewer, and the tree that proves it."""
    secret, lot, width = sealed.parts_of(seed)
    open_in: dict[int, dict[int, Opening]] = {}
    for opening in openings:
        to_all = over or ledger.draws[opening.draw].at_once
        if opening.to == viewer if opening.to is not None else to_all:
            open_in.setdefault(opening.draw, {}).setdefault(opening.position, opening)
    drawn: list[dict[str, Any]] = []
    slots: dict[int, set[int]] = {}
    for number, draw in sorted(ledger.draws.items()):
        told: dict[str, Any] = {"draw": number, "what": draw.what, "count": draw.drawn.count, "opened": []}
        drawn.append(told)
        if draw.items is None or number >= deal.draws or draw.drawn.count > width:
            continue
        told["items"] = list(draw.items)
        if number in ledger.taken:
            told["taken"] = ledger.taken[number]
        if number not in open_in:
            continue
        inside, _ = sealed.envelopes(secret, number, width)
        turn = sealed.turn(lot, number, width)
        taken = [slot for slot in turn if inside[slot] < draw.drawn.count]
        slots[number] = {slot for slot in turn if inside[slot] >= draw.drawn.count}
        for position, opening in sorted(open_in[number].items()):
            slots[number].add(taken[position])
            told["opened"].append(
                {
                    "position": position,
                    "item": draw.items[inside[taken[position]]],
                    "player": opening.player,
                    "face": opening.face,
                }
            )
    return {"lot": lot.hex(), "drawn": drawn, "tree": sealed.opened(secret, width, deal.draws, slots)}
