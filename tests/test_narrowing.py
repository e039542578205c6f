"""What a condition says of the rest of its expression: the engines evaluate nothing that relies on a condition that
does not hold, in whatever order they take the parts of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import text_of
from command import ftk

import rulespec
from rulespec.engine.interpreter.choices import conjuncts
from rulespec.engine.program import ir
from rulespec.games.api import SpecError

RULES = text_of("fuse")
PART = """
rulespec: 2
game: {id: part, version: 1.0.0, title: Part, players: 2..3}
cards: {fields: {value: 1..3?}, manifest: [{value: 1..3}], start: row}
tables: {square: {by: 0..3, 0: 0, 1: 1, 2: 4, 3: 9}}
zones: {row: {order: stack, seen_by: everybody}, cell: {per: 0..3, seen_by: everybody}}
values:
  a: {type: 0..9, start: 0}
  who: {type: player?}
  b: {per: player, type: 0..9, start: 0}
  it: {is: "%s"}
play:
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "b[p] + (it ? 1 : 0)", title: b}], left: share}}
"""


@pytest.mark.parametrize(
    "condition",
    [
        "a <= 3 and square[a] > 2",
        "a > 3 or square[a] > 2",
        "not (a > 3 or not square[a] > 2)",
        "(a > 0 ? 9 // a : 2) > 3",
        "who != none and b[who] > 3",
        "(who == none ? 0 : b[who]) > 3",
        "row.value != none and row.value > 1 and row.value - 1 > 0",
        "size(row) > 0 and top(row) != top(cell[0])",
        "sum(c.value * 2 for c in row if c.value != none) > 3",
        "any(square[c.value] > 3 for c in row if c.value != none)",
        "all(c.value == none or c.value < 3 for c in row)",
        "let w = who in w != none and b[w] > 3",
        "(let w = who in w != none) and b[who] > 3",
        "let n = a in (n < 4 ? square[n] : n) > 2",
        "any(n in 0..9 if n < 4 and size(cell[n]) > 0)",
    ],
)
def test_what_fits_inside_an_expression(condition: str) -> None:
    assert rulespec.loads(PART % condition).report.errors == ()


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("a <= 3 or square[a] > 2", "out-of-range"),
        ("square[a] > 2 and a <= 3", "out-of-range"),
        ("(a > 0 ? 2 : 9 // a) > 3", "division-by-zero"),
        ("(who != none or true) and b[who] > 3", "may-be-absent"),
        ("(a <= 3 and a > 0 or a < 8) and square[a] > 2", "out-of-range"),
        ("any(c in row if c.value != none) and sum(c.value * 2 for c in row) > 3", "may-be-absent"),
        ("all(c.value < 3 for c in row)", "may-be-absent"),
    ],
)
def test_what_does_not_fit(condition: str, found: str) -> None:
    with pytest.raises(SpecError) as error:
        rulespec.loads(PART % condition)
    assert [one.name for one in error.value.diagnostics] == [found]


def test_operands_that_rely_on_no_other_stay_conjuncts() -> None:
    """Else an operand that reads no pick, such as whether anybody must jump, is evaluated for every pick."""
    spec = rulespec.loads("""
rulespec: 2
game: {id: chain, version: 1.0.0, title: Chain, players: 2}
values: {busy: {type: bool, start: false}, far: {per: 0..3, type: 0..9, start: 1}, total: {type: 0..99, start: 0}}
play:
  - id: go
    title: Go
    choose:
      by: seat(1)
      none: skip
      options:
        - {says: "go {n}", pick: {n: 0..8}, if: "not busy and n < 4 and far[n] > 0", do: {set: {busy: true}}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: total}], left: share}}
""")
    (option,) = spec.game(2).program.options
    operands = list(conjuncts(option.condition))
    assert len(operands) == 3 and isinstance(operands[-1], ir.Choice)
    picks = {pick.slot for pick in option.picks}
    read = [{one.slot for one in ir.walk(operand) if isinstance(one, ir.Register)} & picks for operand in operands]
    assert read == [set(), picks, picks]


def start(at: str, values: dict[str, int], row: tuple[int, ...] = ()) -> rulespec.State:
    """A game of two that starts at a rule."""
    game = rulespec.loads(RULES).game(2)
    base, zones = game.program.value_base, game.program.zone_base
    numbers = {base[name]: number for name, number in values.items()}
    return game.state_at(rulespec.StartPosition(at, numbers, {zones["row"]: row}, zones["deck"]))


@pytest.mark.parametrize(
    ("at", "values", "row"),
    [
        ("more", {"a": 9}, (0,)),
        ("more", {"a": 8}, ()),
        ("counted", {"a": 9}, (0,)),
        ("again", {"a": 9}, (0,)),  # the rule after the loop relies on it
        ("burn.much", {"left": 2}, (0,)),
        ("burn.little", {"left": 3}, (0,)),
        ("burn.none", {"left": 1}, (0,)),
        ("win", {"b": 9}, ()),
        ("win.now", {"b": 9}, ()),
        ("half", {"a": 1}, ()),
    ],
)
def test_no_position_starts_where_a_condition_around_a_rule_fails(
    at: str, values: dict[str, int], row: tuple[int, ...]
) -> None:
    with pytest.raises(rulespec.StateError, match=f"`{at}` never begins"):
        start(at, values, row)


@pytest.mark.parametrize(
    ("at", "values", "row"),
    [
        ("more", {"a": 8}, (0,)),
        ("again", {"a": 8}, (0,)),
        ("draw", {"a": 9}, ()),
        ("burn.little", {"left": 1}, (0,)),
        ("win.now", {"b": 8}, ()),
        ("half", {"a": 4}, ()),
    ],
)
def test_a_position_starts_where_all_conditions_hold(at: str, values: dict[str, int], row: tuple[int, ...]) -> None:
    assert start(at, values, row).current_player() >= 0


def test_the_finding_names_the_condition_and_what_the_position_has(tmp_path: Path) -> None:
    (tmp_path / "fuse.yaml").write_text(RULES, encoding="utf-8")
    given = "{at: half, values: {a: 1}, rest: deck}"
    case = f"{{id: one, title: One, players: 2, given: {given}, expect: {{values: {{a: 9}}}}}}"
    cases = tmp_path / "fuse_cases.yaml"
    cases.write_text(f"scenario: 2\ngame: fuse\ncases:\n  - {case}\n", encoding="utf-8")
    said = ftk("test", str(cases)).output
    assert "RS709 scenario-no-start: The rule `half` begins only where `n` is a number from 5 to 10" in said
    assert "but in this position it is 2." in said
