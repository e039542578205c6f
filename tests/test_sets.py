"""Options that pick a set of k elements, or up to k."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from agreement import HERE, difference, whole

import rulespec
from ftk_cli.play.menu import Menu
from rulespec.language.model.combinations import number_of_sets, ranks, things
from rulespec.play.table import Found, choice_of
from rulespec.proofs.meaning import propositions
from rulespec.text.rules.content import Number
from rulespec.text.rules.required import of_rule

GAME = """
rulespec: 2
game: {{id: exchange, version: 1.0.0, title: Exchange, players: 2..3}}
enums: {{colour: [red, green, blue]}}
cards: {{fields: {{value: 1..6, colour: colour}}, manifest: [{cards}], start: deck}}
zones:
  deck: {{order: stack, seen_by: nobody}}
  hand: {{per: player, seen_by: owner}}
  discard: {{seen_by: everybody}}
values:
  total: {{type: -99..99, start: 0}}
setup: {{id: setup, title: Shuffle, shuffle: deck}}
play:
  - {{id: deal, title: Deal, each: {{p: player}}, do: {{move: {{top: 5, from: deck, to: "hand[p]"}}}}}}
  - id: swap
    title: Exchange
    each: {{p: player}}
    do:
      choose:
        by: p
        options:
          - says: exchange {{s}}
            pick: {{s: {{set_of: {of}, count: {count}}}}}
            if: {condition}
            do:
{steps}
        none: skip
  - id: end
    title: Highest sum
    rank: {{among: {{p: player}}, by: [{{high: "sum(c.value for c in hand[p])", title: sum}}], left: share}}
"""
COPIES = "{value: 1..3, colour: [red, blue], copies: 3}, {value: 4..6, colour: green}"
FACES = "{value: 1..6, colour: [red, green, blue]}"
MOVED = """
              - {move: {cards: s, from: "hand[p]", to: discard}}
              - {each: {c: s}, do: {move: {top: 1, from: deck, to: "hand[p]"}}}
"""


def spec_of(tmp_path: Path, **parts: str) -> rulespec.Spec:
    known = {"cards": COPIES, "of": '"hand[p]"', "count": "0..3", "condition": "true", "steps": MOVED, **parts}
    path = tmp_path / "exchange.yaml"
    path.write_text(GAME.format(**known))
    return rulespec.load(path)


@pytest.mark.parametrize(("copies", "size"), [([1] * 7, 3), ([3, 1, 2], 3), ([2, 0, 1, 4], 4), ([5], 2), ([1, 1], 0)])
def test_the_numbers_of_sets_have_no_gaps(copies: list[int], size: int) -> None:
    cards = [thing for thing, copy in enumerate(copies) for _ in range(copy)]
    every = {tuple(sorted(found, reverse=True)) for found in combinations(cards, size)}
    system = ranks(copies, size)
    numbered = {sum(place[thing] for place, thing in zip(system, one, strict=True)): one for one in every}
    assert sorted(numbered) == list(range(number_of_sets(copies, size)))
    assert all(tuple(things(number, system)) == one for number, one in numbered.items())


def test_three_of_52_cards_are_22100_sets() -> None:
    assert number_of_sets([1] * 52, 3) == comb(52, 3) == 22_100


def test_every_set_of_the_hand_is_one_action(tmp_path: Path) -> None:
    """Equal cards make no further actions; the action says each card, equal ones with their number."""
    game = spec_of(tmp_path).game(players=2)
    state = game.new_initial_state(seed=1)
    hand = [game.program.faces[card] for card in state.z[game.program.zone("hand", 0)]]
    wanted = {
        tuple(sorted(Counter(chosen).items())) for size in range(4) for chosen in combinations(sorted(hand), size)
    }
    said = [state.action_to_string(0, action) for action in state.legal_actions()]
    assert len(said) == len(set(said)) == len(wanted)
    assert "exchange nothing" in said
    assert any(" x2" in one for one in said) == (len(set(hand)) < 5)


def test_a_set_is_typed_in_any_order(tmp_path: Path) -> None:
    state = spec_of(tmp_path, cards=FACES, count="3").game(players=2).new_initial_state(seed=1)
    menu = Menu(choice_of(state, 0))
    for entry in menu.entries:
        head, *others = entry.words.removeprefix("exchange ").split(", ")
        assert menu.find(", ".join([*reversed(others), head])) == Found(entry.action)


def test_actions_count_what_can_occur(tmp_path: Path) -> None:
    sizes = (number_of_sets([3, 3, 3, 3, 3, 3, 1, 1, 1], size) for size in range(4))
    assert spec_of(tmp_path).game(players=2).num_distinct_actions() == sum(sizes)


@pytest.mark.parametrize(("count", "condition", "possible"), [("0..3", "size(s) < 3", True), ("1..3", "true", False)])
def test_an_empty_set_is_always_possible(tmp_path: Path, count: str, condition: str, possible: bool) -> None:
    """A choice needs no `none:` if the empty set meets its condition; a hand may have too few cards for other sets."""
    spec_of(tmp_path, count=count, condition=condition)
    path = tmp_path / "exchange.yaml"
    path.write_text(path.read_text().replace("        none: skip\n", ""))
    assert ("no-choice" in {found.name for found in rulespec.check(path).findings}) != possible


FEW = """
rulespec: 2
game: {id: few, version: 1.0.0, title: Few, players: 2..4}
values: {points: {per: player, type: 0..9, start: 0}}
play:
  - id: point
    title: Three players get a point
    each: {p: player}
    do:
      choose:
        by: p
        options: [{says: "{q}", pick: {q: {set_of: player, count: 3}}, do: {each: {o: q}, do: {set: {"points[o]": 1}}}}]
        none: skip
  - {id: end, title: Most points, rank: {among: {p: player}, by: [{high: "points[p]", title: points}], left: share}}
"""


@pytest.mark.parametrize(("players", "choices"), [(2, 0), (3, 3), (4, 4)])
def test_a_set_may_have_too_few_elements_in_a_setting(tmp_path: Path, players: int, choices: int) -> None:
    path = tmp_path / "few.yaml"
    path.write_text(FEW)
    spec = rulespec.load(path)
    games = [spec.game(players=players, engine=engine) for engine in HERE]
    assert all(difference(games, seed, record=True) is None for seed in range(4)) and whole(games, 20) is None
    state = games[0].new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert len(state.choices) == choices


def test_what_a_rule_says_of_sets(tmp_path: Path) -> None:
    model = spec_of(tmp_path).model
    stated = [str(one.act) for one in propositions(model)["swap"]]
    assert any("pick_up_to" in one and one.startswith("may_choose") for one in stated)
    assert any(one.startswith("move_cards(s, hand[p], discard") for one in stated)
    assert Number(3) in set(of_rule(model, "swap"))
    model = spec_of(tmp_path, count="2").model
    assert any("pick_exactly" in str(one.act) and "must" in str(one.act) for one in propositions(model)["swap"])


STEPS = """
              - {set: {total: "clamp(size(s) + sum(c.value for c in s) - (min(c.value for c in s) ?? 9), -99, 99)"}}
              - if: any(c in s if c.colour == blue) and all(c.value > 1 for c in s)
                then: {move: {cards: s, from: "hand[p]", to: discard}}
              - each: {c: s}
                do:
                  if: c.value > (max(d.value for d in s if d != c) ?? 2)
                  then: {move: {card: c, from: "hand[p]", to: deck}}
              - if: first(c in s if c.value > 2) != none
                then: {set: {total: "clamp(total + count(c in s if c.value == 3), -99, 99)"}}
"""
CONDITIONS = {
    "each": "all(c.colour != red for c in s)",
    "sum": "sum(c.value for c in s) <= 7 and size(hand[p]) > 2",
    "differ": "count(c in s) == 0 or max(c.value for c in s) != min(c.value for c in s)",
}


@pytest.mark.parametrize(
    ("cards", "count", "condition"),
    [
        (COPIES, "2", "differ"),
        (COPIES, "0..3", "sum"),
        (COPIES, "1..min(3, size(discard) + 1)", "each"),
        (FACES, "3", "sum"),
        (FACES, "0..2", "differ"),
        (FACES, "1..min(3, size(discard) + 1)", "each"),
    ],
)
@pytest.mark.sample(2)
def test_engines_agree(tmp_path: Path, cards: str, count: str, condition: str) -> None:
    spec = spec_of(tmp_path, cards=cards, count=f'"{count}"', condition=f'"{CONDITIONS[condition]}"', steps=STEPS)
    games = [spec.game(players=3, engine=engine) for engine in HERE]
    assert all(difference(games, seed, record=seed % 2 == 0) is None for seed in range(4))
    assert whole(games, 40) is None


SECRET = """
rulespec: 2
game: {id: vote, version: 1.0.0, title: Vote, players: 3}
enums: {dish: [soup, rice, pie, cake]}
cards: {fields: {value: 1..3}, manifest: [{value: 1..3, copies: 4}], start: deck}
zones: {deck: {order: stack, seen_by: nobody}, row: {seen_by: everybody}, taken: {per: player, seen_by: everybody}}
values: {votes: {per: dish, type: 0..9, start: 0}, asked: {per: player, type: 0..9, start: 0}}
setup: {id: setup, title: Shuffle, do: [{shuffle: deck}, {move: {top: 7, from: deck, to: row}}]}
play:
  - id: vote
    title: Vote for two dishes, name up to two others, or take two cards
    secret:
      who: {p: player}
      options:
        - says: vote for {d}
          pick: {d: {set_of: dish, count: 2}}
          if: not any(e in d if e == soup) or seat_of(p) > 1
          do: {each: {e: d}, do: {set: {"votes[e]": "min(votes[e] + 1, 9)"}}}
        - says: ask {q} on {n}
          pick: {q: {set_of: player, count: 0..2}, n: 1..2}
          if: all(o != p for o in q)
          do: {each: {o: q}, but: p, do: {set: {"asked[o]": "min(asked[o] + n, 9)"}}}
        - says: take {s} and {m}
          pick: {s: {set_of: row, count: 2}, m: {set_of: 1..4, count: 1..2}}
          if: sum(c.value for c in s) == sum(k for k in m)
          do: {move: {cards: s, from: row, to: "taken[p]"}}
      revealed: together
      then: {note: All is shown.}
  - id: end
    title: Most asked
    rank: {among: {p: player}, by: [{high: "asked[p] + sum(c.value for c in taken[p])", title: asked}], left: share}
"""


def test_sets_in_secret_choices(tmp_path: Path) -> None:
    """Sets of members, players, numbers and cards; two players may pick the same cards."""
    path = tmp_path / "vote.yaml"
    path.write_text(SECRET)
    spec = rulespec.load(path)
    games = [spec.game(players=3, engine=engine) for engine in HERE]
    assert games[0].num_distinct_actions() == comb(4, 2) + (1 + 3 + 3) * 2 + 6 * (4 + 6)
    assert all(difference(games, seed, record=seed % 2 == 0) is None for seed in range(12))
    assert whole(games, 60) is None
