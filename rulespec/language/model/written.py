"""Plain values in lists and tables: numbers, truth values, members of enums, and ranges of them."""

from __future__ import annotations

import re

from rulespec.base.diagnostics import Span
from rulespec.base.messages import Message, say
from rulespec.language.document.nodes import Node
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import text
from rulespec.language.model.reader import Reader
from rulespec.language.model.types import Type

_WHOLE = re.compile(r"-?[0-9]{1,11}")


def written_value(reader: Reader, type_: Type, written: str, node: Node | Span) -> int | None:
    """A number, a truth value or an enum member as its stored value; None after a finding."""
    if type_.kind == "int" and _WHOLE.fullmatch(written):
        value = int(written)
        if type_.low <= value <= type_.high:
            return value
        message = say("This is {value}, but must be from {low} to {high}.", value=value, low=type_.low, high=type_.high)
        hint = say(
            "Write a number from {low} to {high}, or change the range where it is declared.",
            low=type_.low,
            high=type_.high,
        )
        reader.report("out-of-range", message, node, hint)
        return None
    names = ("false", "true") if type_.kind == "bool" else reader.names.members_of(type_)
    if written in names:
        return names.index(written)
    listed = ", ".join(f"`{n}`" for n in names[:8]) + (", …" if len(names) > 8 else "")
    expected = (
        say("a number from {low} to {high}", low=type_.low, high=type_.high)
        if type_.kind == "int"
        else say("one of {listed}", listed=listed)
    )
    reader.report(
        "wrong-value",
        say("`{text}` is not {expected}.", text=written, expected=expected),
        node,
        suggest(written, names) or _another(type_),
    )
    return None


def _another(type_: Type) -> Message:
    if type_.kind == "enum":
        return say("Write another member, or add this one to `{type}`.", type=type_.name)
    return say("Write a number.") if type_.kind == "int" else say("Write one of the two.")


def written_values(reader: Reader, type_: Type, node: Node) -> range:
    """The values of one scalar: a single one, a range such as `A..D`, or the name of an enum for all its members; empty
    after a finding."""
    if type_.kind == "enum" and text(node) == type_.name and type_.name not in reader.names.members_of(type_):
        return range(reader.names.extent(type_))
    low, dots, high = text(node).partition("..")
    first = written_value(reader, type_, low, node)
    last = written_value(reader, type_, high, node) if dots and first is not None else first
    if first is None or last is None:
        return range(0)
    if first > last:
        reader.report(
            "empty-range", say("The range {range} is empty.", range=text(node)), node, say("Write the lower end first.")
        )
    return range(first, last + 1)
