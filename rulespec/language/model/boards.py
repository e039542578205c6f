"""Boards: enums whose members are the squares of a grid or the points of lines, directions on them, and rows.

All that depends on a board only is a table: the neighbours of a square, the square some steps away, the squares of a
row. So expressions about boards are entries of tables, and programs need nothing new for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise, product

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model.board import COMPASS, NEIGHBOURS, Board, Place, called
from rulespec.language.model.declarations import Table
from rulespec.language.model.names import Names, suggest
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.language.model.reader import Reader
from rulespec.language.model.types import NONE, Type, enum, integer

MOST_SQUARES = 400
"""Squares of a grid, at most: 20 by 20. Programs have tables by square, direction and distance."""
MOST_ROWS = 2_000
"""Rows of a board, at most. Five in a row on 20 by 20 squares are 1,152."""
MOST_ENTRIES = 100_000
"""Squares times directions times distances, at most."""

_LETTERS = re.compile(r"([a-z])\.\.([a-z])")
_NUMBERS = re.compile(r"([0-9]{1,2})\.\.([0-9]{1,2})")


@dataclass(frozen=True)
class Axis:
    """One coordinate of a grid: its name, its places from 1 or from its lowest number, and whether they are letters."""

    name: str
    places: range
    letters: bool

    def written(self, place: int) -> str:
        return chr(ord("a") + place - 1) if self.letters else str(place)


# members


def is_grid(node: Node) -> bool:
    return isinstance(node, MapNode) and isinstance(node.get("grid"), MapNode)


def squares(reader: Reader, node: Node) -> tuple[str, ...]:
    """The names of the squares of a grid, the first coordinate slowest: a letter and a number each."""
    axes = _axes(reader, mapping(node))
    return tuple("".join(_named(axes, place)) for place in product(*(axis.places for axis in axes)))


def _named(axes: tuple[Axis, Axis], place: tuple[int, ...]) -> Iterator[str]:
    """The letter of a square, then its number."""
    for axis, at in sorted(zip(axes, place, strict=True), key=lambda one: not one[0].letters):
        yield axis.written(at)


def _axes(reader: Reader, node: MapNode) -> tuple[Axis, Axis]:
    grid = mapping(node.get("grid"))
    found = [_axis(reader, key, scalar(value)) for key, value in entries(grid)]
    if len(found) != 2:
        raise Broken
    first, second = found
    if first.letters == second.letters:
        message = say(
            "Both coordinates of this grid are {what}, but a square is named by a letter and a number.",
            what=say("letters") if first.letters else say("numbers"),
        )
        reader.refuse("bad-member", message, grid, say("Write it like `{column: a..h, row: 1..8}`."))
    if (count := len(first.places) * len(second.places)) > MOST_SQUARES:
        message = say(
            "This grid has {count} squares, more than the {most_squares} that are allowed.",
            count=count,
            most_squares=MOST_SQUARES,
        )
        reader.refuse("too-wide", message, grid)
    return first, second


def _axis(reader: Reader, key: Scalar, node: Scalar) -> Axis:
    letters, numbers = _LETTERS.fullmatch(node.text), _NUMBERS.fullmatch(node.text)
    if letters is not None:
        low, high = (ord(letter) - ord("a") + 1 for letter in letters.groups())
    elif numbers is not None:
        low, high = map(int, numbers.groups())
    else:
        raise Broken
    if low > high:
        reader.refuse(
            "empty-range",
            say("The range {range} is empty.", range=node.text),
            node,
            say("Write the smaller end first."),
        )
    return Axis(key.text, range(low, high + 1), letters is not None)


def directions(node: Node) -> tuple[str, ...]:
    """The names of the directions of one kind."""
    return NEIGHBOURS.get(text(mapping(node).get("directions")), ())


def rows(reader: Reader, key: Scalar, node: MapNode) -> tuple[str, ...]:
    """The names of all rows of a length on a board: their squares, joined."""
    board, length = _board_of(reader, node), scalar(node.get("in_a_row"))
    if not isinstance(length.value, int) or length.value < 2:
        raise Broken
    found = tuple(board.rows(length.value))
    if not found:
        message = say("No row of `{text}` has {length} squares.", text=text(node.get("of")), length=length.value)
        reader.refuse(
            "bad-member", message, length, say("Write the number of squares of a row that fits on the board.")
        )
    if len(found) > MOST_ROWS:
        message = say(
            "The board has {number:,} such rows, more than the {most_rows:,} that are allowed.",
            number=len(found),
            most_rows=MOST_ROWS,
        )
        reader.refuse("too-wide", message, length)
    reader.names.rows[key.text] = text(node.get("of")), found
    return tuple("_".join(board.squares[square] for square in row) for row in found)


def _board_of(reader: Reader, node: MapNode) -> Board:
    named, names = scalar(node.get("of")), reader.names
    board = names.boards.get(named.text)
    if board is None and named.text not in names.boards:
        hint = suggest(named.text, names.boards) or say("Name an enum with `grid` or `lines`.")
        reader.report("unknown-name", say("There is no board `{named}`.", named=named.text), named, hint)
    if board is None:
        raise Broken
    if board.near is None:
        message = say(
            "The board `{named}` does not say which squares are neighbours, so it has no rows.", named=named.text
        )
        reader.refuse(
            "no-neighbours", message, named, say("Add `near: all` to the board, or another kind of neighbours.")
        )
    return board


# boards


def is_board(node: MapNode) -> bool:
    return is_grid(node) or node.get("lines") is not None


def board(reader: Reader, key: Scalar, node: MapNode) -> Board:
    """The board that an enum is. Raises Broken if its squares are."""
    known = reader.names.enums.get(key.text)
    if known is None:
        raise Broken
    return _grid(reader, known, node) if is_grid(node) else _lined(reader, key, known, node)


def _grid(reader: Reader, known: tuple[str, ...], node: MapNode) -> Board:
    axes = _axes(reader, node)
    # Places are always a letter and a number, whichever coordinate is written first.
    east = 0 if axes[0].letters else 1
    places = tuple((at[east], at[1 - east]) for at in product(*(axis.places for axis in axes)))
    if node.get("near") is None:
        return Board(known, None, places)
    ways = tuple(COMPASS[name] for name in NEIGHBOURS.get(text(node.get("near")), ()))
    at = {place: number for number, place in enumerate(places)}
    around = (((x + dx, y + dy) for dx, dy in ways) for x, y in places)
    near = tuple(tuple(at[place] for place in places_ if place in at) for places_ in around)
    return Board(known, near, places, ways)


def _lined(reader: Reader, key: Scalar, known: tuple[str, ...], node: MapNode) -> Board:
    written = [items(line) for line in items(node.get("lines"))]
    if any(len(line) < 2 for line in written):
        raise Broken
    if (in_play := node.get("in_play")) is not None:
        message = say("All points of a board are in play, because its lines go through them.")
        reader.report("bad-member", message, in_play, say("Delete it, and mark points that are not used in a value."))
    lines = tuple(_line(reader, key.text, known, line) for line in written)
    # Dictionaries, as sets that keep their order: two points may be next to each other on several lines.
    near: list[dict[int, None]] = [{} for _ in known]
    for one, other in (pair for line in lines for pair in pairwise(line)):
        near[one][other] = near[other][one] = None
    for number, name in enumerate(known):
        if not near[number] and lines:
            hint = say("Add it to a line, or delete it.")
            reader.report(
                "no-neighbours", say("No line of `{key}` goes through `{name}`.", key=key.text, name=name), key, hint
            )
    return Board(known, tuple(map(tuple, near)), lines=lines)


def _line(reader: Reader, name: str, known: tuple[str, ...], nodes: Iterable[Node]) -> tuple[int, ...]:
    """The points of a line; unknown and repeated ones are reported."""
    found: list[int] = []
    for node in map(scalar, nodes):
        if node.text not in known:
            reader.report(
                "unknown-name",
                say("`{node}` is not one of `{name}`.", node=node.text, name=name),
                node,
                suggest(node.text, known),
            )
        elif known.index(node.text) in found:
            reader.report(
                "name-taken",
                say("`{node}` is on this line twice.", node=node.text),
                node,
                say("Write each point once."),
            )
        else:
            found.append(known.index(node.text))
    return tuple(found)


# tables


def attributes(reader: Reader, key: Scalar, node: Node) -> Iterator[Table]:
    """The coordinates of the squares of a grid, or those of directions, as attributes of their members."""
    if not reader.names.enums.get(key.text):
        return
    if is_grid(node):
        axes = _axes(reader, mapping(node))
        places = tuple(product(*(axis.places for axis in axes)))
        for at, axis in enumerate(axes):
            numbers = [place[at] for place in places]
            yield _attribute(key, axis.name, numbers)
    elif isinstance(node, MapNode) and isinstance(node.get("directions"), Scalar):
        for at, name in enumerate(("east", "north")):
            yield _attribute(key, name, [COMPASS[member][at] for member in directions(node)])


def _attribute(key: Scalar, name: str, numbers: list[int]) -> Table:
    type_ = integer(min(numbers), max(numbers))
    return _table(f"{key.text}.{name}", (enum(key.text),), {(at,): n for at, n in enumerate(numbers)}, type_, key.span)


def _table(name: str, by: tuple[Type, ...], cells: Mapping[tuple[int, ...], int], type_: Type, span: Span) -> Table:
    return Table(name, by, cells, type_, frozenset(), span, computed=True)


def tables(reader: Reader, keys: Mapping[str, Scalar], known: Mapping[str, Table]) -> Iterator[Table]:
    """The tables of all boards: `near` by square and number, `step` by square, direction and distance, `row` by row and
    number; `near_count` and `step_count` are how many there are. A board has a table of its squares by their
    coordinates, and an enum of directions those of the directions between squares, of opposites and of turns."""
    names = reader.names
    names.ways.update(_directions(names, known))
    for name, one in names.boards.items():
        if one is not None and one.near is not None:
            lists: dict[tuple[int, ...], tuple[int, ...]] = {(at,): near for at, near in enumerate(one.near)}
            yield from _lists("near", (enum(name),), lists, keys[name])
        if one is not None and one.places:
            yield from _coordinates(name, [t for t in known.values() if t.name.startswith(f"{name}.")], keys[name])
            for ways, offsets in names.ways.items():
                yield from _steps(reader, name, one, keys[ways], offsets)
                if len(one.squares) ** 2 <= MOST_ENTRIES:
                    yield _between(name, one, keys[ways], offsets)
    for name, offsets in names.ways.items():
        number, way = {offset: at for at, offset in enumerate(offsets)}, enum(name)
        cells: dict[tuple[int, ...], int]
        cells = {(at,): number.get((-east, -north), NONE) for at, (east, north) in enumerate(offsets)}
        yield _table(
            called("opposite", (way,)), (way,), cells, way.maybe() if NONE in cells.values() else way, keys[name].span
        )
        ring = range(len(offsets))
        cells = {(at, places): (at + places) % len(ring) for at, places in product(ring, ring)}
        yield _table(called("clockwise", (way,)), (way, integer(0, len(ring) - 1)), cells, way, keys[name].span)
    for name, (on, found) in names.rows.items():
        rows_: dict[tuple[int, ...], tuple[int, ...]] = {(at,): row for at, row in enumerate(found)}
        yield from _lists("row", (enum(name),), rows_, keys[name], enum(on))


def _directions(names: Names, known: Mapping[str, Table]) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """The enums of directions: their members have whole numbers as attributes `east` and `north`."""
    for name in names.enums:
        found = [known.get(f"{name}.{attribute}") for attribute in ("east", "north")]
        both = [table for table in found if table is not None and table.type.kind == "int" and not table.type.optional]
        if len(both) == 2:
            east, north = both
            yield name, tuple((east.entry((at,)), north.entry((at,))) for at in range(len(east.rows)))


def _steps(reader: Reader, name: str, on: Board, ways: Scalar, offsets: tuple[Place, ...]) -> Iterator[Table]:
    longest = max(max(axis) - min(axis) for axis in zip(*on.places, strict=True)) + 1
    if (total := len(on.squares) * len(offsets) * longest) > MOST_ENTRIES:
        message = say(
            "The {squares} squares of `{name}`, {number} directions and {steps} distances are {total:,} combinations, "
            "more than the {most_entries:,} that are allowed.",
            squares=len(on.squares),
            name=name,
            number=len(offsets),
            steps=longest,
            total=total,
            most_entries=MOST_ENTRIES,
        )
        hint = say("Declare fewer directions in this enum, or choose a board with shorter sides.")
        reader.report("too-wide", message, ways, hint)
        reader.names.incomplete = True
        return
    cells, counts = dict[tuple[int, ...], int](), dict[tuple[int, ...], int]()
    for square, (number, way) in product(range(len(on.squares)), enumerate(offsets)):
        # The direction that leads nowhere stays on its square however many steps are taken, and has no squares ahead.
        stays = way == (0, 0)
        line = (square,) * longest if stays else tuple(on.along(square, way))
        cells |= {(square, number, n): line[n] if n < len(line) else NONE for n in range(longest)}
        counts[square, number] = 0 if stays else len(line) - 1
    by = (enum(name), enum(ways.text))
    yield _table(called("step", by), (*by, integer(0, longest - 1)), cells, enum(name).maybe(), ways.span)
    yield _table(called("step_count", by), by, counts, _numbers(counts.values()), ways.span)


def _between(name: str, on: Board, ways: Scalar, offsets: tuple[Place, ...]) -> Table:
    """The first direction in which a square lies from another one."""
    squares_ = range(len(on.squares))
    cells: dict[tuple[int, ...], int] = dict.fromkeys(product(squares_, squares_), NONE)
    for square, (number, way) in product(squares_, enumerate(offsets)):
        for other in () if way == (0, 0) else islice(on.along(square, way), 1, None):
            if cells[square, other] == NONE:
                cells[square, other] = number
    by = (enum(name), enum(name))
    return _table(called(ways.text, by), by, cells, enum(ways.text).maybe(), ways.span)


def _coordinates(name: str, axes: Iterable[Table], key: Scalar) -> Iterator[Table]:
    """The squares of a grid by their coordinates, absent beyond the edge; those with one coordinate, in order."""
    squares_: dict[tuple[int, ...], int] = {}
    wide: list[Type] = []
    for axis in axes:
        low, high = axis.type.low, axis.type.high
        # As far beyond each edge as the board is long: the sum of two coordinates, or their difference, is an index.
        wide.append(integer(2 * low - high - 1, 2 * high - low + 1))
        lists: dict[tuple[int, ...], tuple[int, ...]] = {(at,): () for at in range(low, high + 1)}
        for at, place in axis.rows.items():
            lists[place,] += at
        yield from _lists(f"on {axis.name}", (integer(low, high),), lists, key, enum(name))
    first, second = axes
    for (square,), place in first.rows.items():
        squares_[place, second.entry((square,))] = square
    cells = {at: squares_.get(at, NONE) for at in product(*(range(one.low, one.high + 1) for one in wide))}
    yield _table(called(name, wide), tuple(wide), cells, enum(name).maybe(), key.span)


_Lists = Mapping[tuple[int, ...], tuple[int, ...]]


def _lists(what: str, by: tuple[Type, ...], lists: _Lists, key: Scalar, of: Type | None = None) -> Iterator[Table]:
    """A table of lists by their keys and the numbers of their items from 1, and one of their lengths."""
    longest, item = max(map(len, lists.values()), default=0), of or by[0]
    # No square has a neighbour, as on a board of one square. A range of numbers cannot be empty, so there is no table.
    if longest == 0:
        return
    cells = {(*at, n + 1): one[n] if n < len(one) else NONE for at, one in lists.items() for n in range(longest)}
    counts = {at: len(one) for at, one in lists.items()}
    yield _table(called(what, by), (*by, integer(1, longest)), cells, item.maybe(), key.span)
    yield _table(called(f"{what}_count", by), by, counts, _numbers(counts.values()), key.span)


def _numbers(found: Iterable[int]) -> Type:
    numbers = sorted(found)
    return integer(numbers[0], numbers[-1])
