"""Terms of a raw text that are about another rule, where the rule of their sentence has another of the same sort.

Only sorts that the glossary names are compared, such as face up and face down. Of the terms whose names in the spec
imply a sort, such as places, a sentence may mention any: by the texts for development six of seven such findings were
false.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.text.glossary import Mention
from rulespec.text.raw.alignment import Alignment
from rulespec.text.subjects import within

CLEAR = 0.9
"""The score (0 to 2) from which it is clear enough which rule a sentence states."""


@dataclass(frozen=True)
class Stranger:
    """A term that no rule of its sentence has, and the concept of the same sort that its rule has instead."""

    mention: Mention
    rule: str
    instead: str


def strangers(alignment: Alignment) -> Iterator[Stranger]:
    """The terms that the rules of their sentences exclude, the first of each sentence."""
    for index, row in alignment.scores.items():
        rules = alignment.candidates(index)
        if rules and row[rules[0]] >= CLEAR and alignment.is_asserted(index):
            yield from _of_sentence(alignment, index, rules)


def _of_sentence(alignment: Alignment, index: int, rules: tuple[str, ...]) -> Iterator[Stranger]:
    part, book = alignment.sentence(index), alignment.book
    if any(within(book.spec, rules[0])):
        return  # a rule with others inside may speak of all that is in them
    for mention in part.mentions:
        sort = book.glossary.concepts[mention.concept].sort if mention.status.is_term else ""
        if sort and not any(_is_known(alignment, rule, mention) for rule in rules):
            known = alignment.statements.vocabulary[rules[0]]
            instead = [c for c in alignment.statements.core(rules[0]) if book.sort(c) == sort and c not in part.places]
            if instead and f"@{mention.concept}" not in known:
                yield Stranger(mention, rules[0], instead[0])
                return


def _is_known(alignment: Alignment, rule: str, mention: Mention) -> bool:
    """Whether our text or the description of a rule mentions a concept, or the rule may mention it."""
    known = alignment.statements.vocabulary[rule]
    concepts = (mention.concept, *mention.also)
    return any(f"@{one}" in known or alignment.book.may_mention(rule, one) for one in concepts)
