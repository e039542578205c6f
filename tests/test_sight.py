"""Tests of who sees zones, values and draws: others than the owner, and those who meet a condition."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulespec
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.states.state import State
from rulespec.play.table.story import Story

GAMES = Path(__file__).parent / "sight"
NAMES = sorted(path.stem for path in GAMES.glob("*.yaml"))


def started(name: str, players: int = 2, seed: int = 3) -> State:
    return rulespec.load(str(GAMES / f"{name}.yaml")).game(players).new_initial_state(seed=seed)


def say(state: State, *words: str) -> None:
    """Takes the actions with these words, one by one."""
    for each in words:
        player = state.current_player()
        found = (a for a in state.legal_actions(player) if state.action_to_string(player, a) == each)
        state.apply_action(next(found))


@pytest.mark.parametrize("name", NAMES)
def test_what_a_player_observes_does_not_depend_on_when_they_look(name: str) -> None:
    state, dice = started(name, 3), random.Random(5)
    while not state.is_terminal():
        for player in range(3):
            state.observation_string(player)
        state.apply_action(dice.choice(state.legal_actions(state.current_player())))
    again = started(name, 3)
    for _, action in state.choices:
        again.apply_action(action)
    for player in range(3):
        assert again.observation_string(player) == state.observation_string(player)


def test_others_see_what_the_owner_does_not() -> None:
    state = started("hands")
    own, other = (state.observation_string(player).split("\n") for player in range(2))
    assert "brow of player 1: 1 card" in own and "brow of player 2: 1 card" in other
    assert "brow of player 2: 4" in own and not any("all brows" in line for line in (*own, *other))


def test_a_condition_on_the_viewer_follows_the_values_it_reads() -> None:
    state = started("hands")
    assert "tent of south: 1 card" in state.observation_string(0)
    say(state, "change sides", "turn over")
    assert "tent of south: 1\n" in state.observation_string(0)
    assert "player 1 sees the tent of south: 1" in state.information_state_string(0)
    say(state, "change sides")
    assert "tent of south: 1 card, known: 1" in state.observation_string(0)
    assert "tent of south: 1 card\n" in state.observation_string(1)


def test_a_stack_that_was_seen_is_remembered_in_order() -> None:
    state = started("hands")
    say(state, "guard the lamp")
    shown = next(line for line in state.observation_string(0).split("\n") if line.startswith("lamp: "))
    say(state, "guard the lamp")
    cards = shown.removeprefix("lamp: ")
    assert f"lamp: 2 cards, bottom to top: {cards}" in state.observation_string(0)
    assert f"lamp: {cards}" in state.observation_string(1)


def test_only_those_who_see_a_value_observe_it() -> None:
    state = started("hands")
    assert "is a thief (player 1): no" in state.observation_string(0)
    assert "is a thief (player 1)" not in state.observation_string(1)
    say(state, "steal")
    assert "is a thief (player 1) is now yes" in state.information_state_string(0)
    assert "is a thief" not in state.information_state_string(1).replace("is a thief (player 2)", "")


def test_only_those_who_see_a_draw_observe_it() -> None:
    state = started("cups")
    own, other = (state.information_state_string(player) for player in range(2))
    assert "drawn at random: n 5" in own and "drawn at random: n 5" not in other
    assert "drawn at random: n, unseen" in own and "drawn at random: n, unseen" in other
    assert "drawn at random: f, unseen" in own and "drawn at random: f, unseen" in other
    assert "drawn at random: w 1" in own and "drawn at random: w 1" in other


def test_a_pick_that_goes_into_a_hidden_place_is_hidden() -> None:
    state = started("cups")
    say(state, "write 2 and bid 1", "take a 3")
    own, other = (state.information_state_string(player) for player in range(2))
    assert "player 1: write 2 and bid 1" in own and "player 1: Write" in other and "write 2" not in other
    assert "player 2: Pick a card" in own and "player 2: take a 3" in other


FLEET = """
rulespec: 2
game: {id: fleet, version: 1.0.0, title: Fleet, players: 2}
enums: {cell: {grid: {column: a..b, row: 1..2}, near: orthogonal}}
values:
  ship: {per: [player, cell], type: bool, start: false, title: ship, seen_by: owner}
  sunk: {per: [player, cell], type: bool, start: false, title: sunk}
  count: {per: player, type: 0..9, start: 0, title: count, seen_by: owner}
  at:    {type: cell, start: a1}
  kept:  {type: cell, start: a1}
procedures:
  put: {with: {p: player, c: cell}, do: {set: {"ship[p, c]": true}}}
  ask:
    with: {p: player, n: 1..4}
    do: {decide: {hit: first, rows: [{when: n == 2, do: {note: Nothing.}}], otherwise: {set: {"count[p]": 1}}}}
  beside:
    with: {p: player, c: cell}
    do: {choose: {by: p, options: [{says: "{d}", pick: {d: near(c)}, do: {set: {"ship[p, d]": true}}}]}}
play:
  - each: {p: player}
    do: {choose: {by: p, none: skip, options: [{id: go, title: Go, says: "go PICK", pick: {PICK: DOMAIN}, do: BODY}]}}
  - {id: keep, title: Keep, each: {p: player}, do: {set: {"ship[p, kept]": true}}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "sunk[p, a1] ? 1 : 0", title: sunk}], left: share}}
"""


@pytest.mark.parametrize(
    ("pick", "domain", "body", "hidden"),
    [
        ("c", "cell", '{set: {"ship[p, c]": true}}', True),
        ("c", "cell", '{set: {"sunk[p, c]": true}}', False),
        ("c", "cell", "{let: {d: c}, do: {run: put, with: {p: p, c: d}}}", True),
        ("s", "{set_of: cell, count: 2}", '{each: {c: s}, do: {set: {"ship[p, c]": true}}}', True),
        ("n", "1..4", '{each: {m: "1..n"}, do: {set: {"count[p]": "min(count[p] + 1, 9)"}}}', True),
        ("n", "1..4", '{if: n == 2, then: {set: {"ship[p, a1]": true}}}', True),
        ("c", "cell", '{if: "ship[p, c]", then: {set: {"sunk[p, c]": true}}}', False),
        ("n", "1..4", "{run: ask, with: {p: p, n: n}}", True),
        ("n", "1..4", '{id: on, each: {m: 1..2}, do: [{if: n > m, then: {leave: on}}, {set: {"count[p]": 1}}]}', True),
        ("c", "cell", '[{set: {at: c}}, {set: {"ship[p, at]": true}}]', True),
        ("c", "cell", "{set: {kept: c}}", True),
        ("c", "cell", "{run: beside, with: {p: p, c: c}}", True),
        ("c", "cell", '{set: {"ship[p, c]": true, "sunk[p, c]": true}}', False),
        ("c", "cell", '[{set: {"ship[p, c]": true}}, {if: "ship[p, a1]", then: {set: {"sunk[p, c]": true}}}]', True),
        ("c", "cell", '{set: {"ship[left_of(p), c]": true}}', False),
        ("c", "cell", '[{set: {"ship[left_of(p), c]": true}}, {if: "c == a1", then: {set: {"count[p]": 1}}}]', False),
    ],
)
def test_a_pick_that_decides_what_a_hidden_value_is_or_which_is_hidden(
    pick: str, domain: str, body: str, hidden: bool
) -> None:
    text = FLEET.replace("PICK: DOMAIN", f"{pick}: {domain}").replace("PICK", f"{{{pick}}}").replace("BODY", body)
    state = rulespec.loads(text).game(2).new_initial_state(seed=1)
    action = state.legal_actions(0)[1]
    words = state.action_to_string(0, action)
    state.apply_action(action)
    own, other = (state.information_state_string(player) for player in range(2))
    assert f"player 1: {words}" in own and (f"player 1: {words}" in other) != hidden
    assert ("player 1: Go\n" in other) == hidden


def test_a_decision_that_nobody_else_sees() -> None:
    state = started("unseen", 3)
    before = [state.information_state_key(player) for player in range(3)]
    say(state, "send a spy north", "send a spy east")
    keys = [state.information_state_key(player) for player in range(3)]
    assert keys[1:] == before[1:] and keys[0] != before[0]
    assert "player 1 decides" in state.observation_string(0)
    assert "a player decides unseen" in state.observation_string(1)
    own, other = Story(state, 0), Story(state, 1)
    assert [len(story.news(state)) for story in (own, other)] == [6, 0]
    say(state, "shout east", "sleep")
    assert other.news(state)[-1] == "Player 1: shout east." and "shout east" in state.information_state_string(2)
    twin = started("unseen", 3)
    say(twin, "shout east", "sleep")
    assert twin.information_state_key(2) == state.information_state_key(2)
    assert twin.information_state_tensor(2) == state.information_state_tensor(2)


def test_who_sees_what_is_picked() -> None:
    state = started("unseen", 3)
    say(state, *["sleep"] * 3, "give east", "whisper 2", "say east")
    own, left, right = (state.information_state_string(player) for player in range(3))
    assert "player 1: give east" in left and "player 1: Give a spy to the left" in right
    assert "player 2: Whisper" in own and "player 2: Whisper" in right and "player 3: say east" in own


def test_bots_guess_what_they_do_not_see() -> None:
    state = started("cups")
    say(state, "write 2 and bid 1", "trust the die")
    changed = state.clone()
    for slot in state.knowledge(1).visibility.hidden:
        changed.r[slot] = 6
    guesses = [unknown(state, 1).world(Generator(seed)).r for seed in range(20)]
    assert guesses == [unknown(changed, 1).world(Generator(seed)).r for seed in range(20)]
    dice = state.game.address("die", [0]), state.game.address("die", [1])
    assert len({guess[dice[0]] for guess in guesses}) > 2 and {guess[dice[1]] for guess in guesses} == {
        state.r[dice[1]]
    }


def test_what_was_shown_is_remembered_by_those_who_saw_it() -> None:
    state = started("peeks")
    top = [state.game.card_name(card) for card in state.zone("deck")[-2:]]
    own, other = (state.observation_string(player).split("\n") for player in range(2))
    assert f"deck: 6 cards, bottom to top: 4 unknown, {', '.join(top)}" in own and "deck: 6 cards" in other
    assert f"{top[1]} in the deck is shown to player 1" in state.information_state_string(0)
    assert "a card in the deck is shown to player 1" in state.information_state_string(1)


def test_cards_from_the_bottom_are_shown_in_their_places() -> None:
    spec = (GAMES / "peeks.yaml").read_text(encoding="utf-8").replace("show: {top: 2,", "show: {bottom: 2,")
    state = rulespec.loads(spec).game(2).new_initial_state(5)
    lowest = [state.game.card_name(card) for card in state.zone("deck")[:2]]
    assert f"deck: 6 cards, bottom to top: {', '.join(lowest)}, 4 unknown" in state.observation_string(0)


@pytest.mark.parametrize(("words", "least"), [("show the low cards", 0), ("show all", 4)])
def test_cards_that_one_step_shows_are_different_cards(words: str, least: int) -> None:
    state = started("peeks")
    say(state, words)
    hand = sorted(state.game.card_name(card) for card in state.zone("hand", 0))
    seen = [card for card in hand if least or int(card) < 3]
    assert len(seen) == (3 if least else len(seen)) and seen
    line = next(line for line in state.observation_string(1).split("\n") if line.startswith("hand of player 1"))
    assert line == f"hand of player 1: 3 cards, known: {', '.join(seen)}"
    twice = started("peeks")
    say(twice, words, *(["lay down " + twice.game.card_name(twice.zone("hand", 1)[0])]), words)
    again = next(line for line in twice.observation_string(1).split("\n") if line.startswith("hand of player 1"))
    assert again == line


def test_a_clone_sees_what_the_original_sees() -> None:
    state = started("hands")
    for words in ("change sides", "guard the lamp", "guard the lamp", "steal"):
        twin = state.clone()
        assert [twin.observation_string(p) for p in range(2)] == [state.observation_string(p) for p in range(2)]
        say(state, words)
        say(twin, words)
        assert [twin.observation_string(p) for p in range(2)] == [state.observation_string(p) for p in range(2)]
