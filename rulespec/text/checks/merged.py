"""Findings about one place of a text as one finding: the strongest reason, with the others as its related places.

A change of a rule shows in many ways: its text is stale, lacks a fact, contradicts one, and its example fails. One edit
of a sentence settles them all. A list or table is one place, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rulespec.base.diagnostics import Finding, Position, Related, Span
from rulespec.base.messages import counted, sentences
from rulespec.text.languages import find
from rulespec.text.reading.segmentation import is_item, passages
from rulespec.text.reading.translation import Passage, Translation

STRENGTH = (
    "fact-contradicted",
    "order-contradicted",
    "number-unaccounted",
    "fact-missing",
    "language-number",
    "language-contrast",
    "language-lacks",
    "language-adds",
    "example-unproved",
    "example-number",
    "text-stale",
    "source-edited",
    "text-edited",
)
"""The kinds of finding that are merged, the strongest reason first."""

_STALE = "text-stale"
_EXAMPLES = ("example-unproved", "example-number")


def merged(found: Iterable[Finding], translation: Translation) -> Iterator[Finding]:
    """The findings about a translation, one for each sentence, list or table, in no order.

    What concerns a whole text, or is only stale, goes with the strongest finding about a sentence of it; an example
    with its rule. Examples of rules without another finding are one finding together: one change has broken them.
    """
    rules: dict[str, list[Finding]] = {}
    for one in found:
        if one.name in STRENGTH and one.rule in translation.passages:
            rules.setdefault(one.rule, []).append(one)
        else:
            yield one
    unproved: list[Finding] = []
    for rule, those in rules.items():
        if all(one.name == "example-unproved" for one in those):
            unproved += those
        else:
            yield from _of_rule(those, translation.passages[rule], translation.lang)
    if unproved:
        more = counted("{number} more example is unproved.", "{number} more examples are unproved.", len(unproved) - 1)
        yield _joined(unproved, more if len(unproved) > 1 else "")


def _of_rule(found: Sequence[Finding], passage: Passage, lang: str) -> Iterator[Finding]:
    """The findings about one text."""
    if len(found) == 1:
        yield from found
        return
    blocks = list(_blocks(passage, lang))
    placed: dict[int, list[Finding]] = {}
    for one in sorted(found, key=_order):
        at = next((i for i, (start, end, _) in enumerate(blocks) if start <= one.start < end), _WHOLE)
        placed.setdefault(at, []).append(one)
    whole, stale = placed.pop(_WHOLE, []), [at for at, those in placed.items() if those[0].name == _STALE]
    if len(stale) < len(placed) or any(one.name not in (_STALE, *_EXAMPLES) for one in whole):
        whole += [one for at in stale for one in placed.pop(at)]
    first = min(placed, key=lambda at: _order(placed[at][0]), default=_WHOLE)
    placed.setdefault(first, []).extend(whole)
    for at, those in placed.items():
        cells = sum(one.name == those[0].name for one in those) - 1 if at >= 0 and blocks[at][2] else 0
        more = counted(
            "{number} more place in this list is wrong.", "{number} more places in this list are wrong.", cells
        )
        yield _joined(sorted(those, key=_order), more if cells else "")


_WHOLE = -1
"""The place of what concerns a whole text or its examples."""


def _joined(found: Sequence[Finding], more: str) -> Finding:
    """The first finding, with the others as related places, and how many more there are in the message."""
    first, *others = found
    if not others:
        return first
    places = [Related(one.message, one.path, one.start, one.end, one.name, one.rule) for one in others]
    related = dict.fromkeys((*first.related, *places, *(place for one in others for place in one.related)))
    return replace(first, message=sentences(first.message, more), related=tuple(related))


def _order(found: Finding) -> tuple[int, Position, str]:
    return STRENGTH.index(found.name), found.start, found.message


def _blocks(passage: Passage, lang: str) -> Iterator[tuple[Position, Position, bool]]:
    """The sentences and lists of a text, each with whether it is a list."""
    prose, text = passage.prose(lang), passage.text.text
    spans = passages(text, find(lang), 0, len(text))
    for is_list, some in groupby(spans, lambda span: is_item(text, span.start)):
        group = list(some)
        for span in [Span(group[0].start, group[-1].end)] if is_list else group:
            _, start, end = passage.source.located(prose.place(span.start, span.end))
            yield start, end, is_list
