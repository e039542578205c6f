"""What other projects use of this one: package metadata, pre-commit hooks and the GitHub action."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from ftk_cli import settings
from rulespec.base.project import FOLDER
from rulespec.base.spreadsheet.reading import ENDINGS

pytestmark = pytest.mark.slow("starts the command")

ROOT = Path(__file__).parents[1]

SPEC = """rulespec: 2
game: {id: coin, version: 1.0.0, title: Coin, players: 2}
values: {coins: {type: 0..1, start: 0, title: coins}}
play: [{id: end, title: The end, rank: {among: {p: player}, by: [{high: coins, title: coins}], left: share}}]
"""
BROKEN = SPEC.replace("high: coins", "high: coin")


@pytest.fixture(params=[(SPEC, 0), (BROKEN, 1)], ids=["clean", "broken"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int]:
    """A project with a spec of its own, and the exit status of a check of it."""
    content, status = request.param
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "coin.yaml").write_text(content, encoding="utf-8")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "ftk"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ftk_cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return tmp_path, status


def run(folder: Path, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, **variables}
    return subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)


def loaded(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_package_metadata() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (ROOT / project["readme"]).is_file()
    assert project["keywords"] and project["urls"]["Changelog"]


def test_hook_checks_the_project(project: tuple[Path, int]) -> None:
    folder, status = project
    hook = next(hook for hook in loaded(".pre-commit-hooks.yaml") if hook["id"] == "ftk-check")
    done = run(folder, hook["entry"])
    assert done.returncode == status, done.stdout + done.stderr
    assert ("specs/coin.yaml" in done.stdout) is bool(status)


def test_hooks_run_for_every_file_that_a_check_reads() -> None:
    files = [f"{FOLDER}/{name}" for name in ("coin.yaml", "looks/a.svg", "languages/de/x.words", "coin/text.md")]
    files += [*(f"lists/cards{ending}" for ending in ENDINGS), settings.OWN, f"sub/{settings.SHARED}"]
    for hook in loaded(".pre-commit-hooks.yaml"):
        assert all(re.search(hook["files"], name) for name in files)
        assert not re.search(hook["files"], "README.md") and not re.search(hook["files"], "src/specs.py")


def test_action_checks_the_project(project: tuple[Path, int]) -> None:
    folder, status = project
    script = loaded("action.yml")["runs"]["steps"][-1]["run"]
    done = run(folder, script, PATHS="", FAIL_ON="error", SARIF="found.sarif")
    assert done.returncode == status, done.stdout + done.stderr
    assert ("::error file=specs/coin.yaml" in done.stdout) is bool(status)
    assert (folder / "found.sarif").stat().st_size > 0


def test_action_checks_the_named_paths(project: tuple[Path, int]) -> None:
    folder, _ = project
    script = loaded("action.yml")["runs"]["steps"][-1]["run"]
    done = run(folder, script, PATHS="specs/coin.yaml specs/none.yaml", FAIL_ON="error", SARIF="")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "specs/none.yaml" in done.stdout


def test_action_declares_every_input_it_reads() -> None:
    action = loaded("action.yml")
    steps = str(action["runs"]["steps"])
    assert all(f"inputs.{name}" in steps for name in action["inputs"])
