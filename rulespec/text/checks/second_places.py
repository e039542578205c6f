"""The other places of findings about texts: the rule in the spec, and its texts in the other languages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from rulespec.base.diagnostics import Finding, Related, related
from rulespec.base.messages import say
from rulespec.base.project import shown
from rulespec.language.model.spec import Spec
from rulespec.proofs.checks import locations
from rulespec.text.reading.translation import Translation

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


def with_second_places(found: Iterable[Finding], spec: Spec, others: Collection[Translation] = ()) -> Iterator[Finding]:
    """The findings about a text, each with what it contradicts; `others` are the texts in all languages."""
    for one in found:
        if one.name in _AGAINST_SPEC:
            one = replace(one, related=(*one.related, *_rule(one.rule, spec)))
        elif one.name in _AGAINST_TEXTS:
            one = replace(one, related=(*one.related, *_texts(one, others)))
        yield one


def _rule(id_: str, spec: Spec) -> Iterator[Related]:
    declared = spec.rules.get(id_) or spec.rulings.get(id_)
    if declared is not None:
        span = locations.at(spec, declared.span, "id")
        yield _shown(related(say("The rule in the spec."), spec.source, span))


def _texts(one: Finding, others: Iterable[Translation]) -> Iterator[Related]:
    for other in others:
        passage = other.passages.get(one.rule)
        if passage is not None and other.lang != one.lang:
            message = say("The text in {lang}.", lang=other.lang)
            yield _shown(related(message, passage.source, passage.text.span))


def _shown(place: Related) -> Related:
    return replace(place, path=shown(place.path))
