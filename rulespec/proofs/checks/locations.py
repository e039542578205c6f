"""Locations of findings: spans of steps come from the sealed model, spans of keys from the document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rulespec.base import diagnostics
from rulespec.base.diagnostics import Finding, Related, Span
from rulespec.base.messages import NOTHING, Message
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.model import spec as m
from rulespec.language.model.nodes import scalar


def report(
    spec: m.Spec, name: str, message: Message, span: Span, hint: Message = NOTHING, related: Iterable[Related] = ()
) -> Finding:
    """A finding about `span`, with the innermost rule around it."""
    rule = rule_around(spec, span)
    return diagnostics.finding(name, message, spec.source, span, hint, rule, related=related)


def rule_around(spec: m.Spec, span: Span) -> str:
    """The innermost rule around a span; empty if there is none."""
    around = [r for r in spec.rules.values() if r.span.start <= span.start and span.end <= r.span.end]
    return min(around, key=lambda r: r.span.end - r.span.start).id if around else ""


def of(spec: m.Spec, step: m.Step, *path: str) -> Span:
    """The span of a step: the value of its operation, or the value under a path of keys inside it."""
    return at(spec, step.span, *(path or (step.key,)))


def at(spec: m.Spec, span: Span | None, *path: str) -> Span:
    """The span that a path of keys leads to: the value if it is a scalar, else its key.

    `span` is that of the mapping in which the path begins, None for the whole file. If a key is missing, the path ends
    there.
    """
    root, mappings = _mappings(spec.source)
    node = root if span is None else mappings.get(span)
    best = span or (root.span if root is not None else Span(0, 0))
    for step in path:
        key = node.key(step) if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping) or key is None:
            break
        node = node.get(step)
        best = node.span if isinstance(node, Scalar) else key.span
    return best


def text(spec: m.Spec, span: Span, key: str) -> str:
    """The scalar at a key of the mapping at a span, without quotes around it."""
    return scalar(_mappings(spec.source)[1][span].get(key)).text


@lru_cache(maxsize=4)
def _mappings(source: Source) -> tuple[Node | None, dict[Span, Mapping]]:
    # Parsed again instead of kept in the model, so only specs with findings pay for it.
    root, _ = parse(source)
    found: dict[Span, Mapping] = {}
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            found[node.span] = node
            waiting += [value for _, value in node.entries]
        elif isinstance(node, Sequence):
            waiting += node.items
    return root, found
