"""Where cards come from and go, and who acts: texts that contradict a rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from mutation_workshop import with_text, workshop

from rulespec.text.checks.check import check_passage
from rulespec.text.checks.roles.contradictions import role_contradictions

CONTRADICTED = yaml.safe_load((Path(__file__).parent / "role_contradictions.yaml").read_text("utf-8"))


@pytest.mark.parametrize("row", CONTRADICTED, ids=[f"{row['rule']}-{row['text'][:40]}" for row in CONTRADICTED])
def test_contradictions(row: dict[str, Any]) -> None:
    book = workshop(row["game"]).book
    reading = book.read(row["text"], row["lang"])
    found = role_contradictions(reading, row["rule"], book)
    assert [row["text"][each.words.start : each.words.end] for each in found] == row["found"]


def test_message() -> None:
    shop = workshop("fortheking")
    text = "A king card goes into your hand."
    passage = with_text(shop.texts["en"].passages["esteem.take"], text)
    found = [each for each in check_passage(passage, "en", shop.book) if each.name == "fact-contradicted"]
    assert [each.message for each in found] == [
        "The text says “into your hand”; by the spec no “king card” goes there: If the winner takes the card and the "
        "card in the card up for bids is not “king card”, move all cards from the card up for bids to the hand of the "
        "winner."
    ]
