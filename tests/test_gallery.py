"""The gallery: its games are clean, and play as OpenSpiel's implementations of them do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from openspiel_pairs import ROWS
from side_by_side import Difference, Match, Pair, Setting

import rulespec
from rulespec.base.source import read
from rulespec.games.rulebook import check_translation
from rulespec.games.scenario.runner import run_all

pytestmark = pytest.mark.slow("every game of the gallery is read and played")

GALLERY = Path(__file__).parents[1] / "specs" / "gallery"
GAMES = sorted(path.stem for path in GALLERY.glob("*.yaml"))
SETTINGS = [pytest.param(pair, setting, id=f"{pair.id}-{setting}") for pair in ROWS for setting in pair.settings]
FEW, MANY = 4, 60
ELSEWHERE = {"ferry_town", "five_card_draw", "gem_traders", "gin_rummy", "glass_garden", "night_train"}
"""Games that OpenSpiel does not have, or has with other moves: see test_poker_hands.py, test_stocks.py,
test_gin_rummy.py and test_card_texts.py."""


@pytest.mark.parametrize("id_", GAMES)
def test_a_game_is_clean_and_has_sources(id_: str) -> None:
    # A sheet may have columns for its editors, which is said as information.
    assert [one for one in rulespec.check(GALLERY / f"{id_}.yaml").findings if one.severity != "info"] == []
    spec = rulespec.load(id_)
    assert spec.id == id_ and Path(rulespec.find(id_)).parent == GALLERY
    assert spec.model.sources


@pytest.mark.parametrize("path", sorted(GALLERY.glob("translations/*/*.yaml")), ids=lambda path: path.stem)
@pytest.mark.sample(3)
def test_a_text_is_clean(path: Path) -> None:
    source, _ = read(str(path))
    assert source is not None and check_translation(source).findings == ()


@pytest.mark.parametrize("id_", GAMES)
def test_the_scenarios_of_a_game_hold(id_: str) -> None:
    outcomes = run_all([str(GALLERY / "scenarios" / id_)])
    assert outcomes and all(outcome.passed and outcome.cases for outcome in outcomes)


def test_every_game_is_compared() -> None:
    assert {pair.id for pair in ROWS} | ELSEWHERE == set(GAMES)


def test_the_page_of_the_games_lists_the_gallery() -> None:
    page = (GALLERY.parents[1] / "docs" / "games.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| `(\w+)` \| ([\d.]+) \| (\d+) \|", page, re.MULTILINE)
    specs = {id_: (GALLERY / f"{id_}.yaml").read_text(encoding="utf-8") for id_ in GAMES}
    lines = {id_: str(text.count("\n")) for id_, text in specs.items()}
    players = {id_: re.findall(r"players: ([\d.]+)", text)[0] for id_, text in specs.items()}
    assert rows == [(id_, players[id_], lines[id_]) for id_, _, _ in rows] and sorted(GAMES) == sorted(
        r[0] for r in rows
    )


@pytest.mark.parametrize(("pair", "setting"), SETTINGS)
def test_a_game_plays_as_the_one_of_openspiel(pair: Pair, setting: Setting) -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'ftk[openspiel]'")
    match = Match(pair, setting)
    assert sum(match.play(seed) for seed in range(FEW)) > 0
    if pair.returns is rulespec.State.returns and match.ours.utility_sum() is not None:
        assert match.ours.utility_sum() == match.theirs.utility_sum()


@pytest.mark.parametrize(("pair", "setting"), SETTINGS)
@pytest.mark.sample(4)
def test_many_games_play_as_those_of_openspiel(pair: Pair, setting: Setting) -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'ftk[openspiel]'")
    match = Match(pair, setting, engine=pair.many_on)
    assert sum(match.play(seed) for seed in range(FEW, MANY)) > 0


@pytest.mark.parametrize(("pair", "setting"), [row for row in SETTINGS if row.values[0].informed])
def test_players_know_the_same_as_those_of_openspiel(pair: Pair, setting: Setting) -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'ftk[openspiel]'")
    match = Match(pair, setting)
    known = {one for seed in range(MANY) for one in match.known(seed)}
    ours, theirs = {one[:2] for one in known}, {(one[0], *one[2:]) for one in known}
    assert len(known) == len(ours) == len(theirs) > MANY


def test_a_changed_rule_is_a_difference() -> None:
    """Nim where the last match wins, beside theirs where it loses."""
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'ftk[openspiel]'")
    pair = next(pair for pair in ROWS if pair.id == "nim")
    match = Match(pair, Setting(2, {"is_misere": True}, {"last_match": "wins"}))
    with pytest.raises(Difference, match="the result after take"):
        match.play(1)
