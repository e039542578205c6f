"""The part of the schema of specs that is about steps, made of the keys of all constructs.

python -m rulespec.language.model.steps.schema     writes it into the published schema
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from rulespec.language.formats import FORMATS
from rulespec.language.model.steps.fields import Head, Key, Schema, is_flat, keys_of
from rulespec.language.model.steps.table import OPERATIONS, PARTS

_WIDTH, _DEEPEST = 160, 4
"""How long a line of the published schema may be, and down to which level mappings stand on several lines."""

_COMMON = ("id", "origin", "title", "note", "only_if")
"""The keys of every step."""


def definitions(others: dict[str, Any]) -> dict[str, Any]:
    """The definitions of a schema with those of all constructs in place of what it has of them."""
    made = {"step": _step(others["step"])}
    made |= {key: _nested(step) for key, step in OPERATIONS.items() if not is_flat(step)}
    made |= {name: _nested(part, rule=True) for name, part in PARTS.items()}
    return {**others, **made}


def _beside(step: Any) -> list[Key]:
    """The keys that stand beside that of a step."""
    return [key for key in keys_of(step) if key.name != step.key] if is_flat(step) else []


def _step(written: Schema) -> Schema:
    """A step: its keys, those that go together, and those that need another one."""
    properties: Schema = {key: written["properties"][key] for key in _COMMON if key != "note"}
    alone: Schema = {}
    for name, step in OPERATIONS.items():
        if is_flat(step):
            properties |= {key.name: key.schema for key in keys_of(step) if not key.shared}
        else:
            properties[name] = {**_aka(step.head), **_titled(step.head), "$ref": f"#/$defs/{name}"}
    shared = {key.name for step in OPERATIONS.values() for key in _beside(step) if key.shared}
    guests = {name: [step for step in OPERATIONS.values() if name in _names(_beside(step))] for name in shared}
    for name, step in OPERATIONS.items():
        beside = _beside(step)
        others = [key for guest in guests.get(name, ()) for key in (guest.key, *_names(_beside(guest))) if key != name]
        required = [key.name for key in beside if not key.optional]
        keys = dict.fromkeys((*_COMMON, name, *_names(beside), *others), True)
        needed = {"required": required} if required else {}
        alone[name] = {"properties": keys, **needed, "additionalProperties": False}
    hosts = {key.name: [step.key] for host in guests.values() for step in host for key in _beside(step)}
    needs = {key: step for key, step in hosts.items() if key not in shared} | {"origin": ["id"]}
    return {
        **written,
        "description": f"A step does one thing: {_listed([*OPERATIONS])}. It may have an id and a title: "
        "then it is a rule.",
        "properties": properties,
        "anyOf": [{"required": [key]} for key in OPERATIONS],
        "dependentRequired": needs,
        "dependentSchemas": {key: one for key, one in alone.items() if key != "note"},
    }


def _nested(construct: Any, rule: bool = False) -> Schema:
    """A construct that is a mapping: its keys, those that exclude each other, and those that must be there."""
    head: Head = construct.head
    common = head.common if rule else ()
    keys = list(keys_of(construct))
    properties = {key: {"$ref": f"#/$defs/{key}"} for key in common} | {key.name: key.schema for key in keys}
    required = [key.name for key in keys if not key.optional]
    made: Schema = {**head.schema(), "type": "object"}
    made |= {"required": required} if required else {}
    made |= {"additionalProperties": False, "properties": properties, **head.further}
    if head.least:
        made["anyOf"] = [{"required": [key]} for key in head.least]
        made["dependentSchemas"] = {way: _way(way, common, keys, head) for way in head.least}
    return made


def _way(way: str, common: tuple[str, ...], keys: list[Key], head: Head) -> Schema:
    """The keys that go with one of several that exclude each other."""
    fit = [
        key.name for key in keys if key.name not in head.least and way in (key.ways or (key.schema.get("x-with", way),))
    ]
    needs = {"required": [*head.needs[way]]} if way in head.needs else {}
    return {"properties": dict.fromkeys((*common, way, *fit), True), **needs, "additionalProperties": False}


def _names(keys: list[Key]) -> list[str]:
    return [key.name for key in keys]


def _aka(head: Head) -> Schema:
    return {"x-aka": head.aka.split()} if head.aka else {}


def _titled(head: Head) -> Schema:
    return {"title": head.title, "description": head.text}


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def main(path: Path) -> None:
    """Writes the definitions of all constructs into the schema in a file."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["$defs"] = definitions(schema["$defs"])
    path.write_text(_laid_out(schema, 0) + "\n", encoding="utf-8")


def _laid_out(value: Any, depth: int) -> str:
    """JSON with what fits on one line on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(flat) + 2 * depth <= _WIDTH or depth > _DEEPEST:
        return flat
    keys = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    inner = [key + _laid_out(one, depth + 1) for key, one in zip(keys, _items(value), strict=True)]
    margin = "\n" + "  " * (depth + 1)
    body = margin + f",{margin}".join(inner) + "\n" + "  " * depth
    return f"{{{body}}}" if isinstance(value, dict) else f"[{body}]"


def _items(value: Any) -> list[Any]:
    return [*value.values()] if isinstance(value, dict) else value


if __name__ == "__main__":
    main(Path(str(files("rulespec.language.schema").joinpath(f"{FORMATS['spec'].schema}.schema.json"))))
