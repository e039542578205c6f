"""Numbers of a raw text that count more of a thing than the whole game has: three phases, or phase three, of two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.model import spec as m
from rulespec.text.glossary import Mention
from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.segments import Role
from rulespec.text.raw.values import PLAYERS
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import ByPlayers, Fact, Number
from rulespec.text.rules.facts import of_rule

_SILENT = (Role.CREDITS, Role.FLAVOUR, Role.NOISE)
_GAP = r"[^\S\n]?[*_]{0,3}[^\S\n]?"
_BETWEEN, _MEASURED = re.compile(_GAP), re.compile(rf"{_GAP}[^\W\d_]?{_GAP}")
"""What stands between a number and the thing that it counts: a space, perhaps emphasis; in Chinese a measure word."""


@dataclass(frozen=True)
class Total:
    """The most of a concept that the game has, and the fact and rule that say so."""

    most: int
    fact: Fact
    rule: str


@dataclass(frozen=True)
class Excess:
    """`text[start:end]` counts more than the total, or is the number of one beyond it."""

    start: int
    end: int
    total: Total


def excesses(alignment: Alignment) -> Iterator[Excess]:
    """The counts of a text that exceed all that the game has. Fewer may be a part: the first two rounds."""
    known = _totals(alignment.book)
    for segment in alignment.segments:
        if segment.role not in _SILENT:
            part = alignment.part(segment)
            yield from (one for one in _of_part(part, known) if not _is_of_each(one, part, alignment))


def _is_of_each(one: Excess, part: Reading, alignment: Alignment) -> bool:
    """Whether what is counted are the parts of each of other things that the rule of the total does not mention: each
    turn has three phases."""
    known = {f"@{_of(one.total.fact)}", *alignment.statements.vocabulary.get(one.total.rule, ())}
    every = [each for each in part.contrasts if (each.family, each.value) == ("quantity", "all")]
    start = min((each.start for each in every), default=part.end)
    others = [mention.concept for mention in part.mentions_over(start, one.start)]
    return any(f"@{other}" not in known and alignment.book.sort(other) != PLAYERS for other in others)


def _of_part(part: Reading, known: dict[str, Total]) -> Iterator[Excess]:
    numbered: Mention | None = None
    last = part.start
    for quantity in part.quantities:
        joined = part.language.joint.fullmatch(part.text, last, quantity.start)
        numbered, last = _numbered(quantity, part) or (numbered if joined else None), quantity.end
        mention = _counted(quantity, part) if quantity.kind in _COUNTING else None
        mention = mention or (numbered if quantity.start not in part.counts else None)
        total = known.get(mention.concept) if mention is not None else None
        exceeds = total is not None and quantity.value > total.most
        if mention is not None and total is not None and exceeds and not _is_denied(quantity, part):
            yield Excess(quantity.start, max(quantity.end, mention.end), total)


def _is_denied(quantity: Quantity, part: Reading) -> bool:
    """Whether a sentence says that there is no such one: there is no phase 3."""
    return quantity.kind == Kind.ORDINAL and any((one.family, one.value) in _DENIALS for one in part.contrasts)


_DENIALS = frozenset({("truth", "not"), ("quantity", "none")})


_COUNTING = (Kind.CARDINAL, Kind.ORDINAL)


def _numbered(quantity: Quantity, part: Reading) -> Mention | None:
    """The term right before the number of one of its things, which counts nothing itself: round three."""
    if quantity.kind not in _COUNTING or not part.language.spaced or _counted(quantity, part) is not None:
        return None
    near = (m for m in part.mentions_from(quantity.start - _LONGEST, quantity.start) if m.status.is_term)
    return next((one for one in near if _BETWEEN.fullmatch(part.text, one.end, quantity.start)), None)


_LONGEST = 30
"""The most characters of a term before its number."""


def _counted(quantity: Quantity, part: Reading) -> Mention | None:
    """The term right after a number."""
    near = part.mentions_from(quantity.end, quantity.end + 4)
    terms = (one for one in near if one.status.is_term)
    between = _BETWEEN if part.language.spaced else _MEASURED
    return next((one for one in terms if between.fullmatch(part.text, quantity.end, one.start)), None)


def _totals(book: Book) -> dict[str, Total]:
    """For each concept of which some fact counts all, the largest number of it in any fact."""
    if "totals" not in book.derived:
        counted = {_all_of(stated, book) for facts in book.spec.states.values() for stated in facts}
        book.derived["totals"] = {concept: _total(concept, book) for concept in sorted(counted - {""})}
    found: dict[str, Total] = book.derived["totals"]
    return found


def _all_of(stated: m.Fact, book: Book) -> str:
    """The concept of which a fact counts all members, cards, parts or pieces in the box; "" for none."""
    if isinstance(stated, m.MemberCount | m.CardCount | m.PartCount):
        return stated.of
    return stated.of if isinstance(stated, m.Amount) and stated.of in book.spec.components else ""


def _total(concept: str, book: Book) -> Total:
    rules = [rule for rule in book.spec.states if rule in book.spec.rules]
    facts = ((rule, fact) for rule in rules for fact in of_rule(book.spec, rule))
    totals = [Total(_most(fact), fact, rule) for rule, fact in facts if _of(fact) == concept]
    return max(totals, key=lambda one: one.most)


def _of(fact: Fact) -> str:
    return fact.content.of if isinstance(fact.content, Number | ByPlayers) else ""


def _most(fact: Fact) -> int:
    content = fact.content
    assert isinstance(content, Number | ByPlayers)
    return content.value if isinstance(content, Number) else max(content.rows.values())
