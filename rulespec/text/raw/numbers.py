"""Numbers of a raw text that no rule of their sentence has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.text.content import ByKey, ByPlayers, Extent, Fact, Number, Share
from rulespec.text.evidence import judge
from rulespec.text.facts import of_rule
from rulespec.text.incidental import is_incidental
from rulespec.text.justified import is_justified
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.columns import columns
from rulespec.text.raw.segments import Role
from rulespec.text.reading import Reading
from rulespec.text.stated_numbers import is_stated
from rulespec.text.subjects import around, within

NEAR, CLOSE = 4, 3
"""The most characters between a number and the thing that it counts, with spaces between words and without."""


FEW = 3
"""The largest number that people use in passing, in words."""


@dataclass(frozen=True)
class Unjustified:
    """A number, the rule that its sentence seems to state, and what that rule has instead; "" if that is not clear."""

    quantity: Quantity
    rule: str
    instead: str


def unjustified(alignment: Alignment) -> Iterator[Unjustified]:
    """The numbers that none of the rules justifies which their sentence may state."""
    known = {cell for column in columns(alignment) for _, cell in column.cells}
    known |= {key for row in alignment.reading.rows for key in row.keys}
    for index in alignment.scores:
        segment = alignment.segments[index]
        rules = alignment.candidates(index)
        if rules and segment.role in (Role.RULE, Role.TABLE, Role.COMPONENT):
            part = alignment.part(segment)
            for quantity in part.quantities:
                if quantity not in known and not _is_known(quantity, rules, part, alignment):
                    yield Unjustified(quantity, rules[0], _instead(quantity, rules, part, alignment))


def _is_known(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> bool:
    return (
        _counts_players(quantity, alignment)
        or _numbers_row(quantity, part)
        or _is_small_talk(quantity, part)
        or _is_part(quantity, rules, alignment)
        or _counts_thing(quantity, part, alignment)
        or any(_justifies(rule, quantity, part, alignment) for rule in rules)
    )


def _justifies(rule: str, quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    book = alignment.book
    near = (*around(book.spec, rule)[:2], *within(book.spec, rule))
    facts = tuple(fact for one in near for fact in of_rule(book.spec, one))
    return (
        is_justified(quantity, facts, part, strict=False)
        or is_stated(quantity, rule, part, book)
        or is_incidental(quantity, rule, part, book)
    )


def _counts_players(quantity: Quantity, alignment: Alignment) -> bool:
    """Whether a quantity is the number of players itself, or the range of players of the game."""
    players = alignment.book.spec.players
    whole = quantity.value == players[0] and quantity.high == players[-1]
    return whole or (quantity.kind == Kind.RELATIVE and not quantity.value)


def _numbers_row(quantity: Quantity, part: Reading) -> bool:
    """Whether a number is the first cell of a row: `| 3 | Shuffle the deck. |`."""
    before, after = part.text[part.start : quantity.start].strip(), part.text[quantity.end : part.end].lstrip()
    return before == "|" and after.startswith("|")


def _is_part(quantity: Quantity, rules: Sequence[str], alignment: Alignment) -> bool:
    """Whether a fraction is in passing, since the rules have none: the second half of the game."""
    facts = (fact.content for rule in rules for fact in of_rule(alignment.book.spec, rule))
    return quantity.kind == Kind.FRACTION and not any(isinstance(content, Share) for content in facts)


def _is_small_talk(quantity: Quantity, part: Reading) -> bool:
    """Whether a small number in words counts nothing of the game: three options, two sides."""
    said = part.text[quantity.start : quantity.end]
    return quantity.value <= FEW and not any(map(str.isdecimal, said)) and not _beside(quantity, part)


def _counts_thing(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a number is that of the things beside it in the whole game, or a range that some rule has."""
    beside = _beside(quantity, part)
    every = (fact.content for rule in alignment.statements.rules for fact in of_rule(alignment.book.spec, rule))
    return any(
        (isinstance(one, Number) and one.of in beside and one.value == quantity.value)
        or (isinstance(one, Extent) and (one.low, one.high) == (str(quantity.value), str(quantity.high)))
        for one in every
    )


def _beside(quantity: Quantity, part: Reading) -> frozenset[str]:
    """The concepts of the terms next to a number."""
    reach = NEAR if part.language.spaced else CLOSE
    near = part.mentions_over(quantity.start - reach, quantity.end + reach)
    return frozenset(concept for mention in near for concept in (mention.concept, *mention.also))


def _instead(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> str:
    """The number of a rule that the sentence lacks: of what is named beside the number, else the only one it lacks."""
    spec, concepts = alignment.book.spec, alignment.book.concepts
    facts = [fact for rule in rules for fact in of_rule(spec, rule) if not fact.derived and _has_number(fact)]
    lacking = [fact for fact in facts if not judge(fact, part, concepts).stated]
    beside = _beside(quantity, part)
    counted = [fact for fact in lacking if _counted(fact) in beside]
    return str((counted or lacking)[0].content) if counted or len(lacking) == 1 else ""


def _has_number(fact: Fact) -> bool:
    return isinstance(fact.content, Number | ByPlayers | ByKey | Extent)


def _counted(fact: Fact) -> str:
    return fact.content.of if isinstance(fact.content, Number | ByPlayers | ByKey) else ""
