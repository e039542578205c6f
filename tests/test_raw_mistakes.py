"""Raw texts of rules as they are and with mistakes: all findings of each, by line.

A row of `raw_texts/mistakes.yaml` is a text that is true, with its findings, and variants of it: edits made
together, and the findings then. A variant
that states the same in other words has the findings of the true text. The texts are a sample:
`benchmarks/raw_unseen.py` and `benchmarks/corpus.py` measure how many mistakes are found, and how many findings are
right.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.games.api import Spec, load
from rulespec.games.rulebook import book_of, texts_of
from rulespec.text.raw.alignment import as_markdown
from rulespec.text.raw.check import Detector, Raw, align_source, detected
from rulespec.text.reading.prose import whole

pytestmark = pytest.mark.slow("reads whole raw texts")

TEXTS = Path(__file__).parent / "raw_texts"
ROWS: list[dict[str, Any]] = yaml.safe_load((TEXTS / "mistakes.yaml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(row["text"], row["game"], one.get("edits", []), one["found"], id=f"{row['text']}-{number}")
    for row in ROWS
    for number, one in enumerate([{"found": row["found"]}, *row["variants"]])
]

game = cache(load)


def findings(text: str, lang: str, spec: Spec) -> list[tuple[Detector, Finding]]:
    source, book = Source("text.txt", text), book_of(spec)
    assert book is not None
    aligned = align_source(source, lang, book, texts_of(spec).get(lang))
    return list(detected(Raw(replace(whole(source, lang), text=as_markdown(text)), aligned)))


@pytest.mark.parametrize(("name", "of", "edits", "lines"), CASES)
def test_a_text_has_these_findings(name: str, of: str, edits: list[dict[str, str]], lines: list[str]) -> None:
    text = (TEXTS / f"{name}.txt").read_text(encoding="utf-8")
    for one in edits:
        assert text.count(one["old"]) == 1, one["old"]
        text = text.replace(one["old"], one["new"])
    found = findings(text, name.partition("/")[0], game(of))
    assert [f"{finding.start.line} {finding.name}" for _, finding in found] == lines
    # The table of detectors, which `benchmarks/ablation.py` measures, names the findings of each.
    assert {finding.name for row, finding in found if row.codes and finding.name not in row.codes} == set()
