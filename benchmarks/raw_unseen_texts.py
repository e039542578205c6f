"""Reads the summaries of the sets `raw_…`, plants their mistakes, and compares the findings before and after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from packed import files

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.games.api import Spec
from rulespec.games.rulebook import Reviewed, review_raw

PARTS = ("development", "test", "fresh", "blind", "sealed", "unread", "late", "last")
KINDS = (
    "number",
    "order",
    "role",
    "direction",
    "polarity",
    "modality",
    "negation",
    "condition",
    "destination",
    "term",
    "omission",
)
COVERS = ("all", "excerpt")

LEFT_OUT = {"text-missing", "fact-missing"}
"""Findings about what a text does not say. On a true summary they are right for the rules in `unsaid_rules`."""

APART = 8
"""The minimum number of lines between mistakes that are planted together, so that each has a passage of its own.
Checking every mistake alone takes eight times as long."""

CLOSE = 3
"""The maximum number of lines between an omission, or the words near which a reader expects it, and its finding."""


@dataclass(frozen=True)
class Edit:
    """An edit of a summary. `kind` is empty for a trap; `near` is part of a line where a reader expects an omission."""

    kind: str
    find: str
    replace: str
    near: str = ""


@dataclass(frozen=True)
class Summary:
    """A summary of a game's rules with its planted mistakes, its traps and what it leaves out on purpose."""

    path: Path
    game: str
    covers: str
    text: str
    mistakes: tuple[Edit, ...]
    traps: tuple[Edit, ...]
    unsaid: tuple[str, ...]
    unsaid_rules: tuple[str, ...]

    def leaves_out(self, found: Finding) -> bool:
        """Whether a finding says rightly that something is left out: a rule, or a part that the message names."""
        rules = (item.partition(": ") for item in self.unsaid_rules)
        return found.name in LEFT_OUT and any(
            fnmatch(found.rule, rule) and part in found.message for rule, _, part in rules
        )

    @property
    def lang(self) -> str:
        return self.path.parent.name

    @property
    def name(self) -> str:
        return f"{self.lang}/{self.path.stem}"

    def place(self, edit: Edit) -> int:
        """The offset of the words that an edit replaces."""
        return self.text.index(edit.find)


@dataclass(frozen=True)
class Planted:
    """An edit in an edited text: the first and last line of what differs, and its columns from the first line on."""

    edit: Edit
    first: int
    last: int
    columns: range

    def is_hit(self, found: Finding, lines: list[str]) -> bool:
        at = found.start.line
        if self.edit.kind != "omission":
            return self.first <= at <= self.last
        expected = [self.first, *(i for i, line in enumerate(lines, 1) if self.edit.near in line)]
        return any(abs(at - line) <= CLOSE for line in expected)

    def is_exact(self, found: Finding) -> bool:
        """Whether a finding starts at the value that was changed."""
        return found.start.line == self.first and found.start.column in self.columns


@dataclass(frozen=True)
class Outcome:
    """What the checker finds anew in a text with planted edits: per edit, and at other places."""

    hits: dict[Planted, tuple[Finding, ...]]
    elsewhere: tuple[Finding, ...]


@cache
def summaries(part: str) -> tuple[Summary, ...]:
    """The summaries of a part: of the set `raw_<part>`."""
    found = files(f"raw_{part}")
    paths = (Path(name) for name in sorted(found) if name.endswith(".txt"))
    return tuple(_summary(path, found[str(path)], found[str(path.with_suffix(".yaml"))]) for path in paths)


def _summary(path: Path, text: str, labels: str) -> Summary:
    notes = yaml.safe_load(labels)
    mistakes, traps = _edits(notes["mistakes"]), _edits(notes["traps"])
    unsaid, rules = tuple(notes["unsaid"]), tuple(notes.get("unsaid_rules", ()))
    return Summary(path, notes["game"], notes["covers"], text, mistakes, traps, unsaid, rules)


def _edits(items: list[dict[str, Any]]) -> tuple[Edit, ...]:
    return tuple(Edit(one.get("kind", ""), one["find"], one["replace"], one.get("near", "")) for one in items)


def groups(summary: Summary, edits: Iterable[Edit]) -> list[list[Edit]]:
    """The edits in groups that can be planted together: their lines lie apart."""
    made: list[list[Edit]] = []
    for edit in sorted(edits, key=summary.place):
        at = _line(summary.text, summary.place(edit))
        fits = (g for g in made if at - _line(summary.text, summary.place(g[-1]) + len(g[-1].find)) >= APART)
        group = next(fits, None)
        if group is None:
            made.append(group := [])
        group.append(edit)
    return made


def planted(summary: Summary, edits: list[Edit]) -> tuple[str, list[Planted]]:
    """The text with some edits, in the order of their places, and where each of them is in it."""
    made, done, places = "", 0, []
    for edit in edits:
        start = summary.place(edit)
        made += summary.text[done:start] + edit.replace
        places.append((edit, len(made) - len(edit.replace)))
        done = start + len(edit.find)
    made += summary.text[done:]
    return made, [_planted(made, edit, start) for edit, start in places]


def _planted(text: str, edit: Edit, start: int) -> Planted:
    before, after = _differing(edit.find, edit.replace)
    left, right = start + before, start + len(edit.replace) - after
    while left and _in_value(text[left - 1], text[left : left + 1]):
        left -= 1
    bol = text.rfind("\n", 0, left) + 1
    columns = range(left - bol + 1, max(right, left + 1) - bol + 1)
    return Planted(edit, _line(text, left), _line(text, max(start, right - 1)), columns)


_NUMERALS = frozenset("零〇一二兩两三四五六七八九十百")


def _in_value(before: str, after: str) -> bool:
    """Whether two characters belong to one number: digits, Chinese numerals or ordinals, or letters of a word."""
    if after in _NUMERALS or (after.isdigit() and before == "第"):
        return before in _NUMERALS or before == "第"
    return (before.isdigit() and after.isdigit()) or (before.isalpha() and after.isalpha() and before < "\u2e80")


def _differing(was: str, now: str) -> tuple[int, int]:
    """The lengths of what two texts share at their start and at their end."""
    short = min(len(was), len(now))
    before = next((i for i in range(short) if was[i] != now[i]), short)
    rest = short - before
    after = next((i for i in range(rest) if was[-1 - i] != now[-1 - i]), rest)
    return before, after


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


@cache
def _game(id_: str) -> Spec:
    return rulespec.load(id_)


def game_of(summary: Summary) -> Spec:
    """The game of a summary."""
    return _game(summary.game)


@cache
def findings(summary: Summary, text: str) -> tuple[Finding, ...]:
    """What the checker finds in the text of a summary, or in an edited one."""
    return _reviewed(summary, text).report.findings


@cache
def _reviewed(summary: Summary, text: str) -> Reviewed:
    return review_raw(Source(str(summary.path), text), summary.lang, _game(summary.game))


def covered(summary: Summary) -> Iterator[tuple[bool, str]]:
    """For every rule whether a summary states it, by its list of rules left out, and the state that the table shows."""
    for one in _reviewed(summary, summary.text).rules:
        yield not any(fnmatch(one.rule, rule.partition(": ")[0]) for rule in summary.unsaid_rules), str(one.state)


def outcome(summary: Summary, edits: list[Edit]) -> Outcome:
    """What the checker finds in a text with some edits that it does not find in the summary."""
    text, places = planted(summary, edits)
    new = list(_new(findings(summary, summary.text), findings(summary, text)))
    lines = text.split("\n")
    hits = {one: tuple(found for found in new if one.is_hit(found, lines)) for one in places}
    at_hits = {id(found) for each in hits.values() for found in each}
    return Outcome(hits, tuple(found for found in new if id(found) not in at_hits))


def _new(known: Iterable[Finding], found: Iterable[Finding]) -> Iterator[Finding]:
    left = Counter(map(_without_place, known))
    for one in found:
        if left[_without_place(one)]:
            left[_without_place(one)] -= 1
        else:
            yield one


def _without_place(found: Finding) -> tuple[str, str, str]:
    """A finding without its position, which changes with edits before it."""
    return found.name, found.rule, re.sub(r"; also on line.*| \d+ more: line.*", "", found.message)
