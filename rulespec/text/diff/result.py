"""What language against language comes to: values that every output is made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from rulespec.diagnostics import Finding, Severity
from rulespec.text.diff.runs import Marked, Run, runs
from rulespec.text.facts import Fact


class Judgement(StrEnum):
    """What a text makes of a fact; SILENT where it leaves out what it may leave out."""

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
class Said:
    """A mention of a concept at `text[start:end]`.

    `not_in` are the labels of texts that say nothing of it; `odd` is whether this text stands out by saying it.
    """

    concept: str
    start: int
    end: int
    text: str
    not_in: tuple[str, ...] = ()
    odd: bool = False


@dataclass(frozen=True)
class Figure:
    """A number at `text[start:end]`; `accounted` by a fact of the rule, or counting nothing.

    `not_in` are the labels of texts that have it less often; `odd` is whether this text stands out by having it.
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
class Lack:
    """A concept, or a number as it is written in figures, that a text does not have; `said_in` are labels."""

    what: str
    said_in: tuple[str, ...]
    number: bool = False


@dataclass(frozen=True)
class Placed:
    """A finding of the checker, and where it stands in the text; None where it is about what is not there."""

    finding: Finding
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Side:
    """A rule in one text. `text` is Markdown, None where the rule has none; `judged` goes with the rule's facts."""

    column: Column
    title: str
    text: str | None
    judged: tuple[Judgement, ...] = ()
    said: tuple[Said, ...] = ()
    numbers: tuple[Figure, ...] = ()
    lacks: tuple[Lack, ...] = ()
    findings: tuple[Placed, ...] = ()

    @property
    def lang(self) -> str:
        return self.column.lang

    @property
    def adds(self) -> tuple[Said, ...]:
        """The concepts by which this text stands out, each where it first mentions it."""
        return tuple(said for said in self.said if said.odd)

    @property
    def added_numbers(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.numbers if figure.odd)

    @property
    def differs(self) -> bool:
        return self.text is None or bool(self.lacks or self.adds or self.added_numbers)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The text in pieces, within each of which the same is marked."""
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
    """A rule or ruling in every text, with what each must say. `title` is the spec's: a title or a question."""

    id: str
    title: str
    facts: tuple[Fact, ...]
    sides: tuple[Side, ...]
    ruling: bool = False

    @property
    def differs(self) -> bool:
        """Whether the texts do not say the same of what is in the game; what all may leave out does not count."""
        needed = [i for i, fact in enumerate(self.facts) if not fact.optional]
        judged = {tuple(side.judged[i] for i in needed) for side in self.sides if side.text is not None}
        return any(side.differs for side in self.sides) or len(judged) > 1

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(placed.finding for side in self.sides for placed in side.findings)

    @property
    def notable(self) -> bool:
        """Whether there is anything to look at: a difference or a finding."""
        return self.differs or bool(self.findings)


@dataclass(frozen=True)
class Diff:
    """Language against language. `compared` is how many rules were looked at, where only some of them are kept.

    `findings` are those that belong to no rule; `unread` are labels of texts in whose language the glossary has no
    terms, so that only their numbers are compared.
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
        """Those of the rules shown, and those of no rule."""
        return (*self.findings, *(found for rule in self.rules for found in rule.findings))

    def only(self, ids: frozenset[str] | None = None, notable: bool = False) -> Diff:
        """The same with these rules only (None: with all), or with those only where there is anything to look at."""
        asked = [rule for rule in self.rules if ids is None or rule.id in ids]
        kept = tuple(rule for rule in asked if rule.notable or not notable)
        return replace(self, rules=kept, compared=len(asked), findings=self.findings if ids is None else ())

    def summary(self) -> dict[str, int]:
        """How many rules were compared, how many differ, how much is lacking and added, how many findings there are."""
        sides = [side for rule in self.rules for side in rule.sides]
        counts = Counter(found.severity for found in self.every_finding)
        return {
            "rules": self.compared,
            "differing": sum(rule.differs for rule in self.rules),
            "lacks": sum(len(side.lacks) for side in sides),
            "adds": sum(len(side.adds) + len(side.added_numbers) for side in sides),
            **{str(severity): counts[severity] for severity in reversed(Severity)},
        }
