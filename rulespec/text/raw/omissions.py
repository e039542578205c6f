"""Rules that a raw text leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.diagnostics import Finding, finding
from rulespec.messages import chained, say
from rulespec.text.content import ByKey, ByPlayers, Fact, Number, Words
from rulespec.text.evidence import judge
from rulespec.text.facts import of_rule
from rulespec.text.once import once
from rulespec.text.prose import Prose
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.columns import columns
from rulespec.text.raw.keyed import keyed_tables
from rulespec.text.raw.near import states
from rulespec.text.raw.segments import Role
from rulespec.text.raw.statements import plain
from rulespec.text.subjects import around, within

WHOLE = 0.7
"""The share of the rules from which a text is a whole rulebook; below it, it is an excerpt."""

COVERED = 0.5
"""The share of the rules of a part of the game from which an excerpt covers that part."""


SURE = 0.6
"""The support from which a sentence states a rule even if it lacks all of its numbers."""

FIRST, OF_FEW, OF_ALL = 3, 8, 20
"""A sentence may state the rules that fit it best: the first few, of a game with many rules one in twenty, and of one
with few rules at most one in eight."""

LIKELY = 0.7
"""The least score of a rule that a sentence may state, as a share of its best score. By trial: of the rules that no
part of a sentence supports, one of the true texts for development is then reported wrongly, and 7 of 33 omissions."""


def left_out(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Rules that the text should state and does not, each at the end of the last stated rule before it.

    A rule that some sentence may state, or one near that place in unknown words, is not reported. Nor is one for which
    the rules around it leave no narrow place: a text in another order may say it anywhere.
    """
    spec, rules = alignment.book.spec, expected(alignment)
    stated = [is_stated(alignment, rule) for rule in rules]
    for at, rule in enumerate(rules):
        if stated[at] or _likeness(alignment).get(rule, 0.0) >= LIKELY:
            continue
        gap = _gap(alignment, rules, stated, at)
        if gap is None or any(map(alignment.is_in_unknown_words, gap.between)):
            continue
        facts = [str(fact) for fact in of_rule(spec, rule) if not fact.optional]
        needs = alignment.book.in_terms(chained(say("{first}; {second}"), facts), prose.lang)
        message = say("Missing rule `{rule}`: {rules}.", rule=rule, rules=spec.rules[rule].title)
        hint = say("Add it about here. Its facts: {needs}.", needs=needs) if needs else say("Add it about here.")
        yield finding("text-missing", message, prose.source, prose.place(gap.start, gap.start), hint, rule, prose.lang)


def _likeness(alignment: Alignment) -> Mapping[str, float]:
    """How well the sentences fit each rule that is among their first ones, as a share of their best score."""
    return once(alignment.reading, ("likest",), lambda: dict(_likest(alignment)))


def _likest(alignment: Alignment) -> Iterator[tuple[str, float]]:
    number = len(alignment.statements.rules)
    first = max(1, min(FIRST, number // OF_FEW), number // OF_ALL)
    rows = [sorted(row.items(), key=lambda pair: -pair[1])[:first] for row in alignment.scores.values()]
    shares = [(score / row[0][1], rule) for row in rows for rule, score in row if score]
    yield from ((rule, share_) for share_, rule in sorted(shares))


@dataclass(frozen=True)
class _Gap:
    """Where a rule is missing: the offset at which a reader expects it, and the sentences around."""

    start: int
    between: Sequence[int]


def _gap(alignment: Alignment, rules: Sequence[str], stated: Sequence[bool], at: int) -> _Gap | None:
    """The gap from the last stated rule before to the first one after; None if it is wide or these are not in order."""
    places = alignment.passages
    start = next((places[rules[i]].end for i in reversed(range(at)) if stated[i]), 0)
    end = next((places[rules[i]].start for i in range(at + 1, len(rules)) if stated[i]), len(alignment.reading.text))
    sentences = (i for i, one in enumerate(alignment.segments) if one.role in STATING)
    between = [i for i in sentences if start <= alignment.segments[i].start < end]
    return _Gap(start, between) if start <= end and len(between) <= NARROW else None


STATING = (Role.RULE, Role.TABLE, Role.COMPONENT)
"""The roles of sentences that may state a rule."""

NARROW = 4
"""The most sentences at the place of a rule that is left out: with more, one of them mostly says it in other words."""


def expected(alignment: Alignment) -> Sequence[str]:
    """The rules that a text should state: all of a rulebook, those of the parts of the game that an excerpt covers.

    The order is that of the spec, without rules of which another states a part.
    """
    spec = alignment.book.spec
    every = [rule for rule in alignment.statements.rules if spec.rules[rule].in_rulebook]
    rules = [rule for rule in every if not any(is_stated(alignment, one) for one in within(spec, rule))]
    if share(alignment) >= WHOLE:
        return rules
    total, stated = Counter[str](), Counter[str]()
    for rule in every:
        total[_section(alignment, rule)] += 1
        stated[_section(alignment, rule)] += is_stated(alignment, rule)
    return [rule for rule in rules if stated[_section(alignment, rule)] >= COVERED * total[_section(alignment, rule)]]


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


LISTED = 3
"""From so many counts on, a sentence lists what is in the box, as lines do (see components.py)."""


def only_counts_some(alignment: Alignment, rule: str) -> bool:
    """Whether a rule lists what is in the box, and the text has no such list: it counts some things in passing."""
    concepts, stating = alignment.book.concepts, alignment.stating(rule)
    counts = list(_contents(alignment, rule))
    if len(counts) < LISTED or any(alignment.segments[i].role == Role.COMPONENT for i in stating):
        return False
    together = (sum(judge(fact, alignment.sentence(i), concepts).stated for fact in counts) for i in stating)
    return max(together, default=0) < LISTED


def _contents(alignment: Alignment, rule: str) -> Iterator[Fact]:
    """The facts of a rule if they count things in the box; none if it requires another number."""
    book = alignment.book
    facts = [fact for fact in of_rule(book.spec, rule) if not fact.optional and not isinstance(fact.content, Words)]
    things = [fact.content.of for fact in facts if isinstance(fact.content, Number) and fact.content.of]
    yield from facts if len(things) == len(facts) and all(map(book.is_component, things)) else ()


def share(alignment: Alignment) -> float:
    """The share of the ordinary rules that a text states, from 0 to 1."""
    rules = [rule for rule in alignment.statements.rules if alignment.book.spec.rules[rule].in_rulebook]
    return sum(is_stated(alignment, rule) for rule in rules) / max(1, len(rules))


def _section(alignment: Alignment, rule: str) -> str:
    """The outermost rule around a rule; one name for those of the setup."""
    spec = alignment.book.spec
    outermost = around(spec, rule)[-1]
    return outermost if any(within(spec, outermost)) else ""
