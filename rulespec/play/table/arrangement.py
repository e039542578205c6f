"""Where things lie on a table and how they are drawn: as the looks of a game say, else derived from its spec."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rulespec.games.looks import usable_looks
from rulespec.games.rulebook import book_of, texts_of
from rulespec.language.model.types import NONE, Type
from rulespec.play.table.changes import turns_of
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.output.sheets.colours import ink
from rulespec.text.output.sheets.drawing import Template, document, drawn
from rulespec.text.output.sheets.faces import Words, faces
from rulespec.text.output.sheets.icons import icons
from rulespec.text.output.sheets.look_checks import MOST_ON_TRACK, grid_of
from rulespec.text.output.sheets.marks import apart, look_of

if TYPE_CHECKING:
    from rulespec.games.api import Spec as Game
    from rulespec.language.model.spec import Spec, StoredValue, Zone
    from rulespec.text.output.sheets.looks import Look, Looks


Mark = dict[str, str]
"""The `colour` of a member with the `ink` of words on it, and its `symbol`, its `path` or its `initials`: initials
stand for its word only where that has no room."""


def coloured(colour: str) -> Mark:
    """A colour with the ink of words on it."""
    return {"colour": colour, "ink": ink(colour)}


def mark_of(look: Look) -> Mark | None:
    """The mark of a look; None for a plain one."""
    drawn = {"symbol": look.symbol, "path": look.path, "picture": look.picture, "initials": look.initials}
    return ((coloured(look.colour) if look.colour else {}) | {key: one for key, one in drawn.items() if one}) or None


Card = Sequence[int]
Draw = Callable[[Card], str]

SHAPES = {"hand": "fan", "front": "row", "market": "row"}
"""The shape of cards at a place where nothing says it; at other places they are a stack."""


class Arrangement:
    """How a spec is drawn, by its looks if it has any. `draw` is the SVG of a card by its template."""

    def __init__(self, spec: Spec, looks: Looks | None = None, draw: Draw | None = None) -> None:
        self.spec, self.looks, self._draw = spec, looks, draw

    # members and players

    def mark(self, type_: Type, value: int) -> Mark | None:
        """The colour of a member with the `ink` of words on it, and its symbol, path, initials or picture, if any; None
        for what has no mark."""
        return mark_of(self.look(type_, value))

    def look(self, type_: Type, value: int) -> Look:
        """How a member looks, as on printed cards."""
        return look_of(self.spec, self.looks, type_, value)

    def _look(self, name: str) -> Look | None:
        return self.looks.members.get(name) if self.looks is not None else None

    def seats(self, players: int) -> list[Mark]:
        """The colours of the players."""
        given = self.looks.seats if self.looks is not None else ()
        return [coloured(colour) for colour in apart([*given[:players], *[""] * (players - len(given))])]

    def face(self, card: Card) -> Mark:
        """What a card has besides its fields: `svg` drawn by a template, or `picture`."""
        if self._draw is not None:
            return {"svg": self._draw(card)}
        pictures = (look.picture for look in self._looks_of(card))
        return next(({"picture": one} for one in pictures if one), {})

    def _looks_of(self, card: Card) -> list[Look]:
        fields = zip(self.spec.deck.fields.values(), card, strict=True)
        members = (
            f"{type_.name}.{self.spec.member(type_, at)}" for type_, at in fields if type_.kind == "enum" and at != NONE
        )
        return [look for member in members if (look := self._look(member)) is not None]

    # zones

    def zone(self, name: str) -> Mark:
        """The `place` of a zone (hand, front, market, piles, board, aside or hidden) and the `shape` of its cards there
        (fan, row, stack or grid)."""
        given = self.looks.zones.get(name, {}) if self.looks is not None else {}
        found = self._owned(self.spec.zones[name]) or self._shared(self.spec.zones[name])
        if given.get("place", found["place"]) != found["place"]:
            found = {"shape": SHAPES.get(given["place"], "stack")}
        return found | dict(given)

    def _owned(self, zone: Zone) -> Mark:
        """The place of a zone with an owner; empty without one. Cards that nobody looks at lie in a pile."""
        if zone.owned_by is None:
            return {}
        if zone.sight.public:
            return {"place": "front", "shape": "stack" if zone.ordered else "row"}
        unseen = all(viewers.group == "nobody" for viewers in zone.sight.ways)
        return {"place": "front", "shape": "stack"} if unseen else {"place": "hand", "shape": "fan"}

    def _shared(self, zone: Zone) -> Mark:
        if self._boards.get(grid_of(self.spec, zone)) == zone.name:
            return {"place": "board", "shape": "stack"}
        if zone.sight.public:
            if zone.per:
                return {"place": "market", "shape": "grid"}
            return {"place": "piles", "shape": "stack"} if zone.ordered else {"place": "market", "shape": "row"}
        return {"place": "piles" if zone.ordered or zone.per else "aside", "shape": "stack"}

    @cached_property
    def _boards(self) -> dict[str, str]:
        """The zone that lies on each grid: the one that a look puts there, else the first."""
        placed = {name: look.get("place") for name, look in self.looks.zones.items()} if self.looks is not None else {}
        zones = sorted(self.spec.zones.values(), key=lambda zone: placed.get(zone.name) != "board")
        free = [zone for zone in zones if placed.get(zone.name) in (None, "board")]
        return {grid_of(self.spec, zone): zone.name for zone in reversed(free) if grid_of(self.spec, zone)}

    # values

    def value(self, name: str) -> Mark:
        """How a value is drawn: on the squares of a `board`, as `tokens`, `dice`, `tiles`, a `table` or a `number`, or
        on a `track` or a `tower`. What is only so or not has the `path` of the icon of its name, such as a king."""
        given = self.looks.values.get(name) if self.looks is not None else None
        value = self.spec.values[name]
        icon = {"path": icons()[name]} if value.type.kind == "bool" and name in icons() else {}
        return {"draw": given or self._draws(value)} | icon

    def _draws(self, value: StoredValue) -> str:
        per = [index.type for index in value.per]
        if turns_of(self.spec) == {value.name}:
            return "hidden"  # the player to act is marked
        if len(per) == 1 and per[0].kind == "enum" and self.spec.enums[per[0].name].places:
            return "board"
        if value.stock:
            return "tokens"
        if len(per) == 1 and per[0].kind == "enum" and self._by_enum[per[0].name] > 1:
            return "tiles"
        width = value.type.high - value.type.low
        is_track = value.type.kind == "int" and value.start is not None and width <= MOST_ON_TRACK and len(per) == 1
        return "track" if is_track and per[0].kind in ("enum", "player") else "number"

    @cached_property
    def _by_enum(self) -> Counter[str]:
        """How many values with a title say something about the members of each enum."""
        said = [one.per[0].type for one in self.spec.values.values() if one.title and len(one.per) == 1]
        return Counter(type_.name for type_ in said if type_.kind == "enum")


def arranged(game: Game, lang: str = "") -> Arrangement:
    """How a game is drawn by the looks beside its spec, if they have no errors; a template has words of a language."""
    looks = usable_looks(game)
    draw = _template(game, looks, lang) if looks is not None and looks.card is not None else None
    return Arrangement(game.model, looks, draw)


def _template(game: Game, looks: Looks, lang: str) -> Draw:
    """The SVG of a card by the template of looks."""
    tag, book, spec = lang or LANGUAGE_OF_SPECS, book_of(game), game.model
    text = texts_of(game).get(tag)
    words = Words(spec, book.glossary if book is not None else None, tag, looks, text)
    title = (text.title if text is not None else "") or spec.title
    ids = (card for row in spec.deck.rows for card in row.cards)
    known = {spec.deck.cards[card]: face for card, face in zip(ids, faces(spec, words), strict=True)}
    return lambda card: document(drawn([known[tuple(card)]], title, tag, Template(looks.template))[0])
