"""What operators may ask of the directory, as types: questions, and orders, which change something or show a secret.

The page at ``/ops`` and the command ``hanpan`` ask the same. A question is a GET, an order a POST; every order is kept
as a `Deed` and logged as ``audit`` before it is carried out. `cluster.operators` answers.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

ROOMS_LISTED = 1_000_000  # where nobody says how many: all of them
LINES_LISTED = 50
LINES_MOST = 1_000
CELLS_MOST = 20_000  # rooms on one picture of the cluster; some 20 bytes each

_Text = Annotated[str, msgspec.Meta(max_length=64)]
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
_Count = Annotated[int, msgspec.Meta(ge=0)]


class Asked(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="what", forbid_unknown_fields=True):
    """Base of all that may be asked, told apart by ``what``."""


# ---------------------------------------------------------------- questions


class Overview(Asked, tag="overview", frozen=True):
    """The cluster on one picture: nodes with what runs on each, rooms that run nowhere, gateways."""


class Charts(Asked, tag="charts", frozen=True):
    """The last hour of turns and timeouts, of one game or all, as `cluster.figures.Chart`."""

    game: _Text = ""
    minutes: Annotated[int, msgspec.Meta(ge=1, le=60)] = 60


class Rooms(Asked, tag="rooms", frozen=True):
    """Rooms that are not closed, newest first, as rows. Every filter must fit; an empty one fits all.

    ``q`` is found in ids, codes, and names and ids of players; a whole id also finds a closed room.
    """

    q: _Text = ""
    code: _Text = ""
    game: _Text = ""
    player: _Text = ""  # a part of a name, or an id
    state: _Text = ""
    node: _Text = ""
    limit: _Count = ROOMS_LISTED
    offset: _Count = 0


class Nodes(Asked, tag="nodes", frozen=True):
    """The nodes, as rows."""


class All(Asked, tag="all", frozen=True):
    """The ids of all rooms, closed ones too."""


class OneRoom(Asked, tag="room", frozen=True):
    """A room's row, who is in it, and its history of owners. ``room``: id, or code where it is not closed."""

    room: _Name


class Inspect(Asked, tag="inspect", frozen=True):
    """A replay of the room's log, as `cluster.inspection.Inspection`: without secrets."""

    room: _Name
    seq: _Count | None = None  # how things stood after this entry; None: after the last
    first: _Count | None = None  # of the entries to be listed; None: the last so many
    limit: Annotated[int, msgspec.Meta(ge=0, le=LINES_MOST)] = LINES_LISTED


class Verify(Asked, tag="verify", frozen=True):
    """Replays the room's log and compares every digest: a `cluster.inspection.Verdict`."""

    room: _Name


class Audit(Asked, tag="audit", frozen=True):
    """The last orders, newest first, as `Deed`s; the log has all of them."""


# ---------------------------------------------------------------- orders


class Order(Asked, frozen=True):
    """Base of all that changes something, or shows what nobody else may see."""


class Reveal(Order, tag="reveal", frozen=True):
    """Entries as they are logged, with seeds and hidden moves: one of them, or all."""

    room: _Name
    seq: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Move(Order, tag="move", frozen=True):
    """Ends the room's process in peace and hands the room to another: on this node, or wherever is most space."""

    room: _Name
    node: _Name | None = None


class CloseRoom(Order, tag="close", frozen=True):
    """Closes the room for everyone in it."""

    room: _Name


class Unquarantine(Order, tag="unquarantine", frozen=True):
    """Tries a quarantined room again."""

    room: _Name


class Drain(Order, tag="drain", frozen=True):
    """Takes a node's rooms elsewhere and gives it no new ones; ``retire``: then its agent ends."""

    node: _Name
    retire: bool = False


class Undrain(Order, tag="undrain", frozen=True):
    """Lets rooms come to the node again."""

    node: _Name


class Kill(Order, tag="kill", frozen=True):
    """Kills the room's process, as a fault would; only where hanpan allows chaos."""

    room: _Name


AnyAsked = (
    Overview
    | Charts
    | Rooms
    | Nodes
    | All
    | OneRoom
    | Inspect
    | Verify
    | Audit
    | Reveal
    | Move
    | CloseRoom
    | Unquarantine
    | Drain
    | Undrain
    | Kill
)

NAMES = frozenset(str(kind.__struct_config__.tag) for kind in AnyAsked.__args__)
ORDERS = frozenset(str(kind.__struct_config__.tag) for kind in AnyAsked.__args__ if issubclass(kind, Order))


def read(what: str, args: dict[str, Any]) -> AnyAsked:
    """The request from its name and arguments; numbers may come as text. Raises `msgspec.ValidationError`."""
    asked: AnyAsked = msgspec.convert({**args, "what": what}, AnyAsked, strict=False)
    return asked


class Deed(msgspec.Struct, rename="camel"):
    """One order, and what came of it."""

    at: int  # unix ms
    what: str
    by: str  # who says to have given it, and from where: "min@10.0.0.7"
    room: str | None = None
    node: str | None = None
    outcome: str = "under way"  # then "done", or the code of a refusal
    times: int = 1  # in a row; ``at`` is the last time
