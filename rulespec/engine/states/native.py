"""A game in progress that machine code runs: the same state in flat arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from typing import Any, Self

from rulespec.engine.backend.dialects.arrays import signed, zeros
from rulespec.engine.backend.engines.native_segments import Segments, addresses
from rulespec.engine.backend.forms.machine_segments import ASKED, LEGAL, PLACE, PLAYER
from rulespec.engine.backend.runtime.digest import bits_of
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.interpreter.running import NONE_ASKED, SIMULTANEOUS, STOP, Event, StartPosition
from rulespec.engine.knowledge.observation import deciders, key, turn_line
from rulespec.engine.knowledge.possible_worlds import Position
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.native_methods import MachineMethods, frame
from rulespec.engine.states.native_observation import ViewSegments, view_segments
from rulespec.engine.states.state import State
from rulespec.engine.states.tiered import TieredState


class NativeState(State):
    """A `State` whose registers and zones are the flat arrays `_m` and `_z`.

    `r` and `z` convert the arrays to lists on first access and keep them in `_lists` until the next action. Machine
    code emits no events: `_recorder` is a state of compiled Python that replays the choices when `events` is read.
    Clones share it (`_shared`) until one of them has to advance it. From the first observation or key on, a state
    goes on with code that keeps in the array `_k` what players know.
    """

    __slots__ = TieredState.__slots__

    def __init__(
        self, game: Ruleset, segments: Segments, seed: int, record: bool, position: StartPosition | None = None
    ) -> None:
        self._begin(segments, record)
        if position is None:
            self._lay_out(game, seed)
        else:
            # A position set up by hand may start at any rule: the interpreter runs it up to the first decision.
            self._continue(State(game, seed, record, position))

    def _begin(self, segments: Segments, record: bool) -> None:
        self._segments, self._records, self._shared = segments, record, False
        if not segments.shared:
            segments.shared = _methods().shared(segments)
        self._recorder: State | None = None
        m, z = segments.start
        self._arrays(m[:], z[:], zeros(segments.kept))

    def _arrays(self, m: array[int], z: array[int], k: array[int]) -> None:
        self._m, self._z, self._k = m, z, k
        self._lists: tuple[list[int], list[list[int]]] | None = None
        self._own = addresses(m, z, k) if k else addresses(m, z)
        self._frame = frame(self._own, self._segments)

    def _lay_out(self, game: Ruleset, seed: int) -> None:
        self.game, self.seed, self.position = game, seed, None
        self._m[self._segments.layout.r - 1] = signed(seed & 2**64 - 1)
        self.choices = []
        self.decided, self.asked, self.known, self.pc, self.player = {}, {}, {}, 0, STOP
        self.go_on(self._segments.first)

    def _continue(self, other: State) -> None:
        other._clone_history(self)
        self.r, self.z, self.generator = other.r, other.z, other.generator
        self._recorder = other if self._records else None

    # the parts of the state as the other engines keep them

    def _as_lists(self) -> tuple[list[int], list[list[int]]]:
        if self._lists is None:
            z, numbers, end = self._z, self._m.tolist(), self._segments.layout.r
            sizes = numbers[end : end + len(self.game.program.zones)]
            firsts = range(0, self._places * len(sizes), self._places)
            zones = [z[first : first + size].tolist() for first, size in zip(firsts, sizes, strict=True)]
            self._lists = numbers[: end - 1] + [0] * self.game.program.scratch, zones
        return self._lists

    @property
    def r(self) -> list[int]:
        return self._as_lists()[0]

    @r.setter
    def r(self, registers: list[int]) -> None:
        size = self._segments.layout.r - 1
        self._m[:size] = array("q", registers[:size])

    @property
    def z(self) -> list[list[int]]:
        return self._as_lists()[1]

    @z.setter
    def z(self, zones: list[list[int]]) -> None:
        for zone, cards in enumerate(zones):
            first = zone * self._places
            self._m[self._segments.layout.r + zone] = len(cards)
            self._z[first : first + len(cards)] = array("h", cards)

    @property
    def _places(self) -> int:
        return self._segments.layout.room

    def _cards(self, zone: int) -> array[int]:
        first = zone * self._places
        return self._z[first : first + self._m[self._segments.layout.r + zone]]

    @property
    def generator(self) -> Generator:
        return Generator(self._m[self._segments.layout.r - 1] & 2**64 - 1)

    @generator.setter
    def generator(self, generator: Generator) -> None:
        self._m[self._segments.layout.r - 1] = signed(generator.state)

    @property
    def events(self) -> list[Event] | None:  # type: ignore[override]  # only the recorder writes them
        if not self._records:
            return None
        recorder = self._recorder or State(self.game, self.seed, record=True)
        new = self.choices[len(recorder.choices) :]
        if new and self._shared:
            recorder, self._shared = recorder.clone(), False
        for player, action in new:
            recorder.apply_action(action, player)
        self._recorder = recorder
        return recorder.events

    # running

    def go_on(self, place: int) -> None:
        self._call(self._segments.begin, place)

    def _carry_out(self, action: int) -> None:
        self._call(self._segments.act, action)

    def _reveal(self) -> None:
        decided, self.decided, w = self.decided, {}, self._segments.desk.w
        self.choices += sorted(decided.items())
        for player in range(self.game.players):
            w[ASKED + self.game.players + player] = decided.get(player, -1)
        self._call(self._segments.reveal, len(decided))

    def _call(self, function: Any, number: int) -> None:
        """Runs up to the next decision, and reads it from the desk."""
        desk, self._lists = self._segments.desk, None
        desk.w[PLACE], desk.w[PLAYER] = self.pc, self.player
        function(number, *self._own, desk.address)
        self._take_over(desk.w, self._segments.legal)

    def _asked_on(self, w: list[int]) -> None:
        """Reads a decision of several players from a copy of the desk."""
        self._take_over(array("q", w), self._segments.legal)

    def _take_over(self, w: array[int], legal: int) -> None:
        self.pc, self.player = w[PLACE], w[PLAYER]
        if self.player == SIMULTANEOUS:
            self.legal, self.asked = [], dict(self._each_asked(w, legal))
        else:
            self.legal, self.asked = w[legal : legal + w[LEGAL]].tolist(), NONE_ASKED

    def _each_asked(self, w: array[int], first: int) -> Iterator[tuple[int, list[int]]]:
        for player in range(self.game.players):
            count = w[ASKED + player]
            if count:
                yield player, w[first : first + count].tolist()
            first += count

    def _in_world(self, world: Position, player: int, seed: int) -> NativeState:
        copy = object.__new__(NativeState)
        assert self.game.code.segments is not None
        # Not the segments of this state, which may keep what players know: a world has no history to keep it from.
        copy._begin(self.game.code.segments, self._records)
        copy._continue(super()._in_world(world, player, seed))
        return copy

    # what players know

    def observation_tensor(self, player: int | None = None) -> array[float]:
        player = self._to_act() if player is None else player
        if (views := self._views(player)) is None:
            return super().observation_tensor(player)
        return views.observation(self._own, player, self._deciding(player))

    def information_state_tensor(self, player: int | None = None) -> array[float]:
        player = self._to_act() if player is None else player
        if (views := self._views(player)) is None:
            return super().information_state_tensor(player)
        return views.information_state(self._own, player, self._deciding(player))

    def observation_string(self, player: int | None = None) -> str:
        player = self._to_act() if player is None else player
        if self.game.names.on_cards or (views := self._views(player)) is None:
            return super().observation_string(player)
        unnoticed = self.pc in self.game.program.unnoticed
        turn = turn_line(tuple(deciders(self, player)), self.is_terminal(), unnoticed)
        return views.text(self._own, player, turn)

    def information_state_key(self, player: int | None = None) -> bytes:
        player = self._to_act() if player is None else player
        if (views := self._views(player)) is None:
            return super().information_state_key(player)
        return key(views.digest(self._k, player), player, self._deciding(player), self.pc, self.decided)

    def _deciding(self, player: int) -> int:
        """A bit for every seat that a player sees decide (see `View.deciders`)."""
        return bits_of(deciders(self, player))

    def _views(self, player: int) -> ViewSegments | None:
        """The code that writes tensors; None if Python has to. The first time, it plays the choices so far again."""
        segments = self._segments
        if isinstance(segments, ViewSegments):
            if 0 <= player < self.game.players:
                return segments
        elif self._records and self.position is None and (views := view_segments(self.game)) is not None:
            self._keep_views(views)
            return self._views(player)
        return None

    def _keep_views(self, views: ViewSegments) -> None:
        again = NativeState(self.game, views, self.seed, False)
        for player, action in self.choices:
            again.apply_action(action, player)
        self._segments = views
        self._arrays(self._m, self._z, again._k)

    # zones and copies

    def zone(self, name: str, *index: int) -> list[int]:
        return self._cards(self.game.names.zone_number(name, *index)).tolist()

    @classmethod
    def begin(cls, game: Ruleset, seed: int, record: bool, position: StartPosition | None) -> Self:
        assert game.code.segments is not None
        return cls(game, game.code.segments, seed, record, position)

    @property
    def records(self) -> bool:
        return self._records

    def _kind(self) -> type[State]:  # type: ignore[override]  # the other process may have no machine code
        return NativeState if self.game.code.tier is None else TieredState

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        self._clone_history(copy)
        copy._segments, copy._records, copy._recorder = self._segments, self._records, self._recorder
        copy._shared = self._shared = True
        copy._arrays(self._m[:], self._z[:], self._k[:])
        return copy


@cache
def _methods() -> MachineMethods:
    return MachineMethods(NativeState, NativeState._asked_on)


def take_over(state: TieredState) -> None:
    """Machine code runs a state from now on, which stays the same object. What has happened so far stays recorded."""
    recorder = object.__new__(State)
    state._copy_to(recorder)
    records = state.records
    state.__class__ = NativeState  # type: ignore[assignment]  # it has the same slots
    assert isinstance(state, NativeState)
    assert state.game.code.segments is not None
    state._begin(state.game.code.segments, records)
    state._continue(recorder)
    # It plays the choices of players who decide at once when they are revealed.
    recorder.decided = {}
