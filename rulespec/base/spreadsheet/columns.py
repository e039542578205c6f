"""The columns of a sheet, matched with the names that are read from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache

from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.messages import NOTHING, Message, all_of, counted, quoted, say, sentences
from rulespec.base.spreadsheet.sheet import MOST_ABOVE, Cell, Sheet

_COUNTS = ("qty", "quantity", "count", "amount", "anzahl", "кількість", "數量", "張數")
"""Headings of columns with the number of copies, as `copies` is called elsewhere."""
_SIGNS = ("#", "x", "×", "n", "no.", "№")
_NUMBER = re.compile(r"(?:[x×][ ]?)?[0-9]{1,3}(?:[.,]0+)?(?:[ ]?(?:[x×]|\w{1,4}))?", re.IGNORECASE)
_TEXT = re.compile(r"(title|text)[\s_]+([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)", re.IGNORECASE)
"""Headings of texts in a language: `text en`, `Title zh-Hant`."""
_TOTALS = frozenset(
    (
        *("total", "totals", "totalcards", "totalcopies", "grandtotal", "subtotal", "sum", "σ", "summe", "gesamt"),
        *("gesamtsumme", "insgesamt", "suma", "razem", "łącznie", "ogółem", "somme", "totale", "somma", "разом"),
        *("всього", "усього", "підсумок", "сума", "итого", "всего", "合計", "總計", "总计", "合计"),
    )
)
"""What a row with totals is called, without figures and signs."""
_WORDS = re.compile(r"[^\W\d_]+")
_FIGURE = re.compile(r"[-+]?[0-9][0-9., ]*(?:%|[^\W\d]+)?|=.*", re.DOTALL)
"""What a row of totals has beside its name: numbers, perhaps with a unit, and in CSV formulas."""


Option = Callable[[str, str], str]
"""How a name gets the column with a heading: what to add to the spec or to the command."""


@dataclass(frozen=True)
class Columns:
    """The columns of a sheet: the heading of each name, and the headings that have no name. `members` are the words of
    cards as headings are compared: none of them is the name of a row with totals."""

    sheet: Sheet
    headings: Mapping[str, Cell]
    unused: tuple[Cell, ...]
    members: frozenset[str] = frozenset()

    def cell(self, row: tuple[Cell, ...], name: str) -> Cell | None:
        """The cell of a row under a name; None if the sheet has no such column."""
        heading = self.headings.get(name)
        return self.sheet.cell(row, heading.column) if heading is not None else None

    @property
    def texts(self) -> dict[tuple[str, str], Cell]:
        """The headings of texts, `text en` or `title zh-Hant`, by what they are and their language."""
        named = ((cell, _TEXT.fullmatch(cell.text)) for cell in self.unused)
        return {(said[1].lower(), said[2]): cell for cell, said in named if said is not None}

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows with a value in one of the columns that are used, but for totals, and for notes below the last of
        these: a row there with a single text, which is no word of cards. Others are notes."""
        used, kept = self.numbers, list[tuple[Cell, ...]]()
        filled = [row for row in self.sheet.rows[1:] if any(cell.text for cell in row if cell.column in used)]
        totals, sum_ = [], 0
        for at, row in enumerate(filled):
            if self.is_total(row) or self._is_sum(row, sum_):
                totals.append(at)
            elif found := re.match("[0-9]{1,4}", cell.text if (cell := self.cell(row, "copies")) is not None else ""):
                sum_ += int(found[0])
        last = max(totals, default=len(filled))
        for at, row in enumerate(filled):
            texts = [cell.text for cell in row if cell.text and cell.column in used]
            is_card = len(texts) != 1 or _FIGURE.fullmatch(texts[0]) or _is_near(folded(texts[0]), self.members)
            is_note = at > last and len(used) > 1 and not is_card
            kept += [row] * (at not in totals and not is_note)
        return tuple(kept)

    def is_total(self, row: tuple[Cell, ...]) -> bool:
        """Whether a row has totals: a word for it, and no other content but figures. The word may be in a column that
        is not used if nothing but a number of copies is in those that are."""
        copies = self.headings.get("copies")
        read = [cell for cell in row if cell.text and cell.column in {*self.numbers, row[0].column}]
        first, more = (read or row)[0], read[1:]
        if copies is not None and first.column == copies.column and not more:
            return _is_figure(first) and any(map(self._names_total, row))
        if not self._names_total(first) or not all(map(_is_figure, more)):
            return False
        # `sum` beside the numbers of a card may be a note, or a misspelt `sun`.
        is_alone = all(copies is not None and cell.column == copies.column for cell in more)
        return is_alone or (first.column in self.numbers and not _is_near(folded(first.text), self.members))

    def _names_total(self, cell: Cell) -> bool:
        """Whether a cell names a total: `Grand total:`, or `Total: 40 cards`."""
        words = _WORDS.findall(cell.text.casefold())
        name = words[0] if words and any(sign.isdigit() for sign in cell.text) else "".join(words)
        return name in _TOTALS and folded(cell.text) not in self.members

    def _is_sum(self, row: tuple[Cell, ...], sum_: int) -> bool:
        """Whether nothing but the sum of the numbers of copies above is in a row: a total without a name."""
        read = [cell for cell in row if cell.text and cell.column in self.numbers]
        return read == [self.cell(row, "copies")] and (read[0].is_faulty or read[0].text == str(sum_))

    @cached_property
    def numbers(self) -> frozenset[int]:
        """The numbers of the columns that are used."""
        return frozenset(heading.column for heading in self.headings.values())

    def likely(self, name: str) -> Cell | None:
        """The unused column that seems to have what a missing name stands for; None if none does."""
        if name in self.headings:
            return None
        similar = get_close_matches(folded(name), [folded(cell.text) for cell in self.unused], n=1, cutoff=0.7)
        alike = (cell for cell in self.unused if folded(cell.text) in similar)
        counts = (cell for cell in self.unused if name == "copies" and self._counts(cell))
        return next(alike, next(counts, None))

    def _counts(self, heading: Cell) -> bool:
        """Whether an unused column seems to have numbers of copies: it is called so, or has a sign and numbers of which
        some are equal, unlike those of cards."""
        texts = [self.sheet.cell(row, heading.column).text for row in self.rows]
        numbers = [text for text in texts if _NUMBER.fullmatch(text)]
        is_sign = heading.text in _SIGNS and len(set(numbers)) < len(numbers)
        return is_sign or (folded(heading.text).startswith(_COUNTS) and bool(numbers or not any(texts)))

    def without_rows(self) -> Finding:
        """The finding about a list of cards without any."""
        hint = say("Each row below the headings is a kind of card.")
        message = say("The list has headings but no cards.")
        return self.sheet.finding("field-missing", message, self.sheet.header[0], hint)

    def findings(
        self, names: Iterable[str], required: Collection[str], filled: Collection[str], option: Option
    ) -> Iterator[Finding]:
        """Findings about columns that are missing, of those that every card needs and those that cards of the game have
        content in, and about columns that are not used."""
        absent = [name for name in names if name not in self.headings]
        likely = {name: cell for name in absent if (cell := self.likely(name)) is not None}
        needed = [name for name in absent if name in required or name in filled]
        hints = {
            name: say(
                "If `{cell}` is `{name}`, add {option}; if not, rename it.",
                cell=cell.text,
                name=name,
                option=option(name, cell.text),
            )
            for name, cell in likely.items()
        }
        wrong = {name: cell for name, cell in likely.items() if name in needed or name == "copies"}
        for name, cell in wrong.items():
            message = say("There is no column `{name}`, and `{cell}` is not used.", name=name, cell=cell.text)
            yield self.sheet.finding("unknown-field", message, cell, hints.pop(name))
        without = [name for name in needed if name not in likely]
        for name in (name for name in without if name in required):
            message = say("There is no column `{name}`, which every card needs.", name=name)
            hint = _or_sheet(self.sheet, say("Add the column `{name}`.", name=name))
            yield self.sheet.finding("field-missing", message, self.sheet.header[0], hint)
        if lost := [name for name in without if name not in required]:
            message = counted(
                "There is no column for {names}, which cards of the game have.",
                "There are no columns for {names}, which cards of the game have.",
                len(lost),
                names=all_of(quoted(lost)),
            )
            hint = say("Add them. A cell may be empty.")
            yield self.sheet.finding("field-missing", message, self.sheet.header[0], hint)
        unused = [cell for cell in self.unused if cell not in wrong.values() and not _TEXT.fullmatch(cell.text)]
        if unused:
            message = say("Not used: {names}.", names=tuple(dict.fromkeys(cell.text for cell in unused)))
            hint = next(iter(hints.values()), NOTHING)
            yield self.sheet.finding("unknown-field", message, unused[0], hint, Severity.INFO)


@lru_cache(maxsize=1000)
def _is_near(word: str, members: frozenset[str]) -> bool:
    """Whether a word is one of cards, perhaps misspelt."""
    return bool(get_close_matches(word, members, n=1, cutoff=0.6))


def _is_figure(cell: Cell) -> bool:
    return cell.is_faulty or _FIGURE.fullmatch(cell.text) is not None


def columns_of(
    sheet: Sheet, names: Collection[str], chosen: Mapping[str, str], members: frozenset[str] = frozenset()
) -> tuple[Columns, list[Finding]]:
    """The columns with these names, and findings about headings. `chosen` gives the headings of names that are called
    otherwise in the sheet. Case, spaces and underscores do not count."""
    called = {folded(name): name for name in names if name not in chosen}
    called |= {folded(heading): name for name, heading in chosen.items()}
    # A sheet from its header on: of the first rows, the one with most of the headings. Titles may stand above it.
    matches = [sum(folded(cell.text) in called for cell in row) for row in sheet.rows[: MOST_ABOVE + 1]]
    header = matches.index(max(matches))
    sheet = replace(sheet, rows=sheet.rows[header:], above=sheet.rows[:header])
    headings: dict[str, Cell] = {}
    unused, findings = [], []
    for cell in sheet.header:
        name = called.get(folded(cell.text))
        if name in headings:
            message = say("The column `{cell}` is there twice.", cell=cell.text)
            findings.append(sheet.finding("unknown-field", message, cell, say("Delete one of the two.")))
        elif name is not None:
            headings[name] = cell
        elif cell.text:
            unused.append(cell)
    columns = Columns(sheet, headings, tuple(unused), members)
    return columns, [*findings, *_absent(columns, names, chosen), *_beyond(sheet)]


def folded(heading: str) -> str:
    """A heading or a name without what does not count in it: `Forget-me-not` is `forget_me_not`. The brackets are those
    of `cost[green]`, headed `cost green`."""
    return re.sub(r"[\s_\[\]'’-]+", "", heading).casefold()


def _absent(columns: Columns, names: Collection[str], chosen: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about chosen headings that are not there, and about a sheet without any of the headings."""
    first = columns.sheet.header[0]
    for name, heading in chosen.items():
        if name not in columns.headings:
            message = say("There is no column `{heading}`, which `{name}` is read from.", heading=heading, name=name)
            yield columns.sheet.finding("unknown-field", message, first, _known(columns))
    if not columns.headings and not chosen:
        message = say("The first row has none of the headings that are read.")
        hint = say("They are {names}.", names=tuple(names))
        yield columns.sheet.finding("field-missing", message, first, _or_sheet(columns.sheet, hint))


def _or_sheet(sheet: Sheet, hint: Message) -> Message:
    """A hint about headings that are not there, with the other sheets of the workbook, which may have them."""
    if len(sheet.names) < 2:
        return hint
    names = all_of(quoted(sheet.names))
    more = say(
        "Or name the sheet with the cards, by `sheet:` in the spec or `--sheet-name`: there are {names}.", names=names
    )
    return sentences(hint, more)


def _known(columns: Columns) -> Message:
    return say("The columns are {known}.", known=tuple(cell.text for cell in columns.sheet.header if cell.text))


def _beyond(sheet: Sheet) -> Iterator[Finding]:
    """Findings about rows of CSV that are longer than the heading: a cell with a comma lacks quotation marks."""
    for row in sheet.rows if sheet.source is not None else ():
        if len(row) > len(sheet.header):
            hint = say("Delete it, or give its column a heading.")
            yield sheet.finding("unknown-field", say("This cell has no heading."), row[len(sheet.header)], hint)
