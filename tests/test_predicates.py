"""Predicates: what texts affirm and deny, and what only one of several languages says so."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from mutation_workshop import Mutant, workshop

from rulespec.text.languages import LANGUAGES, find
from rulespec.text.reading.mentions import read
from rulespec.text.reading.predicates import PREDICATES, predicates_of, statements
from rulespec.text.reading.predicates.reader import Statement

DATA = Path(__file__).parent / "predicates"
READ = [
    (path.stem, row) for path in sorted(DATA.glob("*.yaml")) for row in yaml.safe_load(path.read_text(encoding="utf-8"))
]


class _NoTerms:
    def find(self, text: str) -> tuple[()]:
        return ()


def _read(text: str, tag: str) -> tuple[Statement, ...]:
    return statements(read(text, find(tag), _NoTerms(), range(2, 6), {}))  # type: ignore[arg-type]


@pytest.mark.parametrize(("tag", "row"), READ, ids=lambda each: each if isinstance(each, str) else each["text"])
def test_predicates_are_read_with_their_polarity(tag: str, row: dict[str, object]) -> None:
    found = _read(str(row["text"]), tag)
    assert [("-" * (not one.affirmed)) + "?" * one.conditional + one.predicate for one in found] == row["reads"]


def test_every_described_language_has_a_lexicon_with_all_predicates() -> None:
    for tag in (tag for tag, language in LANGUAGES.items() if language.level == 3):
        lexicon = predicates_of(LANGUAGES[tag])
        assert lexicon is not None, tag
        text = (LANGUAGES[tag].file("predicates.yaml") or Path()).read_text(encoding="utf-8")
        assert set(yaml.load(text, yaml.BaseLoader)["predicates"]) | {"moment"} == PREDICATES, tag


def test_a_clause_with_an_exception_or_a_question_is_not_certain() -> None:
    for text in ("Every player but the adviser may look.", "May they look?"):
        assert not any(one.certain for one in _read(text, "en")), text


DENIED = [
    ("kingme en end.tie", "Expelled characters do not count.", "Expelled characters count."),
    ("kingme zh-Hant end.tie", "被驅逐的人物不算。", "被驅逐的人物也算進去。"),
    ("fortheking en esteem.nobody", "A king card has no effect then.", "A king card takes effect then."),
    ("fortheking en esteem.take", "A king card is not added to your hand.", "A king card is added to your hand."),
    ("fortheking uk king.secondary", "Другорядну посаду король не змінює.", "Другорядну посаду король змінює."),
    ("keyflower_king en c1.winter", "No tiles are drawn in winter.", "Six tiles are drawn in winter."),
]


@pytest.mark.parametrize(("of", "good", "bad"), DENIED, ids=lambda each: str(each))
def test_what_the_other_languages_deny_is_reported(of: str, good: str, bad: str) -> None:
    game, lang, rule = of.split()
    for text, expected in ((good, False), (bad, True)):
        found = workshop(game).findings(Mutant(lang, rule, "sentence", text, ""))
        said = [one for one in found if one.name == "language-contrast" and ("affirms" in one.message)]
        assert bool(said) is expected, text
