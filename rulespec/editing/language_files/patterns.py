"""The patterns in the files of a language, and what is wrong with them, to the column."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import regex

from rulespec.base.messages import NOTHING, Message, say
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.text.languages.data import MACRO, is_pattern

Schema = dict[str, Any]


@dataclass(frozen=True)
class Broken:
    """What is wrong with a pattern at `text[start:end]` of a scalar."""

    scalar: Scalar
    start: int
    end: int
    message: Message
    hint: Message = NOTHING


def patterns(node: Node, schema: Schema) -> Iterator[tuple[Scalar, object]]:
    """Every pattern in a document with the value of `x-pattern` in its schema."""
    yield from _below(node, schema, schema)


def _below(node: Node, part: Schema, whole: Schema) -> Iterator[tuple[Scalar, object]]:
    part = {**whole["$defs"][part["$ref"].removeprefix("#/$defs/")], **part} if "$ref" in part else part
    if isinstance(node, Scalar):
        if "x-pattern" in part:
            yield node, part["x-pattern"]
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _below(item, part.get("items", {}), whole)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            below = part.get("properties", {}).get(key, part.get("additionalProperties", {}))
            yield from _below(value, below if isinstance(below, dict) else {}, whole)


_STAND_IN = "\ue0ff"
"""A letter for each character of a macro, so that offsets stay. No text has it."""

_PROPERTY = re.compile(r"\\[pPN]\Z")


def broken(scalar: Scalar, kind: object, macros: Collection[str]) -> Iterator[Broken]:
    """What is wrong with a pattern. `macros` may stand in braces."""
    text = scalar.text
    if kind == "wording" and not is_pattern(text):
        return
    names = [found for found in MACRO.finditer(text) if not _PROPERTY.search(text[: found.start()])]
    for found in names:
        if found[1] not in macros:
            message = say("There is no macro `{name}`.", name=found[1])
            yield Broken(scalar, *found.span(), message, say("Add it under `macros:`, or correct its name."))
    start = 1 if kind != "outline" and is_pattern(text) else 0
    masked = text
    for found in names:
        masked = masked[: found.start()] + _STAND_IN * len(found[0]) + masked[found.end() :]
    error = _error(masked[start : len(masked) - start], re.compile if kind == "outline" else regex.compile)
    if error is not None:
        reason, at = error
        at = min(start + at, max(len(text) - 1, 0))
        hint = say("Correct it; a sign such as `(` that stands for itself needs a backslash.")
        yield Broken(scalar, at, at + 1, say("The pattern is broken: {reason}.", reason=reason), hint)


def _error(text: str, compiled: Callable[[str], object]) -> tuple[str, int] | None:
    """The message and the offset of the error in a pattern; None if it has none."""
    try:
        compiled(text)
    except (re.error, regex.error) as error:
        return str(getattr(error, "msg", error)), getattr(error, "pos", None) or 0
    except (OverflowError, RecursionError) as error:
        return str(error), 0
    return None
