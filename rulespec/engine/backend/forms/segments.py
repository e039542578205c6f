"""Segments of a program, in any dialect: functions that run from one decision point to the next.

A segment starts where play continues after a choice, and wherever several segments lead. It ends at the next decision
point, or where another segment starts.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence

from rulespec.engine.backend.analyses.flow import Flow, goes_on
from rulespec.engine.backend.tree.instructions import InstructionWriter
from rulespec.engine.backend.tree.legal_actions import plain_interval
from rulespec.engine.backend.tree.statements import Statements
from rulespec.engine.backend.tree.syntax import assign, give, name
from rulespec.engine.interpreter.closures import Kinds, onward
from rulespec.engine.program import ir

ACTION = name("action")


class SegmentWriter(InstructionWriter):
    """A mixin for a dialect. Instructions that only emit events are skipped, but for those of the types `emitting`."""

    keeps_variables = True

    def __init__(self, program: ir.Program, emitting: Kinds = ()) -> None:
        super().__init__(program)
        self.follows = onward(program.code, emitting)

    # overridden by dialects

    @abstractmethod
    def ends(self, place: int) -> None:
        """Writes the end of the game."""

    @abstractmethod
    def choose(self, place: int, i: ir.Choose) -> None:
        """Writes a decision point of one player, at which the segment ends if an action is legal."""

    @abstractmethod
    def secret(self, place: int, i: ir.Secret) -> None:
        """Writes a decision point of several players."""

    # control flow

    def segment(self, flow: Flow, head: int) -> list[ast.stmt]:
        """The statements of the segment that starts at a place."""
        return self.body(lambda: Statements(self, self.program.code, self.work, give).write(flow.tree(head)))

    def body(self, write: Callable[[], None]) -> list[ast.stmt]:
        """The statements of a function, which knows nothing of those before it."""
        self.available.clear()
        statements, _ = self.written(write)
        return statements

    def flow(self) -> Flow:
        return Flow(self._roots(), self._successors)

    def _roots(self) -> Iterator[int]:
        yield self.follows[0]
        for place, i in enumerate(self.program.code):
            yield from goes_on(i, place, self.follows, ir.Role.CHOSEN)

    def _successors(self, place: int) -> Sequence[int]:
        return goes_on(self.program.code[place], place, self.follows, ir.Role.NEXT)

    # instructions

    def work(self, place: int, i: ir.Instruction) -> None:
        if isinstance(i, ir.Choose):
            self.choose(place, i)
        elif isinstance(i, ir.Secret):
            self.secret(place, i)
        elif isinstance(i, ir.End):
            self.ends(place)
        else:
            self.happens(place, i)

    def happens(self, place: int, i: ir.Instruction) -> None:
        """Writes an instruction other than a choice or the end."""
        self.instruction(i, place)

    # choices

    def taken_option(self, option: ir.Option, secret: bool = False) -> None:
        """Writes code that carries out an action of an option: it binds the picks."""
        if plain_interval(option) is not None:
            domain = option.picks[0].domain
            assert isinstance(domain, ir.Span)
            self.put(assign(ACTION - (option.first - domain.least), self.register(option.picks[0].slot)))
        elif option.picks:
            self.bind(option, ACTION - option.first, secret)
            for pick in option.picks if secret else ():
                if pick.type.kind == "card":
                    self.take(self.register(pick.slot))
