"""All engines side by side: the same random games, step by step, with the same legal actions, states and events.

    .venv/bin/python tests/agreement.py [--whole] [GAMES] [GAME...]

plays GAMES games (default 100) of every setting: each player count with the default rulings, with each other answer to
one of them, and with random answers. It runs as many settings in parallel as the machine has processors. At each
decision it compares the players to act, the legal actions, the place in the program, the random stream and the events;
at every third one also registers and zones, and what a player may know if there are events. If engines differ, it
prints the shortest log that shows it. With --whole it compares the results of playouts instead, which is faster and
covers other code of every engine; the interpreter plays a tenth of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import yaml

import rulespec
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.states.log import lines
from rulespec.engine.states.playout import Chunk, Column, playouts

HERE = tuple(name for name, engine in ENGINES.items() if not engine.missing)
"""The engines this machine has, the interpreter first."""
EVERY = 3

GAMES = Path(__file__).with_name("engines")
"""Small games, each for something that engines do in a way of their own: its first line says for what."""


def text_of(name: str) -> str:
    """The spec of one of these games."""
    return (GAMES / f"{name}.yaml").read_text(encoding="utf-8")


def declared(id_: str) -> tuple[range, dict[str, list[str]]]:
    """The player counts of a shipped game, and its rulings with their other options, without building its model: the
    parameters of tests are made in every process."""
    text = Path(rulespec.find(id_)).read_text(encoding="utf-8")
    spec = yaml.load(text, yaml.CSafeLoader)
    low, _, high = str(spec["game"]["players"]).partition("..")
    return range(int(low), int(high or low) + 1), {name: row["or"] for name, row in spec.get("rulings", {}).items()}


def settings(spec: rulespec.Spec) -> Iterator[tuple[int, dict[str, str]]]:
    """Every player count with the rulings as they are, with each other answer to one of them, and with answers drawn at
    random."""
    rulings = spec.model.rulings.values()
    for players in spec.players:
        yield players, {}
        for ruling in rulings:
            yield from ((players, {ruling.id: answer}) for answer in ruling.options[1:])
        below = Generator(players).below
        yield players, {ruling.id: ruling.options[below(len(ruling.options))] for ruling in rulings}


def situation(state: rulespec.State) -> tuple[Any, ...]:
    """What must agree at every decision, besides events."""
    who = state.deciders()
    return state.current_player(), who, [state.legal_actions(p) for p in who], state.pc, state.generator.state


def position(state: rulespec.State) -> tuple[list[int], list[list[int]]]:
    """All registers and zones."""
    return [*state.r[: len(state.game.program.start)]], [*state.z]


def seen(state: rulespec.State) -> tuple[bytes, bytes, str]:
    """What one player after another may know, in every form."""
    player = len(state.choices) % state.game.players
    tensor = state.information_state_tensor(player).tobytes()
    return state.information_state_key(player), tensor, state.observation_string(player)


def difference(
    games: list[rulespec.Game], seed: int, record: bool, every: int = 1
) -> tuple[str, rulespec.State] | None:
    """Plays one random game on all engines in step. Returns the first difference, and the interpreter's state there.

    Positions are compared at every `every`-th decision, with an offset that depends on the seed, and at the end.
    """
    states = [game.new_initial_state(seed, record) for game in games]
    first, below = states[0], Generator(stream(seed, 1)).below
    while True:
        wanted = situation(first)
        whole_position = first.is_terminal() or (len(first.choices) + seed) % every == 0
        lies = position(first) if whole_position else None
        for game, state in zip(games[1:], states[1:], strict=True):
            if situation(state) != wanted or (lies is not None and position(state) != lies):
                return f"{game.engine} is in another state", first
            if record and lies is not None and seen(state) != seen(first):
                return f"{game.engine} gives a player another view", first
            if record and state.events[-40:] != first.events[-40:]:  # type: ignore[index]
                return f"{game.engine} emits other events", first
        if first.is_terminal():
            break
        for player in first.deciders():
            legal = first.legal_actions(player)
            action = legal[below(len(legal))]
            for state in states:
                state.apply_action(action, player)
    wanted_end = first.ranking(), first.scores(), first.returns(), first.explain_result(), first.events
    for game, state in zip(games[1:], states[1:], strict=True):
        if (state.ranking(), state.scores(), state.returns(), state.explain_result(), state.events) != wanted_end:
            return f"{game.engine} has another result", first
    return None


def shortest(games: list[rulespec.Game], seeds: range, every: int = 1) -> tuple[str, rulespec.State] | None:
    """Of the games that differ the one with the fewest choices before it does; one in four keeps events."""
    found = [d for seed in seeds if (d := difference(games, seed, record=seed % 4 == 0, every=every)) is not None]
    return min(found, key=lambda d: len(d[1].choices), default=None)


def whole(games: list[rulespec.Game], number: int) -> str | None:
    """Plays playouts on every engine. Returns, in words, the first game with another result on some engine."""
    known, *others = [playouts(game, 7, range(number)) for game in games[1:]]
    first = playouts(games[0], 7, range(-(-number // 10)))
    for game, block in [(games[0], first), *zip(games[2:], others, strict=True)]:
        for mine, theirs in zip(results(known), results(block), strict=True):
            for at, (a, b) in enumerate(zip(mine, theirs, strict=False)):
                if a != b:
                    return f"game {at} of seed 7 differs between {games[1].engine} and {game.engine}"
    return None


def agree(games: list[rulespec.Game], seeds: int = 6) -> None:
    """Asserts that engines play the same games, decision by decision and as playouts, with all that playouts count."""
    assert shortest(games, range(seeds)) is None
    assert whole(games, 20 * seeds) is None
    tallies = [playouts(game, 1, range(0, 6, 3), tally=True) for game in games]
    assert tallies == tallies[:1] * len(games)


def results(chunk: Chunk) -> tuple[Column, ...]:
    """The columns of a chunk."""
    return (chunk.decisions, *chunk.ranks, *chunk.scores, *chunk.returns)


def compared(number: int, playouts: bool, job: tuple[str, int, dict[str, str]]) -> tuple[str, float]:
    """What differs in one setting, in words and as a log ("" for nothing), and the seconds it took."""
    name, players, rulings = job
    began = time.perf_counter()
    games = [rulespec.load(name).game(players, rulings, engine) for engine in HERE]
    if playouts:
        words = whole(games, number) or ""
    else:
        found = shortest(games, range(number), EVERY)
        words = "\n".join([found[0], *lines(found[1])]) if found is not None else ""
    return words, time.perf_counter() - began


def main(number: int, playouts: bool, names: list[str]) -> int:
    jobs = [(name, *setting) for name in names for setting in settings(rulespec.load(name))]
    wrong = 0
    with ProcessPoolExecutor() as pool:
        results = pool.map(partial(compared, number, playouts), jobs)
        for (name, players, rulings), (words, seconds) in zip(jobs, results, strict=True):
            wrong += bool(words)
            setting = " ".join([f"{players} players", *(f"{ruling}={answer}" for ruling, answer in rulings.items())])
            print(f"{name}, {setting}: {number:,} games on {', '.join(HERE)}, {seconds:.0f} s", flush=True)
            print(words or "no difference", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    arguments = [word for word in sys.argv[1:] if word != "--whole"]
    count = int(arguments[0]) if arguments else 100
    sys.exit(main(count, "--whole" in sys.argv, arguments[1:] or rulespec.known_games()))
