"""Messages for errors of jsonschema: the key or value, what is wrong with it, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from rulespec.characters import alike, latin
from rulespec.document import Mapping, Node, Scalar
from rulespec.document.places import short
from rulespec.schema import keys
from rulespec.schema.context import NEAR, Path, Problem, SchemaContext, either, what

if TYPE_CHECKING:
    from jsonschema import ValidationError

__all__ = ["Path", "Problem", "problems"]


def problems(error: ValidationError, root: Node, schema: Any) -> Iterator[Problem]:
    """The problems in one error of jsonschema. An error may name several keys; a mistake may cause several errors."""
    context = SchemaContext(error, root, schema)
    if not context.already_said:
        yield from _WORDINGS.get(str(error.validator), _wrong_kind)(context)


def _wrong_kind(context: SchemaContext) -> Iterator[Problem]:
    expected = context.schema.get("x-kind", "of another kind")
    message = f"{context.label} must be {expected}, not {what(context.node)}."
    empty = isinstance(context.node, Scalar) and not context.node.text
    hint = None if empty else context.schema.get("x-hint")
    yield Problem("wrong-kind", message, hint or _kind_hint(context), context.path, context.value_span)


def _kind_hint(context: SchemaContext) -> str:
    node, types = context.node, context.schema.get("type", [])
    wanted = [types] if isinstance(types, str) else list(types) or ["string"]
    if isinstance(node, Scalar):
        return _scalar_hint(node, wanted, context.schema.get("x-kind") == "a text")
    written = context.schema.get("x-kind") == "a text"  # no expression begins with a bracket
    if written and "string" in wanted and node.source.text[node.span.start] in "{[":
        return "Put quotes around it to make it a text."
    if "array" in wanted and isinstance(node, Mapping):
        return "Write a list: begin every item with a hyphen and a space."
    return "Write it as a mapping: `key: value`." if "object" in wanted else "Write a single value."


def _scalar_hint(node: Scalar, wanted: Sequence[str], free_text: bool) -> str:
    if not node.text:
        return "Add a value, or delete the line."
    if free_text:
        return f'Put quotes around it to make it a text: "{short(node.text)}".'
    if isinstance(node.value, float) and "integer" in wanted:
        return "Write a whole number."
    if wanted == ["integer"] and re.fullmatch(r"-?\d+", node.text):
        return "Write it without quotes."
    # Quotes do not turn a number into a valid name or type, so the hint does not suggest them.
    return "Write it as a list." if "array" in wanted else f"Write {_IN_WORDS.get(wanted[0], 'it')} instead."


def _not_a_choice(context: SchemaContext) -> Iterator[Problem]:
    choices = [str(choice) for choice in context.asked]
    text = context.node.text if isinstance(context.node, Scalar) else ""
    near = get_close_matches(text.lower(), choices, n=1, cutoff=NEAR)
    meant = context.schema.get("x-means", {}).get(text.lower()) or (near[0] if near else "")
    also = f" or {context.schema['x-also']}" if "x-also" in context.schema else ""
    known = f"{', '.join(f'`{choice}`' for choice in choices)}{also}" if also else either(choices)
    message = f"{context.label} must be {known}, not {what(context.node)}."
    hint = f"Did you mean `{meant}`?" if meant else f"Write {either(choices)}."
    yield Problem("not-allowed", message, hint, context.path, context.value_span)


def _bad_name(context: SchemaContext) -> Iterator[Problem]:
    key, text = context.bad_key, str(context.given)
    hint = _better_name(text, str(context.asked)) or _example(context, text)
    expected = context.schema.get("x-kind", "another name")
    message = f"{context.label} must be {expected}, not {what(context.node)}"
    if key is not None:
        message = f"The key `{short(text)}` is wrong: it must be {expected}"
    message = f"{message}: {alike(text)}." if latin(text) else f"{message}."
    yield Problem("bad-name", message, hint, context.path, context.value_span if key is None else context.key_span(key))


def _better_name(text: str, pattern: str) -> str:
    if "(" in text:
        return "Write the name alone, without brackets."
    if re.fullmatch(r"\d+ *- *\d+", text):
        return f"Write `{re.sub(' *- *', '..', text)}`."
    if re.fullmatch(r"0+[1-9]\d*", text):
        return f"Write `{int(text)}`."
    lower = (latin(text) or text).lower()
    candidates = (re.sub(r"[^a-z0-9_.]+", "_", lower).strip("_."), lower.lstrip("v"))
    return next((f"Write `{one}`." for one in candidates if re.fullmatch(pattern, one) and one != text), "")


def _example(context: SchemaContext, text: str) -> str:
    """What to write instead of a text from which no better name follows."""
    is_listed = any("items" in form for form in (context.schema, *context.schema.get("anyOf", ())))
    if is_listed and "," in text and re.fullmatch(r"[\w, ]+", text):
        return f"Write `[{text}]`."
    return str(context.schema.get("x-hint", "Use the letters a to z, digits and `_`."))


def _too_few(context: SchemaContext) -> Iterator[Problem]:
    least, value = context.asked, context.given
    if isinstance(value, int | float):
        message, hint = f"{context.label} must be at least {least}, not {value}.", f"Write {least} or more."
    elif not value:
        message, hint = f"{context.label} is empty.", context.schema.get("x-empty", "Write at least one entry.")
        hint = "Add a text." if isinstance(value, str) else hint
    else:
        message, hint = f"{context.label} has {len(value)} entry, but needs at least {least}.", "Add an entry."
    yield Problem(
        "too-few", message, hint, context.path, context.head if value and len(context.path) else context.value_span
    )


def _too_many(context: SchemaContext) -> Iterator[Problem]:
    most, value = context.asked, context.given
    if isinstance(value, int | float):
        message = f"{context.label} must be at most {most}, not {value}."
        yield Problem("too-many", message, f"Write {most} or less.", context.path, context.value_span)
    else:
        message, hint = (
            f"{context.label} has {len(value)} entries, but takes at most {most}.",
            "Nest one step inside the other.",
        )
        yield Problem("too-many", message, hint, context.path, context.key_span(list(value)[most]))


_WORDINGS: dict[str, Callable[[SchemaContext], Iterator[Problem]]] = {
    "additionalProperties": keys.extra_keys,
    "required": keys.missing_keys,
    "anyOf": keys.none_of,
    "dependentRequired": keys.without_companion,
    "type": _wrong_kind,
    "enum": _not_a_choice,
    "pattern": _bad_name,
    "minimum": _too_few,
    "minLength": _too_few,
    "minItems": _too_few,
    "minProperties": _too_few,
    "maximum": _too_many,
    "maxProperties": _too_many,
}

_IN_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "integer": "a whole number",
    "string": "one",
    "boolean": "`true` or `false`",
}
