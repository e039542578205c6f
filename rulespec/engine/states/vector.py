"""Many games at once in machine code, for learners: docs/vectors.md."""

from __future__ import annotations

import os
import secrets
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import Any, Self, SupportsIndex

from rulespec.engine.backend.forms.machine_vector import MOST_EMPTY, Parameter, Turn
from rulespec.engine.interpreter.random import SEED_BITS
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.knowledge.tensors import layout
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.vector_code import VectorCode, vector_code
from rulespec.engine.states.vector_memory import Rows, require_memory, row_size, whole_numbers

OBSERVE = ("observation", "information_state")
NUMBERS = {"float32": "f", "uint8": "B"}
"""How numbers of observations are kept, and their formats in a buffer."""

NAMED = 20
"""Legal actions that a message names."""


@dataclass
class _Task:
    """The slots of a vector from `first` on that one thread plays: games of one setting."""

    code: VectorCode
    first: int
    slots: int
    p: memoryview
    address: int
    states: Rows
    held: tuple[Rows, ...]
    lock: Lock = field(default_factory=Lock)

    def call(self, function: Any) -> Any:
        """Calls a function of the code for these slots."""
        return function(self.address)


@dataclass
class _Share:
    """The tasks of one thread; `pending` is what a thread other than the caller's does for them."""

    tasks: Sequence[_Task]
    pending: Future[None] | None = None

    def is_late(self, steps: int) -> bool:
        """Whether a task has not carried out so many steps."""
        return any(task.p[Parameter.ENDED] < steps for task in self.tasks)


class Vector:
    """n games, each of which waits for one decision of one player; `step` plays all of them on to the next decision.

    Players who decide at once are asked one after another; what they choose is carried out when the last one has
    chosen. Slot i plays the games numbered i, i + n, i + 2n, … of the seed. A game that ends is followed by the next
    one within the same step. `games` are the settings, each for a row of slots of about the same length.

    All arrays are memoryviews of n rows. They stay in their place, and every step brings them up to date. Only
    `actions` may be written to: observations and masks are changed where they differ.

    `observation`        what the player to act sees: `observation_tensor` or `information_state_tensor`, as float32 or
                         as bytes (255 for 1); None for `observe=None`
    `mask`               1 for every legal action, else 0; None for `mask=False`
    `player`             the seat to act
    `rewards`            what the last step was worth to each player: `State.rewards`
    `done`               1 where it ended a game
    `final_observation`  where it did, what the player who acted last saw at the end
    `seeds`              the seed of the game: `game.new_initial_state(seed)` is the same one
    `actions`            a legal action, drawn at random

    Where settings differ, a row is as wide as the widest one needs, and what is behind is 0.
    """

    def __init__(
        self,
        games: Sequence[Ruleset],
        n: int,
        *,
        seed: int | Sequence[int] | None = None,
        threads: int = 1,
        observe: str | None = "observation",
        mask: bool = True,
        numbers: str = "float32",
    ) -> None:
        """Raises ValueError for arguments of no meaning and for a game that machine code cannot play, MemoryError if
        the games do not fit, and StateError if no game of a slot has a decision."""
        _require(games, n, threads, observe, numbers)
        self.games, self.n, self.threads = tuple(games), int(n), int(threads)
        self._codes = [vector_code(game, numbers if observe else None) for game in games]
        sight = max(_sight(game, observe) for game in games)
        actions = max(game.num_distinct_actions() for game in games) if mask else 0
        players = max(game.players for game in games)
        self._rows = self._allocate(NUMBERS[numbers], sight, actions, players)
        views = {name: one and one.view for name, one in self._rows.items()}
        self._taken, self._origins, self.actions = views["taken"], views["origins"], views["actions"]
        self.observation, self.final_observation = views["observation"], views["final_observation"]
        self.mask, self.player, self.rewards = views["mask"], views["player"], views["rewards"]
        self.done, self.seeds = views["done"], views["seeds"]
        self._firsts = _parts(self.n, len(games))
        self._numbers = {
            Parameter.SIGHT_ROW: sight,
            Parameter.MASK_ROW: actions,
            Parameter.REWARD_ROW: players,
            Parameter.HISTORY_TOO: int(observe == OBSERVE[1]),
        }
        self._shares = [_Share([*self._tasks(*ends)]) for ends in pairwise(_parts(self.n, self.threads))]
        self._process, self._is_set, self.steps = os.getpid(), False, 0
        self._pool: ThreadPoolExecutor | None = None
        self.reset(seed)

    def _allocate(self, number: str, sight: int, actions: int, players: int) -> dict[str, Any]:
        """The arrays by name; None for those that are not written."""
        shapes: dict[str, tuple[Any, ...]] = {
            "taken": ("q",),
            "actions": ("q",),
            "drawn": ("q",),
            "observation": (number, sight),
            "final_observation": (number, sight),
            "mask": ("B", actions),
            "player": ("i",),
            "rewards": ("f", players),
            "done": ("B",),
            "seeds": ("Q",),
            "policies": ("Q",),
            "origins": ("Q",),
        }
        state = 8 * max(code.state_size for code in self._codes)
        require_memory(self.n, state + sum(row_size(*shape) for shape in shapes.values()))
        written = {name: Rows(format_, self.n, *width) for name, (format_, *width) in shapes.items() if 0 not in width}
        return {name: written.get(name) for name in shapes}

    def _tasks(self, first: int, last: int) -> Iterator[_Task]:
        """The tasks of a thread: its slots, setting by setting."""
        for code, (begin, end) in zip(self._codes, pairwise(self._firsts), strict=True):
            if (low := max(first, begin)) < (high := min(last, end)):
                yield self._task(code, low, high - low)

    def _task(self, code: VectorCode, first: int, slots: int) -> _Task:
        p, scratch, states = Rows("q", len(Parameter)), Rows("q", code.scratch_size), Rows("q", slots, code.state_size)
        own = {Parameter.BLOCK: first, Parameter.SLOTS: slots}
        own |= {Parameter.STATES_AT: states.address, Parameter.SCRATCH_AT: scratch.address}
        rows = {name: one.address + first * one.row_size for name, one in self._rows.items() if one is not None}
        addresses = {Parameter[f"{name.upper()}_AT"]: address for name, address in rows.items()}
        for place, value in {**self._numbers, **own, **addresses}.items():
            p.view[place] = value
        return _Task(code, first, slots, p.view, p.address, states, (p, scratch))

    def game_of(self, slot: int) -> Ruleset:
        """The setting of a slot, from 0. Raises ValueError for a slot that the vector does not have."""
        return self.games[bisect_right(self._firsts, self._slot(slot)) - 1]

    def legal_actions(self, slot: int) -> list[int]:
        """The legal actions of the player to act in a slot, rising. Raises ValueError like `game_of`."""
        self._complete()
        task = next(task for task in self._all_tasks() if task.first <= self._slot(slot) < task.first + task.slots)
        first = (slot - task.first) * task.code.state_size
        state: memoryview[int] = task.states.view.cast("B").cast("q")[first : first + task.code.state_size]
        legal = task.code.legal + state[Turn.FIRST]
        return state[legal : legal + state[Turn.COUNT]].tolist()

    def _slot(self, slot: int) -> int:
        if slot not in range(self.n):
            raise ValueError(f"there is no game {slot}: those of this vector are 0 to {self.n - 1}")
        return slot

    # playing

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begins anew, with the first games of a seed; without one, of a random seed. With a sequence of n seeds, slot
        i plays the games 0, 1, 2, … of seed i. Raises StateError if no game of a slot has a decision."""
        self._require_open()
        first = secrets.randbits(SEED_BITS) if seed is None else seed
        seeds: list[Any] = [*seed] if isinstance(seed, Sequence) else [first] * self.n
        for one in seeds:
            if not isinstance(one, SupportsIndex):
                raise ValueError(f"a seed is a whole number, not {one!r}")
        if len(seeds) != self.n:
            raise ValueError(f"a vector of {self.n} games needs one seed or {self.n}, not {len(seeds)}")
        self.seed, self._shared = int(seeds[0]), not isinstance(seed, Sequence)
        self._seeds = array("Q", (int(one) & 2**64 - 1 for one in seeds))
        self._is_set = False
        self._complete()
        self._require_decisions()

    def step(self, actions: Any) -> None:
        """Carries out an action in every game: whole numbers in a buffer (int64 is fastest) or a sequence. A game with
        the action -1 (`WAIT`) waits: it shows the same decision, and its step was worth nothing.

        Raises StateError if one is not legal, and ValueError for anything but n whole numbers; no game has moved then.
        After an interrupt (KeyboardInterrupt), the next call completes a step that has begun; `steps` counts it.
        """
        self._complete()
        self._taken[:] = memoryview(whole_numbers(actions, self.n))
        for task in self._all_tasks():
            if (refused := task.call(task.code.refused)) >= 0:
                raise self.refusal(task.first + refused, self._taken[task.first + refused])
        self.steps += 1
        self._complete()
        self._require_decisions()

    def random_actions(self) -> Any:
        """`actions`: a legal action of every game, drawn with the same probability as each other one. A vector that
        takes them plays the games of `playouts` with its seed."""
        self._complete()
        return self.actions

    def refusal(self, slot: int, action: int) -> StateError:
        """What is raised for an action that is not legal in a slot."""
        legal = self.legal_actions(slot)
        named = ", ".join(map(str, legal[:NAMED])) + (", …" if len(legal) > NAMED else "")
        among = f"it is not among the {len(legal)} legal actions ({named})"
        return StateError(f"action {action} cannot be taken in game {slot}: {among}. No game has moved")

    # threads

    def _all_tasks(self) -> Iterator[_Task]:
        return (task for share in self._shares for task in share.tasks)

    def _complete(self) -> None:
        """Carries out the last step or reset where it has not been: everywhere, or where an interrupt has left it."""
        self._require_open()
        if not self._is_set:
            self.steps = 0  # first: an interrupt may have left a thread that carries out what is late
            for share in self._shares:
                if share.pending is not None and share.pending.done():
                    share.pending = None  # what it has raised is past
            for task in self._all_tasks():
                with task.lock:
                    task.p[Parameter.SHARED], task.p[Parameter.DEALT] = int(self._shared), self.n if self._shared else 1
                    slots = slice(task.first, task.first + task.slots)
                    self._origins[slots] = memoryview(self._seeds)[slots]
                    task.p[Parameter.STUCK] = 0
                    task.p[Parameter.ORDERED] = task.p[Parameter.BEGUN] = task.p[Parameter.ENDED] = -1
            self._is_set = True
        own, *others = self._shares
        late = [share for share in others if share.is_late(self.steps)]
        for share in late:
            self._order(share)
        self._advance(own.tasks)
        for share in late:
            for task in share.tasks:
                task.call(task.code.attend)
            while share.is_late(self.steps):
                # It has gone to sleep, or has much to do.
                assert share.pending is not None
                share.pending.result()
                self._order(share)

    def _order(self, share: _Share) -> None:
        """Has another thread carry out the last step."""
        for task in share.tasks:
            task.p[Parameter.STEP] = self.steps
            task.call(task.code.order)
        if share.pending is None or share.pending.done():
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.threads - 1, "ftk-vector")
            ended, share.pending = share.pending, self._pool.submit(self._serve, share.tasks)
            if ended is not None:
                ended.result()  # raises what it has raised

    def _serve(self, tasks: Sequence[_Task]) -> None:
        """Carries out what is ordered, in another thread; steps of one task as long as more of them are."""
        if tasks[1:]:
            self._advance(tasks)
            return
        for task in tasks:
            with task.lock:
                self._carry_out(task)
                task.call(task.code.serve)

    def _advance(self, tasks: Sequence[_Task]) -> None:
        """Carries out the last step in tasks that have not."""
        for task in tasks:
            # An interrupt may have left another thread at work on it.
            with task.lock:
                self._carry_out(task)

    def _carry_out(self, task: _Task) -> None:
        if task.p[Parameter.BEGUN] != task.p[Parameter.ENDED]:
            raise ValueError("this process was forked in the middle of a step: reset begins anew")
        if task.p[Parameter.ENDED] < 0:
            task.call(task.code.begin)
        if task.p[Parameter.ENDED] < self.steps:
            task.call(task.code.advance)

    def _require_open(self) -> None:
        """Raises ValueError for a closed vector."""
        if not self._shares:
            raise ValueError("this vector is closed")
        if self._process != os.getpid():  # forked: the threads, and what they hold, are those of the other process
            self._pool, self._process = None, os.getpid()
            for share in self._shares:
                share.pending = None
                for task in share.tasks:
                    task.lock = Lock()

    def close(self) -> None:
        """Frees the games. The arrays stay as they are."""
        if self._shares:
            self._require_open()
            self._shares = []
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # what is required

    def _require_decisions(self) -> None:
        if any(task.p[Parameter.STUCK] for task in self._all_tasks()):
            raise StateError(f"{MOST_EMPTY} games of a slot one after another have no decision")


def _parts(n: int, parts: int) -> list[int]:
    """Where each of some parts of n slots begins, and n."""
    return [n * number // parts for number in range(parts + 1)]


def _sight(game: Ruleset, observe: str | None) -> int:
    """The numbers that a player observes."""
    if observe is None:
        return 0
    return (layout(game).information if observe == OBSERVE[1] else layout(game).observation)[-1].end


def _require(games: Sequence[Ruleset], n: int, threads: int, observe: str | None, numbers: str) -> None:
    if not isinstance(n, SupportsIndex) or int(n) < 1:
        raise ValueError(f"a vector has at least 1 game, not {n!r}")
    if not games:
        raise ValueError("a vector needs the setting of its games")
    if not isinstance(threads, SupportsIndex) or int(threads) < 1:
        raise ValueError(f"a vector plays in at least 1 thread, not {threads!r}")
    if observe not in (None, *OBSERVE):
        raise ValueError(f"unknown `{observe}` to observe: write {', '.join(OBSERVE)} or None")
    if numbers not in NUMBERS:
        raise ValueError(f"unknown numbers `{numbers}`: write {' or '.join(NUMBERS)}")
