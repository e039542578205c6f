"""Effects of members: as rules of scenarios, texts, variants and changes, and what they cost."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import ftk
from doc_games import GAMES

import rulespec
from rulespec.engine.program.compile import compile_program
from rulespec.language.model import spec as m
from rulespec.language.model.constants import settings
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.facts import as_translation

MARKET = next(block.text for block in GAMES if block.file == "village_market.yaml")
CASES = """scenario: 2
game: village_market
cases:
  - id: smithy
    title: A smithy draws two cards
    players: 2
    given:
      at: turns
      zones: {"deck[1]": [smithy, copper x6], "deck[2]": [copper x5]}
      rest: market_row
    do:
      - player 1: play smithy
      - expect: {zones: {"hand[1]": [copper x6]}, fires: [name.smithy], not_fires: [name.market]}
      - player 1: play copper
    expect: {values: {coins: 1}, fires: [name.copper]}
"""
GLOSSARY = """glossary: 1
game: village_market
concepts:
  card: {names: card, en: {preferred: card}}
  deck: {names: deck, en: {preferred: deck}}
  hand: {names: hand, en: {preferred: hand}}
"""
VARIANT = """overlay: 2
id: big
extends: village_market
version: 1.0.0
title: Big
change: {enums: {name: {members: {orchard: {effect: {end: {set: {"points[p]": "min(points[p] + 2, 90)"}}}}}}}}
"""


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the market of the docs."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "village_market.yaml": MARKET,
        "scenarios/village_market/cases.yaml": CASES,
        "glossaries/village_market.yaml": GLOSSARY,
        "variants/village_market/big.yaml": VARIANT,
    }.items():
        path = tmp_path / "specs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "specs"


def test_a_scenario_covers_the_effect_of_a_member(market: Path) -> None:
    run = ftk("test", "village_market")
    assert run.exit_code == 0, run.output


def test_a_mistake_in_the_text_of_an_effect_is_found(market: Path) -> None:
    made = as_translation(Description(rulespec.loads(MARKET).model, "en")).text
    right = "Move 2 cards from the top of the player’s deck"
    assert made.count(right) == 1
    path = market / "translations" / "village_market" / "en.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(made.replace(right, right.replace("2", "9")), encoding="utf-8")
    run = ftk("text", "check", path)
    assert "RS911 fact-contradicted: The text says “9”; the spec says 2." in run.output, run.output


def test_a_variant_changes_one_effect(market: Path) -> None:
    run = ftk("describe", "village_market", "--variant", "big", "--rule", "name.orchard")
    assert "plus 2" in run.output, run.output


def test_a_changed_effect_is_a_change_of_the_rule_of_its_member(market: Path) -> None:
    new = MARKET.replace("// 5", "// 4").replace("1.0.0", "1.1.0")
    (market / "new.yaml").write_text(new, encoding="utf-8")
    run = ftk("diff", "village_market", "specs/new.yaml")
    assert "1 change" in run.output and "`name.gardens`" in run.output, run.output


def test_the_rule_of_a_member_says_what_it_does_at_which_moment() -> None:
    stated = propositions(rulespec.loads(MARKET).model)
    moved = "move_top(2, deck[p], hand[p])"
    assert [str(one) for one in stated["name.smithy"]] == ["moment(procedure:name.played)", moved]


def test_members_that_do_nothing_are_no_rules() -> None:
    quiet = MARKET.replace('{played: none, end: {set: {"points[p]": "min(points[p] + 1, 90)"}}}', "none")
    rules = rulespec.loads(quiet).model.rules
    assert "name.smithy" in rules and "name.orchard" not in rules


def test_forty_members_stay_small() -> None:
    """Each step that carries effects out has its own copy of those of its moment, and of no other; that of a constant
    member has only its own effect."""

    def size(steps: str) -> int:
        spec = rulespec.loads(MANY.replace("STEPS", steps)).model
        return len(compile_program(next(iter(settings(spec, {})))).code)

    none, one, three = (size(", ".join(["{effect: {of: any_card, when: played}}"] * n)) for n in (1, 2, 4))
    assert three - one == 2 * (one - none) < 2 * 40 * 6
    constant = size("{effect: {of: any_card, when: played}}, {effect: {of: m7, when: played}}")
    assert constant - none < 6


MANY = """rulespec: 2
game: {id: many, version: 1.0.0, title: Many, players: 2}
enums:
  name:
    effect: {when: [played, end]}
    members:
MEMBERS
values: {any_card: {type: name, start: m0}, n: {type: 0..99, start: 0, title: n}}
play:
  - do: [STEPS, {set: {any_card: m1}}, {effect: {of: any_card, when: end}}]
  - {id: end, title: Most, rank: {among: {p: player}, by: [{high: n, title: n}], left: share}}
""".replace(
    "MEMBERS",
    "\n".join(
        f"      m{n}: {{effect: {{played: {{set: {{n: {n}}}}}, end: {{set: {{n: {n + 1}}}}}}}}}" for n in range(40)
    ),
)


def test_a_step_of_an_effect_is_a_run_of_its_moment() -> None:
    model = rulespec.loads(MARKET).model
    steps = [step for step in model.steps() if isinstance(step, m.Effect)]
    assert [step.procedure for step in steps] == ["name.played", "name.end"]
