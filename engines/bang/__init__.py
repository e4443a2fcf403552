"""뱅! (`bang`): a sheriff, outlaws, and nobody knows who is who."""

from engines.bang.game import Bang
from engines.bang.state import State
from engines.kernel.contract import Game

GAME: Game[State] = Bang()
