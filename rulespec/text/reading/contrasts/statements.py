"""Predicates as statements of their clauses: whether they hold for all of it, and whether they state a case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulespec.text.languages.record import Language
from rulespec.text.reading.clauses import Clause
from rulespec.text.reading.contrasts.lexicon import Role, lexicon_of
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.contrasts.reader import found_in


def statements(text: str, language: Language, clauses: Sequence[Clause]) -> Iterator[Contrast]:
    """The predicates of a text in order, each in its clause; none if the lexicon of the language has none."""
    lexicon = lexicon_of(language)
    if lexicon is None or not any(one.role is Role.PREDICATE for one in lexicon.wordings.each):
        return
    found = found_in(text, language)
    for clause in clauses:
        here = [one for one in found.predicates if clause.start <= one.start < clause.end]
        words = [(start, role) for start, role in found.clause_words if clause.start <= start < clause.end]
        # The mark may be the last character of the clause, or the one behind it.
        asks = not _ASKS.isdisjoint(text[clause.end - 1 : clause.end + 1])
        certain = not asks and all(role is not Role.EXCEPTION for _, role in words)
        for one in here:
            conditional = clause.is_condition or _is_case(one.start, here, words)
            yield replace(one, clause=clause, certain=certain, conditional=conditional)


_ASKS = {"?", "？"}


def _is_case(start: int, predicates: Sequence[Contrast], words: Sequence[tuple[int, Role]]) -> bool:
    """Whether a predicate of a clause states a case: it stands after words that begin a condition or before those that
    end one, or next to a relative."""
    marks = [word for word in words if word[1] is not Role.EXCEPTION]
    marks += ((one.start, Role.PREDICATE) for one in predicates)
    before, after = [mark for mark in marks if mark[0] < start], [mark for mark in marks if mark[0] > start]
    if any(role is Role.CONDITION for _, role in before) or any(role is Role.CONDITION_END for _, role in after):
        return True
    return max(before, default=_NONE)[1] is Role.RELATIVE or min(after, default=_NONE)[1] is Role.RELATIVE_END


_NONE = (0, Role.PREDICATE)
