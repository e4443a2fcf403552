"""What a player is told about their own cards (document 8.3 and 9), where the option ``hints`` is on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.kernel.contract import Json
from engines.seotda.cards import Card
from engines.seotda.hands import Made, evaluate
from engines.seotda.judge import MUNG_LIMIT
from engines.seotda.options import Options

LIMIT_NAMES = {908: "8땡", 909: "9땡", 910: "장땡"}
LEVELS = (
    (801, "높음", "좋은 패예요."),
    (5, "중간", "중간 정도 패예요."),
    (0, "낮음", "낮은 패예요."),
)  # from this value on


def about(cards: Sequence[Card], options: Options) -> Json:
    """The name of a two-card hand and what it is good for; nothing of a single card."""
    if len(cards) != 2:
        return {"handName": None, "hint": None, "strength": None}
    made = evaluate(cards[0], cards[1], options)
    strength, sentence = _level(made)
    return {"handName": name(made, options), "hint": sentence, "strength": strength}


@lru_cache(maxsize=512)
def _level(made: Made) -> tuple[str, str]:
    _, strength, sentence = next(level for level in LEVELS if made.value >= level[0])
    return strength, f"지금 패는 {made.plain}{'이에요' if _closed(made.plain) else '예요'}. {sentence}"


def name(made: Made, options: Options) -> str:
    """ "알리", "5끗"; of a special also what it does: "구사 - 상대가 알리 이하면 재경기"."""
    match made.special:
        case "ttaengjabi":
            return "땡잡이 - 상대 최고 패가 삥땡~9땡이면 이겨요"
        case "amhaeng" if options.gwang_ttaeng == "only38":  # there is nobody to catch (SD-27)
            return made.plain
        case "amhaeng":
            return "암행어사 - 상대 최고 패가 13광땡이나 18광땡이면 이겨요"
        case "gusa":
            return "구사 - 상대가 알리 이하면 재경기"
        case "mungGusa":
            return f"멍텅구리구사 - 상대가 {LIMIT_NAMES[MUNG_LIMIT[options.mung_gusa]]} 이하면 재경기"
    return made.name


def _closed(word: str) -> bool:
    """Whether a Korean word ends in a consonant, which decides what follows it."""
    return (ord(word[-1]) - ord("가")) % 28 > 0
