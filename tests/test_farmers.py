"""The Farmers in The King: tiles whose yields no source lists, and which a deck has or the person reports."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from pathlib import Path

import pytest
from command import ftk

import rulespec

pytestmark = pytest.mark.slow("the largest game is read with several decks")

GAME = "keyflower_king"
SHEET = Path(__file__).parent.parent / "specs" / "decks" / "keyflower_king_farmers.csv"
KNOWN = ("kind", "name", "season", "farmers", "upgrades")  # what the sources have, or a guess that is marked as one
DECK = f"deck: 1\ngame: {GAME}\nreplaces: {{farmers: true}}\ncards:\n"


def rows(text: str) -> list[dict[str, str]]:
    return [row for row in csv.DictReader(io.StringIO(text)) if row["farmers"]]


SHEETS = rows(SHEET.read_text(encoding="utf-8"))


def deck(path: Path, entries: str) -> Path:
    """The tiles of the sheet, each with these entries."""
    lines = [", ".join(f"{field}: {row[field]}" for field in KNOWN if row[field]) for row in SHEETS]
    path.write_text(DECK + "".join(f"  - {{{line}, {entries}}}\n" for line in lines), encoding="utf-8")
    return path


def reports(seed: int, deck: Path | None = None) -> Counter[str]:
    """How often the person reports each tile and item, or the points of a tile, in a random game."""
    game = rulespec.load(GAME, deck=deck).game(players=2, rulings={"farmers": "with_farmers"})
    state, chance, found = game.new_initial_state(seed=seed), random.Random(seed), Counter[str]()
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        match state.action_to_string(0, action).split():
            case [tile, "yields", _, _, item]:
                found[f"{tile} {item}"] += 1
            case [tile, "shows", *_]:
                found[tile] += 1
        state.apply_action(action)
    return found


def test_the_sheet_has_the_tiles_of_the_spec_and_no_yields() -> None:
    spec = rows(ftk("cards", GAME, "--format", "csv", "-q").output)
    assert [{field: row[field] for field in SHEETS[0]} for row in spec] == SHEETS
    assert len(SHEETS) == 21
    assert {field for row in SHEETS for field, value in row.items() if value} == {*KNOWN, "status", "source"}


def test_each_side_is_asked_for_once() -> None:
    found = reports(1)
    assert found
    assert all(times <= (2 if " " in name else 1) for name, times in found.items())


def test_what_a_deck_has_is_not_asked_for(tmp_path: Path) -> None:
    assert not reports(0, deck(tmp_path / "farmers.yaml", "wheat: 1, wheat_up: 0, fixed: 2, fixed_up: 3"))


CASE = """scenario: 2
game: keyflower_king
cases:
  - id: deck
    title: What the side that is up yields counts
    players: 2
    rulings: {{farmers: with_farmers}}
    given:
      at: turns
      zones: {{king_deck: [K03, K02, K01], "tiles[s2]": [{tile}]}}
      values: {{to_move: false, "board[blue]": 1, {values}}}
      rest: gone
    expect: {{values: {expected}}}
"""


@pytest.mark.parametrize(
    ("entries", "values", "expected"),
    [
        # workers beside wheat go on the board
        ("wheat: 1, drawn: 2, greens: 1", '"bag[yellow]": 7', '{score: 1, "board[yellow]": 2, "board[green]": 1}'),
        # resources of the upgraded side are known, and score once
        ("wheat: 1, gain_up: 2", '"upgraded[TILE]": true', "{score: 2}"),
        # a side that yields workers only is not usable, whatever the other side yields
        ("gain: 2, drawn_up: 1, sheep_up: 0", '"upgraded[TILE]": true', '{"workers[TILE]": 0}'),
    ],
)
def test_a_deck_says_what_each_side_yields(tmp_path: Path, entries: str, values: str, expected: str) -> None:
    tile = next(row["name"] for row in SHEETS if row["kind"] == "village" and row["upgrades"] == "true")
    case = CASE.format(tile=tile, values=values.replace("TILE", tile), expected=expected.replace("TILE", tile))
    (tmp_path / "cases.yaml").write_text(case, encoding="utf-8")
    done = ftk("test", tmp_path / "cases.yaml", "--deck", deck(tmp_path / "farmers.yaml", entries))
    assert done.exit_code == 0, done.output
