"""The words of moves, which players read and logs hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from weakref import WeakKeyDictionary

from rulespec.meaning import remainder_rule
from rulespec.model import spec as m
from rulespec.model.spec import Spec

_PLACEHOLDER = re.compile(r"\{(\w+)")
_KNOWN: WeakKeyDictionary[Spec, Mapping[str, tuple[str, ...]]] = WeakKeyDictionary()


def spoken(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    """The words of the moves of each rule, in a sorted order, with numbers for the names of variables."""
    if spec not in _KNOWN:
        found: dict[str, list[str]] = {}
        for rule, body in _bodies(spec):
            for id_, says in _said(body, rule):
                found.setdefault(id_, []).append(says)
        _KNOWN[spec] = {id_: tuple(sorted(said)) for id_, said in found.items()}
    return _KNOWN[spec]


def _bodies(spec: Spec) -> Iterator[tuple[str, m.Body]]:
    """All steps of a spec, with the rule that they belong to if they have none of their own."""
    rest = remainder_rule(spec)
    yield from ((rest, spec.setup), (rest, spec.play))
    yield from ((procedure.rule or rest, procedure.body) for procedure in spec.procedures.values())


def _said(node: object, rule: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, tuple):
        for item in node:
            yield from _said(item, rule)
    elif isinstance(node, m.Step):
        rule = node.rule or rule
        if isinstance(node, m.Option | m.Place):
            yield rule, _numbered(node)
        for part in fields(node):
            yield from _said(getattr(node, part.name), rule)


def _numbered(step: m.Option | m.Place) -> str:
    """The words of a move with numbers for variables: those of the move by place, others by first mention."""
    names = [name for name, _ in step.picks] if isinstance(step, m.Option) else []
    names += [name for name in _PLACEHOLDER.findall(step.says) if name not in names]
    return _PLACEHOLDER.sub(lambda match: f"{{{names.index(match[1])}", step.says)
