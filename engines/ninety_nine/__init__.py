"""구십구 (`ninety-nine`): add cards up, and never past 99."""

from engines.kernel.contract import Game
from engines.ninety_nine.game import NinetyNine
from engines.ninety_nine.state import State

GAME: Game[State] = NinetyNine()
