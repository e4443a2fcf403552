"""The client's side of the protocol: what it sends again, what it notices, what it remembers."""

from __future__ import annotations

import msgspec
import pytest

from cluster.messages import Ack, Bye, Error, Message, Pause, Reject, Resume, Update, Welcome, You
from ops.player import Player
from tests.ops.parlour import Parlour


def tell(player: Player, *messages: Message) -> None:
    for message in messages:
        player.received(msgspec.json.encode(message))


@pytest.fixture
def player() -> Player:
    """Welcomed as A, and asked question 7."""
    player = Player("r", "token", "a")
    tell(player, Welcome(seq=7, you=You("A", "A", 0), view={"total": 1}, legal=[{"type": "play"}], decision=7))
    return player


def test_hello_names_the_last_entry_seen(player: Player) -> None:
    assert msgspec.json.decode(player.hello()) == {
        "type": "hello",
        "token": "token",
        "room": "r",
        "join": "seat",
        "seq": 7,
    }
    assert "seq" not in msgspec.json.decode(Player("r", "token", "a").hello())


def test_an_action_answers_the_open_question_under_an_id_of_its_own(player: Player) -> None:
    one, text = player.act({"type": "play"})
    assert {"type": "action", "id": one, "decision": 7, "action": {"type": "play"}} == msgspec.json.decode(text)
    two, _ = player.act({"type": "play"})
    assert one != two


def test_it_is_asked_until_it_has_answered(player: Player) -> None:
    assert player.asked
    player.act({"type": "play"})
    assert not player.asked


def test_it_is_not_asked_again_between_acknowledgement_and_update(player: Player) -> None:
    """The acknowledgement comes first, and the question is still the last one that was told."""
    id, _ = player.act({"type": "play"})
    tell(player, Ack(id, 8))
    assert not player.asked
    tell(player, Update(seq=8, legal=[{"type": "play"}], decision=8))
    assert player.asked


def test_what_is_unanswered_is_sent_again_in_order_and_unchanged(player: Player) -> None:
    """On a new socket, and as long as there is no answer."""
    texts = [player.act({"type": "play", "n": n})[1] for n in range(3)]
    assert texts == player.again()
    tell(player, Ack("a.2", 8))
    player.lost()
    assert [texts[0], texts[2]] == player.again()


def test_a_refusal_that_may_be_retried_stays_unanswered(player: Player) -> None:
    id, text = player.act({"type": "play"})
    tell(player, Reject(id, "storage_down", "", retry=True))
    assert [text] == player.again()
    tell(player, Reject(id, "over_99", ""))
    assert player.again() == []
    assert player.asked  # the question is still open
    assert player.refused == {"storage_down": 1, "over_99": 1}


def test_acknowledgements_are_remembered(player: Player) -> None:
    id, _ = player.act({"type": "play"})
    tell(player, Ack(id, 8), Ack(id, 8))
    assert {id: 8} == player.acks
    assert player.faults == []


def test_an_answer_that_changes_is_a_fault(player: Player) -> None:
    """One id, one answer, for ever."""
    one, _ = player.act({"type": "play"})
    two, _ = player.act({"type": "play"})
    tell(player, Ack(one, 8), Ack(one, 9))
    tell(player, Ack(two, 9), Reject(two, "not_your_turn", ""))
    assert len(player.faults) == 2


def test_entries_are_told_in_order(player: Player) -> None:
    tell(player, Update(seq=8), Update(seq=10))
    assert player.faults == []
    tell(player, Update(seq=10))
    tell(player, Update(seq=9))
    assert len(player.faults) == 2


def test_a_welcome_may_repeat_but_not_go_back(player: Player) -> None:
    """After the room has moved it says how things stand, perhaps what was known already."""
    tell(player, Welcome(seq=7, you=You("A", "A", 0)))
    assert player.faults == []
    tell(player, Welcome(seq=6, you=You("A", "A", 0)))
    assert len(player.faults) == 1


def test_the_view_stays_where_an_update_brings_none(player: Player) -> None:
    tell(player, Update(seq=8))
    assert player.view == {"total": 1}
    tell(player, Update(seq=9, view={"total": 2}))
    assert player.view == {"total": 2}


def test_a_question_that_closes_without_an_answer_has_lapsed() -> None:
    parlour = Parlour("AB")
    parlour.time_passes(31_000)
    assert sum(each.lapsed for each in parlour.players.values()) == 1


def test_a_question_that_was_answered_has_not_lapsed() -> None:
    """Whether the acknowledgement comes before the update or after."""
    parlour = Parlour("AB")
    for _ in range(10):
        parlour.act()
    assert sum(each.lapsed for each in parlour.players.values()) == 0


def test_an_answer_that_came_too_late_has_lapsed() -> None:
    """It was on its way when the deadline passed."""
    parlour = Parlour("AB")
    first = parlour.players["A"]
    _, text = first.act(first.legal[-1])
    parlour.time_passes(31_000)
    assert first.lapsed == 0
    parlour.said("A", text)
    assert first.lapsed == 1
    assert first.refused["stale_decision"] == 1


def test_an_id_sent_again_is_answered_as_before_and_done_once() -> None:
    """The room died after the append and before the answer: the client has heard nothing."""
    parlour = Parlour("AB")
    first = parlour.players["A"]
    id, text = first.act({**first.legal[0], "n": 4})
    parlour.said("A", text, answer=False)
    before = len(parlour.entries)
    assert first.acks == {}
    (again,) = first.again()
    parlour.said("A", again)
    assert {id: before} == first.acks
    assert len(parlour.entries) == before


def test_nothing_is_asked_during_a_pause(player: Player) -> None:
    asked = []
    for message in (Pause("recovering", ""), Resume()):
        tell(player, message)
        asked.append(player.asked)
    assert asked == [False, True]
    assert player.pauses == 1


def test_what_the_protocol_does_not_know_is_a_fault(player: Player) -> None:
    for text in (b"{", b"[]", b'{"type":"surprise"}', b'{"type":"ack"}'):
        assert player.received(text) is None
    tell(player, Error("bad_json", ""))
    assert len(player.faults) == 5


def test_a_bye_is_kept(player: Player) -> None:
    tell(player, Bye("shutdown", "", again=True, after=300))
    assert player.bye is not None
    assert player.bye.again


def test_after_the_game_a_seated_player_wants_another() -> None:
    parlour = Parlour("AB")
    first = parlour.players["A"]
    assert not first.wants_rematch
    parlour.said("A", first.act({"type": "stop"})[1])
    assert first.wants_rematch
