"""`ftk balance`: output as text, JSON and HTML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from command import ftk, unless_given

from ftk_cli.balance.text import Marks, whisker
from rulespec.play.balance.estimate import Estimate
from rulespec.play.balance.view import Axis

pytestmark = pytest.mark.slow("plays many games")

PEBBLES = Path(__file__).parent / "balance" / "pebbles.yaml"


def balance(*arguments: object) -> Result:
    return ftk("balance", PEBBLES, *unless_given(arguments, players=3, games=60, workers=1, bot="random"))


def data(result: Result) -> dict[str, Any]:
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_text_has_every_section() -> None:
    output = balance("--seed", 4).stdout
    assert output.startswith("Pebbles, 60 games of 3 random players, seed 4\n")
    assert [line for line in output.splitlines() if line.isupper()] == ["SEATS", "PRIZES", "CARDS", "RULINGS"]
    assert "Random players choose uniformly" in output and "No player ever holds red 3 yes" in output
    assert "pockets=closed has no effect on play" in output
    row = next(line for line in output.splitlines() if line.startswith("grey 2"))
    assert row.split()[:5] == ["grey", "2", "+2.00", "+2.00", "to"] and "●" in row
    assert max(map(len, output.splitlines())) <= 112


def test_quiet_leaves_remarks_out_and_rulings_can_be_left_out() -> None:
    output = balance("-q", "--no-rulings").stdout
    assert "Random players choose uniformly" not in output and "RULINGS" not in output
    assert "SEATS" in output


def test_json_holds_all_there_is() -> None:
    found = data(balance("--format", "json", "--seed", 4, "--ruling", "ribbons=two"))
    public = {"game", "players", "rulings_taken", "games", "seed", "engine", "seconds", "seats", "prizes", "cards"}
    assert public | {"rulings"} <= set(found)
    assert (found["game"], found["players"], found["games"], found["seed"]) == ("pebbles", 3, 60, 4)
    assert found["rulings_taken"]["ribbons"] == "two"
    assert [prize["worth"]["value"] for prize in found["prizes"]["prizes"]] == [2, 2]
    assert {one["ruling"] for one in found["rulings"]} == {"pockets", "ribbons", "head_start", "level"}
    assert {len(prize["seats"]) for prize in found["prizes"]["prizes"]} == {3}


def test_figures_do_not_depend_on_the_number_of_workers() -> None:
    one, two = (data(balance("--format", "json", "--workers", workers)) for workers in (1, 2))
    assert {**one, "seconds": 0, "engine": ""} == {**two, "seconds": 0, "engine": ""}


def test_figures_do_not_depend_on_the_engine() -> None:
    fastest, slowest = (data(balance("--format", "json", "--engine", name)) for name in ("auto", "interpreter"))
    assert slowest["engine"] == "interpreter"
    alike = {"seconds": 0, "engine": ""}
    assert fastest | alike == slowest | alike


def test_a_single_game_has_no_spread_and_json_no_nan() -> None:
    result = balance("--format", "json", "--games", 1)
    assert "NaN" not in result.stdout and "Infinity" not in result.stdout
    assert data(result)["seats"]["seats"][0]["points"]["low"] is None
    assert "–" in balance("--games", 1).stdout


def test_the_page_goes_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "balance.html"
    assert balance("--format", "html", "--output", target).stdout == ""
    page = target.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.count("<section") == 4 and "<desc" in page
    assert "random players, and what its parts are worth to them" in page


def test_the_page_names_the_bots_that_played(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    target = tmp_path / "balance.html"
    ftk("balance", "kingme", "--bot", "quick:2", "--games", 4, "--workers", 1, "--format", "html", "--output", target)
    page = target.read_text(encoding="utf-8")
    assert "for 3 players (quick:2), and what its parts are worth to them" in page and "random play" not in page


OPEN = ("--players", 4, "--ruling", "overbid=forbidden", "--bot", "random", "--no-rulings", "--workers", 1, "--games")


def test_a_game_whose_signs_are_known() -> None:
    found = data(ftk("balance", "fortheking", *OPEN, 200, "--format", "json"))
    assert found["prizes"]["all_points"]
    worth = {(one["title"], one["subject"]): one["worth"]["value"] for one in found["prizes"]["prizes"]}
    assert all(worth["primary duty", office] > worth["secondary duty", office] > 0 for _, office in worth)
    effects = {card["name"]: card["effect"] for card in found["cards"]["kinds"]["cards"]}
    assert all(effect["low"] > 0 for name, effect in effects.items() if name.startswith("government"))
    assert all(effect["value"] < 0.5 for name, effect in effects.items() if name.startswith("gold"))
    assert effects["king"] is None
    assert len(found["cards"]["faces"]["cards"]) == 54


def test_every_face_is_there_for_those_who_ask() -> None:
    assert "diplomacy 3 E" not in ftk("balance", "fortheking", *OPEN, 20).stdout
    assert "diplomacy 3 E" in ftk("balance", "fortheking", *OPEN, 20, "-v").stdout


@pytest.mark.parametrize("wrong", [("--games", 0), ("--seed", -1), ("--players", 9), ("--engine", "warp")])
def test_options_out_of_range_are_status_2(wrong: tuple[str, object]) -> None:
    assert balance(*wrong).exit_code == 2


def test_answers_that_there_are_not_are_status_2() -> None:
    assert balance("--ruling", "ribbons=seven").exit_code == 2


def test_plots_are_drawn_with_what_a_terminal_has() -> None:
    axis, marks = Axis((0.0, 1.0), 0), Marks.of("utf-8")
    assert whisker(Estimate(0.5, 0.3, 0.7), axis, 0.0, 11, marks) == "│  ├─●─┤   "
    assert whisker(Estimate(0.5, 0.5, 0.5), axis, None, 11, marks) == "     ●     "
    assert whisker(Estimate(1.0), axis, 0.0, 11, Marks.of("ascii")) == ":         o"
    assert whisker(Estimate(0.5, 0.3, 0.7), axis, None, 11, Marks.of("latin-1")) == "   |-o-|   "
    assert whisker(None, axis, None, 3, marks) == "   "


# bots


def test_quick_bots_play_by_default() -> None:
    pytest.importorskip("llvmlite")
    arguments = ("balance", PEBBLES, "--players", 3, "--games", 12, "--workers", 1)
    output = ftk(*arguments).stdout
    assert output.startswith("Pebbles, 12 games of 3 players (quick:50), seed 0\n")
    assert "hold for players like these bots (quick:50)" in " ".join(output.split()) and "RULINGS" not in output
    found = data(ftk(*arguments, "--format", "json", "--rulings", "--bot", "quick:5,random,random"))
    assert found["bots"] == ["quick:5", "random", "random"] and found["rulings"]


def test_a_ladder_has_a_line_for_each_level() -> None:
    arguments = (
        "balance",
        PEBBLES,
        "--players",
        2,
        "--games",
        10,
        "--workers",
        1,
        "--ladder",
        "--bot",
        "random,quick:20",
    )
    assert "quick:20  against" not in (output := ftk(*arguments).stdout) and "quick:20  random" in output
    (rung,) = data(ftk(*arguments, "--format", "json"))["ladder"]
    assert (rung["bot"], rung["below"], rung["games"], rung["even"]) == ("quick:20", "random", 10, 0.5)
    assert 0 <= rung["wins"]["low"] <= rung["wins"]["value"] <= rung["wins"]["high"] <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--bot", "smart"), "There is no bot `smart`: write one of random"),
        (("--ladder", "--bot", "random"), "A ladder has two levels or more"),
        (("--ladder", "--format", "html"), "formats text and json"),
    ],
)
def test_bots_that_cannot_play_are_status_2(arguments: tuple[object, ...], message: str) -> None:
    done = balance(*arguments)
    assert done.exit_code == 2 and message in done.stderr
