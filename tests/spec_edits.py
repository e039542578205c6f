"""Edits of a spec's YAML text: every place that may change the game, changed in every way that may make sense.

The JSON Schema says what each value is: an expression, a zone, a number, one of several words. `VALUES` and `STRUCTURE`
list what is done to each. Nothing here decides whether the result is a game; the checks do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from spec_expressions import Change, Vocabulary, changes, negated

from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.schema.validate import text as schema_text

SCHEMA = json.loads(schema_text("rulespec-2"))

IGNORED = frozenset({"states", "invariants", "claims", "totals", "names", "sources", "source", "status", "silent"})
IGNORED |= frozenset({"title", "note", "says", "question", "version", "components", "rulespec", "id"})
"""Keys whose values do not affect play."""

NOTED = frozenset({"id", "title", "note", "origin", "only_if"})
"""The keys of a rule without steps."""

CONDITIONS = frozenset({"if", "if_after", "while", "until", "when", "where", "only_if", "in_play"})
BINDING = frozenset({"each", "random", "pick", "bidders", "who", "among", "with", "per"})


@dataclass(frozen=True)
class Splice:
    """Replaces `text[start:end]` of the file with `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Edit:
    """One edit of a file. `scalar` is the node that changes, with its new text; None if the structure changes.

    `reshaped` says that the result may not be valid by the schema.
    """

    kind: str
    rule: str
    description: str
    splices: tuple[Splice, ...]
    scalar: tuple[tuple[int, ...], str] | None = None
    reshaped: bool = False


@dataclass(frozen=True)
class Place:
    """Where a node is: its keys and list positions, the indices that lead to it, the rule and the variables around."""

    known: Vocabulary
    keys: tuple[str, ...] = ()
    indices: tuple[int, ...] = ()
    rule: str = ""
    scope: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The innermost key."""
        return next((key for key in reversed(self.keys) if not key.isdecimal()), "")

    def __str__(self) -> str:
        return ".".join(self.keys)

    def below(self, key: str, index: int) -> Place:
        return replace(self, keys=(*self.keys, key), indices=(*self.indices, index))


def edits(root: Node, known: Vocabulary) -> Iterator[Edit]:
    """All edits of a spec, in the order of the file."""
    yield from _edits(root, SCHEMA, "", Place(known))


# --- the walk ---------------------------------------------------------------------------------------------------------


def _edits(node: Node, schema: Any, name: str, place: Place) -> Iterator[Edit]:
    """The edits of a node and all below. `name` is the last definition of the schema that the node refers to."""
    name, schema = _resolved(node, schema, name)
    if isinstance(node, Scalar):
        yield from _scalar(node, schema, name, place)
        return
    place = _entered(node, place)
    yield from STRUCTURE[name](node, place) if name in STRUCTURE else ()
    if isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from _edits(item, schema.get("items", {}), name, place.below(str(index), index))
        return
    yield from _keys(node, place)
    for index, (key, value) in enumerate(node.entries):
        if key.text not in IGNORED and not (place.keys == ("game",) and key.text != "players"):
            inner = schema.get("properties", {}).get(key.text) or schema.get("additionalProperties") or {}
            yield from _edits(value, inner, key.text, place.below(key.text, index))


def _resolved(node: Node, schema: Any, name: str) -> tuple[str, Any]:
    kind = "array" if isinstance(node, Sequence) else "object" if isinstance(node, MapNode) else "string"
    while True:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = SCHEMA["$defs"][name]
        elif schema.get("if", {}).keys() == {"type"} and kind == schema["if"]["type"]:
            schema = schema.get("then", {})
        elif schema.get("if", {}).keys() == {"type"} and "else" in schema:
            schema = schema["else"]
        else:
            return name, schema


def _entered(node: MapNode | Sequence, place: Place) -> Place:
    """The place with the rule and the variables of a mapping."""
    if isinstance(node, Sequence):
        return place
    scope, id_ = dict(place.scope), node.get("id") if place.keys != ("game",) else None
    for key, value in node.entries:
        if key.text in BINDING and isinstance(value, MapNode):
            scope |= {name.text: _label(domain) for name, domain in value.entries}
        elif key.text == "auction":
            scope |= {"winner": "player", "price": "int"}
        elif key.text == "every" or (key.text == "limit" and node.get("to") is not None):
            scope["card" if key.text == "limit" else _text(value)] = "card"
    return replace(place, scope=scope, rule=_text(id_) if id_ is not None else place.rule)


def _label(domain: Node) -> str:
    text = _text(domain).removesuffix("?")
    return "int" if ".." in text else text if text.isidentifier() else "card"


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


# --- values -----------------------------------------------------------------------------------------------------------


def _scalar(node: Scalar, schema: Any, name: str, place: Place) -> Iterator[Edit]:
    if "enum" in schema:
        others = [str(other) for other in schema["enum"] if other != node.value]
        found: Iterator[Change] = (Change(place.key, 0, len(node.text), other) for other in others)
    else:
        name = "scalar" if "manifest" in place.keys and place.key != "copies" else name
        found = VALUES[name](node.text, place) if name in VALUES else iter(())
    for change in found:
        yield _of_scalar(node, change, place)


def _of_scalar(node: Scalar, change: Change, place: Place, key: bool = False) -> Edit:
    new = node.text[: change.start] + change.new + node.text[change.end :]
    span = node.value_span(change.start, change.end)
    shown = f"{place}: {node.text} → {new}"
    scalar = None if key else (place.indices, new)
    return Edit(change.kind, place.rule, shown, (Splice(span.start, span.end, change.new),), scalar)


def _expression(text: str, place: Place) -> Iterator[Change]:
    yield from changes(text, place.known, place.scope)
    if place.key in CONDITIONS:
        yield from negated(text)


def _domain(text: str, place: Place) -> Iterator[Change]:
    yield from changes(text, place.known, place.scope, domain=True)


_NUMBER = re.compile(r"-?[0-9]+")


def _numbers(kind: str) -> Callable[[str, Place], Iterator[Change]]:
    """Every number one higher and one lower."""

    def change(text: str, place: Place) -> Iterator[Change]:
        for found in _NUMBER.finditer(text):
            for new in (int(found[0]) + 1, int(found[0]) - 1):
                yield Change(kind, *found.span(), str(new))

    return change


def _type(text: str, place: Place) -> Iterator[Change]:
    """The bounds of a parameter or a value, which may bound what can be picked; those of fields bound nothing."""
    if place.keys[0] in ("procedures", "values"):
        yield from _numbers("type")(text, place)


def _cell(text: str, place: Place) -> Iterator[Change]:
    """A cell of a table or of the manifest: a number, a range, a member, or true or false."""
    kind = "cell" if "tables" in place.keys else "card"
    yield from _numbers(kind)(text, place)
    for change in changes(text, place.known, {}) if text.isidentifier() else ():
        yield change._replace(kind=kind)


VALUES: Mapping[str, Callable[[str, Place], Iterator[Change]]] = {
    "expression": _expression,
    "place": _expression,
    "domain": _domain,
    "type": _type,
    "players": _numbers("players"),
    "whole": _numbers("number"),
    "copies": _numbers("copies"),
    "scalar": _cell,
}
"""What is done to a value, by the definition of the schema that it refers to, or by its key."""


# --- structure --------------------------------------------------------------------------------------------------------


def _written(node: Node) -> str:
    return node.source.text[node.span.start : node.span.end]


def _swap(kind: str, one: Node, two: Node, place: Place) -> Edit:
    splices = Splice(*_range(one), _written(two)), Splice(*_range(two), _written(one))
    return Edit(kind, place.rule, f"{place}: swap {_short(one)} and {_short(two)}", splices)


def _range(node: Node) -> tuple[int, int]:
    return node.span.start, node.span.end


def _short(node: Node) -> str:
    words = " ".join(_written(node).split())
    return words if len(words) <= 60 else words[:57] + "…"


def _rename(kind: str, key: Scalar, new: str, place: Place) -> Edit:
    return Edit(kind, place.rule, f"{place}: {key.text} → {new}", (Splice(*_range(key), new),))


def _without(kind: str, nodes: list[tuple[Node, Node]], index: int, place: Place) -> Edit:
    """Removes an item or entry, given by its first and its last node, with what separates it from the others."""
    first, last = nodes[index]
    if index + 1 < len(nodes):
        cut = first.span.start, nodes[index + 1][0].span.start
    else:
        cut = nodes[index - 1][1].span.end, last.span.end
    return Edit(kind, place.rule, f"{place}: without {_short(first)} {_short(last)}", (Splice(*cut, ""),))


def _is_note(node: Node) -> bool:
    return isinstance(node, MapNode) and {key.text for key, _ in node.entries} <= NOTED


def _steps(node: MapNode | Sequence, place: Place) -> Iterator[Edit]:
    """Adjacent steps swapped; steps left out. A rule stays as a note, so that its id remains.

    A note plays no part at any place, so it is not swapped.
    """
    if not isinstance(node, Sequence):
        return
    for one, two in pairwise(node.items):
        if not (_is_note(one) or _is_note(two)):
            yield _swap("order of steps", one, two, place)
    for index, item in enumerate(node.items):
        id_ = item.get("id") if isinstance(item, MapNode) else None
        if id_ is not None:
            note = f"{{id: {_text(id_)}, note: Nothing happens.}}"
            yield Edit("step", _text(id_), f"{place}: without {_short(item)}", (Splice(*_range(item), note),))
        elif len(node.items) > 1:
            yield _without("step", [(i, i) for i in node.items], index, place)


def _ordered(kind: str) -> Callable[[MapNode | Sequence, Place], Iterator[Edit]]:
    """Adjacent items swapped, the whole list reversed, single items left out."""

    def found(node: MapNode | Sequence, place: Place) -> Iterator[Edit]:
        if not isinstance(node, Sequence):
            return
        for one, two in pairwise(node.items):
            yield _swap(kind, one, two, place)
        if len(node.items) > 2:
            pairs = zip(node.items, reversed(node.items), strict=True)
            splices = tuple(Splice(*_range(item), _written(other)) for item, other in pairs)
            yield Edit(f"reversed {kind}", place.rule, f"{place}: reversed", splices)
        for index in range(len(node.items)) if len(node.items) > 1 else ():
            yield _without(f"dropped {kind}", [(i, i) for i in node.items], index, place)

    return found


def _prizes(node: MapNode | Sequence, place: Place) -> Iterator[Edit]:
    """The places of an award in another order. Those of a draft have none."""
    if "award" in place.keys:
        yield from _ordered("prize")(node, place)


def _face(node: MapNode | Sequence, place: Place) -> Iterator[Edit]:
    """A field that is not on the face. The order of the others does not matter."""
    if isinstance(node, Sequence) and len(node.items) > 1:
        for index in range(len(node.items)):
            yield _without("dropped face", [(i, i) for i in node.items], index, place)


def _decide(node: MapNode | Sequence, place: Place) -> Iterator[Edit]:
    """The rows of a decision table in another order, where the first one that matches applies."""
    assert isinstance(node, MapNode)
    rows, hit = node.get("rows"), node.get("hit")
    if isinstance(rows, Sequence) and hit is not None and _text(hit) == "first":
        yield from _ordered("row")(rows, place.below("rows", 0))


def _ruling(node: MapNode | Sequence, place: Place) -> Iterator[Edit]:
    """Another option as the default."""
    assert isinstance(node, MapNode)
    answer, others = node.get("answer"), node.get("or")
    for other in others.items if isinstance(others, Sequence) and answer is not None else ():
        yield _swap("default", answer, other, place)


def _zone_order(node: MapNode | Sequence, place: Place) -> Iterator[Edit]:
    assert isinstance(node, MapNode)
    if node.get("order") is None:
        first = node.entries[0][0]
        flow = node.source.text[node.span.start] == "{"
        column = node.source.position(first.span.start).column - 1
        new = "order: stack" + (", " if flow else "\n" + " " * column)
        splice = Splice(first.span.start, first.span.start, new)
        yield Edit("order", place.rule, f"{place}: as a stack", (splice,))


STRUCTURE: Mapping[str, Callable[[MapNode | Sequence, Place], Iterator[Edit]]] = {
    "body": _steps,
    "criteria": _ordered("criterion"),
    "decide": _decide,
    "places": _prizes,
    "members": _ordered("member"),
    "face": _face,
    "manifest": _ordered("manifest row"),
    "ruling": _ruling,
    "zone": _zone_order,
}
"""What is done to a list or mapping, by the definition of the schema or the key."""

RENAMED: tuple[tuple[str, str, str], ...] = (
    ("criterion", "high", "low"),
    ("draw", "top", "random"),
    ("repeat", "while", "until"),
)
"""The kind of edit, and two keys of which each may stand for the other."""

SWAPPED: tuple[tuple[str, str, str], ...] = (("direction", "from", "to"), ("branches", "then", "else"))
"""The kind of edit, and two keys whose values are swapped."""

DROPPED: Mapping[str, str] = {
    **dict.fromkeys(("if", "only_if", "where", "in_play", "while", "until"), "condition"),
    **dict.fromkeys(("from", "but", "at_most", "none", "worth", "else", "order", "before", "leave_out"), "dropped key"),
}
"""The kind of edit for every key that may be left out."""


def _keys(node: MapNode, place: Place) -> Iterator[Edit]:
    """Keys renamed, left out, or with their values swapped; targets of `set` replaced."""
    for kind, one, two in RENAMED:
        for old, new in ((one, two), (two, one)):
            key = node.key(old)
            if key is not None and node.key(new) is None:
                yield _rename(kind, key, new, place)
    for kind, one, two in SWAPPED:
        left, right = node.get(one), node.get(two)
        if left is not None and right is not None:
            yield _swap(kind, left, right, place)
    for index, (key, _) in enumerate(node.entries):
        if key.text in DROPPED and len(node.entries) > 1:
            yield replace(_without(DROPPED[key.text], list(node.entries), index, place), reshaped=True)
        if place.key == "set":
            for change in changes(key.text, place.known, place.scope):
                yield _of_scalar(key, change._replace(kind=f"target {change.kind}"), place, key=True)
