"""The state of a game as one player sees it, in few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ftk_cli.report.display import width
from rulespec.table import Story

if TYPE_CHECKING:
    from rulespec import State
    from rulespec.engine import Ruleset
    from rulespec.model import StoredValue

MOST_FACES = 14
"""A zone with more kinds of cards is only counted: `?` shows them."""

_NOTHING = ("none", "no", "")


def view(state: State, story: Story) -> Iterator[str]:
    """The values, then the zones that hold something; the story's player sees what they may."""
    yield from _values(state, story.narrator.player)
    yield from _zones(state, story)


def _values(state: State, player: int | None) -> Iterator[str]:
    """Single values on one line, values of the squares of a grid as the board, values with one index as tables that
    share their heads, the others line by line."""
    game = state.game
    contents: dict[str, dict[int, str]] = {}
    for name, cell, content in game.observers.values(state, player):
        contents.setdefault(name, {})[cell] = game.value_word(name, content)
    contents = {name: words for name, words in contents.items() if any(word not in _NOTHING for word in words.values())}
    values = {name: game.spec.values[name] for name in contents}
    single = [f"{v.title}: {contents[name][0]}" for name, v in values.items() if not v.per]
    if single:
        yield "  " + " · ".join(single)
    on_boards = {name: v for name, v in values.items() if len(v.per) == 1 and _places(game, v)}
    for name, value in on_boards.items():
        yield from _board(game, value, contents[name])
    values = {name: v for name, v in values.items() if name not in on_boards}
    for type_, first in {v.per[-1].type: v for v in values.values() if v.per}.items():
        columns = _columns(game, first)
        rows = [
            row
            for name, v in values.items()
            if v.per and v.per[-1].type == type_
            for row in _rows(game, v, contents[name], columns)
        ]
        if rows:
            yield from _table([("", [game.names.word(type_, at) for at in columns]), *rows])


def _places(game: Ruleset, value: StoredValue) -> tuple[tuple[int, int], ...]:
    """The column and the row of every square that a value is for; empty if its index is no grid."""
    type_ = value.per[0].type
    return game.spec.enums[type_.name].places if type_.kind == "enum" else ()


def _board(game: Ruleset, value: StoredValue, contents: dict[int, str]) -> Iterator[str]:
    """A value as it lies on the board: the highest row first, players by their numbers, and a dot for nothing."""
    of_players = value.type.kind == "player"
    words = {place: contents.get(at, "") for at, place in enumerate(_places(game, value))}
    shown = {
        place: "·" if word in (*_NOTHING, "0") else word.split()[-1] if of_players else word
        for place, word in words.items()
    }
    columns, rows = (sorted({place[axis] for place in shown}) for axis in (0, 1))
    cells = max(map(width, shown.values()))
    yield f"  {value.title}"
    for row in reversed(rows):
        yield f"  {row:>3} " + " ".join(_pad(shown[column, row], cells) for column in columns).rstrip()
    yield "      " + " ".join(_pad(chr(ord("a") + column - 1), cells) for column in columns).rstrip()


def _rows(
    game: Ruleset, value: StoredValue, contents: dict[int, str], columns: list[int]
) -> Iterator[tuple[str, list[str]]]:
    """A value as rows of a table whose columns are its last index: one row, or one for every content of the others."""
    width = game.setting.extent(value.per[-1].type)
    for first in sorted({cell - cell % width for cell in contents}):
        words = [contents.get(first + column - value.per[-1].type.low, "") for column in columns]
        if len(value.per) == 1 or any(word not in (*_NOTHING, "0") for word in words):
            title = value.title if len(value.per) == 1 else game.names.value_name(value.name, first, len(value.per) - 1)
            yield title, words


def _columns(game: Ruleset, value: StoredValue) -> list[int]:
    """The places of the last index of a value that are in play."""
    type_ = value.per[-1].type
    return list(game.setting.in_play(type_.name) if type_.kind == "enum" else game.setting.places(type_))


def _table(rows: list[tuple[str, list[str]]]) -> Iterator[str]:
    first = max(width(title) for title, _ in rows)
    widths = [max(width(words[i]) for _, words in rows) for i in range(len(rows[0][1]))]
    for title, words in rows:
        yield (
            "  " + _pad(title, first) + "".join("  " + _pad(word, w) for word, w in zip(words, widths, strict=True))
        ).rstrip()


def _pad(text: str, cells: int) -> str:
    return text + " " * (cells - width(text))


def _zones(state: State, story: Story) -> Iterator[str]:
    """What the player sees card by card, own zones last where the eye goes; then those they only see the size of."""
    game = state.game
    filled = [number for number, cards in enumerate(state.z) if cards]
    seen = [number for number in filled if story.narrator.observes(number)]
    own = [number for number in seen if _owner(game, number) == story.player]
    for number in (*(n for n in seen if n not in own), *own):
        yield f"  {game.zone_name(number)}: {_faces(state, number, state.z[number])}"
    hidden = [_counted(game.zone_name(number), len(state.z[number])) for number in filled if number not in seen]
    if hidden:
        yield "  " + " · ".join(hidden)


def _owner(game: Ruleset, zone: int) -> int | None:
    name, indices = game.program.zones[zone]
    return game.spec.zones[name].owner(indices)


def _counted(name: str, cards: int) -> str:
    return f"{name}: {cards} card{'' if cards == 1 else 's'}"


def _faces(state: State, zone: int, cards: Iterable[int]) -> str:
    game = state.game
    faces = [(game.program.faces[card], game.names.card_label(state.r, card)) for card in cards]
    counts = Counter(words for _, words in (faces if game.ordered[zone] else sorted(faces)))
    if len(counts) > MOST_FACES:
        return f"{len(faces)} cards (? shows them)"
    return ", ".join(words + (f" ×{number}" if number > 1 else "") for words, number in counts.items())
