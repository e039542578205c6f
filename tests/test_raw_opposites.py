"""Raw texts that deny what our own text affirms, or the reverse, have a finding at these words."""

from __future__ import annotations

from functools import cache

import pytest

import rulespec
from rulespec.base.source import Source
from rulespec.games.api import Spec
from rulespec.games.rulebook import check_raw, texts_of

pytestmark = pytest.mark.slow("reads whole raw texts")

REPLACED = (
    ("en", "Nobody ever climbs down.", "Characters climb down as well.", "climb down"),
    ("en", "No player may skip their turn.", "Each turn you may move a character up or do nothing.", "or do nothing"),
    ("uk", "Униз персонажі не переходять.", "Униз персонажі переходять так само.", "Униз"),
    ("uk", "На поверсі не може стояти більше ніж чотири персонажі.", "Виганяє лише більшість вето.", "більшість"),
    ("zh-Hant", "人物不會往下走。", "人物也會往下走。", "往下走"),
    ("zh-Hant", "輪到你時必須移動一個人物。", "輪到你時可以移動一個人物，也可以什麼都不做。", "也可以什麼都不做"),
)
"""A language, a true sentence about King Me!, a false one in its place, and the words of it that are reported."""


@cache
def _king_me() -> Spec:
    return rulespec.load("kingme")


def _reported(lang: str, sentence: str) -> list[str]:
    """The words of a sentence that are contradicted, where it ends the rule about moves in our own text."""
    passages = texts_of(_king_me())[lang].rules
    texts = [
        f"{one.text.text}\n\n{sentence}" if id_ == "nominate.rise" else one.text.text for id_, one in passages.items()
    ]
    source = Source("text.md", "\n\n".join(texts))
    found = (one for one in check_raw(source, lang, _king_me()).findings if one.name == "fact-contradicted")
    lines = source.text.split("\n")
    return [lines[one.start.line - 1][one.start.column - 1 :] for one in found]


@pytest.mark.parametrize(("lang", "true", "false", "words"), REPLACED, ids=lambda value: str(value)[:20])
@pytest.mark.sample(1)
def test_a_sentence_that_says_the_opposite_is_reported_at_its_words(
    lang: str, true: str, false: str, words: str
) -> None:
    assert _reported(lang, true) == []
    (reported,) = _reported(lang, false)
    assert reported.startswith(words)


def test_a_question_asserts_nothing() -> None:
    assert _reported("en", "Can I push one down?") == []


SPARED = (
    ("keyflower_king", "en", "The King need not pay any costs of production."),
    ("keyflower_king", "zh-Hans", "国王不用支付任何生产费用。"),
    ("keyflower_king", "zh-Hans", "国王无需支付升级费用。"),
    ("fortheking", "zh-Hant", "如果你付不起出價，你不需要支付。"),
)
"""What one need not do: the rules may say that one does not or cannot do it."""

OF_SOMETHING_ELSE = (
    ("fortheking", "uk", "Якщо він віддає більше золота, ніж треба, решти йому не повертають."),
    ("keyflower_king", "zh-Hans", "如果每块可用板块上至少放了一个工人，国王选择只有一个工人的第一块板块。"),
)
"""True sentences whose words have an opposite in our text, which is about another case or thing."""

FALSE = (
    ("fortheking", "en", "If you pay more gold than needed, you get the difference back."),
    ("fortheking", "uk", "Якщо він віддає більше золота, ніж треба, решту йому повертають."),
    ("fortheking", "zh-Hant", "付得比出價多時，會找零。"),
    ("kingme", "zh-Hant", "第二回合總和是0分時，你得33分。"),
    ("fortheking", "uk", "Значення другорядної посади — половина чільної, заокруглена вгору."),
)
"""Sentences in similar words that are wrong."""


def _contradicted(game: str, lang: str, sentence: str) -> bool:
    """Whether a sentence after our own text is contradicted."""
    spec = rulespec.load(game)
    texts = [one.text.text for one in texts_of(spec)[lang].rules.values()]
    source = Source("text.md", "\n\n".join([*texts, sentence]))
    last = source.text.count("\n") + 1
    found = check_raw(source, lang, spec).findings
    return any(one.start.line == last and one.name == "fact-contradicted" for one in found)


@pytest.mark.parametrize(("game", "lang", "sentence"), SPARED, ids=lambda value: str(value)[:20])
@pytest.mark.sample(1)
def test_what_one_need_not_do_is_not_what_one_does(game: str, lang: str, sentence: str) -> None:
    assert not _contradicted(game, lang, sentence)


@pytest.mark.parametrize(("game", "lang", "sentence"), OF_SOMETHING_ELSE, ids=lambda value: str(value)[:20])
@pytest.mark.sample(1)
def test_what_is_about_something_else_contradicts_nothing(game: str, lang: str, sentence: str) -> None:
    assert not _contradicted(game, lang, sentence)


@pytest.mark.parametrize(("game", "lang", "sentence"), FALSE, ids=lambda value: str(value)[:20])
@pytest.mark.sample(1)
def test_what_is_about_the_same_does(game: str, lang: str, sentence: str) -> None:
    assert _contradicted(game, lang, sentence)
