"""Stale texts: which edits of a spec make which texts stale, and what the findings say and where."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mutation_workshop import edited_game, workshop

from rulespec.text import Book
from rulespec.text.confirmation import confirmation, is_stale
from rulespec.text.seal import Seal
from rulespec.text.staleness import check
from rulespec.text.translation import Translation

EDITS = {
    # an edit: the rules and rulings whose texts become stale, with the English words at the finding and a part of the
    # message; None for a finding at the whole text
    "set: {opener: left_of(adviser)} => set: {opener: right_of(adviser)}": {
        "esteem.first_player": (
            "Whoever sits directly to the left",
            "right neighbour of the adviser becomes the first",
        ),
    },
    'move: {random: 1, from: "hand[winner]", to: burned} => move: {random: 1, from: "hand[winner]", to: discard}': {
        "esteem.lose_card": ("If a player who cannot pay has cards in hand", "to the face-up discards, face up."),
    },
    '{high: "points[p]", title: victory points} => {low: "points[p]", title: victory points}': {
        "end.winner": ("These are your victory points.", "are the lowest is ahead."),
    },
    "Shuffle the favour deck, shuffle: favour} => Shuffle the favour deck, note: by hand}": {
        "esteem.favour_deck": (None, "Something that it did is gone."),
    },
    "{which: marker, where: => {which: marker, optional: true, where:": {
        "setup.markers": (None, "Facts now: "),
    },
    "kind: gold, value: 1..3, copies: 9 => kind: gold, value: 1..3, copies: 8": {
        "setup.components": (None, "36 (“gold card”)"),
        "setup.markers": (None, "Its steps are the same, but not what they refer to."),
    },
    "title: The first player changes => title: The next first player": {},
}


@pytest.fixture(scope="module")
def book() -> Book:
    return workshop("fortheking").book


@pytest.fixture(scope="module")
def text(book: Book) -> Translation:
    """The English text, confirmed."""
    read = workshop("fortheking").texts["en"]
    rules, rulings = (
        {
            id_: replace(passage, seal=Seal(confirmation(book.spec, id_), passage.words))
            for id_, passage in passages.items()
        }
        for passages in (read.rules, read.rulings)
    )
    return replace(read, rules=rules, rulings=rulings)


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_makes_only_the_texts_of_what_it_changes_stale(edit: str, book: Book, text: Translation) -> None:
    spec = edited_game("fortheking", edit)
    changed = Book(spec, book.glossary)
    found = {one.rule: one for passage in text.passages.values() for one in check(text, passage, spec, changed)}
    assert found.keys() == EDITS[edit].keys()
    for rule, (words, message) in EDITS[edit].items():
        assert message in found[rule].message
        line = text.source.text.splitlines()[found[rule].start.line - 1]
        assert line[found[rule].start.column - 1 :].startswith(words or f"{rule}:")


def test_a_text_that_was_never_confirmed_is_not_stale(book: Book) -> None:
    assert not is_stale("", book.spec, "king")


def test_the_digests_of_statements_do_not_decide(book: Book) -> None:
    number, facts, rule, statements = confirmation(book.spec, "king.first").split("-")
    assert len(statements) % 4 == 0
    assert not is_stale(f"{number}-{facts}-{rule}", book.spec, "king.first")
    assert not is_stale(f"{number}-{facts}-{rule}-0000", book.spec, "king.first")
    assert is_stale(f"{facts}-00000000-{statements}", book.spec, "king.first")
