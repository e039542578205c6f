"""Clauses of texts: a table of samples per language, and properties for all texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.base.diagnostics import Span
from rulespec.text.languages.registry import LANGUAGES, find
from rulespec.text.reading.clauses import clauses

TABLES = Path(__file__).parent / "clauses"
ROWS: list[tuple[str, dict[str, Any]]] = [
    (path.stem, row)
    for path in sorted(TABLES.glob("*.yaml"))
    for row in yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
]


@pytest.mark.parametrize(("lang", "row"), ROWS, ids=[f"{lang}-{row['text'][:40]}" for lang, row in ROWS])
def test_texts(lang: str, row: dict[str, Any]) -> None:
    text = row["text"]
    found = list(clauses(text, find(lang)))
    assert [text[clause.start : clause.end] for clause in found] == row["clauses"]
    if "if" in row:
        assert {words(text, clause.condition) for clause in found} == {row["if"]}
        assert [clause.is_condition for clause in found] == [True] + [False] * (len(found) - 1)
    if "heads" in row:
        assert [words(text, clause.head) for clause in found if clause.head or clause.start] == row["heads"]


def words(text: str, span: Span | None) -> str:
    return "" if span is None else text[span.start : span.end]


WORDS = "if with 2 players and or then draw take it the a card you may 1. якщо й візьміть картку для 如果 抽 牌 2人"
SIGNS = ", , ; : . - – * ** ( ) ， ： 。"
PIECES = [*WORDS.split(), *SIGNS.split(), "\n", "\n\n- ", "\n  - "]


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join), st.text(max_size=60)),
    st.sampled_from([*LANGUAGES, "de"]),
)
def test_clauses_lie_in_their_sentences_in_order(text: str, tag: str) -> None:
    end = 0
    for clause in clauses(text, find(tag)):
        assert end <= clause.start < clause.end <= len(text)
        assert clause.sentence.start <= clause.start and clause.end <= clause.sentence.end
        assert clause.condition is None or clause.condition.start <= clause.start
        end = clause.end


def test_a_part_of_a_text_has_its_own_clauses() -> None:
    text = "Draw a card. Then pass it on, and take another."
    part = text.index("Then")
    assert [text[c.start : c.end] for c in clauses(text, find("en"), part)] == ["Then pass it on", "and take another."]
