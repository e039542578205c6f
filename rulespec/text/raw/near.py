"""Where a raw text may state the facts of a rule, and whether it does."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.columns import columns
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.content import ByKey, ByPlayers, Fact
from rulespec.text.rules.evidence import judge, plain_values

AFTER = 8
"""How many sentences after its passage may still state facts of a rule: about one paragraph."""


def states(alignment: Alignment, rule: str, fact: Fact) -> bool:
    """Whether the text near a rule states a fact of it; a table may stand anywhere."""
    concepts, readings = alignment.book.concepts, near(alignment, rule)
    return (
        any(column.fact.content == fact.content for column in columns(alignment))
        or any(judge(fact, reading, concepts).stated for reading in readings)
        or _scattered(fact, readings)
    )


def near(alignment: Alignment, rule: str) -> list[Reading]:
    """The passage of a rule, what stands around it, its section, and all sentences that may state it."""
    parts, place = alignment.segments, alignment.passages[rule]
    inside = alignment.indices(place.start, place.end)
    first, last = max(0, inside[0] - 2), min(len(parts), inside[-1] + 1 + AFTER)
    section = [s for s in parts if s.section == parts[inside[0]].section]
    spans = [
        (place.start, place.end),
        (parts[first].start, parts[last - 1].end),
        (section[0].start, section[-1].end),
        *((parts[i].start, parts[i].end) for i in alignment.stating(rule)),
    ]
    return [alignment.reading.part(start, end) for start, end in spans]


def _scattered(fact: Fact, passages: Iterable[Reading]) -> bool:
    """Whether one passage has all values of a table, by words that show no rows: six for five of you, else five."""
    if not isinstance(fact.content, ByPlayers | ByKey):
        return False
    wanted = set(fact.content.rows.values()) - {0}
    return any(wanted <= plain_values(q for q in part.quantities if q.start not in part.counts) for part in passages)
