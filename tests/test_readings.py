"""Readings of texts: each text is read once in a process, and single texts are checked as in the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutation_workshop import edited_game, workshop

from rulespec.base.source import Source
from rulespec.language.model.spec import Spec
from rulespec.text.checks.check import check as check_text
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.languages.registry import still_in_use
from rulespec.text.languages.registry import use as use_language
from rulespec.text.reading.translation import read as read_text
from rulespec.text.rules import book
from rulespec.text.rules.book import Book

pytestmark = pytest.mark.slow("checks whole texts several times")

LANGUAGES = ("en", "uk")


@pytest.fixture
def spec() -> Spec:
    return workshop("kingme").book.spec


@pytest.fixture
def glossary() -> Glossary:
    return workshop("kingme").book.glossary


def test_a_text_is_read_once_for_all_versions_of_a_game(spec: Spec, glossary: Glossary) -> None:
    words = "Each player takes three cards."
    book = Book(spec, glossary)
    assert book.read(words, "en") is Book(spec, glossary).read(words, "en")
    other = Glossary(glossary.game, dict(list(glossary.concepts.items())[1:]), glossary.source)
    assert Book(spec, other).read(words, "en") is not book.read(words, "en")


def test_a_text_is_read_again_with_another_record_of_its_language(
    spec: Spec, glossary: Glossary, tmp_path: Path
) -> None:
    before = Book(spec, glossary).read("Drie kaarten.", "nl")
    folder = tmp_path / "languages"
    (folder / "nl").mkdir(parents=True)
    (folder / "nl" / "language.yaml").write_text("language: 1\ntag: nl\nname: Dutch\n", encoding="utf-8")
    with still_in_use():
        use_language(folder)
        assert Book(spec, glossary).read("Drie kaarten.", "nl") is not before


def test_readings_are_dropped_when_they_are_too_many(
    spec: Spec, glossary: Glossary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "_MOST", 2)
    known = book.Readings(glossary, spec.players)
    first = known.read("One card.", "en")
    assert known.read("One card.", "en") is first
    known.read("Two cards.", "en")
    assert known.read("Three cards.", "en") and known.read("One card.", "en") is not first


SLIPS = """translation: 3
lang: en
game: kingme
title: King Me!
rules:
  setup.board:
    title: The board
    text: |
      ## Cards

      Three cards.

      ## Cards
  setup.cards:
    title: The board
    text: |
      ## Cards

      Three cards.

      ## Cards
"""


def test_lines_in_messages_are_those_of_the_file_as_it_is_now(spec: Spec, glossary: Glossary) -> None:
    def said(words: str) -> list[tuple[int, str]]:
        translation, _ = read_text(Source("en.yaml", words))
        assert translation is not None
        every = check_text(translation, spec, Book(spec, glossary), ())
        return [(one.start.line, one.message) for one in every if one.name == "repeated-heading"]

    before = said(SLIPS)
    assert len(before) == 2 and before[0][1] != before[1][1], "each names a line of its own text"
    moved = said("# moved\n# down\n" + SLIPS)
    assert [line - 2 for line, _ in moved] == [line for line, _ in before]
    assert [message for _, message in moved] != [message for _, message in before]


def test_single_texts_are_checked_as_in_the_whole() -> None:
    shop = workshop("kingme")
    spec = edited_game("kingme", "clamp((place[c] ?? 0) + 1, 0, 6) => clamp((place[c] ?? 0) - 1, 0, 6)")
    book, others = Book(spec, shop.book.glossary), tuple(shop.texts.values())
    for lang in LANGUAGES:
        one = shop.texts[lang]
        every = list(check_text(one, spec, book, others))
        rules = {found.rule for found in every}
        assert rules and list(check_text(one, spec, book, others, only=rules)) == every
        assert list(check_text(one, spec, book, others, only=())) == []
