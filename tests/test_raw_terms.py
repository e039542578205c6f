"""Raw texts: counts of more than the game has."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec.rulebook import book_of
from rulespec.text import Book
from rulespec.text.glossary import finder
from rulespec.text.raw.alignment import align
from rulespec.text.raw.totals import excesses


def book(game: str) -> Book:
    found = book_of(rulespec.load(game))
    assert found is not None
    return found


def counted(text: str, lang: str, game: str) -> list[str]:
    return [text[one.start : one.end] for one in excesses(align(text, lang, book(game), None))]


@pytest.mark.parametrize(
    ("lang", "game", "text", "expected"),
    [
        ("en", "fortheking", "The game has three phases.", ["three phases"]),
        ("en", "fortheking", "The game has two phases. Put 40 **duty tiles** aside.", ["40 **duty tiles"]),
        ("en", "fortheking", "Leave one phase out. Each of you gets 1 noble tile, so use 4 noble tiles.", []),
        ("en", "kingme", "You play 4 rounds with 13 characters.", ["4 rounds"]),
        ("en", "kingme", "After round four compare the points. In rounds two and four.", ["four", "four"]),
        ("en", "kingme", "After round three compare the points. In round 3 4 people vote.", []),
        ("uk", "kingme", "Після четвертого раунду порівняйте бали.", ["четвертого раунду"]),
        ("uk", "fortheking", "Гра триває три фази.", ["три фази"]),
        ("uk", "fortheking", "- 36\n- аркуш підготовки карток", []),
        ("zh-Hant", "fortheking", "回合分為三個階段。", ["三個階段"]),
        ("zh-Hant", "fortheking", "遊戲分為兩個階段。第3階段不存在。", []),
        ("zh-Hant", "fortheking", "每位玩家的回合都分為三個階段。", []),
        ("en", "fortheking", "Each turn has three phases. All of you play three phases.", ["three phases"]),
        ("zh-Hans", "keyflower_king", "游戏有5个季节。", ["5个季节"]),
    ],
)
def test_more_than_the_game_has(lang: str, game: str, text: str, expected: list[str]) -> None:
    assert counted(text, lang, game) == expected


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "corpus").glob("*/*.txt")), ids=str)
def test_true_texts_have_none(path: Path) -> None:
    text, lang = path.read_text(encoding="utf-8"), path.parent.name
    assert counted(text, lang, "fortheking") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("国王支付费用以升级板块。", []), ("家圆板块", ["家圆板块"])],
)
def test_a_word_between_two_terms_is_no_misspelling(text: str, expected: list[str]) -> None:
    near = finder(book("keyflower_king").glossary, "zh-Hans").near_matches(text)
    assert [one.found for one in near] == expected
