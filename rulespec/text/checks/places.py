"""Findings by the places of texts: one for each sentence, list or table, with the places that disagree with it.

A change of a rule shows in many ways: its text is stale, lacks a fact, contradicts one, and its example fails. One edit
of a sentence settles them all. A list or table is one place, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rulespec.base.diagnostics import Finding, Position, Related, Severity, Span, related
from rulespec.base.messages import counted, say, sentences
from rulespec.base.project import shown
from rulespec.language.model.spec import Spec
from rulespec.proofs.checks import locations
from rulespec.text.languages.registry import find
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
"""The kinds of finding of which a sentence, list or table has one, the strongest reason first among those of one
severity."""

_EXAMPLES = ("example-unproved", "example-number")
_WHOLE = -1
"""The place of what concerns a whole text or its examples."""


def one_for_each(found: Iterable[Finding], translation: Translation) -> Iterator[Finding]:
    """The findings about a translation, one for each sentence, list or table: the strongest, with the others as its
    related places. In no order.

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
            yield from _of_text(sorted(those, key=_order), translation.passages[rule], translation.lang)
    if unproved:
        more = counted("{number} more example is unproved.", "{number} more examples are unproved.", len(unproved) - 1)
        yield _joined(unproved, more if len(unproved) > 1 else "")


def _of_text(found: Sequence[Finding], passage: Passage, lang: str) -> Iterator[Finding]:
    """The findings about one text, given with the strongest first."""
    blocks = list(_blocks(passage, lang)) if len(found) > 1 else []
    placed: dict[int, list[Finding]] = {}
    for one in found:
        at = next((i for i, (start, end, _) in enumerate(blocks) if start <= one.start < end), _WHOLE)
        placed.setdefault(at, []).append(one)
    whole, stale = placed.pop(_WHOLE, []), [at for at, those in placed.items() if those[0].name == "text-stale"]
    if len(stale) < len(placed) or any(one.name not in ("text-stale", *_EXAMPLES) for one in whole):
        whole += [one for at in stale for one in placed.pop(at)]
    placed.setdefault(next(iter(placed), _WHOLE), []).extend(whole)
    for at, those in placed.items():
        cells = sum(one.name == those[0].name for one in those) - 1 if at >= 0 and blocks[at][2] else 0
        more = counted(
            "{number} more place in this list is wrong.", "{number} more places in this list are wrong.", cells
        )
        yield _joined(sorted(those, key=_order), more if cells else "")


def _joined(found: Sequence[Finding], more: str) -> Finding:
    """The first finding, with the others as related places, and how many more there are in the message."""
    first, *others = found
    if not others:
        return first
    places = [Related(one.message, one.path, one.start, one.end, one.name, one.rule) for one in others]
    beside = dict.fromkeys((*first.related, *places, *(place for one in others for place in one.related)))
    return replace(first, message=sentences(first.message, more), related=tuple(beside))


def _order(found: Finding) -> tuple[bool, int, Position, str]:
    """Errors first, so that none is only a place of a warning."""
    return found.severity != Severity.ERROR, STRENGTH.index(found.name), found.start, found.message


def _blocks(passage: Passage, lang: str) -> Iterator[tuple[Position, Position, bool]]:
    """The sentences and lists of a text, each with whether it is a list."""
    prose, text = passage.prose(lang), passage.text.text
    spans = passages(text, find(lang), 0, len(text))
    for is_list, some in groupby(spans, lambda span: is_item(text, span.start)):
        group = list(some)
        for span in [Span(group[0].start, group[-1].end)] if is_list else group:
            _, start, end = passage.source.located(prose.place(span.start, span.end))
            yield start, end, is_list


# --- the places that disagree ----------------------------------------------------------------------------------------

_AGAINST_SPEC = frozenset(
    (
        "fact-missing",
        "fact-contradicted",
        "order-contradicted",
        "number-unaccounted",
        "text-missing",
        "text-stale",
        "text-edited",
    )
)
_AGAINST_TEXTS = frozenset(("language-lacks", "language-adds", "language-number", "language-contrast", "term-confused"))


def beside_others(found: Finding, spec: Spec, others: Collection[Translation] = ()) -> Finding:
    """A finding about a text with what the text contradicts: the rule in the spec, or `others`, the texts in all
    languages."""
    if found.name in _AGAINST_SPEC:
        return replace(found, related=(*found.related, *_rule(found.rule, spec)))
    if found.name in _AGAINST_TEXTS:
        return replace(found, related=(*found.related, *_texts(found, others)))
    return found


def _rule(id_: str, spec: Spec) -> Iterator[Related]:
    declared = spec.rules.get(id_) or spec.rulings.get(id_)
    if declared is not None:
        span = locations.at(spec, declared.span, "id")
        yield _shown(related(say("The rule in the spec."), spec.source, span))


def _texts(found: Finding, others: Iterable[Translation]) -> Iterator[Related]:
    for other in others:
        passage = other.passages.get(found.rule)
        if passage is not None and other.lang != found.lang:
            message = say("The text in {lang}.", lang=other.lang)
            yield _shown(related(message, passage.source, passage.text.span))


def _shown(place: Related) -> Related:
    return replace(place, path=shown(place.path))
