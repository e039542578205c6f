"""Tree searches of a game: machine code where llvmlite is installed, else the same functions as Python."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import NamedTuple

from rulespec.engine.backend.machine_playout import MOST_CARDS
from rulespec.engine.backend.machine_search import EDGE, ROOT, Control, Edge, MachineSearch
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.sights import sights
from rulespec.engine.unknown import Unknown

EVERYBODY = -1
"""The `viewer` of a search in which all players distinguish positions by what they see themselves."""

MOST_STEPS = 500
"""Decisions in the tree of one simulation, at most; play goes on at random from there."""


@dataclass(frozen=True)
class Position:
    """A position in the arrays of machine code (see machine_segments.py), and what is unknown there to a player, as
    `runtime_search.py` reads it."""

    place: int
    m: array[int]
    z: array[int]
    unknown: array[int]


class Tried(NamedTuple):
    """An action at the root: how often it was followed, and the sum of the rewards, 2**16 for a win."""

    action: int
    visits: int
    total: int


class Tree:
    """A search tree and its random stream. It decides for a player; with `depth` 1 it has the root only."""

    def __init__(
        self, position: Position, players: int, player: int, seed: int, edges: int, viewer: int, depth: int = MOST_STEPS
    ) -> None:
        slots = 1 << (2 * (edges + players)).bit_length()
        self.position = position
        self.control = array("q", bytes(8 * (Control.REWARDS + players)))
        self.keys, self.nodes = array("Q", bytes(8 * slots)), array("q", bytes(8 * slots))
        self.edges = array("q", bytes(8 * EDGE * (edges + players + 1)))
        self.path = array("q", bytes(16 * (depth + 1) * players))
        self._set(player, seed, edges, slots - 1, viewer, depth)

    def _set(self, player: int, seed: int, edges: int, mask: int, viewer: int, depth: int) -> None:
        control = self.control
        control[Control.RANDOM] = (seed ^ 2**63) % 2**64 - 2**63
        control[Control.SEAT], control[Control.VIEWER], control[Control.DEPTH] = player, viewer, depth
        control[Control.MOST_EDGES], control[Control.MASK] = edges, mask
        control[Control.LOWEST], control[Control.HIGHEST] = 2**62, -(2**62)
        control[Control.PLACE_AT_ROOT] = self.position.place

    def tried(self) -> list[Tried]:
        """The actions tried at the root."""
        slot, mask = ROOT, self.control[Control.MASK]
        while self.keys[slot] not in (0, ROOT):
            slot = (slot + 1) & mask
        found, edge = [], self.nodes[slot] if self.keys[slot] else 0
        while edge:
            numbers = self.edges[edge * EDGE : (edge + 1) * EDGE]
            found.append(Tried(numbers[Edge.ACTION], numbers[Edge.VISITS], numbers[Edge.TOTAL]))
            edge = numbers[Edge.NEXT]
        return found


class Search:
    """The code of the searches of a game. Raises MemoryError if the game exceeds its limits."""

    def __init__(self, game: Ruleset, machine: bool) -> None:
        if len(game.program.faces) > MOST_CARDS:
            raise MemoryError("card numbers do not fit 16 bits")
        self.game = game
        self.source = MachineSearch(game.program, sights(game))
        self.layout, self.places = self.source.layout(), self.source.room
        self._run, self._deal = self._compiled() if machine else self._as_python()

    def _compiled(self) -> tuple[Callable[..., None], Callable[..., None]]:
        from rulespec.engine.backend.native import library

        code = library(self.game.setting, ("search",), self.source.search, frozenset({"search", "deal_anew"}))
        search = code.function("search", ctypes.PYFUNCTYPE(None, ctypes.c_int64, *(ctypes.c_void_p,) * 11))
        deal = code.function("deal_anew", ctypes.PYFUNCTYPE(None, ctypes.c_int64, *(ctypes.c_void_p,) * 5))
        return _by_address(search), _by_address(deal)

    def _as_python(self) -> tuple[Callable[..., None], Callable[..., None]]:
        from rulespec.engine.backend.python_arrays import functions

        made = functions(self.source.search())
        return made["search"], made["deal_anew"]

    def position(self, place: int, unknown: Unknown) -> Position:
        """A position at a decision point, with what is unknown there."""
        layout, room = self.layout, self.places
        m, z = array("q", bytes(8 * (layout.r + layout.n))), array("h", bytes(2 * layout.z))
        m[: layout.r - 1] = array("q", unknown.registers)
        for zone, cards in enumerate(unknown.zones):
            m[layout.r + zone] = len(cards)
            z[zone * room : zone * room + len(cards)] = array("h", cards)
        return Position(place, m, z, array("q", unknown.numbers(room)))

    def simulate(self, tree: Tree, count: int) -> None:
        """Runs a number of simulations, which grow the tree."""
        at = tree.position
        given = (tree.control, at.unknown[:], at.m, at.z, tree.keys, tree.nodes, tree.edges, tree.path)
        self._run(count, *given, *self._space())

    def dealt(self, tree: Tree) -> Position:
        """The position of a tree with its unknown cards dealt anew: nothing is unknown any more."""
        at = tree.position
        position = Position(at.place, at.m[:], at.z[:], array("q", [0, 0, 0]))
        self._deal(0, tree.control, at.unknown[:], position.m, position.z, self._space()[2])
        return position

    def _space(self) -> tuple[array[int], array[int], array[int]]:
        layout = self.layout
        sizes = (layout.r + layout.n, layout.z, layout.w)
        return array("q", bytes(8 * sizes[0])), array("h", bytes(2 * sizes[1])), array("q", bytes(8 * sizes[2]))


def _by_address(function: Callable[..., None]) -> Callable[..., None]:
    def called(number: int, *arrays: array[int]) -> None:
        function(number, *(one.buffer_info()[0] for one in arrays))

    return called


@lru_cache(maxsize=8)
def search_of(game: Ruleset) -> Search:
    """The code of the searches of a game, made once."""
    return Search(game, machine=find_spec("llvmlite") is not None)
