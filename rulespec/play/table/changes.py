"""Changes of values, summed up as a player says them: a piece goes from square to square, and what changes several
times is named once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from rulespec.language.model.phrase import Phrase, number
from rulespec.language.model.steps.table import Choose
from rulespec.language.model.typed import Value
from rulespec.language.model.types import NONE

if TYPE_CHECKING:
    from rulespec.language.model.spec import Spec, StoredValue
    from rulespec.language.model.types import Type

MOST_KINDS = 4
"""So many kinds of pieces are named with the squares they are placed on; of more kinds only the number of pieces is."""

LEAST = 3
"""So many changes of one value, or places of one zone, are named together."""

MOST_PLACES = 12
"""So many places are listed of which something is true now; of more there is only their number."""

_K = TypeVar("_K")
_V = TypeVar("_V")


class Board(NamedTuple):
    """The values that say what stands on each square of a grid: `owner` whose piece it is, `kind` what it is; each ""
    without one. `marks` are truth values about it."""

    owner: str
    kind: str
    marks: tuple[str, ...]

    @property
    def values(self) -> tuple[str, ...]:
        """The values in the order of what a piece has."""
        return tuple(filter(None, (self.owner, self.kind, *self.marks)))


class Piece(NamedTuple):
    """What stands on a square: a player or NONE, a member or NONE, and whether each mark is set."""

    owner: int
    kind: int
    marks: tuple[int, ...]


@dataclass(frozen=True)
class Change(Phrase):
    """That a value has another content now. `cell` is the value and the number of its cell, `content` what is stored
    in it and `was` what was, None if that is not known. On a board, `before` and `after` are the piece on the square,
    None without one."""

    cell: tuple[str, int] = ("", 0)
    type: Type | None = None
    was: int | None = None
    content: int = NONE
    board: Board | None = None
    before: Piece | None = None
    after: Piece | None = None


@dataclass(frozen=True)
class Drawn(Phrase):
    """That something of a type is drawn at random."""

    type: Type | None = None


@lru_cache(maxsize=64)
def boards_of(spec: Spec) -> Mapping[str, Board]:
    """The board that each value on the squares of a grid belongs to, by the name of the value."""
    grids = {name for name, enum in spec.enums.items() if enum.places}
    seen = (one for one in spec.values.values() if one.title and one.definition is None and one.sight.public)
    on_grid = [one for one in seen if _grid(one) in grids]
    found = (_board([one for one in on_grid if _grid(one) == grid]) for grid in grids)
    return {name: board for board in found if board is not None for name in board.values}


def _grid(value: StoredValue) -> str:
    return value.per[0].type.name if len(value.per) == 1 else ""


def _board(values: Sequence[StoredValue]) -> Board | None:
    """The board of the values on a grid; None if none of them says whose piece or what piece stands on a square."""
    optional = [one for one in values if one.type.optional]
    owner, kind = (next((one.name for one in optional if one.type.kind == of), "") for of in ("player", "enum"))
    marks = tuple(one.name for one in values if one.type.kind == "bool")
    return Board(owner, kind, marks) if owner or kind else None


def piece(board: Board, contents: Mapping[str, int]) -> Piece | None:
    """The piece that the values of a board describe; None on an empty square."""
    owner, kind = (contents.get(name, NONE) for name in (board.owner, board.kind))
    if (owner if board.owner else kind) == NONE:
        return None
    return Piece(owner, kind, tuple(contents.get(name, 0) for name in board.marks))


@lru_cache(maxsize=64)
def turns_of(spec: Spec) -> frozenset[str]:
    """The values that say who decides next, with "" for choices whose player no value says: the next choice says it,
    too."""
    deciders = (step.by for step in spec.steps() if isinstance(step, Choose))
    return frozenset(by.name if isinstance(by, Value) and not by.arguments else "" for by in deciders)


# --- summed up --------------------------------------------------------------------------------------------------------


class Says(Protocol):
    """Makes phrases of pieces."""

    def piece(self, board: Board, piece: Piece, owned: bool = True) -> Phrase:
        """A piece, with its owner or without."""


def summed(said: Sequence[Phrase], says: Says) -> Iterator[Phrase]:
    """Changes and draws in a row as few phrases: what happens on boards, and the last content of every other cell. A
    draw that is stored is no news of its own."""
    changes = [one for one in said if isinstance(one, Change)]
    stored = {one.type for one in changes}
    yield from (
        one for one in said if not isinstance(one, Change) and not (isinstance(one, Drawn) and one.type in stored)
    )
    for board in dict.fromkeys(one.board for one in changes if one.board is not None):
        yield from _on_board(board, [one for one in changes if one.board == board], says)
    cells: dict[tuple[str, int], list[Change]] = {}
    for one in changes:
        if one.board is None:
            cells.setdefault(one.cell, []).append(one)
    yield from _listed([some[-1] for some in cells.values() if some[0].was != some[-1].content])


def _listed(news: Sequence[Change]) -> Iterator[Phrase]:
    """Changes, those of one value in one list: the numbers of a player's beads by their colours, what is true now."""
    for same in grouped((_list_of(one), one) for one in news).values():
        if len(same) < LEAST:
            yield from (Phrase("now", one.parts, kind=one.kind) for one in same)
            continue
        value, content = same[0].parts
        if content.constructor == "nothing":
            yield Phrase(
                "emptied", (Phrase(value.constructor, (), value.name), *(one.parts[0].parts[0] for one in same))
            )
            continue
        is_number = content.kind == "number"
        shared = value.parts[:-1] if is_number else value.parts[: value.constructor == "owned"]
        rest = [one.parts[0].parts[len(shared) :] for one in same]
        if not is_number and len(rest) > MOST_PLACES:
            yield Phrase("listed", (Phrase(value.constructor, shared, value.name, kind=value.kind), number(len(rest))))
            continue
        entries = (
            Phrase("tally", (*of, one.parts[1])) if is_number else Phrase("place", of)
            for one, of in zip(same, rest, strict=True)
        )
        yield Phrase("listed", (Phrase(value.constructor, shared, value.name, kind=value.kind), *entries))


def _list_of(change: Change) -> object:
    """What a change has in common with others in a list: of a number all but its last index, of a truth value the
    player; for others what nothing else has."""
    value, content = change.parts
    if content.constructor == "nothing" and len(value.parts) == 1 and value.constructor == "thing":
        return value.name, "nothing"
    if content.constructor == "true" and len(value.parts) > (value.constructor == "owned"):
        return value.name, value.parts[: value.constructor == "owned"]
    is_listed = content.kind == "number" and value.parts and value.parts[-1].constructor == "named"
    return (value.name, value.parts[:-1]) if is_listed else change.cell


def grouped(pairs: Iterable[tuple[_K, _V]]) -> dict[_K, list[_V]]:
    """What has the same key together, in the order of the first of each."""
    found: dict[_K, list[_V]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return found


# --- on a board -------------------------------------------------------------------------------------------------------


def _on_board(board: Board, changes: Sequence[Change], says: Says) -> Iterator[Phrase]:
    """What happens to the pieces on a board: they move, are taken, are placed, or turn into others."""
    net: dict[Phrase, tuple[Piece | None, Piece | None]] = {}
    for one in changes:
        (square,) = one.parts[0].parts
        net[square] = (net.get(square, (one.before, None))[0], one.after)
    left = {square: before for square, (before, after) in net.items() if before is not None and after is None}
    arrived = {square: after for square, (before, after) in net.items() if after is not None and after != before}
    came = set(arrived.values())
    for square, after in [*arrived.items()]:
        if (source := _source(left, after, len(arrived) == 1)) is not None:
            moved, before = left.pop(source), net[square][0]
            taken = (says.piece(board, before),) if before is not None else ()
            yield Phrase("goes_to", (says.piece(board, moved), source, square, *taken))
            if moved != after:
                yield _pieces("turns_into", [square], says.piece(board, moved), says.piece(board, after, False))
            del arrived[square]
    for gone, squares in grouped((one, square) for square, one in left.items()).items():
        constructor = "is_taken" if any(one.owner != gone.owner for one in came) else "leaves"
        yield _pieces(constructor, squares, says.piece(board, gone))
    changed = grouped(((net[square][0], after), square) for square, after in arrived.items())
    yield from _placed(board, {after: squares for (before, after), squares in changed.items() if before is None}, says)
    for (before, after), squares in changed.items():
        if before is not None:
            into = says.piece(board, after, before.owner != after.owner)
            yield _pieces("turns_into", squares, says.piece(board, before), into)


def _source(left: Mapping[Phrase, Piece], piece: Piece, alone: bool) -> Phrase | None:
    """The square that a piece has left: one with the same piece, else the only one with a piece of its owner."""
    same = [square for square, one in left.items() if one == piece]
    owned = [square for square, one in left.items() if one.owner == piece.owner != NONE]
    return same[0] if same else owned[0] if alone and len(owned) == 1 else None


def _placed(board: Board, placed: Mapping[Piece, Sequence[Phrase]], says: Says) -> Iterator[Phrase]:
    """Pieces that are placed, each kind with its squares; where they are too many kinds, each player's number."""
    if len(placed) <= MOST_KINDS:
        yield from (_pieces("is_placed", squares, says.piece(board, one)) for one, squares in placed.items())
        return
    for owner, numbers in grouped((one.owner, len(squares)) for one, squares in placed.items()).items():
        yield Phrase("set_up", (says.piece(board, Piece(owner, NONE, (0,) * len(board.marks))), number(sum(numbers))))


def _pieces(constructor: str, squares: Sequence[Phrase], *pieces: Phrase) -> Phrase:
    return Phrase(constructor, (*pieces, *squares), kind="one" if len(squares) == 1 else "several")
