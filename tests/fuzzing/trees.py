"""Files as trees of lists, pairs and values, and trees as files again. A tree may be nonsense; it is written anyway."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.dom import minidom

import yaml


class Pairs(list[Any]):
    """A mapping as a list of [key, value], so that keys can be repeated, swapped or of any type."""


@dataclass(frozen=True)
class Format:
    """How a format is parsed and written."""

    parse: Callable[[str], Any]
    write: Callable[[Any], str]


def _pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return Pairs([key, _pairs(item)] for key, item in value.items())
    return [_pairs(item) for item in value] if isinstance(value, list | tuple) else value


def _json(node: Any) -> str:
    """A tree as JSON, without recursion, since trees may be nested deeper than Python calls."""
    return "".join(_json_parts(node))


def _json_parts(node: Any) -> Iterator[str]:
    stack: list[Any] = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, _Written):
            yield top
        elif isinstance(top, Pairs):
            parts = [_Written("{")]
            for number, pair in enumerate(top):
                key, *rest = pair if isinstance(pair, list) and pair else [pair]
                parts += [_Written(", " if number else ""), _key(key), _Written(": "), *(rest[:1] or [None])]
            stack += reversed([*parts, _Written("}")])
        elif isinstance(top, list):
            parts = [_Written("[")]
            for number, item in enumerate(top):
                parts += [_Written(", " if number else ""), item]
            stack += reversed([*parts, _Written("]")])
        else:
            yield _value(top)


class _Written(str):
    """Text that is part of the output as it is."""


def _key(key: Any) -> Any:
    plain = isinstance(key, int) or (isinstance(key, str) and re.fullmatch(r"[a-z_]\w*|\d+|[1-9]\.\.\d", key))
    return _Written(key) if plain else key


def _value(value: Any) -> str:
    if isinstance(value, str | bool) or value is None:
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _strict_json(node: Any) -> str:
    """A tree as JSON whose keys are texts."""
    parts = _json_parts(node)
    return "".join(f'"{part}"' if part[:1].isalnum() and isinstance(part, _Written) else part for part in parts)


def _json_lines(node: Any) -> str:
    lines = node if isinstance(node, list) else [node]
    return "".join(f"{line if isinstance(line, str) else _strict_json(line)}\n" for line in lines)


# --- XML --------------------------------------------------------------------------------------------------------------


def _parse_xml(text: str) -> Any:
    return _element(minidom.parseString(text.encode()).documentElement)


def _element(element: Any) -> Any:
    children = [
        _element(child) if child.nodeType == child.ELEMENT_NODE else child.data
        for child in element.childNodes
        if child.nodeType in (child.ELEMENT_NODE, child.TEXT_NODE)
    ]
    return [element.tagName, Pairs([name, value] for name, value in element.attributes.items()), children]


def _xml(node: Any) -> str:
    out: list[str] = ['<?xml version="1.0"?>\n']
    stack: list[Any] = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, _Written):
            out.append(top)
        elif isinstance(top, list) and len(top) == 3 and isinstance(top[2], list):
            name, attributes = _name(top[0]), top[1] if isinstance(top[1], Pairs) else []
            given = "".join(f' {_name(p[0])}="{_escaped(p[-1])}"' for p in attributes if isinstance(p, list) and p)
            out.append(f"<{name}{given}>")
            stack += [_Written(f"</{name}>"), *reversed(top[2])]
        elif isinstance(top, list):
            stack += reversed(top)
        else:
            out.append(_escaped(top))
    return "".join(out)


def _name(value: Any) -> str:
    return value if isinstance(value, str) else f"n{_cell(value)[:20]}"


def _escaped(value: Any) -> str:
    text = _cell(value)
    return text if text.startswith("&") else text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


# --- tables and lines -------------------------------------------------------------------------------------------------


def _parse_csv(text: str) -> Any:
    return [list(row) for row in csv.reader(io.StringIO(text))]


def _csv(node: Any) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in node if isinstance(node, list) else [node]:
        writer.writerow([_cell(cell) for cell in row] if isinstance(row, list) else [_cell(row)])
    return out.getvalue()


def _cell(value: Any) -> str:
    return _json(value) if isinstance(value, list) else str(value)


def _parse_blocks(text: str) -> Any:
    return [block.split("\n") for block in text.split("\n\n")]


def _blocks(node: Any) -> str:
    blocks = node if isinstance(node, list) else [node]
    return "\n\n".join("\n".join(map(_cell, b)) if isinstance(b, list) else _cell(b) for b in blocks)


FORMATS = {
    "yaml": Format(lambda text: _pairs(yaml.safe_load(text)), _json),
    "json": Format(lambda text: _pairs(json.loads(text)), _strict_json),
    "jsonl": Format(lambda text: [_pairs(json.loads(line)) for line in text.splitlines()], _json_lines),
    "xml": Format(_parse_xml, _xml),
    "csv": Format(_parse_csv, _csv),
    "blocks": Format(_parse_blocks, _blocks),
}
