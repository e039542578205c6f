"""The result of a comparison of languages. All output formats are made from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any

from rulespec.base.diagnostics import Finding, Severity
from rulespec.text.output.diff.runs import Marked, Run, runs
from rulespec.text.rules.content import Fact


class Judgement(StrEnum):
    """How a text treats a fact. SILENT means that it omits an optional fact."""

    STATED = "stated"
    LACKING = "lacking"
    CONTRADICTED = "contradicted"
    SILENT = "silent"


@dataclass(frozen=True)
class Column:
    """One of the texts that are compared: a label of its own, and its language (a BCP 47 tag)."""

    label: str
    lang: str


@dataclass(frozen=True)
class ConceptMention:
    """A mention of a concept at `text[start:end]`. Texts may mention different concepts and say the same."""

    concept: str
    start: int
    end: int


@dataclass(frozen=True)
class NumberMention:
    """A number at `text[start:end]`. `accounted` says whether a fact of the rule justifies it, or it counts nothing.

    `not_in` are the labels of texts that have it less often; `odd` says whether those that have it are the minority.
    """

    start: int
    end: int
    text: str
    kind: str
    value: Fraction
    high: Fraction | None
    accounted: bool
    not_in: tuple[str, ...] = ()
    odd: bool = False

    def __str__(self) -> str:
        return str(self.value) if self.high is None else f"{self.value}–{self.high}"


@dataclass(frozen=True)
class Detail:
    """What a text states or lacks, compared with others: a fact or a contrast in words, or a number in digits.

    `others` are the labels of the texts that differ in it: those that state what this text lacks, or the reverse.
    """

    what: str
    others: tuple[str, ...]
    number: bool = False


@dataclass(frozen=True)
class PlacedFinding:
    """A finding and its offsets in the text, None if it has no place there."""

    finding: Finding
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Side:
    """A rule in one text. `text` is Markdown or None. `judged` has one judgement per fact of the rule.

    `lacks` and `adds` are the details in which this text stands out: of three texts the one that is alone, of two both.
    """

    column: Column
    title: str
    text: str | None
    judged: tuple[Judgement, ...] = ()
    said: tuple[ConceptMention, ...] = ()
    numbers: tuple[NumberMention, ...] = ()
    lacks: tuple[Detail, ...] = ()
    adds: tuple[Detail, ...] = ()
    findings: tuple[PlacedFinding, ...] = ()

    @property
    def lang(self) -> str:
        return self.column.lang

    @property
    def added_numbers(self) -> tuple[NumberMention, ...]:
        return tuple(figure for figure in self.numbers if figure.odd)

    @property
    def differs(self) -> bool:
        return self.text is None or bool(self.lacks or self.adds or self.added_numbers)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The text as runs, each with the same marks throughout."""
        placed = [
            Marked("finding", index, one.start, one.end)
            for index, one in enumerate(self.findings)
            if one.start is not None and one.end is not None
        ]
        said = [Marked("said", index, one.start, one.end) for index, one in enumerate(self.said)]
        numbers = [Marked("number", index, one.start, one.end) for index, one in enumerate(self.numbers)]
        return runs(self.text or "", [*placed, *said, *numbers])


@dataclass(frozen=True)
class RuleDiff:
    """A rule or ruling in every text, with its facts. `title` is its title or question in the spec."""

    id: str
    title: str
    facts: tuple[Fact, ...]
    sides: tuple[Side, ...]
    ruling: bool = False

    @property
    def differs(self) -> bool:
        """Whether the texts differ in what they state: facts, contrasts or other numbers."""
        return any(side.differs for side in self.sides)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(placed.finding for side in self.sides for placed in side.findings)

    @property
    def notable(self) -> bool:
        """Whether the rule has a difference or a finding."""
        return self.differs or bool(self.findings)


@dataclass(frozen=True)
class Diff:
    """A comparison of texts. `compared` is the number of compared rules; `rules` may be a selection of them.

    `findings` belong to no rule. `unread` are the labels of texts in languages without terms in the glossary; only
    their numbers are compared.
    """

    game: str
    title: str
    version: str
    columns: tuple[Column, ...]
    rules: tuple[RuleDiff, ...]
    compared: int
    findings: tuple[Finding, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def langs(self) -> tuple[str, ...]:
        return tuple(column.label for column in self.columns)

    @property
    def every_finding(self) -> tuple[Finding, ...]:
        """The findings of the selected rules, and those of no rule."""
        return (*self.findings, *(found for rule in self.rules for found in rule.findings))

    def only(self, ids: frozenset[str] | None = None, notable: bool = False) -> Diff:
        """The diff with a selection of rules: by id (None for all), and only the notable ones if `notable`."""
        asked = [rule for rule in self.rules if ids is None or rule.id in ids]
        kept = tuple(rule for rule in asked if rule.notable or not notable)
        return replace(self, rules=kept, compared=len(asked), findings=self.findings if ids is None else ())

    def summary(self) -> dict[str, int]:
        """Counts: compared rules, differing rules, lacking and added items, and findings by severity."""
        sides = [side for rule in self.rules for side in rule.sides]
        counts = Counter(found.severity for found in self.every_finding)
        return {
            "rules": self.compared,
            "differing": sum(rule.differs for rule in self.rules),
            "lacks": sum(len(side.lacks) for side in sides),
            "adds": sum(len(side.adds) + len(side.added_numbers) for side in sides),
            **{str(severity): counts[severity] for severity in reversed(Severity)},
        }


def to_dict(diff: Diff) -> dict[str, Any]:
    """The diff as JSON data. Offsets count code points of the side's Markdown `text`, null if it has none."""
    return {
        "version": 1,
        "game": diff.game,
        "languages": list(diff.langs),
        "unread": list(diff.unread),
        "rules": [_rule(rule) for rule in diff.rules],
        "findings": [found.to_dict() for found in diff.findings],
        "summary": diff.summary(),
    }


def _rule(rule: RuleDiff) -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title,
        "kind": "ruling" if rule.ruling else "rule",
        "differs": rule.differs,
        "facts": [str(fact) for fact in rule.facts],
        "sides": [_side(side) for side in rule.sides],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "lang": side.column.lang,
        "label": side.column.label,
        "title": side.title,
        "text": side.text,
        "facts": [str(judgement) for judgement in side.judged],
        "lacks": [_detail(lack) for lack in side.lacks if not lack.number],
        "adds": [_detail(added) for added in side.adds],
        "lacks_numbers": [lack.what for lack in side.lacks if lack.number],
        "numbers": [_figure(figure) for figure in side.numbers],
        "concepts": list(dict.fromkeys(said.concept for said in side.said)),
        "findings": [placed.finding.to_dict() for placed in side.findings],
    }


def _detail(detail: Detail) -> dict[str, Any]:
    return {"what": detail.what, "others": [*detail.others]}


def _figure(figure: NumberMention) -> dict[str, Any]:
    return {
        "start": figure.start,
        "end": figure.end,
        "text": figure.text,
        "kind": figure.kind,
        "value": str(figure),
        "accounted": figure.accounted,
        "adds": figure.odd,
    }
