"""The memory of a state that machine code runs: flat arrays, which it exchanges numbers with."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Protocol, Self, TypeVar

from rulespec.engine.backend.dialects.arrays import signed
from rulespec.engine.backend.engines.native_segments import Opening, Segments
from rulespec.engine.backend.engines.tiers import Tier
from rulespec.engine.backend.forms.machine_segments import ASKED, LEGAL, PLACE, PLAYER
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.interpreter.running import NONE_ASKED, SIMULTANEOUS, STOP, Event, RunningState, StartPosition
from rulespec.engine.knowledge.observer import Observer
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.native_methods import MachineMethods, frame
from rulespec.engine.states.native_observation import ViewSegments, view_segments

S = TypeVar("S", bound="PlayedState")


class PlayedState(RunningState, Protocol):
    """The parts of a state that machine code runs, or takes over."""

    game: Ruleset
    seed: int
    position: StartPosition | None
    choices: list[tuple[int, int]]
    decided: dict[int, int]
    known: dict[int, Observer]
    generator: Generator
    tier: Tier | None
    memory: Memory | None
    frame: bytearray

    def __init__(self, game: Ruleset, seed: int, record: bool, position: StartPosition | None = None) -> None: ...

    def apply_action(self, action: int, player: int | None = None) -> None:
        """Carries out a legal action."""

    def clone(self) -> Self:
        """An independent copy."""


class Memory:
    """The `block` of one state (see blocks.py), which begins with its registers, and its address `own`. It is a
    sequence of the cards of every zone, and has the `state` of the random stream, so that it stands for the zones and
    the generator of the state.

    Machine code emits no events: `recorder` is a state of compiled Python that plays the choices again when events are
    read. Copies share it until one of them has to advance it. From the first observation or key on, a state goes on
    with code that keeps what players know.
    """

    __slots__ = ("block", "own", "recorder", "segments", "shared")

    def __init__(self, segments: Segments, block: array[int], recorder: PlayedState | None) -> None:
        self.segments, self.block, self.recorder, self.shared = segments, block, recorder, False

    def copy(self) -> Memory:
        """An independent copy."""
        copy = object.__new__(Memory)
        copy.segments, copy.recorder, copy.shared = self.segments, self.recorder, True
        copy.block, self.shared = self.block[:], True
        return copy

    def run(self, state: PlayedState) -> None:
        """Runs a state in this memory from now on."""
        segments = self.segments
        if not segments.shared:
            segments.shared = _methods(type(state)).shared(segments)
        address, _ = self.block.buffer_info()
        self.own = ctypes.c_void_p(address)
        state.memory, state.tier, state.frame = self, None, frame(address, segments)
        state.r, state.z, state.generator = self.block, self, self  # type: ignore[assignment]  # they are read as lists are

    # the parts of the state as Python reads them

    def __len__(self) -> int:
        return self.segments.zones

    def __getitem__(self, zone: int) -> list[int]:
        first, size = zone * self.segments.layout.room, self.block[self.segments.layout.r + zone]
        return self._cards()[first : first + size].tolist()

    def __iter__(self) -> Iterator[list[int]]:
        cards, layout = self._cards(), self.segments.layout
        for zone, size in enumerate(self.block[layout.r : layout.r + self.segments.zones]):
            yield cards[zone * layout.room : zone * layout.room + size].tolist()

    def _cards(self) -> memoryview[int]:
        """The cards of all zones, each with the same room."""
        return memoryview(self.block)[self.segments.starts["z"] :].cast("B").cast("h")

    @property
    def state(self) -> int:
        """The state of the random stream."""
        return self.block[self.segments.layout.r - 1] & 2**64 - 1

    def events(self, state: PlayedState) -> list[Event]:
        """What happened so far in a state that records it."""
        recorder = self.recorder or type(state)(state.game, state.seed, record=True)
        new = state.choices[len(recorder.choices) :]
        if new and self.shared:
            recorder, self.shared = recorder.clone(), False
        for player, action in new:
            recorder.apply_action(action, player)
        self.recorder = recorder
        assert recorder.reported is not None
        return recorder.reported

    @staticmethod
    def take_over(state: PlayedState) -> None:
        """Machine code runs a state from now on. What has happened so far stays recorded."""
        segments, recorder = state.game.code.segments, None
        assert segments is not None
        if state.reported is not None:
            recorder = state.clone()
            # It plays the choices of players who decide at once when they are revealed.
            recorder.decided, recorder.tier = {}, None
        memory, (m, z) = Memory(segments, segments.start[:], recorder), segments.layout.position(state.r, state.z)
        m[segments.layout.r - 1] = signed(state.generator.state)
        memory.block[: len(m)] = m
        memory._cards()[: len(z)] = memoryview(z)
        memory.run(state)

    # running

    def begin(self, state: PlayedState) -> None:
        """Deals the cards, and runs the program up to the first decision."""
        self._call(state, self.segments.begin, state.seed & 2**64 - 1)

    def act(self, state: PlayedState, action: int) -> None:
        """Carries out a legal action of the player to act, and what follows from it."""
        self._call(state, self.segments.act, action)

    def reveal(self, state: PlayedState, decided: Mapping[int, int]) -> None:
        """Carries out the actions of all who decide at once, by player."""
        players, w = state.game.players, self.segments.desk.w
        for player in range(players):
            w[ASKED + players + player] = decided.get(player, -1)
        self._call(state, self.segments.reveal)

    def _call(self, state: PlayedState, function: Any, *numbers: int) -> None:
        desk = self.segments.desk
        desk.w[PLACE], desk.w[PLAYER] = state.pc, state.player
        function(self.own, desk.address, *numbers)
        self.read(state, desk.w)

    def read(self, state: PlayedState, w: array[int]) -> None:
        """Reads the decision from the desk."""
        legal = self.segments.legal
        state.pc, state.player = w[PLACE], w[PLAYER]
        if state.player == SIMULTANEOUS:
            state.legal, state.asked = [], dict(_each_asked(w, state.game.players, legal))
        else:
            state.legal, state.asked = w[legal : legal + w[LEGAL]].tolist(), NONE_ASKED

    # what players know

    def views(self, state: PlayedState, player: int) -> ViewSegments | None:
        """The code that makes the views of a player; None if Python has to. The first time, it plays the choices so far
        again."""
        segments = self.segments
        if not isinstance(segments, ViewSegments):
            views = view_segments(state.game) if state.reported is not None and state.position is None else None
            if views is None:
                return None
            again = begun(type(state), state.game, views, state.seed, False)
            for seat, action in state.choices:
                again.apply_action(action, seat)
            assert again.memory is not None
            self.segments = segments = views
            self.block = again.memory.block
            self.run(state)
        return segments if 0 <= player < state.game.players else None


@cache
def _methods(kind: type[Any]) -> MachineMethods:
    return MachineMethods(kind, _several_decide)


def _several_decide(state: PlayedState, w: list[int]) -> None:
    """Reads a decision of several players from a copy of the desk."""
    assert state.memory is not None
    state.memory.read(state, array("q", w))


def _each_asked(w: array[int], players: int, first: int) -> Iterator[tuple[int, list[int]]]:
    for player in range(players):
        if count := w[ASKED + player]:
            yield player, w[first : first + count].tolist()
        first += count


def begun(kind: type[S], game: Ruleset, segments: Segments, seed: int, record: bool) -> S:
    """A state at its first decision, from the deal on run by machine code. If nothing is drawn before it, that is made
    once for all games."""
    opening, last, stream = segments.opening, segments.layout.r - 1, signed(seed & 2**64 - 1)
    state = object.__new__(kind)
    state.game, state.seed, state.position, state.reported = game, seed, None, [] if record else None
    state.choices, state.decided, state.asked, state.known, state.pc, state.player = [], {}, {}, {}, 0, STOP
    memory = Memory(segments, (segments.start if opening is None else opening.block)[:], None)
    memory.block[last] = stream
    memory.run(state)
    if opening is not None:
        state.pc, state.player, state.legal = opening.decision
        return state
    memory.begin(state)
    if memory.block[last] == stream and not state.asked:
        decision = state.pc, state.player, state.legal
        segments.opening = Opening(memory.block[:], decision)
    return state
