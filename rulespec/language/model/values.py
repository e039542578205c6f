"""Values: stored ones with a start, and derived ones, which may depend on each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.expr.parser import ExpressionError, parse
from rulespec.language.expr.tree import free_names
from rulespec.language.model import positions, sights
from rulespec.language.model.cycles import arrange
from rulespec.language.model.declarations import Index, StoredValue
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.measure import measure
from rulespec.language.model.names import ValueShape
from rulespec.language.model.nodes import Broken, mapping, scalar, text
from rulespec.language.model.reader import FAILED, Reader
from rulespec.language.model.sight import OPEN, Sight
from rulespec.language.model.typed import Const, TExpr
from rulespec.language.model.types import CARD, NONE, Type, describe
from rulespec.language.model.zones import indices, one_for_each

MOST_CELLS = 20_000
"""Cells of one value over all its indices, at most. A state copies all cells whenever it is cloned."""


def shape(reader: Reader, node: Node) -> ValueShape:
    """The shape of a value, which is read before all names are known."""
    inner = mapping(node)
    index = tuple(Index(name.text, index_type(reader, per)) for name, per in indices(inner.get("per")))
    few_cells(reader, index, inner.get("per") or node)
    remembers = inner.get("repeats") is not None
    derived = remembers or inner.get("is") is not None
    type_ = None if derived else reader.type(inner.get("type"))
    return ValueShape(index, type_, derived, remembers or _bounded(reader, inner, type_), remembers=remembers)


def few_cells(reader: Reader, index: tuple[Index, ...], node: Node) -> None:
    """Raises Broken after a finding if a value with these indices has too many cells."""
    if prod(reader.names.extent(i.type) for i in index) > MOST_CELLS:
        message = say("This value has more than {most_cells:,} cells.", most_cells=MOST_CELLS)
        reader.refuse("too-many-cells", message, node, say("Use fewer indices, or smaller ones."))


def _bounded(reader: Reader, node: MapNode, type_: Type | None) -> bool:
    """Whether a value says what happens beyond the bounds of its type, which must be present numbers."""
    beyond = node.get("beyond")
    if beyond is not None and type_ is not None and (type_.kind != "int" or type_.optional):
        message = say("`beyond` needs a range of numbers as the type, not {type}.", type=describe(type_))
        reader.report("type-mismatch", message, beyond, say("Delete it, or write a type such as `0..99`."))
    return beyond is not None


def index_type(reader: Reader, node: Node) -> Type:
    """The type of an index: players, an enum, or the cards."""
    return CARD if text(node) == "card" else one_for_each(reader, node)


def definitions(reader: Reader, nodes: Mapping[str, Node]) -> dict[str, TExpr]:
    """All derived values, each read after those it depends on. A cycle is reported once, where it closes."""
    shapes = reader.names.values
    derived = {name: mapping(node) for name, node in nodes.items() if (known := shapes[name]) and known.derived}
    uses = {name: list(_uses(reader, name, node)) for name, node in derived.items()}
    order, cycles = arrange({name: [use for use, _ in used] for name, used in uses.items()})
    for cycle in cycles:
        where = next(span for used, span in uses[cycle[-1]] if used == cycle[0])
        message = say("This value depends on itself: {names}.", names=" → ".join([*cycle, cycle[0]]))
        reader.report("circular-value", message, where, say("Take one of these values out of the cycle."))
    # A broken shape: uses of a value in a cycle are no mistakes of their own.
    for name in {name for cycle in cycles for name in cycle}:
        shapes[name] = None
    return {
        name: definition for name in order if (definition := _definition(reader, name, derived[name])) is not FAILED
    }


def _uses(reader: Reader, name: str, node: MapNode) -> Iterator[tuple[str, Span]]:
    """The names that a definition uses, without its own indices, with their places."""
    known = reader.names.values[name]
    if known is not None and known.remembers:
        yield from ((one.text, one.span) for one in reader.attempt(lambda: [*positions.belonging(node)]) or ())
    own = {index.name for index in known.index} if known else set()
    definition = node.get("is")
    if isinstance(definition, Scalar):
        try:
            names = (used for used in free_names(parse(definition.text)) if used.name not in own)
            yield from ((used.name, definition.value_span(used.start, used.end)) for used in names)
        except ExpressionError:
            return  # reported where the definition is read


def _definition(reader: Reader, name: str, node: MapNode) -> TExpr:
    known = reader.names.values[name]
    scope = _scope(reader, node, known.index) if known else None
    found = reader.attempt(_read, reader, name, node, scope) if scope is not None else None
    if found is None or found is FAILED:
        reader.names.broken = True
        return FAILED
    if found.type.kind == "none":
        reader.report("type-mismatch", say("This value is always `none`."), scalar(node.get("is")))
        return FAILED
    size, cost, depth = measure(found, reader.names)
    reader.names.type_value(name, type=found.type, size=size, cost=cost, depth=depth)
    return found


def _read(reader: Reader, name: str, node: MapNode, scope: Locals) -> TExpr:
    """A definition: an expression, or the count of repeated positions."""
    written = node.get("is")
    return reader.expr(written, scope) if written is not None else positions.definition(reader, name, node)


def _scope(reader: Reader, node: MapNode, index: tuple[Index, ...]) -> dict[str, Type | None] | None:
    """The names of the indices inside a definition; None if one of them is taken."""
    scope: dict[str, Type | None] = {}
    for (name, per), declared in zip(indices(node.get("per")), index, strict=True):
        if not reader.local(name, scope, text(per)):
            return None
        scope[name.text] = declared.type
    return scope


def sealed(reader: Reader, key: Scalar, node: Node, definition: TExpr | None) -> StoredValue:
    """The sealed value, once all names are known."""
    inner, known = mapping(node), reader.names.values[key.text]
    if known is None or known.type is None:
        raise Broken
    start = None if known.derived else _start(reader, key, inner, known.index, known.type)
    title = text(inner.get("title")) if inner.get("title") else ""
    sight = _sight(reader, key, inner, known.index)
    return StoredValue(key.text, title, known.index, known.type, start, definition, key.span, sight, known.bounded)


def _sight(reader: Reader, key: Scalar, node: MapNode, index: tuple[Index, ...]) -> Sight:
    """Who sees a stored value: everybody, unless it says otherwise."""
    written = node.get("seen_by")
    if written is None:
        return OPEN
    types = [one.type for one in index]
    if CARD in types:
        message = say("A value of cards is seen by those who see the card.")
        reader.report("no-owner", message, node.key("seen_by") or written, say("Delete `seen_by:`, or use a zone."))
    return sights.sight(reader, written, key, types, list(indices(node.get("per"))))


def _start(reader: Reader, key: Scalar, node: MapNode, index: tuple[Index, ...], type_: Type) -> TExpr:
    """What a value holds before the game begins, perhaps by its indices."""
    if node.get("start") is not None:
        named = isinstance(node.get("per"), MapNode)
        scope = _scope(reader, node, index) if named else {}
        return reader.fixed(node.get("start"), scope or {}, type_, tuple(scope or ()))
    if not type_.optional:
        hint = say("Add `start:`, or make the type optional with `?`.")
        reader.report("no-start", say("`{key}` has no start.", key=key.text), key, hint)
    return Const(type_, NONE)
