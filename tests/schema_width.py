"""What one JSON Schema accepts and another refuses, as far as their keywords show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

_LEAST = ("minItems", "minProperties", "minLength", "minimum")
_MOST = ("maxItems", "maxProperties", "maxLength", "maximum")
_ABOUT = {"items": "array", "propertyNames": "object"}
"""Keywords that say nothing about instances of other types, as JSON Schema has it."""
_BRANCHES = ("then", "else", "items", "propertyNames")


def narrower(old: Schema, new: Schema) -> Iterator[str]:
    """Where `new` refuses what `old` accepts: the path of a keyword, and what it demands."""
    yield from _narrower(old, new, old, new, "", frozenset())


def _narrower(a: Any, b: Any, old: Schema, new: Schema, path: str, seen: frozenset[str]) -> Iterator[str]:
    if not isinstance(a, dict) or not isinstance(b, dict):
        if a != b and b is not True:
            yield f"{path}: {b}"
        return
    if "$ref" in a:
        if a["$ref"] in seen:
            return
        seen |= {a["$ref"]}
    a, b = _whole(a, old), _whole(b, new)
    b = _otherwise(a, b, new)
    yield from _limits(a, b, path)
    for name in a.get("properties", {}):
        there = b.get("properties", {}).get(name)
        if there is None:
            if b.get("additionalProperties") is False:
                yield f"{path}/{name}: no key any more"
        else:
            yield from _narrower(a["properties"][name], there, old, new, f"{path}/{name}", seen)
    for name in _BRANCHES:
        if name in b and name in a:
            yield from _narrower(a[name], b[name], old, new, f"{path}/{name}", seen)
        elif name in b and _takes(a, _ABOUT.get(name)) and not _is_annotation(b[name]):
            yield f"{path}/{name}: demanded now"
    if isinstance(a.get("additionalProperties", True), dict):
        yield from _narrower(a["additionalProperties"], b.get("additionalProperties", {}), old, new, f"{path}/*", seen)
    elif b.get("additionalProperties", True) is False and a.get("additionalProperties", True) is not False:
        yield f"{path}: other keys are refused"
    rivals = a.get("dependentSchemas", {})
    for name, part in b.get("dependentSchemas", {}).items():
        if name in rivals:
            yield from _narrower(rivals[name], part, old, new, f"{path}/with {name}", seen)
        elif name in a.get("properties", {}):
            yield f"{path}/with {name}: demanded now"


def _whole(part: Schema, root: Schema) -> Schema:
    """A part with what it refers to."""
    while "$ref" in part:
        target = root["$defs"][part["$ref"].removeprefix("#/$defs/")]
        part = {**target, **{key: value for key, value in part.items() if key != "$ref"}}
    return part


def _limits(a: Schema, b: Schema, path: str) -> Iterator[str]:
    if more := {*b.get("required", ())} - {*a.get("required", ())}:
        yield f"{path}: {', '.join(sorted(more))} required"
    if "enum" in b and ("enum" not in a or {*map(str, a["enum"])} - {*map(str, b["enum"])}):
        yield f"{path}: one of {b['enum']} only"
    if "type" in b and ("type" not in a or {*_list(a["type"])} - {*_list(b["type"])}):
        yield f"{path}: of type {b['type']} only"
    if "pattern" in b and not _accepts_all(a.get("pattern", ""), b["pattern"]):
        yield f"{path}: {b['pattern']}"
    for keyword, sign in (*((name, 1) for name in _LEAST), *((name, -1) for name in _MOST)):
        if keyword in b and (keyword not in a or sign * a[keyword] < sign * b[keyword]):
            yield f"{path}: {keyword} {b[keyword]}"
    for name, needed in b.get("dependentRequired", {}).items():
        known = a.get("properties", {})
        if name in known and {*needed} - {*a.get("dependentRequired", {}).get(name, ())}:
            yield f"{path}/{name}: needs {', '.join(needed)}"


def _otherwise(a: Schema, b: Schema, new: Schema) -> Schema:
    """What `b` demands of instances of `a`: its `else`, if none of them meets its condition."""
    if "else" not in b or not _refuses(a, b.get("if", {})):
        return b
    return {key: value for key, value in b.items() if key not in ("if", "then", "else")} | _whole(b["else"], new)


def _refuses(a: Schema, condition: Schema) -> bool:
    """Whether a condition is a type that `a` does not accept, or demands a key that it does not have."""
    if [*condition] == ["type"]:
        return not any(_takes(a, kind) for kind in _list(condition["type"]))
    closed = [*condition] == ["required"] and a.get("additionalProperties", True) is False
    return closed and not {*condition["required"]} <= {*a.get("properties", {})}


def _takes(part: Schema, kind: str | None) -> bool:
    """Whether a schema accepts instances of a type; None stands for any."""
    return kind is None or "type" not in part or kind in _list(part["type"])


def _is_annotation(part: Schema) -> bool:
    """Whether a schema says only what editors read."""
    return isinstance(part, dict) and all(key.startswith("x-") for key in part)


def _accepts_all(old: str, new: str) -> bool:
    """Whether a pattern is another one, that with an optional group or further choices at its end, or that with more
    characters or repetitions, and so accepts all that this does."""
    begin = old.removesuffix("$")
    group = new.removeprefix(begin)
    is_longer = bool(begin) and new.startswith(f"{begin}(") and group.endswith(")?$") and group.count("(") == 1
    parts = [re.findall(r"\[[^]]*]|\{[^}]*}|.", one) for one in (old, new)]
    is_wider = len(parts[0]) == len(parts[1]) and all(map(_is_wider, *parts))
    return is_wider or is_longer or (bool(_choices(old)) and _choices(old) < _choices(new))


def _is_wider(old: str, new: str) -> bool:
    """Whether a part of a pattern accepts all that another does: the same, more characters, or more repetitions."""
    if old[0] == new[0] == "{":
        (low, _, high), (least, _, most) = (one[1:-1].partition(",") for one in (old, new))
        return int(least) <= int(low) and int(most or least) >= int(high or low)
    return old == new or (old[0] == new[0] == "[" and "-" not in old + new and {*old} < {*new})


def _choices(pattern: str) -> frozenset[str]:
    """What a pattern with a choice at its end accepts: the pattern with each of them."""
    found = re.fullmatch(r"(.*\()([^()]*)\)\$", pattern)
    return frozenset(f"{found[1]}{one})$" for one in found[2].split("|")) if found else frozenset()


def _list(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]
