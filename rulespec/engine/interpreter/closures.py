"""Closure compilation, the interpreter: every instruction of a program becomes a function of the state.

Each function returns the place of the next instruction, or STOP if a player must decide or the game is over. With
meaning.py, evaluate.py and choices.py, this module defines what a program does; other engines are tested against it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache, cached_property
from textwrap import indent
from types import MappingProxyType
from typing import Any, TypeAlias

from rulespec.engine.interpreter.choices import legal
from rulespec.engine.interpreter.evaluate import EXPRESSIONS, domain, evaluator
from rulespec.engine.interpreter.meaning import called, meaning, statements
from rulespec.engine.interpreter.running import NONE_ASKED, SIMULTANEOUS, STOP, Execute, RunningState
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE


class Closures(dict[int, Execute]):
    """The functions of instructions, by place, each made when the game first comes there.

    Without `record`, instructions that only emit events are skipped.
    """

    def __init__(self, program: ir.Program, record: bool, known: Mapping[int, Execute] = MappingProxyType({})) -> None:
        super().__init__(known)
        self._program, self._record = program, record

    @cached_property
    def _follows(self) -> list[int]:
        return onward(self._program.code, ir.EventOnly if self._record else ())

    def __missing__(self, place: int) -> Execute:
        self[place] = compile_closure(self._program, place, self._follows, self._record)
        return self[place]


def compile_closure(program: ir.Program, place: int, follows: list[int], record: bool) -> Execute:
    """The function of the instruction at a place; `follows` is what `onward` returns."""
    i = program.code[place]
    if type(i) in CONTROL:
        return CONTROL[type(i)](i, place, follows, program)
    return _closure(i, follows[place + 1], place, record, program)


def _closure(i: ir.Instruction, after: int, place: int, record: bool, program: ir.Program) -> Execute:
    text, fields = meaning(i, record, program.players)
    make, names = _compiled(text, record or isinstance(i, ir.EventOnly), _constants(fields))
    fields = {"after": after, "place": place, "rule": i.rule, **fields}
    return make(*(_argument(fields[name]) for name in names))


def _constants(fields: Mapping[str, Any]) -> frozenset[str]:
    return frozenset([name for name, content in fields.items() if type(content) is ir.Const])


def _argument(content: Any) -> Any:
    """What stands for the content of a field in the closure."""
    if type(content) is ir.Const:
        return content.value
    if isinstance(content, tuple):
        return [evaluator(part) if type(part) in EXPRESSIONS else part for part in content]
    if type(content) in EXPRESSIONS:
        return evaluator(content)
    return domain(content) if isinstance(content, ir.Domain) else content


@cache
def _compiled(text: str, record: bool, constants: frozenset[str]) -> tuple[Callable[..., Execute], tuple[str, ...]]:
    """The function that makes the closures of a text, and the names of its arguments. The fields in `constants` are
    numbers."""
    body = _Body(constants).visit(ast.Module(deepcopy([*statements(text, record)]), []))
    nodes = [node for node in ast.walk(body) if isinstance(node, ast.Name)]
    own = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    names = {"after", *(node.id for node in nodes)} - own - {"s", "r", "z", "draw", *_FUNCTIONS, *dir(builtins)}
    parts = [f"{name} = s.{name}" for name in ("r", "z", "draw") if any(node.id == name for node in nodes)]
    closure = indent("\n".join([*parts, ast.unparse(body), "return after"]), "        ")
    namespace = dict(_FUNCTIONS)
    exec(f"def make({', '.join(sorted(names))}):\n    def execute(s):\n{closure}\n    return execute", namespace)
    return namespace["make"], tuple(sorted(names))  # type: ignore[return-value]


class _Body(ast.NodeTransformer):
    """Makes the statements of a text those of a closure."""

    def __init__(self, constants: frozenset[str]) -> None:
        self.constants = constants

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        self.generic_visit(node)
        return None if called(node.value) in ("counted", "all_counted") else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if called(node) in self.constants:
            return node.func
        if called(node) != "emit":
            return node
        event = ast.Tuple([node.args[0], ast.Name("rule", ast.Load()), *node.args[1:]], ast.Load())
        return ast.Call(ast.Attribute(ast.Name("s", ast.Load()), "emit", ast.Load()), [event], [])


Kinds: TypeAlias = type[ir.Instruction] | tuple[type[ir.Instruction], ...]


def onward(code: tuple[ir.Instruction, ...], emitting: Kinds) -> list[int]:
    """For every place, the first one from there on that is neither a jump nor an instruction that only emits an event
    of another kind than `emitting`."""
    return [_next(code, place, emitting) for place in range(len(code))]


def _next(code: tuple[ir.Instruction, ...], place: int, emitting: Kinds) -> int:
    passed = set()
    # A loop in which nothing runs is a circle of jumps; `passed` ends the search there.
    while place not in passed and isinstance(i := code[place], ir.Jump | ir.EventOnly) and not isinstance(i, emitting):
        passed.add(place)
        (place,) = ir.ways(i, place)
    return place


Control = Callable[[Any, int, list[int], ir.Program], Execute]


def _branch(i: ir.Branch, place: int, onward: list[int], program: ir.Program) -> Execute:
    after, target, condition = onward[place + 1], onward[i.target], evaluator(i.condition)
    return lambda s: after if condition(s.r, s.z) else target


def _jump(i: ir.Jump, place: int, onward: list[int], program: ir.Program) -> Execute:
    target = onward[i.target]
    return lambda s: target


def _choose(i: ir.Choose, place: int, onward: list[int], program: ir.Program) -> Execute:
    by, none = evaluator(i.by), onward[i.none]
    enumerations = [legal(option, program) for option in i.options]

    def execute(s: RunningState) -> int:
        r, z = s.r, s.z
        actions: list[int] = []
        for add in enumerations:
            add(r, z, actions)
        if not actions:
            return none
        s.pc, s.legal, s.player, s.asked = place, actions, by(r, z), NONE_ASKED
        return STOP

    return execute


def _secret(i: ir.Secret, place: int, onward: list[int], program: ir.Program) -> Execute:
    after = onward[place + 1]
    askings = [(a.player, evaluator(a.asked), [legal(o, program) for o in a.options], a.chosen) for a in i.askings]

    def execute(s: RunningState) -> int:
        r, z = s.r, s.z
        waiting: dict[int, list[int]] = {}
        for player, asked, enumerations, chosen in askings:
            # The register may hold the option of an earlier round.
            r[chosen] = NONE
            actions: list[int] = []
            if asked(r, z):
                for add in enumerations:
                    add(r, z, actions)
            if actions:
                waiting[player] = actions
        if not waiting:
            return after
        s.pc, s.legal, s.player, s.asked = place, [], SIMULTANEOUS, waiting
        return STOP

    return execute


def checker(i: ir.Check, program: ir.Program) -> Execute:
    """The function that evaluates an invariant, and emits an event the first time it does not hold."""
    return _closure(i, STOP, -1, True, program)


def broken(s: RunningState, invariant: int, *sides: int) -> None:
    """Emits the event of an invariant that does not hold, unless the events have it already."""
    if not any(e[0] == "broken" and e[2] == invariant for e in s.events or ()):
        s.emit(("broken", -1, invariant, *sides))


def _end(i: ir.End, place: int, onward: list[int], program: ir.Program) -> Execute:
    def execute(s: RunningState) -> int:
        s.pc, s.legal, s.player, s.asked = place, [], STOP, NONE_ASKED
        return STOP

    return execute


CONTROL: Mapping[type[ir.Instruction], Control] = {
    ir.Branch: _branch,
    ir.Jump: _jump,
    ir.Choose: _choose,
    ir.Secret: _secret,
    ir.End: _end,
}
"""The closures of instructions that jump, wait or end. All others have a text in meaning.py."""

_FUNCTIONS = {"broken": broken}
"""The functions that texts call."""
