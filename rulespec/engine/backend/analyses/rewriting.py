"""Expressions and instructions with parts replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import is_
from typing import Any


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """An expression or instruction in which `change` replaces parts; it returns None for those that stay."""
    if (changed := change(node)) is not None:
        return changed
    if isinstance(node, (tuple, list)):
        parts = [rewritten(part, change) for part in node]
        # Most parts stay: what is made of the same parts is not made again.
        return node if all(map(is_, parts, node)) else type(node)(parts)
    new, kind = {}, node.__class__
    for name in parts_of(kind):
        if name != "table" and (part := rewritten(old := getattr(node, name), change)) is not old:
            new[name] = part
    return replace(node, **new) if new else node


@cache
def parts_of(kind: type) -> tuple[str, ...]:
    """The names of the parts of an expression or instruction of a kind; none for any other kind."""
    return tuple(part.name for part in fields(kind)) if is_dataclass(kind) else ()
