"""In which order a raw text says that things are done."""

from __future__ import annotations

import pytest
from test_raw_cases import aligned

import rulespec
from rulespec.rulebook import book_of
from rulespec.text.raw.successions import disordered, successions

READ = [
    ("en", "You place this card before you draw another.", [("put", "take", {"take"})]),
    ("en", "You place this card after drawing another.", [("take", "put", {"take"})]),
    ("en", "You may not draw another before you have placed this card.", [("put", "take", {"take"})]),
    ("en", "You may draw another only when this card lies in its place.", [("put", "take", {"take"})]),
    ("en", "Before you pay, shuffle the deck.", [("shuffle", "pay", set())]),
    ("en", "Draw a card, then pay.", [("take", "pay", set())]),
    ("en", "What was placed cannot be moved after the next card is drawn.", []),
    ("en", "Then you pay and take the card.", []),
    ("en", "After you pass, another player goes on.", []),
    ("uk", "Картку кладуть перед тим, як тягнуть наступну.", [("put", "take", {"take"})]),
    ("uk", "Не беріть наступної картки, доки не поклали попередню.", [("put", "take", {"take"})]),
    ("uk", "Спочатку тягнеш наступну, тоді кладеш попередню.", [("take", "put", {"take"})]),
    ("zh-Hant", "這張放好了，才可以抽下一張。", [("put", "take", {"take"})]),
    ("zh-Hant", "沒放好之前，不能抽下一張。", [("put", "take", {"take"})]),
    ("zh-Hant", "付款在拿牌之前。", [("pay", "take", set())]),
    ("zh-Hant", "之後想再看也行。", []),
]
"""A language, a sentence, and its acts: the earlier one, the later one, and those that are done another time."""

FOUND = [
    ("en", "He decides where a card goes after he has drawn the next.", "decides where a card goes after he has drawn"),
    ("uk", "Спочатку тягнеш наступну картку, тоді кладеш попередню.", "тягнеш наступну картку, тоді кладеш"),
    ("zh-Hant", "抽了下一張，才放這張。", "抽了下一張，才放"),
]

TRUE = [
    ("en", "He decides where a card goes before he draws the next."),
    ("en", "Draw the cards one after another, and then decide where each of them goes."),
    ("uk", "Спочатку кладеш, тоді тягнеш наступну картку."),
    ("zh-Hant", "放好這張，才可以抽下一張。"),
    ("zh-Hant", "付完才把黃金牌拿到手上，所以不能用它來付。"),
]


@pytest.mark.parametrize(("lang", "text", "expected"), READ, ids=lambda value: str(value)[:40])
def test_the_order_of_acts_is_read(lang: str, text: str, expected: list[tuple[str, str, set[str]]]) -> None:
    reading = book_of(rulespec.load("fortheking")).read(text, lang).part(0, len(text))
    assert [(one.first, one.second, set(one.again)) for one in successions(reading)] == expected


@pytest.mark.parametrize(("lang", "text", "words"), FOUND, ids=lambda value: str(value)[:40])
def test_acts_in_the_other_order_are_found(lang: str, text: str, words: str) -> None:
    spans = [found.said.words for found in disordered(aligned(lang, "fortheking", text))]
    assert [text[span.start : span.end] for span in spans] == [words]


@pytest.mark.parametrize(("lang", "text"), TRUE, ids=lambda value: str(value)[:40])
def test_acts_in_the_right_order_are_not(lang: str, text: str) -> None:
    assert not list(disordered(aligned(lang, "fortheking", text)))
