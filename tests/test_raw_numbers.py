"""Raw texts: numbers of several terms, counts of things, and lists of alternatives."""

from __future__ import annotations

import pytest

import rulespec
from rulespec.rulebook import book_of, texts_of
from rulespec.text.facts import of_rule
from rulespec.text.raw.alignment import Alignment, align
from rulespec.text.raw.alternatives import repeated
from rulespec.text.raw.miscounts import miscounts
from rulespec.text.raw.term_rows import term_tables


def aligned(text: str, lang: str, game: str) -> Alignment:
    spec = rulespec.load(game)
    book = book_of(spec)
    assert book is not None
    return align(text, lang, book, texts_of(spec)[lang])


def words(text: str, start: int, end: int) -> str:
    return text[start:end]


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "The nobles on floor 5 score 5, dignitaries on floor 4 score 4, officers on floor 3 bring 3.", []),
        (
            "en",
            "The nobles on floor 5 score 5, dignitaries on floor 4 score 6, officers on floor 3 bring 3, merchants 2.",
            [("6", "4")],
        ),
        (
            "uk",
            "Дворяни на п’ятому поверсі дають 5, вельможі на четвертому — 4, чиновники на другому — 3, торговці 2.",
            [("другому", "3")],
        ),
        ("zh-Hant", "國王十分，貴族五分，顯貴四分，官員兩分，商人兩分，匠人一分，僕役零分。", [("兩", "3")]),
        ("en", "Nobles 6, dignitaries 5, officers 4, merchants 3.", []),
    ],
)
def test_numbers_of_terms(lang: str, text: str, expected: list[tuple[str, str]]) -> None:
    """A table with more wrong numbers than right ones is about something else."""
    found = [row for table in term_tables(aligned(text, lang, "kingme")) for row in table.wrong]
    assert [(words(text, one.start, one.end), wants) for one, wants in found] == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "The box has 39 gold cards, 16 king cards and 54 government cards, 108 in all.", ["16"]),
        ("en", "The box has 39 gold cards, 15 king cards and 54 government cards, 108 in all.", []),
        ("uk", "У коробці 108 карток: 54 картки уряду, 16 карток короля і 39 карток золота.", ["16"]),
        ("zh-Hant", "遊戲配件共有108張卡牌：54張政府卡、16張國王卡和39張金幣卡。", ["16"]),
    ],
)
def test_a_count_that_no_rule_has(lang: str, text: str, expected: list[str]) -> None:
    alignment, rule = aligned(text, lang, "fortheking"), "setup.components"
    wrong = [one for fact in of_rule(alignment.book.spec, rule) for one in miscounts(fact, rule, alignment)]
    assert [one.says for one in wrong if "king" in one.wants] == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "With three, three or four players use this side.", ["three"]),
        ("en", "With two, three or four players use values 1, 1 and 2.", []),
        ("uk", "Якщо вас двоє або двоє, грайте так.", ["двоє"]),
        ("uk", "Беріть дві чи три.", []),
        ("zh-Hant", "三人或三人時使用這一面。", ["三"]),
        ("zh-Hant", "使用二或三張。", []),
    ],
)
def test_a_number_twice_among_alternatives(lang: str, text: str, expected: list[str]) -> None:
    reading = aligned(text, lang, "fortheking").reading
    assert [words(text, one.start, one.end) for one in repeated(reading)] == expected
