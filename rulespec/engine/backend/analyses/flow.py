"""Control flow structuring: jumps become loops, branches and breaks, which is all that Python has.

After Ramsey, "Beyond Relooper" (2022): the dominator tree says what nests in what. Programs come from structured rules,
so every loop has one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rulespec.engine.program import ir

Tree = list["Plain | Fork | Loop | Labelled | Goto"]


@dataclass(frozen=True)
class Plain:
    """The work of one instruction, without its successors. `place` is its position in the program."""

    place: int


@dataclass(frozen=True)
class Fork:
    """The work of an instruction with several successors, and the tree of each."""

    place: int
    arms: tuple[Tree, ...]


@dataclass(frozen=True)
class Loop:
    """Repeats until something in it leaves; a Goto to `head` continues the loop."""

    head: int
    body: Tree


@dataclass(frozen=True)
class Labelled:
    """A labelled block: a Goto to `end` from anywhere inside leaves it."""

    end: int
    body: Tree


@dataclass(frozen=True)
class Goto:
    place: int


def goes_on(i: ir.Instruction, place: int, follows: Sequence[int]) -> tuple[int, ...]:
    """The successors of any instruction but a choice; `follows` is a result of `closures.onward`."""
    if isinstance(i, ir.Branch):
        return follows[i.target], follows[place + 1]
    if isinstance(i, ir.Jump):
        return (follows[i.target],)
    return () if isinstance(i, ir.End) else (follows[place + 1],)


class Flow:
    """The control flow graph reachable from some roots, with its dominator tree. Place -1 precedes all roots."""

    def __init__(self, roots: Iterable[int], successors: Callable[[int], Sequence[int]]) -> None:
        self.after: dict[int, Sequence[int]] = {-1: sorted(set(roots))}
        self.order = self._search(successors)
        self.number = {place: i for i, place in enumerate(self.order)}
        self.before: dict[int, list[int]] = {place: [] for place in self.order}
        for place in self.order:
            for target in self.after[place]:
                self.before[target].append(place)
        self.parent = self._dominators()
        self.children: dict[int, list[int]] = {place: [] for place in self.order}
        for place in self.order[1:]:
            self.children[self.parent[place]].append(place)
        self.loops = self._loops()

    def _search(self, successors: Callable[[int], Sequence[int]]) -> list[int]:
        """The places in reverse postorder. Without recursion, since programs are long."""
        found: list[int] = []
        stack = [(-1, iter(self.after[-1]))]
        while stack:
            place, rest = stack[-1]
            for target in rest:
                if target not in self.after:
                    self.after[target] = tuple(successors(target))
                    stack.append((target, iter(self.after[target])))
                    break
            else:
                found.append(place)
                stack.pop()
        return found[::-1]

    def _dominators(self) -> dict[int, int]:
        """The immediate dominator of every place (Cooper, Harvey, Kennedy 2001)."""
        parent = {-1: -1}
        changed = True
        while changed:
            changed = False
            for place in self.order[1:]:
                known = [p for p in self.before[place] if p in parent]
                common = known[0]
                for other in known[1:]:
                    common = self._meet(parent, common, other)
                if parent.get(place) != common:
                    parent[place], changed = common, True
        return parent

    def _meet(self, parent: Mapping[int, int], a: int, b: int) -> int:
        while a != b:
            if self.number[a] < self.number[b]:
                b = parent[b]
            else:
                a = parent[a]
        return a

    def _loops(self) -> dict[int, set[int]]:
        """The places of every loop, by its head: those from which a path leads back to the head."""
        loops: dict[int, set[int]] = {}
        for tail in self.order:
            for head in self.after[tail]:
                if self._dominates(head, tail):
                    inside, stack = loops.setdefault(head, {head}), [tail]
                    while stack:
                        place = stack.pop()
                        if place not in inside:
                            inside.add(place)
                            stack += self.before[place]
        return loops

    def _dominates(self, a: int, b: int) -> bool:
        while self.number[b] > self.number[a]:
            b = self.parent[b]
        return a == b

    @property
    def heads(self) -> list[int]:
        """The roots, and the places that are reached from several of them: each starts a region of its own."""
        return self.children[-1]

    def tree(self, head: int) -> Tree:
        """The tree of the places that a place dominates; Gotos to other heads leave it."""
        return self._node(head, frozenset())

    def _node(self, place: int, outside: frozenset[int]) -> Tree:
        """`outside` are the places that an enclosing node writes."""
        children = [c for c in self.children[place] if c not in outside]
        loop = self.loops.get(place)
        if loop is None:
            return self._wrapped(place, [c for c in children if self._merges(c)], outside)
        # What follows a loop is written after it, even if a place inside dominates it.
        leaving = [p for p in self._below(place) if p not in loop and self.parent[p] in loop and p not in outside]
        later = frozenset(leaving) | outside
        inside = [c for c in children if c in loop and self._merges(c)]
        loops: Tree = [Loop(place, self._wrapped(place, inside, later))]
        return self._followed(loops, sorted(leaving, key=self.number.__getitem__), outside)

    def _below(self, place: int) -> list[int]:
        found = list(self.children[place])
        for one in found:
            found += self.children[one]
        return found

    def _merges(self, place: int) -> bool:
        return sum(self.number[p] < self.number[place] for p in self.before[place]) > 1

    def _wrapped(self, place: int, merges: list[int], outside: frozenset[int]) -> Tree:
        inner: frozenset[int] = outside | frozenset(merges)
        body: Tree = []
        # A sequence is written as consecutive lines, not nested.
        while len(self.after[place]) == 1 and self._only_follows(place, target := self.after[place][0], inner):
            body.append(Plain(place))
            place = target
            merges = [c for c in self.children[place] if c not in outside and self._merges(c)]
            inner = outside | frozenset(merges)
        if len(self.after[place]) == 1:
            body.append(Plain(place))
            body += self._arm(place, self.after[place][0], inner)
        else:
            body.append(Fork(place, tuple(self._arm(place, target, inner) for target in self.after[place])))
        return self._followed(body, sorted(merges, key=self.number.__getitem__), outside)

    def _only_follows(self, place: int, target: int, outside: frozenset[int]) -> bool:
        return self.before[target] == [place] and target not in outside and target not in self.loops

    def _followed(self, body: Tree, places: list[int], outside: frozenset[int]) -> Tree:
        for i, place in enumerate(places):
            body = [Labelled(place, body), *self._node(place, outside | frozenset(places[i + 1 :]))]
        return body

    def _arm(self, place: int, target: int, outside: frozenset[int]) -> Tree:
        back = self.number[target] <= self.number[place]
        if back or target in outside or self.parent[target] != place:
            return [Goto(target)]
        return self._node(target, outside)
