"""Finds the wordings of a lexicon in a text: plain words in any form, and patterns that know the context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Generic, Protocol, TypeVar

from rulespec.text.glossary import tokens
from rulespec.text.glossary.matcher import Hit, Matcher, Piece, Word, apart
from rulespec.text.glossary.tokens import Token
from rulespec.text.languages.data import is_pattern, pattern
from rulespec.text.languages.record import Pattern
from rulespec.text.languages.registry import find
from rulespec.text.reading.contrasts.literals import Needs, literals

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
