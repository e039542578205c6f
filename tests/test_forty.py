"""Level 1, which every language of CLDR has: a game in forty languages, typography, and numbers read back.

`benchmarks/languages.py` measures all of the languages and numbers; the samples here are quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from forty_texts import EXCHANGED, LEFT_OUT, TAGS, changes, findings, folder, sheet
from spelled_numbers import read_back, spellings

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.text.checks.typography import check
from rulespec.text.languages.quantity import read
from rulespec.text.reading.prose import Prose

SAMPLE = ("ar", "bn", "el", "fa", "ja", "sw", "th")
"""Languages whose scripts, numbers or word order each need something of their own."""

CLEAN: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "forty" / "clean.yaml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with folder() as made:
        yield made


def test_there_are_forty_languages() -> None:
    assert [len(part) for part in TAGS.values()] == [20, 20]
    assert all(len(sheet(tag).slots) == 13 for part in TAGS.values() for tag in part)


@pytest.mark.parametrize("tag", SAMPLE)
def test_a_true_text_is_silent(place: Path, tag: str) -> None:
    for words in (False, True):
        assert findings(place, tag, sheet(tag).translation(words)[0]) == ()


@pytest.mark.parametrize("tag", SAMPLE)
def test_changed_numbers_are_found(place: Path, tag: str) -> None:
    for change in changes(sheet(tag), 4):
        text, (start, _) = sheet(tag).translation(change.words, change)
        line = text.count("\n", 0, start) + 1
        assert line in {found.start.line for found in findings(place, tag, text)}, change


@pytest.mark.parametrize("change", [*LEFT_OUT, *EXCHANGED], ids=lambda change: f"{change.what}-{change.rule}")
def test_what_is_left_out_or_exchanged_is_found(place: Path, change: object) -> None:
    assert findings(place, "th", sheet("th").translation(True, change)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize("tag", CLEAN)
def test_correct_typography_is_silent(tag: str) -> None:
    for text in CLEAN[tag]:
        assert list(check(Prose(text, tag, Source("text.md", text), Span))) == []


@pytest.mark.parametrize(
    ("tag", "text", "name"),
    [
        ("fi", "Pelaaja sanoo ”Majakka.", "unbalanced-mark"),
        ("da", "Spilleren siger »Fyrtårn.", "unbalanced-mark"),
        ("fr", "Distribuez les cartes , puis jouez.", "stray-space"),
        ("el", "Πάρτε μία κάρτα,μετά παίξτε.", "missing-space"),
        ("pl", "Weź kartę i i połóż ją.", "doubled-word"),
        ("de", "Nimm eine Kar\u200bte.", "hidden-character"),
    ],
)
def test_mistakes_of_typography_are_found(tag: str, text: str, name: str) -> None:
    assert name in {found.name for found in check(Prose(text, tag, Source("text.md", text), Span))}


# --- numbers ---------------------------------------------------------------------------------------------------------

SPELLED = ("ar", "be", "pl", "cs", "de", "fa", "fi", "he", "ka", "km", "hr", "nb", "ru", "sl", "ta", "th", "vi")


@pytest.mark.parametrize("tag", SPELLED)
def test_spelled_numbers_are_read_back(tag: str) -> None:
    wrong = [
        (text, value)
        for spelling in spellings({tag}, (*range(13), 21, 36, 99, 100, 345, 1000), (1, 2, 3, 7, 12, 23))
        for value, text in spelling.words
        if read_back(text, tag, spelling.kind) != value
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("tag", "text", "reads"),
    [
        ("de", "1.000 Karten und 2,5 Punkte", ["cardinal 1000", "fraction 5/2"]),
        ("cs", "3. hráč bere 2 karty", ["ordinal 3", "cardinal 2"]),
        ("fr", "la 2e carte et 1 000 pièces", ["ordinal 2", "cardinal 1000"]),
        ("sv", "det 3:e kortet", ["ordinal 3"]),
        ("bn", "চব্বিশটি পাথর, ২৪টি মুদ্রা", ["cardinal 24", "cardinal 24"]),
        ("ar", "اثنتي عشرة بطاقة وست عملات", ["cardinal 12"]),
        ("sw", "mawe ishirini na manne", ["cardinal 24"]),
        ("vi", "Bạn có nhiều hơn không?", ["nothing 0"]),
        ("he", "שני קלפים, מי שיש לו", ["cardinal 2"]),
        ("ko", "이 카드를 두 장", ["cardinal 2"]),
        ("fa", "سه‌تا کارت", ["cardinal 3"]),
        ("km", "បៀម្ភៃ\u200bប្រាំ\u200bសន្លឹក", ["cardinal 25"]),
    ],
)
def test_numbers_in_sentences(tag: str, text: str, reads: list[str]) -> None:
    assert [f"{found.kind} {found.value}" for found in read(text, tag)] == reads
