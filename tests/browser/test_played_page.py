"""The page of `ftk page` in a real browser, with the network off: a newcomer plays to the end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from chromium import needs, visited
from click.testing import CliRunner

from ftk_cli.main import main

pytestmark = [needs("playwright-core", "axe-core", "pyodide"), pytest.mark.soak]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def seen(site: Path, folder: Path) -> dict[str, Any]:
    """What the newcomer saw."""
    found: dict[str, Any] = visited("page.mjs", site, folder)
    return found


TABLES = {
    "fortheking": ("person,random,random", 12),
    "kingme": ("person,random,random,random", 12),
    "keyflower_king": ("person,random", 3),
    "hearts": ("random,person,random,random", 3),
    "go_fish": ("person,random,random", 3),
    "glass_garden": ("person,random,random", 4),
    "ferry_town": ("person,random", 6),
    "checkers": ("person,random", 3),
    "yacht": ("person,person", 0),
}
"""Games whose tables are looked at: who plays, and after how many decisions of a person."""


def test_tables_of_all_kinds(site: Path) -> None:
    """Nothing hinders a reader of a table, the arrow keys lead through a hand, and a card is shown large."""
    found = visited("tables.mjs", site, json.dumps([[game, *more] for game, more in TABLES.items()]))
    assert found["complaints"] == found["violations"] == found["wide"] == []
    assert found["enlarged"] and found["stepped"] and not found["closed"]
    assert found["phone"] == [] and not found["rested"]
    flying, lying = found["flown"]
    assert 0 < flying <= lying + 1


MAN, MEN = "c3: player 1, chosen", ["b4, can go here", "d4, can go here"]
CARDS = ["two clubs, chosen", "three clubs, chosen", "four clubs, chosen"]

PICKED: dict[str, tuple[str, str, list[str], dict[str, Any]]] = {
    "clicks": (
        "checkers",
        "person,random",
        ["click at-square-18", "click at-square-27"],
        {"chosen": [MAN], "targets": MEN, "log": "Your man goes from c3 to d4."},
    ),
    "a drag": (
        "checkers",
        "person,random",
        ["drag at-square-18 at-square-27"],
        {"chosen": [], "targets": [], "log": "Your man goes from c3 to d4."},
    ),
    "keys": (
        "checkers",
        "person,random",
        ["focus at-square-18", "press Enter", "press ArrowUp", "press ArrowRight", "press Enter"],
        {"chosen": [MAN], "targets": MEN, "log": "Your man goes from c3 to d4."},
    ),
    "keys that let go": (
        "checkers",
        "person,random",
        ["focus at-square-18", "press Enter", "press Escape", "press Enter"],
        {"chosen": [], "targets": [], "log": ""},
    ),
    "a track": (
        "kingme",
        "person,random,random",
        ["click at-character-0", "click at-steps-place-2"],
        {"chosen": [", chosen"], "targets": [", can go here"] * 4, "log": "You put A on floor 2."},
    ),
    "a set": (
        "hearts",
        "person,random,random,random",
        ["click card-1-0", "click card-1-4", "click card-1-4", "click card-1-8", "click card-1-4", "click confirm"],
        {"chosen": CARDS, "targets": [], "log": "You pass two of clubs, three of clubs, four of clubs."},
    ),
}
"""What is picked by what: a game, who plays it, the steps, and what is seen before the last one and in the log."""


def test_what_is_lit_is_picked(site: Path) -> None:
    found = visited("picked.mjs", site, json.dumps([case[:3] for case in PICKED.values()]))
    assert found["complaints"] == found["violations"] == found["wide"] == []
    assert dict(zip(PICKED, found["games"], strict=True)) == {name: case[3] for name, case in PICKED.items()}


def test_nothing_goes_wrong_and_nothing_else_is_asked_for(seen: dict[str, Any]) -> None:
    assert seen["complaints"] == []
    assert len(set(seen["asked"])) == 1 and seen["asked"][0].startswith("127.0.0.1:")


def test_a_whole_game_is_played_against_a_bot(seen: dict[str, Any]) -> None:
    assert "The game is over" in seen["result"]


def test_what_is_saved_is_a_log(seen: dict[str, Any], folder: Path) -> None:
    done = CliRunner().invoke(main, ["replay", str(folder / "saved.jsonl")])
    assert "a whole game" in done.output and "every line agrees" in done.output


def test_a_hidden_hand_is_not_in_the_page_for_the_other_seat(seen: dict[str, Any]) -> None:
    assert len(seen["hand"]) == 13 and "player 1" in seen["before"]
    assert not [card for card in seen["hand"] if card in seen["before"] or card in seen["between"]]
    assert not set(seen["hand"]) & set(seen["other"])


def test_everybody_can_use_it(seen: dict[str, Any]) -> None:
    assert seen["violations"] == [] and seen["wide"] == []


def test_the_log_of_a_game_without_words_of_a_language_is_not_mixed(seen: dict[str, Any]) -> None:
    assert re.match(r"Перебіг гри(?!.*\bГравець\b).*Player 1: Pass three cards\.", seen["uk"])


def test_no_card_is_drawn_before_one_of_several_people_has_taken_the_device(seen: dict[str, Any]) -> None:
    assert len(seen["early"]) > 1 and not any(seen["early"])


def test_a_link_asks_before_it_replaces_a_game_and_is_used_once(seen: dict[str, Any]) -> None:
    assert "незавершена гра" in seen["question"] and seen["address"].endswith("#play")


def test_a_saved_game_goes_on_with_the_people_that_are_chosen(seen: dict[str, Any]) -> None:
    assert seen["continued"].count("you") == 2


def test_the_door_shows_the_games_that_are_looked_for(seen: dict[str, Any]) -> None:
    assert seen["filtered"] == ["Phantom tic-tac-toe", "Tic-tac-toe"]


def test_a_table_says_the_aim_of_its_game_and_gives_a_hint_with_its_reason(seen: dict[str, Any]) -> None:
    assert seen["aim"] == "Mark a free square. What counts in the end: three in a line win."
    reason = r"Because the games that it played on .+ had a mean result of \d\.\d\. With “.+”: \d\.\d\."
    assert re.match(rf"A bot would choose: .+\. {reason}", seen["hint"])


def test_a_second_visit_needs_no_network(seen: dict[str, Any]) -> None:
    assert "Зроби мене королем!" in seen["offline"]
