"""Jinja for templates that may come from anybody: what one computes for a card is bounded in steps and in size.

A module of its own, since Jinja is loaded only where cards are drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from jinja2 import StrictUndefined, nodes, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, markup_join, str_join
from jinja2.sandbox import SandboxedEnvironment
from jinja2.visitor import NodeTransformer

LARGEST = 20_000_000
"""Characters that a card computes and writes, at most: those of a picture of 4 MB, three times."""
STEP = 4_000
"""What each round of a loop, operation and call counts as, so that there are at most 5,000 of them."""
ITEM = 40
"""What each item of a collection counts as."""
_WIDTHS = re.compile(r"\d{4,}|\*")
"""In a format: a width that is no width of a card, and one that is given beside it."""


class BoundedEnvironment(SandboxedEnvironment):
    """A sandbox in which every loop, operation, filter and call is counted before it is done."""

    intercepted_binops = frozenset(SandboxedEnvironment.default_binop_table)

    def __init__(self) -> None:
        super().__init__(autoescape=True, undefined=StrictUndefined, finalize=self._written)
        self.left = LARGEST
        del self.globals["lipsum"]  # makes texts of any length from one number
        self.filters = {name: self._bounded(one) for name, one in self.filters.items()}
        self.filters |= {"counted": self._counted, "joined": self._bounded(_joined)}

    def spend(self, size: float = 0) -> None:
        """Counts a step that makes something of a size. Raises SecurityError where a card has made too much."""
        self.left -= STEP + int(min(size, LARGEST))
        if self.left < 0:
            raise SecurityError("it computes too much for one card")

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        self._spend_on(getattr(obj, "__name__", ""), (getattr(obj, "__self__", ""), *args, *kwargs.values()))
        return super().call(context, obj, *args, **kwargs)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        made = super().wrap_str_format(value)
        if made is not None:
            self._spend_on("format", (value.__self__,))
        return made

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "**" and isinstance(left, int) and isinstance(right, int):
            self.spend(abs(left).bit_length() * max(right, 1))
        elif operator == "%" and isinstance(left, str):
            self._spend_on("format", (left, right))
        elif operator == "*" and isinstance(left, int) and isinstance(right, int):
            self.spend(left.bit_length() + right.bit_length())
        else:
            self.spend(_size(left) * max(_size(right), abs(right) if isinstance(right, int) else 0))
            if isinstance(left, int):
                self.spend(abs(left) * _size(right))
        return super().call_binop(context, operator, left, right)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Counting().visit(super()._parse(source, name, filename))
        tree.set_environment(self)
        return tree

    def _written(self, value: Any) -> Any:
        self.spend(_size(value))
        return value

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.spend()
            yield item

    def _bounded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def bounded(*args: Any, **kwargs: Any) -> Any:
            self._spend_on(function.__name__, (*args, *kwargs.values()))
            return function(*args, **kwargs)

        return bounded

    def _spend_on(self, name: str, values: tuple[Any, ...]) -> None:
        """Counts a call: what it makes is not larger than the product of its two largest values."""
        sizes = sorted((max(_size(one), _magnitude(one)) for one in values), reverse=True)
        wide = "format" in name and any(isinstance(one, str) and _WIDTHS.search(one) for one in values)
        self.spend(math.inf if wide else math.prod(sizes[:2]))


class _Counting(NodeTransformer):
    """Makes loops and joined texts calls of filters, which count them."""

    def visit_For(self, node: nodes.For) -> nodes.For:
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "counted", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "joined", [], [], None, None, lineno=node.lineno)


@pass_eval_context
def _joined(context: EvalContext, parts: list[Any]) -> str:
    return markup_join(parts) if context.autoescape else str_join(parts)


def _size(value: Any) -> int:
    """The characters of a text, the items of collections with those inside them, the digits of a number."""
    size, stack = 0, [value]
    while stack and size <= LARGEST:
        one = stack.pop()
        if isinstance(one, str | bytes | range):
            size += len(one)
        elif isinstance(one, int):
            size += ITEM + one.bit_length() // 3
        else:
            size += ITEM
            stack += one if isinstance(one, list | tuple | set | frozenset) else ()
            stack += [*one, *one.values()] if isinstance(one, dict) else ()
    return size


def _magnitude(value: Any) -> float:
    return abs(value) if isinstance(value, int | float) else 1
