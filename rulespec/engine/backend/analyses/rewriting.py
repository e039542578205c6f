"""Expressions and instructions with parts replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """An expression or instruction in which `change` replaces parts; it returns None for those that stay."""
    if (changed := change(node)) is not None:
        return changed
    if isinstance(node, (tuple, list)):
        return type(node)(rewritten(part, change) for part in node)
    if not is_dataclass(node):
        return node
    parts = {part.name: getattr(node, part.name) for part in fields(node) if part.name != "table"}
    return replace(node, **{name: rewritten(part, change) for name, part in parts.items()})  # type: ignore[type-var]
