"""A table as it is drawn: the scene, which stays the same through a game, and positions, which are numbers alone.

Both are JSON data, so that one renderer draws what Python knows, what a module of WebAssembly holds, and what was kept
in a file. docs/looks.md describes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulespec.base.messages import say
from rulespec.engine.knowledge.observation import deciders
from rulespec.engine.program import ir
from rulespec.language.model.types import MOST_MEMBERS, NONE, Type
from rulespec.play.table.arrangement import Arrangement, mark_of
from rulespec.play.table.outcome import Outcome, outcomes, zone_at
from rulespec.play.table.words import PLAIN, Words
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.output.sheets.marks import TICK, named_fields, suit

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.states.state import State
    from rulespec.language.model.spec import StoredValue
    from rulespec.play.table.choice import Choice, Row
    from rulespec.play.table.passing import Passing


class Scene:
    """What stays the same while a game in one setting is drawn: words of a language, and how everything looks."""

    def __init__(self, game: Ruleset, words: Words = PLAIN, arranged: Arrangement | None = None) -> None:
        self.game, self.words = game, words
        self.arranged = arranged or Arrangement(game.spec)
        self._types: dict[str, dict[str, Any]] = {}

    def to_dict(self) -> dict[str, Any]:
        """The scene as JSON data."""
        spec, game = self.game.spec, self.game
        found = {
            "game": spec.id,
            "title": self.words.game(spec.title),
            "lang": self.words.lang or LANGUAGE_OF_SPECS,
            "players": [self.words.player(seat) for seat in range(game.players)],
            "seats": self.arranged.seats(game.players),
            "faces": [self._face(face) for face in range(len(game.names.face_names))],
            "zones": [self._zone(number) for number in range(len(game.program.zones))],
            "values": [self._value(name) for name in dict.fromkeys(one.value for one in game.viewers.titled_values)],
        }
        return found | {"types": self._types}

    def name(self, name: str) -> str:
        """A name of the game in the language."""
        return self.words.of(say(name)).replace("_", " ")

    # types

    def _type(self, type_: Type) -> str:
        """The key of a type among `types`, which is added if it is new."""
        kind = "int" if type_.kind == "int" else type_.kind
        key = {"enum": type_.name, "set": f"set of {type_.name}", "int": f"{type_.low}..{type_.high}"}.get(kind, kind)
        if key not in self._types:
            self._types[key] = {"kind": kind, "low": type_.low} | self._members(type_)
        return key

    def _members(self, type_: Type) -> dict[str, Any]:
        """The words, marks and places of a type whose values are listed; of a set those of its members."""
        if type_.kind not in ("enum", "set", "player", "bool"):
            return {"high": type_.high} if type_.kind == "int" else {}
        member = Type("enum", name=type_.name) if type_.kind == "set" else type_.required()
        words = [self.words.word(self.game, member, at) for at in range(self._extent(member))]
        found: dict[str, Any] = {"words": words}
        if member.kind == "enum":
            enum = self.game.spec.enums[member.name]
            found["members"] = list(enum.members)
            found["marks"] = [self._mark(member, at) for at in range(len(enum.members))]
            found["places"] = [list(place) for place in enum.places] or None
        return found

    def _extent(self, type_: Type) -> int:
        return 2 if type_.kind == "bool" else self.game.setting.extent(type_)

    def _mark(self, type_: Type, value: int) -> dict[str, str] | None:
        return self.arranged.mark(type_, value)

    # faces

    def _face(self, face: int) -> dict[str, Any]:
        deck = self.game.spec.deck
        card = deck.cards[deck.first_of_face[face]]
        return {
            "name": self.name(self.game.names.face_names[face]),
            "fields": list(self._fields(card)),
            "suit": self._suit(card),
            "does": self._does(card),
            "order": self._order.index(face),
        } | self.arranged.face(card)

    @cached_property
    def _order(self) -> list[int]:
        """The faces as they lie in a hand: by their fields as declared, those with colours first, such as suits."""
        deck = self.game.spec.deck
        cards = [deck.cards[deck.first_of_face[face]] for face in range(len(self.game.names.face_names))]
        coloured = {name for name in deck.fields if any(self._colour(name, card) for card in cards)}
        columns = [deck.column(name) for name in sorted(deck.fields, key=lambda name: name not in coloured)]
        return sorted(range(len(cards)), key=lambda face: [cards[face][column] for column in columns])

    def _colour(self, field: str, card: Sequence[int]) -> str:
        """The colour of what a field of a card holds, "" for none."""
        deck = self.game.spec.deck
        return (self._mark(deck.fields[field], card[deck.column(field)]) or {}).get("colour", "")

    def _fields(self, card: Sequence[int]) -> Iterator[dict[str, Any]]:
        """The fields of a card with a content: `named` if its name has it already."""
        deck = self.game.spec.deck
        named = {name.partition("[")[0] for name in named_fields(deck, card)}
        for name, content in deck.words(card, deck.fields, self._content).items():
            if content:
                label, type_ = self.words.field(name), deck.declared[name]
                is_number = name not in deck.per_member and type_.kind == "int"
                about = {"name": name, "label": label, "word": content, "number": is_number, "named": name in named}
                yield about | self._drawn(name, card)

    def _content(self, type_: Type, value: int) -> str:
        """What a field holds: a tick for what is true, nothing for what is not."""
        return TICK * value if type_.kind == "bool" and value != NONE else self.words.word(self.game, type_, value)

    def _drawn(self, name: str, card: Sequence[int]) -> dict[str, Any]:
        """How the content of a field is drawn: by a mark, or as parts with a value for each member."""
        deck = self.game.spec.deck
        field = deck.per_member.get(name)
        if field is None:
            type_, value = deck.fields[name], card[deck.column(name)]
            if type_.kind == "set":
                by = Type("enum", name=type_.name)
                members = [at for at in range(MOST_MEMBERS) if value >> at & 1]
                marks = [self._mark(by, at) for at in members]
                words = [self.words.word(self.game, by, at) for at in members]
                return {"marks": marks, "words": words} if any(marks) else {}
            return {"mark": self._mark(type_, value)} if type_.kind == "enum" else {}
        by = Type("enum", name=field.enum)
        values = ((at, card[deck.column(column)]) for at, column in enumerate(field.columns))
        shown = [(at, value) for at, value in values if value not in (NONE, field.unwritten)]
        parts = [
            {
                "word": "" if field.type.kind == "bool" else self.words.word(self.game, field.type, value),
                "member": self.words.word(self.game, by, at),
                "mark": self._mark(by, at),
            }
            for at, value in shown
        ]
        return {"parts": parts}

    def _suit(self, card: Sequence[int]) -> dict[str, str] | None:
        """The mark of a card."""
        return mark_of(suit(self.game.spec, card, self.arranged.look))

    def _does(self, card: Sequence[int]) -> str:
        """What a card does, in the words of its text; "" without one."""
        return "\n".join(filter(None, map(self.words.text, self.game.spec.rules_on(card))))

    # zones and values

    def _zone(self, number: int) -> dict[str, Any]:
        name, at = self.game.program.zones[number]
        declared = self.game.spec.zones[name]
        index = [(type_, one) for type_, one in zip(declared.per, at, strict=True) if type_.kind != "player"]
        seen = self.game.viewers.of_zone[number]
        return {
            "id": self.game.names.zone_id(number),
            "name": name,
            "title": self.name(declared.title),
            "of": " · ".join(self.words.word(self.game, *one) for one in index),
            "owner": declared.owner(at),
            "index": [{"type": self._type(type_), "at": one} for type_, one in index],
            "seen": sorted(seen.always),
            "ordered": declared.ordered,
        } | self.arranged.zone(name)

    def _value(self, name: str) -> dict[str, Any]:
        """A titled value: its indices, the type of its content, and the register of its first cell if it is stored."""
        value = self.game.spec.values[name]
        return {
            "name": name,
            "title": self.words.of(say(value.title or name)),
            "per": [self._index(index.type) for index in value.per],
            "type": self._type(value.type),
            "register": self.game.program.value_base.get(name),
            "hidden": self._hidden(value),
        } | self.arranged.value(name)

    def _index(self, type_: Type) -> dict[str, Any]:
        setting = self.game.setting
        at = setting.in_play(type_.name) if type_.kind == "enum" else setting.places(type_)
        return {"type": self._type(type_), "low": type_.low, "extent": setting.extent(type_), "at": list(at)}

    def _hidden(self, value: StoredValue) -> dict[int, list[int]]:
        """The seats that always see a cell, by the number of each cell that not everybody sees."""
        base = self.game.program.value_base.get(value.name)
        if base is None:
            return {}
        seen = self.game.viewers.of_register
        cells = range(self.game.setting.cells(value))
        return {cell: sorted(seen[base + cell].always) for cell in cells if base + cell in seen}


def position_of(state: State | Passing, seat: int | None) -> dict[str, Any]:
    """What a seat may know of a position, as JSON data of numbers; None sees everything.

    Each zone with cards has its number, its size and the faces that are seen, bottom to top or sorted, null for those
    that are not. Each value has its known cells. `next` are the seats to act.
    """
    values: dict[str, dict[int, int | None]] = {}
    for name, cell, content in state.game.viewers.values(state, seat):
        values.setdefault(name, {})[cell] = None if content == NONE else content
    zones = _everything(state) if seat is None else _seen(state, seat)
    deciding = state.deciders() if seat is None else deciders(state, seat)
    return {"zones": list(zones), "values": values, "next": deciding, "over": state.is_terminal()}


def _everything(state: State | Passing) -> Iterator[dict[str, Any]]:
    faces = state.game.program.faces
    for number, cards in enumerate(state.z):
        shown = [faces[card] for card in cards]
        if cards:
            ordered = state.game.ordered[number]
            yield {"zone": number, "size": len(cards), "faces": shown if ordered else sorted(shown), "seen": True}


def _seen(state: State | Passing, seat: int) -> Iterator[dict[str, Any]]:
    for number, size, visible, faces, places, known in state.view(seat).zones:
        if size:
            loose = [face for face, times in known.items() for _ in range(times)]
            shown = list(faces) if visible else list(places) or loose
            yield {"zone": number, "size": size, "faces": shown + [None] * (size - len(shown)), "seen": visible}


def actions_of(scene: Scene, choice: Choice, state: State) -> list[dict[str, Any]]:
    """The actions of a choice as JSON data, with the cells of boards and tracks `after` them, and the zones that the
    first card of an action goes from and to as its `move`."""
    found, nothing = outcomes(scene.arranged, state, choice.seat), Outcome({}, None)
    done = ((row, found.get(row.action, nothing)) for row in choice.rows)
    return [action_of(scene, row, state) | {"after": one.cells, "move": one.move} for row, one in done]


def action_of(scene: Scene, row: Row, state: State | None = None) -> dict[str, Any]:
    """A legal action as JSON data: its words, its rule, and its parts, which lie on the table; `set` are elements of a
    set. With the state, each card has the number of the zone that it is chosen from."""
    actions, labels = scene.game.actions, {part.name: part.label for part in row.parts}
    picked = actions.parts(row.action)
    slots = {pick.slot for pick, _ in picked}
    parts = [_part(scene, pick, at) | {"label": labels[pick.name]} | _from(state, pick, slots) for pick, at in picked]
    return {
        "action": row.action,
        "text": row.words.replace("_", " "),
        "kind": row.open.replace("_", " "),
        "title": row.title,
        "rule": row.rule,
        "parts": parts,
    }


def _part(scene: Scene, pick: ir.Pick, at: int) -> dict[str, Any]:
    is_card = pick.type.kind == "card"
    faces = scene.game.names.face_names
    word = scene.name(faces[at]) if is_card else scene.words.word(scene.game, pick.type, at)
    found = {"name": pick.name, "type": pick.type.name or pick.type.kind, "at": at, "word": word}
    return found | ({"set": True} if pick.ranks else {})


def _from(state: State | None, pick: ir.Pick, slots: set[int]) -> dict[str, int]:
    """The zone that a card is chosen from, unless that depends on what else is chosen: the contents of `slots`."""
    if state is None or not isinstance(pick.domain, ir.Cards):
        return {}
    zone = pick.domain.zone
    read = {node.slot for node in ir.walk(zone) if isinstance(node, ir.Register)}
    return {} if read & slots else {"zone": zone_at(zone)(state.r, state.z)}
