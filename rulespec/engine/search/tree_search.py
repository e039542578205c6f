"""Tree searches of a game: machine code where llvmlite is installed, that of a host such as a browser where there is
one, else the same functions as Python."""

from __future__ import annotations

import ast
import ctypes
import struct
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from importlib.util import find_spec
from math import inf
from typing import Any, NamedTuple

from rulespec.engine.backend.dialects.arrays import signed, zeros
from rulespec.engine.backend.engines.cache import has_native
from rulespec.engine.backend.forms.machine_search import EXPORTED, ROOT, MachineSearch
from rulespec.engine.backend.forms.machine_segments import LEGAL, PLAYER
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.backend.runtime.search_names import POINT, WHOLE, WORTHY, Control, Edge, Seat
from rulespec.engine.interpreter.random import MASK
from rulespec.engine.interpreter.running import STOP
from rulespec.engine.knowledge.possible_worlds import Position as Contents
from rulespec.engine.knowledge.possible_worlds import Unknown
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.search.always_seen import always_seen
from rulespec.engine.states.state import State

EVERYBODY = -1
"""The `viewer` of a search in which all players distinguish positions by what they see themselves."""

MOST_STEPS = 500
"""Decisions in the tree of one simulation, at most; play goes on at random from there."""


@dataclass(frozen=True)
class Position:
    """A position in the arrays of machine code (see machine_segments.py), and what is unknown there to a player, as
    `runtime/search.py` reads it."""

    place: int
    m: array[int]
    z: array[int]
    unknown: array[int]


LOOKS = 40
"""Looks at the clock until a time, at least: machine code runs more simulations at once until they take longer."""

ROLLOUTS = 64
"""So many rollouts as Python have time, at least: none takes a greater share of it."""

EDGE = len(fields(Edge))
"""Numbers of an edge."""


class Tried(NamedTuple):
    """An action at the root: how often it was followed, and the sum of the rewards, 2**16 for a win."""

    action: int
    visits: int
    total: int


class Tree:
    """A search tree and its random stream. It decides for a player; with `depth` 1 it has the root only. `stopped`
    counts the simulations that stopped before the end of the game."""

    def __init__(
        self, position: Position, players: int, player: int, seed: int, edges: int, viewer: int, depth: int = MOST_STEPS
    ) -> None:
        # A power of two, so that a mask finds the slot; at least two slots for an edge, so that probes are short.
        slots = 1 << (2 * (edges + players)).bit_length()
        self.position = position
        self.unknown = position.unknown[:]
        self.stopped = 0
        self.keys, self.nodes = array("Q", bytes(8 * slots)), zeros(slots)
        self.edges = zeros(EDGE * (edges + players + 1))
        self.path = zeros(2 * (depth + 1) * players)
        self.control = control = Control("q", bytes(8 * (len(Control.__annotations__) + players)))
        control.random, control.seat, control.viewer, control.depth = signed(seed & MASK), player, viewer, depth
        control.most_edges, control.mask, control.root = edges, slots - 1, position.place
        control.lowest, control.highest = 2**62, -(2**62)

    def tried(self) -> list[Tried]:
        """The actions tried at the root."""
        slot, mask = ROOT, self.control.mask
        # Linear probing: another node may have taken the slot of the root first.
        while self.keys[slot] not in (0, ROOT):
            slot = (slot + 1) & mask
        found, number = [], self.nodes[slot] if self.keys[slot] else 0
        while number:
            edge = Edge(*self.edges[number * EDGE : (number + 1) * EDGE])
            found.append(Tried(edge.action, edge.visits, edge.total))
            number = edge.next
        return found


CODE = ("search",)
"""What distinguishes this code of a setting in the cache."""

SearchCode = Mapping[str, Callable[..., None]]
"""The functions of EXPORTED. Each takes a number, then its arrays, which it changes in place."""

SEARCH_HOSTS: list[Callable[[Ruleset], SearchCode | None]] = []
"""Who has the code of searches of a game where llvmlite is missing; None: not of this one. The first answer counts."""


class OutOfTimeError(Exception):
    """It is too late for another simulation."""


@dataclass
class Watch:
    """The times of a search: `until` is its end, `longest` its longest decision of late. As Python, a rollout stops
    after the seconds `rollout`; `stopped` counts those that did. `listed` is what is legal at the root: found once
    where nothing is unknown there."""

    until: float = inf
    rollout: float = inf
    is_open: bool = False
    longest: float = 0.0
    stopped: int = 0
    listed: array[int] | None = None

    @staticmethod
    def of(count: int, until: float, is_open: bool = False) -> Watch:
        """Of a search with so many simulations: those that there are must have their share of the time."""
        return Watch(until, (until - time.monotonic()) / min(count, ROLLOUTS), is_open)


class TimedPython:
    """The functions of a search as Python, which keep the times of a watch: between two decisions they look at the
    clock, as one rollout may take seconds.

    A rollout that stops before the end of its game is worth the lead of a player over the best of the others, as a
    share of what both have: their scores, if the first criterion of the ranking is one, else the places of the board
    that they hold, and their legal actions when they decided last.
    """

    def __init__(self, game: Ruleset, source: MachineSearch) -> None:
        self.code = functions(source.search())
        self.watch, self._game, self._room = Watch(), game, source.room
        self._run, self._offers, self._worth = self.code["run"], self.code["offers"], self.code["worth"]
        self._run.__globals__.update(run=self.run, offers=self.offers, worth=self.worth)
        self._stop, self._stopped = inf, False
        self._actions, self._has = [0] * game.players, [0] * game.players
        self._places = [
            game.program.value_base[value.name] + cell
            for value in game.spec.values.values()
            if value.start is not None and value.type.kind == "player" and "enum" in {at.type.kind for at in value.per}
            for cell in range(game.setting.cells(value))
        ]

    def offers(self, *world: Any) -> None:
        """Lists the legal actions at the root, where a simulation begins."""
        desk, watch, now = world[3], self.watch, time.monotonic()
        latest = watch.until - watch.longest
        if now > latest:
            raise OutOfTimeError
        self._stop, self._stopped = min(now + watch.rollout, latest), False
        if watch.listed is None:
            self._offers(*world)
            watch.listed = desk[:] if watch.is_open else None
        else:
            desk[:] = watch.listed
        self._decides(desk)

    def run(self, place: int, *world: Any) -> None:
        """Plays up to the next decision, where a rollout that has taken its time stops."""
        desk, watch, began = world[3], self.watch, time.monotonic()
        self._run(place, *world)
        now = time.monotonic()
        watch.longest = max(0.9 * watch.longest, now - began)
        self._decides(desk)
        if now > self._stop and desk[PLAYER] != STOP:
            self._stopped, desk[PLAYER] = True, STOP
            watch.stopped += 1

    def _decides(self, desk: array[int]) -> None:
        if desk[PLAYER] >= 0:
            self._actions[desk[PLAYER]] = desk[LEGAL]

    def worth(self, *arguments: Any) -> int:
        """What the end of a simulation is worth to a player."""
        *world, player = arguments
        if not self._stopped:
            return int(self._worth(*arguments))
        if player == 0:
            self._has = self._have(*world[:3])
        own, *others = self._has[player:] + self._has[:player]
        if not others:
            return max(-WORTHY, min(WORTHY, own)) * POINT
        rival = max(others)
        return WHOLE // 2 + WHOLE * (own - rival) // (2 * (abs(own) + abs(rival) + 1))

    def _have(self, registers: Any, sizes: Any, cards: Any) -> list[int]:
        """What each player has at the end of a rollout."""
        r, ranking = registers.tolist(), self._game.program.ranking
        z = [cards[zone * self._room :][: sizes[zone]].tolist() for zone in range(len(self._game.program.zones))]
        scores = self._game.viewers.scores(Contents(r, z), None)
        if ranking is not None and scores:
            return [(score or 0) * (1 if ranking.keys[0].high else -1) for score in scores]
        held = Counter(r[slot] for slot in self._places)
        return [held[player] + actions for player, actions in enumerate(self._actions)]


class Search:
    """The code of the searches of a game. `in_python` says whether it runs as Python. Raises one of COMPILE_LIMITS if
    it exceeds those of the compiler."""

    def __init__(self, game: Ruleset, machine: bool, hosted: SearchCode | None = None) -> None:
        self.game = game
        self.in_python = not (machine or hosted)
        self.source = MachineSearch(game.program, always_seen(game))
        self.layout = self.source.layout()
        self._timed = TimedPython(game, self.source) if self.in_python else None
        self._code = self._timed.code if self._timed else hosted or self._compiled()

    def _compiled(self) -> SearchCode:
        from rulespec.engine.backend.engines.native import library

        code = library(self.game.setting, CODE, self.source.search, frozenset(EXPORTED))
        return {name: _by_address(code.function(name, ctypes.PYFUNCTYPE(None))) for name in EXPORTED}

    def position(self, place: int, unknown: Unknown) -> Position:
        """A position at a decision point, with what is unknown there."""
        m, z = self.layout.position(unknown.registers, unknown.zones)
        return Position(place, m, z, array("q", unknown.numbers(self.layout.room)))

    def simulate(self, tree: Tree, count: int, until: float = inf) -> None:
        """Runs a number of simulations, which grow the tree, or those that end by a time of the monotonic clock."""
        for _ in self.simulating(tree, count, until):
            pass

    def simulating(self, tree: Tree, count: int, until: float = inf) -> Iterator[int]:
        """The same with pauses: with a time there are `LOOKS` or more. Yields how many simulations have been run."""
        root = tree.control, tree.unknown, tree.position.m, tree.position.z
        began = before = time.monotonic()
        watch = Watch.of(count, until, not any(tree.unknown[:4]))
        done, at_once = 0, count if until == inf else 1
        while at_once and before < until:
            self._call("search", at_once, watch, *root, tree.keys, tree.nodes, tree.edges, tree.path)
            now, done, tree.stopped = time.monotonic(), done + at_once, watch.stopped
            took, before = now - before, now
            # Of the time that is left, the next ones must need no more than these did.
            fit = int(min((until - now) / max(took, 1e-9), 2) * at_once)
            at_once = min(count - done, fit if took * LOOKS < until - began else min(at_once, fit))
            yield done

    def _call(self, function: str, number: int, watch: Watch, *arrays: array[Any]) -> None:
        if self._timed is not None:
            self._timed.watch = watch
        with suppress(OutOfTimeError):
            self._code[function](number, *arrays, *self._space())

    def dealt(self, tree: Tree) -> Position:
        """The position of a tree with its unknown cards dealt anew: nothing is unknown any more."""
        at = tree.position
        position = Position(at.place, at.m[:], at.z[:], array("q", [0, 0, 0, 0]))
        space = position.m, position.z, self._space()[2]
        self._code["deal_anew"](0, tree.control, tree.unknown, at.m, at.z, *space)
        return position

    # quick players

    def quick_tree(self, state: State, player: int, seed: int, simulations: int, until: float) -> Tree:
        """The search of a quick player, who knows what is in sight now, with the first of some simulations."""
        quick = _Quick(self, state, [(0, 0)] * player + [(0, 1)], 0, min(simulations, QUICK_EDGES))
        quick.tree.control.random = signed(seed)
        # This takes away what is out of sight, and then simulates once.
        self._call("decide_quickly", player, Watch.of(simulations, until), *quick.arrays())
        return quick.tree

    def quick_game(self, state: State, seats: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Players and actions from a state on to the end, if each player has a seed and a number of simulations, 0 for
        random actions."""
        quick, log = _Quick(self, state, seats, MOST_LOGGED, max(simulations for _, simulations in seats)), MOST_LOGGED
        while log >= MOST_LOGGED:
            quick.log[0] = 0
            self._call("play_quickly", MOST_LOGGED, Watch(), *quick.arrays())
            log = quick.log[0]
            yield from zip(quick.log[1 : 2 * log : 2], quick.log[2 : 2 * log + 1 : 2], strict=True)

    def _space(self) -> tuple[array[int], array[int], array[int]]:
        layout = self.layout
        return zeros(layout.r + layout.n), array("h", bytes(2 * layout.z)), zeros(layout.w)


QUICK_EDGES = 2**12
"""Simulations of a quick player that have room for an edge of each player; most moves are tried by then."""

MOST_LOGGED = 1000
"""Choices that one call of a game of quick players returns, or a few more."""


class _Quick:
    """The arrays of a game of quick players, from a state on."""

    def __init__(
        self, search: Search, state: State, seats: Sequence[tuple[int, int]], logged: int, simulations: int
    ) -> None:
        players, places = search.game.players, sum(map(len, state.z))
        registers = state.r[: search.layout.r - 1]
        at = search.position(state.pc, Unknown(registers, state.z, [], [], [], [], [], []))
        at.m[search.layout.r - 1] = signed(state.generator.state)
        hidden = zeros(4 + 2 * places + search.source.always_seen.most_hidden)
        edges = max(1, simulations) * players
        self.tree = Tree(Position(at.place, at.m, at.z, hidden), players, 0, 0, edges, EVERYBODY, 1)
        self.seats = array("q", [n for seed, simulations in seats for n in astuple(Seat(signed(seed), simulations, 0))])
        self.log = zeros(1 + 2 * (logged + players))

    def arrays(self) -> tuple[Any, ...]:
        tree, at = self.tree, self.tree.position
        return (
            tree.control,
            tree.unknown,
            at.m,
            at.z,
            tree.keys,
            tree.nodes,
            tree.edges,
            tree.path,
            self.seats,
            self.log,
        )


def _by_address(function: Callable[..., None]) -> Callable[..., None]:
    def called(number: int, *arrays: array[int]) -> None:
        function(ctypes.c_int64(number), *(ctypes.c_void_p(one.buffer_info()[0]) for one in arrays))

    return called


@lru_cache(maxsize=8)
def search_of(game: Ruleset) -> Search:
    """The code of the searches of a game, made once."""
    machine = find_spec("llvmlite") is not None
    hosted = None if machine else next((code for host in SEARCH_HOSTS if (code := host(game))), None)
    return Search(game, machine, hosted)


def must_compile(game: Ruleset) -> bool:
    """Whether machine code of the searches of a game is still to be compiled, which takes seconds."""
    return find_spec("llvmlite") is not None and not has_native(game.setting, *CODE)


class U64(int):
    """An unsigned 64-bit integer: results of its operators are unsigned, too, and lose what does not fit."""


def _operator(name: str) -> Callable[[U64, int], U64]:
    plain = getattr(int, name)
    return lambda left, right: int.__new__(U64, plain(left, right) & MASK)


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "lshift", "rshift"):
    setattr(U64, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(U64, f"__r{_name}__", _operator(f"__r{_name}__"))


def _u64(number: int) -> U64:
    return U64(number & MASK)


def _i64(number: int) -> int:
    return (int(number) + 2**63 & MASK) - 2**63


def _part(kind: str, whole: array[int] | memoryview, first: int, size: int) -> memoryview:
    """The elements of an array from one on, as elements of a kind."""
    view = memoryview(whole)[first : first + size]
    # Python casts between two kinds of number only by way of bytes.
    return view if view.format == kind else view.cast("B").cast(kind)  # type: ignore[call-overload]


def _array(kind: str, size: int) -> Any:
    """New zeros of a kind."""
    return memoryview(bytearray(size * struct.calcsize(kind))).cast(kind)  # type: ignore[call-overload]


def _equal_bits(numbers: Any, first: int, size: int, number: int) -> int:
    return sum(1 << place for place in range(size) if numbers[first + place] == number)


def _equal_lanes(numbers: Any, first: int, number: int) -> int:
    return sum(1 << place for place in range(16) if numbers[first + place] == number)


def _copy(numbers: Any, source: int, target: int) -> None:
    numbers[target : target + 16] = numbers[source : source + 16]


NAMES: Mapping[str, Any] = {
    **{"u64": _u64, "i64": _i64, "i64s": "q", "u64s": "Q", "i16s": "h", "part": _part, "array": _array},
    **{"equal_lanes": _equal_lanes, "equal_bits": _equal_bits, "copy": _copy, "cold": lambda function: function},
    **{"ones": int.bit_count, "lowest_bit": lambda word: (word & -int(word)).bit_length() - 1},
}
"""What functions of a source refer to besides each other and their tables."""


def functions(source: Source) -> dict[str, Callable[..., Any]]:
    """The functions of a source, by name."""
    nodes = source.whole()
    names: dict[str, Any] = {**NAMES, **source.tables, **source.constants}
    exec(compile(ast.Module([*map(_untyped, nodes)], []), "<search>", "exec"), names)
    return {node.name: names[node.name] for node in nodes}


def _untyped(node: ast.FunctionDef) -> ast.FunctionDef:
    """A function without annotations, which Python would evaluate."""
    for argument in node.args.args:
        argument.annotation = None
    node.returns = None
    return ast.fix_missing_locations(node)
