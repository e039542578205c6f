"""The literals of a regular expression: texts of which every match contains one.

Most patterns of a lexicon have a rare word. A text without the literals of a pattern cannot match, which is found
without compiling the pattern or running it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_SHORTEST = 2
"""The least letters of a literal. A single letter is in every text."""


def literals(pattern: str) -> frozenset[str]:
    """Literals in lower case; none if any match might do without."""
    parser = _Parser(pattern)
    found = parser.alternatives()
    # A bracket too many ends the parse early: what the rest may match is not known.
    return frozenset(found) if parser.at == len(pattern) else frozenset()


@dataclass
class _Parser:
    """Reads a pattern from left to right. A result is the literals of the part read; empty if it has none for sure."""

    pattern: str
    at: int = 0

    def alternatives(self) -> set[str]:
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        return set().union(*branches) if all(branches) else set()

    def _sequence(self) -> set[str]:
        best: set[str] = set()
        run = ""
        for atom in self._atoms():
            if isinstance(atom, str):
                run += atom
                continue
            best, run = _better(_better(best, _of_run(run)), atom), ""
        return _better(best, _of_run(run))

    def _atoms(self) -> Iterator[str | set[str]]:
        """The letters of a sequence, and the literals of all else in it."""
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            atom = self._atom()
            yield set() if self._quantified() else atom

    def _atom(self) -> str | set[str]:
        sign = self.pattern[self.at]
        self.at += 1
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._past_class()
        if sign == "\\":
            return self._past_escape()
        return set() if sign in " .^$" else sign.lower()

    def _group(self) -> set[str]:
        looks_around = self.pattern.startswith(("?=", "?!", "?<=", "?<!"), self.at)
        if self._take("?"):
            # Up to the end of `?:`, `?=`, `?<=`, `?<name>` and the like.
            named = not looks_around and not self.pattern.startswith(":", self.at)
            last = self.pattern.find(">", self.at) if named else self.at + self.pattern.startswith("<", self.at)
            self.at = last + 1
        found = self.alternatives()
        self._take(")")
        return set() if looks_around else found

    def _past_class(self) -> set[str]:
        while self.at < len(self.pattern) and self.pattern[self.at] != "]":
            self.at += 2 if self.pattern[self.at] == "\\" else 1
        self.at += 1
        return set()

    def _past_escape(self) -> set[str]:
        self.at += 1
        if self._take("{"):
            self.at = self.pattern.find("}", self.at) + 1 or len(self.pattern)
        return set()

    def _quantified(self) -> bool:
        """Whether a quantifier follows. What is repeated may be missing, or counts as no letters of a run."""
        if not self._take("?", "*", "+"):
            if not self._take("{"):
                return False
            self.at = self.pattern.find("}", self.at) + 1 or len(self.pattern)
        self._take("?", "+")
        return True

    def _take(self, *signs: str) -> bool:
        taken = self.at < len(self.pattern) and self.pattern[self.at] in signs
        self.at += taken
        return taken


def _of_run(run: str) -> set[str]:
    return {run} if len(run) >= _SHORTEST else set()


def _better(one: set[str], other: set[str]) -> set[str]:
    """The set whose shortest literal is longer, since long ones are rare."""
    return max(one, other, key=lambda found: min(map(len, found), default=0))
