"""All engines play the same: the interpreter is the definition, compiled Python and machine code go by it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

import pytest
from agreement import HERE, agree, declared
from doc_games import GAMES

import rulespec
from rulespec.base.project import playable_games
from rulespec.base.source import Source
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import playouts
from rulespec.engine.states.state import State
from rulespec.games.scenario.runner import run as run_scenario

TESTS = Path(__file__).parent
SCENARIOS = TESTS.parent / "specs" / "scenarios"
OWN = {
    f"{path.parent.name}/{path.stem}": path
    for folder in ("engines", "boards", "cards", "indices", "sight")
    for path in sorted((TESTS / folder).glob("*.yaml"))
    if not path.stem.endswith("_cases")
}
"""Small games, each for something that engines do in a way of their own."""

DOCUMENTED = {block.file: block for block in GAMES}
"""The games of the documentation: small, and together they use all of the language."""

RULINGS = [
    ("fortheking", 3, {"overbid": "forbidden"}),
    ("fortheking", 4, {"own_lot": "taken_first"}),
    ("fortheking", 2, {"payment": "may_overpay"}),
    ("fortheking", 5, {"kept_king": "end_of_turn"}),
    ("kingme", 5, {"first_round": "random"}),
    ("kingme", 4, {"crown_use": "left_of_starter"}),
    ("keyflower_king", 2, {"merchants": "with_merchants"}),
    ("keyflower_king", 2, {"farmers": "with_farmers"}),
]
SHIPPED = [(name, players, {}) for name in playable_games() for players in declared(name)[0]]
COMPILED = tuple(engine for engine in HERE if engine != "native")
MACHINE_CODE = pytest.mark.slow("machine code is compiled for every game")


@cache
def spec(name: str) -> rulespec.Spec:
    if name in DOCUMENTED:
        return rulespec.loads(Source(name, DOCUMENTED[name].text))
    return rulespec.load(OWN.get(name, name))


@cache
def game(name: str, players: int, engine: str) -> Game:
    return spec(name).game(players, engine=engine)


def forward(state: State, seed: int, most: int = 10**9) -> State:
    """Continues with at most `most` random choices."""
    below = Generator(seed).below
    for _ in range(most):
        if state.is_terminal():
            break
        player = state.deciders()[below(len(state.deciders()))]
        legal = state.legal_actions(player)
        state.apply_action(legal[below(len(legal))], player)
    return state


def everything(state: State) -> tuple[object, ...]:
    legal = [state.legal_actions(player) for player in range(state.game.players)]
    who = state.current_player(), state.deciders(), state.decided.copy()
    happened = tuple(state.choices), state.events and tuple(state.events)
    return state.snapshot(), who, legal, happened, state.ranking(), state.scores()


def on_each_engine() -> list[object]:
    """Every engine, in a game where one decides at a time and one where all decide at once."""
    names = (("fortheking", 2), ("kingme", 3), ("offers.yaml", 3))
    return [pytest.param(*name, engine, id=f"{name[0]}-{engine}") for name in names for engine in HERE]


# --- The same games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engines", [COMPILED, pytest.param(HERE, marks=MACHINE_CODE)], ids=["compiled", "all"])
@pytest.mark.parametrize("path", OWN.values(), ids=OWN)
def test_engines_play_the_same_games(path: Path, engines: tuple[str, ...]) -> None:
    of = rulespec.load(path)
    agree([of.game(of.players[-1], engine=engine) for engine in engines])


@pytest.mark.parametrize("name", DOCUMENTED)
@MACHINE_CODE
@pytest.mark.sample(6)
def test_engines_play_the_same_games_of_the_documentation(name: str) -> None:
    agree([spec(name).game(spec(name).players[-1], engine=engine) for engine in HERE], 4)


@pytest.mark.parametrize(("name", "players", "rulings"), [*SHIPPED, *RULINGS])
@pytest.mark.usefixtures("optimised")
@MACHINE_CODE
@pytest.mark.sample(4)
def test_engines_play_the_same_shipped_games(name: str, players: int, rulings: dict[str, str]) -> None:
    agree([rulespec.load(name).game(players, rulings, engine) for engine in HERE], 2)


def test_a_block_of_no_games_is_empty() -> None:
    for engine in HERE:
        assert list(playouts(game("kingme", 3, engine), 1, range(5, 5)).decisions) == []


# --- States ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players", "engine"), on_each_engine())
@pytest.mark.parametrize("record", [True, False])
def test_a_clone_goes_on_alike_and_alone(name: str, players: int, engine: str, record: bool) -> None:
    for most in (0, 3, 20, 57):
        state = forward(game(name, players, engine).new_initial_state(most, record), 1, most)
        clone, before = state.clone(), everything(state)
        assert everything(clone) == before
        end = everything(forward(clone, 2))
        assert everything(state) == before
        again = state.clone()
        assert everything(forward(state, 2)) == end
        assert everything(again) == before
        forward(again, 3)
        assert everything(state) == everything(clone) == end


@pytest.mark.parametrize(("name", "players", "engine"), on_each_engine())
def test_events_are_the_same_whenever_they_are_read(name: str, players: int, engine: str) -> None:
    asked, late = (game(name, players, engine).new_initial_state(5) for _ in range(2))
    kept = []
    while not asked.is_terminal():
        if len(asked.choices) % 10 == 0:
            kept.append((late.clone(), asked.clone(), list(asked.events or ())))
        for player in asked.deciders():
            action = asked.legal_actions(player)[-1]
            asked.apply_action(action, player)
            late.apply_action(action, player)
            assert asked.events
    for one, other, events in reversed(kept):
        assert one.events == other.events == events
        assert forward(one, 1).events == forward(other, 1).events
    assert late.events == asked.events and late.explain_result() == asked.explain_result() != []


@pytest.mark.parametrize(("name", "players"), [("fortheking", 2), ("kingme", 3), ("offers.yaml", 3)])
def test_a_state_written_on_one_engine_is_read_on_another(name: str, players: int) -> None:
    everywhere = [game(name, players, engine) for engine in HERE]
    for seed, most in ((1, 0), (2, 5), (3, 31), (4, 10**9)):
        texts = [forward(of.new_initial_state(seed), seed, most).to_json() for of in everywhere]
        assert len(set(texts)) == 1
        states = [of.state_from_json(texts[0]) for of in everywhere]
        assert [state.to_json() for state in states] == texts
        ends = [everything(forward(state, seed)) for state in states]
        assert all(end == ends[0] for end in ends)


@pytest.mark.parametrize(("name", "players"), [("fortheking", 2), ("kingme", 3), ("offers.yaml", 3)])
def test_players_observe_the_same(name: str, players: int) -> None:
    for seed, most in ((1, 0), (2, 9), (3, 40), (4, 10**9)):
        states = [forward(game(name, players, engine).new_initial_state(seed), seed, most) for engine in HERE]
        for player in range(players):
            assert len({state.observation_string(player) for state in states}) == 1
            assert len({state.information_state_string(player) for state in states}) == 1
        words = [([state.why(action) for action in state.legal], state.explain_result()) for state in states]
        assert words == [words[0]] * len(words)


@pytest.mark.parametrize("name", ["kingme/score", "fortheking/king", "kingme/rounds", "fortheking/auction"])
@pytest.mark.parametrize("engine", HERE[1:])
@MACHINE_CODE
@pytest.mark.sample(2)
def test_scenarios_pass_on_every_engine(engine: str, name: str) -> None:
    """Many begin in positions set up by hand, in the middle of a game."""
    outcome = run_scenario(SCENARIOS / f"{name}.yaml", engine=engine)
    assert outcome.passed and outcome.cases


@pytest.mark.parametrize("engine", HERE)
def test_broken_invariants_are_emitted_once(engine: str) -> None:
    of = game("engines/broken", 2, engine)
    state = forward(of.new_initial_state(1), 1)
    assert state.broken_invariants() == ["smaller", "small", "least"]
    assert state.events == forward(game("engines/broken", 2, "interpreter").new_initial_state(1), 1).events


@pytest.mark.parametrize(("name", "players", "engine"), on_each_engine())
def test_what_is_not_legal_is_refused_and_changes_nothing(name: str, players: int, engine: str) -> None:
    of = game(name, players, engine)
    for most in (0, 7, 30, 10**9):
        state = forward(of.new_initial_state(most), 5, most)
        before, legal = everything(state), {p: state.legal_actions(p) for p in range(players)}
        for player in (*range(players), -1, players):
            wrong = {-1, of.num_distinct_actions(), 10**30, *range(of.num_distinct_actions())}
            for action in sorted(wrong.difference(legal.get(player, ()))):
                with pytest.raises(rulespec.StateError):
                    state.apply_action(action, player)
        for call in (partial(state.observation_string, players), partial(state.zone, "nowhere")):
            with pytest.raises(rulespec.StateError):
                call()
        assert everything(state) == before


@pytest.mark.parametrize(("name", "players", "engine"), on_each_engine())
def test_without_a_record_nothing_is_observed(name: str, players: int, engine: str) -> None:
    quiet = forward(game(name, players, engine).new_initial_state(3, record=False), 3)
    loud = forward(game(name, players, engine).new_initial_state(3), 3)
    assert quiet.events is None and quiet.explain_result() == [] and quiet.broken_invariants() == []
    assert (quiet.snapshot(), quiet.choices, quiet.scores()) == (loud.snapshot(), loud.choices, loud.scores())
    with pytest.raises(rulespec.StateError):
        quiet.observation_string(0)
    with pytest.raises(rulespec.StateError):
        quiet.clone().information_state_string(0)


@pytest.mark.parametrize(("name", "players", "engine"), on_each_engine())
def test_threads_may_share_a_game(name: str, players: int, engine: str) -> None:
    of = game(name, players, engine)

    def end(seed: int) -> tuple[object, ...]:
        return everything(forward(of.new_initial_state(seed, record=seed % 2 == 0), seed, 60))

    alone = [end(seed) for seed in range(24)]
    assert together(end, 24) == alone


def together(work: Callable[[int], object], number: int) -> list[object]:
    """Two threads that take turns as often as Python lets them."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as threads:
            return list(threads.map(work, range(number)))
    finally:
        sys.setswitchinterval(interval)
