"""The state of a game as one player sees it, in few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ftk_cli.report.display import width
from rulespec.messages import NOTHING, Message, counted, say
from rulespec.table import Story

if TYPE_CHECKING:
    from rulespec import State
    from rulespec.engine import Ruleset
    from rulespec.model import StoredValue

MOST_FACES = 14
"""A zone with more kinds of cards is only counted: `?` shows them."""

WIDE = 10**6
"""The width of a terminal that breaks no lines."""

Row = tuple[str, list[str]]
"""A row of a table: its title, and a word for each column."""

_NOTHING = ("none", "no", "")


def view(state: State, story: Story, columns: int = WIDE) -> Iterator[str]:
    """The values, then the zones that hold something; the story's player sees what they may. No table is wider than
    `columns`."""
    yield from values(state, story, columns)
    yield from zones(state, story)


def values(state: State, story: Story, most: int) -> Iterator[str]:
    """Single values on one line, values of the squares of a grid as the board, values with one index as tables that
    share their heads, the others line by line."""
    game, of = state.game, story.words.of
    contents: dict[str, dict[int, Message]] = {}
    for name, cell, content in game.observers.values(state, story.player):
        contents.setdefault(name, {})[cell] = story.narrator.content(name, content)
    contents = {name: words for name, words in contents.items() if any(word not in _NOTHING for word in words.values())}
    values = {name: game.spec.values[name] for name in contents}
    single = [f"{of(say(v.title))}: {of(contents[name][0])}" for name, v in values.items() if not v.per]
    if single:
        yield "  " + " · ".join(single)
    on_boards = {name: v for name, v in values.items() if len(v.per) == 1 and _places(game, v)}
    for name, value in on_boards.items():
        yield from _board(game, value, contents[name], of(say(value.title)))
    values = {name: v for name, v in values.items() if name not in on_boards}
    for type_, first in {v.per[-1].type: v for v in values.values() if v.per}.items():
        columns = _columns(game, first)
        rows = [
            row
            for name, v in values.items()
            if v.per and v.per[-1].type == type_
            for row in _rows(story, v, contents[name], columns)
        ]
        if rows:
            yield from _fitting([("", [of(story.narrator.word(type_, at)) for at in columns]), *rows], most)


def _places(game: Ruleset, value: StoredValue) -> tuple[tuple[int, int], ...]:
    """The column and the row of every square that a value is for; empty if its index is no grid."""
    type_ = value.per[0].type
    return game.spec.enums[type_.name].places if type_.kind == "enum" else ()


def _board(game: Ruleset, value: StoredValue, contents: dict[int, Message], title: str) -> Iterator[str]:
    """A value as it lies on the board: the highest row first, players by their numbers, and a dot for nothing."""
    of_players = value.type.kind == "player"
    words = {place: contents.get(at, "") for at, place in enumerate(_places(game, value))}
    shown = {
        place: "·" if word in (*_NOTHING, "0") else word.split()[-1] if of_players else word
        for place, word in words.items()
    }
    columns, rows = (sorted({place[axis] for place in shown}) for axis in (0, 1))
    cells = max(map(width, shown.values()))
    yield f"  {title}"
    for row in reversed(rows):
        yield f"  {row:>3} " + " ".join(_pad(shown[column, row], cells) for column in columns).rstrip()
    yield "      " + " ".join(_pad(chr(ord("a") + column - 1), cells) for column in columns).rstrip()


def _rows(
    story: Story, value: StoredValue, contents: dict[int, Message], columns: list[int]
) -> Iterator[tuple[str, list[str]]]:
    """A value as rows of a table whose columns are its last index: one row, or one for every content of the others."""
    game, of = story.game, story.words.of
    width = game.setting.extent(value.per[-1].type)
    for first in sorted({cell - cell % width for cell in contents}):
        words = [contents.get(first + column - value.per[-1].type.low, NOTHING) for column in columns]
        if len(value.per) == 1 or any(word not in (*_NOTHING, "0") for word in words):
            said = [of(word) for word in words]
            title = value.title if len(value.per) == 1 else game.names.value_name(value.name, first, len(value.per) - 1)
            yield of(say(title)), said


def _columns(game: Ruleset, value: StoredValue) -> list[int]:
    """The places of the last index of a value that are in play."""
    type_ = value.per[-1].type
    return list(game.setting.in_play(type_.name) if type_.kind == "enum" else game.setting.places(type_))


def _fitting(rows: list[Row], most: int) -> Iterator[str]:
    """A table; with rows for columns if it is too wide; else each row in one line that can be broken between words."""
    (_, heads), *others = rows
    turned = [("", [title for title, _ in others]), *((h, [w[i] for _, w in others]) for i, h in enumerate(heads))]
    for shape in (rows, turned):
        lines = list(_table(shape))
        if max(map(width, lines)) <= most:
            yield from lines
            return
    for title, words in others:
        yield f"  {title}: " + " · ".join(f"{head} {word}" for head, word in zip(heads, words, strict=True) if word)


def _table(rows: list[tuple[str, list[str]]]) -> Iterator[str]:
    first = max(width(title) for title, _ in rows)
    widths = [max(width(words[i]) for _, words in rows) for i in range(len(rows[0][1]))]
    for title, words in rows:
        yield (
            "  " + _pad(title, first) + "".join("  " + _pad(word, w) for word, w in zip(words, widths, strict=True))
        ).rstrip()


def _pad(text: str, cells: int) -> str:
    return text + " " * (cells - width(text))


def zones(state: State, story: Story) -> Iterator[str]:
    """What the player sees card by card, own zones last where the eye goes; then those they only see the size of."""
    game, of = state.game, story.words.of

    def named(number: int) -> str:
        return of(story.narrator.zone(number))

    filled = [number for number, cards in enumerate(state.z) if cards]
    seen = [number for number in filled if story.narrator.observes(number)]
    own = [number for number in seen if _owner(game, number) == story.player]
    for number in (*(n for n in seen if n not in own), *own):
        yield f"  {named(number)}: {_faces(state, story, number)}"
    hidden = [f"{named(number)}: {of(cards(len(state.z[number])))}" for number in filled if number not in seen]
    if hidden:
        yield "  " + " · ".join(hidden)


def _owner(game: Ruleset, zone: int) -> int | None:
    name, indices = game.program.zones[zone]
    return game.spec.zones[name].owner(indices)


def cards(number: int) -> Message:
    """A number of cards in words."""
    return counted("{number} card", "{number} cards", number=number)


def _faces(state: State, story: Story, zone: int) -> str:
    game, of = state.game, story.words.of
    faces = [(game.program.faces[card], of(_label(state, card))) for card in state.z[zone]]
    counts = Counter(words for _, words in (faces if game.ordered[zone] else sorted(faces)))
    if len(counts) > MOST_FACES:
        return of(say("{cards} (? shows them)", cards=cards(len(faces))))
    return ", ".join(words + (f" ×{number}" if number > 1 else "") for words, number in counts.items())


def _label(state: State, card: int) -> Message:
    """A card with its titled values that differ from their start."""
    name, label = state.game.card_name(card), state.game.names.card_label(state.r, card)
    return say("{card}{notes}", card=say(name), notes=label.removeprefix(name))
