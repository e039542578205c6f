"""Raw texts: what is no misspelling of a term."""

from __future__ import annotations

import pytest

import rulespec
from rulespec.games.rulebook import book_of
from rulespec.text.glossary.finder import finder


@pytest.mark.parametrize(
    ("text", "expected"),
    [("国王支付费用以升级板块。", []), ("家圆板块", ["家圆板块"])],
)
def test_a_word_between_two_terms_is_no_misspelling(text: str, expected: list[str]) -> None:
    book = book_of(rulespec.load("keyflower_king"))
    assert book is not None
    assert [one.found for one in finder(book.glossary, "zh-Hans").near_matches(text)] == expected
