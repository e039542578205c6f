"""The part of the schema of specs that is about steps, made of the keys of all constructs.

python -m rulespec.language.model.steps.schema     writes it into the published schema

What is said of keys and constructs in messages and editors is written in the published schema, and kept.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from rulespec.language.formats.table import FORMATS
from rulespec.language.model.steps.fields import Head, Key, Schema, head_of, is_flat, keys_of, mapping
from rulespec.language.model.steps.table import OPERATIONS, PARTS

_WIDTH, _DEEPEST = 160, 4
"""How long a line of the published schema may be, and down to which level mappings stand on several lines."""

_COMMON = ("id", "origin", "title", "note", "only_if")
"""The keys of every step."""

_WORDS = frozenset(
    ("title", "description", *map("x-{}".format, ["aka", "also", "empty", "hint", "kind", "name", "names", "question"]))
)
"""What is said of a key or a construct, in contrast to its shape."""


def definitions(written: dict[str, Any]) -> dict[str, Any]:
    """The definitions of a schema with those of all constructs in place of what it has of them, with its words."""
    made = {"step": _step(written["step"])}
    made |= {key: _nested(step) for key, step in OPERATIONS.items() if not is_flat(step)}
    made |= {name: _nested(part, head_of(part).common) for name, part in PARTS.items()}
    return {**written, **{name: _worded(shape, written.get(name)) for name, shape in made.items()}}


def unworded(schema: dict[str, Any]) -> list[str]:
    """The keys and constructs of which a schema says nothing: each needs a description, and a mapping a kind."""
    found = []
    for name in ("step", *OPERATIONS, *PARTS):
        shape = schema.get(name, {})
        found += [name] if shape and "x-kind" not in shape else []
        for key, one in shape.get("properties", {}).items():
            named = schema.get(one.get("$ref", "").removeprefix("#/$defs/"), {})
            found += [] if "description" in {**named, **one} else [f"{name}.{key}"]
    return found


def _worded(shape: Any, written: Any, names: bool = False) -> Any:
    """A shape with the words that stand at its places. The keys of a mapping are `names`, no words."""
    if not isinstance(shape, dict):
        return shape
    there = written if isinstance(written, dict) else {}
    words = {} if names else {key: text for key, text in there.items() if key in _WORDS}
    inner = {key: _worded(one, there.get(key), key == "properties") for key, one in shape.items()}
    return {**words, **inner}


def _step(written: Schema) -> Schema:
    """A step: its keys, those that go together, and those that need another one."""
    properties: Schema = {key: written["properties"][key] for key in _COMMON if key != "note"}
    alone: Schema = {}
    for name, step in OPERATIONS.items():
        flat = {key.name: _beside(key) for key in keys_of(step) if not key.shared}
        properties |= flat if is_flat(step) else {name: {"$ref": f"#/$defs/{name}"}}
    companions = {name: [key for key in keys_of(step) if key.name != name] for name, step in OPERATIONS.items()}
    companions = {name: keys if is_flat(OPERATIONS[name]) else [] for name, keys in companions.items()}
    shared = {key.name for keys in companions.values() for key in keys if key.shared}
    guests = {name: [host for host, keys in companions.items() if name in _names(keys)] for name in shared}
    for name, keys in companions.items():
        others = [key for guest in guests.get(name, ()) for key in (guest, *_names(companions[guest])) if key != name]
        required = [key.name for key in keys if not key.optional]
        allowed = dict.fromkeys((*_COMMON, name, *_names(keys), *others), True)
        needed = {"required": required} if required else {}
        alone[name] = {"properties": allowed, **needed, "additionalProperties": False}
    hosts = {key.name: [guest] for hosted in guests.values() for guest in hosted for key in companions[guest]}
    return {
        **written,
        "description": f"A step does one thing: {_listed([*OPERATIONS])}. It may have an id and a title: "
        "then it is a rule.",
        "properties": properties,
        "anyOf": [{"required": [key]} for key in OPERATIONS],
        "dependentRequired": {key: step for key, step in hosts.items() if key not in shared} | {"origin": ["id"]},
        "dependentSchemas": {key: one for key, one in alone.items() if key != "note"},
    }


def _nested(construct: Any, common: tuple[str, ...] = ()) -> Schema:
    """A construct that is a mapping: its keys, those that exclude each other, and those that must be there."""
    head, keys = head_of(construct), [*keys_of(construct)]
    made = mapping(*keys)
    beside = {key.name: [key.beside] for key in keys if key.beside and key.beside not in head.least}
    made |= {"dependentRequired": beside} if beside else {}
    rules = {key: {"$ref": f"#/$defs/{key}"} for key in common}
    made["properties"] = rules | {key.name: _beside(key) for key in keys}
    if head.least:
        made["anyOf"] = [{"required": [key]} for key in head.least]
        made["dependentSchemas"] = {way: _way(way, common, keys, head) for way in head.least}
    return made


def _way(way: str, common: tuple[str, ...], keys: list[Key], head: Head) -> Schema:
    """The keys that go with one of several that exclude each other."""
    goes = {key.name: key.ways or (key.beside or way,) for key in keys if key.name not in head.least}
    fit = [name for name, ways in goes.items() if way in ways]
    needs = {"required": [*head.needs[way]]} if way in head.needs else {}
    return {"properties": dict.fromkeys((*common, way, *fit), True), **needs, "additionalProperties": False}


def _beside(key: Key) -> Schema:
    """The shape of the value of a key, with the key that it stands beside."""
    return {"x-with": key.beside, **key.schema} if key.beside else key.schema


def _names(keys: list[Key]) -> list[str]:
    return [key.name for key in keys]


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def main(path: Path) -> None:
    """Writes the definitions of all constructs into the schema in a file."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["$defs"] = definitions(schema["$defs"])
    path.write_text(_laid_out(schema, 0) + "\n", encoding="utf-8")
    for name in unworded(schema["$defs"]):
        print(f"{path.name}: write what `{name}` is: a description, and for a mapping its kind")


def _laid_out(value: Any, depth: int) -> str:
    """JSON with what fits on one line on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(flat) + 2 * depth <= _WIDTH or depth > _DEEPEST:
        return flat
    keys = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    items = [*value.values()] if isinstance(value, dict) else value
    inner = [key + _laid_out(one, depth + 1) for key, one in zip(keys, items, strict=True)]
    margin = "\n" + "  " * (depth + 1)
    body = margin + f",{margin}".join(inner) + "\n" + "  " * depth
    return f"{{{body}}}" if isinstance(value, dict) else f"[{body}]"


if __name__ == "__main__":
    main(Path(str(files("rulespec.language.schema").joinpath(f"{FORMATS['spec'].schema}.schema.json"))))
