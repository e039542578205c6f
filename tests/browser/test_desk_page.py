"""The desk of localisers in a real browser, with the network off: an erratum in three languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chromium import needs, visited

import rulespec
from rulespec.base.source import Source
from rulespec.text.reading.translation import read

pytestmark = [needs("playwright-core", "axe-core", "pyodide"), pytest.mark.soak]

LANGUAGES = ("en", "uk", "zh-Hant")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("desk")


@pytest.fixture(scope="module")
def seen(site: Path, folder: Path) -> Any:
    """What a localiser saw."""
    return visited("desk.mjs", site, folder)


def test_nothing_goes_wrong_and_nothing_else_is_asked_for(seen: Any) -> None:
    assert seen["complaints"] == [] and len(set(seen["asked"])) == 1


def test_everybody_can_use_it(seen: Any) -> None:
    assert seen["violations"] == [] and seen["wide"] == []


def test_games_are_called_by_their_titles(seen: Any) -> None:
    assert "For the King (and Me)" in seen["games"] and "fortheking" not in seen["games"]


def test_games_are_listed_while_python_loads(seen: Any) -> None:
    assert seen["early"]


def test_the_list_shows_titles_of_the_source_and_how_far_the_texts_are(seen: Any) -> None:
    assert "Confirmed: " in seen["progress"] and "Build the deck" in seen["titles"]


def test_a_wrong_number_is_found_in_every_language(seen: Any) -> None:
    assert [lang for lang in LANGUAGES if "“73”; the spec says 72" not in seen["wrong"][lang]] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_saved_is_the_same_file_with_the_erratum(seen: Any, folder: Path, lang: str) -> None:
    before = Path(f"specs/translations/fortheking/{lang}.yaml").read_text(encoding="utf-8")
    after = (folder / f"{lang}.yaml").read_text(encoding="utf-8")
    changed = [line for line in after.splitlines() if line not in before.splitlines()]
    assert 1 <= len(changed) <= 2 and changed[0].lstrip().startswith("title:")
    translation, findings = read(Source(f"{lang}.yaml", after))
    assert translation is not None and not findings
    assert translation.rules["setup.deck"].title.endswith(" 2")
    assert rulespec.load("fortheking").id in (folder / f"{lang}.po").read_text(encoding="utf-8")


def test_the_values_of_a_number_of_players_and_a_moment(seen: Any) -> None:
    assert "Перемістіть 13 карток" in seen["does"]
    assert "Колоду перетасовано" in seen["moment"]
