"""Cards of a spec that are in a spreadsheet, `cards: {from: cards.xlsx}`, as rows of its manifest.

The text of the spec with these rows in place of `from`, `sheet` and `columns` is what all else reads: checks, digests,
releases, comparisons. A source map gives each of its places in the spec or in the spreadsheet.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

from rulespec.base.diagnostics import Finding, Severity, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Piece, Source
from rulespec.base.spreadsheet.columns import Columns, Option, columns_of, folded
from rulespec.base.spreadsheet.reading import ENDINGS, SheetReading, Wanted, is_spreadsheet, read
from rulespec.base.spreadsheet.sheet import Cell, Sheet, source_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.document.patches import Patch, mapped

__all__ = ["CardList", "Field", "Row", "card_list", "list_in", "spreadsheet_of", "with_cards", "with_list"]

_FROM, _OTHERS = "from", ("sheet", "columns")
_ABOUT_ROW = ("copies", "status", "source")
_SET = re.compile(r"set of [A-Za-z_][A-Za-z0-9_]*\??")
RANGE = re.compile(r"(-?[0-9]{1,15}|[A-Za-z])([ ]*(?:\.\.\.?|…|–|—|-)[ ]*)(-?[0-9]{1,15}|[A-Za-z])")
"""A range in a cell: its first value, its sign, its last value."""
_LISTED = re.compile(r"[ ]*[,;/&][ ]+|[ ]*[;/&][ ]*|,(?![0-9])")
"""Between the values of a list in a cell. A comma between figures is a decimal sign."""
_NAMES = re.compile(r"[,;/&\s]+")
_LETTERS = re.compile(r"([A-Za-z])\.\.([A-Za-z])")
_MEMBERS = re.compile(r"(\w+)\.\.(\w+)")
"""A range of members that are longer than a letter."""
_NUMBER = re.compile(r"([-+]?[0-9]{1,15})[.,]0{1,2}")
"""A whole number with decimals; 1,000 may be a thousand."""
_COPIES = re.compile(r"(?:[x×][ ]?)?([0-9]{1,4})(?:[.,]0{1,2})?(?:[ ]?[x×])?", re.IGNORECASE)
"""A number of copies, as lists write it: 3, 3x, × 3."""
_ATTRIBUTE = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
"""An attribute that has the number of copies: `name.copies`."""
_PLAIN = re.compile(
    r"[A-Za-z_][A-Za-z0-9_]*|-?(?:0|[1-9][0-9]*)|[A-Za-z0-9]+\.\.[A-Za-z0-9]+|[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*"
)
"""What needs no quotes in YAML."""

_ENDING = re.compile(rf"(?:{'|'.join(map(re.escape, ENDINGS))})\b", re.IGNORECASE)
"""The ending of the name of a spreadsheet. Specs without any are not parsed for it."""
_BLOCK = re.compile(r"^cards:(?:.*\n(?=[ \t\r\n#]|\Z))*.*", re.MULTILINE)
"""The section of a spec about its cards, in the usual layout."""
Headers = AbstractMapping[str, str]
"""The headers of columns by the fields that they have."""
Opener = Callable[[str, str, Wanted], SheetReading]
"""Reads a sheet, by the path of its file and its own name, or as the first that is wanted."""


def spreadsheet_of(source: Source) -> str:
    """The path of the spreadsheet with the cards of a spec; "" if they are in the spec itself."""
    # Nearly every spec has its cards in a block, whose lines are parsed alone; what cannot be is parsed with the rest.
    block = _BLOCK.search(source.text)
    root = _document(Source(source.path, block[0])) if block is not None else None
    node = _named(root if root is not None else _document(source))
    return _path(source, node) if node is not None else ""


def with_cards(source: Source, opened: Opener = read) -> tuple[Source | None, list[Finding]]:
    """The spec with the cards of its spreadsheet, and what is wrong with that. A spec without one is returned as it is.

    None if the cards cannot be read. Never raises for bad input.
    """
    root = _document(source)
    cards, node = root.get("cards") if isinstance(root, Mapping) else None, _named(root)
    if node is None or not isinstance(root, Mapping) or not isinstance(cards, Mapping) or not _has_form(cards):
        return source, []
    if cards.get("manifest") is not None:
        message = say("The cards are both in `manifest` and in the spreadsheet {path}.", path=node.text)
        return None, [finding("either-or", message, source, node.span, say("Delete one of them."))]
    found = [*_unknown_fields(root, cards)]
    sheet, unreadable = opened(_path(source, node), _text(cards.get("sheet")), has_cards(root, _headers(cards)))
    if sheet is None or unreadable or found:
        return None, [*found, *(_unread(source, node, one) for one in unreadable)]
    listed, found = list_in(root, sheet, _headers(cards))
    found += [*listed.heading_findings((), _columns_entry), *listed.faults()]
    if any(one.severity == Severity.ERROR for one in found):
        return None, found
    if not listed.rows:
        return None, [*found, listed.columns.without_rows()]
    return with_list(source, listed), found


def card_list(source: Source) -> CardList | None:
    """The spreadsheet with the cards of a spec, as the spec reads it; None for a spec without one, and for one that
    cannot be read."""
    root = _document(source)
    cards, node = root.get("cards") if isinstance(root, Mapping) else None, _named(root)
    if node is None or not isinstance(root, Mapping) or not isinstance(cards, Mapping):
        return None
    headers = _headers(cards)
    sheet, _ = read(_path(source, node), _text(cards.get("sheet")), has_cards(root, headers))
    return list_in(root, sheet, headers)[0] if sheet is not None else None


def _document(source: Source) -> Node | None:
    return parse(source)[0] if _ENDING.search(source.text) else None


def _has_form(cards: Mapping) -> bool:
    """Whether the keys beside the path of a spreadsheet have the form that they need; the schema finds another one."""
    sheet, columns = (cards.get(key) for key in _OTHERS)
    headers = columns.entries if isinstance(columns, Mapping) else ()
    texts = [value for value in (sheet, *(value for _, value in headers)) if value is not None]
    is_mapping = columns is None or (isinstance(columns, Mapping) and bool(headers))
    return is_mapping and all(isinstance(value, Scalar) and isinstance(value.value, str) for value in texts)


def _unknown_fields(root: Mapping, cards: Mapping) -> Iterator[Finding]:
    """Headers of columns for what cards do not have."""
    known = _names(_fields(root, cards))
    for key, _ in _entries(cards.get("columns")):
        if key.text not in known:
            near = get_close_matches(key.text, known, n=1)
            message, hint = say("Cards have no field `{name}`.", name=key.text), say("A row has {names}.", names=known)
            if near:
                hint = say("Did you mean `{name}`?", name=near[0])
            yield finding("unknown-field", message, key.source, key.span, hint)


def _named(root: Node | None) -> Scalar | None:
    """The path of a spreadsheet as a spec names it. One of another form is found by the schema."""
    cards = root.get("cards") if isinstance(root, Mapping) else None
    node = cards.get(_FROM) if isinstance(cards, Mapping) else None
    return node if isinstance(node, Scalar) and is_spreadsheet(node.text) else None


def _path(source: Source, node: Scalar) -> str:
    # A file of a git revision, `HEAD~1:specs/river.yaml`, has its spreadsheet in that revision.
    revision, colon, path = source.path.rpartition(":")
    folder = "" if path.startswith("<") else os.path.dirname(path)
    return revision + colon + PurePath(os.path.normpath(os.path.join(folder, node.text))).as_posix()


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _unread(source: Source, node: Scalar, found: Finding) -> Finding:
    """The finding about a spreadsheet; that it is not there is one about the spec."""
    if found.name != "file-not-found":
        return found
    hint = say("Its path is read from the folder of the spec.")
    return finding(found.name, say("There is no file {path}.", path=found.path), source, node.span, hint)


def with_list(source: Source, listed: CardList) -> Source:
    """A spec with the rows of a list, whatever is wrong in them, in place of the cards that it has."""
    return mapped(source, [_manifest(listed.cards, listed.rows, listed.columns.sheet), *_gone(listed.cards)])


def list_in(root: Mapping, sheet: Sheet, headers: Headers) -> tuple[CardList, list[Finding]]:
    """The cards of a sheet as a spec reads them, and findings about the headings."""
    cards = root.get("cards")
    assert isinstance(cards, Mapping)
    fields = _fields(root, cards)
    members = frozenset(folded(member) for field in fields for member in field.members)
    columns, found = columns_of(sheet, _names(fields), headers, members)
    return CardList(cards, fields, columns), found


def has_cards(root: Mapping, headers: Headers) -> Wanted:
    """A test whether a sheet has all columns that cards need."""

    def is_list(sheet: Sheet) -> bool:
        listed, found = list_in(root, sheet, headers)
        return listed.required <= {*listed.columns.headings} and not any(one.severity == "error" for one in found)

    return is_list


def _fields(root: Mapping, cards: Mapping) -> tuple[Field, ...]:
    return tuple(Field.of(root, key.text, value) for key, value in _entries(cards.get("fields")))


def _names(fields: Iterable[Field]) -> tuple[str, ...]:
    """The names of all columns."""
    return *(name for field in fields for name in field.columns), *_ABOUT_ROW


def _headers(cards: Mapping) -> Headers:
    return {key.text: _text(value) for key, value in _entries(cards.get("columns"))}


def _columns_entry(name: str, heading: str) -> str:
    form = json.dumps(heading, ensure_ascii=False) if " " in heading else heading
    return f"`columns: {{{name}: {form}}}`"


def _entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    return iter(node.entries) if isinstance(node, Mapping) else iter(())


# --- the rows ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """A field of cards as the spec declares it: its columns, and the members that its values are."""

    name: str
    type: str
    members: tuple[str, ...]
    optional: bool
    per: tuple[str, ...] = ()
    """The members that it has values for."""
    owner: str = ""
    """The enum of these members."""

    @classmethod
    def of(cls, root: Mapping, name: str, node: Node) -> Field:
        per = _text(node.get("per")) if isinstance(node, Mapping) else ""
        type_ = _text(node.get("type") if isinstance(node, Mapping) else node)
        optional = isinstance(node, Mapping) or type_.endswith("?")
        return cls(name, type_, _members(root, type_), optional, _members(root, per), per)

    @property
    def is_set(self) -> bool:
        return _SET.fullmatch(self.type) is not None

    @property
    def enum(self) -> str:
        """The name of its type, which that of an enum is for members."""
        return _enum(self.type)

    @property
    def columns(self) -> Iterable[str]:
        """The headers of its columns: its name, or one for each member of the enum that it has values by."""
        return [f"{self.name} {member}" for member in self.per] or [self.name]

    def words(self, text: str) -> Iterator[Span]:
        """Where the values in a cell are: those of a list, and both ends of a range."""
        at = 0
        for start, end in [*(found.span() for found in self._between.finditer(text)), (len(text), len(text))]:
            ends = RANGE.fullmatch(text, at, start) or _MEMBERS.fullmatch(text, at, start)
            yield from (Span(*ends.span(1)), Span(*ends.span(ends.lastindex or 1))) if ends else (Span(at, start),)
            at = end

    def member(self, word: str) -> str:
        """The member that a word in a cell means; another word as it is."""
        return self._by_heading.get(folded(word), word)

    @cached_property
    def _by_heading(self) -> AbstractMapping[str, str]:
        """The members as headings are compared."""
        return {folded(member): member for member in reversed(self.members)}

    @property
    def _between(self) -> re.Pattern[str]:
        return _NAMES if self.is_set else _LISTED

    def written(self, text: str) -> str:
        """The content of a cell as a row of a manifest has it."""
        parts = [self._value(part) for part in self._between.split(text) if part]
        if not self.is_set and len(parts) < 2:
            return parts[0] if parts else json.dumps(text, ensure_ascii=False)  # nothing but commas
        return f"[{', '.join(parts)}]"

    def _value(self, text: str) -> str:
        if ends := RANGE.fullmatch(text):
            first, last = (str(int(end)) if end[-1].isdigit() else self.member(end) for end in (ends[1], ends[3]))
            return f"{first}..{last}"
        if (ends := _MEMBERS.fullmatch(text)) and {*map(self.member, ends.groups())} <= {*self.members}:
            return f"{self.member(ends[1])}..{self.member(ends[2])}"
        if number := _NUMBER.fullmatch(text):
            return str(int(number[1]))
        word = text.lower() if text.lower() in ("true", "false") else text
        return _quoted(self.member(word))


def _members(root: Mapping, type_: str) -> tuple[str, ...]:
    """The members of the enum that a type names, where they are written one by one or as a range of letters."""
    enums = root.get("enums")
    node = enums.get(_enum(type_)) if isinstance(enums, Mapping) else None
    listed = node.get("members") or node if isinstance(node, Mapping) else node
    if isinstance(listed, Sequence):
        return tuple(item.text for item in listed.items if isinstance(item, Scalar))
    if isinstance(listed, Scalar) and (ends := _LETTERS.fullmatch(listed.text)):
        return tuple(map(chr, range(ord(ends[1]), ord(ends[2]) + 1)))
    return tuple(key.text for key, _ in _entries(listed))


def _enum(type_: str) -> str:
    return type_.removeprefix("set of ").rstrip("?")


@dataclass(frozen=True)
class CardList:
    """The sheet with the cards of a spec, as the spec reads it: `cards` is the part of the spec that names it."""

    cards: Mapping
    fields: tuple[Field, ...]
    columns: Columns

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns that the sheet may have."""
        return _names(self.fields)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the manifest that are in the sheet."""
        return tuple(self._row(cells) for cells in self.columns.rows)

    def _row(self, cells: tuple[Cell, ...]) -> Row:
        entries: list[tuple[str, str, Cell]] = []
        for field in self.fields:
            there = [(name, cell) for name in field.columns if (cell := self.columns.cell(cells, name)) is not None]
            filled = [(name, cell) for name, cell in there if cell.text]
            if field.per and there and (filled or entries):  # a card that is free has no number in any of the columns
                values = [f"{name.removeprefix(field.name).strip()}: {field.written(one.text)}" for name, one in filled]
                entries.append((field.name, f"{{{', '.join(values)}}}", (filled or there)[0][1]))
            elif filled:
                entries.append((field.name, field.written(filled[0][1].text), filled[0][1]))
        about = ((name, cell) for name in _ABOUT_ROW if (cell := self.columns.cell(cells, name)) and cell.text)
        return Row(cells, [*entries, *((name, _about(name, cell.text), cell) for name, cell in about)])

    @property
    def required(self) -> set[str]:
        """The columns that every card needs."""
        return {field.name for field in self.fields if not field.optional}

    def heading_findings(self, filled: Collection[str], option: Option) -> Iterator[Finding]:
        """Findings about the columns of a sheet. Cards of the game have content in those that are filled."""
        names = [*(name for field in self.fields for name in field.columns), "copies"]
        return self.columns.findings(names if self.columns.headings else (), self.required, filled, option)

    def faults(self) -> Iterator[Finding]:
        """Findings about the cells that have no value, or one that no row of a manifest can have."""
        sheet, fields = self.columns.sheet, {name: field for field in self.fields for name in field.columns}
        for row in self.rows:
            for name, heading in self.columns.headings.items():
                cell, field = sheet.cell(row.cells, heading.column), fields.get(name)
                is_member = field is not None and field.member(cell.text) in field.members
                if not is_member and (fault := sheet.fault(cell)) is not None:
                    yield fault
                elif name == "copies" and cell.text and not _is_copies(cell.text):
                    message = say("`{cell}` is no number of copies.", cell=cell.text)
                    hint = say("Write a whole number from 1 on.")
                    yield sheet.finding("wrong-value", message, cell, hint)
            if fields and row.entries[0][0] in _ABOUT_ROW:
                name = next(iter(fields.values())).name
                message, hint = say("This card has no `{name}`.", name=name), say("Every card needs one.")
                yield sheet.finding("field-missing", message, row.entries[0][2], hint)


class Row(NamedTuple):
    """A row of the manifest: the cells of its row in the sheet, and its entries, each with the cell it comes from."""

    cells: tuple[Cell, ...]
    entries: list[tuple[str, str, Cell]]


def _is_copies(text: str) -> bool:
    return _COPIES.fullmatch(text) is not None or _ATTRIBUTE.fullmatch(text) is not None


def _quoted(word: str) -> str:
    """A word as YAML writes it."""
    return word if _PLAIN.fullmatch(word) else json.dumps(word, ensure_ascii=False)


def _about(name: str, text: str) -> str:
    if name == "copies" and (number := _COPIES.fullmatch(text)):
        return str(int(number[1]))
    if name == "source":
        return f"[{', '.join(_quoted(word) for word in _NAMES.split(text) if word)}]"
    return _quoted(text.lower() if name == "status" else text)


# --- the text ---------------------------------------------------------------------------------------------------------


def _manifest(cards: Mapping, rows: Iterable[Row], sheet: Sheet) -> Patch:
    """The rows in place of the path of their spreadsheet, or of other rows. Each value comes from its cell, a row from
    its first one."""
    source, place = source_of(sheet)
    parts: list[str] = []
    pieces: list[Piece] = []
    length = 0

    def put(text: str, cell: Cell | None = None, is_value: bool = False) -> None:
        nonlocal length
        parts.append(text)
        if cell is not None:
            # A text is often longer than the cell that it comes from, and never in another one.
            there = place(cell)
            known = min(len(text), there.end - there.start) if is_value else 0
            pieces.append(Piece(length, length + known, source, there.start))
        length += len(text)

    put("manifest: [")
    for number, row in enumerate(rows):
        put(", " * bool(number))
        put("{", row.entries[0][2])
        for at, (name, value, cell) in enumerate(row.entries):
            put(", " * bool(at))
            put(f"{name}: ", cell)
            mark = value[: value[:1] in ("[", '"')]  # which is not in the cell
            put(mark, cell)
            put(value[len(mark) :], cell, is_value=True)
        put("}", row.entries[-1][2])
    put("]")
    replaced = ((key, value) for key, value in cards.entries if key.text in (_FROM, "manifest"))
    start, end = next((key.span.start, value.span.end) for key, value in replaced)
    return Patch(Span(start, end), "".join(parts), tuple(pieces))


def _gone(cards: Mapping) -> Iterator[Patch]:
    """Takes `sheet` and `columns` out of the list of cards, each with the comma or the line before it."""
    first = True
    for at, (key, value) in enumerate(cards.entries):
        if key.text not in _OTHERS:
            first = False
        elif first:  # another entry follows it: `from`, without which there is no spreadsheet
            yield Patch(Span(key.span.start, cards.entries[at + 1][0].span.start), "")
        else:
            yield Patch(Span(_end(cards.entries[at - 1][1]), _end(value)), "")


def _end(node: Node) -> int:
    """The end of a value. That of a mapping in block layout is the end of its last value."""
    if isinstance(node, Mapping) and node.source.text[node.span.start] != "{" and node.entries:
        return _end(node.entries[-1][1])
    if isinstance(node, Sequence) and node.source.text[node.span.start] != "[" and node.items:
        return _end(node.items[-1])
    return node.span.end
