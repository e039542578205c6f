"""Messages for errors of jsonschema: the key or value, what is wrong with it, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from rulespec.base.characters import alike, latin
from rulespec.base.messages import NOTHING, Message, any_of, counted, quoted, say
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.document.places import short
from rulespec.language.document.slips import as_meant
from rulespec.language.schema import keys
from rulespec.language.schema.context import NEAR, Path, Problem, SchemaContext, either, what

if TYPE_CHECKING:
    from jsonschema import ValidationError

__all__ = ["Path", "Problem", "problems"]


def problems(error: ValidationError, root: Node, schema: Any) -> Iterator[Problem]:
    """The problems in one error of jsonschema. An error may name several keys; a mistake may cause several errors."""
    context = SchemaContext(error, root, schema)
    if not context.already_said:
        yield from _WORDINGS.get(str(error.validator), _wrong_kind)(context)


def _wrong_kind(context: SchemaContext) -> Iterator[Problem]:
    expected = say(context.schema.get("x-kind", say("of another kind")))
    message = say(
        "{label} must be {expected}, not {node}.", label=context.label, expected=expected, node=what(context.node)
    )
    empty = isinstance(context.node, Scalar) and not context.node.text
    hint = _kind_hint(context) if empty or "x-hint" not in context.schema else say(context.schema["x-hint"])
    yield Problem("wrong-kind", message, hint, context.path, context.value_span)


def _kind_hint(context: SchemaContext) -> Message:
    node, types = context.node, context.schema.get("type", [])
    wanted = [types] if isinstance(types, str) else list(types) or ["string"]
    if isinstance(node, Scalar):
        if not node.text:
            return say("Add a value, or delete the line.")
        if context.schema.get("x-kind") == "a text":
            return say('Put quotes around it to make it a text: "{node}".', node=short(node.text))
        if isinstance(node.value, float) and "integer" in wanted:
            return say("Write a whole number.")
        if wanted == ["integer"] and re.fullmatch(r"-?\d+", node.text):
            return say("Write it without quotes.")
        # Quotes do not turn a number into a valid name or type, so the hint does not suggest them.
        return (
            say("Write it as a list.")
            if "array" in wanted
            else say("Write {kind} instead.", kind=_IN_WORDS.get(wanted[0], say("it")))
        )
    written = context.schema.get("x-kind") == "a text"  # no expression begins with a bracket
    if written and "string" in wanted and node.source.text[node.span.start] in "{[":
        return say("Put quotes around it to make it a text.")
    if "array" in wanted and isinstance(node, Mapping):
        return say("Write a list: begin every item with a hyphen and a space.")
    return say("Write it as a mapping: `key: value`.") if "object" in wanted else say("Write a single value.")


def _not_a_choice(context: SchemaContext) -> Iterator[Problem]:
    choices = [str(choice) for choice in context.asked]
    text = context.node.text if isinstance(context.node, Scalar) else ""
    near = get_close_matches(text.lower(), choices, n=1, cutoff=NEAR)
    meant = context.schema.get("x-means", {}).get(text.lower()) or (near[0] if near else "")
    also = [say(context.schema["x-also"])] if "x-also" in context.schema else []
    known = any_of([*quoted(choices), *also])
    message = say(
        "{label} must be {expected}, not {node}.", label=context.label, expected=known, node=what(context.node)
    )
    hint = say("Did you mean `{name}`?", name=meant) if meant else say("Write {names}.", names=either(choices))
    yield Problem("not-allowed", message, hint, context.path, context.value_span)


def _bad_name(context: SchemaContext) -> Iterator[Problem]:
    key, text = context.bad_key, str(context.given)
    hint = _better_name(text, str(context.asked)) or _example(context, text)
    letters = say(": {letters}", letters=alike(text)) if latin(text) else NOTHING
    expected = say(context.schema.get("x-kind", say("another name")))
    message = say(
        "{label} must be {expected}, not {node}{letters}.",
        label=context.label,
        expected=expected,
        node=what(context.node),
        letters=letters,
    )
    if key is not None:
        message = say(
            "The key `{key}` is wrong: it must be {expected}{letters}.",
            key=short(text),
            expected=expected,
            letters=letters,
        )
    yield Problem("bad-name", message, hint, context.path, context.value_span if key is None else context.key_span(key))


def _better_name(text: str, pattern: str) -> Message:
    if "(" in text:
        return say("Write the name alone, without brackets.")
    if re.fullmatch(r"\d+ *- *\d+", as_meant(text)):
        return say("Write `{better}`.", better=re.sub(" *- *", "..", as_meant(text)))
    if re.fullmatch(r"0+[1-9]\d*", text):
        return say("Write `{better}`.", better=int(text))
    lower = (latin(text) or text).lower()
    candidates = (re.sub(r"[^a-z0-9_.]+", "_", lower).strip("_."), lower.lstrip("v"))
    return next(
        (say("Write `{better}`.", better=one) for one in candidates if re.fullmatch(pattern, one) and one != text),
        NOTHING,
    )


def _example(context: SchemaContext, text: str) -> Message:
    """What to write instead of a text from which no better name follows."""
    is_listed = any("items" in form for form in (context.schema, *context.schema.get("anyOf", ())))
    if is_listed and "," in text and re.fullmatch(r"[\w, ]+", text):
        return say("Write `{better}`.", better=f"[{text}]")
    return say(context.schema.get("x-hint", say("Use the letters a to z, digits and `_`.")))


def _too_few(context: SchemaContext) -> Iterator[Problem]:
    least, value = context.asked, context.given
    if isinstance(value, int | float):
        message, hint = (
            say("{label} must be at least {least}, not {value}.", label=context.label, least=least, value=value),
            say("Write {least} or more.", least=least),
        )
    elif not value:
        message, hint = (
            say("{label} is empty.", label=context.label),
            say(context.schema.get("x-empty", say("Write at least one entry."))),
        )
        hint = say("Add a text.") if isinstance(value, str) else hint
    else:
        message, hint = (
            counted(
                "{label} has {number} entry, but needs at least {least}.",
                "{label} has {number} entries, but needs at least {least}.",
                len(value),
                label=context.label,
                least=least,
            ),
            say("Add an entry."),
        )
    yield Problem(
        "too-few", message, hint, context.path, context.head if value and len(context.path) else context.value_span
    )


def _too_many(context: SchemaContext) -> Iterator[Problem]:
    most, value = context.asked, context.given
    if isinstance(value, int | float):
        message = say("{label} must be at most {most}, not {value}.", label=context.label, most=most, value=value)
        yield Problem("too-many", message, say("Write {most} or less.", most=most), context.path, context.value_span)
    else:
        message, hint = (
            counted(
                "{label} has {number} entry, but takes at most {most}.",
                "{label} has {number} entries, but takes at most {most}.",
                len(value),
                label=context.label,
                most=most,
            ),
            say("Delete one of them.") if "properties" in context.schema else say("Nest one step inside the other."),
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
    "object": say("a mapping"),
    "array": say("a list"),
    "integer": say("a whole number"),
    "string": say("one"),
    "boolean": say("`true` or `false`"),
}
