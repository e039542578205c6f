"""The games of a vector, each played once more alone: everything that learners read must be equal, bit by bit.

    .venv/bin/python tests/vector_agreement.py [STEPS] [GAME...]

plays STEPS steps (default 1,000,000) over all settings of `agreement.py`, as many of them in parallel as the machine
has processors; half of them with information states.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from agreement import settings

import rulespec
from rulespec.base.project import playable_games
from rulespec.engine.states.game import Game
from rulespec.engine.states.vector import Vector

SLOTS = 32


class Alone:
    """A game of a slot, played alone, and what a learner must read of it."""

    def __init__(self, vector: Vector, slot: int, whole: bool) -> None:
        self.vector, self.slot, self.whole = vector, slot, whole
        self.game = vector.game_of(slot)
        self.begin()

    def begin(self) -> None:
        self.state = self.game.new_initial_state(self.vector.seeds[self.slot])

    def seat(self) -> int:
        return min(self.state.deciders(), default=-1)

    def act(self, action: int) -> tuple[Any, ...]:
        """Rewards, whether the game is over, and what the player who acted sees then."""
        state, seat = self.state, self.seat()
        state.apply_action(action, seat if state.asked else None)
        over = state.is_terminal()
        return array("f", state.rewards()).tobytes(), int(over), self.sight(seat) if over else b""

    def turn(self) -> tuple[Any, ...]:
        """The seat to act, its legal actions as a mask, and what it sees."""
        seat, mask = self.seat(), bytearray(self.game.num_distinct_actions())
        for action in self.state.legal_actions(seat):
            mask[action] = 1
        return seat, bytes(mask), self.sight(seat)

    def sight(self, seat: int) -> bytes:
        state = self.state
        tensor = state.information_state_tensor(seat) if self.whole else state.observation_tensor(seat)
        return tensor.tobytes()


class Read:
    """The same as the vector wrote it."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        self.bytes = {name: getattr(vector, name).cast("B") for name in ROWS}

    def row(self, name: str, slot: int) -> bytes:
        width = len(self.bytes[name]) // self.vector.n
        return bytes(self.bytes[name][slot * width : (slot + 1) * width])

    def act(self, slot: int) -> tuple[Any, ...]:
        over = self.vector.done[slot]
        return self.row("rewards", slot), over, self.row("final_observation", slot) if over else b""

    def turn(self, slot: int) -> tuple[Any, ...]:
        return self.vector.player[slot], self.row("mask", slot), self.row("observation", slot)


ROWS = "rewards", "final_observation", "mask", "observation"


def padded(expected: tuple[Any, ...], read: tuple[Any, ...]) -> tuple[Any, ...]:
    """What must be read, with zeros behind it where rows are wider."""
    pairs = zip(expected, read, strict=True)
    return tuple(one.ljust(len(other), b"\0") if isinstance(one, bytes) else one for one, other in pairs)


def differences(games: Sequence[Game], steps: int, seed: int, whole: bool = False, threads: int = 1) -> Iterator[str]:
    """What a vector writes otherwise than its games alone, in so many steps of its slots; nothing after the first."""
    observe = "information_state" if whole else "observation"
    with Vector(games, SLOTS, seed=seed, observe=observe, threads=threads) as vector:
        read, alone = Read(vector), [Alone(vector, slot, whole) for slot in range(SLOTS)]
        for step in range(-(-steps // SLOTS)):
            vector.step(actions := vector.random_actions().tolist())
            for slot, (one, action) in enumerate(zip(alone, actions, strict=True)):
                done = one.act(action)
                if done[1]:
                    one.begin()
                for expected, found in ((done, read.act(slot)), (one.turn(), read.turn(slot))):
                    if padded(expected, found) != found:
                        yield f"step {step}, slot {slot}, after action {action}: {found} instead of {expected}"[:400]
                        return


def play(steps: int, numbered: tuple[int, tuple[str, int, dict[str, str]]]) -> tuple[str, list[str]]:
    number, (name, players, rulings) = numbered
    game = rulespec.load(name).game(players=players, rulings=rulings, engine="native")
    return f"{name}, {players}, {rulings}", list(differences([game], steps, number, whole=number % 2 == 1))


def main(steps: int = 1_000_000, *names: str) -> int:
    games = names or playable_games()
    all_settings = [(name, *setting) for name in games for setting in settings(rulespec.load(name))]
    each = -(-steps // len(all_settings) // SLOTS) * SLOTS
    wrong = 0
    with ProcessPoolExecutor() as pool:
        for setting, found in pool.map(partial(play, each), enumerate(all_settings)):
            wrong += bool(found)
            print(*(f"{setting}: {one}" for one in found), sep="\n", end="\n" if found else "")
    print(f"{each * len(all_settings):,} steps in {len(all_settings)} settings: {wrong or 'none'} differ")
    return bool(wrong)


if __name__ == "__main__":
    steps, *names = sys.argv[1:] or ["1000000"]
    sys.exit(main(int(steps), *names))
