"""Changes of one expression: every operator, number, name and fold replaced with others that may make sense there.

Whether a change makes sense is not decided here. The checks of the spec reject those that do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rulespec.language.expr import tree
from rulespec.language.expr.parser import ExpressionError, parse, parse_domain
from rulespec.language.model.spec import Spec
from rulespec.language.model.types import Type

MOST_NAMES = 2
"""Names that replace one name, at most. With all of them, mutants of long enums would outnumber the others."""

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
ARITHMETIC: Mapping[str, tuple[str, ...]] = {"+": ("-",), "-": ("+",), "*": ("+",), "//": ("*", "%"), "%": ("//",)}
FUNCTIONS: Mapping[str, str] = {"min": "max", "max": "min", "left_of": "right_of", "right_of": "left_of"}
FOLDS: Mapping[str, tuple[str, ...]] = {
    "sum": ("max", "min"),
    "min": ("max", "sum"),
    "max": ("min", "sum"),
    "count": ("any",),
    "any": ("all", "count"),
    "all": ("any",),
    "highest": ("lowest",),
    "lowest": ("highest",),
}


class Change(NamedTuple):
    """Replaces `text[start:end]` of an expression with `new`."""

    kind: str
    start: int
    end: int
    new: str


Key = tuple[str, ...]
"""What the names of a group have in common: their kind (value, zone, table, member, answer), then labels of types."""


@dataclass(frozen=True)
class Vocabulary:
    """The names of a spec in groups: names of one group may stand for each other. `keys` holds the group of a name."""

    groups: Mapping[Key, tuple[str, ...]]
    keys: Mapping[str, Key]
    fields: Mapping[str, tuple[str, ...]]

    def others(self, name: str, scope: Mapping[str, str]) -> tuple[str, Iterator[str]]:
        """The kind of a name, and the names that may replace it. `scope` maps variables to labels of their types."""
        # A variable and a plain value of its type may stand for each other: `p` and `adviser`.
        key = ("value", scope[name]) if name in scope else self.keys.get(name, ("",))
        group = self.groups.get(key, ())
        if key[0] == "value" and len(key) == 2:
            group = (*(v for v in scope if scope[v] == key[1]), *group)
        return "variable" if name in scope else key[0], _after(name, group)


def _after(name: str, group: tuple[str, ...]) -> Iterator[str]:
    """The names that follow a name in a group, from the first one again after the last."""
    at = group.index(name) if name in group else -1
    around = dict.fromkeys(other for other in (*group[at + 1 :], *group[: at + 1]) if other != name)
    yield from list(around)[:MOST_NAMES]


def vocabulary(spec: Spec) -> Vocabulary:
    """The names of a sealed spec."""
    groups: dict[Key, list[str]] = {}
    for value in spec.values.values():
        groups.setdefault(("value", *(_label(i.type) for i in value.per), _label(value.type)), []).append(value.name)
    for zone in spec.zones.values():
        groups.setdefault(("zone", *map(_label, zone.per)), []).append(zone.name)
    for table in spec.tables.values():
        groups.setdefault(("table", *map(_label, table.by), _label(table.type)), []).append(table.name)
    for enum in spec.enums.values():
        groups.setdefault(("member", enum.name), []).extend(enum.members)
    for ruling in spec.rulings.values():
        groups.setdefault(("answer", ruling.id), []).extend(ruling.options)
    keys = {name: key for key, names in groups.items() for name in names}
    fields = {
        name: tuple(other for other, known in spec.deck.fields.items() if _label(known) == _label(type_))
        for name, type_ in spec.deck.fields.items()
    }
    return Vocabulary({key: tuple(names) for key, names in groups.items()}, keys, fields)


def _label(type_: Type) -> str:
    return type_.name or type_.kind


def changes(text: str, known: Vocabulary, scope: Mapping[str, str], domain: bool = False) -> Iterator[Change]:
    """All changes of an expression, or of a domain. None for a text that is neither."""
    try:
        root = parse_domain(text) if domain else parse(text)
    except ExpressionError:
        return
    found = dict.fromkeys(change for node, inner in _walk(root, scope) for change in _of(node, text, known, inner))
    yield from (change for change in found if text[change.start : change.end] != change.new)


def negated(text: str) -> Iterator[Change]:
    """A condition negated; one that is negated already, without its negation."""
    if text.startswith("not ") and " or " not in text and " and " not in text:
        yield Change("negation", 0, 4, "")
    else:
        yield Change("negation", 0, len(text), f"not ({text})")


def _walk(node: tree.Node, scope: Mapping[str, str]) -> Iterator[tuple[tree.Node, Mapping[str, str]]]:
    """Every node with its scope, in which folds bind their variables."""
    yield node, scope
    if isinstance(node, tree.Fold):
        over = node.domain.base if isinstance(node.domain, tree.RingExpr) else node.domain
        scope = {**scope, node.variable.name: over.name if isinstance(over, tree.Name) else "other"}
    for below in tree.children(node):
        if not (isinstance(node, tree.Fold) and below is node.variable):
            yield from _walk(below, scope)


def _of(node: tree.Node, text: str, known: Vocabulary, scope: Mapping[str, str]) -> Iterator[Change]:
    if isinstance(node, tree.Number):
        for new in (node.value + 1, node.value - 1):
            yield _token("number", text, str(node.value), node.start, str(new))
    elif isinstance(node, tree.Name):
        yield from _name(node, text, known, scope)
    elif isinstance(node, tree.Attribute):
        for other in _after(node.name, known.fields.get(node.name, ())):
            yield _token("field", text, node.name, node.base.end, other)
    elif isinstance(node, tree.Binary):
        yield from _binary(node, text)
    elif isinstance(node, tree.Unary):
        at = text.index(node.operator, node.start)
        yield Change("negation", at, node.operand.start, "")
    elif isinstance(node, tree.Conditional):
        then, otherwise = text[node.then.start : node.then.end], text[node.otherwise.start : node.otherwise.end]
        between = text[node.then.end : node.otherwise.start]
        yield Change("branches", node.then.start, node.otherwise.end, otherwise + between + then)
    elif isinstance(node, tree.Call):
        if node.function in FUNCTIONS:
            kind = "extremum" if node.function in ("min", "max") else "neighbour"
            yield _token(kind, text, node.function, node.start, FUNCTIONS[node.function])
    elif isinstance(node, tree.RingExpr):
        yield Change("start", node.base.end, node.end, "")
    elif isinstance(node, tree.Fold):
        yield from _fold(node, text)


def _token(kind: str, text: str, token: str, start: int, new: str) -> Change:
    """Replaces the first occurrence of a token from `start` on. A node in parentheses begins with them."""
    at = text.index(token, start)
    return Change(kind, at, at + len(token), new)


_TRUTH = {"true": "false", "false": "true"}


def _name(node: tree.Name, text: str, known: Vocabulary, scope: Mapping[str, str]) -> Iterator[Change]:
    if node.name in _TRUTH:
        yield _token("truth", text, node.name, node.start, _TRUTH[node.name])
        return
    kind, others = known.others(node.name, scope)
    for other in others:
        yield _token(kind, text, node.name, node.start, other)


def _binary(node: tree.Binary, text: str) -> Iterator[Change]:
    at = text.index(node.operator, node.left.end)
    if node.operator in COMPARISONS:
        for other in COMPARISONS:
            yield Change("comparison", at, at + len(node.operator), other)
    elif node.operator in ("and", "or"):
        yield Change("junction", at, at + len(node.operator), "or" if node.operator == "and" else "and")
        yield Change("condition", node.left.start, node.right.start, "")
        yield Change("condition", node.left.end, node.right.end, "")
    else:
        for other in ARITHMETIC.get(node.operator, ()):
            yield Change("arithmetic", at, at + len(node.operator), other)
        yield Change("operand", node.left.end, node.right.end, "")


def _fold(node: tree.Fold, text: str) -> Iterator[Change]:
    for other in FOLDS.get(node.function, ()):
        yield _token("fold", text, node.function, node.start, other)
    if node.condition is not None:
        condition = text[node.condition.start : node.condition.end]
        before = node.body if node.by and node.body is not None else node.domain
        yield Change("condition", before.end, node.condition.end, "")
        yield Change("negation", node.condition.start, node.condition.end, f"not ({condition})")
