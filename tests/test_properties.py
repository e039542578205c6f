"""What must hold in every position of every game, over random play at every player count."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from exchanged_cards import exchanged, unseen
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.engine.knowledge.events import Narrator
from rulespec.engine.knowledge.hidden_zones import Knowledge
from rulespec.engine.knowledge.observer import Observer
from rulespec.engine.program.ir import Choose, Secret
from rulespec.engine.states import log
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.language.model.types import Type

pytestmark = pytest.mark.slow("each example plays a game")

SPECS = {id_: rulespec.load(id_) for id_ in rulespec.known_games()}
SETTINGS = [(id_, players) for id_, spec in SPECS.items() for players in spec.players]


@cache
def game(id_: str, players: int, rulings: tuple[tuple[str, str], ...] = ()) -> Game:
    return SPECS[id_].game(players, dict(rulings))


@st.composite
def any_game(draw: st.DrawFn) -> Game:
    """Every game, every player count, any answer to any ruling."""
    id_, players = draw(st.sampled_from(SETTINGS))
    answers = {ruling.id: ruling.options for ruling in SPECS[id_].model.rulings.values()}
    return game(id_, players, tuple((ruling, draw(st.sampled_from(found))) for ruling, found in answers.items()))


def step(state: State, choose: random.Random) -> None:
    """One random choice of a player to act."""
    player = choose.choice(state.deciders())
    state.apply_action(choose.choice(state.legal_actions(player)), player)


def random_state(of: Game, seed: int, most: int) -> State:
    """A game after up to `most` random choices."""
    state, choose = of.new_initial_state(seed), random.Random(seed)
    for _ in range(choose.randrange(most + 1)):
        if state.is_terminal():
            break
        step(state, choose)
    return state


def finish(state: State, seed: int) -> State:
    choose = random.Random(seed)
    while not state.is_terminal():
        step(state, choose)
    return state


seeds = st.integers(0, 2**32)
few = settings(max_examples=settings.default.max_examples // 4)
"""Each example plays a game to its end."""


def check_position(state: State) -> None:
    """Every card in exactly one place, every value in its range, something to decide unless the game is over."""
    program = state.game.program
    assert sorted(card for cards in state.z for card in cards) == sorted(program.cards)
    for titled in state.game.viewers.titled_values:
        value = state.game.spec.values[titled.value]
        if value.start is not None:
            held = state.r[program.value_base[titled.value] + titled.cell]
            absent = value.type.optional and state.game.value_word(titled.value, held) == "none"
            assert absent or in_range(state.game, value.type, held), (titled.value, titled.cell, held)
    assert bool(state.deciders()) != state.is_terminal()
    for player in state.deciders():
        legal = state.legal_actions(player)
        assert legal == sorted(set(legal)) and legal
        assert legal[0] >= 0 and legal[-1] < state.game.num_distinct_actions()
    if not state.is_terminal():
        assert isinstance(program.code[state.pc], Choose | Secret)


def in_range(of: Game, type_: Type, held: int) -> bool:
    if type_.kind == "int":
        return type_.low <= held <= type_.high
    if type_.kind == "player":
        return 0 <= held < of.players
    return 0 <= held < (2 if type_.kind == "bool" else len(of.spec.enums[type_.name].members))


@few
@given(any_game(), seeds)
def test_every_position_is_sound(of: Game, seed: int) -> None:
    state, choose = of.new_initial_state(seed), random.Random(seed)
    check_position(state)
    while not state.is_terminal():
        step(state, choose)
        check_position(state)
    assert state.broken_invariants() == []
    assert state.explain_result()
    assert sum(state.returns()) == pytest.approx(1)
    assert min(state.ranking()) == 1


@few
@given(any_game(), seeds)
def test_clone_and_json_go_on_identically(of: Game, seed: int) -> None:
    state = random_state(of, seed, 300)
    clone, restored = state.clone(), of.state_from_json(state.to_json())
    for other in (clone, restored):
        assert other.snapshot() == state.snapshot()
        assert other.deciders() == state.deciders()
        assert all(other.legal_actions(p) == state.legal_actions(p) for p in range(of.players))
    ends = [finish(s, seed) for s in (state, clone, restored)]
    assert ends[0].snapshot() == ends[1].snapshot() == ends[2].snapshot()
    assert ends[0].events == ends[1].events == ends[2].events


@few
@given(any_game(), seeds)
def test_asking_changes_nothing(of: Game, seed: int) -> None:
    state = random_state(of, seed, 200)
    before = json.dumps(state.snapshot())
    for player in range(of.players):
        state.observation_string(player)
        state.information_state_string(player)
        state.legal_actions(player)
    assert json.dumps(state.snapshot()) == before


@few
@given(any_game(), seeds)
def test_replay_gives_the_same_bytes(of: Game, seed: int) -> None:
    state = random_state(of, seed, 400)
    text = "".join(line + "\n" for line in log.lines(state))
    again = log.replay(of, text)
    assert "".join(line + "\n" for line in log.lines(again)) == text


@few
@given(any_game(), seeds)
def test_what_a_player_cannot_see_changes_nothing_for_them(of: Game, seed: int) -> None:
    state = random_state(of, seed, 250)
    choose = random.Random(seed)
    for player in range(of.players):
        hidden = unseen(state, player)
        if len(hidden) < 2:
            continue
        a, b = choose.sample(hidden, 2)
        twin = exchanged(state, a, b)
        assert twin.observation_string(player) == state.observation_string(player)
        assert twin.information_state_string(player) == state.information_state_string(player)
        if player in state.deciders() and not state.decided:
            # The twin enumerates its legal actions itself.
            twin.go_on(twin.pc)
            assert twin.legal_actions(player) == state.legal_actions(player)


@few
@given(any_game(), seeds)
def test_knowledge_is_true(of: Game, seed: int) -> None:
    """Whatever a player is said to know of a zone they cannot look into really lies there."""
    state = random_state(of, seed, 250)
    for player in range(of.players):
        knowledge = Knowledge(of, player)
        for event in state.events or ():
            knowledge.take(event)
        for number, cards in enumerate(state.z):
            faces = [of.program.faces[card] for card in cards]
            if not knowledge.visible[number]:
                assert len(knowledge.at(number)) == len(cards)
                assert all(faces.count(face) >= count for face, count in knowledge.known(number).items())


@few
@given(any_game(), seeds)
def test_secret_choices_may_come_in_any_order_and_show_nothing(of: Game, seed: int) -> None:
    state, choose = of.new_initial_state(seed), random.Random(seed)
    while not state.is_terminal() and state.current_player() != rulespec.SIMULTANEOUS:
        step(state, choose)
    if state.is_terminal():
        return
    chosen = {player: choose.choice(state.legal_actions(player)) for player in state.deciders()}
    seen = [state.observation_string(p) for p in range(of.players)]
    ends = []
    for _ in range(3):
        twin, order = state.clone(), list(chosen)
        choose.shuffle(order)
        for player in order[:-1]:
            twin.apply_action(chosen[player], player)
            assert [twin.observation_string(p) for p in range(of.players)] == seen
            assert twin.legal_actions(player) == []
            assert of.state_from_json(twin.to_json()).decided == twin.decided
        twin.apply_action(chosen[order[-1]], order[-1])
        ends.append((twin.snapshot(), twin.events, twin.choices))
    assert ends[0] == ends[1] == ends[2]
    at_once = state.clone()
    at_once.apply_actions(chosen)
    assert (at_once.snapshot(), at_once.events, at_once.choices) == ends[0]


@pytest.mark.parametrize("id_", SPECS)
def test_another_seed_is_another_game(id_: str) -> None:
    of = SPECS[id_].game()
    assert finish(of.new_initial_state(5), 9).events != finish(of.new_initial_state(6), 9).events


def test_a_state_of_another_game_is_refused() -> None:
    text = game("fortheking", 3).new_initial_state(1).to_json()
    for wrong in (
        "",
        "{}",
        "[]",
        text.replace('"players": 3', '"players": 4'),
        text.replace('"history": []', '"history": [99999]'),
    ):
        with pytest.raises(rulespec.StateError):
            game("fortheking", 3).state_from_json(wrong)
    tampered = json.loads(text)
    tampered["state"]["registers"][0] = 6
    with pytest.raises(rulespec.StateError, match="another version"):
        game("fortheking", 3).state_from_json(json.dumps(tampered))


WORN = """
rulespec: 2
game: {id: worn, version: 1.0.0, players: 2}
cards: {fields: {tool: 1..6}, manifest: [{tool: 1..6}], start: shed}
zones: {shed: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}}
values: {wear: {per: card, type: 0..9, start: 0, title: wear}}
setup: {shuffle: shed}
play:
  - {each: {p: player}, do: {move: {top: 2, from: shed, to: "hand[p]"}}}
  - {each: {p: player}, do: {each: {c: "hand[p]"}, do: {set: {"wear[c]": "min(wear[c] + 1, 9)"}}}}
  - {choose: {by: seat(1), options: [{says: go on, do: {note: Nothing.}}]}}
  - rank: {among: {p: player}, by: [{high: "sum(wear[c] for c in hand[p])"}], left: share}
"""


@pytest.mark.parametrize("player", [0, 1])
def test_what_changes_on_a_card_is_shown_to_its_observers(player: int) -> None:
    of = rulespec.loads(WORN).game()
    state = of.new_initial_state(seed=3)
    own = {of.card_name(card) for card in state.zone("hand", player)}
    shown = [line for line in state.information_state_string(player).split("\n") if line.startswith("wear")]
    assert {line.partition("(")[2].partition(")")[0] for line in shown} == own
    words, everything = Narrator(of, None).words, Observer(of, None)
    seen = [words(one) for event in state.events or () for one in everything.observe(event)]
    assert sum(line.startswith("wear") for line in seen) == 4


GRAB = """
rulespec: 2
game: {id: grab, version: 1.0.0, title: Grab, players: 3}
cards: {fields: {value: 1..2}, manifest: [{value: 1, copies: 2}, {value: 2}], start: table}
zones: {table: {seen_by: everybody}, hand: {per: player, seen_by: owner}}
play:
  - id: grab
    title: All grab at once
    secret:
      who: {p: player}
      options: [{says: "grab {c}", pick: {c: table}, do: [{move: {card: c, from: table, to: "hand[p]"}}]}]
      none: skip
      revealed: together
      then: [{note: Some hands are empty now.}]
  - {id: end, title: Most cards, rank: {among: {p: player}, by: [{high: "size(hand[p])", title: cards}], left: share}}
"""


def test_of_equal_cards_each_gets_one_as_long_as_there_are_enough() -> None:
    state = rulespec.loads(GRAB).game().new_initial_state(1)
    ones = {player: state.legal_actions(player)[0] for player in range(3)}
    state.apply_actions(ones)
    assert state.scores() == [1, 1, 0]
