"""Positions as pictures: SVG that needs nothing else, for the front of a page and for print. Shapes, marks and numbers
alone: it has no words, so that one picture serves all languages, unless its parts are labelled."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from rulespec.play.table.arrangement import arranged
from rulespec.play.table.scene import Scene, position_of

if TYPE_CHECKING:
    from rulespec.games.api import Spec

Data = Mapping[str, Any]

CARD = (40, 56)
"""The width and height of a card, in units; the picture is scaled to its size at the end."""
LEAST, MOST = 0.8, 1.6
"""The least scale: the smallest numbers have 9 units, so they are at least 7 pixels high; and the largest one."""
GAP = 10
MOST_CARDS, MOST_COVERED = 9, 4
MOST_CHOICES = 160
LETTER = 6.2
"""The width of a letter of a label."""
SHEET, FELT = "#f6f1e4", "#35564a"
PLAIN = {"colour": "#ece5d3", "ink": "#000"}


@dataclass(frozen=True)
class Block:
    """A part of a picture, drawn from its upper left corner. The ones with a lower `rank` are kept if there is no room
    for all; one that is `last` has a line of its own at the bottom. `title` is what it is called."""

    width: float
    height: float
    svg: str
    rank: int
    last: bool = False
    title: str = ""

    def labelled(self) -> Block:
        """The part with its title below it."""
        if not self.title:
            return self
        width = max(self.width, LETTER * len(self.title))
        label = f'<text x="{width / 2:.1f}" y="{self.height + 11:.1f}" font-size="10" text-anchor="middle" fill="#555">'
        svg = f"{_at((width - self.width) / 2, 0, self.svg)}{label}{escape(self.title)}</text>"
        return replace(self, width=width, height=self.height + 14, svg=svg)


def still(scene: Data, position: Data, width: int = 320, height: int = 200, labelled: bool = False) -> str:
    """A position as SVG of a width and a height in pixels: what lies in the middle and before the players, and the hand
    of the first seat; with the titles of its parts if it is `labelled`."""
    drawn = (block.labelled() if labelled else block for block in _Still(scene, position).blocks())
    return _picture(drawn, width, height, SHEET, shrinks=labelled)


def _picture(
    drawn: Iterable[Block], width: int, height: int, ground: str, most: float = MOST, shrinks: bool = False
) -> str:
    """Blocks on a ground, drawn at `most` so large; one that `shrinks` is no higher than they need."""
    blocks = sorted(drawn, key=lambda block: block.last)
    room = (width - 2 * GAP, height - 2 * GAP)
    while True:
        scale, lines = _fitted(blocks, room, most)
        if scale >= LEAST or len(blocks) < 2:
            break
        blocks.remove(max(blocks, key=lambda block: block.rank))
    if shrinks:
        height = min(height, math.ceil(_down(lines) * scale) + 2 * GAP)
    inner = _placed(lines, scale, width, height)
    frame = f'<rect width="{width}" height="{height}" rx="8" fill="{ground}"/>'
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif">{frame}{inner}</svg>'


def cover(spec: Spec, width: int = 320, height: int = 180) -> str:
    """The picture that one knows a game by: its boards, else a few of its cards, else all that lies on the table. The
    position is that of a random game that is always the same, some way into it."""
    players = spec.model.players
    game = spec.game(players[min(1, len(players) - 1)], engine="interpreter")
    choices = _choices(game.new_initial_state(seed=7))
    state = game.new_initial_state(seed=7)
    for seat, action in choices[: len(choices) // 2]:
        state.apply_action(action, seat)
    scene = Scene(game, arranged=arranged(spec)).to_dict()
    table = _Still(scene, position_of(state, 0))
    boards = [table.board(type_) for type_, one in scene["types"].items() if one.get("places")]
    cards = [_fan([*map(_card, _different(scene["faces"]))])] if scene["faces"] else []
    pieces = _grid([table.piece(seat) for seat in range(game.players)], 28, 28, 0)
    return _picture(boards or cards or [*table.blocks()] or [pieces], width, height, FELT, 2 * MOST)


def _different(faces: Sequence[Data]) -> Iterator[Data]:
    """A few faces, of each suit in turn: the last one, the one before it, and so on. Of their fields they have those in
    their names."""
    suits: dict[str, list[Data]] = {}
    for face in faces:
        suits.setdefault(str(face["suit"]), []).append(face)
    groups = [*suits.values()]
    some = [groups[at % len(groups)] for at in range(MOST_COVERED)]
    found = {one["name"]: one for one in (group[-1 - at % len(group)] for at, group in enumerate(some))}
    for face in found.values():
        yield {**face, "fields": [field for field in face["fields"] if field["number"] or field["named"]]}


def _choices(state: Any) -> list[tuple[int, int]]:
    """The choices of a random game, to its end or to the most that are made."""
    draw, made = random.Random(7), list[tuple[int, int]]()
    while not state.is_terminal() and len(made) < MOST_CHOICES:
        seat = state.deciders()[0]
        made.append((seat, draw.choice(state.legal_actions(seat))))
        state.apply_action(made[-1][1], seat)
    return made


# layout


def _fitted(blocks: Sequence[Block], room: tuple[float, float], most: float) -> tuple[float, list[list[Block]]]:
    """The largest scale up to `most` at which blocks fit into a room, and their lines."""
    best: tuple[float, list[list[Block]]] = (0.0, [])
    widest = max((block.width for block in blocks), default=1)
    for wide in range(math.ceil(widest), math.ceil(widest) + 800, 20):
        lines = [*_lines(blocks, wide)]
        across = max((_across(line) for line in lines), default=1)
        scale = min(room[0] / across, room[1] / max(_down(lines), 1), most)
        best = max(best, (scale, lines), key=lambda one: one[0])
    return best


def _lines(blocks: Sequence[Block], wide: float) -> Iterator[list[Block]]:
    line: list[Block] = []
    for block in blocks:
        if line and (_across([*line, block]) > wide or block.last):
            yield line
            line = []
        line.append(block)
    if line:
        yield line


def _across(line: Sequence[Block]) -> float:
    return sum(block.width + GAP for block in line) - GAP


def _down(lines: Sequence[Sequence[Block]]) -> float:
    return sum(max(block.height for block in line) + GAP for line in lines) - GAP


def _placed(lines: Sequence[Sequence[Block]], scale: float, width: float, height: float) -> str:
    """Lines in the middle of a picture."""
    heights = [max(block.height for block in line) for line in lines]
    y = (height / scale - sum(heights) - GAP * (len(lines) - 1)) / 2 if lines else 0.0
    found = []
    for line, high in zip(lines, heights, strict=True):
        x = (width / scale - _across(line)) / 2
        for block in line:
            found.append(_at(x, y + (high - block.height) / 2, block.svg))
            x += block.width + GAP
        y += high + GAP
    return f'<g transform="scale({scale:.3f})">{"".join(found)}</g>'


def _at(x: float, y: float, svg: str) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{svg}</g>'


# shapes


def _text(text: object, x: float, y: float, size: float, fill: str) -> str:
    about = f'x="{x:.1f}" y="{y + size * 0.36:.1f}" font-size="{size:.1f}" font-weight="bold" text-anchor="middle"'
    return f'<text {about} fill="{fill}">{escape(str(text))}</text>'


def _mark(mark: Data, x: float, y: float, size: float, fill: str) -> str:
    """What is drawn on the colour of a mark, around a point."""
    if mark.get("picture"):
        box = f'x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" width="{size:.1f}" height="{size:.1f}"'
        return f"<image {box} href={quoteattr(mark['picture'])}/>"
    if mark.get("path"):
        place = f"translate({x - size / 2:.1f} {y - size / 2:.1f}) scale({size / 24:.3f})"
        return f'<path transform="{place}" d={quoteattr(mark["path"])} fill="{fill}"/>'
    sign = mark.get("symbol") or mark.get("initials") or ""
    return _text(sign, x, y, size * (0.9 if len(sign) < 2 else 0.65), fill) if sign else ""


def _disc(colour: Data, x: float, y: float, radius: float, inside: str = "") -> str:
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour["colour"]}" stroke="#0006"/>'
    return circle + inside


def _badge(mark: Data | None, x: float, y: float, radius: float) -> str:
    """A member as a disc in its colour."""
    mark = PLAIN | dict(mark or {})
    return _disc(mark, x, y, radius, _mark(mark, x, y, radius * 1.4, mark["ink"]))


def _box(width: float, height: float, fill: str, radius: float = 5, stroke: str = "#0004") -> str:
    return f'<rect width="{width:.1f}" height="{height:.1f}" rx="{radius}" fill="{fill}" stroke="{stroke}"/>'


def _card(face: Data) -> str:
    """The front of a card: its number or sign in the corner, its mark in the middle, and the marks of its fields."""
    if face.get("svg"):
        address = f"data:image/svg+xml,{quote(face['svg'])}"
        return f'<image width="{CARD[0]}" height="{CARD[1]}" href="{address}"/>' + _box(*CARD, "none")
    suit = PLAIN | dict(face["suit"] or {})
    corner, fields = _corner(face), [*_discs(face)]
    if corner and suit.get("path") and len(face["fields"]) == 2 and not fields:  # as on a playing card
        dark = _dark(suit)
        signs = (_text(corner, 9, 9, 13, dark), _mark(suit, 9, 21, 10, dark), _mark(suit, 20, 37, 24, dark))
        return _box(*CARD, "#fffdf8") + "".join(signs)
    middle = (
        suit
        if any(suit.get(key) for key in ("path", "symbol", "picture"))
        else {"initials": corner or _short(face["name"])}
    )
    band = f'<path d="M0 5a5 5 0 0 1 5 -5h{CARD[0] - 10}a5 5 0 0 1 5 5v11h-{CARD[0]}z" fill="{suit["colour"]}"/>'
    drawn = [_box(*CARD, "#fffdf8"), band, _text(corner, CARD[0] / 2, 8, 13, suit["ink"]) if corner else ""]
    drawn.append(_mark(middle, CARD[0] / 2, 30 if fields else 36, 22, _dark(suit)))
    drawn += [_at(5 + 10 * at, 48, one) for at, one in enumerate(fields[:4])]
    return "".join(drawn)


def _dark(mark: Data) -> str:
    """The colour of a mark on white, unless it is too light to be seen there."""
    return mark["colour"] if mark["ink"] == "#fff" else "#333"


def _corner(face: Data) -> str:
    fields = face["fields"]
    numbers = [one["word"] for one in fields if one["number"]]
    signs = [one["mark"]["symbol"] for one in fields if (one.get("mark") or {}).get("symbol")]
    return next((one for one in (*numbers, *signs) if len(one) <= 3), "")


def _discs(face: Data) -> Iterator[str]:
    """The marks of the fields beside the name: values for members with their numbers."""
    for field in face["fields"]:
        for part in field.get("parts", ()):
            mark = PLAIN | dict(part["mark"] or {})
            yield _disc(mark, 0, 0, 5.5, _text(part["word"], 0, 0, 9, mark["ink"]) if part["word"] else "")
        if not field["named"] and field.get("mark") and field["mark"] != face["suit"]:
            yield _badge(field["mark"], 0, 0, 5.5)


def _short(name: str) -> str:
    return name[:1].upper()


def _back(number: int) -> str:
    """Cards face down, with their number."""
    under = _at(2, 2, _box(*CARD, "#2c3a50")) if number > 1 else ""
    line = f'<rect x="4" y="4" width="{CARD[0] - 8}" height="{CARD[1] - 8}" rx="3" fill="none" stroke="#c9b98a"/>'
    return under + _box(*CARD, "#3d4f6b") + line + _text(number, CARD[0] / 2, CARD[1] / 2, 15, "#f4ecd6")


class _Still:
    """The blocks of a position."""

    def __init__(self, scene: Data, position: Data) -> None:
        self.scene, self.position = scene, position
        self.zones = [one | scene["zones"][one["zone"]] for one in position["zones"]]
        self.values = [one for one in scene["values"] if one["name"] in position["values"] and one["draw"] != "hidden"]

    def blocks(self) -> Iterator[Block]:
        yield from self._boards()
        yield from self._spread("market", 1)
        yield from self._members()
        yield from self._tracks()
        yield from self._tokens()
        yield from self._scores()
        yield from self._tables()
        yield from self._spread("front", 4)
        yield from self._spread("piles", 5)
        yield from self._hands()

    # zones

    def _spread(self, place: str, rank: int) -> Iterator[Block]:
        for zone in self.zones:
            if zone["place"] == place:
                block = self._pile(zone, rank) if zone["shape"] == "stack" else self._row(zone, rank)
                yield replace(block, title=zone["title"])

    def _pile(self, zone: Data, rank: int) -> Block:
        faces = zone["faces"]
        known = faces and faces[-1] is not None
        return Block(CARD[0] + 2, CARD[1] + 2, self._front(faces[-1]) if known else _back(zone["size"]), rank)

    def _front(self, face: int) -> str:
        return _card(self.scene["faces"][face])

    def _cards(self, zone: Data) -> list[str]:
        """The cards that are seen, and those that are not as one pile."""
        known = [face for face in zone["faces"] if face is not None]
        hidden = zone["size"] - len(known)
        return [self._front(face) for face in known[:MOST_CARDS]] + ([_back(hidden)] if hidden else [])

    def _row(self, zone: Data, rank: int) -> Block:
        cards = self._cards(zone)
        step = CARD[0] + 4 if len(cards) <= 6 else 24
        drawn = "".join(_at(step * at, 0, one) for at, one in enumerate(cards))
        return Block(step * (len(cards) - 1) + CARD[0] + 2, CARD[1] + 2, drawn, rank)

    def _hands(self) -> Iterator[Block]:
        for zone in self.zones:
            if zone["place"] == "hand" and zone["owner"] == 0:
                yield replace(_fan(self._cards(zone)), title=zone["title"])

    # values

    def _type(self, key: str) -> Data:
        found: Data = self.scene["types"][key]
        return found

    def _of(self, draw: str) -> list[Data]:
        return [one for one in self.values if one["draw"] == draw]

    def _content(self, value: Data, cell: int) -> int | None:
        found: int | None = self.position["values"][value["name"]].get(cell)
        return found

    def _thing(self, type_: str, content: int, x: float, y: float, radius: float) -> str:
        """A player, a member or a number around a point."""
        kind = "player" if type_ == "player" else self._type(type_)["kind"]
        if kind == "player":
            seat = self.scene["seats"][content]
            return _disc(seat, x, y, radius, _text(content + 1, x, y, radius * 1.2, seat["ink"]))
        marks = self._type(type_).get("marks") or []
        if kind == "enum" and content < len(marks) and marks[content]:
            return _badge(marks[content], x, y, radius)
        return _text("✓" if kind == "bool" else content if kind == "int" else "", x, y, radius * 1.5, "#222")

    def _says(self, value: Data, content: int | None) -> bool:
        return content is not None and not (
            content == 0 and self._type(value["type"])["kind"] in ("bool", "int", "set")
        )

    def _says_any(self, value: Data, cells: Iterable[int]) -> bool:
        return any(self._says(value, self._content(value, at)) for at in cells)

    def _boards(self) -> Iterator[Block]:
        shown = {one["per"][0]["type"] for one in self._of("board")}
        shown |= {one["index"][0]["type"] for one in self.zones if one["place"] == "board"}
        for type_ in sorted(shown):
            yield self.board(type_)

    def board(self, type_: str) -> Block:
        places, side = self._type(type_)["places"], 28
        left, low = (min(place[axis] for place in places) for axis in (0, 1))
        top = max(place[1] for place in places)
        drawn = []
        for at, (column, row) in enumerate(places):
            fill = "#d9c7a0" if (column + row) % 2 else "#efe4c8"
            drawn.append(
                _at(
                    (column - left) * side,
                    (top - row) * side,
                    _box(side, side, fill, 0, "#8a7a5a") + self._square(type_, at),
                )
            )
        wide = max(place[0] for place in places) - left + 1
        return Block(wide * side, (top - low + 1) * side, "".join(drawn), 0)

    def _square(self, type_: str, at: int) -> str:
        here = [one for one in self._of("board") if one["per"][0]["type"] == type_]
        said = [(one, self._content(one, at)) for one in here if self._says(one, self._content(one, at))]
        kinds = {one["name"]: self._type(one["type"])["kind"] for one, _ in said}
        marks = [one for one, _ in said if kinds[one["name"]] == "bool"]
        things = [(one, content or 0) for one, content in said if kinds[one["name"]] != "bool"]
        figures = [self._figure(one, content) for one, content in things if kinds[one["name"]] == "enum"]
        figure = next((one for one in (*figures, *marks) if one and (one.get("path") or one.get("symbol"))), None)
        owners = [content for one, content in things if kinds[one["name"]] == "player"]
        if len(owners) == 1 and figure is not None:
            seat = self.scene["seats"][owners[0]]
            drawn = [_disc(seat, 14, 14, 12, _mark(figure, 14, 14, 17, seat["ink"]))]
        else:
            ring = '<circle cx="14" cy="14" r="13" fill="none" stroke="#e0a52b" stroke-width="3"/>'
            drawn = [*(self._thing(one["type"], content, 14, 14, 10.5) for one, content in things), ring * bool(marks)]
        cards = [one for one in self.zones if one["place"] == "board" and one["index"][0]["at"] == at]
        piles = (f'<g transform="translate(6 3) scale(0.4)">{self._pile(one, 0).svg}</g>' for one in cards)
        return "".join([*drawn, *piles])

    def _figure(self, value: Data, content: int) -> Data | None:
        """The mark of the member that lies on a square."""
        marks = self._type(value["type"]).get("marks") or []
        return marks[content] if content < len(marks) else None

    def _members(self) -> Iterator[Block]:
        """Tiles for the members of an enum with what the values say about each."""
        plain = [one for one in self.values if one["draw"] in ("tiles", "dice", "number") and len(one["per"]) == 1]
        enums = {one["per"][0]["type"]: one for one in plain if self._type(one["per"][0]["type"])["kind"] == "enum"}
        for type_, first in enums.items():
            values = [one for one in plain if one["per"][0]["type"] == type_]
            tiles = [self._tile(values, type_, at) for at in first["per"][0]["at"]]
            title = " · ".join(one["title"] for one in values if self._says_any(one, first["per"][0]["at"]))
            yield replace(_grid([one for one in tiles if one][:48], 36, 40, 2), title=title)

    def _tile(self, values: Sequence[Data], type_: str, at: int) -> str:
        marks = self._type(type_).get("marks") or []
        mark = PLAIN | dict((marks[at] if at < len(marks) else None) or {})
        said = [(one["type"], self._content(one, at)) for one in values if self._says(one, self._content(one, at))]
        things = "".join(
            self._thing(of, content or 0, 8 + 15 * place, 32, 6.5) for place, (of, content) in enumerate(said[:2])
        )
        plate = '<path d="M0 24h34v9a5 5 0 0 1 -5 5h-24a5 5 0 0 1 -5 -5z" fill="#fffdf8"/>' if said else ""
        return _box(34, 38, mark["colour"]) + plate + _mark(mark, 17, 12, 19, mark["ink"]) + things

    def _tracks(self) -> Iterator[Block]:
        for value in [*self._of("track"), *self._of("tower")]:
            cells = {at: self._content(value, at - value["per"][0]["low"]) for at in value["per"][0]["at"]}
            steps = sorted({content for content in cells.values() if content is not None})
            low, high = self._type(value["type"])["low"], self._type(value["type"])["high"]
            shown = range(low, high + 1) if high - low < 12 else steps
            columns = [self._step(value, step, [at for at, one in cells.items() if one == step]) for step in shown]
            if steps:
                yield replace(_side_by_side(columns, 3), title=value["title"])

    def _step(self, value: Data, step: int, members: Sequence[int]) -> Block:
        type_ = value["per"][0]["type"]
        size = self._type(type_)["kind"]
        badges = (self._thing(type_, at, 13, 30 + 20 * place, 9) for place, at in enumerate(members[:4]))
        height = 22 + 20 * min(max(len(members), 2), 4) if size else 0
        return Block(26, height, _box(26, height, "#fffdf8") + _text(step, 13, 10, 12, "#555") + "".join(badges), 2)

    def _tokens(self) -> Iterator[Block]:
        for value in self._of("tokens"):
            cells = [
                (self._last(value, cell), content) for cell, content in self.position["values"][value["name"]].items()
            ]
            tokens = [self._token(value, at, content or 0) for at, content in cells[:16]]
            yield replace(_grid(tokens, 32, 32, 3), title=value["title"])

    def _last(self, value: Data, cell: int) -> tuple[str, int] | None:
        """The type and the member of the last index of a cell."""
        if not value["per"]:
            return None
        last = value["per"][-1]
        return last["type"], cell % last["extent"] + last["low"]

    def _token(self, value: Data, at: tuple[str, int] | None, content: int) -> str:
        mark = PLAIN | dict((self._seat_or_mark(*at) if at is not None else None) or {"colour": "#d9a928"})
        return _disc(mark, 15, 15, 14, _text(content, 15, 15, 15, mark["ink"]))

    def _seat_or_mark(self, type_: str, at: int) -> Data | None:
        if self._type(type_)["kind"] == "player":
            seat: Data = self.scene["seats"][at]
            return seat
        marks = self._type(type_).get("marks") or []
        return marks[at] if at < len(marks) else None

    def _scores(self) -> Iterator[Block]:
        """The numbers of the players, of the last value that has any."""
        per = [one for one in self._of("number") if [index["type"] for index in one["per"]] == ["player"]]
        numbers = [one for one in per if self._type(one["type"])["kind"] == "int"]
        if numbers:
            scores = [self._score(numbers[-1], seat) for seat in range(len(self.scene["seats"]))]
            yield replace(_grid(scores, 52, 28, 3), title=numbers[-1]["title"])

    def _tables(self) -> Iterator[Block]:
        """What each player has of the members of an enum: a row for each. What is derived follows from the rest."""
        for value in (one for one in self._of("number") if one["register"] is not None):
            last = value["per"][-1] if len(value["per"]) == 2 and value["per"][0]["type"] == "player" else None
            if last is not None and len(last["at"]) <= 8 and self._type(value["type"])["kind"] == "int":
                rows = (
                    (seat, [self._content(value, seat * last["extent"] + at - last["low"]) for at in last["at"]])
                    for seat in range(len(self.scene["seats"]))
                )
                cells = [one for seat, row in rows for one in (self.piece(seat), *map(_cell, row))]
                yield replace(_grid(cells, 28, 28, 6, len(last["at"]) + 1), title=value["title"])

    def piece(self, seat: int) -> str:
        return self._thing("player", seat, 13, 13, 11)

    def _score(self, value: Data, seat: int) -> str:
        content = self._content(value, seat)
        return (
            _box(50, 26, "#fffdf8", 13)
            + self.piece(seat)
            + _text("–" if content is None else content, 36, 13, 13, "#222")
        )


def _cell(content: int | None) -> str:
    return _box(26, 26, "#fffdf8") + _text("?" if content is None else content, 13, 13, 14, "#222")


def _grid(drawn: Sequence[str], wide: float, high: float, rank: int, columns: int = 0) -> Block:
    """Things of one size in rows; without a number of columns about twice as wide as high."""
    columns = columns or min(len(drawn), max(6, math.ceil(math.sqrt(2 * len(drawn))))) or 1
    placed = (_at(at % columns * wide, at // columns * high, one) for at, one in enumerate(drawn))
    return Block(columns * wide, math.ceil(len(drawn) / columns) * high, "".join(placed), rank)


def _side_by_side(blocks: Iterable[Block], rank: int) -> Block:
    line, x, drawn = [*blocks], 0.0, []
    high = max(block.height for block in line)
    for block in line:
        drawn.append(_at(x, high - block.height, block.svg))
        x += block.width + 2
    return Block(x - 2, high, "".join(drawn), rank)


def _fan(cards: Sequence[str]) -> Block:
    """Cards of a hand, turned around a point far below them."""
    step, turn = min(30.0, 210 / max(len(cards), 1)), min(6.0, 40 / max(len(cards), 1))
    middle, drawn = (len(cards) - 1) / 2, []
    for at, one in enumerate(cards):
        angle, x = turn * (at - middle), step * at + 8
        y = 4 + (at - middle) ** 2 * 0.06 * turn
        drawn.append(f'<g transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f} {CARD[0] / 2} {CARD[1]})">{one}</g>')
    return Block(step * (len(cards) - 1) + CARD[0] + 16, CARD[1] + 14, "".join(drawn), 0, last=True)
