"""Who does what in raw texts, and players who do what others do by the rules."""

from __future__ import annotations

import pytest
from test_raw_cases import aligned

import rulespec
from rulespec.rulebook import book_of
from rulespec.text.languages import LANGUAGES
from rulespec.text.raw.acts import ACTS, acts
from rulespec.text.raw.agents import deeds
from rulespec.text.raw.misattributed import misattributed

READ = [
    ("en", "fortheking", "The first player turns up a card.", [("reveal", "first player")]),
    ("en", "fortheking", "A card is drawn by the adviser's left neighbour.", [("take", "left neighbour")]),
    ("en", "fortheking", "The adviser's left neighbour takes a card.", [("take", "left neighbour")]),
    ("en", "fortheking", "The adviser draws it and you pay.", [("take", "adviser"), ("pay", "")]),
    ("en", "fortheking", "The adviser draws a card and discards it.", [("take", "adviser"), ("discard", "adviser")]),
    ("en", "fortheking", "Take a card from the adviser.", [("take", "")]),
    ("en", "kingme", "The one who lifted him takes the crown.", [("take", "one who")]),
    ("en", "kingme", "The turn passes to the crown holder.", [("follow", "crown holder")]),
    ("uk", "fortheking", "Картку відкриває перший гравець.", [("reveal", "перший гравець")]),
    ("uk", "fortheking", "Першому гравцеві відкрити картку.", [("reveal", "Першому гравцеві")]),
    ("uk", "fortheking", "Візьміть картку в першого гравця.", [("take", "")]),
    ("uk", "kingme", "Підіймає далі власник корони.", [("lift", "власник корони")]),
    ("zh-Hant", "fortheking", "起始玩家翻開一張牌。", [("reveal", "起始玩家")]),
    ("zh-Hant", "fortheking", "改由左邊的玩家抽走一張牌。", [("take", "左邊的玩家")]),
    ("zh-Hant", "fortheking", "把牌堆交給起始玩家。", [("give", "")]),
]
"""A language, a game, a sentence, and its acts with the words for who does them."""

FOUND = [
    ("en", "fortheking", "Instead, the first player pulls a card from his hand at random, unseen.", "first player"),
    ("en", "fortheking", "The adviser chooses first and the others follow clockwise.", "adviser"),
    ("en", "kingme", "The first player of the round takes the crown before the vote.", "first player"),
    ("uk", "fortheking", "Останній радник відкриває верхню карту стосу прихильності.", "Останній радник"),
    ("uk", "kingme", "Корону бере гравець, який проголосував проти.", "гравець, який"),
    ("zh-Hant", "fortheking", "顧問翻開恩賜牌堆頂的牌，面朝上放在桌面中央。", "顧問"),
]
"""A language, a game, a text, and the words for the wrong player."""

TRUE = [
    ("en", "fortheking", "Instead, the neighbour on his left pulls a card from his hand at random, unseen."),
    ("en", "fortheking", "The player on the adviser's left picks first, then it goes round clockwise."),
    ("en", "kingme", "Whoever put the character on the throne takes the crown before the vote."),
    ("en", "kingme", "Again the first player begins and the turn passes to the left."),
    ("uk", "fortheking", "Перший гравець відкриває верхню карту стосу прихильності."),
    ("uk", "kingme", "Корону бере гравець, який посадив його на трон."),
    ("zh-Hant", "fortheking", "起始玩家翻開恩賜牌堆頂的牌，面朝上放在桌面中央。"),
]


@pytest.mark.parametrize(("lang", "game", "text", "expected"), READ, ids=lambda value: str(value)[:40])
def test_it_is_read_who_does_what(lang: str, game: str, text: str, expected: list[tuple[str, str]]) -> None:
    book = book_of(rulespec.load(game))
    reading = book.read(text, lang).part(0, len(text))
    words = [(one.act.name, one.agent.words[0] if one.agent is not None else None) for one in deeds(reading, book)]
    assert [(act, text[span.start : span.end] if span is not None else "") for act, span in words] == expected


@pytest.mark.parametrize(("lang", "game", "text", "words"), FOUND, ids=lambda value: str(value)[:40])
def test_a_player_who_does_what_another_does_is_found(lang: str, game: str, text: str, words: str) -> None:
    spans = [found.agent.words[0] for found in misattributed(aligned(lang, game, text))]
    assert [text[span.start : span.end] for span in spans] == [words]


@pytest.mark.parametrize(("lang", "game", "text"), TRUE, ids=lambda value: str(value)[:40])
def test_the_right_player_in_other_words_is_not(lang: str, game: str, text: str) -> None:
    assert not list(misattributed(aligned(lang, game, text)))


@pytest.mark.parametrize("lang", ["en", "uk", "zh-Hant"])
def test_every_act_has_words(lang: str) -> None:
    book = book_of(rulespec.load("fortheking"))
    path = LANGUAGES[lang].file("acts.yaml")
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert all(f"{act}:" in text for act in ACTS)
    assert not acts(book.read("", lang))
