"""Roles in texts: a table of sentences per language, with places in brackets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulespec.diagnostics import Span
from rulespec.text.languages import find
from rulespec.text.roles import read_places

TABLES = Path(__file__).parent / "roles"
ROWS: list[tuple[str, dict[str, Any]]] = [
    (path.stem, row) for path in sorted(TABLES.glob("*.yaml")) for row in yaml.safe_load(path.read_text("utf-8"))
]
PLACES = [(lang, row["text"], row["reads"]) for lang, row in ROWS if "reads" in row]


def bare(text: str) -> tuple[str, list[Span]]:
    """A text without its brackets, and the places that were in them."""
    spans: list[Span] = []
    for number, found in enumerate(re.finditer(r"\[(.*?)\]", text)):
        start = found.start() - 2 * number
        spans.append(Span(start, start + len(found[1])))
    return re.sub(r"[\[\]]", "", text), spans


@pytest.mark.parametrize(("lang", "text", "reads"), PLACES, ids=[f"{lang}-{text[:50]}" for lang, text, _ in PLACES])
def test_places(lang: str, text: str, reads: list[str]) -> None:
    plain, spans = bare(text)
    assert [str(each.role) for each in read_places(plain, find(lang), spans)] == reads
