"""The keys of a construct, declared where its fields are: each with the shape of its value, and with what reads it.

A field of a construct is declared by one of these functions, such as `by: TExpr = expression("by", PLAYER)`. The schema
of the format and the reading of a construct are made of the declarations (`schema`, `StepReader.read`). What is said of
a key in messages and editors stands in the published schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rulespec.language.model.nodes import scalar
from rulespec.language.model.types import BOOL, Type

Reading = Callable[[Any, Any, Any], Any]
"""What reads the value of a key: a function of the reader of steps (`StepReader`), the node or None, and the scope."""

Schema = dict[str, Any]

VARIABLE, DISPLAYED, ADDED, GATE = "variable", "displayed", "added", "gate"
"""What a field is in the canonical form of a construct (`proofs/meaning/canonical.py`): a name, which the form leaves
out; what is only displayed or follows from other fields, no part of it; a key that was added after texts had been
confirmed without it, no part of it where it is absent; a condition that decides whether the construct applies."""


@dataclass(frozen=True)
class Key:
    """A key of a construct: the shape of its value, and what reads it; None if only the construct itself can.

    `shared` keys stand next to several constructs, of which one has their shape. `beside` is the key that it stands
    beside. `ways` are those of several keys that exclude each other with which it goes; without them it goes with all,
    or with the one it stands beside.
    """

    name: str
    schema: Schema
    optional: bool = False
    read: Reading | None = None
    shared: bool = False
    beside: str = ""
    ways: tuple[str, ...] = ()


@dataclass(frozen=True)
class Head:
    """What holds of the keys of a construct together: a part of a step also has the `common` keys of rules. `least` are
    keys of which one must be there, and none goes with another; `needs` are those that one of them needs."""

    common: tuple[str, ...] = ("id", "origin", "title", "only_if")
    least: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def head_of(construct: type) -> Head:
    """What holds of the keys of a construct together."""
    head: Head = vars(construct).get("head", Head())
    return head


def keys_of(construct: type) -> Iterator[Key]:
    """The keys of a construct: those of its fields, and those that only its class has, in the order of the class."""
    declared = {item.name: item.metadata["key"] for item in fields(construct) if "key" in item.metadata}
    declared |= {name: value for name, value in vars(construct).items() if isinstance(value, Key)}
    written = [name for name in (*construct.__annotations__, *declared) if name in declared]
    return iter({declared[name].name: declared[name] for name in written}.values())


def names(construct: type) -> Iterator[str]:
    """The names of the keys of a construct."""
    return (key.name for key in keys_of(construct))


def variables(construct: type) -> Iterator[Key]:
    """The keys of a construct that name variables."""
    named = (item.metadata for item in fields(construct) if VARIABLE in item.metadata.get("form", ()))
    return (one["key"] for one in named if "key" in one)


def is_flat(construct: type) -> bool:
    """Whether the keys of a step stand beside its own, not in a mapping below it."""
    return any(key.name == vars(construct)["key"] for key in keys_of(construct))


# --- keys without a field ---------------------------------------------------------------------------------------------


def key(
    name: str,
    schema: Schema | str,
    *,
    beside: str = "",
    ways: str = "",
    optional: bool = False,
    read: Reading | None = None,
) -> Key:
    """A key with a shape, or with a named one of the schema."""
    own = _reference(schema) if isinstance(schema, str) else schema
    return Key(name, own, optional, read, beside=beside, ways=tuple(ways.split()))


def settled(name: str, word: str) -> Key:
    """A question that has only one answer so far, which a spec still gives."""
    return key(name, {"enum": [word]})


# --- fields -----------------------------------------------------------------------------------------------------------


def custom(name: str, schema: Schema | str, form: tuple[str, ...] = (), **more: Any) -> Any:
    """A field whose key has a shape of its own, or a named one; the construct reads it, unless `read` does. A `default`
    is what the field is where steps are written out."""
    default = {"default": more.pop("default")} if "default" in more else {}
    return field(**default, metadata={"key": key(name, schema, **more), "form": form})


def variable(name: str, schema: Schema | str, **more: Any) -> Any:
    """A field with the name of a variable that the construct binds, or several of them."""
    return custom(name, schema, **{"form": (VARIABLE,), **more})


def aside(form: tuple[str, ...] = (DISPLAYED,), **default: Any) -> Any:
    """A field without a key of its own."""
    return field(**default, metadata={"form": form})


def shared(name: str) -> Any:
    """A field whose key has its shape from another construct."""
    return field(metadata={"key": Key(name, {}, shared=True)})


def expression(name: str, wanted: Type | None = None, **more: Any) -> Any:
    """An expression, of a type if it must have one."""

    def read(steps: Any, node: Any, scope: Any) -> Any:
        return steps.reader.expr(node, scope, wanted) if node is not None or not more.get("optional") else None

    return custom(name, "expression", read=read, **more)


def condition(name: str, **more: Any) -> Any:
    """A condition, which may be left out if it is optional."""
    return expression(name, BOOL, **{"form": (GATE,), **more})


def number(name: str, least: int | None = None, **more: Any) -> Any:
    """An expression for a number that is never below `least`."""

    def read(steps: Any, node: Any, scope: Any) -> Any:
        return steps.reader.number(node, scope, least) if node is not None or not more.get("optional") else None

    return custom(name, "expression", read=read, **more)


def zone(name: str, **more: Any) -> Any:
    """A zone."""
    return custom(name, "place", read=lambda steps, node, scope: steps.reader.zone(node, scope), **more)


def body(name: str, **more: Any) -> Any:
    """Steps; none if the key is left out."""
    return custom(name, "body", read=lambda steps, node, scope: steps.body(node, scope), **more)


def words(name: str, choices: str, **more: Any) -> Any:
    """One of several words; "" if the key is left out."""
    schema = {"enum": choices.split()}
    return custom(name, schema, read=lambda _, node, __: scalar(node).text if node is not None else "", **more)


def constructs(name: str, of: str, **more: Any) -> Any:
    """A list of parts of a construct, each with a shape of its own."""
    return custom(name, {"type": "array", "minItems": 1, "items": _reference(of)}, **more)


# --- shapes -----------------------------------------------------------------------------------------------------------


def either(word: str) -> Schema:
    """A word, or steps."""
    shape = {"if": {"type": "string"}, "then": {"enum": [word]}, "else": _reference("body")}
    return {"type": ["string", "array", "object"], **shape}


def mapping_of(names: bool = False) -> Schema:
    """A mapping to expressions, from new names or from anything."""
    keys = {"propertyNames": _reference("name")} if names else {}
    return {"type": "object", "minProperties": 1, **keys, "additionalProperties": _reference("expression")}


def mapping(*keys: Key, **more: Any) -> Schema:
    """A mapping with some keys. `more` is added to the schema."""
    required = [key.name for key in keys if not key.optional]
    properties = {key.name: key.schema for key in keys}
    needed = {"required": required} if required else {}
    return {"type": "object", **needed, "additionalProperties": False, "properties": properties, **more}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}
