"""Segments in plain Python.

`at_N` runs on from place N and gives the place where another piece goes on, or STOP. `take_N` carries out a choice made
at place N and gives the place where play goes on. The state is the interpreter's own, so that any position without a
segment can be interpreted.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rulespec.engine.backend.dialects.lists import ZONES, Lists
from rulespec.engine.backend.forms.segments import ACTION, SegmentWriter
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.legal_actions import plain_interval
from rulespec.engine.backend.tree.syntax import Code, assign, attribute, do, give, list_of, name, number, tuple_of, when
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.interpreter.running import SIMULTANEOUS, STOP
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

_STATE, _NOBODY = name("s"), name("NONE_ASKED")
_PLACE, _LEGAL, _PLAYER, _ASKED = (attribute(_STATE, part) for part in ("pc", "legal", "player", "asked"))


class PythonSegments(SegmentWriter, Lists):
    """Writes the segments of a program in plain Python; `records` says whether they emit events."""

    def __init__(self, program: ir.Program, records: bool) -> None:
        super().__init__(program, ir.EventOnly if records else ())
        self.records = records
        self.names = tuple(dict.fromkeys(i.value for i in program.code if isinstance(i, ir.Let) and i.value))

    def source(self) -> ast.Module:
        """A module with `RUN` and `TAKE`, functions by place, and `CHECKS`, a function for each invariant that holds
        always. Expects `NAMES`, `NONE_ASKED` and `broken`."""
        flow = self.flow()
        runs = {head: self._function(f"at_{head}", {"s": ""}, self.segment(flow, head)) for head in flow.heads}
        chosen = [place for place, i in enumerate(self.program.code) if isinstance(i, ir.Choose)]
        takes = {place: self._function(f"take_{place}", {"s": "", "action": ""}, self._take(place)) for place in chosen}
        checks = [self._check(i) for i in self.program.always if self.records]
        named = tuple_of(*(name(check.name) for check in checks))
        found = assign(
            tuple_of(_by_place(runs), _by_place(takes), named), tuple_of(*map(name, ("RUN", "TAKE", "CHECKS")))
        )
        return syntax.module([*syntax.constants(self.tables), *runs.values(), *takes.values(), *checks, found])

    def _check(self, i: ir.Check) -> ast.FunctionDef:
        return self._function(f"check_{i.invariant}", {"s": ""}, self.body(lambda: self.inline(i)))

    def _function(self, called: str, arguments: dict[str, str], body: list[ast.stmt]) -> ast.FunctionDef:
        parts = tuple_of(*(attribute(_STATE, part) for part in ("r", "z", "draw")))
        before: list[ast.stmt] = [assign(parts, tuple_of(REGISTERS, ZONES, name("deal")))]
        if self.records:
            before.append(assign(attribute(attribute(_STATE, "reported"), "append"), name("emit")))
        return syntax.function(called, arguments, [*before, *body])

    def text(self, content: str) -> Code:
        return name("NAMES")[self.names.index(content)]

    # choices

    def choose(self, place: int, i: ir.Choose) -> None:
        legal = self._legal(i.options)
        with self.inside(when(legal)):
            self._stop(place, self.value(i.by), legal)

    def _legal(self, options: Sequence[ir.Option]) -> Code:
        """Writes a list of the legal actions of some options; returns its variable."""
        legal = self.name("legal")
        self.put(assign(list_of(), legal))
        for option in options:
            if not option.picks:
                listed = do(legal.method("append", number(option.first)))
                self.put(listed if option.condition is None else when(self.test(option.condition), [listed]))
            elif (interval := plain_interval(option)) is not None:
                low, high = self.value(interval.low), self.value(interval.high)
                base = option.first - interval.least
                self.put(do(legal.method("extend", syntax.call("range", number(base) + low, number(base + 1) + high))))
            else:
                found = self.collection(option.size)
                self.collect(option, found, number(option.first))
                self.put(do(legal.method("extend", syntax.call("sorted", found))))
        return legal

    def secret(self, place: int, i: ir.Secret) -> None:
        waiting = self.name("waiting")
        self.put(assign(syntax.dictionary({}), waiting))
        for asking in i.askings:
            self.put(assign(NONE, self.register(asking.chosen)))
            with self.inside(when(self.test(asking.asked))):
                legal = self._legal(asking.options)
                self.put(when(legal, [assign(legal, waiting[asking.player])]))
        with self.inside(when(waiting)):
            self._stop(place, number(SIMULTANEOUS), list_of(), waiting)

    def ends(self, place: int) -> None:
        self._stop(place, number(STOP), list_of())

    def _stop(self, place: int, player: Code, legal: Code, asked: Code = _NOBODY) -> None:
        """Leaves the segment at a decision point or at the end of the game."""
        point = tuple_of(_PLACE, _LEGAL, _PLAYER, _ASKED)
        self.put(assign(tuple_of(place, legal, player, asked), point), give(STOP))

    def _take(self, place: int) -> list[ast.stmt]:
        """The statements that carry out an action at a decision point."""
        return self.body(lambda: self._taken(self.program.code[place]))

    def _taken(self, i: ir.Instruction) -> None:
        assert isinstance(i, ir.Choose)
        for option in i.options:
            with self.inside(when(syntax.within(option.first, ACTION, option.first + option.size))):
                self.emit("choice", option.rule, _PLAYER, ACTION)
                self.taken_option(option)
                self.put(give(self.follows[option.target]))


def _by_place(functions: dict[int, ast.FunctionDef]) -> Code:
    return syntax.dictionary({place: name(one.name) for place, one in functions.items()})
