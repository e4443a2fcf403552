"""Three-card play: everybody picks two of their three cards, all at the same time (document 5.2)."""

from __future__ import annotations

from engines.kernel.contract import PlayerId
from engines.seotda.hands import automatic
from engines.seotda.state import Draft


def ask(draft: Draft) -> None:
    """Of everybody still in, all-in or not (SD-42). Who has left is chosen for at once."""
    draft.set_hand(phase="choose")
    draft.asked_at = draft.now
    draft.tell("chooseStarted", players=pending(draft))
    for player in pending(draft):
        if draft.seats[player].status == "left":
            choose_for(draft, player)


def pending(draft: Draft) -> list[PlayerId]:
    """Who has yet to choose."""
    return [player for player in draft.live() if draft.players[player].chosen is None]


def choose(draft: Draft, player: PlayerId, ids: tuple[int, int]) -> None:
    """These two are played. Everybody is told that the player has chosen, and never what."""
    draft.set_player(player, chosen=ids)
    draft.tell("chose", player=player)


def choose_for(draft: Draft, player: PlayerId) -> None:
    """The choice of 8.5."""
    one, other = automatic(draft.players[player].hand, draft.options)
    choose(draft, player, (one.id, other.id))


def go_on(draft: Draft) -> bool:
    """Waits for the last; then the plan goes on. Where only one is left nobody need choose (SD-42)."""
    if len(draft.live()) > 1 and pending(draft):
        return False
    draft.set_hand(phase="dealing", stage=draft.hand.stage + 1)
    return True
