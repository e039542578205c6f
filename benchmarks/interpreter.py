"""How fast the interpreter plays: decisions and games per second by player count, with random players.

    .venv/bin/python benchmarks/interpreter.py [GAMES]

Absolute figures belong to the machine that made them. The ratio beside them does not: it compares with a plain Python
loop run in turns with the games, so that a busy machine slows both.
"""

from __future__ import annotations

import statistics
import sys
import time

import rulespec
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import playout

ROUNDS = 5
RULINGS = {"overbid": "forbidden"}  # bids limited to what can be paid, as in the figures this is compared with


def yardstick(turns: int = 200_000) -> float:
    """Steps per second of a loop that does a little arithmetic: the unit of the ratios."""
    began, total = time.perf_counter(), 0
    for i in range(turns):
        total = (total * 31 + i) % 65_537
    return turns / (time.perf_counter() - began)


def measure(game: Game, games: int) -> tuple[float, float]:
    """Games and decisions per second."""
    began = time.perf_counter()
    decisions = sum(playout(game, 1, number)[1] for number in range(games))
    seconds = time.perf_counter() - began
    return games / seconds, decisions / seconds


def recorded(game: Game, games: int) -> float:
    """Decisions per second with every event kept, as in `ftk play` and the Python API."""
    began, decisions = time.perf_counter(), 0
    for number in range(games):
        state = game.new_initial_state(number)
        while state.legal:
            state.apply_action(state.legal[(number + decisions) % len(state.legal)])
            decisions += 1
    return decisions / (time.perf_counter() - began)


def main(games: int) -> None:
    spec = rulespec.load("fortheking")
    print(f"For the King (and Me), {games} games a round, {ROUNDS} rounds; median (least to most)\n")
    print("| players | games/s | decisions/s | with events | yardstick steps per decision |")
    print("|---|---|---|---|---|")
    for players in spec.players:
        game = spec.game(players, RULINGS, "interpreter")
        rounds = [(yardstick(), *measure(game, games), recorded(game, games // 4 + 1)) for _ in range(ROUNDS)]
        steps, rates, decisions, loud = (list(column) for column in zip(*rounds, strict=True))
        ratio = statistics.median(s / d for s, d in zip(steps, decisions, strict=True))
        spread = f"{statistics.median(decisions):,.0f} ({min(decisions):,.0f} to {max(decisions):,.0f})"
        print(
            f"| {players} | {statistics.median(rates):,.0f} | {spread} | {statistics.median(loud):,.0f} | {ratio:.0f} |"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
