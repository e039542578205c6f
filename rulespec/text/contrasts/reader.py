"""Reads contrasts: all wordings in a text, the longest of those that overlap, then negation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import attrgetter

from rulespec.text.contrasts.lexicon import Lexicon, Role, Wording, lexicon_of
from rulespec.text.contrasts.negation import Contrast, Negator, Scope, resolved
from rulespec.text.glossary import tokens
from rulespec.text.glossary.matcher import Hit, apart
from rulespec.text.glossary.tokens import Token
from rulespec.text.languages import Language

BLOCK = re.compile(r"(?:[^\n]|\n(?![^\S\n]*\n))+")
"""Text without a blank line: no pattern reaches beyond it."""


def read(text: str, language: Language) -> tuple[Contrast, ...]:
    """All contrasts of a text in order, after negation; none if the language has no lexicon.

    Of wordings that overlap the longest counts, whatever its family. A wording of several families gives one each.
    """
    lexicon = lexicon_of(language)
    if lexicon is None:
        return ()
    words = tokens.read(text, language.tag)
    hits = sorted(_hits(text, words, lexicon), key=lambda hit: (-hit.length, hit.of.role, -hit.same, hit.start))
    groups = sorted(apart(hits), key=lambda group: group[0].start)
    contrasts = [contrast for group in groups for contrast in _contrasts(group)]
    negators = [Negator(group[0].start, group[0].end, group[0].of.role) for group in groups if _negates(group)]
    scope = Scope(text, language, lexicon, words, [word.start for word in words])
    return tuple(sorted(resolved(contrasts, negators, scope), key=attrgetter("start", "end", "family")))


def _hits(text: str, words: list[Token], lexicon: Lexicon) -> Iterator[Hit[Wording]]:
    """All matches. Their `length` is that of the words with the spaces between.

    `same` is 1 for a plain wording without an inflected word, and 2 for a pattern, which knows the context.
    """
    for hit in lexicon.matcher.hits(words):
        yield Hit(hit.start, hit.end, hit.end - hit.start, int(hit.same == hit.of.size), hit.of)
    for part in BLOCK.finditer(text):
        lower = part[0].lower()
        for pattern in lexicon.patterns:
            for start, end in pattern.spans(text, lower, part.start(), part.end()):
                yield Hit(start, end, end - start, 2, pattern.wording)


def _contrasts(group: list[Hit[Wording]]) -> Iterator[Contrast]:
    """The contrasts of wordings with the same words: none if these are an idiom, else one for each family."""
    if group[0].of.role is Role.CONTRAST:
        values = {hit.of.family: hit.of.value for hit in reversed(group) if hit.of.role is Role.CONTRAST}
        for family, value in values.items():
            yield Contrast(family, value, group[0].start, group[0].end)


def _negates(group: list[Hit[Wording]]) -> bool:
    return group[0].of.role in (Role.NEGATES_NEXT, Role.NEGATES_PREVIOUS)
