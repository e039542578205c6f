"""Which picks the text of an option identifies: in games, actions with the same text are exactly what is reported."""

from __future__ import annotations

import random
from collections import Counter

from samples import BAD, expectations

import rulespec
from rulespec.base.source import Source

PATH = BAD / "checks" / "picks.yaml"
TEXT = PATH.read_text(encoding="utf-8")
TWINS, NO_TWINS = "value: 1..2, copies: 2}]", "value: 1}]"
UNKNOWN_STILL = ("perhaps none", "a card of", "not equal", "either", "in a circle")
"""Options whose picks are unknown even where no two cards read the same."""


def reported(spec: rulespec.Spec) -> set[str]:
    """The texts of the options with a finding."""
    lines = spec.model.source.text.splitlines()
    found = (one.start.line for one in spec.report.findings if one.name == "unsaid-pick")
    return {_words(lines[line - 1].split('"')[1]) for line in found}


def _words(says: str) -> str:
    """What an option says before its first pick."""
    return says.split("{")[0].removesuffix(" nothing").strip()


def shared(spec: rulespec.Spec, games: int) -> set[str]:
    """The texts of options with two legal actions that read the same, in random games."""
    game, found = spec.game(), set[str]()
    for seed in range(games):
        state, dice = game.new_initial_state(seed), random.Random(seed)
        while not state.is_terminal():
            legal = state.legal_actions()
            words = Counter((game.actions.option(a).says, game.action_to_string(a)) for a in legal)
            found |= {_words(says) for (says, _), number in words.items() if number > 1}
            state.apply_action(dice.choice(legal))
    return found


def test_actions_with_the_same_text_are_reported_and_no_others() -> None:
    spec = rulespec.loads(Source("picks.yaml", TEXT))
    assert len(reported(spec)) == len(expectations(PATH))
    assert shared(spec, 20) == reported(spec)


def test_a_card_that_reads_like_no_other_identifies_its_zone() -> None:
    assert TWINS in TEXT
    spec = rulespec.loads(Source("picks.yaml", TEXT.replace(TWINS, NO_TWINS)))
    assert reported(spec) == {*UNKNOWN_STILL}


def test_a_name_without_the_level_does_not_tell_where_a_card_lies() -> None:
    names = (
        "face: [level, colour]\n  names: {low: 'a {colour} card', middle: 'a {colour} card', high: '{level} {colour}'}"
    )
    spec = rulespec.loads(Source("picks.yaml", TEXT.replace("face: [level, colour]", names)))
    before = reported(rulespec.loads(Source("picks.yaml", TEXT)))
    told_by_level = {"by level", "from the pile", "from a row of", "equal", "one after the other"}
    assert reported(spec) == before | told_by_level
