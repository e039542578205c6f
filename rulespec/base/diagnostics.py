"""Findings: what is wrong, where, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from rulespec.base.findings import KINDS
from rulespec.base.findings.kind import FindingKind, Severity
from rulespec.base.messages import NOTHING, Catalog, Message, say, sentences, translated

__all__ = ["KINDS", "Finding", "FindingKind", "Position", "Related", "Report", "Severity", "Span", "finding", "related"]


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text as editors show it: line and column count from 1, columns in code points.

    In a workbook they are the numbers of a row and a column, and `cell` is their name, such as `Main!C12`.
    """

    line: int
    column: int
    cell: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {"line": self.line, "column": self.column} | ({"cell": self.cell} if self.cell else {})


def placed(path: str, start: Position) -> str:
    """A place in a file as people read it: `cards.csv:12:3`, or `cards.xlsx, Main!C12`."""
    return f"{path}, {start.cell}" if start.cell else f"{path}:{start.line}:{start.column}"


@dataclass(frozen=True, order=True)
class Span:
    """A part of a text: offsets in code points from 0, `end` not included."""

    start: int
    end: int


class Positioned(Protocol):
    """A text that gives the path of a span, and the lines and columns of its ends: a `Source`."""

    @property
    def format(self) -> int | None: ...

    def located(self, span: Span) -> tuple[str, Position, Position]: ...


@dataclass(frozen=True)
class Related:
    """Another place that a finding is about, with what stands there, as in `The cards add up to 15.`

    `name` and `rule` are the kind and the rule of a finding about that place which was merged into this one, or "".
    """

    message: str
    path: str
    start: Position
    end: Position
    name: str = ""
    rule: str = ""

    @property
    def place(self) -> str:
        """Where it is, as people read it."""
        return placed(self.path, self.start)

    def in_language(self, catalog: Catalog) -> Related:
        return replace(self, message=translated(self.message, catalog))

    def to_dict(self) -> dict[str, Any]:
        return {
            "message": self.message,
            "path": self.path,
            "start": self.start.to_dict(),
            "end": self.end.to_dict(),
        }


@dataclass(frozen=True)
class Finding:
    """One problem at one place; `end` is the position just after it.

    `rule` is the id of the rule concerned and `lang` a BCP 47 tag; either may be empty. `level` is a severity that a
    project has chosen instead of that of the kind. `related` are the other places of a contradiction.
    Raises KeyError if `name` is not in the table of kinds, which is a mistake in this library.
    """

    name: str
    message: str
    path: str
    start: Position
    end: Position
    hint: str = ""
    rule: str = ""
    lang: str = ""
    level: Severity | None = None
    related: tuple[Related, ...] = ()

    def __post_init__(self) -> None:
        if self.name not in KINDS:
            raise KeyError(f"no kind of finding is called {self.name!r}: add a row to rulespec/base/findings/table.py")

    @property
    def names(self) -> frozenset[str]:
        """Its kind, and those of the findings that were merged into it."""
        return frozenset((self.name, *(one.name for one in self.related if one.name)))

    @property
    def kind(self) -> FindingKind:
        return KINDS[self.name]

    @property
    def code(self) -> str:
        return self.kind.code

    @property
    def severity(self) -> Severity:
        return self.level or self.kind.severity

    def in_language(self, lang: str) -> Finding:
        """The finding with its message and hint in a language; what is not translated stays English."""
        from rulespec.base.findings.catalog import catalog_of

        catalog = catalog_of(lang)
        if catalog is None:
            return self
        message, hint = (translated(text, catalog) for text in (self.message, self.hint))
        return replace(
            self, message=message, hint=hint, related=tuple(one.in_language(catalog) for one in self.related)
        )

    @property
    def place(self) -> str:
        """Where it is, as people read it."""
        return placed(self.path, self.start)

    @property
    def advice(self) -> str:
        """The message and the hint, after the name of the cell if it is about one: reports for other tools have only
        lines and columns."""
        return " ".join(filter(None, (self.start.cell and f"{self.start.cell}:", self.message, self.hint)))

    def to_dict(self) -> dict[str, Any]:
        """The public JSON form of the finding."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": str(self.severity),
            "message": self.message,
            "path": self.path,
            "start": self.start.to_dict(),
            "end": self.end.to_dict(),
            "rule": self.rule,
            "lang": self.lang,
            "hint": self.hint,
            "related": [one.to_dict() for one in self.related],
        }


def finding(
    name: str,
    message: Message,
    source: Positioned,
    span: Span,
    hint: Message = NOTHING,
    rule: str = "",
    lang: str = "",
    related: Iterable[Related] = (),
) -> Finding:
    """A finding about `span` of `source`; a note if the text states a format that has no such warning yet."""
    path, start, end = source.located(span)
    found = Finding(name, message, path, start, end, hint, rule, lang, related=tuple(related))
    # Nearly all kinds count since the first format, and `format` searches the text.
    since, stated = found.kind.since, source.format if found.kind.since > 1 else None
    if stated is None or stated >= since:
        return found
    later = say("In files of format {format} this is a warning.", format=since)
    return replace(found, level=Severity.INFO, hint=sentences(hint, later))


def related(message: Message, source: Positioned, span: Span) -> Related:
    """What stands at `span` of `source`, for a finding about another place."""
    return Related(message, *source.located(span))


def _order(found: Finding) -> tuple[str, Position, str, Position, str, str, str, str]:
    # The fields after the code only keep the order of findings at one place the same in every run.
    return (found.path, found.start, found.code, found.end, found.message, found.rule, found.lang, found.hint)


_DOUBT = "ambiguous-scalar"
"""The finding about a value that other tools may read differently. An error at the same place says what to write."""


_CUT = "needs-quotes"
"""The finding about a text that YAML cuts. That its first part is no expression or name follows from that."""
_OF_A_PART = ("bad-expression", "bad-name")


def _is_consequence(found: Finding, wrong: set[tuple[str, Position]], cut: set[tuple[str, Position]]) -> bool:
    place = (found.path, found.start)
    return place in wrong if found.name == _DOUBT else place in cut and found.name in _OF_A_PART


@dataclass(frozen=True)
class Report:
    """All findings of one run, sorted by place. No two say the same of one place, whatever rules they are about."""

    findings: tuple[Finding, ...]

    def __post_init__(self) -> None:
        once: dict[tuple[str, Position, str, str], Finding] = {}
        for found in sorted(self.findings, key=_order):
            once.setdefault((found.path, found.start, found.code, found.message), found)
        object.__setattr__(self, "findings", tuple(once.values()))

    @classmethod
    def of(cls, *groups: Iterable[Finding]) -> Report:
        """One report of several groups of findings, with one advice for each text that YAML reads in another way."""
        # Of all groups together: loading a file finds the doubt, and a later step the error at the same place.
        every = [found for group in groups for found in group]
        wrong = {(found.path, found.start) for found in every if found.severity == Severity.ERROR}
        cut = {(found.path, found.start) for found in every if found.name == _CUT}
        return cls(tuple(found for found in every if not _is_consequence(found, wrong, cut)))

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(found for found in self.findings if found.severity == Severity.ERROR)

    @property
    def ok(self) -> bool:
        """Whether there is no error. There may be warnings."""
        return not self.errors

    def in_language(self, lang: str) -> Report:
        """The report with all messages and hints in a language."""
        return Report(tuple(found.in_language(lang) for found in self.findings))

    def worst(self) -> Severity | None:
        """The highest severity found; None if there are no findings."""
        return max((found.severity for found in self.findings), default=None)

    def to_dict(self) -> dict[str, Any]:
        """The public JSON form of the report, version 1."""
        counts = Counter(found.severity for found in self.findings)
        return {
            "version": 1,
            "findings": [found.to_dict() for found in self.findings],
            "summary": {str(severity): counts[severity] for severity in reversed(Severity)},
        }
