"""The literals of a regular expression: texts of which every match needs some.

Most patterns of a lexicon have rare words. A text without the literals of a pattern cannot match, which is found
without compiling the pattern or running it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, product

_SHORTEST = 2
"""The least letters of a literal. A single letter is in every text, but not a single character of Chinese."""

_FIRST_WIDE = "\u2e80"
"""From this character on, one says as much as a word."""

_MOST = 64
"""The most texts that letters with classes and alternatives, such as `[向往]左` or `m(?:y|ine)`, are written out as."""

Needs = tuple[frozenset[str], ...]
"""Sets of texts, of each of which a match needs one."""

_Letters = list[str]
"""All texts that a part matches."""


def literals(pattern: str) -> Needs:
    """Literals in lower case, the rarest first; none if any match might do without. A match has them in itself, or
    around it where the pattern looks there."""
    parser = _Parser(pattern)
    found = _needed(parser.alternatives())
    # A bracket too many ends the parse early: what the rest may match is not known.
    return tuple(sorted(found, key=_rarity, reverse=True)) if parser.at == len(pattern) else ()


@dataclass
class _Parser:
    """Reads a pattern from left to right. A part is read as the texts that it matches if they are few and of letters,
    else as what it needs."""

    pattern: str
    at: int = 0

    def alternatives(self) -> _Letters | Needs:
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        if len(branches) == 1:
            return branches[0]
        letters = [text for branch in branches if isinstance(branch, list) for text in branch]
        if all(isinstance(branch, list) for branch in branches) and len(letters) <= _MOST:
            return letters
        needs = [_needed(branch) for branch in branches]
        rarest = [max(one, key=_rarity, default=frozenset[str]()) for one in needs]
        return (frozenset(chain.from_iterable(rarest)),) if all(rarest) else ()

    def _sequence(self) -> _Letters | Needs:
        found: list[frozenset[str]] = []
        run, is_whole = [""], True
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            atom = self._atom()
            if self._quantified():
                atom = ()
            if isinstance(atom, list) and len(run) * len(atom) <= _MOST:
                run = [start + end for start, end in product(run, atom)]
                continue
            found += [*_needed(run), *(atom if isinstance(atom, tuple) else ())]
            run, is_whole = atom if isinstance(atom, list) else [""], False
        return run if is_whole else (*found, *_needed(run))

    def _atom(self) -> _Letters | Needs:
        sign = self.pattern[self.at]
        self.at += 1
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._class()
        if sign == "\\":
            return self._past_escape()
        return () if sign in " .^$" else [sign.lower()]

    def _group(self) -> _Letters | Needs:
        excludes = self.pattern.startswith(("?!", "?<!"), self.at)
        looks_around = excludes or self.pattern.startswith(("?=", "?<="), self.at)
        if self._take("?"):
            # Up to the end of `?:`, `?=`, `?<=`, `?<name>` and the like.
            named = not looks_around and not self.pattern.startswith(":", self.at)
            last = self.pattern.find(">", self.at) if named else self.at + self.pattern.startswith("<", self.at)
            self.at = last + 1
        found = self.alternatives()
        self._take(")")
        if looks_around:
            return () if excludes else _needed(found)
        return found

    def _class(self) -> _Letters | Needs:
        start = self.at
        while self.at < len(self.pattern) and self.pattern[self.at] != "]":
            self.at += 2 if self.pattern[self.at] == "\\" else 1
        self.at += 1
        letters = self.pattern[start : self.at - 1]
        return [*letters.lower()] if letters.isalpha() else ()

    def _past_escape(self) -> Needs:
        self.at += 1
        if self._take("{"):
            self.at = self.pattern.find("}", self.at) + 1 or len(self.pattern)
        return ()

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


def _needed(part: _Letters | Needs) -> Needs:
    if isinstance(part, tuple):
        return part
    texts = frozenset(part)
    return (texts,) if _rarity(texts) >= _SHORTEST else ()


def _rarity(texts: frozenset[str]) -> int:
    """How long the shortest of some texts is, since long ones are rare."""
    return min(len(text) * (_SHORTEST if text >= _FIRST_WIDE else 1) for text in texts)
