"""Numbers of a raw text that count a thing of which its rule must state another number: 16 king cards, not 15."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.parts import part_around
from rulespec.text.raw.slots import FEW, beside
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import ByPlayers, Fact, Number
from rulespec.text.rules.evidence import Wrong
from rulespec.text.rules.facts import of_rule


def miscounts(fact: Fact, rule: str, alignment: Alignment) -> Iterator[Wrong]:
    """The number that a text has instead of that of a fact, if it is the only one that counts the thing."""
    content = fact.content
    if isinstance(content, Number) and content.of and content.value > FEW:
        found = set(_counting(content.of, rule, alignment))
        if len(found) == 1:
            one = found.pop()
            yield Wrong(one.start, one.end, alignment.reading.text[one.start : one.end], str(content))


def _counting(concept: str, rule: str, alignment: Alignment) -> Iterator[Quantity]:
    """The numbers of the sentences that may state a rule which count a concept, and that no rule has for it.

    What the rule counts itself may be a part: 18 ballots, of which 6 are yes.
    """
    book = alignment.book
    ours = (fact.content.value for fact in of_rule(book.spec, rule) if isinstance(fact.content, Number))
    known = _counts(book).get(concept, frozenset()).union(ours)
    for index in alignment.scores:
        if rule in alignment.candidates(index):
            sentence = alignment.sentence(index)
            for quantity in sentence.quantities:
                is_other = _is_count(quantity, sentence) and quantity.value not in known
                if is_other and concept in _counted(quantity, sentence):
                    yield quantity


def _is_count(quantity: Quantity, sentence: Reading) -> bool:
    return quantity.kind == Kind.CARDINAL and quantity.value > FEW and quantity.start not in sentence.counts


def _counted(quantity: Quantity, sentence: Reading) -> frozenset[str]:
    """What a number counts: the things beside it, else the next thing in its part, if it is the only number there."""
    part = part_around(sentence, quantity.start, quantity.end)
    after = [m for m in part.mentions if m.start >= quantity.end and m.status.is_term][: len(part.quantities) == 1]
    return beside(quantity, sentence) or frozenset(name for m in after for name in (m.concept, *m.also))


def _counts(book: Book) -> dict[str, frozenset[int]]:
    """For each concept all numbers of it that facts have."""
    return once(book, "counts", lambda: _all_counts(book))


def _all_counts(book: Book) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for rule in book.spec.rules:
        for fact in of_rule(book.spec, rule):
            if isinstance(fact.content, Number):
                found.setdefault(fact.content.of, set()).add(fact.content.value)
            elif isinstance(fact.content, ByPlayers):
                found.setdefault(fact.content.of, set()).update(fact.content.rows.values())
    return {concept: frozenset(values) for concept, values in found.items()}
