"""Squares of boards: steps in a direction, neighbours, and rows."""

from __future__ import annotations

from abc import abstractmethod

from rulespec.base.messages import say
from rulespec.language.expr import tree
from rulespec.language.model.board import called, without_neighbours
from rulespec.language.model.infer.advice import listed
from rulespec.language.model.infer.operators import Operators
from rulespec.language.model.names import Names
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.typed import ITEM, ON_ROW, Const, Domain, Fold, Listed, Local, Op, Table, TExpr
from rulespec.language.model.types import BOOL, Type, describe, enum, integer

_Declared = tuple[tuple[Type, ...], Type]
_NUMBER = integer(0, 0)
_DIRECTIONS = say(
    "Directions are the members of an enum with `directions: all`, or with attributes `east` and `north`."
)


class Squares(Operators):
    @abstractmethod
    def no_attribute(self, node: tree.Attribute, owner: str) -> None:
        """Reports an attribute that members of an enum do not have."""

    @abstractmethod
    def arguments(
        self, node: tree.Node, name: str, given: tuple[tree.Expr, ...], wanted: tuple[Type, ...]
    ) -> tuple[TExpr, ...] | None:
        """The typed indices of a value, a table or a zone; None after a finding."""

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
        if not self.names.incomplete:
            self.fail("type-mismatch", message, node.arguments[1], _DIRECTIONS)
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

    def member(self, node: tree.Call) -> TExpr | None:
        """An enum as a function: the square at two coordinates, or the direction from a square to another."""
        name = node.function
        if name in self.names.boards:
            # The square of a grid at two coordinates, absent beyond the edge
            declared = self.names.tables.get(called(node.function, (_NUMBER, _NUMBER)))
            indices = [self.number(argument) for argument in node.arguments]
            if declared is None or None in indices:
                return None
            within = [_within(one, by) for one, by in zip(indices, declared[0], strict=True) if one is not None]
            return Table(declared[1], called(node.function, declared[0]), tuple(within))
        square = self._square(node.arguments[0])
        found = self._square(node.arguments[1])
        if square is None or found is None or (other := self.fit(found, square.type, node.arguments[1])) is None:
            return None
        if (declared := self.names.tables.get(called(name, (square.type, square.type)))) is not None:
            return Table(declared[1], called(name, (square.type, square.type)), (square, other))
        if not self.names.incomplete:
            message = say("`{board}` is too large, or has no directions.", board=square.type.name)
            hint = say("Go through the directions: `first(d in {name} if step(…, d) == …)`.", name=name)
            self.fail("type-mismatch", message, node, hint)
        return None

    def opposite(self, node: tree.Call) -> TExpr | None:
        """The opposite of a direction, absent if the enum has none."""
        return self._turned("opposite", node)

    def clockwise(self, node: tree.Call) -> TExpr | None:
        """The direction some places further in the circle of all of them."""
        return self._turned("clockwise", node)

    def _turned(self, what: str, node: tree.Call) -> TExpr | None:
        way = self.typed(node.arguments[0])
        if way is None:
            return None
        name, type_ = called(what, (way.type,)), way.type
        if (declared := self.names.tables.get(name)) is None:
            if not self.names.incomplete:
                message = say("This is {type}, but a direction is needed.", type=describe(type_))
                self.fail("type-mismatch", message, node.arguments[0], _DIRECTIONS)
            return None
        found = self.fit(way, type_.required(), node.arguments[0])
        places = [self.number(argument) for argument in node.arguments[1:]]
        if found is None or None in places:
            return None
        ring = [_around(one, by) for one, by in zip(places, declared[0][1:], strict=True) if one is not None]
        return Table(declared[1], name, (found, *ring))

    def is_board(self, node: tree.Expr) -> bool:
        return isinstance(node, tree.Name) and node.name in self.names.boards

    def with_coordinate(self, node: tree.Index, axis: tree.Attribute) -> Domain | None:
        """The squares of a grid with one coordinate, as in `square.row[2]`."""
        assert isinstance(axis.base, tree.Name)
        attribute = f"{axis.base.name}.{axis.name}"
        what = f"on {attribute}"
        declared = self.names.tables.get(called(what, (_NUMBER,)))
        if declared is None:
            if attribute not in self.names.tables:
                self.no_attribute(axis, axis.base.name)
            return None
        found = self.arguments(node, attribute, node.arguments, declared[0][:1])
        return squares_of(self.names, what, found) if found is not None else None

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


def beside(names: Names, variable: str | None, domain: Domain | None) -> Facts:
    """What is known of a variable for a neighbour of a square: the directions between both are present, if there is one
    for each neighbour."""
    if variable is None or not isinstance(domain, Listed) or domain.item.name != called("near", (domain.type,)):
        return {}
    board, facts = names.boards[domain.type.name], dict[TExpr, Type]()
    square, other = domain.item.indices[0], Local(domain.type, variable)
    for way, offsets in names.ways.items():
        table = called(way, (domain.type, domain.type))
        if board is not None and board.places and table in names.tables and set(board.ways) <= set(offsets):
            facts |= {Table(enum(way), table, pair): enum(way) for pair in ((square, other), (other, square))}
    return facts


def _within(number: TExpr, wanted: Type) -> TExpr:
    """A coordinate as an index of a table that ends far beyond the edge of its board."""
    ends = (Const(integer(end, end), end) for end in (wanted.low, wanted.high))
    return number if wanted.accepts(number.type) else Op(wanted, "clamp", (number, *ends))


def _around(number: TExpr, wanted: Type) -> TExpr:
    """A number of places as an index of a circle."""
    length = wanted.high + 1
    return number if wanted.accepts(number.type) else Op(wanted, "%", (number, Const(integer(length, length), length)))


def squares_of(names: Names, what: str, indices: tuple[TExpr, ...]) -> Listed:
    """The squares that a table of lists has for these indices."""
    by = [index.type.required() for index in indices]
    item, count = (names.tables[called(name, by)] for name in (what, f"{what}_count"))
    assert item is not None and count is not None
    at = Local(item[0][-1], ITEM)
    type_ = item[1].required()
    number = Table(count[1], called(f"{what}_count", by), indices)
    return Listed(type_, Table(type_, called(what, by), (*indices, at)), number)
