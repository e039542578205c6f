"""The result of a check, and the layout of its report."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ftk_cli.language import language
from rulespec.base.messages import say
from rulespec.base.source import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulespec.base.diagnostics import Finding, Report
    from rulespec.base.source import Source
    from rulespec.editing.batch import Blocked
    from rulespec.play.deep import coverage as deep
    from rulespec.text.raw.alignment import Covered
    from rulespec.text.review.states import State

NARROWEST = 40
WIDTH_OF_A_FILE = 120


class Sources:
    """The texts of the findings, by path. A text that was not added is read when it is needed."""

    def __init__(self) -> None:
        self._known: dict[str, Source | None] = {}

    def add(self, source: Source | None) -> None:
        for part in source.files if source is not None else ():
            self._known[part.path] = part

    def line(self, path: str, number: int) -> str | None:
        """A line of a text, None if there is no such text or line."""
        source = self.get(path)
        return source.line(number) if source is not None and number <= source.line_count else None

    def get(self, path: str) -> Source | None:
        """A text; None if it cannot be read."""
        if path not in self._known:
            self._known[path] = read(path)[0] if os.path.isfile(path) else None
        return self._known[path]


@dataclass(frozen=True)
class Case:
    """A scenario that was run: its file, id and title, and whether it passed."""

    path: str
    id: str
    title: str
    passed: bool
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Coverage:
    """The rules of a game that never applied, and the number of all its rules."""

    game: str
    rules: int
    never: tuple[str, ...]

    def __str__(self) -> str:
        values = {"game": self.game, "applied": self.rules - len(self.never), "rules": self.rules}
        if self.never:
            return say("{game}: {applied} of {rules} rules applied; never: {never}.", **values, never=self.never)
        return say("{game}: {applied} of {rules} rules applied.", **values)


@dataclass(frozen=True)
class Batch:
    """All findings of a run and the files that were read; for scenarios, their cases and the rules that applied.

    `blocked` lists the files that errors in a spec kept from being checked. `of_samples`: the cases are samples of a
    language. `reviewed` says how many passages of texts that were reviewed are read, and how many are due and why.
    `covered` says of raw texts, by path, which rules they state; `explored` what deep searches have covered.
    """

    report: Report
    checked: tuple[str, ...]
    sources: Sources = field(default_factory=Sources)
    cases: tuple[Case, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    of_samples: bool = False
    reviewed: Mapping[State, int] = field(default_factory=dict)
    covered: Mapping[str, Sequence[Covered]] = field(default_factory=dict)
    explored: tuple[deep.Coverage, ...] = ()

    def coverage_of_searches(self, look: Look) -> Iterator[tuple[str, str]]:
        """The path of each game that a deep search has played, and what it has covered, as lines of text."""
        for one in self.explored:
            yield one.path, "\n".join(map(look.said, one.lines()))

    def fails(self, fail_on: str) -> bool:
        """Whether there is a finding of this severity or a higher one."""
        worst = self.report.worst()
        return worst is not None and worst >= fail_on


@dataclass(frozen=True)
class Look:
    """The layout of output: colours, width in cells, how much detail, and the language of the findings."""

    colour: bool = False
    width: int = WIDTH_OF_A_FILE
    quiet: bool = False
    verbose: bool = False
    lang: str = ""

    @classmethod
    def of(cls, output: str | None, quiet: bool = False, verbose: bool = False, error: bool = False) -> Look:
        """The layout for standard output, for standard error, or for a file if one is named."""
        stream = sys.stderr if error else sys.stdout
        terminal = output is None and stream.isatty()
        width = max(NARROWEST, shutil.get_terminal_size().columns) if terminal else WIDTH_OF_A_FILE
        return cls(terminal and not os.environ.get("NO_COLOR"), width, quiet, verbose, language())

    def said(self, message: str) -> str:
        """A message in the language of the findings."""
        from rulespec.base.findings.catalog import text_in

        return text_in(message, self.lang)
