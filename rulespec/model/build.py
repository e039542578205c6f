"""A document becomes a sealed model, or findings that say why not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import TypeVar

from rulespec.diagnostics import Finding, Severity
from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar
from rulespec.model import manifest
from rulespec.model.names import Names, suggest
from rulespec.model.reader import Broken, Reader, entries, items, mapping, text
from rulespec.model.spec import Enum, Index, Invariant, Procedure, Rule, Ruling, Spec, StoredValue, Table, Zone
from rulespec.model.steps import Signature, StepReader
from rulespec.model.typed import Const, TExpr
from rulespec.model.types import BOOL, NONE, PLAYER, Type, enum, integer, join
from rulespec.source import Source

MOST_PLAYERS = 12
T = TypeVar("T")
_PLAYERS = re.compile(r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?")


def build(root: Node, source: Source) -> tuple[Spec | None, list[Finding]]:
    """The sealed model of a spec, or None where there are errors; the findings of the names and types in it.

    Shapes the schema rejects are passed over here without a word, and so is everything that leans on them.
    """
    if not isinstance(root, MapNode):
        return None, []
    builder = _Builder(root, source)
    spec = builder.build()
    failed = any(f.severity == Severity.ERROR for f in builder.reader.findings)
    return (None if failed or builder.reader.names.broken else spec), builder.reader.findings


class _Builder:
    def __init__(self, root: MapNode, source: Source) -> None:
        self.root, self.source = root, source
        game = root.get("game")
        self.game = game if isinstance(game, MapNode) else root
        self.reader = Reader(source, Names(_players(self.game)))
        self.names = self.reader.names
        self.definitions: dict[str, tuple[Index, ...]] = {}
        self.derived: dict[str, TExpr | None] = {}
        self._open: list[str] = []

    def build(self) -> Spec | None:
        self._declare()
        sources = {key.text: text(value) for key, value in entries(self.game.get("sources"))} if self.game.get("sources") else {}
        steps = StepReader(self.reader, self._signatures())
        cards = self._cards(sources, steps)
        enums = self._section("enums", self._enum)
        tables, zones = self._section("tables", self._table), self._section("zones", self._zone)
        values = self._section("values", self._value)
        rulings = self._section("rulings", self._ruling)
        setup, play = steps.body(self.root.get("setup"), {}), steps.body(self.root.get("play"), {})
        procedures = self._section("procedures", lambda key, node: self._procedure(key, node, steps))
        self._recursion(steps)
        invariants = self._invariants(steps)
        if cards is None:
            return None
        return Spec(
            id=_plain(self.game.get("id")),
            version=_plain(self.game.get("version")),
            title=_plain(self.game.get("title")),
            players=self.names.players,
            sources=sources,
            enums=enums,
            deck=cards,
            tables=tables,
            zones=zones,
            values=values,
            rulings=rulings,
            rules=steps.rules,
            setup=setup,
            play=play,
            procedures=procedures,
            invariants=invariants,
            source=self.source,
            digest=hashlib.sha256(self.source.text.encode()).hexdigest(),
        )

    # all names first, so that definitions may stand in any order

    def _declare(self) -> None:
        if not _PLAYERS.fullmatch(_plain(self.game.get("players"))):
            self.names.broken = True
        elif len(self.names.players) > MOST_PLAYERS or self.names.players[-1] > MOST_PLAYERS or self.names.players.start < 1:
            self.reader.say("out-of-range", f"a game is for 1 to {MOST_PLAYERS} players", self.game.get("players") or self.game)
        for key, node in self._pairs("enums"):
            self._register(key)
            self.names.enums[key.text] = self._try(lambda node=node: self._members(node))
        for key, node in self._pairs("rulings"):
            self._register(key)
            self.names.answers[key.text] = self._try(lambda node=node: self._answers(mapping(node)))
        cards = self.root.get("cards")
        if isinstance(cards, MapNode):
            self.names.fields = self._try(lambda: manifest.fields(self.reader, cards)) or {}
            self.names.cards = manifest.count(cards.get("manifest"))
        for key, node in self._pairs("zones"):
            self._register(key)
            self.names.zones[key.text] = self._try(lambda node=node: self._zone_signature(mapping(node)))
        for key, node in self._pairs("tables"):
            self._register(key)
            self.names.tables[key.text] = self._try(lambda key=key, node=node: self._table_signature(mapping(node)))
        for key, node in self._pairs("values"):
            self._register(key)
            self.names.values[key.text] = self._try(lambda key=key, node=node: self._value_signature(key.text, mapping(node)))

    def _pairs(self, section: str) -> list[tuple[Scalar, Node]]:
        node = self.root.get(section)
        return list(node.entries) if isinstance(node, MapNode) else []

    def _register(self, key: Scalar) -> None:
        """One name, one meaning: an expression does not say which kind of name it means."""
        names = self.names
        taken = (names.enums, names.answers, names.zones, names.tables, names.values)
        if key.text in ("players", "player", "true", "false", "none", "card") or any(key.text in group for group in taken):
            self.reader.say("name-taken", f"`{key.text}` already means something else", key, "Choose another name.")

    def _try(self, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except Broken:
            self.names.broken = True
            return None

    def _section(self, name: str, read: Callable[[Scalar, Node], T]) -> dict[str, T]:
        found = {key.text: self._try(lambda key=key, node=node: read(key, node)) for key, node in self._pairs(name)}
        return {key: value for key, value in found.items() if value is not None}


    # enums and rulings

    def _members(self, node: Node) -> tuple[str, ...]:
        listed = node.get("members") if isinstance(node, MapNode) else node
        if isinstance(listed, Scalar):
            return self._letters(listed)
        names = tuple(text(item) for item in items(listed))
        for item in items(listed):
            if not _NAME.fullmatch(text(item)):
                self.reader.say("bad-member", f"`{text(item)}` cannot be a name", item, "Use letters, digits and `_`, beginning with a letter.")
            elif names.count(text(item)) > 1:
                self.reader.say("name-taken", f"`{text(item)}` is listed twice", item)
        return names

    def _letters(self, node: Scalar) -> tuple[str, ...]:
        match = _LETTERS.fullmatch(node.text)
        if match is None or match[1] > match[2]:
            self.reader.say("bad-member", f"`{node.text}` is no list of members", node, "Write a list, or a range of letters such as A..I.")
            raise Broken
        return tuple(chr(code) for code in range(ord(match[1]), ord(match[2]) + 1))

    def _enum(self, key: Scalar, node: Node) -> Enum:
        name = key.text
        in_play = None
        if isinstance(node, MapNode) and node.get("in_play") is not None:
            in_play = self.reader.fixed(node.get("in_play"), {name: enum(name)}, BOOL, free=(name,))
        return Enum(name, self.names.enums[name] or (), in_play, key.span)

    def _answers(self, node: MapNode) -> tuple[str, ...]:
        answers = (node.get("answer"), *items(node.get("or")))
        names = tuple(text(a) for a in answers)
        for name, answer in zip(names, answers, strict=True):
            if names.count(name) > 1 and answer is not None:
                self.reader.say("name-taken", f"the answer `{name}` is given twice", answer)
        return names

    def _ruling(self, key: Scalar, node: Node) -> Ruling:
        inner = mapping(node)
        answers = self.names.answers[key.text]
        if answers is None:
            raise Broken
        return Ruling(key.text, text(inner.get("question")), answers, tuple(text(s) for s in items(inner.get("silent"))), key.span)

    # cards, tables, zones, values

    def _cards(self, sources: dict[str, str], steps: StepReader) -> manifest.Deck | None:
        node = self.root.get("cards")
        if node is None:
            return manifest.NO_CARDS
        rule = ""
        if isinstance(node, MapNode) and isinstance(out := node.get("leave_out"), MapNode):
            rule = steps.common(out, {})["rule"]
        types = {name: type_ for name, type_ in self.names.fields.items() if type_ is not None}
        return self._try(lambda: manifest.deck(self.reader, mapping(node), types, sources, rule))

    def _table_signature(self, node: MapNode) -> tuple[Type, Type]:
        by = node.get("by")
        low, high = self.names.players.start, self.names.players[-1]
        index = integer(low, high) if by is not None and text(by) == "players" else self.reader.type(by)
        if index is None:
            raise Broken
        cells = [self._cell(value) for key, value in node.entries if key.text not in ("by", "title")]
        joined = cells[0] if cells else integer(0, 0)
        for cell in cells[1:]:
            widened = join(joined, cell)
            if widened is None:
                self.reader.say("type-mismatch", "this table mixes different kinds of entries", node)
                raise Broken
            joined = widened
        return index, joined

    def _cell(self, node: Node) -> Type:
        if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
            return integer(node.value, node.value)
        return self.reader.expr(node, {}).type

    def _table(self, key: Scalar, node: Node) -> Table:
        signature = self.names.tables[key.text]
        if signature is None:
            raise Broken
        by, type_ = signature
        rows: dict[int, int] = {}
        for index, cell in mapping(node).entries:
            if index.text in ("by", "title"):
                continue
            at = manifest.member_value(self.reader, by, index.text, index)
            value = self.reader.expr(cell, {}, type_)
            if at is not None and isinstance(value, Const):
                rows[at] = value.value
        wanted = range(by.low, by.high + 1) if by.kind == "int" else range(len(self.names.members_of(by)))
        missing = [self._spoken(by, i) for i in wanted if i not in rows]
        if missing:
            self.reader.say("table-gap", f"the table `{key.text}` has no entry for {', '.join(missing)}", key, "Add it, also where it is 0.")
        return Table(key.text, by, rows, type_, key.span)

    def _spoken(self, type_: Type, value: int) -> str:
        return str(value) if type_.kind == "int" else self.names.members_of(type_)[value]

    def _zone_signature(self, node: MapNode) -> tuple[Type | None, int]:
        per = node.get("per")
        return (self._per_type(per) if per is not None else None), 0

    def _per_type(self, node: Node) -> Type:
        found = self.names.domain(text(node))
        if found is None:
            known = ["player", *self.names.enums]
            self.reader.say("unknown-type", f"`{text(node)}` is neither `player` nor an enum", node, suggest(text(node), known))
            raise Broken
        return found

    def _zone(self, key: Scalar, node: Node) -> Zone:
        inner = mapping(node)
        seen = inner.get("seen_by")
        seen_if, seen_by, otherwise = None, "", ""
        if isinstance(seen, MapNode):
            seen_if = self.reader.fixed(seen.get("if"), {}, BOOL)
            seen_by, otherwise = text(seen.get("then")), text(seen.get("else"))
        else:
            seen_by = otherwise = text(seen)
        signature = self.names.zones[key.text]
        if signature is None:
            raise Broken
        if "owner" in (seen_by, otherwise) and signature[0] != PLAYER:
            self.reader.say("no-owner", f"`{key.text}` has no owner", seen or key, "Add `per: player`, or say everybody or nobody.")
        title = text(inner.get("title")) if inner.get("title") else key.text
        return Zone(key.text, title, signature[0], inner.get("order") is not None, seen_if, seen_by, otherwise, key.span)

    def _value_signature(self, name: str, node: MapNode) -> tuple[tuple[Type, ...], Callable[[], Type | None]]:
        per = node.get("per")
        if isinstance(per, MapNode):
            index = tuple(Index(key.text, self._per_type(value)) for key, value in per.entries)
        else:
            index = tuple(Index(text(item), self._per_type(item)) for item in items(per))
        self.definitions[name] = index
        types = tuple(i.type for i in index)
        if node.get("is") is not None:
            return types, lambda: self._derived_type(name)
        declared = self.reader.type(node.get("type"))
        return types, lambda: declared

    def _derived_type(self, name: str) -> Type | None:
        found = self._definition(name)
        return found.type if found is not None and found.type.kind != "none" else None

    def _definition(self, name: str) -> TExpr | None:
        """The typed definition of a derived value, read when first needed; a circle is reported once, where it closes."""
        if name in self.derived:
            return self.derived[name]
        node = mapping(mapping(self.root.get("values")).get(name))
        if name in self._open:
            circle = " → ".join([*self._open[self._open.index(name) :], name])
            self.reader.say("circular-value", f"this value is defined by itself: {circle}", node.get("is") or node, "Break the circle.")
            return None
        self._open.append(name)
        failed = len(self.reader.findings)
        found = self._try(lambda: self.reader.expr(node.get("is"), {i.name: i.type for i in self.definitions[name]}))
        self._open.pop()
        self.derived[name] = found if len(self.reader.findings) == failed else None
        return self.derived[name]

    def _value(self, key: Scalar, node: Node) -> StoredValue:
        inner = mapping(node)
        name = key.text
        signature = self.names.values[name]
        if signature is None:
            raise Broken
        title = text(inner.get("title")) if inner.get("title") else name
        if inner.get("is") is not None:
            definition = self._definition(name)
            if definition is None:
                raise Broken
            return StoredValue(name, title, self.definitions[name], definition.type, None, definition, key.span)
        type_ = signature[1]()
        if type_ is None:
            raise Broken
        return StoredValue(name, title, self.definitions[name], type_, self._start(inner, type_, key), None, key.span)

    def _start(self, node: MapNode, type_: Type, key: Scalar) -> TExpr:
        if node.get("start") is not None:
            return self.reader.fixed(node.get("start"), {}, type_)
        if not type_.optional:
            self.reader.say("no-start", f"`{key.text}` does not say what it is at the start", key, "Add `start:`, or make the type optional with `?`.")
        return Const(type_, NONE)

    # procedures and invariants

    def _signatures(self) -> dict[str, Signature | None]:
        return {key.text: self._try(lambda node=node: self._signature(mapping(node))) for key, node in self._pairs("procedures")}

    def _signature(self, node: MapNode) -> Signature:
        return {key.text: self._parameter(value) for key, value in entries(node.get("with"))}

    def _parameter(self, node: Node) -> Type | None:
        return self.reader.type(node)

    def _procedure(self, key: Scalar, node: Node, steps: StepReader) -> Procedure:
        inner = mapping(node)
        parameters = steps.procedures[key.text]
        if parameters is None:
            raise Broken
        rule = steps.common(inner, {})["rule"]
        body = steps.procedure(key.text, inner.get("do") or inner, parameters)
        index = tuple(Index(name, type_) for name, type_ in parameters.items() if type_ is not None)
        return Procedure(key.text, rule, index, body, key.span)

    def _recursion(self, steps: StepReader) -> None:
        """Procedures are written out where they run, so none may run itself."""
        done: set[str] = set()

        def visit(name: str, path: tuple[str, ...]) -> None:
            for called, node in steps.calls.get(name, ()):
                if called in path:
                    circle = " → ".join([*path[path.index(called) :], called])
                    self.reader.say("recursive-procedure", f"a procedure cannot run itself: {circle}", node, "Use a repeat instead.")
                elif called not in done:
                    visit(called, (*path, called))
            done.add(name)

        for name in steps.calls:
            if name and name not in done:
                visit(name, (name,))

    def _invariants(self, steps: StepReader) -> tuple[Invariant, ...]:
        found = []
        for item in items(self.root.get("invariants")):
            inner = self._try(lambda item=item: mapping(item))
            if inner is not None and (read := self._try(lambda inner=inner: self._invariant(inner, steps))):
                found.append(read)
        return tuple(found)

    def _invariant(self, node: MapNode, steps: StepReader) -> Invariant:
        id_ = text(node.get("id"))
        steps.declare(Rule(id_, id_, "", node.span), node.get("id") or node)
        steps.rules.pop(id_, None)
        return Invariant(id_, self.reader.expr(node.get("holds"), {}, BOOL), text(node.get("at")), node.span)


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LETTERS = re.compile(r"([A-Z])\.\.([A-Z])")


def _plain(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _players(game: MapNode) -> range:
    """The player counts of a game; 1 where they are not to be read."""
    match = _PLAYERS.fullmatch(_plain(game.get("players")))
    if not match:
        return range(1, 2)
    low = int(match[1])
    high = int(match[2] or low)
    return range(low, high + 1) if low <= high <= 999 else range(1, 2)
