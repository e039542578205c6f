"""Where cards come from and go, and who acts: sentences of each language, and texts that contradict a rule."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from mutation_workshop import with_text, workshop

from rulespec.base.diagnostics import Span
from rulespec.text.checks.check import check_passage
from rulespec.text.checks.roles import read_people, read_places
from rulespec.text.checks.roles.contradictions import role_contradictions
from rulespec.text.languages import find

TABLES = Path(__file__).parent / "roles"
ROWS: list[tuple[str, dict[str, Any]]] = [
    (path.stem, row) for path in sorted(TABLES.glob("*.yaml")) for row in yaml.safe_load(path.read_text("utf-8"))
]
TERMS = [(lang, row["text"], row.get("group", "places"), row["reads"]) for lang, row in ROWS if "reads" in row]
PEOPLE = [(lang, row["text"], row["people"]) for lang, row in ROWS if "people" in row]


def bare(text: str) -> tuple[str, list[Span]]:
    """A text without its brackets, and the places that were in them."""
    spans: list[Span] = []
    for number, found in enumerate(re.finditer(r"\[(.*?)\]", text)):
        start = found.start() - 2 * number
        spans.append(Span(start, start + len(found[1])))
    return re.sub(r"[\[\]]", "", text), spans


@pytest.mark.parametrize(
    ("lang", "text", "group", "reads"), TERMS, ids=[f"{lang}-{text[:50]}" for lang, text, _, _ in TERMS]
)
def test_terms(lang: str, text: str, group: str, reads: list[str]) -> None:
    plain, spans = bare(text)
    assert [str(each.role) for each in read_places(plain, find(lang), spans, group)] == reads


@pytest.mark.parametrize(("lang", "text", "people"), PEOPLE, ids=[f"{lang}-{text[:50]}" for lang, text, _ in PEOPLE])
def test_people(lang: str, text: str, people: list[str]) -> None:
    assert [each.relation for each in read_people(text, find(lang))] == people


CONTRADICTED = yaml.safe_load((Path(__file__).parent / "role_contradictions.yaml").read_text("utf-8"))


@pytest.mark.parametrize("row", CONTRADICTED, ids=[f"{row['rule']}-{row['text'][:40]}" for row in CONTRADICTED])
def test_contradictions(row: dict[str, Any]) -> None:
    book = workshop(row["game"]).book
    reading = book.read(row["text"], row["lang"])
    found = role_contradictions(reading, row["rule"], book)
    assert [row["text"][each.words.start : each.words.end] for each in found] == row["found"]


@pytest.mark.parametrize("game", ["fortheking", "kingme", "keyflower_king"])
def test_shipped_texts_contradict_no_rule(game: str) -> None:
    shop = workshop(game)
    for lang, translation in shop.texts.items():
        for passage in translation.passages.values():
            reading = shop.book.read(passage.prose(lang).text, lang)
            assert not list(role_contradictions(reading, passage.id, shop.book)), (lang, passage.id)


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
