"""Parlett의 나인티 나인 (`parlett-ninety-nine`): say with three cards how many tricks the others will take."""

from engines.kernel.contract import Game
from engines.parlett.game import ParlettNinetyNine
from engines.parlett.state import State

GAME: Game[State] = ParlettNinetyNine()
