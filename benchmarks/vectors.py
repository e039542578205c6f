"""Steps a second of vectors beside loops in Python, OpenSpiel and Pgx: ratios from one interleaved run.

    .venv/bin/python benchmarks/vectors.py [ROUNDS]

Every program plays uniformly random legal actions and goes on to the next game where one ends. What is read of each
decision is named: nothing but the player to act, or the tensor of the player to act and the mask of legal actions. All
run in turns, vectors in as many threads as the machine has processors. Rates are per second of wall time. OpenSpiel and
Pgx take part if they are installed (pip install open_spiel pgx jax).
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator

from engines import ratio, table

import rulespec
from rulespec.engine.states.game import Game

GAMES = (("fortheking", 2), ("kingme", 3), ("hearts", 4), ("oh_hell", 3))
OPEN_SPIEL = {"hearts": "hearts", "oh_hell": "oh_hell(players=3,num_suits=4,num_cards_per_suit=13)"}
PGX, PGX_SLOTS, PGX_STEPS = "leduc_holdem", 2048, 25
SLOTS, STEPS = 512, 200
THREADS = os.cpu_count() or 1
LOOP, PLAIN, TENSORS = "loop, tensor and mask", "vector, player alone", "vector, tensor and mask"
Run = Callable[[], int]


def vector(game: Game, **options: object) -> Run:
    """Steps of a vector."""
    many = game.vector(SLOTS, seed=1, threads=THREADS, **options)

    def run() -> int:
        for _ in range(STEPS):
            many.step(many.random_actions())
        return STEPS * SLOTS

    return run


def loop(game: Game) -> Run:
    """The same decision by decision, with the tensor and a mask of each."""
    draw, one = random.Random(1), [game.new_initial_state(1, record=True)]

    def run() -> int:
        for _ in range(2_000):
            if one[0].is_terminal():
                one[0] = game.new_initial_state(draw.getrandbits(48))
            state = one[0]
            seat = state.deciders()[0]
            legal = state.legal_actions(seat)
            mask = bytearray(game.num_distinct_actions())
            for action in legal:
                mask[action] = 1
            state.observation_tensor(seat)
            state.apply_action(legal[int(draw.random() * len(legal))], seat if state.asked else None)
        return 2_000

    return run


def open_spiel(name: str) -> Run | None:
    """The same with a game of OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        return None
    game, draw = pyspiel.load_game(name), random.Random(1)
    one = [game.new_initial_state()]

    def run() -> int:
        steps = 0
        while steps < 2_000:
            if one[0].is_terminal():
                one[0] = game.new_initial_state()
            state = one[0]
            legal = state.legal_actions()
            if not state.is_chance_node():
                state.information_state_tensor()
                state.legal_actions_mask()
                steps += 1
            state.apply_action(legal[int(draw.random() * len(legal))])
        return steps

    return run


def pgx() -> Run | None:
    """The same with a game of Pgx, compiled by JAX for the processor: it has neither game, so a small card game."""
    try:
        import jax
        from pgx import make
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        return None
    env = make(PGX)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carry: tuple[object, object], _: object) -> tuple[tuple[object, object], object]:
        state, key = carry
        key, chosen, drawn = jax.random.split(key, 3)
        actions = jax.random.categorical(chosen, jax.numpy.log(state.legal_action_mask.astype("float32")), axis=1)
        state = step(state, actions, jax.random.split(drawn, PGX_SLOTS))
        return (state, key), state.observation.sum()

    play = jax.jit(lambda state, key: jax.lax.scan(advance, (state, key), None, PGX_STEPS))
    key = jax.random.PRNGKey(1)
    carry = [(jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_SLOTS)), key)]

    def run() -> int:
        carry[0], seen = play(*carry[0])
        seen.block_until_ready()
        return PGX_STEPS * PGX_SLOTS

    return run


def runs() -> Iterator[tuple[tuple[str, str], Run | None]]:
    """What is measured, by game and program."""
    for name, players in GAMES:
        game = rulespec.load(name).game(players=players, engine="native")
        title = f"{name}, {players} players"
        yield (title, PLAIN), vector(game, observe=None, mask=False)
        yield (title, TENSORS), vector(game)
        yield (title, "the same, bytes"), vector(game, numbers="uint8")
        yield (title, LOOP), loop(game)
        if name in OPEN_SPIEL:
            yield (title, "OpenSpiel, the same loop"), open_spiel(OPEN_SPIEL[name])
    small = rulespec.load("leduc_poker").game(players=2, engine="native")
    yield ("leduc_poker, 2 players", TENSORS), vector(small)
    yield ("leduc_poker, 2 players", LOOP), loop(small)
    yield ("leduc_poker, 2 players", "Pgx, vector"), pgx()


def main(rounds: int) -> None:
    """Prints the table."""
    found = {named: run for named, run in runs() if run is not None}
    for run in found.values():
        run()
    rates: dict[tuple[str, str], list[float]] = {named: [] for named in found}
    for _ in range(rounds):
        for named, run in found.items():
            began = time.perf_counter()
            amount = run()
            rates[named].append(amount / (time.perf_counter() - began))
    rows = (
        (*named, f"{sorted(one)[len(one) // 2]:,.0f}", ratio(one, rates[named[0], LOOP]))
        for named, one in rates.items()
    )
    table(("game", "program", "steps/s", "of the loop"), *rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
