"""Which rules a raw text states."""

from __future__ import annotations

from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.columns import columns
from rulespec.text.raw.keyed import keyed_tables
from rulespec.text.raw.near import states
from rulespec.text.raw.statements import plain
from rulespec.text.reading.once import once
from rulespec.text.rules.content import ByKey, ByPlayers, Number
from rulespec.text.rules.facts import of_rule

SURE = 0.6
"""The support from which a sentence states a rule even if it lacks all of its numbers."""


def is_stated(alignment: Alignment, rule: str) -> bool:
    """Whether a text states a rule: in a table, in our words, clearly, or with at least one of the numbers that it
    requires."""
    return once(alignment.reading, rule, lambda: _is_stated(alignment, rule))


def _is_stated(alignment: Alignment, rule: str) -> bool:
    if _is_plain(alignment, rule) or alignment.stated(rule) >= SURE:
        return True
    if rule not in alignment.passages or not alignment.stated(rule):
        return False
    facts = [fact for fact in of_rule(alignment.book.spec, rule) if not fact.derived and not fact.optional]
    numbers = [fact for fact in facts if isinstance(fact.content, Number | ByPlayers | ByKey)]
    return not numbers or any(states(alignment, rule, fact) for fact in numbers)


def _is_plain(alignment: Alignment, rule: str) -> bool:
    """Whether a text states a rule in a table or in our words."""
    return has_table(alignment, rule) or _is_quoted(alignment, rule)


def has_table(alignment: Alignment, rule: str) -> bool:
    """Whether a text has a table of a rule, right or wrong."""
    by_players = any(column.rule == rule for column in columns(alignment))
    return by_players or any(table.rule == rule for table in keyed_tables(alignment))


def _is_quoted(alignment: Alignment, rule: str) -> bool:
    """Whether a sentence aligned to a rule is one of our text of it."""
    ours = {plain(one.text[one.start : one.end]) for one in alignment.statements.ours(rule)}
    segments = (alignment.segments[i] for i, (aligned, _) in alignment.rules.items() if aligned == rule)
    return any(plain(alignment.reading.text[one.start : one.end]) in ours for one in segments)


def share(alignment: Alignment) -> float:
    """The share of the ordinary rules that a text states, from 0 to 1."""
    rules = [rule for rule in alignment.statements.rules if alignment.book.spec.rules[rule].in_rulebook]
    return sum(is_stated(alignment, rule) for rule in rules) / max(1, len(rules))
