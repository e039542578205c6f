"""The cards of a sheet, which is read as `from` reads it, beside those of a spec: a row is a number of groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.base.spreadsheet.columns import Columns
from rulespec.base.spreadsheet.reading import Wanted
from rulespec.base.spreadsheet.sheet import Sheet
from rulespec.editing.card_rows import Group, Numbers, words_of
from rulespec.games.api import built
from rulespec.language.cards_from import CardList, Row, has_cards, list_in, with_list
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import plain
from rulespec.language.model.manifest import MOST_CARDS
from rulespec.language.model.spec import Spec, field_of
from rulespec.language.model.types import NONE

__all__ = ["CardTable", "headed_table", "heading_of", "names_of", "table_of", "wanted_by"]

_EXTRA = ("copies", "status", "source")


def names_of(spec: Spec) -> tuple[str, ...]:
    """The columns that a list of cards may have, as it heads them: the fields, then what each row may say."""
    return *map(heading_of, spec.deck.fields), *_EXTRA


def heading_of(name: str) -> str:
    """A column of cards as a spreadsheet heads it: `cost green` for `cost[green]`."""
    return name.replace("[", " ").removesuffix("]")


def _root(spec: Spec) -> MapNode:
    root, _ = parse(spec.source)
    assert isinstance(root, MapNode)
    return root


def wanted_by(spec: Spec, chosen: Mapping[str, str]) -> Wanted:
    """Whether a sheet has the cards of a spec, with the headings of names that are called otherwise in it."""
    return has_cards(_root(spec), chosen)


@dataclass(frozen=True)
class CardTable:
    """A sheet with the cards of a spec."""

    spec: Spec
    listed: CardList

    @property
    def columns(self) -> Columns:
        return self.listed.columns

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What the sheet has no column for: of the status and the sources of a group."""
        parts = (("status", "status"), ("source", "sources"))
        return tuple(part for name, part in parts if name not in self.columns.headings)

    @cached_property
    def rows(self) -> tuple[tuple[Row, Numbers], ...]:
        """The rows with cards, each with the groups that it stands for; what is wrong in one stays as it is written."""
        return tuple((row, self._groups(row)) for row in self.listed.rows)

    @property
    def groups(self) -> Numbers:
        """How many cards of each group there are, in order."""
        found: Numbers = {}
        for _, groups in self.rows:
            for group, number in groups.items():
                found[group] = found.get(group, 0) + number
        return found

    def _groups(self, row: Row) -> Numbers:
        # An entry is YAML: "1..3" and "[red, green]" mean what they mean in a manifest.
        said = {name: plain(node) for name, text, _ in row.entries if (node := parse(Source("", text))[0]) is not None}
        words = [self._words(name, said) for name in self.spec.deck.fields]
        if prod(map(len, words)) > MOST_CARDS:
            words = [[", ".join(column)] for column in words]
        about = str(said.get("status", "printed")), tuple(map(str, said.get("source", ())))
        found: Numbers = {}
        for values in product(*words):
            group = Group(values, *about)
            found[group] = found.get(group, 0) + self._copies(group, said.get("copies", 1))
        return found

    def _words(self, name: str, said: Mapping[str, object]) -> list[str]:
        """What a column of cards has in a row."""
        type_, field = self.spec.deck.fields[name], self.spec.deck.per_member.get(field_of(name))
        value = said.get(field_of(name))
        if field is not None:
            value = value.get(name[len(field.name) + 1 : -1]) if isinstance(value, dict) else None
            if value is None and field.unwritten == 0:
                return ["false" if type_.kind == "bool" else "0"]
        if value is None:
            return [""]
        if type_.kind != "set":
            return words_of(self.spec, type_, value)
        members = self.spec.enums[type_.name].members
        listed = words_of(self.spec, self.spec.deck.fields[name], value)
        return [" ".join(sorted(listed, key=lambda word: members.index(word) if word in members else len(members)))]

    def _copies(self, group: Group, said: object) -> int:
        """The number of copies of a group: one that is written, or that of an attribute; 0 if it is neither."""
        if isinstance(said, int) and not isinstance(said, bool):
            return max(0, said)
        name, _, attribute = str(said).partition(".")
        types = self.spec.deck.fields
        table = self.spec.tables.get(f"{types[name].name}.{attribute}") if name in types else None
        word = dict(zip(types, group.values, strict=True)).get(name, "")
        members = self.spec.enums[types[name].name].members if table is not None else ()
        return table.rows[members.index(word),] if table is not None and word in members else 0

    def repeated(self) -> Iterator[Finding]:
        """Warnings at both rows of equal cards with different numbers of copies."""
        first: dict[Group, tuple[Row, int]] = {}
        for row, groups in self.rows:
            for group, number in groups.items():
                other, copies = first.setdefault(group, (row, number))
                if copies != number:
                    yield self._repeated((other, copies), (row, number))
                    yield self._repeated((row, number), (other, copies))
                    break

    def _repeated(self, here: tuple[Row, int], there: tuple[Row, int]) -> Finding:
        sheet, copies = self.columns.sheet, (here[1], there[1])
        message = say(
            "This card is listed twice, with {one} and with {other} copies: {sum} in all. The other row is {row}.",
            one=copies[0],
            other=copies[1],
            sum=sum(copies),
            row=sheet.position(there[0].entries[0][2])[0].line,
        )
        hint = say("If both mean the same cards, delete one of the two rows.")
        return sheet.finding("repeated-card", message, here[0].entries[0][2], hint)


def table_of(spec: Spec, sheet: Sheet, chosen: Mapping[str, str]) -> tuple[CardTable, list[Finding]]:
    """The cards of a sheet, and all findings about it: those of `from`. Only a table without errors has the groups that
    are meant. `chosen` gives the headings of names that are called otherwise in the sheet."""
    table, findings = headed_table(spec, sheet, chosen)
    listed = table.listed
    findings += listed.faults()
    if listed.rows:
        # What else the cards make wrong is said of the spec with them. Cells without a column are one finding, above.
        known = {one.start for one in findings}
        without = "" if listed.required <= {*listed.columns.headings} else "field-missing"
        more = (one for one in built(with_list(spec.source, listed))[1].findings if one.path == sheet.path)
        findings += [one for one in more if one.start not in known and one.name != without]
    elif listed.columns.headings:
        findings.append(listed.columns.without_rows())
    if not any(one.severity == Severity.ERROR for one in findings):
        findings += table.repeated()
    return table, findings


def headed_table(spec: Spec, sheet: Sheet, chosen: Mapping[str, str]) -> tuple[CardTable, list[Finding]]:
    """The cards of a sheet, and the findings about its headings."""
    listed, findings = list_in(_root(spec), sheet, chosen)
    names = [(heading_of(name), spec.deck.per_member.get(field_of(name))) for name in spec.deck.fields]
    empty = [{NONE, NONE if field is None else field.unwritten} for _, field in names]
    filled = {names[at][0] for card in spec.deck.cards for at, content in enumerate(card) if content not in empty[at]}
    return CardTable(spec, listed), [*findings, *listed.heading_findings(filled, _columns_option)]


def _columns_option(name: str, heading: str) -> str:
    return f'--columns {name}="{heading}"' if " " in heading else f"--columns {name}={heading}"
