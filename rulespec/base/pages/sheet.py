"""A report about changes, whatever its format: sections with entries, each with lines that were and lines that are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

import regex

from rulespec.base.characters import visible
from rulespec.base.pages import templates


@dataclass(frozen=True)
class Run:
    """A piece of a line, and whether the other version has something else in its place."""

    text: str
    differs: bool = False


@dataclass(frozen=True)
class Line:
    """A line of an entry: `sign` is - for what was, + for what is, and empty for both; `label` says it in words."""

    sign: str
    label: str
    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True)
class Entry:
    """One change: what changed, remarks, and its lines. `beside` are lines of another text, shown in a second column
    where there is room. `anchor` is its name in a page."""

    title: str
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    anchor: str = ""
    beside: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Section:
    """Entries under a heading; sections of depth 2 belong to the last one of depth 1 before them. `table` has rows of
    cells, the first with the headings."""

    title: str
    entries: tuple[Entry, ...] = ()
    depth: int = 1
    table: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A whole report in a language, which is written in a `direction`, `ltr` or `rtl`."""

    lang: str
    title: str
    lead: str
    sections: tuple[Section, ...]
    direction: str = "ltr"


# Chinese characters one by one: no spaces show where a word ends.
_TOKEN = regex.compile(r"\p{Han}|[^\W\p{Han}]+|\s+|\S")
_ALIKE = 0.4
"""Sentences that share less than this part of their words are shown whole: marks on every other word help nobody."""


def joined(sheets: Sequence[Sheet]) -> Sheet:
    """Several reports as one, each below its title."""
    if len(sheets) == 1:
        return sheets[0]
    parts = (
        (Section(f"{one.title}: {one.lead}"), *(replace(section, depth=2) for section in one.sections))
        for one in sheets
    )
    titles = ", ".join(one.title for one in sheets)
    return replace(sheets[0], title=titles, lead="", sections=tuple(section for part in parts for section in part))


def compared(old: Sequence[str], new: Sequence[str], was: str, now: str) -> Iterator[Line]:
    """The lines of what was and what is, with the words that differ in each pair; `was` and `now` are their labels."""
    for before, after in zip_longest(old, new):
        ours, theirs = _runs(before, after) if before and after else (_whole(before), _whole(after))
        if before:
            yield Line("-", was, ours)
        if after:
            yield Line("+", now, theirs)


def _whole(text: str | None) -> tuple[Run, ...]:
    return (Run(text),) if text else ()


def _runs(before: str, after: str) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    ours, theirs = (_TOKEN.findall(text) for text in (before, after))
    # With autojunk, difflib does not compare the frequent tokens of a text of 200 or more, such as spaces.
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return _whole(before), _whole(after)
    steps = matcher.get_opcodes()
    old = (Run("".join(ours[a:b]), kind != "equal") for kind, a, b, _, _ in steps if a < b)
    new = (Run("".join(theirs[c:d]), kind != "equal") for kind, _, _, c, d in steps if c < d)
    return tuple(old), tuple(new)


def plain(line: str, label: str = "") -> Line:
    """A line of both versions."""
    return Line("", label, (Run(line),))


# --- formats ---------------------------------------------------------------------------------------------------------


def markdown(sheet: Sheet) -> str:
    """A report as Markdown."""
    parts = [f"# {sheet.title}", sheet.lead, *sections_as_markdown(sheet.sections, 1)]
    return visible("\n\n".join(part for part in parts if part)) + "\n"


def sections_as_markdown(sections: Iterable[Section], under: int = 2) -> Iterator[str]:
    """Sections as parts of a Markdown text, below a heading of the level `under`."""
    for section in sections:
        yield f"{'#' * (section.depth + under)} {section.title}"
        if section.entries:
            yield "\n".join(line for entry in section.entries for line in _items(entry))
        if section.table:
            head, *rows = (f"| {' | '.join(row)} |" for row in section.table)
            yield "\n".join([head, "|---|" + "--:|" * (len(section.table[0]) - 1), *rows])


def _items(entry: Entry) -> Iterator[str]:
    if entry.title:
        yield f"- **{entry.title}**" + "".join(f" · {note}" for note in entry.notes)
    for line in (*entry.lines, *entry.beside):
        space = " " * line.label.endswith(_WITH_SPACE)
        yield f"{'  ' * bool(entry.title)}- {line.label}{space}{_one_line(line.text)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


_WITH_SPACE = (":", ".")
"""The ends of labels that a space follows; full-width signs have their own."""


def html(sheet: Sheet) -> str:
    """A report as one self-contained page."""
    return templates("rulespec.base.pages").get_template("sheet.html.j2").render(sheet=sheet)


def text(sheet: Sheet) -> str:
    """A report as plain text."""
    return visible("\n".join(_text(sheet)).strip("\n")) + "\n"


def _text(sheet: Sheet) -> Iterator[str]:
    yield sheet.lead or sheet.title
    for section in sheet.sections:
        yield from ("", section.title)
        for entry in section.entries:
            if said := [part for part in (entry.title, *entry.notes) if part]:
                yield "  " + "  ".join(said)
            for line in (*entry.lines, *entry.beside):
                yield f"    {line.sign}{' ' * bool(line.sign)}{_one_line(line.text)}"
