"""Closure compilation, the interpreter: every instruction of a program becomes a function of the state.

Each function returns the place of the next instruction, or STOP if a player must decide or the game is over. With
meaning.py, evaluate.py and choices.py, this module defines what a program does; other engines are tested against it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from rulespec.engine.interpreter.choices import legal
from rulespec.engine.interpreter.evaluate import closure, evaluator
from rulespec.engine.interpreter.meaning import meaning, silent
from rulespec.engine.interpreter.running import NONE_ASKED, SIMULTANEOUS, STOP, Execute, RunningState
from rulespec.engine.program import ir


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
    after = follows[place + 1] if i.next else STOP
    ways = {name: follows[getattr(i, name)] for name, role in ir.ROLES[type(i)].items() if role is ir.Role.NEXT}
    return _closure(i, record, program, {"place": place, "after": after, **ways})


def _closure(i: ir.Instruction, record: bool, program: ir.Program, places: Mapping[str, int]) -> Execute:
    text, contents = meaning(i, record, program.players)
    if isinstance(i, ir.Choose):
        contents["options"] = [legal(option, program) for option in i.options]
    elif isinstance(i, ir.Secret):
        each = [(a, [legal(option, program) for option in a.options]) for a in i.askings]
        contents["askings"] = [(a.player, evaluator(a.asked), options, a.chosen) for a, options in each]
    return of_text(text if record or isinstance(i, ir.EventOnly) else silent(text), {**contents, **places})


def of_text(text: str, contents: Mapping[str, Any]) -> Execute:
    """The function of the state that does what the text of an instruction says. `contents` are those of its fields,
    with its own place and the one `after` it."""
    made: Execute = closure(_body(text), {**contents, **_NAMES}, "s")
    return made


@cache
def _body(text: str) -> str:
    """A text as the body of a function of the state."""
    lines = [line for line in text.splitlines() if "counted(" not in line]
    carried_out = re.sub(r"emit\((.*?)(, .*)?\)$", r"s.emit((\1, rule\2))", "\n".join(lines), flags=re.MULTILINE)
    parts = [f"{name} = s.{name}" for name in ("r", "z", "draw") if re.search(rf"\b{name}\b", carried_out)]
    return "\n".join([*parts, carried_out, "return after"])


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


def checker(i: ir.Check, program: ir.Program) -> Execute:
    """The function that evaluates an invariant, and emits an event the first time it does not hold."""
    return _closure(i, True, program, {"place": -1, "after": STOP})


def broken(s: RunningState, invariant: int, *sides: int) -> None:
    """Emits the event of an invariant that does not hold, unless the events have it already."""
    if not any(e[0] == "broken" and e[2] == invariant for e in s.reported or ()):
        s.emit(("broken", -1, invariant, *sides))


_NAMES = {"broken": broken, "STOP": STOP, "SIMULTANEOUS": SIMULTANEOUS, "NONE_ASKED": NONE_ASKED}
"""What texts refer to besides the fields of their instruction and the state."""
