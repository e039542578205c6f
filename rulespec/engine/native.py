"""A game in progress that machine code carries on: the same state in flat arrays."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator
from threading import RLock
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rulespec.engine.backend.machinesteps import ASKED, FILLED, KINDS, LEGAL, PLACE, PLAYER, ROOM, MachineSteps
from rulespec.engine.backend.native import library
from rulespec.engine.link import NOBODY, SIMULTANEOUS, STOP, Event
from rulespec.engine.random import Generator
from rulespec.engine.state import StartPosition, State

if TYPE_CHECKING:
    from rulespec.engine.game import Game

_POINTERS = (ctypes.c_void_p,) * 4
_I64 = ctypes.c_int64


class Pieces:
    """The compiled pieces of a game, and the arrays that all its states share while one of them is carried on. In `w`
    the legal actions begin at `legal`."""

    def __init__(self, game: Game, record: bool) -> None:
        steps = MachineSteps(game.program, record)
        self.names, self.first = steps.names, steps.follows[0]
        self.layout = steps.layout()
        details = ("steps", str(game.setup_only), str(record))
        self._library = library(game.setting, details, steps.source, EXPORTED)
        address = self._library.get_function_address
        self.lock = RLock()  # of the arrays below
        self.begin = ctypes.PYFUNCTYPE(None, _I64, *_POINTERS)(address("begin"))
        self.act = ctypes.PYFUNCTYPE(None, _I64, *_POINTERS)(address("act"))
        self.reveal = ctypes.PYFUNCTYPE(None, _I64, *_POINTERS)(address("reveal"))
        self.w, self.legal = _numbers(self.layout.w), self.layout.asked
        self.make_room(4096 if record else 1)

    def make_room(self, size: int) -> None:
        """Room for the events of one call."""
        self.ev = _numbers(size)
        self.w[ROOM] = size
        self.shared = (self.w.buffer_info()[0], self.ev.buffer_info()[0])


EXPORTED = frozenset({"begin", "act", "reveal"})


def _numbers(size: int) -> array[int]:
    return array("q", bytes(8 * size))


class NativeState(State):
    """See `State`. `_m` and `_z` are all there is to go on from; the lists of the other engines are made of them when
    somebody asks, and kept in `_lists` until play goes on."""

    __slots__ = ("_lists", "_m", "_own", "_pieces", "_z")

    def __init__(self, game: Game, seed: int, record: bool, position: StartPosition | None = None) -> None:
        self._pieces = game.pieces(record)
        layout = self._pieces.layout
        self._arrays(_numbers(layout.r + layout.n), array("h", bytes(2 * layout.z)))
        # Any rule may begin a position set up by hand: what can begin anywhere goes on to the first decision.
        started = State(game, seed, record, position) if position is not None else None
        if started is None:
            self._lay_out(game, seed, record)
        else:
            self._continue(started)

    def _arrays(self, m: array[int], z: array[int]) -> None:
        self._m, self._z = m, z
        self._lists: dict[str, Any] = {}
        self._own = (m.buffer_info()[0], z.buffer_info()[0])

    def _lay_out(self, game: Game, seed: int, record: bool) -> None:
        program = game.program
        self.game, self.seed, self.position = game, seed, None
        self.r = [*program.start]
        if program.zones:
            self.z = [list(program.cards) if zone == program.start_zone else [] for zone in range(len(program.zones))]
        self.generator = Generator(seed & 2**64 - 1)
        self.choices, self.events = [], [] if record else None
        self.decided, self.asked, self.known, self.pc, self.player = {}, {}, {}, 0, STOP
        self.go_on(self._pieces.first)

    def _continue(self, other: State) -> None:
        for name in ("game", "seed", "position", "choices", "events", "legal", "asked", "decided", "player", "pc"):
            setattr(self, name, getattr(other, name))
        self.known = {}
        self.r, self.z, self.generator = other.r, other.z, other.generator

    # the parts of the state as the other engines have them

    @property
    def r(self) -> list[int]:
        if "r" not in self._lists:
            self._lists["r"] = [*self._m[: self._pieces.layout.r - 1], *[0] * self.game.program.scratch]
        return self._lists["r"]  # type: ignore[no-any-return]

    @r.setter
    def r(self, registers: list[int]) -> None:
        size = self._pieces.layout.r - 1
        self._m[:size] = array("q", registers[:size])

    @property
    def z(self) -> list[list[int]]:
        if "z" not in self._lists:
            self._lists["z"] = [self._cards(zone).tolist() for zone in range(len(self.game.program.zones))]
        return self._lists["z"]  # type: ignore[no-any-return]

    @z.setter
    def z(self, zones: list[list[int]]) -> None:
        for zone, cards in enumerate(zones):
            first = zone * self._places
            self._m[self._pieces.layout.r + zone] = len(cards)
            self._z[first : first + len(cards)] = array("h", cards)

    @property
    def _places(self) -> int:
        return len(self._z) // (self._pieces.layout.n + 1)

    def _cards(self, zone: int) -> array[int]:
        first = zone * self._places
        return self._z[first : first + self._m[self._pieces.layout.r + zone]]

    @property
    def generator(self) -> Generator:
        return Generator(self._m[self._pieces.layout.r - 1] & 2**64 - 1)

    @generator.setter
    def generator(self, generator: Generator) -> None:
        state = generator.state
        self._m[self._pieces.layout.r - 1] = state - 2**64 if state >= 2**63 else state

    # running

    def go_on(self, place: int) -> None:
        self._call(self._pieces.begin, place)

    def _carry_out(self, action: int) -> None:
        self._call(self._pieces.act, action)

    def _reveal(self) -> None:
        decided, self.decided, w = self.decided, {}, self._pieces.w
        self.choices += sorted(decided.items())
        with self._pieces.lock:
            for player in range(self.game.players):
                w[ASKED + self.game.players + player] = decided.get(player, -1)
            self._call(self._pieces.reveal, len(decided))

    def _call(self, function: Any, number: int) -> None:
        """Carries on until somebody must decide, and takes over how things stand there."""
        pieces = self._pieces
        w = pieces.w
        self._lists = {}
        with pieces.lock:
            if self.events is None:
                w[PLACE], w[PLAYER] = self.pc, self.player
                function(number, *self._own, *pieces.shared)
            else:
                self._call_and_tell(function, number)
            self.pc, self.player = w[PLACE], w[PLAYER]
            if self.player == SIMULTANEOUS:
                self.legal, self.asked = [], dict(self._each_asked())
            else:
                self.legal, self.asked = w[pieces.legal : pieces.legal + w[LEGAL]].tolist(), NOBODY
        if self.events is not None and self.game.always:
            seen: Any = SimpleNamespace(r=self.r, z=self.z, events=self.events, tell=self.tell)
            for check in self.game.always:
                check(seen)

    def _call_and_tell(self, function: Any, number: int) -> None:
        """The same with all that happens; once more from the same state where there was no room for it."""
        pieces, before = self._pieces, (self._m[:], self._z[:])
        while True:
            pieces.w[PLACE], pieces.w[PLAYER], pieces.w[FILLED] = self.pc, self.player, 0
            function(number, *self._own, *pieces.shared)
            if pieces.w[FILLED] <= pieces.w[ROOM]:
                break
            pieces.make_room(2 * pieces.w[FILLED])
            self._m[:], self._z[:] = before
        for event in self._happened():
            if event[0] != "broken" or not any(e[0] == "broken" and e[2] == event[2] for e in self.events or ()):
                self.tell(event)

    def _happened(self) -> Iterator[Event]:
        ev, at = self._pieces.ev, 0
        while at < self._pieces.w[FILLED]:
            end = at + 1 + ev[at]
            kind, parts = KINDS[ev[at + 1]], ev[at + 2 : end].tolist()
            yield (kind, parts[0], self._pieces.names[parts[1]], *parts[2:]) if kind == "set" else (kind, *parts)
            at = end

    def _each_asked(self) -> Iterator[tuple[int, list[int]]]:
        first, w = self._pieces.legal, self._pieces.w
        for player in range(self.game.players):
            count = w[ASKED + player]
            if count:
                yield player, w[first : first + count].tolist()
            first += count

    # questions

    def zone(self, name: str, index: int = 0) -> list[int]:
        return self._cards(self.game.zone_number(name, index)).tolist()

    def clone(self) -> NativeState:
        copy = object.__new__(NativeState)
        copy._pieces = self._pieces
        copy._arrays(self._m[:], self._z[:])
        copy.game, copy.seed, copy.position = self.game, self.seed, self.position
        copy.choices, copy.legal = self.choices[:], self.legal
        copy.events = self.events[:] if self.events is not None else None
        copy.player, copy.pc, copy.asked, copy.decided = self.player, self.pc, self.asked, self.decided
        copy.known = self._knowledge_shared()
        return copy
