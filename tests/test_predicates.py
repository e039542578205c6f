"""Predicates: what texts affirm and deny, and what only one of several languages says so."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from mutation_workshop import Mutant, workshop

from rulespec.text.languages.registry import LANGUAGES, find
from rulespec.text.reading.contrasts.lexicon import DENIED, PREDICATES, Role, lexicon_of
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.mentions import read

DATA = Path(__file__).parent / "predicates"
READ = [
    (path.stem, row) for path in sorted(DATA.glob("*.yaml")) for row in yaml.safe_load(path.read_text(encoding="utf-8"))
]


NO_TERMS = SimpleNamespace(find=lambda text: ())


def _read(text: str, tag: str) -> tuple[Contrast, ...]:
    return read(text, find(tag), NO_TERMS, range(2, 6), {}).predicates  # type: ignore[arg-type]


@pytest.mark.parametrize(("tag", "row"), READ, ids=lambda each: each if isinstance(each, str) else each["text"])
def test_predicates_are_read_with_their_polarity(tag: str, row: dict[str, object]) -> None:
    found = _read(str(row["text"]), tag)
    assert [("-" * (one.value == DENIED)) + "?" * one.conditional + one.family for one in found] == row["reads"]


def test_every_described_language_has_wordings_of_all_predicates() -> None:
    without = {"de", "pl"}  # their sentences are read without verbs
    described = [language for language in LANGUAGES.values() if language.level == 3 and language.tag not in without]
    for lexicon in map(lexicon_of, described):
        listed = {one.family for one in lexicon.wordings.each if one.role is Role.PREDICATE} if lexicon else ()
        assert {*listed, "promptness"} == PREDICATES


def test_a_clause_with_an_exception_or_a_question_is_not_certain() -> None:
    for text in ("Every player but the adviser may look.", "Only you may look.", "May they look?"):
        assert not any(one.certain for one in _read(text, "en")), text


OPPOSED = [
    ("kingme en end.tie", "Expelled characters do not count.", "Expelled characters count."),
    ("kingme zh-Hant end.tie", "被驅逐的人物不算。", "被驅逐的人物也算進去。"),
    ("fortheking en esteem.nobody", "A king card has no effect then.", "A king card takes effect then."),
    ("fortheking en esteem.take", "A king card is not added to your hand.", "A king card is added to your hand."),
    ("fortheking uk king.secondary", "Другорядну посаду король не змінює.", "Другорядну посаду король змінює."),
    ("keyflower_king en c1.winter", "No tiles are drawn in winter.", "Six tiles are drawn in winter."),
]


@pytest.mark.parametrize(("of", "good", "bad"), OPPOSED, ids=lambda each: str(each))
def test_what_the_other_languages_deny_is_reported(of: str, good: str, bad: str) -> None:
    game, lang, rule = of.split()
    for text, expected in ((good, False), (bad, True)):
        found = workshop(game).findings(Mutant(lang, rule, "sentence", text, ""))
        said = [one for one in found if one.name == "language-contrast" and ("affirms" in one.message)]
        assert bool(said) is expected, text
