"""The values of a game as they are shown: single ones, boards, and tables whose rows share their columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rulespec.base.messages import say
from rulespec.language.model.types import NONE
from rulespec.play.table import changes as pieces
from rulespec.play.table.changes import boards_of
from rulespec.play.table.words import PLAIN, Words

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.states.state import State
    from rulespec.language.model.spec import StoredValue
    from rulespec.language.model.types import Type

_NOTHING = ("none", "no", "")
"""A value that holds nothing else is not shown."""

_EMPTY = (*_NOTHING, "0")
"""What is empty on a board, or in a row of a table that has many rows for a value."""

_ABSENT = "–"
"""What stands in a table for a value that is absent."""

Cells = Mapping[int, int]
"""What the cells of a value hold, as far as they are known."""


@dataclass(frozen=True)
class Single:
    """A value without an index."""

    title: str
    word: str


@dataclass(frozen=True)
class Square:
    """A square of a board: where it lies, its place in its enum with its name, and what is on it: "" for nothing, or
    for a piece that only its owner is known of. `player` is the seat of the owner, if pieces have one."""

    column: int
    row: int
    at: int
    name: str
    word: str
    player: int | None


@dataclass(frozen=True)
class Board:
    """What is on the squares of a grid, which are members of the enum `type`: a value, or all values of its pieces."""

    title: str
    type: str
    squares: tuple[Square, ...]


@dataclass(frozen=True)
class Column:
    """A place of the index that the columns of a table are."""

    at: int
    word: str


@dataclass(frozen=True)
class Line:
    """A row of a table: a word for each column, "" where it is not known."""

    title: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """Values with the same last index, which is of the kind or the enum `type`."""

    type: str
    columns: tuple[Column, ...]
    rows: tuple[Line, ...]


@dataclass(frozen=True)
class Values:
    """All values that say something to a player."""

    single: tuple[Single, ...]
    boards: tuple[Board, ...]
    tables: tuple[Grid, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return asdict(self)


def values_of(state: State, seat: int | None, words: Words = PLAIN) -> Values:
    """What a seat (None: an observer of everything) may know of the values, in the words of a language."""
    shown = _Shown(state.game, words)
    contents = {name: cells for name, cells in _contents(state, seat).items() if not shown.is_nothing(name, cells)}
    declared = {name: state.game.spec.values[name] for name in contents}
    boards = [name for name, value in declared.items() if shown.places(value)]
    tables: dict[Type, list[str]] = {}
    for name, value in declared.items():
        if value.per and name not in boards:
            tables.setdefault(value.per[-1].type, []).append(name)
    return Values(
        tuple(shown.single(name, contents[name]) for name, value in declared.items() if not value.per),
        tuple(shown.boards(boards, contents)),
        tuple(shown.table(type_, {name: contents[name] for name in names}) for type_, names in tables.items()),
    )


def _contents(state: State, seat: int | None) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for name, cell, content in state.game.viewers.values(state, seat):
        found.setdefault(name, {})[cell] = content
    return found


class _Shown:
    """The values of a game in the words of a language."""

    def __init__(self, game: Ruleset, words: Words) -> None:
        self._game, self._words = game, words

    def is_nothing(self, name: str, cells: Cells) -> bool:
        return all(self._game.value_word(name, content) in _NOTHING for content in cells.values())

    def _is_empty(self, name: str, content: int | None) -> bool:
        return content is None or self._game.value_word(name, content) in _EMPTY

    def places(self, value: StoredValue) -> tuple[tuple[int, int], ...]:
        """The column and the row of every square that a value is for; empty if its index is no grid."""
        if len(value.per) != 1 or value.per[0].type.kind != "enum":
            return ()
        return self._game.spec.enums[value.per[0].type.name].places

    def _title(self, value: StoredValue) -> str:
        return self._words.of(say(value.title or value.name))

    def _word(self, value: StoredValue, content: int | None) -> str:
        if content is None:
            return ""
        return self._words.word(self._game, value.type, content) or _ABSENT

    def single(self, name: str, cells: Cells) -> Single:
        value = self._game.spec.values[name]
        return Single(self._title(value), self._word(value, cells[0]))

    def boards(self, names: Sequence[str], contents: Mapping[str, Cells]) -> Iterator[Board]:
        """The boards of these values: one for whose pieces stand where, what they are and what is true of them, and one
        for each other value."""
        owned = {name: board for name, board in boards_of(self._game.spec).items() if board.owner in contents}
        for name in names:
            is_owner = self._game.spec.values[name].type.kind == "player"
            board = owned.get(name) or (pieces.Board(name, "", ()) if is_owner else pieces.Board("", name, ()))
            if name in (board.owner or name):
                yield self._board(board, contents)

    def _board(self, board: pieces.Board, contents: Mapping[str, Cells]) -> Board:
        values = [self._game.spec.values[name] for name in board.values if name in contents]
        squares = (
            Square(*place, at, self._game.names.word(values[0].per[0].type, at), *self._on(board, contents, at))
            for at, place in enumerate(self.places(values[0]))
        )
        shown = [value for value in values if value.name not in board.marks]
        return Board(", ".join(map(self._title, shown)), values[0].per[0].type.name, tuple(squares))

    def _on(self, board: pieces.Board, contents: Mapping[str, Cells], at: int) -> tuple[str, int | None]:
        """The words for what is on a square, and the seat of its owner."""
        player = contents.get(board.owner, {}).get(at, NONE)
        found = {name: contents.get(name, {}).get(at) for name in (board.kind, *board.marks) if name in contents}
        kept = {name: content for name, content in found.items() if not self._is_empty(name, content)}
        words = (
            self._title(value) if name in board.marks else self._word(value, content)
            for name, content in kept.items()
            for value in [self._game.spec.values[name]]
        )
        return ", ".join(words), None if player == NONE else player

    def table(self, type_: Type, values: Mapping[str, Cells]) -> Grid:
        setting = self._game.setting
        places = list(setting.in_play(type_.name) if type_.kind == "enum" else setting.places(type_))
        columns = tuple(Column(at, self._words.word(self._game, type_, at)) for at in places)
        rows = (row for name, cells in values.items() for row in self._rows(name, cells, places))
        return Grid(type_.name or type_.kind, columns, tuple(rows))

    def _rows(self, name: str, cells: Cells, columns: list[int]) -> Iterator[Line]:
        """A value as rows of a table whose columns are its last index: one, or one for all places of the others."""
        value = self._game.spec.values[name]
        last = value.per[-1].type
        wide = self._game.setting.extent(last)
        for first in sorted({cell - cell % wide for cell in cells}):
            found = [cells.get(first + column - last.low) for column in columns]
            if len(value.per) == 1 or not all(self._is_empty(name, one) for one in found):
                yield Line(self._row_title(value, first), tuple(self._word(value, one) for one in found))

    def _row_title(self, value: StoredValue, cell: int) -> str:
        others = self._game.names.indices(value.name, cell)[:-1]
        if not others:
            return self._title(value)
        index = [self._words.word(self._game, type_, at) for type_, at in others]
        return self._words.of(say("{value} ({index})", value=self._title(value), index=index))
