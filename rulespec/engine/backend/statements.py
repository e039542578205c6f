"""Writes trees of control flow (see flow.py) as loops, branches and breaks of Python source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.engine.backend.available import AvailableExpressions
from rulespec.engine.backend.flow import Fork, Goto, Labelled, Loop, Plain, Tree
from rulespec.engine.backend.writer import Writer

Arm = tuple[Callable[[], str] | None, Callable[[], None] | None]
"""An arm of a fork: a function that writes its condition (None for the last arm), and one for its first lines."""


DEEPEST = 40
"""CPython accepts 100 levels of indentation. This leaves 60 for the conditions and picks of a single choice."""


@dataclass
class Frame:
    """A Python loop being written: the targets of `continue` and `break`, and the jumps that continue after its end."""

    head: int | None
    exit: int | None
    leaks: dict[int, None] = field(default_factory=dict)


class Statements:
    """Writes trees. `work` writes the instruction at a place, `ways` returns the arms of a fork, `leave` writes a jump
    out of the tree."""

    def __init__(
        self,
        writer: Writer,
        work: Callable[[int], None],
        ways: Callable[[int], Sequence[Arm]],
        leave: Callable[[int], str],
    ) -> None:
        self.w, self.work, self.ways, self.leave = writer, work, ways, leave
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
        for i, item in enumerate(tree):
            if isinstance(item, Plain) or (isinstance(item, Fork) and not item.arms):
                self.work(item.place)
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
            assert i == len(tree) - 1 or isinstance(item, Plain | Labelled)

    def _loop(self, body: Tree, frame: Frame, after: int | None) -> None:
        w = self.w
        with w.available.in_doubt():
            for place in _places(body) if frame.head is not None else ():
                w.available.happened(w.program.code[place])  # possibly, in an earlier iteration
        self.frames.append(frame)
        before, w.lines = w.lines, []
        w.depth += 1
        self._write(body, frame.head if frame.head is not None else after)
        if frame.head is None and not _ended(w.lines, w.depth):
            w.put("break")
        w.depth -= 1
        lines, w.lines = w.lines, before
        self.frames.pop()
        if frame.leaks:
            w.put("go = 0")
        _loop_lines(w, lines)
        for place in frame.leaks:
            with w.inside(f"if go == {place + 1}:"):
                self._go(place, after)

    def _go(self, place: int, after: int | None) -> None:
        if place == after:
            return
        for depth, frame in enumerate(reversed(self.frames)):
            if place in (frame.head, frame.exit):
                word = "continue" if place == frame.head else "break"
                if depth:
                    # Python leaves one loop at a time: `go` holds the target until the right loop is reached.
                    for inner in self.frames[-depth:]:
                        inner.leaks[place] = None
                    self.w.put(f"go = {place + 1}")
                    word = "break"
                self.w.put(word)
                return
        self.w.put(self.leave(place))

    def _fork(self, fork: Fork, after: int | None) -> None:
        """Writes branches below each other if the earlier ones leave, else nested. Where Python's limit is near, each
        branch leaves a loop that runs once."""
        if self.w.depth > DEEPEST and after is not None:
            self._loop([fork], Frame(None, after), None)
            return
        w, ways, depth = self.w, self.ways(fork.place), self.w.depth
        written, available = len(w.lines), w.available.copy()
        ways, arms, turned = self._shorter_first(ways, fork.arms)
        for (condition, first), arm in zip(ways, arms, strict=True):
            if condition is None:
                self._arm(available, first, arm, after)
                break
            w.available = available
            test = condition().removeprefix("not ") if turned else condition()
            available = w.available.copy()
            lines = self._apart(available, first, arm, after)
            if not lines and len(ways) == 2 and test.startswith("not "):
                w.put(f"if {test.removeprefix('not ')}:")
                w.depth += 1
                continue
            w.put(f"if {test}:")
            w.lines += lines or ["    " * (w.depth + 1) + "pass"]
            if not _ended(lines, w.depth + 1):
                w.put("else:")
                w.depth += 1
        if w.depth > depth and len(w.lines) > written and w.lines[-1].endswith(":"):
            w.lines.pop()  # an empty branch
        w.depth = depth

    def _shorter_first(self, ways: Sequence[Arm], arms: Sequence[Tree]) -> tuple[Sequence[Arm], Sequence[Tree], bool]:
        """Swaps two arms if the second is shorter, so that the longer one is written without nesting."""
        if len(ways) != 2 or any(first is not None for _, first in ways):
            return ways, arms, False
        first, second = (sum(1 for _ in _places(arm)) for arm in arms)
        return (ways, arms[::-1], True) if 0 < second < first else (ways, arms, False)

    def _arm(
        self, available: AvailableExpressions, first: Callable[[], None] | None, arm: Tree, after: int | None
    ) -> None:
        self.w.available = available.copy()
        if first is not None:
            first()
        self._write(arm, after)

    def _apart(
        self, available: AvailableExpressions, first: Callable[[], None] | None, arm: Tree, after: int | None
    ) -> list[str]:
        w = self.w
        before, w.lines = w.lines, []
        w.depth += 1
        self._arm(available, first, arm, after)
        w.depth -= 1
        lines, w.lines = w.lines, before
        return lines

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


def _ended(lines: list[str], depth: int) -> bool:
    """Whether lines of this depth never fall through to the next line."""
    if not lines:
        return False
    last = lines[-1]
    indent = len(last) - len(last.lstrip())
    return indent == 4 * depth and last.lstrip().split(" ")[0] in ("continue", "break", "return")


def _loop_lines(w: Writer, lines: list[str]) -> None:
    """Writes a loop. An exit condition on its first line becomes the condition of `while`."""
    head = "while True:"
    inner = "    " * (w.depth + 1)
    if len(lines) > 2 and lines[0].startswith(inner + "if not ") and lines[1] == inner + "    break":
        head = f"while {lines[0].strip()[7:-1]}:"
        lines = lines[2:]
    w.put(head)
    w.lines += lines or [inner + "pass"]


def _places(tree: Tree) -> Iterator[int]:
    """All places that a tree writes."""
    for item in tree:
        if isinstance(item, Plain | Fork):
            yield item.place
        if isinstance(item, Loop | Labelled):
            yield from _places(item.body)
        for arm in item.arms if isinstance(item, Fork) else ():
            yield from _places(arm)
