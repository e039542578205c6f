"""Typed expressions in which names are replaced by what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from rulespec.language.model.typed import Domain, Fold, Let, Local, Part, TExpr, ZoneRef, walk

Scope = Mapping[str, TExpr]
N = TypeVar("N", TExpr, Domain, ZoneRef)

_OUTSIDE = {"domain", "value"}
"""Fields in which the variable that a node binds is not in scope."""


def substitute(node: N, scope: Scope) -> N:
    """The node with its free names replaced by what they stand for."""
    if isinstance(node, Local):
        return scope.get(node.name, node)
    inner = {k: v for k, v in scope.items() if k != node.variable} if isinstance(node, Fold | Let) else scope
    changed = {}
    for item in fields(node):
        changed[item.name] = _substituted(getattr(node, item.name), scope if item.name in _OUTSIDE else inner)
    return replace(node, **changed)


def _substituted(value: Any, scope: Scope) -> Any:
    if isinstance(value, tuple):
        return tuple(_substituted(item, scope) for item in value)
    node: Any = value
    return substitute(node, scope) if isinstance(value, Part) else value


def same_elements(one: Fold, other: Fold) -> bool:
    """Whether two folds go through the same elements, whatever these are called."""
    return one.domain == other.domain and _of_element(one) == _of_element(other)


def _of_element(fold: Fold) -> TExpr | None:
    """The condition on an element, which has a name that no expression can write: another name may be of something
    else outside the fold."""
    element = Local(fold.domain.type, "#element")
    return substitute(fold.condition, {fold.variable: element}) if fold.condition is not None else None


def written_out(node: N) -> N:
    """The node with every `let` written out: with its value in each place of the name."""
    # Most expressions have no `let`; they are not copied.
    named = any(isinstance(part, Let) for part in walk(node))
    written: N = _written_out(node) if named else node
    return written


def _written_out(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(map(_written_out, node))
    if isinstance(node, Let):
        return _written_out(substitute(node.body, {node.variable: _written_out(node.value)}))
    if not isinstance(node, Part):
        return node
    return replace(node, **{item.name: _written_out(getattr(node, item.name)) for item in fields(node)})
