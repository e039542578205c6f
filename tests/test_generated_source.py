"""Generated source: no word of a spec gets into it, and however a program jumps, it does what the interpreter does."""

from __future__ import annotations

import ast
import ctypes
import io
import json
import re
import signal
import tokenize
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agreement import HERE, shortest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.backend.forms.machine_playout import machine_source
from rulespec.engine.backend.forms.machine_segments import MachineSegments
from rulespec.engine.backend.forms.python_playout import playout_source
from rulespec.engine.backend.forms.python_segments import PythonSegments
from rulespec.engine.backend.tree import statements, syntax
from rulespec.engine.interpreter import closures
from rulespec.engine.knowledge.events import KINDS
from rulespec.engine.program import ir
from rulespec.engine.states.playout import playouts
from rulespec.language.model.types import integer

pytestmark = pytest.mark.slow("every generated source is compiled")

MARK = "zqx"
EVIL = f"{MARK} '''\\\"\"\"\\\\ __import__('os').system('touch PLACE') %s }} #\t\\n\nimport os\n"
SPEC = """
rulespec: 2
game: {id: zqx_evil, version: 1.0.0, title: EVIL, players: 2..3, sources: {zqx: EVIL}}
enums: {zqx_exec: [zqxEval, zqxOpen, zqxR1, zqxT0]}
cards:
  fields: {zqx_system: zqx_exec, zqx_value: 1..3}
  manifest: [{zqx_system: [zqxEval, zqxOpen, zqxR1], zqx_value: 1..3, copies: 2}]
  start: zqx_os
zones:
  zqx_os: {order: stack, seen_by: nobody, title: EVIL}
  zqx_globals: {per: player, seen_by: owner, title: EVIL}
  zqx_out: {seen_by: everybody, title: EVIL}
values:
  zqx_deal: {per: player, type: 0..99, start: 0, title: EVIL}
  zqx_show: {type: "zqx_exec?", title: EVIL}
  zqx_all: {per: {p: player}, is: "sum(c.zqx_value for c in zqx_globals[p])", title: EVIL}
rulings: {zqx_rule: {question: QUERY, answer: zqxYes, or: [zqxNo], silent: [zqx]}}
setup: {id: zqx.setup, title: EVIL, shuffle: zqx_os}
play:
  - {id: zqx.deal, title: EVIL, each: {p: player}, do: {move: {top: 3, from: zqx_os, to: "zqx_globals[p]"}}}
  - id: zqx.play
    title: EVIL
    each: {p: player}
    do:
      - random: {zqx_s: zqx_exec}
        do: {set: {zqx_show: zqx_s}}
      - choose:
          by: p
          options:
            - says: EVIL
              pick: {c: "zqx_globals[p]", x: 1..2}
              if: c.zqx_value >= x or zqx_rule == zqxNo
              do:
                - {move: {card: c, from: "zqx_globals[p]", to: zqx_out}}
                - {set: {"zqx_deal[p]": "min(zqx_deal[p] + x, 99)"}}
            - {says: EVIL, do: {note: EVIL}}
  - id: zqx.award
    title: EVIL
    secret:
      who: {p: player}
      options: [{says: EVIL, pick: {c: zqx_out}, do: [{move: {card: c, from: zqx_out, to: "zqx_globals[p]"}}]}]
      none: skip
      revealed: together
      then: [{note: EVIL}]
  - id: zqx.end
    title: EVIL
    rank: {among: {p: player}, by: [{high: "zqx_deal[p]", title: EVIL}, {high: "zqx_all[p]", title: EVIL}], left: share}
invariants: [{id: zqx.few, holds: size(zqx_out) < 2, at: always}]
"""


def evil(tmp_path: Path) -> rulespec.Spec:
    words = EVIL.replace("PLACE", str(tmp_path / "pwned"))
    spec = SPEC.replace("note: EVIL", f"note: {json.dumps(words)}")
    line = words.replace("\n", " ").strip()  # of titles and moves
    return rulespec.loads(spec.replace("EVIL", json.dumps(line)).replace("QUERY", json.dumps(line + "?")))


def sources(program: ir.Program) -> Iterator[str]:
    """Everything that is ever generated for a program."""
    for record in (True, False):
        yield syntax.text(PythonSegments(program, record).source().body)
        yield syntax.text(playout_source(program, record).body)
    yield MachineSegments(program).source().text
    yield machine_source(program).text


NAME = re.compile(r"[a-zA-Z]\d+|i\d+s|(at|take|check|legal|waiting|values)_?\d+")
BACKEND = Path(statements.__file__).parents[1]
WORDS = frozenset(re.findall(r"[a-zA-Z_]\w*", "".join(p.read_text(encoding="utf-8") for p in BACKEND.rglob("*.py"))))
"""The compiler's own words: all of its sources."""


REMARK = re.compile(r"# [A-Za-z][A-Za-z0-9_.-]*")
"""Remarks name rules by their id."""


def check(source: str) -> None:
    """A source holds only numbers, kinds of events, and names that the compiler makes."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    assert all(REMARK.fullmatch(token.string) for token in tokens if token.type == tokenize.COMMENT)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant):
            assert node.value is None or isinstance(node.value, int) or node.value in KINDS, node.value
        for field in ("id", "attr", "arg", "name", "module", "asname"):
            name = getattr(node, field, None)
            assert not isinstance(name, str) or NAME.fullmatch(name) or WORDS.issuperset(name.split(".")), name
        assert not isinstance(node, ast.JoinedStr | ast.Lambda | ast.Global | ast.Import | ast.ClassDef)


@pytest.mark.parametrize("name", ["keyflower_king", "kingme", "fortheking"])
@pytest.mark.sample(1)
def test_source_is_made_of_numbers_and_the_compilers_own_names(name: str) -> None:
    for source in sources(rulespec.load(name).game(engine="interpreter").program):
        check(source)


def test_no_word_of_a_spec_gets_into_the_source(tmp_path: Path) -> None:
    spec = evil(tmp_path)
    for source in sources(spec.game(3, {"zqx_rule": "zqxNo"}, "interpreter").program):
        assert source.isascii() and MARK not in ast.unparse(ast.parse(source)).lower()
        check(source)


def test_hostile_words_are_only_words_on_every_engine(tmp_path: Path) -> None:
    games = [evil(tmp_path).game(3, {"zqx_rule": "zqxNo"}, engine) for engine in HERE]
    assert shortest(games, range(8)) is None
    assert playouts(games[0], 1, range(40)) == playouts(games[1], 1, range(40)) == playouts(games[-1], 1, range(40))
    seen = [game.new_initial_state(1).information_state_string(0) for game in games]
    assert MARK in seen[0] and len(set(seen)) == 1
    assert not (tmp_path / "pwned").exists()


# --- Jumps -----------------------------------------------------------------------------------------------------------

CELLS, DEPTH = 5, 4
"""Registers that programs calculate with; behind them one for each level of loops, which counts down."""

REGISTERS = CELLS + DEPTH
Body = list[tuple[Any, ...]]
"""set: register and expression; if: condition, two bodies; loop: rounds, body; leave: how many loops further out."""


def operation(operator: str, *arguments: ir.Expr) -> ir.Expr:
    return ir.Operation(operator, arguments)


cells = st.integers(0, CELLS - 1).map(ir.Register)
numbers = st.integers(-3, 6).map(ir.Const)
simple = cells | numbers


def fold(function: str, body: ir.Expr) -> ir.Expr:
    """Over 0, 1 and 2, so that statements must be written above the line that uses it."""
    inside = operation("*" if function == "sum" else "<", ir.Element(0, ir.Register(-1), 3), body)
    return ir.Fold(function, -1, ir.Items((0, 2, 1)), None, inside)


values = st.one_of(
    simple,
    st.builds(operation, st.sampled_from(("+", "-", "*", "min", "max")), simple, simple),
    st.builds(fold, st.just("sum"), simple),
    st.builds(
        ir.Choice, st.builds(operation, st.just("<"), cells, simple), cells, st.builds(fold, st.just("sum"), cells)
    ),
    st.builds(lambda cell: ir.Element(0, operation("%", cell, ir.Const(3)), 3), cells),
)
plain = st.builds(operation, st.sampled_from(("<", "==", ">=", "!=")), values, simple)
conditions = st.one_of(
    plain,
    st.builds(fold, st.just("any"), simple),
    st.builds(operation, st.sampled_from(("and", "or")), plain, plain | st.builds(fold, st.just("any"), simple)),
    st.builds(operation, st.just("not"), plain),
)


def bodies(depth: int, loops: int) -> st.SearchStrategy[Body]:
    kinds = [st.tuples(st.just("set"), st.integers(0, CELLS - 1), values)] * 2
    if loops:
        kinds.append(st.tuples(st.just("leave"), st.integers(0, loops - 1)))
        kinds.append(st.tuples(st.just("if"), conditions, st.just([("leave", loops - 1)]), st.just([])))
    if depth:
        inner = bodies(depth - 1, loops)
        kinds.append(st.tuples(st.just("if"), conditions, inner, inner | st.just([])))
        kinds.append(st.tuples(st.just("loop"), st.integers(0, 3), bodies(depth - 1, loops + 1)))
    return st.lists(st.one_of(kinds), min_size=1, max_size=4)


def program(body: Body) -> ir.Program:
    """A program without cards, whose ranks are all its registers."""
    code: list[ir.Instruction] = []
    _emit(body, code, [])
    code.append(ir.End())
    start = (*range(1, CELLS + 1), *[0] * DEPTH)
    key = ir.Key("", 0, True, integer(0, 9), -1, ())
    ranking = ir.Ranking((key,), 0, 0)
    return ir.Program(REGISTERS, tuple(code), ("",), start, 2, (), {}, {}, (), 0, (), 0, (), ranking, (), {})


def _emit(body: Body, code: list[ir.Instruction], loops: list[list[ir.Jump]]) -> None:
    for kind, *parts in body:
        if kind == "set":
            limited = operation("%", parts[1], ir.Const(97))
            code.append(ir.Let(base=parts[0], index=ir.Const(0), expression=limited))
        elif kind == "leave":
            code.append(jump := ir.Jump())
            loops[parts[0]].append(jump)
        elif kind == "if":
            code.append(branch := ir.Branch(condition=parts[0]))
            _emit(parts[1], code, loops)
            code.append(over := ir.Jump())
            branch.target = len(code)
            _emit(parts[2], code, loops)
            over.target = len(code)
        else:
            count = CELLS + len(loops)
            code.append(ir.Let(base=count, index=ir.Const(0), expression=ir.Const(parts[0])))
            top, left = len(code), operation("-", ir.Register(count), ir.Const(1))
            code.append(branch := ir.Branch(condition=operation(">", ir.Register(count), ir.Const(0))))
            code.append(ir.Let(base=count, index=ir.Const(0), expression=left))
            _emit(parts[1], code, [*loops, leaving := []])
            code.append(ir.Jump(target=top))
            branch.target = len(code)
            for jump in leaving:
                jump.target = len(code)


def interpreted(made: ir.Program) -> list[int]:
    state = SimpleNamespace(r=[*made.start, 0, 0], z=[], events=None)
    _run(closures.Closures(made, False), closures.onward(made.code, ())[0], state)
    return state.r[:REGISTERS]


def _run(segments: Any, place: int, state: SimpleNamespace) -> None:
    while place >= 0:
        place = segments[place](state)


def in_steps(made: ir.Program) -> list[int]:
    steps = PythonSegments(made, False)
    names: dict[str, Any] = {"NAMES": (), "NONE_ASKED": closures.NONE_ASKED, "broken": closures.broken}
    exec(compile(steps.source(), "<steps>", "exec"), names)
    state = SimpleNamespace(r=[*made.start, 0, 0], z=[], events=None, draw=None)
    _run(names["RUN"], steps.follows[0], state)
    return state.r[:REGISTERS]


def in_one(made: ir.Program) -> list[int]:
    names: dict[str, Any] = {}
    exec(compile(playout_source(made), "<game>", "exec"), names)
    return [*names["play"](1, 2)[1]]


def in_machine_code(made: ir.Program) -> list[int]:
    from rulespec.engine.backend.engines import native
    from rulespec.engine.backend.llvm.loading import loaded

    engine = loaded(native.compiled(machine_source(made), frozenset({"play_games"})))
    types = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    out = array("q", bytes(8 * (1 + 2 * REGISTERS)))
    ctypes.CFUNCTYPE(None, *types)(engine.get_function_address("play_games"))(1, 0, 1, out.buffer_info()[0])
    return [*out[1 : 1 + REGISTERS]]


WAYS: list[Callable[[ir.Program], list[int]]] = [in_steps, in_one]
WAYS += [] if ENGINES["native"].missing else [in_machine_code]


@pytest.mark.parametrize("way", WAYS)
@given(body=bodies(4, 0))
@settings(suppress_health_check=list(HealthCheck))
@pytest.mark.sample(1)
def test_jumps_lead_where_they_do_in_the_interpreter(way: Callable[[ir.Program], list[int]], body: Body) -> None:
    made = program(body)
    assert way(made) == interpreted(made)


def cell(number: int) -> ir.Expr:
    return ir.Register(number)


def nested(depth: int) -> Body:
    """Conditions one inside the other, with something to do on both ways and after each."""
    body: Body = [("set", 1, ir.Const(50))]
    for level in range(depth):
        add = ("set", 1, operation("+", cell(1), ir.Const(level % 5)))
        body = [("if", operation("<", cell(0), ir.Const(200 - level)), [*body, add], [("set", 2, ir.Const(level))])]
    return body


def rows(number: int) -> Body:
    """A table of decisions: the first row that applies counts."""
    body: Body = [("set", 1, ir.Const(-1))]
    for row in reversed(range(number)):
        body = [("if", operation("==", cell(0), ir.Const(row)), [("set", 1, ir.Const(row * 2 % 97))], body)]
    return [("set", 0, ir.Const(number - 2)), *body, ("set", 2, cell(1))]


def rounds(depth: int) -> Body:
    """Loops one inside the other, left from within, with others after them."""
    body: Body = [("set", 1, operation("+", cell(1), cell(0)))]
    for level in reversed(range(depth)):
        leave: Body = [("if", operation(">", cell(1), ir.Const(90 - level)), [("leave", level // 2)], [])]
        body = [("loop", 2, [*body, *leave])]
    return body


DEEP = {"60 conditions": nested(60), "90 rows": rows(90), "150 rows": rows(150), "4 loops": rounds(4)}


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """What takes twice as long with every level would never end."""

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", DEEP)
def test_depth(way: Callable[[ir.Program], list[int]], name: str) -> None:
    """Python takes a hundred levels of indentation and twenty loops inside each other."""
    made = program(DEEP[name])
    with within(5):
        assert way(made) == interpreted(made)
