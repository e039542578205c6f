"""The spreadsheet with the cards of a spec in which a name is renamed: its cells and headings with the name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Span
from rulespec.base.failure import Refusal
from rulespec.base.messages import say
from rulespec.base.source import Source, read
from rulespec.base.spreadsheet.reading import from_bytes
from rulespec.base.spreadsheet.sheet import Edit, Sheet, SheetError
from rulespec.base.spreadsheet.writing import edited
from rulespec.editing.renaming.targets import Target
from rulespec.language.cards_from import CardList, Field, card_list, spreadsheet_of, with_cards
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Scalar

__all__ = ["SheetChange", "columns_named", "sheet_change", "with_new_cards"]


@dataclass(frozen=True)
class SheetChange:
    """A spreadsheet before and after a rename, and the new values of its cells."""

    sheet: Sheet
    before: bytes
    after: bytes
    edits: tuple[Edit, ...]

    @property
    def path(self) -> str:
        return self.sheet.path

    @property
    def lines(self) -> list[str]:
        """What changes in each cell, as people read it."""
        return [f"{self.sheet.place(one.cell)}: {one.cell.text} → {one.value}" for one in self.edits]


def columns_named(source: Source, target: Target) -> list[Span]:
    """The places of a name in the keys of `columns` of a spec."""
    listed = card_list(source)
    return [*_Renaming(listed, target, target.name).keys()] if listed is not None else []


def sheet_change(source: Source, target: Target, new: str) -> SheetChange | None:
    """The change of the spreadsheet of a spec; None if it has none, or one without the name. Raises Refusal."""
    listed = card_list(source)
    edits = [*_Renaming(listed, target, new).edits()] if listed is not None else []
    if listed is None or not edits:
        return None
    sheet = listed.columns.sheet
    # Another spec may have its cards in the same spreadsheet.
    own = Path(source.path)
    for other in sorted(one for one in own.parent.glob("*.y*ml") if not one.samefile(own)):
        spec, _ = read(project.shown(str(other)))
        theirs = spreadsheet_of(spec) if spec is not None else ""
        if spec is not None and Path(theirs).is_file() and Path(theirs).samefile(sheet.path):
            raise Refusal(
                say("{path} has the cards of {spec}, too.", path=sheet.path, spec=spec.path),
                say("Give each spec a spreadsheet of its own."),
            )
    before, place = Path(sheet.path).read_bytes(), sheet.place(edits[0].cell)
    try:
        after, _, locked = edited(before, listed.columns, edits)
    except SheetError as error:
        raise Refusal(
            say("{place} has the name `{name}`, too. {message}", place=place, name=target.name, message=error.message),
            error.hint,
        ) from None
    if locked:
        place = sheet.place(locked[0].cell)
        raise Refusal(
            say("The name `{name}` in {place} comes from a formula.", name=target.name, place=place),
            say("Write it in place of the formula."),
        )
    return SheetChange(sheet, before, after, tuple(edits))


def with_new_cards(spec: Source, change: SheetChange | None) -> tuple[Source | None, list[Finding]]:
    """A renamed spec with its cards, as `with_cards` gives it, from a spreadsheet that may not be written yet."""
    if change is None:
        return with_cards(spec)
    return with_cards(spec, lambda path, name, wanted: from_bytes(change.after, path, name, wanted))


@dataclass(frozen=True)
class _Renaming:
    """A name that is renamed in a list of cards."""

    listed: CardList
    target: Target
    new: str

    @cached_property
    def _fields(self) -> Mapping[str, Field]:
        """The field of each column."""
        return {name: field for field in self.listed.fields for name in field.columns}

    @cached_property
    def _chosen(self) -> Mapping[str, Scalar]:
        """The keys of `columns`."""
        node = self.listed.cards.get("columns")
        return {key.text: key for key, _ in node.entries} if isinstance(node, MapNode) else {}

    def keys(self) -> Iterator[Span]:
        for name, key in self._chosen.items():
            if found := self._in_name(name):
                yield Span(key.offset(found.start), key.offset(found.end))

    def _in_name(self, name: str) -> Span | None:
        """Where the name of a column has the one that is renamed: `cost` or `green` in `cost green`."""
        field, target = self._fields.get(name), self.target
        if field is not None and target.kind == "field" and field.name == target.name:
            return Span(0, len(field.name))
        is_member = field is not None and (target.kind, target.owner) == ("member", field.owner)
        return Span(len(name) - len(target.name), len(name)) if is_member and name.endswith(f" {target.name}") else None

    def edits(self) -> Iterator[Edit]:
        columns = self.listed.columns
        for name, heading in columns.headings.items():
            if name not in self._chosen and (found := self._in_name(name)):
                yield Edit(heading, self._heading(heading.text, at_end=found.start > 0))
        for row in columns.rows:
            for name in columns.headings:
                cell = columns.cell(row, name)
                if cell is not None and (after := self._content(name, cell.text)) != cell.text:
                    yield Edit(cell, after)

    def _heading(self, text: str, at_end: bool) -> str:
        """A heading with the new name, in which capitals, spaces and underscores do not count."""
        letters = r"[\s_]*".join(self.target.name.replace("_", ""))
        found = re.search(rf"{letters}(?=[\s\]]*\Z)" if at_end else letters, text, re.IGNORECASE)
        return text[: found.start()] + self._cased(found[0]) + text[found.end() :] if found else text

    def _content(self, name: str, text: str) -> str:
        """The content of a cell with the new name."""
        field = self._fields.get(name)
        if field is None:  # a number of copies may be that of a member: `rank.copies`
            is_read = self.target.kind == "field" and name == "copies"
            return self.target.pattern.sub(self.new, text) if is_read else text
        parts, at = [], 0
        for span in field.words(text):
            parts += [text[at : span.start], self._word(field, text[span.start : span.end])]
            at = span.end
        return "".join([*parts, text[at:]])

    def _word(self, field: Field, word: str) -> str:
        target, member = self.target, field.member(word)
        if (target.kind, target.owner, target.name) == ("member", field.enum, member):
            return self._cased(word)
        is_enum = (target.kind, target.name) == ("enum", field.enum) and word == field.enum
        return self.new if is_enum and member not in field.members else word

    def _cased(self, word: str) -> str:
        """The new name, with a capital where only the sheet has one."""
        has_capital = word[:1].isupper() and not self.target.name[:1].isupper()
        return self.new[:1].upper() + self.new[1:] if has_capital else self.new
