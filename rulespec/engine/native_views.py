"""Views of players that machine code keeps and writes: what knowledge.py and tensors.py define, in flat arrays."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rulespec.engine.backend.machine_views import SEAT_BITS, Content, MachineViews, Views
from rulespec.engine.code import within_limits
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.segments import EXPORTED, Segments
from rulespec.engine.tensors import HISTORY, Contents, layout


class ViewSegments(Segments):
    """The segments of a game that keep what players know. Raises MemoryError if the game exceeds their limits."""

    def __init__(self, game: Ruleset) -> None:
        views = views_of(game)
        source = MachineViews(game.program, views)
        code = self._load(game.setting, source, ("views", str(game.setup_only)), EXPORTED | {"observe", "recall"})
        self.kept = source.kept
        pointers = (ctypes.c_void_p,) * (len(source.given) + 1)
        self._observe = code.function("observe", ctypes.PYFUNCTYPE(None, ctypes.c_int64, *pointers))
        self._recall = code.function("recall", ctypes.PYFUNCTYPE(None, ctypes.c_int64, *pointers[:2]))
        self._observation = array("f", bytes(4 * views.size))
        self._information = array("f", bytes(4 * (views.size + views.choices)))

    def observation(self, own: tuple[ctypes.c_void_p, ...], player: int, deciders: int) -> array[float]:
        """The observation of a player, from the arrays of a state and a bit for each seat that decides."""
        out = self._observation[:]
        self._observe(player | deciders << SEAT_BITS, out.buffer_info()[0], *own, self.desk.address)
        return out

    def information_state(
        self, own: tuple[ctypes.c_void_p, ...], player: int, deciders: int, choices: Sequence[tuple[int, int]]
    ) -> array[float]:
        """The observation of a player, and the latest choices as far as they saw them."""
        out = self._information[:]
        latest = array("q", [number for choice in choices[: -HISTORY - 1 : -1] for number in choice])
        self._observe(player | deciders << SEAT_BITS, out.buffer_info()[0], *own, self.desk.address)
        self._recall(player | len(latest) // 2 << SEAT_BITS, out.buffer_info()[0], latest.buffer_info()[0])
        return out


@lru_cache(maxsize=16)
def view_segments(game: Ruleset) -> ViewSegments | None:
    """The code of a game, made once; None if it exceeds the limits, or if what players see depends on the state."""
    return None if game.observers.changing else within_limits(lambda: ViewSegments(game))


def views_of(game: Ruleset) -> Views:
    """What players may know of a game, and how it is laid out."""
    parts, last = layout(game), layout(game).information[-1]
    faces = [parts.faces.get(face, -1) + 1 for face in game.program.faces]
    copies = [0, *(parts.copies[face] for face in parts.faces)]
    hidden = [_hidden(game, player) for player in range(game.players)]
    return Views(game.ordered, hidden, faces, copies, [*_contents(game)], parts.zones, last.start, last.size)


def _hidden(game: Ruleset, player: int) -> frozenset[int]:
    return frozenset(zone for zone, seen in enumerate(game.observers.of_zone) if player not in seen.always)


def _contents(game: Ruleset) -> Iterator[Content]:
    sees = [game.observers.visibility(player, (), []) for player in range(game.players)]
    for titled in game.observers.titled_values:
        start, held = layout(game).values[titled.value, titled.cell]
        seen = frozenset(player for player, visible in enumerate(sees) if visible.covers(titled.reads))
        yield Content(titled, start, held.kind, _numbers(held), seen)


def _numbers(held: Contents) -> tuple[int, ...]:
    return {"place": (held.low,), "number": (held.low, held.high), "set": (held.size,)}[held.kind]
