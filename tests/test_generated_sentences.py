"""Sentences of descriptions inside texts: the true ones are left alone, the changed ones reported."""

from __future__ import annotations

import pytest
from mutation_workshop import Mutant, workshop

RULE = "esteem.first_player"


def found(text: str, rule: str = RULE, lang: str = "en") -> list[tuple[str, str]]:
    shop = workshop("fortheking")
    return [(one.name, one.message) for one in shop.findings(Mutant(lang, rule, "generated", text, ""))]


def test_nothing_in_a_sentence_of_the_description_is_wrong() -> None:
    sentences = "- Shuffle the deck.\n- Move 22 cards with 2 players, 13 cards with 3 players, 8 cards with 4 players, "
    sentences += "0 cards with 5 players from the top of the deck to the game box, face down."
    assert {name for name, _ in found(sentences, "setup.random_removal")} <= {"fact-missing"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- The first player becomes the right neighbour of the adviser.", "right"),
        ("- The left neighbour of the first player becomes the adviser.", "becomes the adviser"),
    ],
)
def test_a_changed_sentence_is_reported_at_the_change(text: str, said: str) -> None:
    wrong = [message for name, message in found(text) if name == "fact-contradicted"]
    assert any(said in message and "by the spec" in message for message in wrong), wrong


def test_a_mostly_generated_text_must_have_every_sentence() -> None:
    wrong = found("- Shuffle the deck.", "setup.random_removal")
    assert any(name == "fact-missing" and "Move 22 cards" in message for name, message in wrong)


CLOSED = "If you play with `own_deck = closed`:"


@pytest.mark.parametrize(
    ("by_default", "closed", "wrong"),
    [("only the owner", "nobody", False), ("nobody", "only the owner", True)],
)
def test_a_sentence_belongs_to_the_answer_of_its_ruling(by_default: str, closed: str, wrong: bool) -> None:
    says = "The cards in the personal deck of the owner are secret: {} looks at them."
    kept = "- The adviser deals exactly 1 card to the personal deck of the adviser, face down.\n"
    text = f"{kept}- {says.format(by_default)}\n- {CLOSED}\n  - {says.format(closed)}"
    messages = [message for name, message in found(text, "influence.keep") if name == "fact-contradicted"]
    assert bool(messages) == wrong
    assert not wrong or f"by the spec: {CLOSED} {says.format('nobody')}" in messages[0]


@pytest.mark.parametrize(("text", "lacks"), [("- The number is 1.", True), ("Keep one.\n- The number is 1.", False)])
def test_a_text_of_nothing_but_the_description_must_have_its_sentences(text: str, lacks: bool) -> None:
    wrong = found(text, "influence.keep")
    assert any(name == "fact-missing" and "exactly 1 card" in message for name, message in wrong) == lacks
