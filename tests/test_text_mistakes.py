"""Mistakes in the texts of rules: the findings of each, and no findings for the true text.

A row of `text_mistakes.yaml` is a rule in a language, the words `old` of its text, or of the freely worded `text`, the
words `new` in their place, and the findings then, each with its line. The rows are a sample:
`benchmarks/text_mutations.py`, `benchmarks/planted.py` and `benchmarks/unseen.py` measure how many mistakes are found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from mutation_workshop import with_text, workshop

from rulespec.base.diagnostics import Finding
from rulespec.text.checks.detectors import DETECTORS, Detector, detected
from rulespec.text.checks.page import Page

pytestmark = pytest.mark.slow("checks the texts of large games")

OF_SEALS = ("stale", "edits")
"""The detectors that compare a text with what was confirmed: they report each edit (`test_text_edits.py`)."""


@dataclass(frozen=True)
class Mistake:
    """A mistake in a text of a rule; `text` is "" for the shipped text."""

    game: str
    lang: str
    rule: str
    old: str
    new: str
    found: tuple[str, ...]
    text: str = ""

    def __str__(self) -> str:
        return f"{self.game} {self.lang} {self.rule}: {self.new[:40]}"

    @property
    def true(self) -> str:
        return self.text or workshop(self.game).texts[self.lang].passages[self.rule].text.text

    @property
    def false(self) -> str:
        assert self.true.count(self.old) == 1, self.old
        return self.true.replace(self.old, self.new)


def mistakes() -> Iterator[Mistake]:
    groups = yaml.safe_load(Path(__file__).with_name("text_mistakes.yaml").read_text(encoding="utf-8"))
    for group in groups:
        for row in group["mistakes"]:
            yield Mistake(group["game"], group["lang"], **(row | {"found": tuple(row["found"])}))


ROWS = list(mistakes())


def findings(one: Mistake, text: str) -> list[tuple[Detector, Finding]]:
    shop = workshop(one.game)
    translation, others = shop.texts[one.lang], tuple(shop.texts.values())
    passage = with_text(translation.passages[one.rule], text)
    page = Page(passage, one.lang, shop.book.spec, shop.book, translation, others)
    return list(detected(page, [row for row in DETECTORS if row.name not in OF_SEALS]))


@pytest.mark.parametrize("one", ROWS, ids=str)
def test_a_mistake_has_its_findings_and_the_true_text_has_none(one: Mistake) -> None:
    found = findings(one, one.false)
    assert sorted(f"{finding.start.line} {finding.name}" for _, finding in found) == list(one.found)
    assert [finding.message for _, finding in findings(one, one.true)] == []
    # The table of detectors, which `benchmarks/ablation.py --translations` measures, names the findings of each.
    assert {finding.name for row, finding in found if row.codes and finding.name not in row.codes} == set()
