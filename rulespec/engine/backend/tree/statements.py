"""Writes trees of control flow (see flow.py) as loops, branches and breaks of generated code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulespec.engine.backend.analyses.flow import Fork, Goto, Labelled, Loop, Plain, Tree, size
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.available import AvailableExpressions
from rulespec.engine.backend.tree.syntax import Code, assign, equal, name, when
from rulespec.engine.backend.tree.writer import Writer
from rulespec.engine.program import ir

Arm = tuple[Callable[[], Code] | None, Callable[[], None] | None]
"""An arm of a fork: a function that writes its condition (None for the last arm), and one for its first statements."""

_GO = name("go")
"""The variable for the target of a jump that leaves several loops."""


DEEPEST = 40
"""CPython accepts 100 levels of indentation. This leaves 60 for the conditions and picks of a single choice."""


@dataclass
class Frame:
    """A Python loop being written: the targets of `continue` and `break`, and the jumps that continue after its end."""

    head: int | None
    exit: int | None
    leaks: dict[int, None] = field(default_factory=dict)


class Statements:
    """Writes trees. `work` writes the instruction at a place, `leave` writes a jump out of the tree, `arms` returns the
    arms of a choice."""

    def __init__(
        self,
        writer: Writer,
        code: Sequence[ir.Instruction],
        work: Callable[[int, ir.Instruction], None],
        leave: Callable[[int], ast.stmt],
        arms: Callable[[ir.Choose], Sequence[Arm]] | None = None,
    ) -> None:
        self.w, self.code, self.work, self.leave, self.arms = writer, code, work, leave, arms
        self.frames: list[Frame] = []
        self._known_plain: dict[int, bool] = {}
        self.meeting: dict[int, AvailableExpressions] = {}  # on all paths to a place written so far

    def write(self, tree: Tree) -> None:
        """Writes the statements of a tree."""
        self.w.available.clear()
        self._write(tree, None)
        self.w.available.clear()

    def _write(self, tree: Tree, after: int | None) -> None:
        """`after` is the place that follows the end of the tree."""
        for number, item in enumerate(tree):
            if isinstance(item, Plain) or (isinstance(item, Fork) and not item.arms):
                i = self.code[item.place]
                self.w.under(i.rule)
                self.work(item.place, i)
                self.w.available.happened(i)
            elif isinstance(item, Fork):
                self._fork(item, after)
            elif isinstance(item, Goto):
                met = self.meeting.get(item.place)
                self.meeting[item.place] = self.w.available.shared(met) if met is not None else self.w.available.copy()
                self._go(item.place, after)
            elif isinstance(item, Loop):
                self._loop(item.body, Frame(item.head, after), after)
            else:
                if self._plain(item):
                    self._write(item.body, item.end)
                else:
                    self._loop(item.body, Frame(None, item.end), item.end)
                self.w.available = self.meeting.pop(item.end, AvailableExpressions())
            assert number == len(tree) - 1 or isinstance(item, Plain | Labelled)

    def _loop(self, body: Tree, frame: Frame, after: int | None) -> None:
        w = self.w
        with w.available.in_doubt():
            for place in _places(body) if frame.head is not None else ():
                w.available.happened(self.code[place])  # possibly, in an earlier iteration
        self.frames.append(frame)
        statements = self._nested(lambda: self._rounds(body, frame, after))
        self.frames.pop()
        if frame.leaks:
            w.put(assign(0, _GO))
        w.put(_looped(statements))
        for place in frame.leaks:
            with w.inside(when(equal(_GO, place + 1))):
                self._go(place, after)

    def _rounds(self, body: Tree, frame: Frame, after: int | None) -> None:
        self._write(body, frame.head if frame.head is not None else after)
        if frame.head is None and not _ended(self.w.block):
            self.w.put(syntax.leave())

    def _nested(self, write: Callable[[], None]) -> list[ast.stmt]:
        """What `write` writes, as the body of a compound statement."""
        self.w.depth += 1
        statements, _ = self.w.written(write)
        self.w.depth -= 1
        return statements

    def _go(self, place: int, after: int | None) -> None:
        if place == after:
            return
        for depth, frame in enumerate(reversed(self.frames)):
            if place in (frame.head, frame.exit):
                if depth:
                    # Python leaves one loop at a time: `go` holds the target until the right loop is reached.
                    for inner in self.frames[-depth:]:
                        inner.leaks[place] = None
                    self.w.put(assign(place + 1, _GO))
                self.w.put(syntax.again() if place == frame.head and not depth else syntax.leave())
                return
        self.w.put(self.leave(place))

    def _fork(self, fork: Fork, after: int | None) -> None:
        """Writes branches below each other if the earlier ones leave, else nested. Where Python's limit is near, each
        branch leaves a loop that runs once."""
        if self.w.depth > DEEPEST and after is not None:
            self._loop([fork], Frame(None, after), None)
            return
        w, ways, depth, block = self.w, self._ways(self.code[fork.place]), self.w.depth, self.w.block
        available = w.available.copy()
        ways, arms, turned = self._shorter_first(ways, fork.arms)
        for (condition, first), arm in zip(ways, arms, strict=True):
            if condition is None:
                self._arm(available, first, arm, after)
                break
            w.available = available
            test = condition()
            test = (test.negated or test) if turned else test
            available = w.available.copy()
            body = self._nested(partial(self._arm, available, first, arm, after))
            if not body and len(ways) == 2 and test.negated is not None:
                w.put(branch := when(test.negated))
                w.block, w.depth = branch.body, w.depth + 1
                continue
            w.put(branch := when(test, body or [syntax.nothing()]))
            if not _ended(body):
                w.block, w.depth = branch.orelse, w.depth + 1
        if block and isinstance(block[-1], ast.If) and not block[-1].body:
            block.pop()
        w.block, w.depth = block, depth

    def _ways(self, i: ir.Instruction) -> Sequence[Arm]:
        self.w.under(i.rule)
        if isinstance(i, ir.Choose) and self.arms is not None:
            return self.arms(i)
        assert isinstance(i, ir.Branch)
        return [(lambda: syntax.negation(self.w.test(i.condition)), None), (None, None)]

    def _shorter_first(self, ways: Sequence[Arm], arms: Sequence[Tree]) -> tuple[Sequence[Arm], Sequence[Tree], bool]:
        """Swaps two arms if the second is shorter, so that the longer one is written without nesting."""
        if len(ways) != 2 or any(first is not None for _, first in ways):
            return ways, arms, False
        first, second = map(size, arms)
        return (ways, arms[::-1], True) if 0 < second < first else (ways, arms, False)

    def _arm(
        self, available: AvailableExpressions, first: Callable[[], None] | None, arm: Tree, after: int | None
    ) -> None:
        self.w.available = available.copy()
        if first is not None:
            first()
        self._write(arm, after)

    def _reaches(self, tree: Tree, end: int, last: bool, leaves: bool) -> bool:
        """Whether every path to the end of a tree runs off its end or (`leaves`) is a plain `break`."""
        for i, item in enumerate(tree):
            tail = last and i == len(tree) - 1
            if isinstance(item, Goto) and item.place == end and not tail and not leaves:
                return False
            if isinstance(item, Fork) and not all(self._reaches(arm, end, tail, leaves) for arm in item.arms):
                return False
            if isinstance(item, Loop) and not self._reaches(item.body, end, False, tail):
                return False
            if isinstance(item, Labelled) and not self._reaches(item.body, end, False, leaves and self._plain(item)):
                return False
        return True

    def _plain(self, block: Labelled) -> bool:
        """Whether a block needs no loop around it. Cached, since every enclosing block asks again."""
        if block.end not in self._known_plain:
            self._known_plain[block.end] = self._reaches(block.body, block.end, True, False)
        return self._known_plain[block.end]


def _ended(statements: Sequence[ast.stmt]) -> bool:
    """Whether the last statement always leaves, so that nothing after it is executed."""
    return bool(statements) and isinstance(statements[-1], ast.Continue | ast.Break | ast.Return)


def _looped(statements: list[ast.stmt]) -> ast.While:
    """A loop. If it begins with a test for leaving, that becomes its condition."""
    first, rest = (statements[0], statements[1:]) if statements else (None, [])
    if isinstance(first, ast.If) and rest and len(first.body) == 1 and isinstance(first.body[0], ast.Break):
        stays = Code(first.test).negated
        if stays is not None and not first.orelse:
            return syntax.repeat(stays, rest)
    return syntax.repeat(syntax.TRUE, statements or [syntax.nothing()])


def _places(tree: Tree) -> Iterator[int]:
    """All places that a tree writes."""
    for item in tree:
        if isinstance(item, Plain | Fork):
            yield item.place
        if isinstance(item, Loop | Labelled):
            yield from _places(item.body)
        for arm in item.arms if isinstance(item, Fork) else ():
            yield from _places(arm)
