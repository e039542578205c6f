"""Help pages and usage errors in the language of the reader: no line is in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml
from command import ftk
from english import english

from ftk_cli.main import main
from ftk_cli.report.display import folded, width
from rulespec.base.findings.catalog import LANGUAGES
from rulespec.base.findings.help_texts import phrases, reworded

DATA = yaml.safe_load((Path(__file__).parent / "help_pages.yaml").read_text(encoding="utf-8"))


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_help_is_in_the_language(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FTK_LANG", lang)
    pages = {path: ftk(*path, "--help").output for path in commands(main)}
    assert len(pages) > 30
    assert {path: found for path, page in pages.items() if (found := english(page))} == {}


@pytest.mark.parametrize("lang", LANGUAGES[1:])
@pytest.mark.parametrize("given", DATA["wrong"], ids=" ".join)
def test_a_usage_error_is_in_the_language(given: list[str], lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FTK_LANG", lang)
    found = ftk(*given)
    assert (found.exit_code, english(found.stderr)) == (2, [])


def test_the_check_finds_english() -> None:
    assert all(english(ftk(*path, "--help").output) for path in commands(main))
    assert all(english(ftk(*given).stderr) for given in DATA["wrong"])


def test_an_option_chooses_the_language_of_an_error() -> None:
    assert "Помилка" in ftk("check", "--lang", "uk", "--fail-on", "bad").stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_of_help_fit_the_terminal(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for examples and names that cannot be broken."""
    monkeypatch.setenv("FTK_LANG", lang)
    lines = [line for path in commands(main) for line in ftk(*path, "--help").output.splitlines()]
    wide = [line for line in lines if width(line) > 80 and not re.match(r" +(ftk|--)|  (Exit status|ftk)", line)]
    assert wide == []


def test_commands_in_examples_stay() -> None:
    text = "One\nsentence.\n\n\b\nExamples:\n  ftk a   does it\n  ftk b --c d"
    assert phrases(text) == ["One sentence.", "Examples:", "does it"]
    assert reworded(text, str.upper) == "ONE SENTENCE.\n\n\b\nEXAMPLES:\n  ftk a   DOES IT\n  ftk b --c d"


def test_chinese_is_broken_between_characters_but_not_before_marks() -> None:
    assert folded("檢查「規則檔」，再檢查。", 10) == ["檢查「規則", "檔」，再檢", "查。"]
    assert folded("檢查 YAML 檔。", 6, 2) == ["檢查", "  YAML", "  檔。"]
    assert folded("檢查 `修訂版:路徑`", 10) == ["檢查", "`修訂版:路徑`"]


def test_a_dash_begins_no_line() -> None:
    assert folded("a one — two", 5) == ["a", "one —", "two"]
