"""Stale texts: which edits of a spec make which texts stale, and what the findings say and where."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mutation_workshop import edited_game, workshop

from rulespec.text import Book
from rulespec.text.reading.seal import Seal
from rulespec.text.reading.translation import Translation
from rulespec.text.seals.confirmation import confirmation, is_stale
from rulespec.text.seals.staleness import check

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
    "kind: gold, value: 1..3, copies: 9 => kind: gold, value: 1..3, copies: 8": {
        "setup.components": (None, "36 (“gold card”)"),
    },
    "esteem:    {per: office, type: 1..6, start: 3 => esteem:    {per: office, type: 1..6, start: 4": {
        "setup.tiles": (None, "Facts now: 4"),
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


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_makes_only_the_texts_of_what_it_changes_stale(
    edit: str, is_kept: bool, book: Book, text: Translation
) -> None:
    """Whether the version that the text was confirmed with is kept, or only the digests of its statements are."""
    spec = edited_game("fortheking", edit)
    changed, versions = Book(spec, book.glossary), [book.spec] if is_kept else []
    passages = text.passages.values()
    found = {one.rule: one for passage in passages for one in check(text, passage, spec, changed, versions)}
    assert found.keys() == EDITS[edit].keys()
    for rule, (words, message) in EDITS[edit].items():
        assert message in found[rule].message
        line = text.source.text.splitlines()[found[rule].start.line - 1]
        assert line[found[rule].start.column - 1 :].startswith(words or f"{rule}:")


def test_a_text_that_was_never_confirmed_is_not_stale(book: Book) -> None:
    assert not is_stale("", book.spec, "king")


RESTATED = {
    # an edit of a declaration: the other rules whose texts state what it was, with the words at the finding
    "esteem:    {per: office, type: 1..6, => esteem:    {per: office, type: 1..7,": {
        "king": "A primary duty is always worth",
        "king.second": "If the card has a second sign",
    },
}


@pytest.mark.parametrize("edit", RESTATED)
def test_a_text_that_states_a_declaration_of_another_rule_is_stale_with_it(
    edit: str, book: Book, text: Translation
) -> None:
    spec = edited_game("fortheking", edit)
    changed = Book(spec, book.glossary)
    for rule, words in RESTATED[edit].items():
        (found,) = check(text, text.passages[rule], spec, changed, [book.spec])
        line = text.source.text.splitlines()[found.start.line - 1]
        assert line[found.start.column - 1 :].startswith(words)


def test_a_fact_that_a_text_may_leave_out_now_is_no_change(book: Book) -> None:
    spec = edited_game("fortheking", "{which: marker, where: => {which: marker, optional: true, where:")
    confirmed = confirmation(book.spec, "setup.markers")
    assert not is_stale(confirmed, spec, "setup.markers", [book.spec])
    assert is_stale(confirmed, spec, "setup.markers"), "the facts are not known without the version"


def test_without_the_version_the_digests_of_statements_decide(book: Book) -> None:
    facts, rule, statements = confirmation(book.spec, "king.first").removeprefix("2-").split("-")
    assert len(statements) % 4 == 0
    assert not is_stale(f"2-{facts}-{rule}", book.spec, "king.first")
    assert not is_stale(f"2-{facts}-00000000-{statements}", book.spec, "king.first")
    assert is_stale(f"2-{facts}-00000000-{statements[4:]}", book.spec, "king.first")
    assert is_stale(f"2-{facts}-00000000-{statements[4:8]}{statements[:4]}{statements[8:]}", book.spec, "king.first")
    assert is_stale(f"2-00000000-{rule}-{statements}", book.spec, "king.first")
