"""The published schemas in the tools that read them: a YAML language server and check-jsonschema."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from language_server import Client, executable, started

from rulespec.language.formats.table import FORMATS
from rulespec.language.schema.validate import text

ROOT = Path(__file__).parents[1]
SPECS = ROOT / "specs"
KINDS = {
    "rulespec": sorted(SPECS.glob("*.yaml")),
    "scenario": sorted(SPECS.glob("scenarios/*/*.yaml")),
    "translation": sorted(SPECS.glob("translations/*/*.yaml")),
    "glossary": sorted(SPECS.glob("glossaries/*.yaml")),
}
NUMBERS = {one.key: one.number for one in FORMATS.values()}
FILES = [path for paths in KINDS.values() for path in paths]

needs_server = pytest.mark.skipif(executable() is None, reason="no yaml-language-server: `make tools`")


def relative(path: Path) -> str:
    return str(path.relative_to(SPECS))


def draft(kind: str, *lines: str) -> str:
    """A file of the kind that names its schema in the first line, as an editor has it open."""
    schema = (ROOT / "rulespec" / "language" / "schema" / f"{kind}-{NUMBERS[kind]}.schema.json").as_uri()
    return "\n".join((f"# yaml-language-server: $schema={schema}", *lines))


@pytest.fixture(scope="module")
def server() -> Iterator[Client]:
    with started() as client:
        yield client


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_shipped_files_name_their_schema(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    kind = next(kind for kind, paths in KINDS.items() if path in paths)
    prefix, _, named = first.partition("$schema=")
    assert prefix == "# yaml-language-server: "
    assert (
        path.parent / named
    ).resolve() == ROOT / "rulespec" / "language" / "schema" / f"{kind}-{NUMBERS[kind]}.schema.json"


@needs_server
@pytest.mark.parametrize("path", FILES, ids=relative)
@pytest.mark.sample(12)
def test_shipped_files_have_no_errors_in_an_editor(server: Client, path: Path) -> None:
    assert [found["message"] for found in server.diagnostics(path)] == []


@needs_server
def test_an_editor_shows_a_mistake(server: Client, tmp_path: Path) -> None:
    lines = ("rulespec: 2", "game: {id: tiny, version: 1.0.0, players: 2}", "play: []", "zones: {hand: {seen: owner}}")
    found = server.diagnostics(tmp_path / "tiny.yaml", draft("rulespec", *lines))
    assert any(item["range"]["start"]["line"] == 4 for item in found), found


STEPS = ("do", "if", "repeat", "each", "random", "choose", "move", "shuffle", "set", "run", "note")
BLOCKS = ("draft", "auction", "secret", "decide", "award", "rank")


@needs_server
@pytest.mark.parametrize(
    ("kind", "lines", "wanted"),
    [
        ("rulespec", ("rulespec: 2", "play:", "  - id: turn", "    "), STEPS + BLOCKS),
        ("rulespec", ("rulespec: 2", "zones:", "  hand:", "    "), ("seen_by", "per", "order", "title")),
        ("scenario", ("scenario: 2", "cases:", "  - id: turn", "    "), ("title", "players", "given", "do", "expect")),
        ("deck", ("deck: 1", ""), ("game", "replaces", "cards")),
        ("translation", ("translation: 3", ""), ("game", "lang", "rules", "rulings")),
        ("glossary", ("glossary: 1", "concepts:", "  deck:", "    "), ("names", "defined_by", "note")),
    ],
)
def test_completion_lists_the_keys(
    server: Client, tmp_path: Path, kind: str, lines: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    path = tmp_path / f"{kind}.yaml"
    server.diagnostics(path, draft(kind, *lines))
    items = server.at("completion", path, len(lines), len(lines[-1]))["items"]
    explained = {item["label"] for item in items if item.get("documentation")}
    assert set(wanted) <= explained


@needs_server
@pytest.mark.parametrize(
    ("kind", "path", "key"),
    [
        (kind, paths[0], key)
        for (kind, paths), key in zip(KINDS.items(), ("zones", "expect", "rules", "concepts"), strict=True)
    ],
)
def test_hover_explains_a_key(server: Client, kind: str, path: Path, key: str) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    line, column = next(
        (number, text.index(f"{key}:")) for number, text in enumerate(lines) if text.lstrip().startswith(f"{key}:")
    )
    server.diagnostics(path)
    shown = server.at("hover", path, line, column + 1)["contents"]["value"]
    assert _description(kind, key) in shown


def _description(kind: str, key: str) -> str:
    schema: dict[str, Any] = json.loads(text(f"{kind}-{NUMBERS[kind]}"))
    parts = [schema, *schema["$defs"].values()]
    entry = next(part["properties"][key] for part in parts if key in part.get("properties", {}))
    target = schema["$defs"].get(entry.get("$ref", "").removeprefix("#/$defs/"), {})
    return str({**target, **entry}["description"])


@pytest.mark.skipif(find_spec("check_jsonschema") is None, reason="check-jsonschema is not installed")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sample(1)
def test_shipped_files_pass_check_jsonschema(kind: str) -> None:
    schema = ROOT / "rulespec" / "language" / "schema" / f"{kind}-{NUMBERS[kind]}.schema.json"
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), *map(str, KINDS[kind])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
