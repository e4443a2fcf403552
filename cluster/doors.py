"""Who is connected to a room, through which gateway's link, and what is on its way to them.

A session here is a number on a link. Nothing is sent before `flush`, so a step costs one write for each gateway.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluster import link
from cluster.link_io import Peer
from cluster.messages import Ack, Bye, Reject
from cluster.room.audience import Audience, Session, Telling

Key = tuple[Peer, int]  # a session's link and its number there
_encode = msgspec.json.Encoder().encode


class Doors:
    """The sessions of one room, from the side of the links."""

    def __init__(self) -> None:
        self.audience: Audience[Key] = Audience()
        self._sessions: dict[Key, Session[Key]] = {}
        self._out: dict[Peer, list[bytes]] = {}

    def of(self, key: Key) -> Session[Key] | None:
        return self._sessions.get(key)

    def over(self, peer: Peer) -> list[Session[Key]]:
        """Those that came over this link."""
        return [session for key, session in self._sessions.items() if key[0] is peer]

    def enter(self, session: Session[Key]) -> Session[Key] | None:
        """The person's session from now on; the one that it takes over from, if there is one."""
        before = self.audience.of(session.person.player)
        if before is not None:
            del self._sessions[before.key]
        self._sessions[session.key] = session
        self.audience.enter(session)
        return before

    def leave(self, session: Session[Key]) -> bool:
        """The session is gone. False where it was not the person's any more."""
        self._sessions.pop(session.key, None)
        return self.audience.leave(session)

    # ------------------------------------------------------------ on its way

    def send(self, tellings: Sequence[Telling[Key]], but: Session[Key] | None = None) -> None:
        for telling in tellings:
            to = telling.to
            if len(to) == 1 and to[0] is not but:  # a player's own; by far the most
                peer, number = to[0].key
                self._put(peer, link.tell(telling.seq, (number,), telling.message))
                continue
            numbers: dict[Peer, list[int]] = {}
            for session in to:
                if session is not but:
                    peer, number = session.key
                    numbers.setdefault(peer, []).append(number)
            for peer, group in numbers.items():
                self._put(peer, link.tell(telling.seq, group, telling.message))

    def answer(self, session: Session[Key], answer: Ack | Reject) -> None:
        peer, number = session.key
        self._put(peer, link.answer(number, answer.id, _encode(answer)))

    def end(self, key: Key, bye: Bye) -> None:
        peer, number = key
        self._put(peer, link.numbered(link.END, number, _encode(bye)))

    def _put(self, peer: Peer, frame: bytes) -> None:
        frames = self._out.get(peer)
        if frames is None:
            self._out[peer] = [frame]
        else:
            frames.append(frame)

    def flush(self) -> None:
        """One write for each gateway, whatever there is to say."""
        if not self._out:
            return
        out, self._out = self._out, {}
        for peer, frames in out.items():
            peer.write(frames[0] if len(frames) == 1 else b"".join(frames))
