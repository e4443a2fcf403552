"""The cards and the characters (3.2, 3.3), and what they are called (12)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import engines.bang
from engines.bang.cards import AIM, BLUE, CARDS, KIND, PIPS, TAKES, WEAPONS, explodes
from engines.bang.characters import CHARACTERS, Traits
from engines.bang.hints import USABLE
from engines.bang.names import (
    ABOUT,
    ANY_CARD,
    CARD_NAMES,
    CHARACTER_NAMES,
    CHOICES,
    FACES,
    NAMES,
    OTHER_WORDS,
    PHASES,
    SUMMARIES,
    TIPS,
    Word,
    sentence,
)
from engines.bang.options import Names
from engines.bang.refusals import SENTENCES, refusal
from tests.engines.bang.positions import attempt, new, play, position, refused

# The document's table, copied from it: name, copies, faces.
DOCUMENT = """
뱅! | 25 | A♠ / 2♦ 3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦ A♦ / 2♣ 3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ / Q♥ K♥ A♥
빗나감! | 12 | 10♣ J♣ Q♣ K♣ A♣ / 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠
맥주 | 6 | 6♥ 7♥ 8♥ 9♥ 10♥ J♥
패닉! | 4 | J♥ Q♥ A♥ 8♦
캣 벌루 | 4 | K♥ 9♦ 10♦ J♦
결투 | 3 | Q♦ J♠ 8♣
잡화점 | 2 | 9♣ Q♠
인디언! | 2 | K♦ A♦
역마차 | 2 | 9♠ 9♠
개틀링 | 1 | 10♥
살롱 | 1 | 5♥
웰스 파고 | 1 | 3♥
술통 | 2 | Q♠ K♠
머스탱 | 2 | 8♥ 9♥
조준경 | 1 | A♠
감옥 | 3 | J♠ 10♠ 4♥
다이너마이트 | 1 | 2♥
볼캐닉 | 2 | 10♠ 10♣
스코필드 | 3 | J♣ Q♣ K♠
레밍턴 | 1 | K♣
카빈 | 1 | A♣
윈체스터 | 1 | 8♠
"""


def test_s3_3_s10_the_deck_is_the_documents_table() -> None:
    """80 cards: 63 brown and 17 blue, each kind with its number of copies and their suits and ranks."""
    rows = [line.split(" | ") for line in DOCUMENT.strip().splitlines()]
    written = {name: sorted(faces.replace(" /", "").split()) for name, _, faces in rows}
    ours: dict[str, list[str]] = {}
    for card in CARDS:
        ours.setdefault(CARD_NAMES[card.kind][1], []).append(f"{card.rank}{PIPS[card.suit]}")
    assert {name: sorted(faces) for name, faces in ours.items()} == written
    assert {name: len(faces) for name, faces in ours.items()} == {name: int(copies) for name, copies, _ in rows}
    assert [card.id for card in CARDS] == list(range(80))
    assert sum(kind in BLUE for kind in KIND) == 17


def test_s3_3_weapons_and_their_ranges() -> None:
    """One to five, all blue."""
    assert {CARD_NAMES[kind][1]: reach for kind, reach in WEAPONS.items()} == {
        "볼캐닉": 1,
        "스코필드": 2,
        "레밍턴": 3,
        "카빈": 4,
        "윈체스터": 5,
    }
    assert set(WEAPONS) < BLUE
    assert set(AIM) >= TAKES


def test_s5_2_what_sets_the_dynamite_off() -> None:
    """♠2 to ♠9, nothing else."""
    faces = {f"{card.rank}{PIPS[card.suit]}" for card in CARDS if explodes(card)}
    assert faces == {f"{rank}♠" for rank in range(2, 10)}


def test_s3_2_each_character_is_one_difference_from_the_plain_rule() -> None:
    """16 of them, with the document's lives; none differs in more than its life and one thing."""
    threes = {character for character, traits in CHARACTERS.items() if traits.life == 3}
    assert len(CHARACTERS) == 16
    assert threes == {"elGringo", "paul"}
    plain = Traits()
    for character, traits in CHARACTERS.items():
        fields = [name for name in traits.__struct_fields__ if getattr(traits, name) != getattr(plain, name)]
        assert len([name for name in fields if name != "life"]) == 1, character


def test_s12_three_sets_of_names() -> None:
    """Everything has a name in each, the neutral ones are none of the original's, and no two cards share one."""
    for column in (*CARD_NAMES.values(), *CHARACTER_NAMES.values(), *OTHER_WORDS.values()):
        assert len(column) == 3
        assert all(column)
    for at in range(3):
        assert len({column[at] for column in CARD_NAMES.values()}) == len(CARD_NAMES)
        assert len({column[at] for column in CHARACTER_NAMES.values()}) == len(CHARACTER_NAMES)
    assert not any(column[0] == column[1] for column in CHARACTER_NAMES.values())
    owned = "뱅!|빗나감!|웰스 파고|캣 벌루|개틀링|인디언|윈체스터|레밍턴|볼캐닉|스코필드|카빈|콜트"
    for names in ("neutral", "children"):
        assert not [text for text in everything_said(names) if re.search(owned, text)]


def test_s12_the_childrens_set_speaks_of_no_weapon_and_no_death() -> None:
    """물총 and 탈락, as the document has it: in names, faces, abilities, tips, hints, refusals, summaries."""
    hard = (
        "사격|권총|장총|기관총|총잡이|사거리|폭약|결투|감옥|맥주|술통|죽|사망|쓰러|살아|처치|무법|배신|보안관|빈사|생명"
    )
    assert not [text for text in everything_said("children") if re.search(hard, text)]
    assert [text for text in everything_said("original") if re.search(hard, text)]


def everything_said(names: Names) -> list[str]:
    """All that a table with this set of names can say."""
    found, numbers = NAMES[names], {"distance": 3, "range": 2, "count": 2, "round": 3}
    said = [found.title, *found.cards.values(), *found.characters.values(), *found.words.values()]
    said += [
        *FACES[names],
        *ABOUT[names].values(),
        *TIPS[names].values(),
        *PHASES.values(),
        *CHOICES.values(),
        ANY_CARD,
    ]
    said += [sentence(names, text, numbers) for text in (*SUMMARIES.values(), *USABLE.values(), *SENTENCES.values())]
    return said


def test_s12_the_set_is_chosen_and_changes_nothing_but_words() -> None:
    """The same seed and actions under another set: the same game."""
    plain, original = new(), new(names="original")
    assert original.players == plain.players
    assert original.deck == plain.deck
    said = {
        names: refused(attempt(position("sheriff bart: missed", *OTHERS, options={"names": names}), "missed"))
        for names in ("neutral", "original", "children")
    }
    assert said == {
        "neutral": ("missed_is_reaction", "회피는 자기 턴에 낼 수 없습니다"),
        "original": ("missed_is_reaction", "빗나감!은 자기 턴에 낼 수 없습니다"),
        "children": ("missed_is_reaction", "피하기는 자기 턴에 낼 수 없습니다"),
    }
    event = play(position("sheriff bart: beer", *OTHERS, options={"names": "original", **FULL}), "beer").events[0]
    assert event["card"]["face"].startswith("맥주 ")


OTHERS = ("outlaw paul: bang", "outlaw rose: bang", "renegade kit: bang")
FULL = {"beerAtFullHealth": "on"}


def test_s12_no_rule_reads_a_name() -> None:
    """Only what is shown imports the names: the rules compare kinds and traits, and know no character by name."""
    folder = Path(engines.bang.__file__).parent
    may = {"view.py", "hints.py", "refusals.py", "table.py", "game.py", "ledger.py", "names.py"}
    for path in folder.glob("*.py"):
        text = path.read_text()
        if "engines.bang.names" in text:
            assert path.name in may, path.name
        if path.name not in ("characters.py", "names.py"):
            for character in CHARACTERS:
                assert f'"{character}"' not in text, (path.name, character)


@pytest.mark.parametrize(
    ("name", "particle", "said"),
    [
        ("맥주", "을", "맥주를"),
        ("감옥", "이", "감옥이"),
        ("뱅!", "을", "뱅!을"),
        ("물약", "은", "물약은"),
        ("물총", "으로", "물총으로"),
        ("사격", "과", "사격과"),
        ("배신자", "과", "배신자와"),
        ("살롱", "으로", "살롱으로"),
        ("연필", "으로", "연필로"),
        ("장총(사거리 3)", "이", "장총(사거리 3)가"),
    ],
)
def test_names_take_their_particles(name: str, particle: str, said: str) -> None:
    """By the final consonant of the last syllable; ㄹ takes 로."""
    assert f"{Word(name):{particle}}" == said


def test_every_refusal_has_its_sentence_in_every_set() -> None:
    """Nothing is left open in any of them."""
    args = {"distance": 3, "range": 2, "count": 2}
    for code, text in SENTENCES.items():
        used = {name: n for name, n in args.items() if f"{{{name}}}" in text}
        for names in NAMES:
            assert not re.search(r"[{}]", refusal(names, code, **used).message)
