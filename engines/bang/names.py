"""What things are called on the table: one set of names a table may choose from (document section 12).

The names of the original are others' property, so the neutral set is the default; ``children`` says nothing of shooting
or dying. Only sentences and faces are made of names. No rule reads one.

A sentence is written once, for all sets: ``{bang:을}`` is the name with the particle that fits its last syllable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engines.bang.cards import CARDS, PIPS, CardId, CardKind
from engines.bang.characters import CharacterId
from engines.bang.options import Names

# The particle after a vowel, by the one after a consonant.
_OPEN = {"을": "를", "이": "가", "은": "는", "과": "와", "으로": "로"}
_RIEUL = 8  # the final consonant after which 으로 is 로 too


class Word(str):
    """A name that takes Korean particles: ``f"{Word('맥주'):을}"`` is 맥주를."""

    __slots__ = ()

    def __format__(self, particle: str) -> str:
        if not particle:
            return str(self)
        finals = [(ord(letter) - 0xAC00) % 28 for letter in self if "가" <= letter <= "힣"]
        final = finals[-1] if finals else 0
        closed = final != 0 and not (particle == "으로" and final == _RIEUL)
        return self + (particle if closed else _OPEN[particle])


class NameSet(msgspec.Struct, frozen=True):
    """Every name of one set."""

    title: str
    cards: dict[CardKind, str]
    characters: dict[CharacterId, str]
    words: dict[str, str]  # roles, sides, the weapon that is no card, and what becomes of the eliminated


CARD_NAMES: dict[CardKind, tuple[str, str, str]] = {
    # kind: neutral, original, children
    "bang": ("사격", "뱅!", "물총"),
    "missed": ("회피", "빗나감!", "피하기"),
    "beer": ("물약", "맥주", "주스"),
    "saloon": ("모두의 물약", "살롱", "모두의 주스"),
    "stagecoach": ("역마차", "역마차", "역마차"),
    "wellsFargo": ("은행 마차", "웰스 파고", "선물 마차"),
    "generalStore": ("잡화점", "잡화점", "문구점"),
    "panic": ("가로채기", "패닉!", "가져오기"),
    "catBalou": ("훼방", "캣 벌루", "장난"),
    "duel": ("결투", "결투", "눈싸움"),
    "indians": ("습격", "인디언!", "소나기"),
    "gatling": ("기관총", "개틀링", "물풍선"),
    "barrel": ("나무통", "술통", "우산"),
    "mustang": ("야생마", "머스탱", "조랑말"),
    "scope": ("망원경", "조준경", "망원경"),
    "jail": ("감옥", "감옥", "생각 의자"),
    "dynamite": ("폭약", "다이너마이트", "깜짝 상자"),
    "volcanic": ("속사 권총(사거리 1)", "볼캐닉", "연속 물총(물줄기 1)"),
    "schofield": ("권총(사거리 2)", "스코필드", "작은 물총(물줄기 2)"),
    "remington": ("장총(사거리 3)", "레밍턴", "긴 물총(물줄기 3)"),
    "carabine": ("기병총(사거리 4)", "카빈", "큰 물총(물줄기 4)"),
    "winchester": ("연발총(사거리 5)", "윈체스터", "왕 물총(물줄기 5)"),
}
CHARACTER_NAMES: dict[CharacterId, tuple[str, str, str]] = {
    "bart": ("불사신 바위", "바트 캐시디", "오뚝이"),
    "blackJack": ("검은 모자", "블랙 잭", "검은 모자"),
    "calamity": ("뒤집기 명수", "캘러미티 자넷", "뒤집기 명수"),
    "elGringo": ("되갚는 나그네", "엘 그링고", "되받는 나그네"),
    "jesse": ("날쌘 손", "제시 존스", "날쌘 손"),
    "jourdonnais": ("나무통 사나이", "주르도네", "우산 아저씨"),
    "kit": ("눈 밝은 길잡이", "킷 칼슨", "눈 밝은 길잡이"),
    "lucky": ("행운의 신사", "럭키 듀크", "행운 요정"),
    "paul": ("먼발치 신사", "폴 리그레트", "먼발치 신사"),
    "pedro": ("고물 수집가", "페드로 라미레스", "재활용 대장"),
    "rose": ("매의 눈", "로즈 둘란", "매의 눈"),
    "sid": ("떠돌이 의사", "시드 케첨", "보건 선생님"),
    "slab": ("무법의 명사수", "슬랩 더 킬러", "물총 대장"),
    "suzy": ("빈손의 아가씨", "수지 라파예트", "빈손 마술사"),
    "vulture": ("황야의 독수리", "벌처 샘", "정리 대장"),
    "willy": ("속사의 소년", "윌리 더 키드", "속사 꼬마"),
}
OTHER_WORDS: dict[str, tuple[str, str, str]] = {
    "title": ("황야의 총잡이", "뱅!", "물총 대소동"),
    "sheriff": ("보안관", "보안관", "반장"),
    "deputy": ("부관", "부관", "부반장"),
    "outlaw": ("무법자", "무법자", "장난꾸러기"),
    "renegade": ("배신자", "배신자", "외톨이"),
    "law": ("보안관 팀", "보안관 팀", "반장 팀"),
    "outlaws": ("무법자", "무법자", "장난꾸러기"),
    "bareHands": ("기본 권총(사거리 1)", "콜트 45", "손 물총(물줄기 1)"),
    "life": ("생명", "생명", "기운"),
    "fell": ("쓰러졌습니다", "쓰러졌습니다", "쉬러 갔습니다"),
    "flip": ("판정", "판정", "뒤집기"),
    "dying": ("빈사", "빈사", "기운 없음"),
    "reach": ("사거리", "사거리", "물줄기"),
}

# What each character can do, in the names of whichever set.
ABILITIES: dict[CharacterId, str] = {
    "bart": "{life:을} 1 잃을 때마다 덱에서 카드를 1장 뽑습니다.",
    "blackJack": "두 번째로 뽑은 카드를 모두에게 보여 주고, 하트나 다이아몬드면 1장 더 뽑습니다.",
    "calamity": "{bang:을} {missed:으로}, {missed:을} {bang:으로} 쓸 수 있습니다.",
    "elGringo": "다른 플레이어가 낸 카드로 {life:을} 잃으면 그 플레이어의 손패에서 무작위로 1장 가져옵니다.",
    "jesse": "첫 번째 카드를 다른 플레이어의 손패에서 무작위로 가져올 수 있습니다.",
    "jourdonnais": "항상 {barrel:을} 가진 것으로 봅니다.",
    "kit": "덱 위 3장을 보고 2장을 고릅니다. 나머지는 덱 맨 위에 둡니다.",
    "lucky": "{flip:을} 할 때마다 2장을 뒤집어 1장을 고릅니다.",
    "paul": "다른 플레이어가 볼 때 거리가 1 멉니다.",
    "pedro": "첫 번째 카드를 버림 더미 맨 위에서 가져올 수 있습니다.",
    "rose": "다른 플레이어를 볼 때 거리가 1 가깝습니다.",
    "sid": "손패 2장을 버려 {life:을} 1 회복할 수 있습니다.",
    "slab": "{bang:을} 막으려면 {missed:이} 2번 필요합니다.",
    "suzy": "손패가 0장이 되는 순간 덱에서 1장 뽑습니다.",
    "vulture": "다른 캐릭터가 제거되면 그 카드를 모두 손패로 가져옵니다.",
    "willy": "자기 턴에 {bang:을} 몇 장이든 낼 수 있습니다.",
}
# What a beginner is told of the own role (document section 9).
ROLE_TIPS: dict[str, str] = {
    "sheriff": "{outlaw:과} {renegade:을} 모두 물리치세요. 누가 {deputy}인지는 숨겨져 있어요.",
    "deputy": "{deputy:은} {sheriff:을} 지켜야 해요.",
    "outlaw": "{sheriff:을} 물리치면 {outlaw} 모두가 이겨요.",
    "renegade": "{sheriff:과} 단둘이 남은 다음, 마지막에 {sheriff:을} 물리쳐야 해요.",
}
# How a game ended (8.6), by the team that won.
SUMMARIES: dict[str, str] = {
    "law": "{law} 승리! {round}라운드에 {outlaw:과} {renegade:이} 모두 {fell}.",
    "outlaws": "{outlaws} 승리! {sheriff:이} {round}라운드에 {fell}.",
    "renegade": "{renegade} 승리! {sheriff:이} {round}라운드에 {fell}.",
}

# What the turn's phases are called, and the choices that no card is behind, in any set.
PHASES: dict[str, str] = {
    "setup": "준비",
    "start": "턴 시작",
    "draw": "1단계: 뽑기",
    "play": "2단계: 카드 내기",
    "discard": "3단계: 버리기",
    "finished": "끝",
}
CHOICES: dict[str, str] = {"kitKeep": "카드 고르기", "choose2": "캐릭터 고르기"}
ANY_CARD = "손패 무작위 1장"  # what `targetCard: "hand"` means

_COLUMN: dict[Names, int] = {"neutral": 0, "original": 1, "children": 2}


def _set(names: Names) -> NameSet:
    at = _COLUMN[names]
    words = {word: column[at] for word, column in OTHER_WORDS.items()}
    return NameSet(
        title=words["title"],
        cards={kind: column[at] for kind, column in CARD_NAMES.items()},
        characters={character: column[at] for character, column in CHARACTER_NAMES.items()},
        words=words,
    )


NAMES: dict[Names, NameSet] = {names: _set(names) for names in _COLUMN}
_WORDS: dict[Names, dict[str, Word]] = {
    names: {word: Word(text) for word, text in (*found.words.items(), *found.cards.items())}
    for names, found in NAMES.items()
}
FACES: dict[Names, tuple[str, ...]] = {
    names: tuple(f"{found.cards[card.kind]} {card.rank}{PIPS[card.suit]}" for card in CARDS)
    for names, found in NAMES.items()
}
# A card as whoever may see it sees it: id and face. To be copied before it leaves.
SEEN: dict[Names, tuple[dict[str, Any], ...]] = {
    names: tuple({"id": card.id, "face": face} for card, face in zip(CARDS, faces, strict=True))
    for names, faces in FACES.items()
}
_SEEN_WHOLE: dict[Names, tuple[dict[str, Any], ...]] = {
    names: tuple(
        {"id": card.id, "face": face, "kind": card.kind, "suit": card.suit, "rank": card.rank}
        for card, face in zip(CARDS, faces, strict=True)
    )
    for names, faces in FACES.items()
}


def sentence(names: Names, text: str, args: Mapping[str, Any] | None = None) -> str:
    """The sentence in the names of this set."""
    words: dict[str, Any] = {**_WORDS[names], **(args or {})}
    return text.format_map(words)


def seen_whole(names: Names, card: CardId) -> dict[str, Any]:
    """A card with all that is printed on it, as it lies in a view."""
    return _SEEN_WHOLE[names][card].copy()


ABOUT: dict[Names, dict[CharacterId, str]] = {
    names: {character: sentence(names, text) for character, text in ABILITIES.items()} for names in NAMES
}
TIPS: dict[Names, dict[str, str]] = {
    names: {role: sentence(names, text) for role, text in ROLE_TIPS.items()} for names in NAMES
}
