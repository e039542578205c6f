"""The tables that grow: none misses a row, and a row is all that a new function or a new step needs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, TypeVar, get_args

import pytest
from agreement import HERE, agree, text_of

import rulespec
from rulespec.base import source
from rulespec.base.diagnostics import Span
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.backend.forms.python_segments import PythonSegments
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.expressions import VALUES
from rulespec.engine.interpreter import closures, evaluate, meaning
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.knowledge import events
from rulespec.engine.program import ir
from rulespec.engine.program.compile import LOWERING
from rulespec.engine.program.expressions import ExpressionLowering
from rulespec.engine.states.draw_points import ChanceRules
from rulespec.engine.states.game import Game, setting
from rulespec.engine.states.state import State
from rulespec.games import api
from rulespec.language import document
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node as Node_document
from rulespec.language.expr.parser import parse
from rulespec.language.expr.tree import Binary, Unary
from rulespec.language.model import spec as m
from rulespec.language.model import typed
from rulespec.language.model.build import build
from rulespec.language.model.folds import FOLDS, Gain
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.operators import OPERATORS, Demand, Notation, Operator
from rulespec.language.model.steps import fields as keys
from rulespec.language.model.steps import schema
from rulespec.language.model.steps import table as constructs
from rulespec.language.model.steps.reading import StepReader
from rulespec.language.model.steps.table import OPERATIONS, PARTS, Effect, MemberEffect, by_key
from rulespec.language.model.types import BOOL, NONE, Type, integer
from rulespec.language.schema import validate
from rulespec.proofs import checks
from rulespec.proofs.checks.dataflow import TRANSFER
from rulespec.versions.changes.compare import compare
from rulespec.versions.changes.effects import decisive_rules

ROOT = Path(__file__).resolve().parent.parent
K = TypeVar("K")
V = TypeVar("V")


def _forget_specs() -> None:
    api._examined_once.cache_clear()
    api._built_once.cache_clear()


@contextmanager
def added(table: Mapping[K, V], key: K, row: V) -> Iterator[None]:
    """A table with one more row, for the length of a test."""
    rows: dict[K, V] = table  # type: ignore[assignment]
    assert key not in rows
    rows[key] = row
    _forget_specs()  # read without the row
    try:
        yield
    finally:
        del rows[key]
        _forget_specs()


def subclasses(base: type) -> set[type]:
    """Every class of the library below a base."""
    found = {one for child in base.__subclasses__() for one in (child, *subclasses(child))}
    return {one for one in found if one.__module__.startswith("rulespec.")}


def alternatives(union: Any, module: Any) -> set[type]:
    """The classes of a union that is written as a text."""
    return {getattr(module, name.strip()) for name in str(union).split("|")}


# --- operators -------------------------------------------------------------------------------------------------------

SAMPLES = (-3, -1, 0, 1, 2, 7)
GRAMMAR = (ROOT / "rulespec" / "language" / "expr" / "grammar.lark").read_text(encoding="utf-8")
ROWS = pytest.mark.parametrize("row", OPERATORS.values(), ids=OPERATORS)


def arguments(row: Operator) -> Iterator[tuple[int, ...]]:
    """Stored values that the operator may get."""
    by_kind = {"bool": (0, 1), "player": (0, 1, 4), "set": (0, 5, 7), "int": SAMPLES}
    anything = {Demand.FALLBACK: (*SAMPLES, NONE), Demand.EQUAL: (*SAMPLES, NONE), Demand.MEMBER: (0, 1, 2)}
    values = [by_kind.get(kind) or anything.get(row.demand, SAMPLES) for kind in row.takes]
    for given in product(*values):
        if row.misuse(tuple(integer(value, value) for value in given), range(2, 6)) is None:
            yield given


@ROWS
def test_the_source_of_an_operator_computes_what_apply_does(row: Operator) -> None:
    names = [f"a{i}" for i in range(len(row.takes))]
    computed = eval(f"lambda {', '.join(names)}: {row.source.format(*names)}")
    assert all(computed(*given) == row.apply(*given) for given in arguments(row))


@ROWS
def test_closures_of_an_operator_compute_what_apply_does(row: Operator) -> None:
    for given in arguments(row):
        registers = [ir.Register(i) for i in range(len(given))]
        for known in product((False, True), repeat=len(given)):
            nodes = [ir.Const(v) if k else r for v, k, r in zip(given, known, registers, strict=True)]
            found = evaluate.evaluator(ir.Operation(row.name, tuple(nodes)))(list(given), [])
            assert int(found) == row.apply(*given)


@pytest.mark.skipif(bool(ENGINES["native"].missing), reason=ENGINES["native"].missing)
def test_the_source_of_every_operator_compiles_to_machine_code() -> None:
    from test_compiler import compiled

    text, rows = [], list(OPERATORS.values())
    for number, row in enumerate(rows):
        names = [f"a{i}" for i in range(len(row.takes))]
        value = row.source.format(*names)
        text += [f"def f{number}({', '.join(f'{n}: i64' for n in names)}) -> i64:"]
        text += [f"    return {f'1 if {value} else 0' if row.is_test else value}"]
    functions = compiled("\n".join(text))
    for number, row in enumerate(rows):
        for given in arguments(row):
            assert functions[f"f{number}"](*given) == row.apply(*given), (row.name, given)


NUMERIC = [row for row in OPERATORS.values() if {*row.takes} <= {"int", "player"}]


@pytest.mark.parametrize("row", NUMERIC, ids=[row.name for row in NUMERIC])
def test_the_type_of_an_operator_holds_its_values(row: Operator) -> None:
    ends = (-2, 0, 1, 3)
    intervals = [integer(low, high) for low, high in product(ends, ends) if low <= high]
    players = range(2, 6)
    for types in product(intervals, repeat=len(row.takes)):
        if row.misuse(types, players) is not None or row.type(types, players) is None:
            continue
        if row.name == "seat_of" and not all(t.low >= 0 and t.high < players[-1] for t in types):
            continue
        result = row.type(types, players)
        assert result is not None
        for given in product(*(range(t.low, t.high + 1) for t in types)):
            assert result.kind == "player" or result.low <= row.apply(*given) <= result.high, (row.name, types, given)


@pytest.mark.parametrize("row", [row for row in OPERATORS.values() if row.compares], ids=lambda row: row.name)
def test_comparisons_have_an_opposite_and_a_mirror(row: Operator) -> None:
    opposite, mirrored = OPERATORS[row.opposite], OPERATORS[row.mirrored]
    for a, b in product(SAMPLES, SAMPLES):
        assert row.apply(a, b) == 1 - opposite.apply(a, b) == mirrored.apply(b, a)


def test_the_grammar_and_the_table_have_the_same_operators() -> None:
    terminals = dict(re.findall(r"^(OR|AND|NOT|COMPARE|DEFAULT|ADD|SUB|MUL): (.*)$", GRAMMAR, re.MULTILINE))
    infix = {sign for name, signs in terminals.items() if name != "NOT" for sign in re.findall(r'"([^"]+)"', signs)}
    assert infix == {row.sign for row in OPERATORS.values() if row.notation is Notation.INFIX}
    assert {row.sign.strip() for row in OPERATORS.values() if row.notation is Notation.PREFIX} == {"not", "-"}


def test_the_table_has_the_precedences_of_the_grammar() -> None:
    infix = [row for row in OPERATORS.values() if row.notation is Notation.INFIX]
    for one, other in product(infix, infix):
        if one.binding == other.binding:
            continue
        root = parse(f"a {one.sign} b {other.sign} c")
        assert isinstance(root, Binary)
        assert root.operator == min(one, other, key=lambda row: row.binding).sign
    assert isinstance(parse("-a + b"), Binary) and isinstance(parse("not a == b"), Unary)


def test_the_language_page_names_every_function_and_fold() -> None:
    page = (ROOT / "docs" / "language" / "expressions.md").read_text(encoding="utf-8")
    functions = [row.name for row in OPERATORS.values() if row.notation is Notation.CALL]
    assert all(f"`{name}(" in page for name in (*functions, *FOLDS))


@pytest.mark.parametrize("row", FOLDS.values(), ids=FOLDS)
def test_folds_compute_what_python_does(row: Any) -> None:
    expected = {
        "sum": sum,
        "count": len,
        "any": lambda values: int(any(v > 0 for v in values)),
        "min": partial(min, default=NONE),
        "max": partial(max, default=NONE),
        "first": lambda values: next(iter(values), NONE),
    }
    if row.opposite or row.parts:
        assert {row.opposite, *row.parts} - {""} <= set(FOLDS)
        return
    for values in ((), (3,), (2, 5, 1), (4, 4)):
        body = ir.Register(0) if row.gain is Gain.BODY else None
        condition = ir.Operation(">", (ir.Register(0), ir.Const(0))) if row.name == "any" else None
        fold = ir.Fold(row.name, 0, ir.Items(values), condition, body)
        assert evaluate.evaluator(fold)([0], []) == expected[row.name](values)


# --- steps, expressions and instructions -----------------------------------------------------------------------------


def test_every_construct_is_in_the_table() -> None:
    steps, parts = {*OPERATIONS.values()}, {*PARTS.values(), MemberEffect}
    assert steps | parts == subclasses(m.Step), "OPERATIONS or PARTS misses a construct"
    assert not steps & parts
    assert {cls.__name__ for cls in steps | parts} == {*constructs.__all__}


def test_only_core_steps_have_rows_in_the_engine_and_the_checks() -> None:
    core = {step for step in OPERATIONS.values() if step.written_out is m.Step.written_out and step is not Effect}
    assert set(LOWERING) == set(TRANSFER) == core


NOT_CHANGED = {m.Show: "only looked at", m.Auction: "its bodies move the lot", m.Place: "its draft moves the cards"}
"""Steps that hold a zone and leave it as it is."""


def test_a_step_states_what_it_does_to_zones_and_values() -> None:
    """A step with a zone, or with a value that it sets, says so: or checks would not know that it changes anything."""
    steps = {*OPERATIONS.values(), *PARTS.values()}
    holds = {cls for cls in steps if any(one.type in ("ZoneRef", "Value") for one in fields(cls))}
    assert holds - set(NOT_CHANGED) == {cls for cls in steps if {"flows", "changes"} & set(vars(cls))}
    with pytest.raises(TypeError, match="'key', 'once', and 'followed'"):
        type("Forgets", (m.Step,), {})


def test_the_schema_is_made_of_the_keys_of_all_constructs() -> None:
    """`make schema` writes it."""
    written = json.loads(validate.text("rulespec-2"))["$defs"]
    assert schema.definitions(written) == written
    assert schema.unworded(written) == []


def test_the_language_pages_have_every_step() -> None:
    rules, blocks = ((ROOT / "docs" / "language" / f"{page}.md").read_text("utf-8") for page in ("rules", "blocks"))
    rows = re.findall(r"^\| (`.+?) \|", rules, re.MULTILINE)
    assert {*OPERATIONS} <= {*re.findall(r"`(\w+)", "\n".join(rows))} | {
        *re.findall(r"^## (\w+)", blocks.lower(), re.M)
    }


def test_a_construct_with_a_fault_is_named_with_its_file() -> None:
    with pytest.raises(TypeError, match=r"test_tables: the key tick is that of test_tables, too"):
        by_key([Tick, Tick])
    with pytest.raises(TypeError, match=r"test_tables: nothing reads depth of Unread"):
        by_key([Unread])
    with pytest.raises(TypeError, match=r"test_tables: the core steps of Endless are written out with one again"):
        Endless(span=Span(0, 0))


def test_every_expression_has_a_row_in_every_table() -> None:
    expressions = alternatives(ir.Expr, ir)
    assert set(evaluate.EXPRESSIONS) == expressions | {*get_args(ir.Domain)}
    assert set(VALUES) == expressions
    for node in alternatives(typed.TExpr, typed):
        assert hasattr(ExpressionLowering, f"_{node.__name__.lower()}"), f"{node.__name__} is not lowered"


def test_every_instruction_has_a_row_in_every_table() -> None:
    instructions = subclasses(ir.Instruction) - {ir.Option, ir.EventOnly}
    assert set(meaning.TEXTS) == instructions


SMALL = (
    "crossed",
    "beyond",
    "drawn",
    "picked",
    "weights",
    "shared",
    "votes",
    "broken",
    "../sight/peeks",
    "../sight/sunk",
)
"""Small games that together need every role of a field, and every line of the texts of instructions."""


@cache
def small(name: str) -> Game:
    spec = rulespec.loads(source.Source(name, text_of(name)))
    return spec.game(spec.players[-1], engine="interpreter")


def derived(game: Game) -> tuple[object, ...]:
    """What is derived from roles."""
    try:
        source = syntax.text(PythonSegments(game.program, True).source().body)
    except (AssertionError, IndexError, KeyError, ValueError) as fault:
        return (repr(fault),)
    return source, decisive_rules(game.program), ChanceRules(game).orders_read


ROLES = [(kind, name) for kind in subclasses(ir.Instruction) for name in (*ir.ROLES[kind], "next")]


@pytest.mark.parametrize(("kind", "name"), sorted(ROLES, key=str))
def test_each_role_is_needed(kind: type[ir.Instruction], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "next" and kind.next is ir.Role.NEXT:
        return
    before = [derived(small(game)) for game in SMALL]
    if name == "next":
        monkeypatch.setattr(kind, "next", ir.Role.NEXT)
    else:
        monkeypatch.delitem(ir.ROLES[kind], name)
    assert any(derived(small(game)) != one for game, one in zip(SMALL, before, strict=True))


class Straight(State):
    """A state that runs every instruction, jumps as well, and in which no loop is endless."""

    def go_on(self, place: int) -> None:
        program, steps = self.game.program, 0
        while place >= 0 and steps < 1000:
            place = closures.compile_closure(program, place, [*range(len(program.code) + 1)], True)(self)
            steps += 1


def played(name: str) -> object:
    """A random game, as its events and positions."""
    game = Game(small(name).setting)
    state, below, found = Straight(game, 3, True), Generator(1).below, list[object]()
    while not state.is_terminal() and len(found) < 30:
        player = state.deciders()[0]
        legal = state.legal_actions(player)
        state.apply_action(legal[below(len(legal))], player)
        found.append(([*state.r], [[*zone] for zone in state.z]))
    return found, state.events, state.generator.state


def lines_of_texts() -> Iterator[tuple[type[ir.Instruction], object, int]]:
    for kind, text in meaning.TEXTS.items():
        for variant, one in {None: text}.items() if isinstance(text, str) else text.items():
            lines = one.strip().splitlines()
            yield from ((kind, variant, number) for number, line in enumerate(lines) if "counted(" not in line)


@pytest.mark.parametrize(("kind", "variant", "line"), [*lines_of_texts()])
def test_each_line_of_a_text_is_needed(
    kind: type[ir.Instruction], variant: object, line: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = meaning.TEXTS[kind]
    lines = (text if isinstance(text, str) else text[variant]).strip().splitlines()
    without = "\n".join(lines[:line] + lines[line + 1 :])
    expected = {game: as_it_is(game) for game in SMALL}
    monkeypatch.setitem(meaning.TEXTS, kind, without if isinstance(text, str) else {**text, variant: without})
    assert any(differs(game, expected[game]) for game in SMALL)


as_it_is = cache(played)


def differs(game: str, expected: object) -> bool:
    try:
        return played(game) != expected
    except Exception:  # a text without a line may be no Python
        return True


def test_the_docs_have_every_kind_of_event() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    rows = re.findall(
        r'^\| `"(\w+)"` \| [^|]+ \| [^|]*\|$', page.split("| kind | elements |")[1].split("\n\n")[0], re.MULTILINE
    )
    assert {*rows} == {*events.KINDS}


# --- adding a function -----------------------------------------------------------------------------------------------


def _squares(types: tuple[Type, ...], players: range) -> Type:
    ends = (types[0].low ** 2, types[0].high ** 2)
    return integer(0 if types[0].low <= 0 <= types[0].high else min(ends), max(ends))


SQUARED = Operator(name="squared", takes=("int",), type=_squares, apply=lambda n: n * n, source="({0} * {0})")
WITH_SQUARED = """
rulespec: 2
game: {id: squares, version: 1.0.0, title: Squares, players: 2..3}
values:
  coins: {per: player, type: 0..9, start: squared(2) - 1, title: coins}
  worth: {per: {p: player}, is: "squared(coins[p] - 5) + squared(sum(coins[q] for q in player) // 9)", title: worth}
play:
  - id: take
    title: Take coins
    repeat:
      at_most: squared(players)
      then: {note: Enough.}
      do:
        each: {p: player}
        do:
          choose:
            by: p
            none: skip
            options:
              - {says: "take {n}", pick: {n: 1..3}, if: "squared(n) < 9 or coins[p] < 3",
                 do: {set: {"coins[p]": "min(coins[p] + n, 9)"}}}
              - {says: give one back, if: "squared(coins[p]) > 0", do: {set: {"coins[p]": "max(coins[p] - 1, 0)"}}}
  - {id: end, title: The end, rank: {among: {p: player}, by: [{high: "worth[p]", title: worth}], left: share}}
"""


def test_a_function_is_one_row() -> None:
    with pytest.raises(rulespec.SpecError):
        rulespec.loads(WITH_SQUARED)
    with added(OPERATORS, "squared", SQUARED):
        spec = rulespec.loads(WITH_SQUARED)
        agree([spec.game(3, engine=engine) for engine in HERE])
        state = spec.game(2, engine="interpreter").new_initial_state(seed=1)
        assert state.game.program.start[:2] == (3, 3), "folded when the game is set up"


def test_the_checks_know_a_function_of_one_row() -> None:
    text = WITH_SQUARED.replace("squared(n) < 9 or coins[p] < 3", "squared(n) < 0")
    with added(OPERATORS, "squared", SQUARED):
        spec_source = source.Source("squares.yaml", text)
        root, _ = document.parse(spec_source)
        assert root is not None
        _, found = build(root, spec_source)
    assert [(f.name, f.message) for f in found] == [
        ("always-same", "This is always false: a number from 1 to 9 < the number 0.")
    ]


# --- adding a step ---------------------------------------------------------------------------------------------------


def _stored(steps: StepReader, node: MapNode, scope: Locals) -> typed.Value:
    return steps.reader.stored(node, scope)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tick(m.Step, key="tick", once=True, followed=True):
    """Adds one to a stored value, from its greatest value back to its least."""

    target: typed.Value = keys.custom("tick", "expression", read=_stored)  # noqa: RUF009

    def changes(self) -> tuple[typed.Value | typed.ZoneRef, ...]:
        return (self.target,)

    def written_out(self) -> m.Body:
        type_ = self.target.type
        least, most = typed.Const(type_, type_.low), typed.Const(type_, type_.high)
        turned = typed.Op(type_, "+", (self.target, typed.Const(integer(1, 1), 1)))
        at_end = typed.Op(BOOL, "==", (self.target, most))
        return (m.Set(target=self.target, value=typed.If(type_, at_end, least, turned), span=self.span),)


@dataclass(frozen=True, kw_only=True, eq=False)
class Unread(m.Step, key="unread", once=True, followed=True):
    """A step with a field that nothing reads."""

    depth: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Endless(m.Step, key="endless", once=True, followed=True):
    """A step that is written out with itself."""

    def written_out(self) -> m.Body:
        return (Endless(span=self.span),)


WITH_TICK = """
rulespec: 2
game: {id: ticks, version: 1.0.0, title: Ticks, players: 2..3}
values:
  hour: {per: player, type: 2..5, start: 2, title: hour}
play:
  - id: turn
    title: Wind a clock
    repeat:
      at_most: 7
      then: {note: Enough.}
      do:
        each: {p: player}
        do:
          choose:
            by: p
            options:
              - {says: my own, do: {tick: "hour[p]"}}
              - {says: "that of {q}", pick: {q: player}, do: {tick: "hour[q]"}}
  - {id: end, title: The latest wins, rank: {among: {p: player}, by: [{high: "hour[p]", title: hour}], left: share}}
"""


def parsed(text: str) -> tuple[Node_document, source.Source]:
    """The document of a spec with its source."""
    spec_source = source.Source("ticks.yaml", text)
    root, unreadable = document.parse(spec_source)
    assert root is not None and not unreadable
    return root, spec_source


def test_a_step_is_one_class() -> None:
    root, spec_source = parsed(WITH_TICK)
    assert [f.name for f in validate.findings(root, spec_source, "rulespec-2")] == ["unknown-key", "unknown-key"]
    with added(OPERATIONS, "tick", Tick):
        published = json.loads(validate.text("rulespec-2"))
        published["$defs"] = schema.definitions(published["$defs"])
        assert list(validate.findings(root, spec_source, published)) == []
        spec, found = build(root, spec_source)
        assert spec is not None and [*found, *checks.run(spec)] == []
        agree([Game(setting(spec, 3), engine=engine) for engine in HERE])
        state = Game(setting(spec, 2), engine="interpreter").new_initial_state(seed=1)
        for _ in range(4):
            assert state.r[0] in (2, 3, 4, 5)
            state.apply_action(state.legal_actions(state.current_player())[0])
            state.apply_action(state.legal_actions(state.current_player())[1])
        assert state.r[0] == 2, "eight ticks of a clock of four hours"
        other, _ = build(*parsed(WITH_TICK.replace('tick: "hour[q]"', 'tick: "hour[left_of(q)]"')))
        assert other is not None and [one.rules for one in compare(spec, other).every] == [("turn",)]
