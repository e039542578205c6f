"""The path of keys to a place of a document. It stays the same when lines are added above."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Position
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence

_YAML = (".yaml", ".yml")


def path_at(source: Source, place: Position) -> str:
    """The keys that lead to a place of a YAML file, such as `play[turns].do[0].move`; "" in other files. An item of a
    list is named by its id if it has one, else by its number."""
    root = parse(source)[0] if source.path.endswith(_YAML) else None
    if root is None or place.line > source.line_count:
        return ""
    return "".join(_steps(root, source.line_start(place.line) + place.column - 1)).lstrip(".")


def _steps(node: Node, offset: int) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, value in node.entries:
            if key.span.start <= offset < max(key.span.end, value.span.end):
                yield f".{key.text}"
                yield from _steps(value, offset)
                return
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            if item.span.start <= offset < item.span.end:
                id_ = item.get("id") if isinstance(item, Mapping) else None
                yield f"[{(id_.text if isinstance(id_, Scalar) else '') or number}]"
                yield from _steps(item, offset)
                return
