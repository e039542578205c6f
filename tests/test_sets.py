"""Options that pick a set of k elements, or up to k."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from agreement import text_of

import rulespec
from ftk_cli.play.menu import Menu
from rulespec.base.source import Source
from rulespec.games.api import check_spec
from rulespec.language.model.combinations import number_of_sets, ranks, things
from rulespec.play.table.choice import choice_of
from rulespec.play.table.finding import Found
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.rules.content import Number
from rulespec.text.rules.facts import required_contents

FACES = "{value: 1..6, colour: [red, green, blue]}"


def text_with(cards: str = "", count: str = "0..3", condition: str = "true") -> str:
    """A game in which each player may exchange a set of cards."""
    known = "{value: 1..3, colour: [red, blue], copies: 3}, {value: 4..6, colour: green}"
    text = text_of("set_of_copies").replace(known, cards or known)
    text = text.replace('"1..min(3, size(discard) + 1)"', count)
    return text.replace('"all(c.colour != red for c in s)"', condition)


def spec_of(cards: str = "", count: str = "0..3") -> rulespec.Spec:
    return rulespec.loads(text_with(cards, count))


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


def test_every_set_of_the_hand_is_one_action() -> None:
    """Equal cards make no further actions; the action says each card, equal ones with their number."""
    game = spec_of().game(players=2)
    state = game.new_initial_state(seed=1)
    hand = [game.program.faces[card] for card in state.z[game.program.zone("hand", 0)]]
    wanted = {
        tuple(sorted(Counter(chosen).items())) for size in range(4) for chosen in combinations(sorted(hand), size)
    }
    said = [state.action_to_string(0, action) for action in state.legal_actions()]
    assert len(said) == len(set(said)) == len(wanted)
    assert "exchange nothing" in said
    assert any(" x2" in one for one in said) == (len(set(hand)) < 5)


def test_a_set_is_typed_in_any_order() -> None:
    state = spec_of(cards=FACES, count="3").game(players=2).new_initial_state(seed=1)
    menu = Menu(choice_of(state, 0))
    for entry in menu.entries:
        head, *others = entry.words.removeprefix("exchange ").split(", ")
        assert menu.find(", ".join([*reversed(others), head])) == Found(entry.action)


def test_actions_count_what_can_occur() -> None:
    sizes = (number_of_sets([3, 3, 3, 3, 3, 3, 1, 1, 1], size) for size in range(4))
    assert spec_of().game(players=2).num_distinct_actions() == sum(sizes)


@pytest.mark.parametrize(("count", "condition", "possible"), [("0..3", "size(s) < 3", True), ("1..3", "true", False)])
def test_an_empty_set_is_always_possible(count: str, condition: str, possible: bool) -> None:
    """A choice needs no `none:` if the empty set meets its condition; a hand may have too few cards for other sets."""
    text = text_with(count=count, condition=condition).replace("        none: skip\n", "")
    assert ("no-choice" in {found.name for found in check_spec(Source("sets.yaml", text)).findings}) != possible


@pytest.mark.parametrize(("players", "choices"), [(2, 0), (3, 3), (4, 4)])
def test_a_set_may_have_too_few_elements_in_a_setting(players: int, choices: int) -> None:
    state = rulespec.loads(text_of("few")).game(players).new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert len(state.choices) == choices


def test_what_a_rule_says_of_sets() -> None:
    model = spec_of().model
    stated = [str(one.act) for one in propositions(model)["swap"]]
    assert any("pick_up_to" in one and one.startswith("may_choose") for one in stated)
    assert any(one.startswith("move_cards(s, hand[p], discard") for one in stated)
    assert Number(3) in set(required_contents(model, "swap"))
    model = spec_of(count="2").model
    assert any("pick_exactly" in str(one.act) and "must" in str(one.act) for one in propositions(model)["swap"])


def test_sets_of_members_players_numbers_and_cards_are_counted() -> None:
    votes = rulespec.loads(text_of("votes")).game()
    assert votes.num_distinct_actions() == comb(4, 2) + (1 + 3 + 3) * 2 + 6 * (4 + 6)
