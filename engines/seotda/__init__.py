"""섯다 (`seotda`): two hwatu cards, and nerve."""

from engines.kernel.contract import Game
from engines.seotda.game import Seotda
from engines.seotda.state import State

GAME: Game[State] = Seotda()
