"""Names: from stored numbers to their words, and from names of values and zones to their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from rulespec.base.messages import say
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.program import ir
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Spec
from rulespec.language.model.types import NONE, Type

_YES, _NO = say("yes"), say("no")


class ContentNames:
    """The words for what stored values hold, and for cards. They depend on the spec alone."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def notation(self, type_: Type, value: int) -> str:
        """A stored value as specs and scenarios write it: `true`, `player 2`, `military`, a card's name, `none`."""
        if value == NONE:
            return "none"
        return self.card_name(value) if type_.kind == "card" else self.spec.member(type_, value)

    def word(self, type_: Type, value: int) -> str:
        """A stored value as reports say it: like `notation`, but `yes` or `no`, and an empty text for absence."""
        if type_.kind == "bool" and value != NONE:
            return _YES if value else _NO
        return self.notation(type_, value) if value != NONE else ""

    def card_name(self, card: int) -> str:
        """A card in words, as its face shows it."""
        return self.face_names[self.spec.deck.faces[card]]

    @cached_property
    def face_names(self) -> tuple[str, ...]:
        """The name of every card face: the fields it shows, or the name that the deck gives it."""
        return tuple(self._face_name(card) for card in self.spec.deck.first_of_face)

    def _face_name(self, card: int) -> str:
        deck = self.spec.deck
        words = deck.words(deck.cards[card], deck.face, self.word)
        name = deck.names.get(deck.cards[card][deck.column(deck.face[0])]) if deck.face else None
        if name is None:
            # The values of members have no meaning without the name of their field.
            shown = ((f"{field} {word}" if field in deck.per_member else word) for field, word in words.items() if word)
            return " ".join(shown)
        for field, word in words.items():
            name = name.replace("{" + field + "}", word)
        return " ".join(name.split())


class Names(ContentNames):
    """The names of one setting: also of its zones and of the cells of its values."""

    def __init__(self, setting: Setting, program: ir.Program) -> None:
        super().__init__(setting.spec)
        self._setting, self._program = setting, program
        self._value_names: dict[tuple[str, int, int | None], str] = {}

    # zones

    @cached_property
    def zone_names(self) -> tuple[str, ...]:
        """Every zone in words, with its owner."""
        return tuple(self._zone_name(name, index) for name, index in self._program.zones)

    def _zone_name(self, name: str, indices: tuple[int, ...]) -> str:
        declared = self.spec.zones[name]
        words = ", ".join(self.word(type_, at) for type_, at in zip(declared.per, indices, strict=True))
        return f"{declared.title} of {words}" if words else declared.title

    def zone_id(self, zone: int) -> str:
        """A zone as the spec writes it: `hand[2]`, `deck`; players count from 1."""
        name, indices = self._program.zones[zone]
        written = (self._index(type_, at) for type_, at in zip(self.spec.zones[name].per, indices, strict=True))
        return f"{name}[{', '.join(written)}]" if indices else name

    def zone_number(self, name: str, *index: int) -> int:
        """A zone's number. Raises StateError if there is no such zone."""
        declared = self.spec.zones.get(name)
        if declared is None:
            raise StateError(f"the game has no zone `{name}`")
        self._require(name, index, declared.per)
        return self._program.zone(name, *index)

    def _require(self, name: str, index: Sequence[int], wanted: Sequence[Type]) -> None:
        """Raises StateError for indices that a value or a zone does not have."""
        if len(index) != len(wanted):
            raise StateError(f"`{name}` takes {len(wanted)} indices, not {len(index)}")
        for at, type_ in zip(index, wanted, strict=True):
            places = self._setting.places(type_)
            if at not in places:
                raise StateError(f"`{name}` has no index {at}: its indices are {places[0]} to {places[-1]}")

    # cells of values

    def indices(self, value: str, cell: int) -> list[tuple[Type, int]]:
        """The indices of a cell, each with its type: a cell is their number in row-major order."""
        found = []
        for index in reversed(self.spec.values[value].per):
            cell, at = divmod(cell, self._setting.extent(index.type))
            found.append((index.type, at + index.type.low))
        return found[::-1]

    def _index(self, type_: Type, at: int) -> str:
        return str(at + 1) if type_.kind == "player" else self.notation(type_, at)

    def value_id(self, value: str, cell: int) -> str:
        """A cell of a value as the spec writes it: `esteem[military]`."""
        indices = [self._index(type_, at) for type_, at in self.indices(value, cell)]
        return value + (f"[{', '.join(indices)}]" if indices else "")

    def value_name(self, value: str, cell: int, indices: int | None = None) -> str:
        """A cell of a value in words, with all of its indices or the first few."""
        key = value, cell, indices
        if key not in self._value_names:
            words = [self.word(type_, at) for type_, at in self.indices(value, cell)[:indices]]
            title = self.spec.values[value].title or value
            self._value_names[key] = title + (f" ({', '.join(words)})" if words else "")
        return self._value_names[key]

    def value_word(self, value: str, content: int) -> str:
        """What a stored value holds, in words."""
        return self.word(self.spec.values[value].type, content) or "none"

    def address(self, name: str, index: Sequence[int]) -> int:
        """The register of a stored value. Raises StateError if there is none."""
        declared = self.spec.values.get(name)
        if declared is None or declared.start is None:
            raise StateError(f"the game has no stored value `{name}`")
        types, cell = [of.type for of in declared.per], 0
        self._require(name, index, types)
        for at, type_ in zip(index, types, strict=True):
            cell = cell * self._setting.extent(type_) + at - type_.low
        return self._program.value_base[name] + cell

    # cards with their values

    def cards_of(self, value: str, cell: int) -> list[int]:
        """The cards that a cell belongs to: none, unless the value has cards as indices."""
        return [at for type_, at in self.indices(value, cell) if type_.kind == "card"]

    def card_label(self, registers: Sequence[int], card: int) -> str:
        """A card in words, with its titled values that differ from their start."""
        notes = [
            f"{title} {self.value_word(value, content)}" for value, title, _, content in self.notes(registers, card)
        ]
        return self.card_name(card) + (f" ({', '.join(notes)})" if notes else "")

    def notes(self, registers: Sequence[int], card: int) -> Iterator[tuple[str, str, int, int]]:
        """The titled values of a card that differ from their start, each with the title of its cell, the cell and what
        it holds."""
        for value, cells in self._values_of_cards:
            for cell, title in cells[card]:
                address = self._program.value_base[value] + cell
                if registers[address] != self._program.start[address]:
                    yield value, title, cell, registers[address]

    @cached_property
    def on_cards(self) -> bool:
        """Whether a titled value has cards as indices."""
        values = self.spec.values.values()
        return any(value.title and any(index.type.kind == "card" for index in value.per) for value in values)

    @cached_property
    def _values_of_cards(self) -> list[tuple[str, list[list[tuple[int, str]]]]]:
        """For every titled value with a card as index: the cells of each card, with the title of each cell."""
        found = []
        for value in self.spec.values.values():
            # A value between two cards belongs to neither, so no label shows it.
            if value.title and value.start is not None and [i.type.kind for i in value.per].count("card") == 1:
                cells: list[list[tuple[int, str]]] = [[] for _ in self.spec.deck.cards]
                for cell in range(self._setting.cells(value)):
                    others = [self.word(t, at) for t, at in self.indices(value.name, cell) if t.kind != "card"]
                    cells[self.cards_of(value.name, cell)[0]].append((cell, " ".join([value.title, *others])))
                found.append((value.name, cells))
        return found
