"""Reads contrasts: all wordings in a text, the longest of those that overlap, then negation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter

from rulespec.text.glossary import tokens
from rulespec.text.glossary.matcher import Hit
from rulespec.text.languages import Language
from rulespec.text.reading.contrasts.lexicon import Role, Wording, lexicon_of
from rulespec.text.reading.contrasts.negation import Contrast, Negator, Scope, resolved


@lru_cache(maxsize=4096)  # a variant has the texts of its game, and each language is read beside the others
def read(text: str, language: Language) -> tuple[Contrast, ...]:
    """All contrasts of a text in order, after negation; none if the language has no lexicon.

    Of wordings that overlap the longest counts, whatever its family. A wording of several families gives one each.
    """
    lexicon = lexicon_of(language)
    if lexicon is None:
        return ()
    words = tokens.read(text, language.tag)
    groups = lexicon.wordings.groups(text, words)
    contrasts = [contrast for group in groups for contrast in _contrasts(group)]
    negators = [Negator(group[0].start, group[0].end, group[0].of.role) for group in groups if _negates(group)]
    scope = Scope(text, language, lexicon, words, [word.start for word in words])
    return tuple(sorted(resolved(contrasts, negators, scope), key=attrgetter("start", "end", "family")))


def _contrasts(group: list[Hit[Wording]]) -> Iterator[Contrast]:
    """The contrasts of wordings with the same words: none if these are an idiom, else one for each family."""
    if group[0].of.role is Role.CONTRAST:
        # Reversed, so that the first value of a family is the one that stays.
        values = {hit.of.family: hit.of.value for hit in reversed(group) if hit.of.role is Role.CONTRAST}
        for family, value in values.items():
            yield Contrast(family, value, group[0].start, group[0].end)


def _negates(group: list[Hit[Wording]]) -> bool:
    return group[0].of.role in (Role.NEGATES_NEXT, Role.NEGATES_PREVIOUS)
