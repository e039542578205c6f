"""Stale texts: which edits of a spec make which texts stale, and what the findings say and where."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mutation_workshop import edited_game, workshop

from rulespec.base.source import Source
from rulespec.text.reading.translation import Seal, Translation, read
from rulespec.text.rules.book import Book
from rulespec.text.seals.confirmation import confirmation, due, is_stale, is_unchanged, renewed, stale

EDITS = {
    # an edit: the rules and rulings whose texts become stale, with the English words at the finding and a part of the
    # message; None for a finding at the whole text
    "set: {opener: left_of(adviser)} => set: {opener: right_of(adviser)}": {
        "esteem.first_player": (
            "Whoever sits directly to the left",
            "adviser’s right neighbour becomes the first",
        ),
    },
    'move: {random: 1, from: "hand[winner]", to: burned} => move: {random: 1, from: "hand[winner]", to: discard}': {
        "esteem.lose_card": ("If a player who cannot pay has cards in hand", "to the face-up discards, face up."),
    },
    '{high: "points[p]", title: victory points} => {low: "points[p]", title: victory points}': {
        "end.winner": ("These are your victory points.", "with the fewest victory points is ahead."),
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
    found = {one.rule: one for one in stale(text, text.passages.values(), spec, changed, versions)}
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
        (found,) = stale(text, [text.passages[rule]], spec, changed, [book.spec])
        line = text.source.text.splitlines()[found.start.line - 1]
        assert line[found.start.column - 1 :].startswith(words)


def test_a_fact_that_a_text_may_leave_out_now_is_no_change(book: Book) -> None:
    spec = edited_game("fortheking", "{which: marker, where: => {which: marker, optional: true, where:")
    confirmed = confirmation(book.spec, "setup.markers")
    assert not is_stale(confirmed, spec, "setup.markers", [book.spec])
    assert is_stale(confirmed, spec, "setup.markers"), "the facts are not known without the version"


_DECK = "      - {id: esteem.favour_deck, title: Shuffle the favour deck, shuffle: favour}\n"
_HANDS = """      - id: esteem.hands
        title: Take up the personal deck
        each: {p: player}
        do: [{move: {every: c, from: "personal[p]", to: "hand[p]"}}]
"""
SWAPPED = f"fortheking: {_DECK}{_HANDS} => {_HANDS}{_DECK}"
RENAMED = f"fortheking: {_DECK}{_HANDS} => {_HANDS.replace('[p]', '[z]').replace('{p:', '{z:')}{_DECK}"

DUE = {
    # a change that no step of a rule with a text shows: the rules that are due, the nearest first
    "kingme: any(p in player if ballot[p].vote == reject)\n => all(p in player if ballot[p].vote == reject)\n": (
        ("election.lost", "election.ballots", "election.won"),
    ),
    "kingme: - if: now != third\n => - if: now == third\n": (("round.starter", "round.clear", "crown_use"),),
    "kingme: discard:    {seen_by: everybody => discard:    {seen_by: nobody": (("election.ballots",),),
    "kingme: rejections: {by: players, 3: 4, => rejections: {by: players, 3: 3,": (
        ("setup.ballots", "setup.left_over"),
    ),
    "kingme: {move: {top: 1, from: approvals, => {move: {top: 2, from: approvals,": (
        ("setup.ballots", "setup.left_over"),
    ),
    "fortheking: - if: dealt\n => - if: not dealt\n": (("king.leaves", "king.discarded"),),
    "fortheking: kind: gold, value: 1..3, copies: 9 => kind: gold, value: 1..3, copies: 8": (("setup.components",),),
    "gallery/night_train: found:    {per: player, seen_by: everybody => found:    {per: player, seen_by: owner": (
        ("name.conductor",),
    ),
    "gallery/glass_garden: each: {q: player}, but: p, do: {transfer: => each: {q: player}, do: {transfer:": (
        ("name.mantis",),
    ),
    SWAPPED: (("esteem.hands",),),
    RENAMED: (("esteem.hands",),),
    "fortheking: while: size(favour) > 0 => while: size(favour) > 1": (("esteem",),),
    "kingme: any(p in player if ballot[p].vote == reject)\n => any(q in player if ballot[q].vote == reject)\n": (),
    "kingme: - if: now != third\n => - if: not (now == third)\n": (),
}


@pytest.mark.parametrize("edit", DUE)
def test_every_change_is_due_at_rules_whose_seals_it_breaks(edit: str) -> None:
    game, _, change = edit.partition(": ")
    before = change.partition(" => ")[0]
    old, new = edited_game(game, f"{before} => {before}"), edited_game(game, change)
    assert due(old, new) == DUE[edit]
    assert all(not is_unchanged(confirmation(old, id_), new, id_) for group in due(old, new) for id_ in group)


def test_a_change_is_reported_once_with_the_other_texts_as_places() -> None:
    shop = workshop("kingme")
    spec = edited_game("kingme", "if: any(p in player if ballot[p].vote => if: all(p in player if ballot[p].vote")
    text = shop.texts["en"]
    (found,) = stale(text, text.passages.values(), spec, Book(spec, shop.book.glossary), [shop.book.spec])
    lines = text.source.text.splitlines()
    assert found.rule == "election.lost"
    assert {lines[one.start.line - 1].strip() for one in found.related} >= {"election.ballots:", "election.won:"}


def test_a_comment_about_one_text_leaves_the_others() -> None:
    shop = workshop("kingme")
    spec = edited_game("kingme", "if: any(p in player if ballot[p].vote => if: all(p in player if ballot[p].vote")
    source = shop.texts["en"].source
    ignored = source.text.replace("  election.lost:\n", "  # ftk: ignore text-stale still right\n  election.lost:\n")
    text = read(Source(source.path, ignored))[0]
    assert text is not None
    found = stale(text, text.passages.values(), spec, Book(spec, shop.book.glossary), [shop.book.spec])
    assert [(one.rule, [each.rule for each in one.related][-1:]) for one in found] == [
        ("election.lost", []),
        ("election.ballots", ["election.won"]),
    ]


def test_without_the_version_any_digest_makes_a_text_stale(book: Book) -> None:
    facts, rule, outside, statements = confirmation(book.spec, "king.first").removeprefix("3-").split("-")
    assert not is_stale(f"3-{facts}-{rule}-{outside}-{statements}", book.spec, "king.first")
    assert not is_stale(f"3-{facts}-{rule}-{outside}", book.spec, "king.first")
    assert not is_stale(f"2-{facts}-{rule}-{statements}", book.spec, "king.first")
    for wrong in (f"00000000-{rule}-{outside}", f"{facts}-00000000-{outside}", f"{facts}-{rule}-00000000"):
        assert is_stale(f"3-{wrong}-{statements}", book.spec, "king.first")


def test_a_seal_without_the_digest_from_outside_counts_for_the_first_kept_version() -> None:
    shop = workshop("kingme")
    old, new = shop.book.spec, edited_game("kingme", "- if: now != third\n => - if: now == third\n")
    passage = shop.texts["en"].rules["round.starter"]
    _, facts, rule, *_ = passage.confirmed.split("-")
    text = replace(shop.texts["en"], rules={passage.id: replace(passage, seal=Seal(f"2-{facts}-{rule}", "0" * 8))})
    assert renewed(text, new, [old]).rules[passage.id].confirmed == confirmation(old, passage.id)
    assert renewed(text, new, []).rules[passage.id].confirmed == confirmation(new, passage.id)
