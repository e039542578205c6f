"""The settings of a project: what they change, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ftk

SPARE = "values:\n  spare: {per: suit, type: 0..3, start: 0}\n"


@pytest.fixture
def river(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which a value is never used."""
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "-q")
    spec = tmp_path / "specs/river.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace("values:\n", SPARE), encoding="utf-8")
    return tmp_path


def severities(*options: str) -> tuple[int, list[str]]:
    result = ftk("check", "specs/river.yaml", "--format", "json", *options)
    return result.exit_code, [one["severity"] for one in json.loads(result.output)["findings"]]


CHANGES = {
    "": (0, ["warning"]),
    'ignore = ["RS619"]': (0, []),
    'ignore = ["never-used"]': (0, []),
    'fail-on = "warning"': (1, ["warning"]),
    'severity = {RS619 = "error"}': (1, ["error"]),
    'fail-on = "warning"\n[severity]\nnever-used = "info"': (0, ["info"]),
}


@pytest.mark.parametrize("content", CHANGES)
@pytest.mark.parametrize("name", ["ftk.toml", "pyproject.toml"])
def test_settings_change_what_is_found(content: str, name: str, river: Path) -> None:
    shared = f"[tool.ftk]\n{content.replace('[severity]', '[tool.ftk.severity]')}\n"
    (river / name).write_text(content if name == "ftk.toml" else shared, encoding="utf-8")
    assert severities() == CHANGES[content]


def test_the_command_line_and_the_nearest_file_come_first(river: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (river / "pyproject.toml").write_text('[tool.other]\nx = 1\n[tool.ftk]\nignore = ["RS619"]\n', encoding="utf-8")
    assert severities() == (0, [])
    (river / "ftk.toml").write_text('fail-on = "warning"\n', encoding="utf-8")
    assert severities() == (1, ["warning"])
    assert severities("--fail-on", "error") == (0, ["warning"])
    monkeypatch.chdir(river / "below")
    assert ftk("check").exit_code == 1


WRONG = {
    "ignore = [": "is no TOML",
    "ignore = " + "[" * 500: "is nested too deep",
    "ignore = " + "9" * 4301: "has too long a number or key",
    "a" + ".a" * 20_000 + " = 1": "has too long a number or key",
    "ignore = 3": "`ignore` is 3, and must be a list.",
    'ignore = ["RS301"]': "names RS301, an error, which stays one.",
    'ignore = ["nevr-used"]': "Did you mean `never-used`?",
    "ignore = [7]": "names 7, which is no kind of finding.",
    'ignored = ["RS619"]': "Did you mean `ignore`?",
    "severity = 3": "`severity` is 3, and must be a table.",
    'severity = {RS619 = "fatal"}': "the severity of RS619 is 'fatal'.",
    'severity = {RS301 = "info"}': "names RS301, an error",
    'fail-on = "never"': "`fail-on` is 'never'.",
}


@pytest.mark.parametrize("content", WRONG, ids=lambda content: content[:40])
def test_wrong_settings_are_refused(content: str, river: Path) -> None:
    (river / "ftk.toml").write_text(content, encoding="utf-8")
    result = ftk("check")
    assert result.exit_code == 3
    assert "ftk.toml" in result.stderr and WRONG[content] in result.stderr and "Traceback" not in result.output


def test_files_of_others_and_of_notepad(river: Path) -> None:
    """A broken `pyproject.toml` that is not about ftk belongs to another project; some editors write a mark first."""
    (river / "pyproject.toml").write_text("[tool", encoding="utf-8")
    assert severities() == (0, ["warning"])
    (river / "ftk.toml").write_text('ignore = ["RS619"]\n', encoding="utf-8-sig")
    assert severities() == (0, [])
    (river / "ftk.toml").unlink()
    (river / "pyproject.toml").write_text("[tool.ftk]\nignore = [", encoding="utf-8")
    assert ftk("check").exit_code == 3
