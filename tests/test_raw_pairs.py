"""Raw texts: terms with the number of another."""

from __future__ import annotations

import pytest

import rulespec
from rulespec.games.rulebook import book_of, texts_of
from rulespec.text.raw import align
from rulespec.text.raw.pairs import mispaired

FOUND = [
    ("en", "- floor 4, dignitaries: 4\n- floor 3, merchants: 3", ("merchants", "officer")),
    ("uk", "- сановники, четвертий поверх\n- купці, третій поверх", ("купці", "officer")),
    ("zh-Hant", "- 第4層，權貴：4分\n- 第3層，商人：3分", ("商人", "officer")),
]
"""A language, a text about King Me!, and the words found in it with what the rule has instead."""

TRUE = [
    ("en", "- floor 4, dignitaries: 4\n- officers stand on floor 3"),
    ("en", "- floor 5, nobles: 5\n- floor 4, dignitaries: 4\n- three nobles score fifteen"),
    ("zh-Hant", "- 第5層，貴族：5分\n- 第4層，權貴：4分\n- 三個貴族十五分"),
]

OTHERWISE = [
    ("en", "- floor 5, servants: 5\n- floor 4, craftsmen: 4\n- floor 3, officers: 3\n- floor 2, dignitaries: 2")
]
"""Texts that pair most terms otherwise."""


def found(lang: str, text: str) -> list[tuple[str, str]]:
    spec = rulespec.load("kingme")
    alignment = align(text, lang, book_of(spec), texts_of(spec)[lang])
    return [(text[one.value.start : one.value.end], one.ours) for one in mispaired(alignment)]


@pytest.mark.parametrize(("lang", "text", "expected"), FOUND, ids=lambda value: str(value)[:40])
def test_a_term_with_the_number_of_another_is_found(lang: str, text: str, expected: tuple[str, str]) -> None:
    assert found(lang, text) == [expected]


@pytest.mark.parametrize(("lang", "text"), TRUE, ids=lambda value: str(value)[:40])
def test_what_the_rule_says_is_not(lang: str, text: str) -> None:
    """A number right before a term counts it."""
    assert found(lang, text) == []


@pytest.mark.parametrize(("lang", "text"), OTHERWISE, ids=lambda value: str(value)[:40])
def test_a_text_that_pairs_most_terms_otherwise_does_so_on_purpose(lang: str, text: str) -> None:
    assert found(lang, text) == []
