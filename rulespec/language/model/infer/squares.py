"""Squares of boards: steps in a direction, neighbours, and rows."""

from __future__ import annotations

from abc import abstractmethod

from rulespec.base.messages import say
from rulespec.language.expr import tree
from rulespec.language.model.board import called, without_neighbours
from rulespec.language.model.infer.advice import listed
from rulespec.language.model.infer.operators import Operators
from rulespec.language.model.names import Names
from rulespec.language.model.typed import ITEM, ON_ROW, Const, Domain, Fold, Listed, Local, Op, Table, TExpr
from rulespec.language.model.types import BOOL, Type, describe, integer

_Declared = tuple[tuple[Type, ...], Type]


class Squares(Operators):
    @abstractmethod
    def well_called(self, node: tree.Call) -> bool:
        """Whether a function exists and has the right number of arguments."""

    def step(self, node: tree.Call) -> TExpr | None:
        """The square some steps away in a direction, absent beyond the edge."""
        found = self._along(node)
        if found is None:
            return None
        table, indices = found
        by, type_ = table
        steps = self.fits(node.arguments[2], by[2]) if len(node.arguments) > 2 else Const(integer(1, 1), 1)
        return Table(type_, called("step", by[:2]), (*indices, steps)) if steps is not None else None

    def _along(self, node: tree.Call) -> tuple[_Declared, tuple[TExpr, TExpr]] | None:
        """The table of steps on a board, with a square and a direction."""
        square, way = self._square(node.arguments[0]), self.typed(node.arguments[1])
        if square is None or way is None:
            return None
        found = self.names.tables.get(called("step", (square.type, way.type)))
        if found is not None and not way.type.optional:
            return found, (square, way)
        message = say(
            "This is {type}, but a direction on `{board}` is needed.", type=describe(way.type), board=square.type.name
        )
        hint = say(
            "Directions are the members of an enum with `directions: all`, or with attributes `east` and `north`."
        )
        if not self.names.incomplete:
            self.fail("type-mismatch", message, node.arguments[1], hint)
        return None

    def _square(self, node: tree.Expr) -> TExpr | None:
        """A square of a board, never absent."""
        found = self.typed(node)
        if found is None:
            return None
        if found.type.kind != "enum" or found.type.name not in self.names.boards:
            hint = listed(say("Boards are {names}."), self.names.boards) or say(
                "Declare one under `enums:`, with `grid` or `lines`."
            )
            self.fail(
                "type-mismatch",
                say("This is {type}, but a square of a board is needed.", type=describe(found.type)),
                node,
                hint,
            )
            return None
        return self.fit(found, found.type.required(), node)

    def squares(self, node: tree.Call) -> Domain | None:
        """The neighbours of a square, or the squares in a direction from it to the edge."""
        if not self.well_called(node):
            return None
        if node.function == "ray":
            found = self._along(node)
            return squares_of(self.names, "step", found[1]) if found is not None else None
        square = self._square(node.arguments[0])
        if square is None or self.names.boards[square.type.name] is None:
            return None
        if self.names.tables.get(called("near", (square.type,))) is None:
            message, hint = without_neighbours(square.type.name)
            self.fail("no-neighbours", message, node, hint)
            return None
        return squares_of(self.names, "near", (square,))

    def no_list(self, node: tree.Call) -> None:
        """Squares stand for a domain only."""
        message = say("`{function}` means several squares, but a single value is needed.", function=node.function)
        self.fail(
            "type-mismatch",
            message,
            node,
            say("Go through them: `any(t in {function}(…) if …)`.", function=node.function),
        )

    def on_row(self, row: TExpr, square: tree.Expr) -> TExpr | None:
        """Whether a row contains a square: whether any square of it is that one."""
        squares = squares_of(self.names, "row", (row,))
        found = self.fits(square, squares.type.maybe())
        if found is None:
            return None
        same = Op(BOOL, "==", (Local(squares.type, ON_ROW), found))
        return Fold(BOOL, "any", ON_ROW, squares, same, None)

    def row(self, node: tree.Name) -> Domain | None:
        """The squares of a row; None if the name is no variable for one."""
        known = self.typed(node) if node.name in self.locals else None
        if known is None or known.type.name not in self.names.rows or known.type.optional:
            return None
        return squares_of(self.names, "row", (known,))


def squares_of(names: Names, what: str, indices: tuple[TExpr, ...]) -> Listed:
    """The squares that a table of lists has for these indices."""
    by = [index.type.required() for index in indices]
    item, count = (names.tables[called(name, by)] for name in (what, f"{what}_count"))
    assert item is not None and count is not None
    at = Local(item[0][-1], ITEM)
    type_ = item[1].required()
    number = Table(count[1], called(f"{what}_count", by), indices)
    return Listed(type_, Table(type_, called(what, by), (*indices, at)), number)
