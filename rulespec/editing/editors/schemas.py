"""What the JSON Schema of a file says about a place in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from rulespec.editing.editors.places import Path
from rulespec.editing.file_kinds import schema_of as schema_of
from rulespec.editing.file_kinds import schema_text
from rulespec.text.output.sheets.icons import icons

Schema = dict[str, Any]
_BRANCHES = ("anyOf", "oneOf", "allOf")


@cache
def _whole(name: str) -> Schema:
    content: Schema = json.loads(schema_text(name))
    return content


def schemas_at(name: str, path: Path) -> tuple[Schema, ...]:
    """The parts of a schema that a path leads to: several if a value may have several forms."""
    whole = _whole(name)
    found = tuple(_forms(whole, whole))
    for step in path:
        found = tuple(form for part in found for below in _below(part, step) for form in _forms(below, whole))
    return found


def _forms(part: Any, whole: Schema) -> Iterator[Schema]:
    """A part of a schema, what it refers to and its branches."""
    if not isinstance(part, dict):
        return
    if "$ref" in part:
        target = whole["$defs"][part["$ref"].removeprefix("#/$defs/")]
        yield from _forms({**target, **{key: value for key, value in part.items() if key != "$ref"}}, whole)
        return
    yield part
    for branch in _BRANCHES:
        for one in part.get(branch, ()):
            yield from _forms(one, whole)


def _below(part: Schema, step: str | int) -> Iterator[Any]:
    if isinstance(step, int):
        yield part.get("items", {})
    elif step in part.get("properties", {}):
        yield part["properties"][step]
    else:
        yield from (below for pattern, below in part.get("patternProperties", {}).items() if re.search(pattern, step))
        yield part.get("additionalProperties", {})


def keys_at(name: str, path: Path) -> dict[str, str]:
    """The keys that a mapping may have, each with what it means."""
    whole = _whole(name)
    found: dict[str, str] = {}
    for part in schemas_at(name, path):
        for key, below in part.get("properties", {}).items():
            means = (one["description"] for one in _forms(below, whole) if "description" in one)
            found.setdefault(key, next(means, ""))
    return found


def choices_at(name: str, path: Path) -> tuple[str, ...]:
    """The words that a value may be, if the schema lists them or says that they are the names of icons."""
    listed = (one for part in schemas_at(name, path) for one in (*part.get("enum", ()), *_only(part), *_icons(part)))
    return tuple(dict.fromkeys(one for one in listed if isinstance(one, str)))


def _icons(part: Schema) -> Iterable[str]:
    return icons() if part.get("x-names") == "icons" else ()


def _only(part: Schema) -> tuple[Any, ...]:
    return (part["const"],) if "const" in part else ()


def is_word(name: str, path: Path) -> bool:
    """Whether the last key of a path is a word of the format, and no name that the author chose."""
    return bool(path) and isinstance(path[-1], str) and path[-1] in keys_at(name, path[:-1])
