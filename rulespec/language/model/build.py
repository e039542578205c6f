"""Builds the sealed model of a document, or reports why it cannot be sealed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import (
    attributes,
    boards,
    enums,
    manifest,
    per_member,
    procedures,
    renamed,
    states,
    stocks,
    tables,
    values,
    zones,
)
from rulespec.language.model.names import Names, suggest
from rulespec.language.model.nodes import entries, items, mapping, scalar, text, whole
from rulespec.language.model.reader import Reader
from rulespec.language.model.spec import Claim, Deck, Invariant, Procedure, Spec, StoredValue, Table
from rulespec.language.model.steps import effect as effects
from rulespec.language.model.steps import transfer as transfers
from rulespec.language.model.steps.reading import StepReader, signature
from rulespec.language.model.steps.table import OPERATIONS
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import BOOL

MOST_PLAYERS = 12
"""Players of a game, at most. Programs write registers and secret choices out for every player."""

T = TypeVar("T")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
SECTIONS = frozenset(
    (
        *("rulespec", "game", "enums", "cards", "tables", "zones", "values", "stocks", "rulings", "setup", "play"),
        *("procedures", "invariants", "claims", "states", "renamed"),
    )
)
"""The keys of a spec, as its schema has them."""
_PLAYERS = re.compile(r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?")


def build(root: Node, source: Source) -> tuple[Spec | None, list[Finding]]:
    """The sealed model of a spec, None if it has errors; and the findings about its names and types.

    Shapes that the schema rejects, and everything that depends on them, are skipped silently.
    """
    if not isinstance(root, MapNode):
        return None, []
    builder = _Builder(root, source)
    spec = builder.build()
    return (None if builder.reader.failed else spec), builder.reader.findings


class _Builder:
    """Reads a spec in two passes: first all declarations, so definitions may come in any order, then the rest."""

    def __init__(self, root: MapNode, source: Source) -> None:
        self.root, self.source = root, source
        self.reader = Reader(source, Names(None))
        self.names = self.reader.names
        self.game = self.reader.attempt(mapping, root.get("game"))
        self.sources: dict[str, str] = {}
        self.cards = manifest.Cards((), (), True)
        self.tables: dict[str, Table] = {}
        self.derived: dict[str, TExpr] = {}
        self.places: list[stocks.Place] = []
        self.starts: dict[str, TExpr] = {}

    def build(self) -> Spec | None:
        self.names.players = self.reader.attempt(self._players)
        self.sources = self.reader.attempt(self._sources) or {}
        self._declare_sets()
        self._declare_cards()
        self._declare_values()
        parts = self._parts()
        if self.reader.failed or self.names.players is None or parts["deck"] is None:
            return None
        spec = Spec(
            id=self._plain("id"),
            version=self._plain("version"),
            title=self._plain("title") or self._plain("id"),
            players=self.names.players,
            sources=self.sources,
            components=self.reader.attempt(self._components) or {},
            tables=self.tables,
            source=self.source,
            builds_on=self._plain("builds_on"),
            variant=self.source.variant,
            digest=hashlib.sha256(self.source.text.encode()).hexdigest(),
            **parts,
        )
        # These two evaluate expressions in the settings of a spec, so there must be one.
        enums.check_in_play(self.reader, spec, self._section("enums"))
        facts = states.read(self.reader, spec, self.root.get("states"))
        return replace(spec, states=facts, renamed=renamed.read(self.reader, spec, self.root.get("renamed")))

    # the game

    def _plain(self, key: str) -> str:
        node = self.game.get(key) if self.game is not None else None
        return node.text if isinstance(node, Scalar) else ""

    def _players(self) -> range | None:
        node = scalar(mapping(self.game).get("players"))
        match = _PLAYERS.fullmatch(node.text)
        if match is None:
            self.names.broken = True
            return None
        low, high = int(match[1]), int(match[2] or match[1])
        if low > high:
            message = say("The range {range} is empty.", range=node.text)
            self.reader.report("empty-range", message, node, say("Write the smaller number first."))
        elif low < 1 or high > MOST_PLAYERS:
            message = say(
                "The player counts are {node}, but must be from 1 to {most_players}.",
                node=node.text,
                most_players=MOST_PLAYERS,
            )
            self.reader.report(
                "out-of-range", message, node, say("Write a range from 1 to {most_players}.", most_players=MOST_PLAYERS)
            )
        else:
            return range(low, high + 1)
        return None

    def _sources(self) -> dict[str, str]:
        return {key.text: text(value) for key, value in entries(mapping(self.game).get("sources"))}

    def _components(self) -> dict[str, int]:
        return {key.text: whole(value) for key, value in entries(mapping(self.game).get("components"))}

    # declarations

    def _section(self, name: str) -> dict[str, Node]:
        return {key.text: node for key, node in self._entries(name)}

    def _entries(self, name: str) -> list[tuple[Scalar, Node]]:
        """The entries of a section; none if it is absent or not a mapping."""
        found = self.reader.attempt(lambda: list(entries(self.root.get(name))))
        # A key that is no name, with a capital or a letter that looks like the right one, stands for the right name.
        self.names.incomplete |= found is None or not all(_NAME.fullmatch(key.text) for key, _ in found)
        return found or []

    def _declare_sets(self) -> None:
        self.names.incomplete |= any(key not in SECTIONS for key, _ in self.root.items())
        for key, node in self._entries("enums"):
            self.reader.claim(key)
            self.names.enums[key.text] = None  # before its members, so that no member takes the name of its own enum
            if isinstance(node, MapNode) and node.get("in_play") is not None:
                self.names.partial.add(key.text)
            if not _is_rows(node):
                self.names.add_enum(key.text, self.reader.attempt(enums.members, self.reader, node))
        named = [(key, node) for key, node in self._entries("enums") if isinstance(node, MapNode)]
        for key, node in named:
            if boards.is_board(node):
                self.names.boards[key.text] = self.reader.attempt(boards.board, self.reader, key, node)
        for key, node in named:
            if _is_rows(node):
                self.names.add_enum(key.text, self.reader.attempt(enums.rows, self.reader, key, node))
        for key, node in self._entries("rulings"):
            self.reader.claim(key)
            self.names.rulings[key.text] = None
            self.names.add_ruling(key.text, self.reader.attempt(_answers, self.reader, node))
        for key, node in self._entries("enums"):
            for table in self.reader.attempt(list, attributes.attributes(self.reader, key, node)) or ():
                self._declare_table(table)
        # After all attributes: those of directions say where steps on a board lead.
        keys = {key.text: key for key, _ in self._entries("enums")}
        for table in [*boards.tables(self.reader, keys, self.tables)]:
            self._declare_table(table)

    def _declare_cards(self) -> None:
        node = self.reader.attempt(mapping, self.root.get("cards")) if self.root.get("cards") else None
        if node is not None:
            fields = self.reader.attempt(manifest.fields, self.reader, node)
            self.names.fields, self.names.incomplete = fields or {}, self.names.incomplete or fields is None
            rows, declared = items(node.get("manifest")), manifest.Declared(self.sources, self.tables)
            self.cards = manifest.cards(self.reader, rows, declared)
            whole = [field for field in self.names.per_member.values() if field is not None]
            for table in per_member.tables(whole, self.cards.cards, [*self.names.fields]):
                self._declare_table(table)
        broken = not self.cards.complete or (node is None and self.root.get("cards") is not None)
        self.names.cards = None if broken else len(self.cards.cards)
        if node is not None and not broken:
            self.names.copies = manifest.copies(node, tuple(self.names.fields), self.cards)

    def _declare_values(self) -> None:
        names, read = self.names, self.reader
        for key, node in self._entries("zones"):
            read.claim(key)
            names.zones[key.text] = read.attempt(_per, read, node)
        for key, node in self._entries("values"):
            read.claim(key)
            names.values[key.text] = read.attempt(values.shape, read, node)
        self.places = [*stocks.places(read, self._entries("stocks"))]
        for place in self.places:
            read.claim(place.key)
            names.values[place.key.text] = None  # until the tables are known, which starts may read
        for key, node in self._entries("tables"):
            read.claim(key)
            names.tables[key.text] = None
            if (table := read.attempt(tables.table, read, key, node)) is not None:
                self._declare_table(table)
        for key, node in self._entries("zones"):
            # After the tables, which bounds of zones may read.
            if (holds := read.attempt(zones.holds, read, node)) is not None:
                names.holds[key.text] = holds
        self.starts = stocks.declare(read, self.places)
        self.derived = values.definitions(read, self._section("values"))

    def _declare_table(self, table: Table) -> None:
        self.names.tables[table.name] = table.by, table.type
        self.tables[table.name] = table

    # everything else

    def _parts(self) -> dict[str, Any]:
        signatures = self._each("procedures", lambda key, node: signature(self.reader, node))
        known = {key.text: signatures.get(key.text) for key, _ in self._entries("procedures")}
        declared = self._each("enums", lambda key, node: effects.declared(self.reader, key, node))
        steps = StepReader(self.reader, known, OPERATIONS, self._plain("builds_on"), declared)
        read = self.reader
        parts = {
            # In this order: invariants, weights and rules of steps are complete only once all steps have been read.
            "deck": self._deck(steps),
            "enums": self._each("enums", lambda key, node: enums.sealed(read, key, node)),
            "zones": self._each("zones", lambda key, node: zones.sealed(read, key, node)),
            "values": {
                **self._each("values", lambda k, node: values.sealed(read, k, node, self.derived.get(k.text))),
                **self._stored_tokens(),
            },
            "rulings": self._each("rulings", lambda key, node: enums.ruling(read, key, node, self.sources)),
            "setup": steps.body(self.root.get("setup"), {}),
            "play": steps.body(self.root.get("play"), {}),
            "procedures": self._each("procedures", lambda key, node: procedures.procedure(key, node, steps))
            | self._effects(steps),
            "invariants": (*self._statements("invariants", _invariant, steps), *steps.invariants),
            "claims": self._statements("claims", _claim, steps),
            "weights": steps.weights,
            "rules": {
                id_: replace(rule, assumes=steps.assumed.of(id_, steps.reader.names.relied_on))
                for id_, rule in steps.rules.items()
            },
        }
        procedures.check_calls(steps)
        transfers.check(steps)
        return parts

    def _each(self, name: str, read: Callable[[Scalar, Node], T | None]) -> dict[str, T]:
        """The result of `read` for every entry of a section, without the broken ones and those that have none."""
        found = {key.text: self.reader.attempt(read, key, node) for key, node in self._entries(name)}
        return {key: value for key, value in found.items() if value is not None}

    def _stored_tokens(self) -> dict[str, StoredValue]:
        """The places of all stocks, without the broken ones."""
        known = [place for place in self.places if place.key.text in self.starts]
        found = (self.reader.attempt(stocks.sealed, self.reader, one, self.starts[one.key.text]) for one in known)
        return {place.name: place for place in found if place is not None}

    def _effects(self, steps: StepReader) -> dict[str, Procedure]:
        """The effects of members, one procedure for each moment of an enum."""
        nodes, read = self._section("enums"), self.reader
        made = (
            read.attempt(effects.procedures, nodes[name], one, self.tables, steps)
            for name, one in steps.effects.items()
        )
        return {one.name: one for procedures in made for one in procedures or ()}

    def _deck(self, steps: StepReader) -> Deck | None:
        node = self.root.get("cards")
        if not isinstance(node, MapNode):
            return manifest.NO_CARDS
        out = node.get("leave_out")
        common = self.reader.attempt(steps.common, out, {}) if isinstance(out, MapNode) else None
        rule = common["rule"] if common else ""
        return self.reader.attempt(manifest.deck, self.reader, node, self.cards, rule)

    def _statements(self, name: str, read: Callable[[Node, StepReader], T], steps: StepReader) -> tuple[T, ...]:
        """The items of a list of statements, without the broken ones."""
        found = (self.reader.attempt(read, item, steps) for item in items(self.root.get(name)))
        return tuple(statement for statement in found if statement is not None)


def _is_rows(node: Node) -> bool:
    return isinstance(node, MapNode) and node.get("in_a_row") is not None


def _answers(reader: Reader, node: Node) -> tuple[str, ...]:
    return enums.answers(reader, mapping(node))


def _per(reader: Reader, node: Node) -> tuple[Any, ...]:
    return zones.per(reader, mapping(node).get("per"))


def _invariant(item: Node, steps: StepReader) -> Invariant:
    node = mapping(item)
    id_ = scalar(node.get("id"))
    steps.declare(id_.text, id_, node.span)
    return Invariant(id_.text, steps.reader.expr(node.get("holds"), {}, BOOL), text(node.get("at")), node.span)


def _claim(item: Node, steps: StepReader) -> Claim:
    node, read = mapping(item), steps.reader
    id_, over = scalar(node.get("id")), scalar(node.get("for_all"))
    steps.declare(id_.text, id_, node.span)
    shape = read.names.values.get(over.text)
    kinds = [index.type.kind for index in shape.index] if shape is not None else []
    if over.text not in read.names.values and not read.names.incomplete:
        read.report(
            "unknown-name",
            say("There is no value `{name}`.", name=over.text),
            over,
            suggest(over.text, read.names.values),
        )
    elif shape is not None and (shape.derived or kinds != ["enum"]):
        message = say("`{over}` must be a stored value with one index, an enum.", over=over.text)
        read.report("not-a-value", message, over, say("Name a value that is declared with `per:` an enum."))
    given, holds = (read.expr(node.get(key), {}, BOOL) for key in ("given", "holds"))
    return Claim(id_.text, over.text, given, holds, node.span)
