"""Rendered rulebooks checked as raw texts: right for their number of players, wrong for another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, check_raw, examples_of, texts_of
from rulespec.text.languages.registry import find
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.markdown import markdown

pytestmark = [pytest.mark.sample(1), pytest.mark.slow("renders rulebooks of large games")]

ALL = sorted((Path(__file__).parents[1] / "specs" / "translations").glob("*/*.yaml"))
TRANSLATIONS = [path for path in ALL if find(path.stem).level == 3]
"""Raw texts in other languages are read less exactly."""

OF_VARIANTS = {"fortheking-zh-Hant", "keyflower_king-zh-Hans", "kingme-pl"}
"""Rulebooks with sentences about variants that are read as the usual rule."""


def _case(path: Path) -> Any:
    id_ = f"{path.parent.name}-{path.stem}"
    marks = (
        [pytest.mark.xfail(reason="a sentence about a variant is read as the usual rule")] if id_ in OF_VARIANTS else []
    )
    return pytest.param(path, marks=marks, id=id_)


@pytest.mark.parametrize("path", map(_case, TRANSLATIONS))
def test_a_rulebook_is_right_for_its_players_only(path: Path) -> None:
    game, lang = path.parent.name, path.stem
    spec = rulespec.load(game)
    translation, book = texts_of(spec)[lang], book_of(spec)
    for players in spec.players:
        setting = spec.game(players).setting
        written = markdown(Rulebook(translation, setting, book, examples=examples_of(spec, lang, setting)))
        source = Source(f"{players}.md", written)
        assert [found.message for found in check_raw(source, lang, spec, players=players).findings] == []
        others = (other for other in spec.players if other != players)
        wrong = any(check_raw(source, lang, spec, players=other).findings for other in others)
        assert wrong or len(spec.players) == 1, players
