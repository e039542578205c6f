"""Readings of texts that are kept on disk: findings about a changed spec are the same with and without them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from labelled_edits import EDITS, Edit

from rulespec import text
from rulespec.base import store
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source, read
from rulespec.games.api import model_of
from rulespec.games.rulebook import texts_at
from rulespec.language.model.spec import Spec
from rulespec.text.glossary import Glossary
from rulespec.text.glossary import read as read_glossary
from rulespec.text.reading import readings
from rulespec.text.reading.translation import Translation
from rulespec.text.rules.book import Book

pytestmark = pytest.mark.slow("checks whole texts several times")

SPECS = Path(__file__).parents[1] / "specs"
GAME = "kingme"
LANGUAGES = ("en", "uk")


@pytest.fixture(scope="module")
def spec() -> Spec:
    found, _ = read(SPECS / f"{GAME}.yaml")
    assert found is not None
    model, report = model_of(found)
    assert model is not None and report.ok
    return model


@pytest.fixture(scope="module")
def glossary() -> Glossary:
    source, _ = read(SPECS / f"glossaries/{GAME}.yaml")
    assert source is not None
    found, wrong = read_glossary(source)
    assert found is not None and not wrong
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in a process that has read nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    readings.readings.cache_clear()
    return tmp_path


def shipped() -> dict[str, Translation]:
    """The texts of the game in two of its languages."""
    texts = texts_at(str(SPECS / f"{GAME}.yaml"), GAME)
    return {lang: texts[lang] for lang in LANGUAGES}


def findings(spec: Spec, glossary: Glossary) -> list[Finding]:
    """What is wrong with the shipped texts by a spec, in a process that has read nothing; readings are kept."""
    readings.readings.cache_clear()
    book, texts = Book(spec, glossary), shipped()
    found = []
    for lang, one in texts.items():
        found += text.check(one, spec, book, texts.values())
        book.readings.keep(lang)
    return found


def read_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are read from now on, not taken from the disk."""
    found: list[str] = []
    reading = readings.read

    def noting(words: str, *others: object) -> object:
        found.append(words)
        return reading(words, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(readings, "read", noting)
    return found


TITLES = ("the throne is worth more", "less for nothing at all", "the crown goes to the left", "votes in hand are open")
CHANGED = [edit for edit in EDITS if edit.game == GAME and edit.title in TITLES]


@pytest.mark.parametrize("edit", CHANGED, ids=str)
@pytest.mark.sample(1)
def test_kept_readings_change_no_finding(
    edit: Edit, spec: Spec, glossary: Glossary, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings(spec, glossary)
    with monkeypatch.context() as patch:
        newly_read = read_texts(patch)
        kept = findings(edit.new, glossary)
        again = findings(edit.new, glossary)
    assert not newly_read and kept
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "empty"))
    assert kept == again == findings(edit.new, glossary)


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


def test_lines_in_messages_are_those_of_the_file_as_it_is_now(spec: Spec, glossary: Glossary, folder: Path) -> None:
    def said(words: str) -> list[tuple[int, str]]:
        readings.readings.cache_clear()
        translation, _ = text.read(Source("en.yaml", words))
        assert translation is not None
        book = Book(spec, glossary)
        found = [one for one in text.check(translation, spec, book, ()) if one.name == "repeated-heading"]
        book.readings.keep("en")
        return [(one.start.line, one.message) for one in found]

    before = said(SLIPS)
    assert len(before) == 2 and before == said(SLIPS)
    assert before[0][1] != before[1][1], "each names a line of its own text"
    moved = said("# moved\n# down\n" + SLIPS)
    assert [line - 2 for line, _ in moved] == [line for line, _ in before]
    assert [message for _, message in moved] != [message for _, message in before]


def test_texts_are_read_again_with_another_glossary_and_after_damage(
    spec: Spec, glossary: Glossary, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, lang = "Each player takes three cards.", "en"
    newly_read = read_texts(monkeypatch)

    def read_once(known: Glossary) -> None:
        readings.readings.cache_clear()
        book = Book(spec, known)
        assert book.read(words, lang) is book.read(words, lang)
        book.readings.keep(lang)

    read_once(glossary)
    read_once(glossary)
    assert newly_read == [words]
    changed = Glossary(glossary.game, glossary.concepts, type(glossary.source)("other.yaml", "other text"))
    read_once(changed)
    assert newly_read == [words] * 2
    for entry in (store.folder() / "readings").iterdir():
        entry.write_bytes(b"damaged" + entry.read_bytes())
    read_once(glossary)
    assert newly_read == [words] * 3


def test_only_the_last_texts_are_kept(
    spec: Spec, glossary: Glossary, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "_MOST", 2)
    newly_read = read_texts(monkeypatch)
    for words in ("One card.", "Two cards.", "Three cards."):
        readings.readings.cache_clear()
        book = Book(spec, glossary)
        book.read(words, "en")
        book.readings.keep("en")
    readings.readings.cache_clear()
    assert [Book(spec, glossary).read(words, "en").text for words in ("Three cards.", "Two cards.", "One card.")]
    assert newly_read == ["One card.", "Two cards.", "Three cards.", "One card."]


def test_texts_that_agree_are_compared_again_only_after_a_change_that_matters(
    spec: Spec, glossary: Glossary, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ["a difference"]

    def compared(*texts: tuple[str, str], known: Book | None = None) -> int:
        """How often a comparison without and one with findings is made, in a process that has read nothing."""
        made: list[list[str]] = []
        readings.readings.cache_clear()
        book = known or Book(spec, glossary)
        for result in ([], found):
            also = (*book.roles_of_concepts, *result)
            again = book.readings.unless_agreed(texts, also, lambda result=result: made.append(result) or result)
            assert again == result
        book.readings.keep(texts[0][0])
        return len(made)

    one, other = ("en", "Three cards."), ("uk", "Три карти.")
    assert [compared(one, other), compared(one, other)] == [2, 1], "findings have places, so they are made again"
    assert [compared(one, ("uk", "Дві карти.")), compared(other, one)] == [2, 2]
    assert compared(one, other) == 1
    fewer = replace(spec, zones={})
    assert [compared(one, other, known=Book(fewer, glossary)) for _ in range(2)] == [2, 1]


def test_single_texts_are_checked_as_in_the_whole(glossary: Glossary, folder: Path) -> None:
    spec = next(edit.new for edit in CHANGED)
    book, texts = Book(spec, glossary), shipped()
    for one in texts.values():
        every = list(text.check(one, spec, book, texts.values()))
        rules = {found.rule for found in every}
        assert rules and list(text.check(one, spec, book, texts.values(), only=rules)) == every
        assert list(text.check(one, spec, book, texts.values(), only=())) == []


TERMS = {
    "en": (
        ("[voting card, ballot card]", "[voting card, secret ballot, ballot card]"),  # a term that no text has
        ("allowed: [goals card,", "allowed: [goals card, charakter, favorite,"),  # nearly a word of texts, and one
    ),
    "de": (("[Auftragskarte, Missionskarte]", "[Missionskarte, Auftragskarte]"),),
    "pl": (("karta celu, allowed: [karta celów,", "karta celów, allowed: ["),),  # a term less
    "uk": (("concepts:", "concepts: # a remark"),),
}
"""Changes of the glossary, by the language that they concern."""


@pytest.mark.parametrize("lang", TERMS)
@pytest.mark.sample(2)
def test_a_changed_term_is_read_where_it_occurs(
    lang: str, spec: Spec, glossary: Glossary, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = glossary.source.text
    for old, new in TERMS[lang]:
        assert old in words
        words = words.replace(old, new, 1)
    edited, _ = read_glossary(Source(glossary.source.path, words))
    assert edited is not None
    one = texts_at(str(SPECS / f"{GAME}.yaml"), GAME)[lang]

    def said(known: Glossary) -> tuple[list[Finding], list[str]]:
        readings.readings.cache_clear()
        book = Book(spec, known)
        with monkeypatch.context() as patch:
            newly_read = read_texts(patch)
            found = list(text.check(one, spec, book, ()))
        book.readings.keep(lang)
        return found, newly_read

    _, every = said(glossary)
    kept, newly_read = said(edited)
    # In another order another one of equal terms may count, so every text is read again.
    assert len(newly_read) == len(every) if lang == "de" else len(newly_read) < len(every) / 2
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "empty"))
    assert kept == said(edited)[0]
