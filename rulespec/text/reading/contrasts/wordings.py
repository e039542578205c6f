"""Finds the wordings of a lexicon in a text: plain words in any form, and patterns that know the context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, product
from typing import Generic, Protocol, TypeVar

from rulespec.text.glossary import tokens
from rulespec.text.glossary.matcher import Hit, Matcher, Piece, Word, apart
from rulespec.text.glossary.tokens import Token
from rulespec.text.languages.data import is_pattern, pattern
from rulespec.text.languages.record import Pattern
from rulespec.text.languages.registry import find

_BLOCK = re.compile(r"(?:[^\n]|\n(?![^\S\n]*\n))+")
"""Text without a blank line: no pattern reaches beyond it."""


class HasText(Protocol):
    """A wording of any lexicon."""

    @property
    def text(self) -> str:
        """The words, or a pattern between slashes."""

    @property
    def role(self) -> int:
        """What the words do. Of wordings with the same words the lower role counts."""


W = TypeVar("W", bound=HasText)


class Wordings(Generic[W]):
    """The wordings of a language: `each` in the order of its file, of which `patterns` are regular expressions."""

    def __init__(self, each: tuple[W, ...], tag: str, where: str) -> None:
        """Reads the words of each wording. Raises ValueError if one has no word; `where` is the file."""
        self.each = each
        self.patterns = tuple(ContextPattern(one, find(tag).spaced, where) for one in each if is_pattern(one.text))
        # By their first letters. Many patterns have the same literals, and each is looked for once.
        self._literals: dict[str, set[str]] = {}
        for literal in (text for one in self.patterns for needed in one.literals for text in needed):
            self._literals.setdefault(literal[:2], set()).add(literal)
        plain = ((one, _words_of(one.text, tag, where)) for one in each if not is_pattern(one.text))
        self._matcher = Matcher(((one, len(words)), (words,)) for one, words in plain)

    def hits(self, text: str, words: list[Token]) -> list[Hit[W]]:
        """All wordings in a text, the longest first, with the spaces between its words. `same` is 1 for a plain wording
        without an inflected word, and 2 for a pattern."""
        return sorted(self._hits(text, words), key=lambda hit: (-hit.length, hit.of.role, -hit.same, hit.start))

    def _hits(self, text: str, words: list[Token]) -> Iterator[Hit[W]]:
        for hit in self._matcher.hits(words):
            one, size = hit.of
            yield Hit(hit.start, hit.end, hit.end - hit.start, int(hit.same == size), one)
        for part in _BLOCK.finditer(text):
            # What stands before a block counts too: patterns may look back.
            for each in self._possible(text[: part.end()].lower()):
                for start, end in each.spans(text, part.start(), part.end()):
                    yield Hit(start, end, end - start, 2, each.wording)

    def _possible(self, lower: str) -> Iterator[ContextPattern[W]]:
        """The patterns that may match in a text in lower case, in their order."""
        starts = {*lower, *map("".join, pairwise(lower))} & self._literals.keys()
        present = {literal for start in starts for literal in self._literals[start] if literal in lower}
        return (each for each in self.patterns if not any(map(present.isdisjoint, each.literals)))


def longest(hits: Iterable[Hit[W]]) -> list[list[Hit[W]]]:
    """The wordings that count of those in the order of `hits`, by place, each grouped with the others of the same
    words: of wordings that overlap the longest."""
    return sorted(apart(hits), key=lambda group: group[0].start)


@dataclass(frozen=True, eq=False)
class ContextPattern(Generic[W]):
    """A wording that is a regular expression. It is compiled when a text first has one of its literals."""

    wording: W
    spaced: bool
    where: str

    def spans(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The matches in `text[start:end]`. Raises ValueError if the pattern is invalid."""
        found = self.compiled.finditer(text, start, end)
        return (match.span() for match in found if match.end() > match.start())

    @cached_property
    def compiled(self) -> Pattern:
        return pattern(self.wording.text, self.spaced, self.where)

    @cached_property
    def literals(self) -> Needs:
        """Sets of texts, of each of which a match needs one."""
        return literals(self.wording.text.strip("/"))


def _words_of(text: str, tag: str, where: str) -> Piece:
    """The words of a plain wording. A word matches itself and the forms whose lemma it is.

    It does not match by its own lemma: in many dictionaries “more” and “most” have the same one.
    """
    words = tokens.read(text, tag)
    if not words:
        raise ValueError(f"{where}: {text!r} has no word")
    language = find(tag)
    return tuple(Word(word.raw, frozenset((word.raw, *tokens.stems_of(word.raw, language)))) for word in words)


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
            start = self.at
            while self.at < len(self.pattern) and self.pattern[self.at] != "]":
                self.at += 2 if self.pattern[self.at] == "\\" else 1
            self.at += 1
            letters = self.pattern[start : self.at - 1]
            return [*letters.lower()] if letters.isalpha() else ()
        if sign == "\\":
            self.at += 1
            if self._take("{"):
                self.at = self.pattern.find("}", self.at) + 1 or len(self.pattern)
            return ()
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
