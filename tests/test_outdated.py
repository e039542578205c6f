"""Texts from before a rule changed: which words of the shipped texts are reported after which edit of the spec."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from mutation_workshop import edited_game, workshop

from rulespec.text import Book, confirmation
from rulespec.text.checks.check import contradicted
from rulespec.text.reading.seal import Seal
from rulespec.text.seals import outdated

SPECS = Path(__file__).parents[1] / "specs"

EDITS = {
    # an edit: the rules with outdated texts, each with how the words begin in English
    "fortheking": {
        'move: {random: 1, from: "hand[winner]", to: burned} => move: {random: 2, from: "hand[winner]", to: burned}': {
            "esteem.lose_card": "one",
        },
        "by: p\n                options:\n                  - says: take {c} => by: opener\n                options:\n"
        "                  - says: take {c}": {
            "influence.pick": "every player but the adviser must take one card from the middle of the table.",
        },
        'is: "max(influence[p, o] for p in player)" => is: "min(influence[p, o] for p in player)"': {
            "end.duties": "most",
        },
        'low: "letter_of[p, o]"} => high: "letter_of[p, o]"}': {"end.letters": "nearest"},
        "answer: at_once\n    or: [end_of_turn] => answer: end_of_turn\n    or: [at_once]": {
            "influence.kept_at_once": "If you, the adviser, keep a king card",
            "influence.kept_till_end": "If you play with kept king cards taking effect at the end of the turn",
            "kept_king": "A king card that the adviser keeps takes effect at once",
        },
        "opening: 1 => opening: 2": {"esteem.bid": "1"},
        "zones:\n  box:      {seen_by: nobody => zones:\n  box:      {order: stack, seen_by: nobody": {},
        "title: The first player changes => title: The next first player": {},
    },
    "kingme": {
        "clamp((place[c] ?? 0) + 1, 0, 6) => clamp((place[c] ?? 0) - 1, 0, 6)": {
            "nominate.rise": "move it up",
        },
        "id: election.crown\n                      title: The crown goes to the player who pushed\n"
        "                      only_if: crown_use == left_of_pusher\n                      set: {crown: mover} => "
        "id: election.crown\n                      title: The crown goes to the player who pushed\n"
        "                      only_if: crown_use == left_of_pusher\n                      set: {crown: starter}": {
            "election.crown": "the player who pushed the character",
            "crown_use": "Whoever last pushed a character",
        },
        'is: "sum(earned[r, p] for r in game_round)" => is: "max(earned[r, p] for r in game_round)"': {
            "end.winner": "Compare your points",
        },
    },
}

CASES = [(game, edit) for game, edits in EDITS.items() for edit in edits]


@cache
@cache
def _confirmed(game: str) -> dict[str, str]:
    spec = workshop(game).book.spec
    return {id_: confirmation(spec, id_) for id_ in (*spec.rules, *spec.rulings)}


def _outdated(game: str, edit: str, lang: str) -> dict[str, list[str]]:
    """The words that are reported in each text."""
    shop, spec = workshop(game), edited_game(game, edit)
    found: dict[str, list[str]] = {}
    for passage in shop.texts[lang].passages.values():
        confirmed = replace(passage, seal=Seal(_confirmed(game)[passage.id], passage.words))
        for one in outdated.check(confirmed, lang, Book(spec, shop.book.glossary), [shop.book.spec]):
            found.setdefault(passage.id, []).append(one.message.partition("“")[2].partition("”")[0])
    return found


@pytest.mark.parametrize(("game", "edit"), CASES)
def test_words_for_what_has_changed_are_reported_and_no_others(game: str, edit: str) -> None:
    wanted = EDITS[game][edit]
    found = {rule: " | ".join(words) for rule, words in _outdated(game, edit, "en").items()}
    assert found.keys() == wanted.keys()
    assert [words for rule, words in found.items() if not words.startswith(wanted[rule])] == []


def test_a_text_that_was_never_confirmed_has_no_version() -> None:
    shop = workshop("fortheking")
    spec = edited_game("fortheking", "opening: 1 => opening: 2")
    passage = replace(shop.texts["en"].passages["esteem.bid"], seal=Seal())
    assert not list(outdated.check(passage, "en", Book(spec, shop.book.glossary), [shop.book.spec]))


def test_outdated_texts_are_counted_as_contradicted() -> None:
    shop = workshop("kingme")
    spec = edited_game(
        "kingme", 'is: "sum(earned[r, p] for r in game_round)" => is: "max(earned[r, p] for r in game_round)"'
    )
    text = shop.texts["en"]
    rules = {
        id_: replace(one, seal=Seal(confirmation(shop.book.spec, id_), one.words)) for id_, one in text.rules.items()
    }
    confirmed, book = replace(text, rules=rules), Book(spec, shop.book.glossary)
    assert contradicted(confirmed, book, [shop.book.spec]) == ("end.winner",)
    assert contradicted(confirmed, book) == ()
