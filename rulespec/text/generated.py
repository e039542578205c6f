"""Generated sentences in a text: list items that are sentences of the rule's description, or nearly.

A localiser starts from a description and changes it step by step. What is still there is true as long as the rule is
the same; what differs from a sentence of the rule in a few words says something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from rulespec.diagnostics import Finding, Position, Span, finding
from rulespec.text import describe
from rulespec.text.book import Book
from rulespec.text.prose import Prose

_ITEM = re.compile(r"^[ \t]*- (.+)$", re.MULTILINE)

_NEARLY = 75
"""The least similarity in per cent of a changed sentence in a text of other sentences. Items that people wrote have at
most 58 (the shipped texts of two games, and the development part of the unseen ones)."""

_LIKELY = 55
"""The same in a text that is mostly generated, where an item is a changed sentence unless it is of another kind."""


@dataclass(frozen=True)
class Generated:
    """The list items of a text, compared with the description of its rule.

    `exact` are the spans of items that are its sentences, in the order of the text. `changed` are the items that differ
    from a sentence in some words, each with that sentence; `lacking` are sentences that a mostly generated text lacks.
    """

    exact: tuple[Span, ...] = ()
    changed: tuple[tuple[Span, str], ...] = ()
    lacking: tuple[str, ...] = ()
    in_order: bool = True


def read(prose: Prose, book: Book, titles: Mapping[str, str]) -> Generated:
    """The generated sentences of the text of a rule. `titles` are those of the rules in its language."""
    items = [Span(found.start(1), found.end(1)) for found in _ITEM.finditer(prose.text)]
    if not items or prose.rule not in book.spec.rules or prose.lang not in describe.languages():
        return Generated()
    description = describe.Description(book.spec, prose.lang, book.glossary, titles)
    rule = description.rule(prose.rule)
    sentences, known = rule.sentences, {line.text for line in rule.definitions}
    stated = set(describe.fact_sentences(prose.rule, description.say, book))
    return _compared(prose.text, items, sentences, sorted(known), known | stated)


def _compared(
    text: str, items: Sequence[Span], sentences: Sequence[str], definitions: Sequence[str], known: Set[str]
) -> Generated:
    said = [text[span.start : span.end] for span in items]
    exact = [span for span, one in zip(items, said, strict=True) if one in known or one in sentences]
    left = [one for one in dict.fromkeys((*sentences, *definitions)) if one not in said]
    mostly = 2 * sum(one in sentences for one in said) >= max(len(sentences), 1)
    changed = []
    for span, one in zip(items, said, strict=True):
        if one in known or one in sentences:
            continue
        nearest = max(left, key=lambda other: _like(one, other), default="")
        if nearest and _like(one, nearest) >= (_LIKELY if mostly and nearest in sentences else _NEARLY):
            left.remove(nearest)
            changed.append((span, nearest))
    lacking = tuple(one for one in left if one in sentences) if mostly and exact else ()
    order = [sentences.index(one) for one in dict.fromkeys(said) if sentences.count(one) == 1]
    return Generated(tuple(exact), tuple(changed), lacking, not mostly or order == sorted(order))


@lru_cache(maxsize=65_536)
def _like(one: str, other: str) -> float:
    """The similarity of two sentences in per cent; two that differ in the order of their words are alike."""
    from rapidfuzz import fuzz

    return max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other))


def check(prose: Prose, place: Span, found: Generated) -> Iterator[Finding]:
    """The findings about changed and missing sentences; `place` is the span for what is missing."""
    for span, sentence in found.changed:
        part = _differing(prose.text[span.start : span.end], sentence)
        start, end = span.start + part.start, max(span.start + part.end, span.start + part.start + 1)
        message = f"The text says “{prose.text[start:end]}”; by the spec: {sentence}"
        yield prose.say("fact-contradicted", message, start, end, f"Correct the text, or the spec at `{prose.rule}`.")
    for sentence in found.lacking:
        message = f"Missing fact: {sentence}"
        hint = "State it in a sentence, a list or a table."
        yield finding("fact-missing", message, prose.source, place, hint, prose.rule, prose.lang)
    if not found.in_order and found.exact:
        message = "The sentences are in another order than the steps of the rule."
        span = found.exact[0]
        yield prose.say(
            "order-contradicted", message, span.start, span.end, "List them in the order of `ftk describe`."
        )


def _differing(one: str, other: str) -> Span:
    """The part of a sentence, in whole words, outside what both begin and end with."""
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    tail = next((i for i, (a, b) in enumerate(zip(one[::-1], other[::-1], strict=False)) if a != b), 0)
    end = max(len(one) - tail, start)
    while start > 0 and one[start - 1].isalnum() and one[start - 1].isascii():
        start -= 1
    while end < len(one) and one[end].isalnum() and one[end].isascii():
        end += 1
    return Span(start, end)


def true_places(prose: Prose, found: Generated) -> list[tuple[Position, Position]]:
    """Where the exact sentences are in the file. They are true, so that no other check applies to them."""
    spans = (prose.place(span.start, span.end) for span in found.exact)
    return [(prose.source.position(span.start), prose.source.position(span.end)) for span in spans]
