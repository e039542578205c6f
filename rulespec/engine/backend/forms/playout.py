"""Playouts: the program as one function from the deal to the ranking, with uniformly random players built in."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rulespec.engine.backend.analyses.aggregates import aggregates
from rulespec.engine.backend.analyses.flow import Flow, goes_on
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.instructions import InstructionWriter
from rulespec.engine.backend.tree.legal_actions import plain_interval
from rulespec.engine.backend.tree.statements import Arm, Statements
from rulespec.engine.backend.tree.syntax import Code, assign, when
from rulespec.engine.interpreter.closures import onward
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE


def variables(program: ir.Program) -> frozenset[int]:
    """The registers that are never accessed by an index: they become variables."""
    indexed = {slot for node in _indexed(program) for slot in range(node.base, node.base + node.size)}
    return frozenset(range(len(program.start))) - indexed


def _indexed(program: ir.Program) -> Iterator[ir.Element | ir.Let]:
    for node in ir.walk(program.code):
        if isinstance(node, ir.Element) or (isinstance(node, ir.Let) and not isinstance(node.index, ir.Const)):
            yield node


DECISIONS = syntax.name("decisions")
"""The variable that counts decisions."""


class GameWriter(InstructionWriter):
    """A mixin for a dialect that writes playouts."""

    @abstractmethod
    def note(self, place: int, i: ir.Note) -> None:
        """Writes what is counted of an award, of the ranking or of a bound."""

    @abstractmethod
    def finish(self) -> None:
        """Writes the end of the game."""


class PlayoutWriter:
    """Writes the body of the function that plays one game, in the dialect of a writer."""

    def __init__(self, writer: GameWriter, program: ir.Program, tally: bool = False) -> None:
        self.w, self.program = writer, program
        self.w.aggregates = aggregates(program)
        self.follows = onward(program.code, ir.Note if tally else ())

    def write(self) -> None:
        flow = Flow([self.follows[0]], self._successors)
        (head,) = flow.heads
        Statements(self.w, self.program.code, self._work, _nowhere, self._choose).write(flow.tree(head))

    def _successors(self, place: int) -> Sequence[int]:
        i = self.program.code[place]
        ways = goes_on(i, place, self.follows)
        return ways[1:] if isinstance(i, ir.Choose) and i.none >= 0 and not may_be_empty(i) else ways

    def _work(self, place: int, i: ir.Instruction) -> None:
        w = self.w
        if isinstance(i, ir.Choose):
            self._write_arms(self._choose(i))
        elif isinstance(i, ir.Secret):
            self._secret(i)
        elif isinstance(i, ir.Note):
            w.note(place, i)
        elif isinstance(i, ir.End):
            w.finish()
        else:
            w.instruction(i, place)

    # choices

    def _choose(self, i: ir.Choose) -> list[Arm]:
        """Counts the legal actions of each option; then draws one and takes the arm of its option."""
        w = self.w
        counted = [w.count(option) for option in i.options]
        bounds = list[Code]()
        for count, _ in counted:
            bounds.append(w.once(bounds[-1] + count if bounds else count))
        index = w.name("k")
        arms: list[Arm] = [(lambda: syntax.negation(bounds[-1]), None)] if may_be_empty(i) else []
        for n, option in enumerate(i.options):
            below = bounds[n - 1] if n else None
            bind = partial(self._bind, option, counted[n][1], index, below)
            begin = partial(self._decide, index, bounds[-1]) if not n else None
            if n == len(i.options) - 1:
                arms.append((None, partial(in_order, begin, bind)))
            else:
                arms.append((partial(asked, begin, index < bounds[n]), bind))
        return arms

    def _write_arms(self, arms: Sequence[Arm]) -> None:
        """Writes a choice after which play goes on at one place, whatever is chosen."""
        (condition, first), *others = arms
        if condition is None:
            if first is not None:
                first()
            return
        with self.w.inside(when(condition())) as test:
            if first is not None:
                first()
        with self.w.otherwise(test):
            self._write_arms(others)

    def _decide(self, index: Code, bound: Code) -> None:
        self.w.draw("policy", bound, index)
        self.w.put(syntax.increase(DECISIONS, 1))

    def _bind(self, option: ir.Option, legal: Code, index: Code, below: Code | None) -> None:
        """Binds the picks of an option for the legal action at an index."""
        w = self.w
        if not option.picks:
            return
        place = index - below if below is not None else index
        if plain_interval(option) is not None:
            w.available.changed([option.picks[0].slot])
            w.put(assign(legal + place, w.register(option.picks[0].slot)))
        else:
            w.bind(option, w.chosen(legal, option.size, w.once(place)))

    def _secret(self, i: ir.Secret) -> None:
        """All players choose before any choice is carried out."""
        w, taken = self.w, []
        for asking in i.askings:
            chosen = w.register(asking.chosen)
            w.put(assign(NONE, chosen))
            with w.inside(when(w.test(asking.asked))):
                counted = [w.count(option) for option in asking.options]
                bounds = [syntax.total([count for count, _ in counted[: n + 1]]) for n in range(len(counted))]
                legal = w.once(bounds[-1])
                with w.inside(when(legal > 0)):
                    index = w.name("k")
                    self._decide(index, legal)
                    actions = self._note_choice(asking, counted, bounds, index, chosen)
            taken.append((asking, chosen, actions))
        w.none_taken()
        for asking, chosen, actions in taken:
            for n, (option, action) in enumerate(zip(asking.options, actions, strict=True)):
                if option.picks:
                    with w.inside(when(syntax.equal(chosen, n))):
                        w.bind(option, action, secret=True)
                        for pick in option.picks:
                            if pick.type.kind == "card":
                                w.take(w.register(pick.slot))

    def _note_choice(
        self, asking: ir.Asking, counted: list[tuple[Code, Code]], bounds: list[Code], index: Code, chosen: Code
    ) -> list[Code]:
        """Stores the option of the drawn action and the action itself in variables; returns those of the actions."""
        w, actions = self.w, [self.w.name("a") for _ in asking.options]
        for n, (option, (_, legal)) in enumerate(zip(asking.options, counted, strict=True)):
            with w.inside(when(syntax.within(bounds[n - 1] if n else 0, index, bounds[n]))):
                w.put(assign(n, chosen))
                place = index - bounds[n - 1] if n else index
                if (interval := plain_interval(option)) is not None:
                    w.put(assign(legal + place - interval.least, actions[n]))
                elif option.picks:
                    w.put(assign(w.chosen(legal, option.size, w.once(place)), actions[n]))
        return actions


def _nowhere(place: int) -> ast.stmt:
    raise AssertionError(f"a playout never leaves its function (place {place})")


def asked(begin: Callable[[], None] | None, test: Code) -> Code:
    """A test, with what is written before it."""
    in_order(begin)
    return test


def in_order(*writers: Callable[[], None] | None) -> None:
    """Calls writers one after the other."""
    for write in writers:
        if write is not None:
            write()


def may_be_empty(i: ir.Choose) -> bool:
    """Whether the choice may have no legal action."""
    return i.none >= 0 and not any(option.condition is None and not option.picks for option in i.options)
