"""What conditions of raw texts turn on."""

from __future__ import annotations

import pytest

import rulespec
from rulespec.games.rulebook import book_of, texts_of
from rulespec.text.languages import LANGUAGES
from rulespec.text.raw import align
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.cases import FAMILIES, cases
from rulespec.text.raw.opposites import opposites

pytestmark = pytest.mark.slow("reads whole raw texts")

READ = [
    ("en", "If even one of you says no, he leaves.", [("one", "even one")]),
    ("en", "If more than half of the votes are No, he leaves.", [("majority", "more than half")]),
    ("en", "More No than Yes is needed.", [("majority", "More No than Yes")]),
    ("en", "There are more cards than players.", [("majority", "more cards than players")]),
    ("en", "You bid more than you have.", []),
    ("en", "Add no more gold than needed.", []),
    ("en", "Each bid is at least 1 higher.", []),
    ("en", "You may pass without a single bid.", []),
    ("uk", "Перша ставка щонайменше 1, далі більше.", []),
    ("zh-Hant", "至少要比前一個多1。", []),
    ("en", "If nobody bids, discard it.", [("none", "If nobody")]),
    ("uk", "Хоч одна картка вето — і його виганяють.", [("one", "Хоч одна")]),
    ("uk", "Потрібна більшість голосів проти.", [("majority", "більшість")]),
    ("uk", "Якщо ніхто не поставив, картку скидають.", [("none", "Якщо ніхто")]),
    ("zh-Hant", "反對票若超過半數，他就離開。", [("majority", "超過半數")]),
    ("zh-Hant", "所有玩家都翻開目標卡。", []),
    ("zh-Hant", "有人跳過，就棄掉這張卡。", [("some", "有人")]),
    ("zh-Hant", "王冠持有人先開始。", []),
    ("en", "You all turn your cards over together.", [("together", "turn your cards over together")]),
    ("en", "They are shown one after another.", [("in turn", "one after another")]),
    ("en", "In turn of the year, both lie together.", []),
    ("uk", "Усі відкривають картки одночасно, а не по черзі.", [("together", "одночасно"), ("in turn", "по черзі")]),
    ("zh-Hant", "選好後一同翻開。", [("together", "一同翻")]),
    (
        "en",
        "Vote as soon as it is there, not at the end of the lap.",
        [("at once", "as soon as"), ("later", "at the end")],
    ),
    ("uk", "Спершу кожен ходить, а вже потім голосують.", [("later", "Спершу кожен"), ("later", "а вже потім")]),
    ("zh-Hant", "這一圈走完再選舉，不是馬上。", [("later", "走完再"), ("at once", "馬上")]),
]
"""A language, a text, and the cases in it with their words."""

FOUND = [
    (
        "en",
        "kingme",
        "If more than half of the ballots say No, the candidate is thrown out of the castle.",
        "more than half",
    ),
    (
        "uk",
        "kingme",
        "Якщо «Ні» трапилося більше, ніж «Так», кандидата вигнати з поля.",
        "«Ні» трапилося більше, ніж «Так",
    ),
    ("zh-Hant", "kingme", "反對票若超過半數，他就會被逐出城堡，立牌從圖板上拿掉。", "超過半數"),
    ("en", "kingme", "The ballots are laid down and turned over one after another, clockwise.", "one after another"),
    ("uk", "kingme", "Картки голосування відкривають по черзі.", "по черзі"),
    ("zh-Hant", "kingme", "投票卡從起始玩家起依序翻開。", "依序"),
    ("en", "fortheking", "A king card is laid open and carried out at the end of the phase.", "at the end"),
    ("uk", "fortheking", "Картку короля показують і виконують наприкінці фази.", "наприкінці фази"),
    ("zh-Hant", "fortheking", "國王卡牌不加入手牌：等這一階段打完再生效。", "等這一階段打完再"),
]
"""A language, a game, a text, and the words in it that turn its condition into another."""

TRUE = [
    ("en", "kingme", "If at least one ballot says No, the candidate is thrown out of the castle."),
    ("uk", "kingme", "Якщо трапилося хоч одне «Ні», кандидата вигнати з поля."),
    ("zh-Hant", "kingme", "哪怕只開出一張反對，他就會被逐出城堡，立牌從圖板上拿掉。"),
    ("en", "kingme", "The ballots are laid down and turned over at the same time."),
    ("en", "fortheking", "In clockwise order, one after another, everybody bids more or passes."),
    ("uk", "fortheking", "Картку короля показують і виконують негайно."),
]


def aligned(lang: str, game: str, text: str) -> Alignment:
    spec = rulespec.load(game)
    return align(text, lang, book_of(spec), texts_of(spec)[lang])


def contrary(lang: str, game: str, text: str) -> list[str]:
    """The words of a text that state another case than ours."""
    found = opposites(aligned(lang, game, text))
    return [text[one.mark.words.start : one.mark.words.end] for one in found if one.mark.family in FAMILIES]


@pytest.mark.parametrize(("lang", "text", "expected"), READ, ids=lambda value: str(value)[:40])
def test_cases_are_read(lang: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.value, text[one.start : one.end]) for one in cases(text, LANGUAGES[lang])] == expected


@pytest.mark.parametrize(("lang", "game", "text", "words"), FOUND, ids=lambda value: str(value)[:40])
def test_a_condition_that_turns_on_something_else_is_found(lang: str, game: str, text: str, words: str) -> None:
    assert contrary(lang, game, text) == [words]


@pytest.mark.parametrize(("lang", "game", "text"), TRUE, ids=lambda value: str(value)[:40])
def test_the_same_condition_in_other_words_is_not(lang: str, game: str, text: str) -> None:
    assert contrary(lang, game, text) == []
