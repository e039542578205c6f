"""What the JSON Schema of a file says about a place in it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any

from rulespec.editing.editors.places import Path
from rulespec.editing.file_kinds import schema_of as schema_of
from rulespec.editing.file_kinds import schema_text
from rulespec.language.formats.table import FORMATS
from rulespec.text.output.sheets.icons import icons

Schema = dict[str, Any]
_BRANCHES = ("anyOf", "oneOf", "allOf")
_CASES = ("then", "else")
DEFINITION = "x-definition"
"""The key under which a part of a schema has the name of the definition that it refers to, such as `expression`."""


@cache
def _whole(name: str) -> Schema:
    content: Schema = json.loads(schema_text(name))
    return content


def schemas_at(name: str, path: Path) -> tuple[Schema, ...]:
    """The parts of a schema that a path leads to: several if a value may have several forms. What an overlay changes or
    adds has the form that it has in a spec."""
    name, path = _in_spec(name, path)
    whole = _whole(name)
    found = tuple(_forms(whole, whole))
    for step in path:
        found = tuple(form for part in found for below in _below(part, step) for form in _forms(below, whole))
    return found


def _in_spec(name: str, path: Path) -> tuple[str, Path]:
    if not name.startswith("overlay") or len(path) < 3 or path[0] not in ("change", "add"):
        return name, path
    spec = FORMATS["spec"].schema
    if path[1] in ("rules", "invariants", "claims"):
        section, rest = ("play" if path[1] == "rules" else path[1]), path[3:]
        if path[0] == "add" and path[1] == "rules":
            return (spec, (section, 0, *rest[1:])) if rest[:1] == ("insert",) else (name, path)
        return spec, (section, 0, *rest)
    return spec, ("cards", *path[1:]) if path[1] == "manifest" else path[1:]


def _forms(part: Any, whole: Schema) -> Iterator[Schema]:
    """A part of a schema, what it refers to and its branches."""
    if not isinstance(part, dict) or not part:
        return
    if "$ref" in part:
        named = part["$ref"].removeprefix("#/$defs/")
        own = {key: value for key, value in part.items() if key != "$ref"}
        yield from _forms({**own, **whole["$defs"][named], **own, DEFINITION: named}, whole)
        return
    yield part
    for one in (*(one for branch in _BRANCHES for one in part.get(branch, ())), *map(part.get, _CASES)):
        yield from _forms(one, whole)


def _below(part: Schema, step: str | int) -> Iterator[Any]:
    if isinstance(step, int):
        named = {"x-names": part["x-names"]} if "x-names" in part else {}
        yield {**part.get("items", {}), **named}
    elif step in part.get("properties", {}):
        yield part["properties"][step]
    else:
        yield from (below for pattern, below in part.get("patternProperties", {}).items() if re.search(pattern, step))
        yield part.get("additionalProperties", {})


def keys_at(name: str, path: Path) -> dict[str, str]:
    """The keys that a mapping may have, each with what it means."""
    whole = _whole(_in_spec(name, path)[0])
    found: dict[str, str] = {}
    for part in schemas_at(name, path):
        for key, below in part.get("properties", {}).items():
            means = (one["description"] for one in _forms(below, whole) if "description" in one)
            found.setdefault(key, next(means, ""))
    return found


def choices_at(name: str, path: Path) -> tuple[str, ...]:
    """The words that a value may be, if the schema lists them or says that they are the names of icons."""
    parts = schemas_at(name, path)
    listed = (one for part in parts for one in (*part.get("enum", ()), *_only(part), *_icons(part), *_truth(part)))
    return tuple(dict.fromkeys(one for one in listed if isinstance(one, str)))


def keys_beside(name: str, path: Path, given: Collection[str]) -> dict[str, str]:
    """The keys that a mapping may have beside those that it has. A step does one thing, and some keys go with it."""
    known = keys_at(name, path)
    for part in (part for part in schemas_at(name, path) if "dependentSchemas" in part):
        rivals, inside = part["dependentSchemas"], part.get("properties", {})
        beside = [rivals[key].get("properties", known) for key in given if key in rivals]
        free = {key for key in inside if beside or inside[key].get("x-with", "id") in ("id", *given)}
        known = {key: means for key, means in known.items() if key in free and all(key in one for one in beside)}
    return {key: means for key, means in known.items() if key not in given}


def definitions_at(name: str, path: Path) -> frozenset[str]:
    """The names of the definitions that say what a value is."""
    return frozenset(part[DEFINITION] for part in _with_items(name, path) if DEFINITION in part)


def names_at(name: str, path: Path, is_key: bool) -> frozenset[str]:
    """The kinds of names that a value, or a key at the end of a path, may be: `x-names` of the schema."""
    whole = _whole(_in_spec(name, path)[0])
    keys = (form for part in schemas_at(name, path[:-1]) for form in _forms(part.get("propertyNames"), whole))
    parts = keys if is_key else _with_items(name, path)
    return frozenset(kind for part in parts for kind in part.get("x-names", "").split())


def _with_items(name: str, path: Path) -> tuple[Schema, ...]:
    """The parts of a schema that a path leads to, and those of the items of a list that one may stand for."""
    whole, parts = _whole(_in_spec(name, path)[0]), schemas_at(name, path)
    items = (part.get("items") for part in parts if "string" in part.get("type", ()))
    return *parts, *(form for item in items for form in _forms(item, whole))


def may_be_text(name: str, path: Path) -> bool:
    """Whether a value may be a text, as far as the schema says of what type it is."""
    types = [part["type"] for part in schemas_at(name, path) if "type" in part]
    return not types or any("string" in one for one in types)


def _truth(part: Schema) -> tuple[str, ...]:
    return ("true", "false") if part.get("type") == "boolean" else ()


def _icons(part: Schema) -> Iterable[str]:
    return icons() if part.get("x-names") == "icon" else ()


def _only(part: Schema) -> tuple[Any, ...]:
    return (part["const"],) if "const" in part else ()


def is_word(name: str, path: Path) -> bool:
    """Whether the last key of a path is a word of the format, and no name that the author chose."""
    return bool(path) and isinstance(path[-1], str) and path[-1] in keys_at(name, path[:-1])
