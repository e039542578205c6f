"""Values of cards and of members for each member of an enum."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ftk
from doc_games import GAMES

import rulespec
from rulespec.versions.changes.compare import compare

JEWELLERS = next(block.source.text for block in GAMES if block.file == "jewellers.yaml")

GAME = """\
rulespec: 2
game: {id: house, version: 1.0.0, title: House, players: 2}
enums:
  gem: [red, green]
  mood: [calm, wild]
  room:
    hall: {cost: {red: 2}, open: {green: true}, tone: {red: wild}}
    attic: {cost: {}}
    cellar: {cost: {red: -1, green: 3}}
cards:
  fields:
    room: room
    cost: {per: gem, type: 0..5}
    gain: {per: gem, type: 1..4?}
    needs: {per: gem, type: bool}
    tone: {per: gem, type: mood}
  manifest:
    - {room: hall, cost: {red: 3}, gain: {green: 4}, needs: {green: true}, tone: {red: wild, green: calm}}
    - {room: cellar, cost: {green: [1, 2]}, needs: {}, tone: {green: wild, red: wild}}
  start: row
zones: {row: {order: stack, seen_by: everybody}, void: {order: stack, seen_by: everybody}}
values: {g: {type: gem, start: green}}
play:
  id: end
  title: End
  rank: {among: {p: player}, by: [{high: "sum(c.cost[g] for c in row)", title: cost}], left: share}
"""

EQUAL = (
    ("row.cost[green]", "2"),
    ("row.cost[g]", "2"),
    ("row.cost[red] ?? 9", "0"),
    ("void.cost[g]", "none"),
    ("bottom(row).gain[g]", "4"),
    ("bottom(row).gain[red]", "none"),
    ("sum(sum(c.cost[h] for h in gem) for c in row)", "6"),
    ("count(h in gem if any(c in row if c.needs[h]))", "1"),
    ("bottom(row).tone[red]", "wild"),
    ("first(h in gem if any(c in row if c.tone[h] == calm))", "green"),
    ("hall.cost[red] + hall.cost[green]", "2"),
    ("sum(n.cost[g] for n in room)", "3"),
    ("min(n.cost[red] for n in room)", "-1"),
    ("bottom(row).room.cost[g]", "0"),
    ("void.room.cost[g]", "none"),
    ("hall.open[g]", "true"),
    ("hall.open[red]", "false"),
    ("hall.tone[green]", "none"),
    ("attic.open[g]", "none"),
)
"""Expressions, and what they are at the end of the setup."""


@pytest.mark.parametrize(("left", "right"), EQUAL)
@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
def test_values_are_read(left: str, right: str, engine: str) -> None:
    said = GAME + f'invariants: [{{id: same, at: setup.end, holds: "({left}) == ({right})"}}]\n'
    state = rulespec.loads(said).game(2, {}, engine=engine).new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert not [event for event in state.events or () if event[0] == "broken"]


def test_names_say_the_values_that_must_be_written() -> None:
    names = rulespec.loads(GAME).game(2, {}).names.face_names
    assert names == (
        "hall cost 3 red gain 4 green needs green tone red wild green calm",
        "cellar cost 1 green tone red wild green wild",
        "cellar cost 2 green tone red wild green wild",
    )


def test_cards_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "jewellers.yaml"
    path.write_text(JEWELLERS, encoding="utf-8")
    assert "    1  2       1 green 2 red  file        printed" in ftk("cards", path).stdout
    cards = json.loads(ftk("cards", path, "--format", "json").stdout)["cards"]
    assert cards[1]["cost"] == {"green": 1, "red": 2, "white": 0} and cards[1]["tools"] == {
        "file": True,
        "lathe": False,
    }
    listed = tmp_path / "cards.csv"
    ftk("cards", path, "--format", "csv", "--output", listed)
    assert listed.read_text(encoding="utf-8").startswith(
        "points,cost green,cost red,cost white,tools file,tools lathe,"
    )
    assert "has them already" in ftk("cards", path, "--import", listed).stderr
    rows = listed.read_text(encoding="utf-8").replace("1,2,0,0,false,false", "1,2,,1,,true")
    listed.write_text(rows, encoding="utf-8")
    changed = ftk("cards", path, "--import", listed).stdout
    assert "+    - {points: 1, cost: {green: 2, white: 1}, tools: {lathe: true}}" in changed


DECK = """\
deck: 1
game: jewellers
replaces: {points: 2}
cards: [{cost: {red: 3}, tools: {lathe: true}}]
"""


def test_a_deck_has_values_for_members(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    path, deck = tmp_path / "specs/jewellers.yaml", tmp_path / "deck.yaml"
    path.write_text(JEWELLERS.replace('  totals: {"cost[green]": {0: 7, 1: 1, 2: 1}}\n', ""), encoding="utf-8")
    deck.write_text(DECK, encoding="utf-8")
    lines = ftk("cards", path, "--deck", deck).stdout.splitlines()
    assert ["1", "2", "3", "red", "lathe", "printed"] in [line.split() for line in lines]
    deck.write_text(DECK.replace("points: 2", "cost: 3"), encoding="utf-8")
    assert "selected by fields with one value" in ftk("cards", path, "--deck", deck).stderr


def test_versions_are_compared_by_field() -> None:
    old = rulespec.loads(JEWELLERS).model
    dearer = JEWELLERS.replace("cost: {green: 1, red: 2}", "cost: {green: 1, red: 3}")
    changes = compare(old, rulespec.loads(dearer).model).every
    assert [(one.kind, one.name) for one in changes] == [("cards-changed", "points 2, cost 1 green 3 red, tools file")]
    renamed = JEWELLERS.replace("c.cost", "c.fee").replace(" cost:", " fee:").replace("cost[green]", "fee[jade]")
    renamed = renamed.replace("{cost:", "{fee:").replace("green", "jade")
    changes = compare(old, rulespec.loads(renamed).model).every
    assert sorted((one.kind, one.name) for one in changes) == [("field-renamed", "fee"), ("member-renamed", "gem.jade")]
