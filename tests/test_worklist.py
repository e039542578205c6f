"""One change of a spec, one worklist: findings about one place as one, their order, and the work that they are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mutation_workshop import edited_game, workshop

import rulespec
from rulespec.base.diagnostics import Finding, Report
from rulespec.base.worklist import Worklist, in_order
from rulespec.games.rulebook import text_findings

pytestmark = pytest.mark.slow("checks the texts of large games")

EDITS = {
    # an edit: the findings about the English text, each with its rule, its kind and those merged into it; and the work
    "esteem:    {per: office, type: 1..6, start: 3 => esteem:    {per: office, type: 1..6, start: 4": (
        ("setup.tiles", "fact-contradicted", ("text-stale", "text-stale")),
        ("esteem.pay_gold", "example-unproved", ("example-unproved", "example-unproved")),
        "3 sentences in 3 languages to edit, 3 examples to replay, 6 texts to confirm.",
    ),
    "random_removal: {by: players, 2: 22, 3: 13 => random_removal: {by: players, 2: 20, 3: 12": (
        ("setup.random_removal", "fact-contradicted", ("fact-contradicted", "text-stale")),
        "3 sentences in 3 languages to edit, 3 texts to confirm.",
    ),
    "set: {opener: left_of(adviser)} => set: {opener: right_of(adviser)}": (
        ("esteem.first_player", "fact-contradicted", ("text-stale",)),
        "3 sentences in 3 languages to edit, 3 texts to confirm.",
    ),
    "title: The first player changes => title: The next first player": ("",),
}


def found(edit: str) -> Iterator[Finding]:
    """The findings about the texts of the game in all languages."""
    model = edited_game("fortheking", edit)
    for text in workshop("fortheking").texts.values():
        yield from text_findings(text, model, rulespec.load("fortheking").report).findings


@pytest.mark.parametrize("edit", EDITS)
def test_a_change_is_one_worklist(edit: str) -> None:
    *expected, work = EDITS[edit]
    every = Report.of(found(edit)).findings
    english = [one for one in every if one.lang == "en"]
    named = [(one.rule, one.name, tuple(filter(None, (each.name for each in one.related)))) for one in english]
    assert named == expected
    assert str(Worklist.of(every).said() or "") == work
    rules = [rule for rule, *_ in expected]
    assert [(one.rule, one.lang) for one in in_order(every)] == [
        (rule, lang) for rule in rules for lang in ("en", "uk", "zh-Hant")
    ]


@pytest.mark.soak
def test_the_wrong_places_of_a_list_are_counted() -> None:
    (first, *_) = found("random_removal: {by: players, 2: 22, 3: 13 => random_removal: {by: players, 2: 20, 3: 12")
    assert first.message == "The text says “22”; the spec says 20 with 2 players. 1 more place in this list is wrong."
