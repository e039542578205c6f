"""Both versions of a game simulated with the same seeds: `ftk diff --play`."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from agreement import text_of
from command import ftk
from high_card import SPEC

from ftk_cli.page.effect import Run
from rulespec.base.source import Source
from rulespec.games.api import Spec, loads
from rulespec.play.simulate.figures import Figures, Moments
from rulespec.versions import simulated
from rulespec.versions.simulated import Played, figures, matched, play

Edit = tuple[str, str]

WORDS = ("title: High card", "title: Highest card")
RENAMED = ("id: swap", "id: exchange")
HIGH_CARDS = ("manifest: [{value: 1..13,", "manifest: [{value: 7..13,")
LOW_WINS = ('{high: "hand[p].value"', '{low: "hand[p].value"')
FEWER = ("players: 2..4", "players: 2..3")
OTHERS = ("players: 2..4", "players: 1..3")
RULING = ("tied", "level")
ANSWER = ("or: [first]", "or: [first, last]")


def text(*edits: Edit) -> str:
    """The small card game, edited."""
    made = SPEC
    for find, put in edits:
        assert find in made, find
        made = made.replace(find, put)
    return made


def spec(*edits: Edit) -> Spec:
    return loads(Source("high_card.yaml", text(*edits)))


def played(*edits: Edit, players: int = 2, games: int = 300, seed: int = 1) -> Played:
    pairs = matched(spec(), spec(*edits), players, engine="interpreter")
    return play(pairs, games, seed).settings[0]


@pytest.mark.parametrize("edit", [WORDS, RENAMED, FEWER])
def test_an_edit_that_changes_nothing_in_play_has_equal_figures(edit: Edit) -> None:
    found = played(edit)
    assert found.alike and not any(one.marked or one.needed for one in found.figures)
    assert {one.difference.value for one in found.figures} == {0}


@pytest.mark.parametrize(("edit", "marked"), [(HIGH_CARDS, {"points", "shared"}), (LOW_WINS, set())])
def test_an_edit_with_a_large_effect_is_marked(edit: Edit, marked: set[str]) -> None:
    found = played(edit)
    assert not found.alike
    assert {one.group for one in found.figures if one.marked} == marked


def moments(values: list[int]) -> Moments:
    made = Moments()
    made.extend(array("q", values))
    return made


def test_the_interval_of_shares_is_that_of_newcombe() -> None:
    """Newcombe (1998), table II, example (a), method 10: 56 of 70 and 48 of 80."""
    one = next(figures(Figures(2, 80, wins=[96, 64]), Figures(2, 70, wins=[112, 28])))
    found = (one.difference.value, one.difference.low, one.difference.high)
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert one.marked and one.needed is None


def test_the_interval_of_means_is_that_of_welch() -> None:
    old, new = (Figures(1, 5, decisions=moments(values)) for values in ([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]))
    *_, one = figures(old, new)
    # 5 degrees of freedom (5.88): Student's t of 2.5706, times the square root of 2.5 / 5 + 10 / 5.
    assert (one.difference.low, one.difference.high) == pytest.approx((3 - 4.0645, 3 + 4.0645), abs=1e-3)
    assert not one.marked and one.needed == 10  # 5 times the square of 4.0645 / 3


@pytest.mark.parametrize("games", [0, 1])
def test_too_few_games_have_no_interval(games: int) -> None:
    both = [Figures(2, games, decisions=moments([7 + side] * games)) for side in range(2)]
    *_, one = figures(*both)
    assert not one.marked and one.needed is None
    assert one.to_dict()["low"] is None and one.to_dict()["difference"] == (1 if games else None)


def test_every_number_of_players_of_either_version_is_played() -> None:
    found = play(matched(spec(), spec(OTHERS), engine="interpreter"), 5).settings
    assert [one.players for one in found] == [1, 2, 3, 4]
    assert (found[0].old, found[3].new) == ("its number of players is 2 to 4", "its number of players is 1 to 3")
    assert [bool(one.figures) for one in found] == [False, True, True, False]


def test_rulings_follow_their_names() -> None:
    (pair,) = matched(spec(), spec(RULING), 2, {"level": "first"}, "interpreter")
    (back,) = matched(spec(RULING), spec(), 2, {"tied": "first"}, "interpreter")
    for game in (pair.old, pair.new, back.old, back.new):
        assert not isinstance(game, str) and [*game.identity()["rulings"].values()] == ["first"]
    (other,) = matched(spec(), spec(ANSWER), 2, {"tied": "last"}, "interpreter")
    assert other.old == "it has no answer `last` to `tied`" and not isinstance(other.new, str)


@pytest.mark.parametrize(
    ("players", "rulings", "message"),
    [
        (4, {}, "The old version is not played: its number of players is 1 to 3. The new version is not"),
        (None, {"nothing": "all"}, "unknown ruling `nothing`: the versions have tied"),
        (None, {"tied": "none"}, "no answer `none` to `tied`"),
    ],
)
def test_versions_without_a_setting_are_refused(players: int | None, rulings: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        matched(spec(OTHERS), spec(FEWER), players, rulings)


def test_the_page_plays_the_same_games_some_in_each_call() -> None:
    run = Run(spec(), spec(HIGH_CARDS), 2, 40, seed=1)
    while run.done < run.games:
        run.go_on()
    shown = run.shown()
    assert (shown["games"], shown["wanted"], shown["alike"]) == (40, 40, False)
    assert shown["figures"] == [one.to_dict() for one in played(HIGH_CARDS, games=40).figures]


@pytest.fixture
def versions(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[str, str]:
    for name, edits in (("old", ()), ("new", getattr(request, "param", (HIGH_CARDS,)))):
        (tmp_path / f"{name}.yaml").write_text(text(*edits), encoding="utf-8")
    return str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml")


def diff(versions: tuple[str, str], *options: object) -> Any:
    done = ftk("diff", *versions, "--play", "--games", 40, "--seed", 3, *options)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("bot", [(), ("--bot", "quick")], ids=["random", "quick"])
def test_both_columns_are_what_simulate_says(versions: tuple[str, str], bot: tuple[str, ...]) -> None:
    asked = ("--players", 3, "--ruling", "tied=first", *bot, "--workers", 1, "--format", "json")
    (found,) = json.loads(diff(versions, *asked))["play"]["settings"]
    for side, path in zip(("old", "new"), versions, strict=True):
        alone = json.loads(ftk("simulate", path, "--games", 40, "--seed", 3, *asked).stdout)
        measured = ("seconds", "games_per_second")
        assert {**alone, **dict.fromkeys(measured)} == {**found[side], **dict.fromkeys(measured)}
    by = {(one["figure"], one["seat"]): one for one in found["figures"]}
    assert by["wins", 2]["old"] == found["old"]["wins"][1]["share"]
    assert by["points", 3]["new"] == found["new"]["points"][2]["mean"]
    assert by["length", None]["new"] == found["new"]["length"]["mean"]


@pytest.mark.parametrize("versions", [(HIGH_CARDS, FEWER)], indirect=True)
def test_the_report_has_both_columns_and_says_what_it_takes(versions: tuple[str, str]) -> None:
    said, again = (diff(versions, "--workers", workers) for workers in (1, 2))
    assert said == again and "40 games of each version by random players, seed 3" in said
    assert "points of seat 1" in said and " *  +" in said and "changes are marked." in said
    assert "With 160 games of each version the intervals would be half as wide." in said
    assert "4 players\nThe new version is not played: its number of players is 2 to 3.\n" in said


def test_json_fits_its_schema(versions: tuple[str, str]) -> None:
    schema = json.loads(ftk("schema", "--kind", "diff").stdout)
    for games in (1, 30):
        whole = json.loads(ftk("diff", *versions, "--play", "--games", games, "--format", "json").stdout)
        assert not list(jsonschema.Draft202012Validator(schema).iter_errors(whole))
        assert (whole["play"]["games"], len(whole["play"]["settings"])) == (games, 3)


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("uk", ("У грі: 40 партій кожної версії, грають випадкові гравці, зерно 3", "потрібно 160 партій кожної")),
        ("zh-Hant", ("由隨機玩家玩每個版本各40局，種子3", "每個版本各玩160局，區間就會縮小一半。")),
    ],
)
@pytest.mark.parametrize("format_", ["text", "markdown", "html"])
@pytest.mark.parametrize("versions", [(HIGH_CARDS, FEWER)], indirect=True)
def test_whole_sentences_in_other_languages(
    versions: tuple[str, str], lang: str, sentences: tuple[str, ...], format_: str
) -> None:
    said = diff(versions, "--lang", lang, "--format", format_, "--workers", 1)
    in_play = said[said.index(sentences[0][:4]) :]
    assert all(sentence in in_play for sentence in sentences)
    assert not any(word in in_play for word in ("version", "games", "seat", "interval", "played"))


def test_equal_figures_are_said_in_one_sentence(versions: tuple[str, str]) -> None:
    said = diff((versions[0], versions[0]), "--workers", 1)
    assert "Every figure is the same in all 40 games: they show no difference." in said
    assert "points of seat" not in said


def test_a_version_that_stops_at_a_bound_is_not_played(tmp_path: Path) -> None:
    both = str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml")
    for path, most in zip(both, (9, 4), strict=True):
        Path(path).write_text(text_of("slow").replace("at_most: 4", f"at_most: {most}"), encoding="utf-8")
    heading, why, head, *_, last = diff(both, "--players", 2, "--workers", 1).splitlines()[-9:]
    assert why.startswith("The new version is not played: in game 3, the game stops without a ranking: `race` does")
    assert (heading, head.split(), last[:18]) == ("2 players", ["old"], "decisions per game")


def test_a_run_can_be_stopped(versions: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*given: Any, **named: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulated, "simulate", stopped)
    done = ftk("diff", *versions, "--play")
    assert (done.exit_code, done.stdout) == (3, "") and "Stopped" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--play", "--games", 0), "0 is not in the range"),
        (("--games", 5), "--games is an option of --play"),
        (("--bot", "quick"), "--bot is an option of --play"),
        (("--ruling", "tied=all"), "--ruling is an option of --play"),
        (("--play", "--players", 9), "The old version is not played: its number of players is 2 to 4."),
        (("--play", "--bot", "clever"), "There is no bot `clever`"),
        (("--play", "--bot", "quick,quick"), "2 bots are named for 3 players"),
        (("--play", "--ruling", "tied=none"), "no answer `none` to `tied`"),
        (("--play", "--into", "logs"), "No such option"),
    ],
)
def test_wrong_options_are_refused(versions: tuple[str, str], arguments: tuple[object, ...], message: str) -> None:
    done = ftk("diff", *versions, *arguments)
    assert done.exit_code == 2 and message in done.stderr
