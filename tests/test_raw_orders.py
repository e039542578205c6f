"""Lists of names in a raw text contradict an order only where their sentence is about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulespec import Source, load
from rulespec.games.rulebook import book_of, texts_of
from rulespec.text.raw import check

GUIDE = Path(__file__).parent / "raw_texts/uk/fortheking-guide.txt"
LISTED = (
    "Картки уряду належать до шести сфер: дипломатії, архітектури, розваг, військової справи, тваринництва "
    "й придворної кухні."
)
ORDERED = (
    "Якщо нічия лишається, вирішує літера, найближча до А: спершу дипломатії, потім військової справи, архітектури, "
    "тваринництва, розваг і придворної кухні."
)


OF_TIES = ("ічи", "літер", "Літер")
"""Letters of the lines that say what breaks ties."""


def _contradicted(sentence: str, without: tuple[str, ...] = ()) -> bool:
    """Whether a sentence at the end of a text contradicts the order of the last tie-break. Lines of the text with any
    of these letters are left out. A report would have one finding for all rules that have the order."""
    lines = GUIDE.read_text(encoding="utf-8").split("\n")
    text = "\n".join(line for line in lines if not any(one in line for one in without))
    spec = load("fortheking")
    book = book_of(spec)
    assert book is not None
    found = check(Source("guide.txt", f"{text}\n\n{sentence}\n"), "uk", book, texts_of(spec)["uk"])
    return any((one.name, one.rule) == ("order-contradicted", "end.tie_letter") for one in found)


def test_a_set_that_is_listed_has_no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not _contradicted(LISTED, OF_TIES)
    monkeypatch.setattr(sys.modules["rulespec.text.raw.stated_facts"], "OF_ORDER", 0.0)
    assert _contradicted(LISTED, OF_TIES)


def test_an_order_of_the_rules_is_contradicted() -> None:
    assert _contradicted(ORDERED)
