"""What a command reads and writes: inputs are never overwritten, pipes never read, languages found by a short tag."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import ftk
from test_project import TEXTS, write_games

from ftk_cli.text.languages import matching
from rulespec.base.source import read

SPEC = Path("specs/high_card.yaml")
EN = Path("specs/translations/high_card/en.yaml")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_games(tmp_path / "specs", "high_card")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add_language(tag: str) -> None:
    text = TEXTS["translations/high_card/en.yaml"].replace("lang: en", f"lang: {tag}")
    Path(f"specs/translations/high_card/{tag}.yaml").write_text(text, encoding="utf-8")


# --- inputs are never overwritten ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        (["check", "high_card", "--output"], SPEC),
        (["check", "--output"], EN),
        (["cards", "high_card", "--output"], SPEC),
        (["simulate", "high_card", "--games", "2", "--workers", "1", "--output"], SPEC),
        (["balance", "high_card", "--games", "50", "--workers", "1", "--output"], SPEC),
        (["test", "--output"], Path("specs/scenarios/high_card/end.yaml")),
        (["play", "high_card", "--people", "none", "--log"], SPEC),
        (["text", "render", "high_card", "--lang", "en", "--output"], EN),
        (["text", "check", "--write-baseline"], Path("specs/glossaries/high_card.yaml")),
        (["text", "status", "--output"], EN),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_input_is_not_overwritten(arguments: list[str], target: Path) -> None:
    before = target.read_bytes()
    result = ftk(*arguments, target)
    assert result.exit_code == 3
    assert f"{target} is an input of this command, so it is not overwritten." in result.stderr
    assert target.read_bytes() == before


def test_a_link_to_an_input_is_the_input(here: Path) -> None:
    (here / "link.yaml").symlink_to(here / SPEC)
    assert "is an input" in ftk("rulings", "high_card", "--output", "link.yaml").stderr


def test_long_games_are_not_played_before_the_refusal() -> None:
    refused = ftk("simulate", "high_card", "--games", "100000000", "--workers", "1", "--output", SPEC)
    assert refused.exit_code == 3


def test_an_old_result_is_overwritten(here: Path) -> None:
    for _ in range(2):
        assert ftk("rulings", "high_card", "--output", "out.txt").exit_code == 0
        assert ftk("play", "high_card", "--people", "none", "--log", "log.jsonl").exit_code == 0


def test_a_text_is_still_changed_in_place() -> None:
    assert ftk("text", "status", "high_card", "--lang", "en", "--confirm").exit_code == 0
    assert "confirmed:" in EN.read_text(encoding="utf-8")


# --- pipes, devices, deeply nested JSON, other encodings -------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_among_files_is_named_and_skipped() -> None:
    os.mkfifo("specs/pipe.yaml")
    os.mkfifo("specs/translations/high_card/uk.yaml")
    for arguments in (["check"], ["check", "specs"]):
        result = ftk(*arguments)
        assert result.exit_code == 0, result.output
        assert "Skipped specs/pipe.yaml: it is a named pipe, not a file." in result.stderr
        assert "Skipped specs/translations/high_card/uk.yaml: it is a named pipe, not a file." in result.stderr
    assert ftk("text", "status").exit_code == 0
    assert ftk("test").exit_code == 0


@pytest.mark.parametrize("name", ["high_card", "specs/high_card.yaml", "specs/scenarios/high_card"])
def test_a_game_is_tested_by_its_id_and_by_its_spec(name: str, here: Path) -> None:
    assert ftk("test", name).stdout.startswith("1 scenario in 1 file, 0 failed")
    (here / "specs/scenarios/high_card/end.yaml").rename("end.yaml")
    (here / "specs/scenarios/high_card").rmdir()
    result = ftk("test", name)
    assert result.exit_code == 3 and result.stdout + result.stderr


def test_a_game_without_scenarios_names_the_folder_for_them(here: Path) -> None:
    (here / "specs/scenarios").rename("elsewhere")
    assert ftk("test", SPEC).stderr.splitlines() == [
        "ftk: There are no scenarios of high_card, so nothing was tested.",
        "  Write a file of scenarios in the folder specs/scenarios/high_card.",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_given_as_a_file_is_not_read() -> None:
    os.mkfifo("pipe")
    for arguments in (
        ["check", "pipe"],
        ["play", "pipe"],
        ["replay", "pipe"],
        ["cards", "high_card", "--deck", "pipe"],
        ["cards", "high_card", "--import", "pipe"],
        ["text", "check", "--baseline", "pipe"],
        ["text", "import", "pipe"],
        ["check", "/dev/zero"],
    ):
        result = ftk(*arguments)
        assert result.exit_code == 3, arguments
        assert "not a file, so it is not read" in result.output


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="there is no /dev/fd")
def test_the_output_of_another_command_is_read() -> None:
    """`ftk check <(command)` names an open stream."""
    reading, writing = os.pipe()
    os.write(writing, SPEC.read_bytes())
    os.close(writing)
    source, found = read(f"/dev/fd/{reading}")
    os.close(reading)
    assert source is not None and found == []


def test_deeply_nested_json_is_a_message(here: Path) -> None:
    (here / "deep.json").write_text("[" * 100_000)
    baseline = ftk("text", "check", "--baseline", "deep.json")
    assert baseline.exit_code == 3 and "deep.json is not a baseline" in baseline.stderr
    log = ftk("replay", "deep.json")
    assert log.exit_code == 3 and "not a log" in log.stderr
    assert ftk("check", "deep.json").exit_code == 1


@pytest.mark.parametrize("content", ["назва: гра".encode("cp1251"), "a: b".encode("utf-16")])
def test_a_file_that_is_not_utf_8_is_status_3(here: Path, content: bytes) -> None:
    (here / "other.yaml").write_bytes(content)
    for arguments in (["check", "other.yaml"], ["play", "other.yaml"], ["rulings", "other.yaml"]):
        result = ftk(*arguments)
        assert result.exit_code == 3, arguments
        assert "other.yaml" in result.output and "UTF-8" in result.output


# --- the rest of the shell -------------------------------------------------------------------------------------------


def test_the_library_runs_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "rulespec", "rulings", "high_card"], capture_output=True, text=True)
    assert done.returncode == 0 and "Who wins a tie?" in done.stdout


def test_the_json_of_a_simulation_names_what_was_played() -> None:
    arguments = ("simulate", "high_card", "--players", "3", "--games", "2", "--workers", "1", "--ruling", "tied=first")
    data = json.loads(ftk(*arguments, "--format", "json").stdout)
    assert (data["game"], data["version"], data["players"]) == ("high_card", "1.0.0", 3)
    assert data["rulings"] == {"tied": "first"}


def test_status_has_its_table_for_a_spec_with_errors() -> None:
    text = SPEC.read_text(encoding="utf-8")
    SPEC.write_text(text + "invariants:\n  - {id: never, at: setup.end, holds: '1 == 2'}\n", encoding="utf-8")
    Path(EN).write_text(TEXTS["translations/high_card/en.yaml"].replace("  deal:", "  deals:"), encoding="utf-8")
    wrong_number = ftk("text", "status", "-v")
    assert wrong_number.exit_code == 1
    assert "missing: deal" in wrong_number.output
    assert "The spec has errors: run `ftk check specs/high_card.yaml`." in wrong_number.output
    SPEC.write_text(text + "unknown: 1\n", encoding="utf-8")
    for arguments in (["text", "status", "-v"], ["text", "status", "high_card", "--lang", "en", "-v"]):
        unbuilt = ftk(*arguments)
        assert unbuilt.exit_code == 1
        assert "  en " in unbuilt.output and "–" in unbuilt.output
    (game,) = json.loads(ftk("text", "status", "--format", "json").stdout)["games"]
    assert game["sound"] is False and game["languages"][0]["missing"] is None


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("zh", ["zh-Hant"]),
        ("ZH-hant", ["zh-Hant"]),
        ("en-GB", ["en"]),
        ("e", []),
        ("", []),
        ("pt", ["pt-PT", "pt-BR"]),
        ("pt-BR", ["pt-BR"]),
    ],
)
def test_a_short_tag_means_what_it_begins(written: str, found: list[str]) -> None:
    assert matching(written, ["en", "zh-Hant", "pt-PT", "pt-BR"]) == found


LANGUAGE_COMMANDS = (
    ("text", "render", "high_card", "--lang"),
    ("text", "export", "high_card", "--lang"),
    ("text", "status", "high_card", "--lang"),
    ("text", "status", "--lang"),
    ("text", "check", "--lang"),
    ("text", "check", "specs", "--lang"),
    ("text", "check", "--spec", "high_card", "--lang"),
    ("explain", "deal", "--lang"),
)


@pytest.mark.parametrize("command", LANGUAGE_COMMANDS, ids=" ".join)
def test_a_short_tag_is_accepted_where_it_means_one_language(command: tuple[str, ...]) -> None:
    add_language("zh-Hant")
    assert ftk(*command, "zh").exit_code in (0, 1)
    unknown = ftk(*command, "qux")
    assert unknown.exit_code in (2, 3)
    assert "qux" in unknown.output


@pytest.mark.parametrize("command", LANGUAGE_COMMANDS[:4], ids=" ".join)
def test_a_short_tag_that_means_two_languages_is_refused_with_the_choices(command: tuple[str, ...]) -> None:
    add_language("zh-Hant")
    add_language("zh-Hans")
    result = ftk(*command, "zh")
    assert result.exit_code == 2
    assert "zh-Hans or zh-Hant" in result.output


def test_only_the_texts_in_a_language_are_checked() -> None:
    add_language("zh-Hant")
    files = json.loads(ftk("text", "check", "--lang", "en", "--format", "json").stdout)["summary"]["files"]
    assert files == 1
