"""The state of a game as one player sees it, in few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from ftk_cli.report.display import width
from rulespec.base.characters import capital
from rulespec.base.messages import Message, counted, say
from rulespec.language.model.phrase import Phrase
from rulespec.play.table.story import Story
from rulespec.play.table.values import Board, Square, values_of

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.states.state import State

MOST_FACES = 14
"""A zone with more kinds of cards is only counted: `?` shows them."""

WIDE = 10**6
"""The width of a terminal that breaks no lines."""

SIDES = "●○▲△■□"
"""The sign of the pieces of each player, which no color is needed for; further players have their number."""

Row = tuple[str, list[str]]
"""A row of a table: its title, and a word for each column."""


def view(state: State, story: Story, columns: int = WIDE) -> Iterator[str]:
    """The values, then the zones that hold something; the story's player sees what they may. No table is wider than
    `columns`."""
    yield from values(state, story, columns)
    yield from zones(state, story)


def values(state: State, story: Story, most: int) -> Iterator[str]:
    """What is on the squares of a grid as a board, single values on one line, the others as tables that share their
    heads."""
    found = values_of(state, story.player, story.words)
    for board in found.boards:
        yield from _board(board, story, most)
    if found.single:
        singles = (say("{value}: {content}", value=one.title, content=one.word) for one in found.single)
        yield "  " + " · ".join(map(story.words.of, singles))
    for table in found.tables:
        if table.rows:
            rows = [(row.title, list(row.words)) for row in table.rows]
            yield from _fitting([("", [column.word for column in table.columns]), *rows], most)


def _board(board: Board, story: Story, most: int) -> Iterator[str]:
    """What lies on a board: the highest row first, a dot for nothing. Each side has a sign; words that would make the
    board too wide are shortened, and said above it."""
    columns, rows = (sorted({(one.column, one.row)[axis] for one in board.squares}) for axis in (0, 1))
    players = sorted({one.player for one in board.squares if one.player is not None})
    sides = {player: SIDES[player] if player < len(SIDES) else str(player + 1) for player in players}
    words = {one.word: one.word for one in board.squares if one.word}

    def on(square: Square) -> str:
        side = "" if square.player is None else sides[square.player]
        return side + words.get(square.word, "") or "·"

    def drawn() -> tuple[dict[tuple[int, int], str], int]:
        shown = {(one.column, one.row): on(one) for one in board.squares}
        return shown, max(map(width, shown.values()))

    shown, wide = drawn()
    notes = [f"{sign} {story.words.player(player)}" for player, sign in sides.items()]
    if players and 6 + (wide + 1) * len(columns) > most:
        words = {word: _shortened(word, words) for word in words}
        notes += [f"{short} {word}" for word, short in words.items()]
        shown, wide = drawn()
    titled = say("{value}: {content}", value=board.title, content=" · ".join(notes))
    yield f"  {story.words.of(titled) if notes else board.title}"
    for row in reversed(rows):
        yield f"  {row:>3} " + " ".join(_pad(shown[column, row], wide) for column in columns).rstrip()
    yield "      " + " ".join(_pad(chr(ord("a") + column - 1), wide) for column in columns).rstrip()


def _shortened(word: str, words: Iterable[str]) -> str:
    """The shortest beginning of a word that no other word has."""
    starts = (word[:end] for end in range(1, len(word)))
    return next((one for one in starts if not any(o.startswith(one) for o in words if o != word)), word)


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


def zones(state: State, story: Story, most: int = MOST_FACES) -> Iterator[str]:
    """What the player sees card by card, own zones last where the eye goes; then those they only see the size of. Zones
    with more than `most` kinds of cards are only counted."""
    game, of = state.game, story.words.of

    def named(number: int) -> str:
        return capital(worded(story, story.narrator.zone(number), "alone"))

    filled = [number for number, held in enumerate(state.z) if held]
    seen = [number for number in filled if story.narrator.observer.observes(number)]
    own = [number for number in seen if _owner(game, number) == story.player]
    for number in (*(n for n in seen if n not in own), *own):
        shown = say("{value}: {content}", value=named(number), content=_faces(state, story, number, most))
        yield f"  {of(shown)}"
    sizes = {named(number): cards(len(state.z[number])) for number in filled if number not in seen}
    if sizes:
        hidden = (say("{value}: {content}", value=zone, content=size) for zone, size in sizes.items())
        yield "  " + " · ".join(map(of, hidden))


def _owner(game: Ruleset, zone: int) -> int | None:
    name, indices = game.program.zones[zone]
    return game.spec.zones[name].owner(indices)


def cards(number: int) -> Message:
    """A number of cards in words."""
    return counted("{number} card", "{number} cards", number=number)


def worded(story: Story, phrase: Phrase, case: str = "") -> str:
    """A phrase in the words of the story."""
    return story.words.phrase(story.game.spec, phrase, case)


def _faces(state: State, story: Story, zone: int, most: int) -> str:
    game, of = state.game, story.words.of
    faces = [(game.program.faces[card], _label(state, card, story)) for card in state.z[zone]]
    counts = Counter(words for _, words in (faces if game.ordered[zone] else sorted(faces)))
    if len(counts) > most:
        return of(say("{cards} (? shows them)", cards=cards(len(faces))))
    listed = (of(say("{name} ×{number}", name=words, number=n)) if n > 1 else words for words, n in counts.items())
    return of(say("{cards}", cards=list(listed)))


def _label(state: State, card: int, story: Story) -> str:
    """A card with its titled values that differ from their start."""
    names, narrator = state.game.names, story.narrator
    notes = []
    for value, _, cell, content in names.notes(state.r, card):
        index = [narrator.word(type_, at) for type_, at in names.indices(value, cell) if type_.kind != "card"]
        to = narrator.content(value, content)
        notes.append(Phrase("note", (Phrase("thing", tuple(index), value), to), kind=to.constructor))
    named = narrator.face(state.game.program.faces[card])
    return worded(story, Phrase("noted", (named, *notes)) if notes else named)


def known(state: State, viewer: int, story: Story) -> Iterator[str]:
    """All that a player knows now, in the words of the story: every value, and every zone."""
    if story.words.is_english:
        yield from state.observation_string(viewer).split("\n")
        return
    of, narrator, seen = story.words.of, story.narrator, state.view(viewer)
    for value, cell, content in seen.values:
        held = {
            "value": worded(story, narrator.value(value, cell)),
            "content": worded(story, narrator.content(value, content), "alone"),
        }
        yield capital(of(say("{value}: {content}", **held)))
    for zone in seen.zones:
        # Of cards that lie face down: their number, those whose place is known, and those known to be among them.
        said = cards(zone.size)
        if zone.places.count(None) < len(zone.places):
            runs = [(face, sum(1 for _ in equal)) for face, equal in groupby(zone.places)]
            placed = [say("{number} unknown", number=n) if f is None else _cards(story, [f] * n) for f, n in runs]
            said = say("{cards}, bottom to top: {faces}", cards=said, faces=placed)
        if zone.known:
            known = _cards(story, sorted(zone.known.elements()))
            said = say("{cards}, known: {faces}", cards=said, faces=known)
        shown = _faces(state, story, zone.number, WIDE) if zone.visible else of(said)
        named = capital(worded(story, narrator.zone(zone.number), "alone"))
        yield of(say("{value}: {content}", value=named, content=shown if zone.size else say("empty")))


def _cards(story: Story, faces: list[int]) -> str:
    return worded(story, Phrase("cards_seen", story.narrator.cards(faces)))
