"""Level 1, which every language of CLDR has: mistakes in texts, typography, and numbers read back.

The texts are samples: `benchmarks/languages.py` measures forty languages, and all numbers.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.games.rulebook import check_translation
from rulespec.text.checks.typography import check
from rulespec.text.languages.quantity.reader import read
from rulespec.text.reading.prose import Prose

pytestmark = pytest.mark.slow("reads texts in many languages")

HERE = Path(__file__).parent
TEXTS = HERE / "beacons" / "translations" / "beacons"
MISTAKES = yaml.safe_load((HERE / "beacons" / "mistakes.yaml").read_text(encoding="utf-8"))
"""By language; those whose scripts, numbers or word order each need something of their own."""
ROWS = [pytest.param(tag, row["old"], row["new"], row["found"]) for tag, rows in MISTAKES.items() for row in rows]
CLEAN: dict[str, list[str]] = yaml.safe_load((HERE / "clean_typography.yaml").read_text(encoding="utf-8"))
SPELLED = [
    pytest.param(tag, kind, text, value, id=f"{tag}-{kind}-{value}")
    for tag, kinds in yaml.safe_load((HERE / "spelled_numbers.yaml").read_text(encoding="utf-8")).items()
    for kind, words in kinds.items()
    for value, text in words.items()
]


def findings(tag: str, old: str = "", new: str = "") -> list[str]:
    path = TEXTS / f"{tag}.yaml"
    text = path.read_text(encoding="utf-8")
    assert not old or text.count(old) == 1, old
    report = check_translation(Source(str(path), text.replace(old, new) if old else text))
    return [f"{found.start.line} {found.name}" for found in report.findings]


@pytest.mark.parametrize("tag", MISTAKES)
def test_a_true_text_is_silent(tag: str) -> None:
    assert findings(tag) == []


@pytest.mark.parametrize(("tag", "old", "new", "found"), ROWS)
def test_a_mistake_has_its_findings(tag: str, old: str, new: str, found: list[str]) -> None:
    assert findings(tag, old, new) == found


@pytest.mark.parametrize("tag", CLEAN)
@pytest.mark.sample(4)
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

KINDS = {"cardinal": {"cardinal", "article", "nothing"}, "ordinal": {"ordinal", "cardinal", "article"}}
"""The kinds as which a number of each sort may be read: some languages have one word for a cardinal and an ordinal."""


@pytest.mark.parametrize(("tag", "kind", "text", "value"), SPELLED)
@pytest.mark.sample(12)
def test_spelled_numbers_are_read_back(tag: str, kind: str, text: str, value: int) -> None:
    (found,) = read(text, tag)
    assert found.value == value and str(found.kind) in KINDS[kind]


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
