"""The keys of a construct, declared where its fields are: each with its schema, and with what reads its value.

A field of a construct is declared by one of these functions, such as `by: TExpr = expression("by", …, wanted=PLAYER)`.
The schema of the format and the reading of a construct are made of the declarations (`schema`, `StepReader.read`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rulespec.language.model.types import BOOL, Type

Reading = Callable[[Any, Any, Any], Any]
"""What reads the value of a key: a function of the reader of steps (`StepReader`), the node or None, and the scope."""
Schema = dict[str, Any]


@dataclass(frozen=True)
class Key:
    """A key of a construct: the schema of its value, and what reads it; None if only the construct itself can.

    `shared` keys stand next to several constructs and are described by one of them. `ways` are those of several keys
    that exclude each other with which the key goes; without them it goes with all, or with the one it stands beside.
    """

    name: str
    schema: Schema
    optional: bool = False
    read: Reading | None = None
    shared: bool = False
    ways: tuple[str, ...] = ()


@dataclass(frozen=True)
class Head:
    """What a schema says of a construct: its name and kind in messages, how it is written, other words for its key.

    `title` and `text` describe it in editors. A part of a step also has the `common` keys of rules. `least` are keys of
    which one must be there, and none goes with another; `needs` are those that one of them needs.
    """

    title: str = ""
    text: str = ""
    name: str = ""
    kind: str = ""
    hint: str = ""
    aka: str = ""
    common: tuple[str, ...] = ("id", "origin", "title", "only_if")
    least: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)

    def schema(self) -> Schema:
        said = {"title": self.title, "description": self.text}
        said |= {"x-name": self.name, "x-kind": self.kind, "x-hint": self.hint}
        return {key: text for key, text in said.items() if text}


def keys_of(construct: type) -> Iterator[Key]:
    """The keys of a construct: those of its fields, and those that only its class has, in the order of the class."""
    declared = {item.name: item.metadata["key"] for item in fields(construct) if "key" in item.metadata}
    declared |= {name: value for name, value in vars(construct).items() if isinstance(value, Key)}
    written = [name for name in (*construct.__annotations__, *declared) if name in declared]
    return iter({declared[name].name: declared[name] for name in written}.values())


def is_flat(construct: type) -> bool:
    """Whether the keys of a step stand beside its own, not in a mapping below it."""
    return any(key.name == vars(construct)["key"] for key in keys_of(construct))


def key(
    name: str,
    title: str,
    text: str,
    schema: Schema | str,
    *,
    asks: str = "",
    aka: str = "",
    beside: str = "",
    ways: str = "",
    optional: bool = False,
    read: Reading | None = None,
) -> Key:
    """A key with a schema, or the name of one: with its title and text in editors, the question that it answers if it
    must be there, other words for it, and the key that it stands beside or the `ways` that it goes with."""
    said = {"title": title, "description": text, "x-question": asks, "x-with": beside}
    head: Schema = {"x-aka": aka.split()} if aka else {}
    own = _reference(schema) if isinstance(schema, str) else schema
    return Key(
        name,
        {**head, **{key: one for key, one in said.items() if one}, **own},
        optional,
        read,
        ways=tuple(ways.split()),
    )


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


VARIABLE, DISPLAYED, ADDED, GATE = "variable", "displayed", "added", "gate"
"""What a field is in the canonical form of a construct (`proofs/meaning/canonical.py`): a name, which the form leaves
out; what is only displayed or follows from other fields, no part of it; a key that was added after texts had been
confirmed without it, no part of it where it is absent; a condition that decides whether the construct applies."""


def custom(name: str, title: str, text: str, schema: Schema | str, form: tuple[str, ...] = (), **more: Any) -> Any:
    """A field whose key has a schema of its own, or a named one; the construct reads it, unless `read` does. A
    `default` is what the field is where steps are written out."""
    default = {"default": more.pop("default")} if "default" in more else {}
    return field(**default, metadata={"key": key(name, title, text, schema, **more), "form": form})


def variable(name: str, title: str, text: str, schema: Schema | str, **more: Any) -> Any:
    """A field with the name of a variable that the construct binds, or several of them."""
    return custom(name, title, text, schema, **{"form": (VARIABLE,), **more})


def aside(form: tuple[str, ...] = (DISPLAYED,), **default: Any) -> Any:
    """A field without a key of its own."""
    return field(**default, metadata={"form": form})


def shared(name: str) -> Any:
    """A field whose key another construct describes."""
    return field(metadata={"key": Key(name, {}, shared=True)})


def expression(name: str, title: str, text: str, wanted: Type | None = None, **more: Any) -> Any:
    """An expression, of a type if it must have one."""

    def read(steps: Any, node: Any, scope: Any) -> Any:
        return steps.reader.expr(node, scope, wanted) if node is not None or not more.get("optional") else None

    return custom(name, title, text, "expression", read=read, **more)


def condition(name: str, title: str, text: str, **more: Any) -> Any:
    """A condition, which may be left out if it is optional."""
    return expression(name, title, text, BOOL, **{"form": (GATE,), **more})


def number(name: str, title: str, text: str, least: int | None = None, **more: Any) -> Any:
    """An expression for a number that is never below `least`."""

    def read(steps: Any, node: Any, scope: Any) -> Any:
        return steps.reader.number(node, scope, least) if node is not None or not more.get("optional") else None

    return custom(name, title, text, "expression", read=read, **more)


def zone(name: str, title: str, text: str, **more: Any) -> Any:
    """A zone."""
    return custom(name, title, text, "place", read=lambda steps, node, scope: steps.reader.zone(node, scope), **more)


def body(name: str, title: str, text: str, **more: Any) -> Any:
    """Steps; none if the key is left out."""
    return custom(name, title, text, "body", read=lambda steps, node, scope: steps.body(node, scope), **more)


def words(name: str, choices: str, title: str, text: str, **more: Any) -> Any:
    """One of several words; "" if the key is left out."""
    schema = {"enum": choices.split()}
    return custom(name, title, text, schema, read=lambda _, node, __: _text(node), **more)


def settled(name: str, word: str, title: str, text: str, asks: str) -> Key:
    """A question that has only one answer so far, which a spec still gives."""
    return key(name, title, text, {"enum": [word]}, asks=asks)


def mapping_of(kind: str, hint: str, names: bool = False) -> Schema:
    """The schema of a mapping to expressions, from new names or from anything."""
    keys = {"propertyNames": _reference("name")} if names else {}
    said = {"x-kind": f"a mapping of {kind}", "x-hint": hint, "type": "object", "minProperties": 1}
    return {**said, **keys, "additionalProperties": _reference("expression")}


def names(construct: type) -> Iterator[str]:
    """The names of the keys of a construct."""
    return (key.name for key in keys_of(construct))


def _text(node: Any) -> str:
    return str(node.text) if node is not None else ""


def constructs(name: str, of: str, title: str, text: str, kind: str, **more: Any) -> Any:
    """A list of parts of a construct, each with a schema of its own."""
    return custom(name, title, text, {"x-kind": kind, "type": "array", "minItems": 1, "items": _reference(of)}, **more)


def either(word: str, otherwise: str, kind: str) -> Schema:
    """The schema of a word, or of steps."""
    said = {"if": {"type": "string"}, "then": {"enum": [word], "x-also": otherwise}, "else": _reference("body")}
    return {"x-kind": kind, "type": ["string", "array", "object"], **said}
