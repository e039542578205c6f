"""Reads contrasts: all wordings in a text, the longest of those that overlap, then negation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from rulespec.text.glossary import tokens
from rulespec.text.glossary.matcher import Hit
from rulespec.text.languages.record import Language
from rulespec.text.reading.contrasts.lexicon import CLAUSES, STATED, Role, Wording, lexicon_of
from rulespec.text.reading.contrasts.negation import DENYING, Contrast, Negator, Scope, polar, resolved
from rulespec.text.reading.contrasts.wordings import longest

_Group = list[Hit[Wording]]
"""Wordings with the same words."""


@dataclass(frozen=True)
class Found:
    """The values and the predicates of a text after negation, and the words that say what kind of clause theirs is."""

    values: tuple[Contrast, ...] = ()
    predicates: tuple[Contrast, ...] = ()
    clause_words: tuple[tuple[int, Role], ...] = ()


def read(text: str, language: Language) -> tuple[Contrast, ...]:
    """All contrasts of a text in order, after negation, without predicates; none if the language has no lexicon.

    Of wordings that overlap the longest counts, whatever its family. A wording of several families gives one each.
    """
    return found_in(text, language).values


@lru_cache(maxsize=4096)  # a variant has the texts of its game, and each language is read beside the others
def found_in(text: str, language: Language) -> Found:
    """All that the lexicon of a language finds in a text.

    Predicates hide no other contrasts, and are hidden only by longer idioms and by what negates.
    """
    lexicon = lexicon_of(language)
    if lexicon is None:
        return Found()
    words = tokens.read(text, language.tag)
    scope = Scope(text, language, lexicon, words, [word.start for word in words])
    hits = lexicon.wordings.hits(text, words)
    values = longest(hit for hit in hits if hit.of.role is not Role.PREDICATE and hit.of.role not in _OF_CLAUSES)
    concerned = [hit for hit in hits if hit.of.role is not Role.CONTRAST or _states(hit.of) or _denies(hit.of)]
    predicates = longest(sorted(concerned, key=lambda hit: (-hit.length, not _states(hit.of))))
    relatives = [group[0].end for group in predicates if group[0].of.role is Role.RELATIVE]
    clause_words = [(hit.start, hit.of.role) for group in predicates for hit in group if hit.of.role in _OF_CLAUSES]
    return Found(
        _in_order(resolved([one for group in values for one in _values(group)], _negators(values), scope)),
        _in_order(
            polar([one for group in predicates for one in _predicates(group)], _negators(predicates), relatives, scope)
        ),
        tuple(clause_words),
    )


def _in_order(contrasts: Iterator[Contrast]) -> tuple[Contrast, ...]:
    return tuple(sorted(contrasts, key=attrgetter("start", "end", "family")))


_OF_CLAUSES = frozenset(CLAUSES.values())


def _values(group: _Group) -> Iterator[Contrast]:
    """The values of wordings with the same words: none if these are an idiom, else one for each family."""
    if group[0].of.role is Role.CONTRAST:
        # Reversed, so that the first value of a family is the one that stays.
        values = {hit.of.family: hit.of.value for hit in reversed(group) if hit.of.role is Role.CONTRAST}
        for family, value in values.items():
            yield Contrast(family, value, group[0].start, group[0].end)


def _states(one: Wording) -> bool:
    """Whether a wording states a predicate, itself or by its value."""
    return one.role is Role.PREDICATE or (one.family, one.value) in STATED


def _denies(one: Wording) -> bool:
    return (one.family, one.value) in DENYING


def _predicates(group: _Group) -> Iterator[Contrast]:
    """The predicates of wordings with the same words, those that their values state, and the values that negate others.

    A wording that is listed for a predicate itself states no other.
    """
    if group[0].of.role is Role.IDIOM:
        return
    listed = {hit.of.text for hit in group if hit.of.role is Role.PREDICATE}
    found: dict[str, str] = {}
    for one in (hit.of for hit in group):
        value = one.family, one.value
        if one.role is Role.PREDICATE:
            found.setdefault(*value)
        elif value in STATED and one.text not in listed:
            found.setdefault(*STATED[value])
        if _denies(one) and not listed:
            found.setdefault(*value)
    for family, value_of_family in found.items():
        yield Contrast(family, value_of_family, group[0].start, group[0].end)


def _negators(groups: Sequence[_Group]) -> list[Negator]:
    first = [group[0] for group in groups]
    return [Negator(hit.start, hit.end, hit.of.role) for hit in first if hit.of.role in _NEGATES]


_NEGATES = (Role.NEGATES_NEXT, Role.NEGATES_PREVIOUS)
