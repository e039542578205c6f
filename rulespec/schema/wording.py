"""What jsonschema found, said to people: which key or value, what is wrong with it, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from rulespec.document import Mapping, Node, Scalar
from rulespec.document.places import short
from rulespec.schema import keys
from rulespec.schema.case import Case, Path, Problem, either, what

if TYPE_CHECKING:
    from jsonschema import ValidationError

__all__ = ["Path", "Problem", "problems"]


def problems(error: ValidationError, root: Node, schema: Any) -> Iterator[Problem]:
    """What one error of jsonschema means. One error may name several keys; one mistake may come in several errors."""
    case = Case(error, root, schema)
    if not case.already_said:
        yield from _WORDINGS.get(str(error.validator), _wrong_kind)(case)


def _wrong_kind(case: Case) -> Iterator[Problem]:
    expected = case.schema.get("x-kind", "something of another kind")
    message = f"{case.label} must be {expected}, not {what(case.node)}."
    empty = isinstance(case.node, Scalar) and not case.node.text
    hint = None if empty else case.schema.get("x-hint")
    yield Problem("wrong-kind", message, hint or _kind_hint(case), case.path, case.value_span)


def _kind_hint(case: Case) -> str:
    node, types = case.node, case.schema.get("type", [])
    wanted = [types] if isinstance(types, str) else list(types) or ["string"]
    if isinstance(node, Scalar):
        return _scalar_hint(node, wanted, case.schema.get("x-kind") == "a text")
    if "string" in wanted and node.source.text[node.span.start] in "{[":
        return "If it is meant as a text, put quotes round it."
    if "array" in wanted and isinstance(node, Mapping):
        return "Begin every item with a hyphen and a space."
    return "Write it as a mapping: `key: value`." if "object" in wanted else "Write a single value."


def _scalar_hint(node: Scalar, wanted: Sequence[str], free_text: bool) -> str:
    if not node.text:
        return "Write it, or delete the line."
    if free_text:
        return f'If it is meant as a text, put quotes round it: "{short(node.text)}".'
    if isinstance(node.value, float) and "integer" in wanted:
        return "There are no fractions here; write a whole number."
    if wanted == ["integer"] and re.fullmatch(r"-?\d+", node.text):
        return "Write it without quotes."
    # A number in quotes would be as wrong a name or type as without, so they are not offered for those.
    return "Write it as a list." if "array" in wanted else f"Write {_IN_WORDS.get(wanted[0], 'it')} instead."


def _not_a_choice(case: Case) -> Iterator[Problem]:
    choices = [str(choice) for choice in case.asked]
    text = case.node.text if isinstance(case.node, Scalar) else ""
    near = get_close_matches(text.lower(), choices, n=1, cutoff=0.65)
    meant = case.schema.get("x-means", {}).get(text.lower()) or (near[0] if near else "")
    also = f" or {case.schema['x-also']}" if "x-also" in case.schema else ""
    known = f"{', '.join(f'`{choice}`' for choice in choices)}{also}" if also else either(choices)
    message = f"{case.label} must be {known}, not {what(case.node)}."
    hint = f"Did you mean `{meant}`?" if meant else f"Write {either(choices)}."
    yield Problem("not-allowed", message, hint, case.path, case.value_span)


def _bad_name(case: Case) -> Iterator[Problem]:
    key, text = case.bad_key, str(case.given)
    hint = _better_name(text, str(case.asked))
    expected = case.schema.get("x-kind", "another name")
    message = f"{case.label} must be {expected}, not {what(case.node)}."
    if key is not None:
        message = f"The key `{short(text)}` is wrong: it must be {expected}."
    yield Problem("bad-name", message, hint, case.path, case.value_span if key is None else case.key_span(key))


def _better_name(text: str, pattern: str) -> str:
    if "(" in text:
        return "Write the name alone, without brackets."
    if re.fullmatch(r"\d+ *- *\d+", text):
        return f"Write `{re.sub(' *- *', '..', text)}`."
    better = re.sub(r"[^a-z0-9_.]+", "_", text.lower()).strip("_.")
    return f"Perhaps `{better}`?" if re.fullmatch(pattern, better) and better != text else "Correct it."


def _too_few(case: Case) -> Iterator[Problem]:
    least, value = case.asked, case.given
    if isinstance(value, int | float):
        message, hint = f"{case.label} must be at least {least}, not {value}.", f"Write {least} or more."
    elif not value:
        message, hint = f"{case.label} is empty.", case.schema.get("x-empty", "Write at least one entry.")
        hint = "Write the text." if isinstance(value, str) else hint
    else:
        message, hint = f"{case.label} has {len(value)} entry; it needs at least {least}.", "Add what is missing."
    yield Problem("too-few", message, hint, case.path, case.head if value and len(case.path) else case.value_span)


def _too_many(case: Case) -> Iterator[Problem]:
    most, value = case.asked, case.given
    if isinstance(value, int | float):
        message = f"{case.label} must be at most {most}, not {value}."
        yield Problem("too-many", message, f"Write {most} or less.", case.path, case.value_span)
    else:
        message, hint = f"{case.label} names {len(value)} things; it takes {most}.", "Put one step inside the other."
        yield Problem("too-many", message, hint, case.path, case.key_span(list(value)[most]))


_WORDINGS: dict[str, Callable[[Case], Iterator[Problem]]] = {
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

_IN_WORDS = {"object": "a mapping", "array": "a list", "integer": "a whole number", "string": "one"}
