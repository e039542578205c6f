"""Incidental numbers: numbers of a text that state no amount of its rule.

They count what the sentence lists, deny a value, suppose one for an example, take stock of the game, or say how many
things differ.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from rulespec.base.diagnostics import Span
from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book
from rulespec.text.rules.claims import nearby, own
from rulespec.text.rules.content import ByPlayers, Number
from rulespec.text.rules.derived import stock
from rulespec.text.rules.evidence import paragraph_at, plain_values, span_at

NEAR = 2
"""The most characters between a number and the word that it belongs to: a space, and a mark of emphasis or a comma."""


def is_incidental(quantity: Quantity, rule: str, reading: Reading, book: Book) -> bool:
    """Whether a number states no amount of the rule, although it is one."""
    sentence = span_at(reading.sentences, quantity.start) or Span(quantity.start, quantity.end)
    return any(test(quantity, sentence, rule, reading, book) for test in _TESTS)


def _counts_list(quantity: Quantity, sentence: Span, rule: str, reading: Reading, book: Book) -> bool:
    """Whether as many things follow a colon: `two choices: bid or pass`."""
    text, last = reading.text, min(sentence.end, quantity.end + LONGEST)
    colon = min((at for mark in ":：" if (at := text.find(mark, quantity.end, last)) >= 0), default=last)
    if colon == last or any(q.end <= colon for q in reading.quantities_from(quantity.end, colon)):
        return False
    said = text[colon + 1 : min(sentence.end, colon + LONGEST)]
    if not said.strip():
        return _items_below(text, colon + 1) == quantity.value
    parts = [part for part in re.split(r"[,，、;；]", said) if part.strip()]
    space = r"\s" if reading.language.spaced else ""
    words = "|".join(map(re.escape, reading.language.conjunctions)) or "(?!)"
    either = [one for part in parts for one in re.split(f"{space}(?:{words}){space}", f" {part}") if one.strip()]
    return quantity.value in (len(parts), len(either))


LONGEST = 400
"""The most characters of a list that a sentence counts. Readers do not count the things in a longer one."""

_ITEMS = re.compile(r"\s*\n(?:[^\S\n]*(?:[-*•·–—]|\d{1,2}[.)、])[^\n]*(?:\n|$))+")


def _items_below(text: str, at: int) -> int:
    """How many items the list has that begins below an offset."""
    found = _ITEMS.match(text, at, at + 5 * LONGEST)
    return len(found[0].strip().split("\n")) if found is not None else 0


def _is_denied(quantity: Quantity, sentence: Span, rule: str, reading: Reading, book: Book) -> bool:
    """Whether the sentence denies this number beside another one: `1 worker more, not 2`."""
    numbers = reading.quantities_from(sentence.start, sentence.end)
    denied = any(
        found.family == "truth" and found.value == "not" and 0 <= quantity.start - found.end <= NEAR
        for found in reading.contrasts_from(max(sentence.start, quantity.start - _NEGATION), quantity.start)
    )
    return denied and any(q.kind == quantity.kind and q.value != quantity.value for q in numbers)


_NEGATION = 20
"""The most characters of a negation: `by no means`."""


def _is_supposed(quantity: Quantity, sentence: Span, rule: str, reading: Reading, book: Book) -> bool:
    """Whether an example supposes this number for an amount that varies: `You bid four? Then pay four cards.`"""
    every = reading.sentences
    at = bisect_left(every, sentence.start, key=lambda span: span.start)
    pairs = [pair for pair in ((at, at + 1), (at - 1, at)) if pair[0] >= 0 and pair[1] < len(every)]
    values = plain_values((quantity,))
    return bool(values) and any(
        _supposes(every[one], reading)
        and paragraph_at(reading, every[one].start) == paragraph_at(reading, every[other].start)
        and all(values <= _values(reading, every[each]) for each in (one, other))
        and _varies(book.spec, rule)
        for one, other in pairs
    )


def _supposes(sentence: Span, reading: Reading) -> bool:
    """Whether a sentence is a question or an example."""
    said = reading.text[sentence.start : sentence.end].rstrip(" \n\"'”»」』)）*_")
    example = reading.language.example
    return said.endswith(("?", "？")) or bool(example and re.search(example, said, re.IGNORECASE))


def _values(reading: Reading, span: Span) -> frozenset[int]:
    """The whole numbers of a sentence."""
    return once(reading, ("whole numbers", span), lambda: plain_values(reading.quantities_from(span.start, span.end)))


def _varies(spec: Spec, rule: str) -> bool:
    """Whether a rule compares two amounts that the spec does not fix."""
    return any(
        phrase.constructor in _COMPARISONS and not any(part.amount for part in phrase.parts)
        for phrase in _phrases((*own(spec, rule), *nearby(spec, rule)))
    )


_COMPARISONS = ("at_least", "at_most", "more", "less", "is")


def _is_stock(quantity: Quantity, sentence: Span, rule: str, reading: Reading, book: Book) -> bool:
    """Whether a number is that of the cards or components in the game that are named beside it."""
    near = (m for m in reading.mentions_from(quantity.start, quantity.end + NEAR + 1) if m.status.is_term)
    concepts = dict.fromkeys(concept for mention in near for concept in (mention.concept, *mention.also))
    names = (book.glossary.concepts[concept].names for concept in concepts if book.may_mention(rule, concept))
    contents = (content for name in names if name for content in stock(book.spec, name))
    numbers = {n for one in contents for n in _numbers(one)}
    return quantity.kind == Kind.CARDINAL and quantity.value in numbers


def _numbers(content: object) -> Iterator[int]:
    if isinstance(content, Number):
        yield content.value
    if isinstance(content, ByPlayers):
        yield from content.rows.values()


def _are_different(quantity: Quantity, sentence: Span, rule: str, reading: Reading, book: Book) -> bool:
    """Whether two things must differ, as one from another in the rule: `plus on two different tiles`."""
    if abs(quantity.value) != 2 or quantity.kind not in (Kind.CARDINAL, Kind.SIGNED):
        return False
    after = reading.contrasts_from(quantity.end, quantity.end + NEAR + 1)
    said = any(found.family == "identity" and found.value == "different" for found in after)
    return said and any(
        phrase.constructor == "is_not" and not any(part.constructor in ("number", "member") for part in phrase.parts)
        for phrase in _phrases((*own(book.spec, rule), *nearby(book.spec, rule)))
    )


def _phrases(stated: tuple[Proposition, ...]) -> Iterator[Phrase]:
    return (phrase for one in stated for phrase in one.phrases())


_TESTS: tuple[Callable[[Quantity, Span, str, Reading, Book], bool], ...] = (
    _counts_list,
    _is_denied,
    _is_supposed,
    _is_stock,
    _are_different,
)
