"""What machine code keeps of what players observe, and writes as tensors and texts: what the modules of
`rulespec.engine.knowledge` define."""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from threading import local

from rulespec.engine.backend.engines.code import within_limits
from rulespec.engine.backend.engines.native_segments import EXPORTED, Segments, addresses
from rulespec.engine.backend.forms.machine_observed import Sight
from rulespec.engine.backend.forms.machine_views import KINDS, SEAT_BITS, Content, MachineViews, Tensors
from rulespec.engine.backend.runtime.digest import MASK, UNDISCLOSED, Digest, bits_of
from rulespec.engine.knowledge.memo import Memo
from rulespec.engine.knowledge.observation import NOTHING_KNOWN, ZoneView, value_line, zone_line
from rulespec.engine.knowledge.tensors import HISTORY, Contents, layout
from rulespec.engine.rules.ruleset import Ruleset

VIEWS = "views"
GROUP = 8
"""Values that are looked up together."""
NUMBER = 8
"""Bytes of an integer."""


class Texts:
    """The texts of a game. Lines are kept with the integers they were made of: few change from one text to the next."""

    def __init__(self, game: Ruleset) -> None:
        self._game, self._zones = game, len(game.program.zones)
        values = [(titled.value, titled.cell) for titled in game.viewers.titled_values]
        self._values = [Memo(partial(self._value_line, *value)) for value in values]
        firsts = range(0, len(values), GROUP)
        self._groups = [(first * NUMBER, min(first + GROUP, len(values)) * NUMBER) for first in firsts]
        self._kept = [Memo(partial(self._value_lines, first)) for first in firsts]
        self._kept += [Memo(partial(self._zone_line, zone)) for zone in range(self._zones)]

    def text(self, turn: str, facts: array[int]) -> str:
        """The lines of an observation, after the one that says who decides."""
        start = len(self._values) + self._zones
        ends = facts[len(self._values) : start].tolist()
        numbers = facts[: ends[-1] if ends else start].tobytes()
        parts = self._groups + [(a * NUMBER, b * NUMBER) for a, b in zip([start, *ends], ends, strict=False)]
        lines = [kept[numbers[a:b]] for kept, (a, b) in zip(self._kept, parts, strict=True)]
        return "\n".join([turn, *filter(None, lines)])

    def _value_lines(self, first: int, contents: bytes) -> str:
        pairs = zip(self._values[first:], array("q", contents), strict=False)
        return "\n".join(filter(None, (kept[content] for kept, content in pairs)))

    def _value_line(self, value: str, cell: int, content: int) -> str:
        return value_line(self._game, value, cell, content) if content != UNDISCLOSED else ""

    def _zone_line(self, number: int, part: bytes) -> str:
        seen, size, *cards = array("q", part)
        game, ordered = self._game, self._game.ordered[number]
        if seen:
            return zone_line(game, ZoneView(number, size, True, cards if ordered else sorted(cards), (), NOTHING_KNOWN))
        end = cards[0] + 1
        places = [face if face >= 0 else None for face in cards[1:end]]
        known = (
            Counter(dict(zip(cards[end::2], cards[end + 1 :: 2], strict=True))) if end < len(cards) else NOTHING_KNOWN
        )
        return zone_line(game, ZoneView(number, size, False, (), places, known))


SEATS_IN_BITS = 31 - SEAT_BITS
"""Seats whose bits fit, beside a seat, the number of 32 bits that a call passes."""


class Out(local):
    """The array that an observation is written to, before it is copied; every thread has its own."""

    def __init__(self, size: int) -> None:
        self.numbers = array("f", bytes(4 * size))
        (self.address,) = addresses(self.numbers)


class ViewSegments(Segments):
    """The segments of a game that keep what players know. Raises MemoryError if the game exceeds their limits."""

    def __init__(self, game: Ruleset) -> None:
        if game.players > SEATS_IN_BITS:
            raise MemoryError("the bits of all players do not fit 32 bits")
        sight, tensors = sight_of(game), tensors_of(game)
        source = MachineViews(game.program, sight, tensors)
        code = self._load(game.setting, source, (VIEWS, str(game.setup_only)), EXPORTED | {"observe", "describe"})
        self._digests, self._size = self.starts["k"] + source.digests, tensors.size
        self._facts = source.starts("desk")["facts"]
        self._observe = code.function("observe", ctypes.PYFUNCTYPE(None))  # untyped: faster
        self._describe = code.function("describe", ctypes.PYFUNCTYPE(None))
        self._out, self._texts = Out(tensors.size + tensors.choices), Texts(game)

    def observation(self, own: ctypes.c_void_p, player: int, deciding: int) -> array[float]:
        """The observation of a player, from the block of a state and a bit for each seat that decides."""
        out = self._out
        self._observe(own, self.desk.address, player | deciding << SEAT_BITS, out.address)
        return out.numbers[: self._size]

    def information_state(self, own: ctypes.c_void_p, player: int, deciding: int) -> array[float]:
        """The same, and the latest choices as far as the player saw them."""
        out = self._out
        self._observe(own, self.desk.address, player | deciding << SEAT_BITS, out.address)
        return out.numbers[:]

    def text(self, own: ctypes.c_void_p, player: int, turn: str) -> str:
        """The observation of a player as text, from the line that says who decides."""
        self._describe(own, self.desk.address, player)
        return self._texts.text(turn, self.desk.w[self._facts :])

    def digest(self, block: array[int], player: int) -> Digest:
        """The digest of what a player has observed."""
        first = self._digests + 2 * player
        return block[first] & MASK, block[first + 1] & MASK


@lru_cache(maxsize=16)
def view_segments(game: Ruleset) -> ViewSegments | None:
    """The code of a game, made once; None if it exceeds the limits, or if what players see depends on the state."""
    return None if game.viewers.changing else within_limits(lambda: ViewSegments(game))


def sight_of(game: Ruleset) -> Sight:
    parts, actions, program = layout(game), game.actions, game.program
    sees = [game.viewers.visibility(player, (), []) for player in range(game.players)]
    return Sight(
        hidden=[frozenset(zone for zone, seen in enumerate(now.zones) if not seen) for now in sees],
        secret=[now.hidden for now in sees],
        ordered=game.ordered,
        faces=[parts.faces.get(face, -1) + 1 for face in program.faces],
        numbers=[-1, *parts.faces],
        seen={value: _seen(game, value) for value in program.value_base if game.spec.values[value].title},
        titles=[actions.titles.index(actions.title(option.first)) if option.size else 0 for option in program.options],
        history=HISTORY,
        cards={value: _cards(game, value) for value in program.value_base},
    )


def _cards(game: Ruleset, value: str) -> list[tuple[int, ...]]:
    """The cards that the cells of a value belong to."""
    cells = range(game.setting.cells(game.spec.values[value]))
    return [*zip(*(game.names.cards_of(value, cell) for cell in cells), strict=True)]


def _seen(game: Ruleset, value: str) -> list[int]:
    """A bit for each player who sees a cell of a stored value, cell by cell."""
    base, of_register = game.program.value_base[value], game.viewers.of_register
    everybody = frozenset(range(game.players))
    slots = range(base, base + game.setting.cells(game.spec.values[value]))
    seen = (of_register[slot].always if slot in of_register else everybody for slot in slots)
    return [bits_of(players) for players in seen]


def tensors_of(game: Ruleset) -> Tensors:
    parts, last = layout(game), layout(game).information[-1]
    copies = [0, *(parts.copies[face] for face in parts.faces)]
    starts = [where.start for where in parts.zones]
    return Tensors([*_contents(game)], starts, copies, last.start, last.size)


def _contents(game: Ruleset) -> Iterator[Content]:
    sees = [game.viewers.visibility(player, (), []) for player in range(game.players)]
    for titled in game.viewers.titled_values:
        start, held = layout(game).values[titled.value, titled.cell]
        seen = frozenset(player for player, visible in enumerate(sees) if visible.covers(titled.reads))
        yield Content(titled, start, KINDS.index(held.kind), held.low, _size(held), seen)


def _size(held: Contents) -> int:
    return held.high - held.low if held.kind == "number" else held.size
