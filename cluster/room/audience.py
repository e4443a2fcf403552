"""Who is connected to a room, and what each of them is told.

Sessions are not in the log: after a recovery everybody attaches anew. A person has one session in a room; a second one
takes over from the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any, Generic, TypeVar, cast

import msgspec

from cluster.messages import DealInfo, Missed, Online, RoomInfo, SeatInfo, Update, Welcome, You
from cluster.room.decide import Person
from cluster.room.state import Deal, Lobby, RoomState, SeatState
from engines.kernel.contract import Action, Event, Game, Json, PlayerId

K = TypeVar("K")  # how the host finds the session's link
_encode = msgspec.json.Encoder().encode


class Session(Generic[K]):
    """One connection to the room. Compared by identity."""

    __slots__ = ("key", "person")

    def __init__(self, key: K, person: Person) -> None:
        self.key = key
        self.person = person


class Telling(msgspec.Struct, Generic[K], frozen=True):
    """One message for some sessions."""

    to: Sequence[Session[K]]
    message: bytes
    seq: int = 0  # the step it tells of; 0: none


def visible(events: Iterable[Event], viewer: PlayerId | None) -> list[Json]:
    """The events that this viewer may see, without the note of who may."""
    seen = []
    for event in events:
        audience = event.get("audience")
        if audience is None:
            seen.append(event)
        elif viewer in audience:
            seen.append({name: value for name, value in event.items() if name != "audience"})
    return seen


def _for_all(events: Sequence[Event]) -> list[Json] | None:
    """The events as everyone sees them, put into JSON once for all; None where they are not the same for everyone."""
    for event in events:
        if "audience" in event:
            return None
    if not events:
        return []
    return cast(list[Json], msgspec.Raw(_encode(events)))  # to an encoder it is as good as the list


def _deal_info(deal: Deal) -> DealInfo:
    """All of it but the secret."""
    return DealInfo(
        seal=deal.seal,
        width=deal.width,
        draws=deal.draws,
        pledges=deal.pledges,
        numbers=deal.numbers,
        awaited=list(deal.awaited),
        begun=deal.begun,
    )


class Situation:
    """How things stand, for whoever is to be told."""

    __slots__ = ("_questions", "_table", "deadline_in", "game", "legal", "room", "seq")

    def __init__(
        self, game: Game[Any], room: RoomState, legal: dict[PlayerId, list[Action]], seq: int, now: int
    ) -> None:
        self.game = game
        self.room = room
        self.legal = legal
        self.seq = seq
        self._table = room.table
        running = room.running
        self._questions = {} if running is None else running.questions
        deadline = None if running is None else game.deadline(running.state)
        self.deadline_in = None if deadline is None else max(0, deadline - now)  # ms until the game's next timeout

    def viewer(self, player: PlayerId) -> PlayerId | None:
        """Through whose eyes this person sees the game: their own while they are in it, else a spectator's."""
        table = self._table
        inside = table is not None and player in table.players and table.presence.get(player) != "left"
        return player if inside else None

    def view(self, viewer: PlayerId | None) -> Json | None:
        """The engine's view, without the deadline: that is in room ms, which are nobody's business."""
        if self._table is None:
            return None
        view = self.game.view(self._table.state, viewer)
        view.pop("deadline", None)
        return view

    def asked(self, viewer: PlayerId | None) -> tuple[list[Action], int]:
        """What this viewer may do now, and the number of the question that it would answer."""
        question = None if viewer is None else self._questions.get(viewer)
        if viewer is None or question is None:
            return [], 0
        return self.legal.get(viewer, []), question.seq


class Audience(Generic[K]):
    """The sessions of one room."""

    def __init__(self) -> None:
        self._by_player: dict[PlayerId, Session[K]] = {}
        self._info: tuple[Lobby, RoomInfo] | None = None

    def __len__(self) -> int:
        return len(self._by_player)

    @property
    def online(self) -> Set[PlayerId]:
        """The people who are connected; a view that follows what happens."""
        return self._by_player.keys()

    def sessions(self) -> list[Session[K]]:
        return list(self._by_player.values())

    def of(self, player: PlayerId) -> Session[K] | None:
        return self._by_player.get(player)

    def enter(self, session: Session[K]) -> None:
        """The person's session from now on."""
        self._by_player[session.person.player] = session
        self._info = None

    def leave(self, session: Session[K]) -> bool:
        """False where this was not the person's session any more."""
        if self._by_player.get(session.person.player) is not session:
            return False
        del self._by_player[session.person.player]
        self._info = None
        return True

    def watching(self, lobby: Lobby) -> int:
        """How many of those connected have no seat."""
        return sum(lobby.seat_of(player) is None for player in self._by_player)

    def info(self, game: Game[Any], lobby: Lobby) -> RoomInfo:
        """The room as everyone in it sees it."""
        if self._info is None or self._info[0] is not lobby:
            self._info = (lobby, self._make_info(game, lobby))
        return self._info[1]

    def _make_info(self, game: Game[Any], lobby: Lobby) -> RoomInfo:
        seats = [None if seat is None else self._seat_info(seat) for seat in lobby.seats]
        return RoomInfo(
            id=lobby.room,
            code=lobby.code,
            game=lobby.game,
            title=game.title,
            status=lobby.status,
            public=lobby.public,
            spectators=lobby.spectators,
            auto_start=lobby.auto_start,
            locked=bool(lobby.lock),
            invite=lobby.invite,
            options=lobby.options,
            seats=seats,
            min_players=game.min_players,
            max_players=game.max_players,
            host=lobby.host,
            watching=self.watching(lobby),
            games=lobby.games,
            deal=None if lobby.deal is None else _deal_info(lobby.deal),
        )

    def _seat_info(self, seat: SeatState) -> SeatInfo:
        return SeatInfo(
            player=seat.player,
            name=seat.name,
            bot=seat.bot,
            ready=seat.ready or seat.bot,
            online=seat.bot or seat.player in self._by_player,
            left=seat.left,
            pledge=seat.pledge,
        )

    # ------------------------------------------------------------ telling

    def tell_step(
        self, now: Situation, events: Sequence[Event], *, lobby_changed: bool, game_changed: bool
    ) -> list[Telling[K]]:
        """One Update for each pair of eyes; spectators share theirs."""
        lobby = now.room.lobby
        assert lobby is not None
        room = self.info(now.game, lobby) if lobby_changed else None
        told: dict[PlayerId | None, list[Session[K]]] = {}  # by whose eyes they see it with
        for player, session in self._by_player.items():
            told.setdefault(now.viewer(player), []).append(session)
        for_all = _for_all(events)
        tellings: list[Telling[K]] = []
        for viewer, sessions in told.items():
            view = now.view(viewer) if game_changed else None
            legal, decision = now.asked(viewer)
            seen = visible(events, viewer) if for_all is None else for_all
            update = Update(now.seq, room, view, legal, decision, now.deadline_in, seen)
            tellings.append(Telling(sessions, _encode(update), now.seq))
        return tellings

    def welcome(
        self, now: Situation, session: Session[K], missed: Sequence[tuple[int, Sequence[Event]]] | None
    ) -> Telling[K]:
        """The whole picture for one session, with the steps it missed where they are still known."""
        lobby = now.room.lobby
        assert lobby is not None
        person = session.person
        viewer = now.viewer(person.player)
        legal, decision = now.asked(viewer)
        message = Welcome(
            seq=now.seq,
            room=self.info(now.game, lobby),
            view=now.view(viewer),
            legal=legal,
            decision=decision,
            deadline_in=now.deadline_in,
            you=You(person.player, person.name, lobby.seat_of(person.player)),
            resumed=missed is not None,
            missed=[Missed(seq, visible(events, viewer)) for seq, events in missed or ()],
        )
        return Telling([session], _encode(message), now.seq)

    def tell_presence(self, lobby: Lobby, player: PlayerId, online: bool) -> list[Telling[K]]:
        """To everyone else: this person came, or went."""
        others = [session for other, session in self._by_player.items() if other != player]
        if not others:
            return []
        return [Telling(others, _encode(Online(player, online, self.watching(lobby))))]

    def tell_all(self, message: msgspec.Struct) -> list[Telling[K]]:
        everyone = self.sessions()
        return [Telling(everyone, _encode(message))] if everyone else []
