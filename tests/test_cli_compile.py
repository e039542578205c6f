"""`ftk compile`: the compiled program of a spec, printed or written to files."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ftk_cli.main import main
from ftk_cli.options import OneOf
from ftk_cli.options import engines as names_of_engines
from rulespec.engine.backend.engines import table

pytestmark = pytest.mark.slow("machine code is compiled")

NATIVE = [] if table.ENGINES["native"].missing else ["native"]
WAYS = [(engine, form) for engine in ("compiled", *NATIVE) for form in ("games", "decisions")]
ROWS = "\n".join(
    f'          - {{when: "x == {n} and y <= {n % 10}", do: {{set: {{y: {n % 10}}}}}}}' for n in range(320)
)
DEEP = f"""
rulespec: 2
game: {{id: deep, version: 1.0.0, title: Deep, players: 1}}
values: {{x: {{type: 0..320, start: 0}}, y: {{type: 0..10, start: 0}}}}
play:
  - {{id: pick, choose: {{by: seat(1), options: [{{says: "{{n}}", pick: {{n: 0..319}}, do: {{set: {{x: n}}}}}}]}}}}
  - id: table
    decide:
      hit: first
      rows:
{ROWS}
      otherwise: {{set: {{y: 10}}}}
  - {{id: end, rank: {{among: {{p: player}}, by: [{{high: y, title: y}}], left: share}}}}
"""


def ftk(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compile", *map(str, arguments)])


def test_the_engines_offered_are_those_there_are() -> None:
    assert tuple(OneOf("engine", names_of_engines).choice.choices) == (table.AUTO, *table.ENGINES)


@pytest.mark.parametrize(("engine", "form"), WAYS)
def test_printed_source_is_python(engine: str, form: str) -> None:
    result = ftk("kingme", "--engine", engine, "--form", form, "--print")
    functions = {node.name for node in ast.parse(result.stdout).body if isinstance(node, ast.FunctionDef)}
    wanted = {"games": {"compiled": "play", "native": "play"}, "decisions": {"compiled": "at_", "native": "carry_out"}}
    assert result.exit_code == 0 and result.stdout.startswith("# kingme 1.")
    assert any(name.startswith(wanted[form][engine]) for name in functions)


@pytest.mark.parametrize(("engine", "form"), WAYS)
def test_what_is_made_once_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, form: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first, second = (ftk("kingme", "--engine", engine, "--form", form) for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert f"({engine}): compiled in" in first.stdout and "read from the cache in" in second.stdout
    assert str(tmp_path / "ftk") in first.stdout


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deep") / "deep.yaml"
    path.write_text(DEEP, encoding="utf-8")
    return path


@pytest.mark.parametrize("engine", ("compiled", *NATIVE))
@pytest.mark.parametrize("more", [(), ("--print",), ("--form", "decisions")])
@pytest.mark.sample(1)
@pytest.mark.slow("compiles a table of 1,200 rows")
def test_what_is_nested_too_deeply_is_said(deep: Path, engine: str, more: tuple[str, ...]) -> None:
    result = ftk(deep, "--engine", engine, *more)
    assert (result.exit_code, result.stdout) == (3, "") and "nested too deeply" in result.stderr


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("", encoding="utf-8")
    (tmp_path / "other.yaml").write_bytes("rulespec: 2 # č".encode("utf-16"))
    statuses = [ftk(tmp_path / name).exit_code for name in ("no.yaml", "empty.yaml", "other.yaml")]
    assert statuses[0] == 3 and all(statuses) and ftk("kingme", "--players", 9).exit_code == 2
