"""Control flow structuring: jumps become loops, branches and breaks, which is all that Python has.

After Ramsey, "Beyond Relooper" (2022): the dominator tree says what nests in what. Programs come from structured rules,
so every loop has one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from rulespec.engine.program import ir

Tree = list["Plain | Fork | Loop | Labelled | Goto"]


@dataclass(frozen=True)
class Plain:
    """The work of one instruction, without its successors. `place` is its position in the program."""

    place: int
    size: ClassVar[int] = 1


@dataclass(frozen=True)
class Fork:
    """The work of an instruction with several successors, and the tree of each."""

    place: int
    arms: tuple[Tree, ...]

    @cached_property
    def size(self) -> int:
        return 1 + sum(map(size, self.arms))


@dataclass(frozen=True)
class Loop:
    """Repeats until something in it leaves; a Goto to `head` continues the loop."""

    head: int
    body: Tree

    @cached_property
    def size(self) -> int:
        return size(self.body)


@dataclass(frozen=True)
class Labelled:
    """A labelled block: a Goto to `end` from anywhere inside leaves it."""

    end: int
    body: Tree

    @cached_property
    def size(self) -> int:
        return size(self.body)


@dataclass(frozen=True)
class Goto:
    place: int
    size: ClassVar[int] = 0


def size(tree: Tree) -> int:
    """The number of instructions that a tree writes."""
    return sum(item.size for item in tree)


def goes_on(i: ir.Instruction, place: int, follows: Sequence[int], when: ir.Role = ir.Role.WAYS) -> tuple[int, ...]:
    """The successors of an instruction; `follows` is a result of `closures.onward`."""
    return tuple(follows[to] for to in ir.ways(i, place, when))


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

    def _node(self, place: int, outside: frozenset[int], head: int | None = None) -> Tree:
        """The tree from a place on. `outside` are the places that an enclosing node writes, `head` is that of the loop
        whose body this is. Only what nests is recursive, since a game may have thousands of steps in a sequence."""
        tree: Tree = []
        following: int | None = place
        while following is not None:
            body, following = self._first(following, outside, head)
            tree += body
        return tree

    def _first(self, place: int, outside: frozenset[int], head: int | None) -> tuple[Tree, int | None]:
        """The beginning of that tree, and the place that follows it."""
        if place in self.loops and place != head:
            loop = self.loops[place]
            # What follows a loop is written after it, even if a place inside dominates it.
            leaving = {c for p in loop for c in self.children[p] if c not in loop and c not in outside}
            return self._followed([Loop(place, self._node(place, outside | leaving, place))], leaving, outside)
        targets = self.after[place]
        if len(targets) == 1:
            written = self._elsewhere(place, targets[0], outside)
            return ([Plain(place), Goto(targets[0])], None) if written else ([Plain(place)], targets[0])
        merges = {c for c in self.children[place] if c not in outside and self._merges(c)}
        inner = outside | merges
        return self._followed([Fork(place, tuple(self._arm(place, t, inner) for t in targets))], merges, outside)

    def _merges(self, place: int) -> bool:
        return sum(self.number[p] < self.number[place] for p in self.before[place]) > 1

    def _followed(self, body: Tree, ends: set[int], outside: frozenset[int]) -> tuple[Tree, int | None]:
        """A tree in labelled blocks for jumps to these places, and the last of the places, which follows it."""
        places = sorted(ends, key=self.number.__getitem__)
        for i, place in enumerate(places[:-1], 1):
            body = [Labelled(place, body), *self._node(place, outside.union(places[i:]))]
        return ([Labelled(places[-1], body)], places[-1]) if places else (body, None)

    def _arm(self, place: int, target: int, outside: frozenset[int]) -> Tree:
        return [Goto(target)] if self._elsewhere(place, target, outside) else self._node(target, outside)

    def _elsewhere(self, place: int, target: int, outside: frozenset[int]) -> bool:
        """Whether a successor is not written where it is reached from here."""
        back = self.number[target] <= self.number[place]
        return back or target in outside or self.parent[target] != place
