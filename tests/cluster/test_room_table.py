"""Every command in every state of a room by everyone: what it comes to, as one table.

A cell is the kinds of entries that were written (``ok`` where all was as wished already), or the code of the refusal.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cluster.messages import (
    Ack,
    Act,
    AddBot,
    Close,
    Kick,
    Leave,
    PassHost,
    Ready,
    Reject,
    SetOptions,
    SetRoom,
    Sit,
    Stand,
    Start,
    ToRoom,
)
from tests.cluster.desk import RED, Desk, kind, seated

# anna is host and bob is seated; cora watches, and dave was kicked. The room has a third, free seat.
WHO = {"host": "anna", "seated": "bob", "spectator": "cora", "kicked": "dave"}


def waiting() -> Desk:
    desk = seated("anna", "bob", seats=3)
    desk.comes("cora", "dave")
    assert isinstance(desk.do("anna", Kick, player="dave"), Ack)
    desk.goes("dave")
    return desk


def playing() -> Desk:
    desk = waiting()
    desk.do("bob", Ready)
    assert isinstance(desk.do("anna", Start), Ack)
    return desk


def finished() -> Desk:
    desk = playing()
    while desk.lobby.status == "playing":
        desk.play(desk.table.players[desk.table.state.turn])
    return desk


def closed() -> Desk:
    desk = waiting()
    desk.do("anna", Close)
    return desk


STATES: dict[str, Callable[[], Desk]] = {
    "waiting": waiting,
    "playing": playing,
    "finished": finished,
    "closed": closed,
}
COMMANDS: dict[str, Callable[[Desk], ToRoom]] = {
    "act": lambda desk: Act("i", desk.question("anna") if desk.table else 0, RED),
    "sit": lambda desk: Sit("i"),
    "sit on 2": lambda desk: Sit("i", 2),
    "sit on 1": lambda desk: Sit("i", 1),
    "sit on 9": lambda desk: Sit("i", 9),
    "stand": lambda desk: Stand("i"),
    "ready": lambda desk: Ready("i"),
    "not ready": lambda desk: Ready("i", False),
    "start": lambda desk: Start("i"),
    "options": lambda desk: SetOptions("i", {"lamps": 3}),
    "bad options": lambda desk: SetOptions("i", {"lamps": "many"}),
    "room": lambda desk: SetRoom("i", public=True),
    "seats 4": lambda desk: SetRoom("i", seats=4),
    "seats 5": lambda desk: SetRoom("i", seats=5),
    "bot": lambda desk: AddBot("i"),
    "bot on 0": lambda desk: AddBot("i", 0),
    "kick bob": lambda desk: Kick("i", "bob"),
    "kick anna": lambda desk: Kick("i", "anna"),
    "kick cora": lambda desk: Kick("i", "cora"),
    "kick nobody": lambda desk: Kick("i", "zoe"),
    "pass to bob": lambda desk: PassHost("i", "bob"),
    "pass to cora": lambda desk: PassHost("i", "cora"),
    "pass to anna": lambda desk: PassHost("i", "anna"),
    "leave": lambda desk: Leave("i"),
    "close": lambda desk: Close("i"),
}

TABLE = """
waiting      | host               | seated             | spectator          | kicked
act          | no_game            | no_game            | no_game            | no_game
sit          | ok                 | ok                 | seat               | banned
sit on 2     | already_seated     | already_seated     | seat               | banned
sit on 1     | already_seated     | ok                 | seat_taken         | banned
sit on 9     | already_seated     | already_seated     | no_such_seat       | banned
stand        | stand              | stand              | ok                 | ok
ready        | ready              | ready              | not_seated         | not_seated
not ready    | ok                 | ok                 | not_seated         | not_seated
start        | not_ready          | not_host           | not_host           | not_host
options      | options            | not_host           | not_host           | not_host
bad options  | bad_options        | not_host           | not_host           | not_host
room         | room               | not_host           | not_host           | not_host
seats 4      | room               | not_host           | not_host           | not_host
seats 5      | too_many_seats     | not_host           | not_host           | not_host
bot          | seat               | not_host           | not_host           | not_host
bot on 0     | seat_taken         | not_host           | not_host           | not_host
kick bob     | kick               | not_host           | not_host           | not_host
kick anna    | yourself           | not_host           | not_host           | not_host
kick cora    | kick               | not_host           | not_host           | not_host
kick nobody  | no_such_player     | not_host           | not_host           | not_host
pass to bob  | host               | not_host           | not_host           | not_host
pass to cora | no_such_player     | not_host           | not_host           | not_host
pass to anna | ok                 | not_host           | not_host           | not_host
leave        | leave              | leave              | ok                 | ok
close        | close              | not_host           | not_host           | not_host

playing      | host               | seated             | spectator          | kicked
act          | action             | stale_decision     | not_playing        | not_playing
sit          | ok                 | ok                 | already_playing    | banned
sit on 2     | already_seated     | already_seated     | already_playing    | banned
sit on 1     | already_seated     | ok                 | already_playing    | banned
sit on 9     | already_seated     | already_seated     | already_playing    | banned
stand        | already_playing    | already_playing    | already_playing    | already_playing
ready        | already_playing    | already_playing    | already_playing    | already_playing
not ready    | already_playing    | already_playing    | already_playing    | already_playing
start        | already_playing    | not_host           | not_host           | not_host
options      | already_playing    | not_host           | not_host           | not_host
bad options  | already_playing    | not_host           | not_host           | not_host
room         | room               | not_host           | not_host           | not_host
seats 4      | already_playing    | not_host           | not_host           | not_host
seats 5      | already_playing    | not_host           | not_host           | not_host
bot          | already_playing    | not_host           | not_host           | not_host
bot on 0     | already_playing    | not_host           | not_host           | not_host
kick bob     | kick               | not_host           | not_host           | not_host
kick anna    | yourself           | not_host           | not_host           | not_host
kick cora    | kick               | not_host           | not_host           | not_host
kick nobody  | no_such_player     | not_host           | not_host           | not_host
pass to bob  | host               | not_host           | not_host           | not_host
pass to cora | no_such_player     | not_host           | not_host           | not_host
pass to anna | ok                 | not_host           | not_host           | not_host
leave        | leave              | leave              | ok                 | ok
close        | close              | not_host           | not_host           | not_host

finished     | host               | seated             | spectator          | kicked
act          | no_game            | no_game            | no_game            | no_game
sit          | ok                 | ok                 | seat               | banned
sit on 2     | already_seated     | already_seated     | seat               | banned
sit on 1     | already_seated     | ok                 | seat_taken         | banned
sit on 9     | already_seated     | already_seated     | no_such_seat       | banned
stand        | stand              | stand              | ok                 | ok
ready        | ready              | ready              | not_seated         | not_seated
not ready    | ok                 | ok                 | not_seated         | not_seated
start        | not_ready          | not_host           | not_host           | not_host
options      | options            | not_host           | not_host           | not_host
bad options  | bad_options        | not_host           | not_host           | not_host
room         | room               | not_host           | not_host           | not_host
seats 4      | room               | not_host           | not_host           | not_host
seats 5      | too_many_seats     | not_host           | not_host           | not_host
bot          | seat               | not_host           | not_host           | not_host
bot on 0     | seat_taken         | not_host           | not_host           | not_host
kick bob     | kick               | not_host           | not_host           | not_host
kick anna    | yourself           | not_host           | not_host           | not_host
kick cora    | kick               | not_host           | not_host           | not_host
kick nobody  | no_such_player     | not_host           | not_host           | not_host
pass to bob  | host               | not_host           | not_host           | not_host
pass to cora | no_such_player     | not_host           | not_host           | not_host
pass to anna | ok                 | not_host           | not_host           | not_host
leave        | leave              | leave              | ok                 | ok
close        | close              | not_host           | not_host           | not_host
"""


def cells() -> list[tuple[str, str, str, str]]:
    found = []
    for block in TABLE.strip().split("\n\n"):
        head, *rows = [[cell.strip() for cell in line.split("|")] for line in block.splitlines()]
        found += [(head[0], row[0], who, cell) for row in rows for who, cell in zip(head[1:], row[1:], strict=True)]
    found += [("closed", command, who, "room_closed") for command in COMMANDS for who in WHO]
    return found


@pytest.mark.parametrize(("state", "command", "who", "expected"), cells())
def test_command_by_state_by_person(state: str, command: str, who: str, expected: str):
    """The cell holds; a refusal writes and changes nothing; the same id is answered the same, and only once done."""
    desk = STATES[state]()
    said, before, log = COMMANDS[command](desk), desk.room.state, len(desk.log)
    answer = desk.say(WHO[who], said)
    new = desk.log[log:]
    if isinstance(answer, Reject):
        assert answer.code == expected
        assert answer.message
        assert not new
        assert desk.room.state is before
    else:
        assert ("+".join(map(kind, new)) or "ok") == expected
        assert answer.seq == (new[0].seq if new else desk.room.seq)
        assert all((entry.who, entry.id) == (WHO[who], "i") for entry in new[:1])
    after = len(desk.log)
    assert desk.say(WHO[who], said) == answer
    assert len(desk.log) == after


def test_the_table_has_every_cell():
    assert {(state, command, who) for state, command, who, _ in cells()} == {
        (state, command, who) for state in STATES for command in COMMANDS for who in WHO
    }
