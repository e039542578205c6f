"""Squares that are reached, found by breadth-first search with marks and a queue. The marks of few squares are the bits
of a variable; those of more are an array, since a processor waits for a word that it has just written."""

from __future__ import annotations

from dataclasses import replace

from rulespec.engine.backend.analyses.hoisting import registers_read
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import Code, assign, call, increase, loop, unite, when
from rulespec.engine.backend.tree.writer import Writer
from rulespec.engine.program import ir


def word_of(w: Writer, node: ir.Reached) -> Code:
    """One word of what is reached. For a word that is set right after another one, the search is not written again."""
    search, sought = _Search(w, node), replace(node, first=0)
    if search.in_bits:
        return search.written()
    block, after, before, marks = w.searched or (None, 0, None, None)
    if block is not w.block or after != len(block) or before != sought or marks is None:
        marks = search.written()
    bits = search.packed(marks)
    w.searched = w.block, len(w.block) + 1, sought, marks
    return bits


class _Search:
    """Writes a search."""

    def __init__(self, w: Writer, node: ir.Reached) -> None:
        self.w, self.node, self.in_bits = w, node, node.size <= ir.WORD

    def written(self) -> Code:
        """Writes the search; the variable or the array with the marks."""
        w, node = self.w, self.node
        self.marks = w.name("f") if self.in_bits else w.scratch(node.size)
        self.queue, self.count, done = w.scratch(node.size), w.name("k"), w.name("k")
        w.put(assign(0, self.count))
        if self.in_bits:
            w.put(assign(0, self.marks))
        else:
            with w.inside(loop(place := w.name("i"), call("range", 0, node.size))):
                w.put(assign(0, self.marks[place]))
        self._begin()
        w.put(assign(0, done))
        with w.inside(syntax.repeat(done < self.count)):
            w.put(assign(self.queue[done], w.register(node.slot)), increase(done, 1))
            with w.each(node.near, node.way):
                ahead = w.register(node.ahead)
                w.put(assign(w.value(node.item), ahead))
                is_marked = self.marks >> ahead & 1 if self.in_bits else self.marks[ahead]
                with w.inside(when(syntax.negation(is_marked))), w.inside(when(w.test(node.condition))):
                    self._add(ahead)
        return self.marks

    def packed(self, marks: Code) -> Code:
        """Writes: the bits of one word of the marks."""
        w, first = self.w, self.node.first
        bits, place = w.name("f"), w.name("i")
        w.put(assign(0, bits))
        with w.inside(loop(place, call("range", first, min(first + ir.WORD, self.node.size)))):
            w.put(unite(bits, marks[place] << place - first))
        return bits

    def _begin(self) -> None:
        """Writes: add the squares to start from."""
        w, node, square = self.w, self.node, self.w.register(self.node.slot)
        if (only := self._only()) is not None:
            w.put(assign(w.value(only), square))
            with w.inside(when(syntax.within(0, square, node.size))):
                self._add(square)
            return
        with w.each(node.squares, node.slot), w.inside(when(w.test(node.start))):
            self._add(square)

    def _only(self) -> ir.Expr | None:
        """The square that the search starts from, if the condition says which one it is."""
        node, start, own = self.node, self.node.start, ir.Register(self.node.slot)
        if not isinstance(start, ir.Operation) or start.operator != "==" or own not in start.arguments:
            return None
        (other,) = [one for one in start.arguments if one != own] or [own]
        everything = node.squares.values == tuple(range(node.size))
        return other if everything and node.slot not in registers_read(other) else None

    def _add(self, square: Code) -> None:
        mark = unite(self.marks, syntax.number(1) << square) if self.in_bits else assign(1, self.marks[square])
        self.w.put(mark, assign(square, self.queue[self.count]), increase(self.count, 1))
