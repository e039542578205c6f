"""What jsonschema found, said to people: which key or value, what is wrong with it, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulespec import document
from rulespec.diagnostics import Span
from rulespec.document import Mapping, Node, Scalar

if TYPE_CHECKING:
    from jsonschema import ValidationError

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """A finding before it is placed in a report.

    `path` leads to the value or mapping it is about; `keys` are the keys it misses there, `suggestion` the known key
    that an unknown one was probably meant to be.
    """

    name: str
    message: str
    hint: str
    path: Path
    span: Span
    keys: tuple[str, ...] = ()
    suggestion: str = ""


def problems(error: ValidationError, root: Node, schema: Any) -> Iterator[Problem]:
    """What one error of jsonschema means. One error may name several keys; one mistake may come in several errors."""
    case = _Case(error, root, schema)
    if not case.already_said:
        yield from _WORDINGS.get(str(error.validator), _wrong_kind)(case)


@dataclass(frozen=True)
class _Case:
    error: ValidationError
    root: Node
    whole: Any

    @cached_property
    def path(self) -> Path:
        return tuple(self.error.absolute_path)

    @property
    def given(self) -> Any:
        return self.error.instance

    @property
    def asked(self) -> Any:
        """What the schema has under the keyword that failed."""
        return self.error.validator_value

    @property
    def schema(self) -> dict[str, Any]:
        return self.error.schema if isinstance(self.error.schema, dict) else {}

    @property
    def node(self) -> Node:
        return document.at(self.root, self.path)

    @property
    def bad_key(self) -> str | None:
        """The key that is itself at fault; jsonschema gives it as the instance, on the path of its mapping."""
        key = self.given
        return key if isinstance(key, str) and isinstance(self.node, Mapping) else None

    @property
    def already_said(self) -> bool:
        """Whether the value is only a stand-in for a number that was found to be out of bounds."""
        node = self.node
        return isinstance(node, Scalar) and not node.style and node.value != document.resolve(node.text)

    @property
    def operation(self) -> str:
        """The key whose companions the schema is about, "" where it is about all keys of a mapping."""
        place = list(self.error.absolute_schema_path)
        return str(place[-2]) if place[-3:-2] == ["dependentSchemas"] else ""

    @property
    def owner(self) -> dict[str, Any]:
        """The schema of the whole mapping."""
        if not self.operation:
            return self.schema
        owners = (item for item in self.whole["$defs"].values())
        return next(item for item in owners if item.get("dependentSchemas", {}).get(self.operation) == self.schema)

    @property
    def called(self) -> str:
        return str(self.owner.get("x-name", "mapping"))

    @property
    def label(self) -> str:
        """What people call the value: its key, or its place in a list."""
        if not self.path:
            return "The file"
        if isinstance(self.path[-1], str):
            return f"`{_short(self.path[-1])}`"
        owner = next((step for step in reversed(self.path) if isinstance(step, str)), "")
        return f"Item {self.path[-1] + 1} of `{owner}`"

    def key_span(self, key: str) -> Span:
        return document.key_at(self.root, (*self.path, key)).span

    @property
    def value_span(self) -> Span:
        # A value that is not there has no width: its key can be seen.
        node = self.node
        empty = isinstance(node, Scalar) and not node.text
        return self.head if empty else _first_line(node)

    @property
    def head(self) -> Span:
        """Where the value begins for people: its key, or the first line of a list item."""
        return _first_line(document.key_at(self.root, self.path))


# --- keys ------------------------------------------------------------------------------------------------------------


def _extra_keys(case: _Case) -> Iterator[Problem]:
    known = case.owner.get("properties", {})
    for key in case.given:
        if key in case.schema.get("properties", {}):
            continue
        if key not in known:
            yield from () if case.operation else [_unknown(case, key, list(known))]
        elif key in case.owner["dependentSchemas"]:
            yield _conflict(case)
        else:
            yield _misplaced(case, key)


def _unknown(case: _Case, key: str, known: list[str]) -> Problem:
    free = [name for name in known if name not in case.given]
    near = get_close_matches(key.lower(), free, n=1, cutoff=0.65)
    usual = [name for name in case.schema.get("dependentSchemas", known) if name in free]
    others = f"There could be {_either(usual)} here." if usual else "Delete it."
    hint = f"Did you mean `{near[0]}`?" if near else others
    message = f"`{_short(key)}` is not a key of {_a(case.called)}."
    return Problem("unknown-key", message, hint, case.path, case.key_span(key), (key,), near[0] if near else "")


def _conflict(case: _Case) -> Problem:
    rivals = case.owner["dependentSchemas"]
    present = [key for key in case.given if key in rivals]
    # `do` is an operation of its own only where no other one brings it along.
    present = [key for key in present if key != "do" or not any(key in _companions(rivals, op) for op in present)]
    both = f"This {case.called} has both {_and(present)}"
    span = case.key_span(present[1])
    if case.called == "step":
        hint = "Split it into steps of their own, one after the other or one inside the other."
        return Problem("several-operations", f"{both}; a step does one thing.", hint, case.path, span)
    return Problem("either-or", f"{both}; only one of them can count.", "Keep one of them.", case.path, span)


def _companions(rivals: dict[str, Any], operation: str) -> list[str]:
    return [key for key in rivals[operation]["properties"] if key != operation]


def _misplaced(case: _Case, key: str) -> Problem:
    with_ = str(case.owner["properties"][key].get("x-with"))
    message = f"`{key}` goes with `{with_}`, which this {case.called} does not have."
    return Problem("misplaced-key", message, f"Delete it, or add `{with_}:`.", case.path, case.key_span(key), (with_,))


def _without_companion(case: _Case) -> Iterator[Problem]:
    for key, needed in case.asked.items():
        if key in case.given and any(name not in case.given for name in needed):
            yield _misplaced(case, key)


def _missing_keys(case: _Case) -> Iterator[Problem]:
    span = case.key_span(case.operation) if case.operation else case.head
    for key in case.asked:
        if key not in case.given:
            name, message = _missing(case, key)
            yield Problem(name, message, _how_to_add(case, key), case.path, span, (key,))


def _missing(case: _Case, key: str) -> tuple[str, str]:
    question = case.owner.get("properties", {}).get(key, {}).get("x-question")
    if question:
        return "open-question", f"This {case.called} does not say {question}."
    return "missing-key", f"{f'`{case.operation}`' if case.operation else f'This {case.called}'} needs `{key}`."


def _how_to_add(case: _Case, key: str) -> str:
    choices = case.owner.get("properties", {}).get(key, {}).get("enum", [])
    return f"Add `{key}: {choices[0]}`." if len(choices) == 1 else f"Add `{key}:`{_with(choices)}."


def _none_of(case: _Case) -> Iterator[Problem]:
    names = tuple(choice["required"][0] for choice in case.asked)
    if case.called != "step":
        message, hint = f"This {case.called} needs {_either(names)}.", "Add one of them."
        yield Problem("missing-key", message, hint, case.path, case.head, names)
        return
    properties = case.schema["properties"]
    needs = [(key, properties.get(key, {}).get("x-with")) for key in case.given]
    hint = next((f"`{key}` goes with `{with_}:`." for key, with_ in needs if with_), _SOME_OPERATION)
    yield Problem("no-operation", "This step does not say what happens.", hint, case.path, case.head, names)


_SOME_OPERATION = "Add what happens, such as `do:` or `move:`; with `note:` it is a rule for people only."


# --- values ----------------------------------------------------------------------------------------------------------


def _wrong_kind(case: _Case) -> Iterator[Problem]:
    expected = case.schema.get("x-kind", "something else")
    message = f"{case.label} must be {expected}, not {_what(case.node)}."
    yield Problem("wrong-kind", message, _kind_hint(case), case.path, case.value_span)


def _kind_hint(case: _Case) -> str:
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
        return f'If it is meant as a text, put quotes round it: "{_short(node.text)}".'
    if isinstance(node.value, float) and "integer" in wanted:
        return "There are no fractions here; write a whole number."
    if wanted == ["integer"] and re.fullmatch(r"-?\d+", node.text):
        return "Write it without quotes."
    # A number in quotes would be as wrong a name or type as without, so they are not offered for those.
    return "Write it as a list." if "array" in wanted else f"Write {_IN_WORDS.get(wanted[0], 'it')} instead."


def _not_a_choice(case: _Case) -> Iterator[Problem]:
    choices = [str(choice) for choice in case.asked]
    text = case.node.text if isinstance(case.node, Scalar) else ""
    near = get_close_matches(text.lower(), choices, n=1, cutoff=0.65)
    also = f" or {case.schema['x-also']}" if "x-also" in case.schema else ""
    message = f"{case.label} must be {_either(choices)}{also}, not {_what(case.node)}."
    hint = f"Did you mean `{near[0]}`?" if near else f"Write {_either(choices)}."
    yield Problem("not-allowed", message, hint, case.path, case.value_span)


def _bad_name(case: _Case) -> Iterator[Problem]:
    key, text = case.bad_key, str(case.given)
    better = re.sub(r"[^a-z0-9_.]+", "_", text.lower()).strip("_.")
    fits = re.fullmatch(str(case.asked), better)
    hint = f"Perhaps `{better}`?" if fits and better != text else "Correct it."
    expected = case.schema.get("x-kind", "another name")
    what = f"The key `{_short(text)}` is wrong: it must be" if key is not None else f"{case.label} must be"
    message = f"{what} {expected}{'' if key is not None else f', not {_what(case.node)}'}."
    yield Problem("bad-name", message, hint, case.path, case.value_span if key is None else case.key_span(key))


def _too_few(case: _Case) -> Iterator[Problem]:
    least, value = case.asked, case.given
    if isinstance(value, int | float):
        message, hint = f"{case.label} must be at least {least}, not {value}.", f"Write {least} or more."
    elif not value:
        message, hint = f"{case.label} is empty.", case.schema.get("x-empty", "Write at least one entry.")
        hint = "Write the text." if isinstance(value, str) else hint
    else:
        message, hint = f"{case.label} has {len(value)} entry; it needs at least {least}.", "Add what is missing."
    yield Problem("too-few", message, hint, case.path, case.head if value and len(case.path) else case.value_span)


def _too_many(case: _Case) -> Iterator[Problem]:
    most, value = case.asked, case.given
    if isinstance(value, int | float):
        message = f"{case.label} must be at most {most}, not {value}."
        yield Problem("too-many", message, f"Write {most} or less.", case.path, case.value_span)
    else:
        message, hint = f"{case.label} names {len(value)} things; it takes {most}.", "Put one step inside the other."
        yield Problem("too-many", message, hint, case.path, case.key_span(list(value)[most]))


_WORDINGS: dict[str, Callable[[_Case], Iterator[Problem]]] = {
    "additionalProperties": _extra_keys,
    "required": _missing_keys,
    "anyOf": _none_of,
    "dependentRequired": _without_companion,
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


# --- small words -----------------------------------------------------------------------------------------------------

_IN_WORDS = {"object": "a mapping", "array": "a list", "integer": "a whole number", "string": "one"}


def _what(node: Node) -> str:
    if not isinstance(node, Scalar):
        return "a mapping" if isinstance(node, Mapping) else "a list"
    return f"`{_short(node.text)}`" if node.text.strip() else "empty"


def _first_line(node: Node) -> Span:
    end = node.source.text.find("\n", node.span.start, node.span.end)
    return node.span if end < 0 else Span(node.span.start, len(node.source.text[:end].rstrip()))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeio' else 'a'} {noun}"


def _with(choices: Sequence[object]) -> str:
    return f" with {_either(choices)}" if choices else ""


def _either(names: Sequence[object]) -> str:
    return _listed(names, "or")


def _and(names: Sequence[object]) -> str:
    return _listed(names, "and")


def _listed(names: Sequence[object], last: str) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
