"""What commands print in the language of the reader: no line is in English."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from command import ftk
from english import english

from ftk_cli.text.languages import matching
from rulespec.base.findings.catalog import LANGUAGES
from rulespec.text.rules.describe.grammar import languages

DATA = yaml.safe_load((Path(__file__).parent / "screens.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a game, in which commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert ftk("new", "river").exit_code == 0
    return tmp_path


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_what_commands_print_is_in_the_language(lang: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FTK_LANG", lang)
    # Where rules are not described, what happens in a game is in English.
    spoken = bool(matching(lang, languages()))
    printed = {" ".join(given): ftk(*given) for given in DATA["screens"] if spoken or given[0] != "play"}
    assert {name: result.exception for name, result in printed.items() if result.exit_code not in (0, 1, 2, 3)} == {}
    found = {name: english(result.output.replace(DATA["name"], "")) for name, result in printed.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_the_check_finds_english_on_screens(project: Path) -> None:
    printed = [ftk(*given) for given in DATA["screens"]]
    assert sum(bool(english(result.output)) for result in printed) > len(printed) / 2
