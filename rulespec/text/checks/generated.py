"""Generated sentences in a text: list items that are sentences of the rule's description, or nearly.

A localiser starts from a description and changes it step by step. What is still there is true as long as the rule is
the same; what differs from a sentence of the rule in a few words says something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from rulespec.base.diagnostics import Finding, Position, Span, finding
from rulespec.base.messages import say
from rulespec.text.reading.prose import Prose
from rulespec.text.rules import describe
from rulespec.text.rules.book import Book

_ITEM = re.compile(r"^([ \t]*)- (.+)$", re.MULTILINE)

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
    spans, said = _read(prose.text)
    if not said or prose.rule not in book.spec.rules or prose.lang not in describe.languages():
        return Generated()
    description = describe.Description(book.spec, prose.lang, book.glossary, titles)
    rule = description.rule(prose.rule)
    known = [*_lines(rule.lines), *_lines(rule.definitions)]
    facts = describe.fact_sentences(prose.rule, description.say, book)
    stated = {item for one in facts for item in _read(f"- {one}")[1]}
    alone = not any(map(str.isalnum, _ITEM.sub("", prose.text)))
    return _compared(list(zip(spans, said, strict=True)), rule.sentences, known, stated, alone)


@dataclass(frozen=True)
class _Item:
    """A list item, and the item above it that it is part of."""

    text: str
    head: str = ""

    def __str__(self) -> str:
        return f"{self.head} {self.text}" if self.head else self.text


def _read(text: str) -> tuple[list[Span], list[_Item]]:
    """The list items of a text with their places."""
    found = list(_ITEM.finditer(text))
    return [Span(item.start(2), item.end(2)) for item in found], _under((len(item[1]), item[2]) for item in found)


def _lines(lines: Iterable[describe.Line]) -> list[_Item]:
    return _under((line.depth, line.text) for line in lines)


def _under(items: Iterable[tuple[int, str]]) -> list[_Item]:
    """Items given by their depth and text, each with the nearest one above it that is less deep."""
    found: list[_Item] = []
    above: list[tuple[int, str]] = []
    for depth, text in items:
        while above and above[-1][0] >= depth:
            above.pop()
        found.append(_Item(text, above[-1][1] if above else ""))
        above.append((depth, text))
    return found


def _compared(
    items: Sequence[tuple[Span, _Item]],
    sentences: Sequence[str],
    known: Sequence[_Item],
    stated: Set[_Item],
    alone: bool,
) -> Generated:
    """The items compared with what is known to be true. `alone`: the text has nothing else."""
    said = [item.text for _, item in items]
    texts = {item.text for item in known}
    exact = [span for span, item in items if item in stated or (item.text in texts and not _moved(item, known))]
    left = [item for item in dict.fromkeys(known) if item.text not in said]
    mostly = (alone and len(exact) == len(items)) or 2 * sum(one in sentences for one in said) >= max(len(sentences), 1)
    changed = []
    for span, item in items:
        if span in exact:
            continue
        if item.text in texts:
            changed.append((span, str(next(other for other in known if other.text == item.text))))
            continue
        nearest = max(left, key=lambda other: _like(item.text, other.text), default=None)
        if nearest is not None and _like(item.text, nearest.text) >= _least(mostly and nearest.text in sentences):
            left.remove(nearest)
            changed.append((span, nearest.text))
    lacking = tuple(item.text for item in left if item.text in sentences) if mostly and exact else ()
    order = [sentences.index(one) for one in dict.fromkeys(said) if sentences.count(one) == 1]
    return Generated(tuple(exact), tuple(changed), lacking, not mostly or order == sorted(order))


def _moved(item: _Item, known: Sequence[_Item]) -> bool:
    """Whether a sentence is under another one than in the description, such as another answer of a ruling.

    Under words that a person wrote, it may be anywhere.
    """
    return item not in known and (not item.head or any(other.text == item.head for other in known))


def _least(likely: bool) -> int:
    return _LIKELY if likely else _NEARLY


@lru_cache(maxsize=65_536)
def _like(one: str, other: str) -> float:
    """The similarity of two sentences in per cent; two that differ in the order of their words are alike."""
    from rapidfuzz import fuzz

    return max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other))


def check(prose: Prose, place: Span, found: Generated) -> Iterator[Finding]:
    """The findings about changed and missing sentences; `place` is the span for what is missing."""
    for span, sentence in found.changed:
        said = prose.text[span.start : span.end]
        part = Span(0, len(said)) if sentence.endswith(said) else _differing(said, sentence)
        start, end = span.start + part.start, max(span.start + part.end, span.start + part.start + 1)
        message = say("The text says “{said}”; by the spec: {sentence}", said=prose.text[start:end], sentence=sentence)
        yield prose.say(
            "fact-contradicted", message, start, end, say("Correct the text, or the spec at `{rule}`.", rule=prose.rule)
        )
    for sentence in found.lacking:
        message = say("Missing fact: {sentence}", sentence=sentence)
        hint = say("State it in a sentence, a list or a table.")
        yield finding("fact-missing", message, prose.source, place, hint, prose.rule, prose.lang)
    if not found.in_order and found.exact:
        message = say("The sentences are in another order than the steps of the rule.")
        span = found.exact[0]
        yield prose.say(
            "order-contradicted", message, span.start, span.end, say("List them in the order of `ftk describe`.")
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
