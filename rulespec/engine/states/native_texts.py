"""Observations as text, from the integers that machine code writes (see runtime_described.py)."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import partial

from rulespec.engine.backend.digest import UNDISCLOSED
from rulespec.engine.knowledge.observation import faces_words, value_line, zone_line
from rulespec.engine.knowledge.view import NOTHING_KNOWN, ZoneView
from rulespec.engine.rules.ruleset import Ruleset

GROUP = 8
"""Values that are looked up together."""
LINES_KEPT = 4096
"""Lines that are kept of one zone, or of one group of values."""
NUMBER = 8
"""Bytes of an integer."""


class Texts:
    """The texts of a game. Lines are kept with the integers they were made of: few change from one text to the next."""

    def __init__(self, game: Ruleset) -> None:
        self._game = game
        self._values = [(titled.value, titled.cell) for titled in game.observers.titled_values]
        self._zones = len(game.program.zones)
        firsts = range(0, len(self._values), GROUP)
        self._groups = [(first * NUMBER, min(first + GROUP, len(self._values)) * NUMBER) for first in firsts]
        makers = [*(partial(self._value_lines, first) for first in firsts)]
        self._kept = [_Lines(maker) for maker in (*makers, *(partial(self._zone_line, z) for z in range(self._zones)))]

    def text(self, turn: str, facts: array[int]) -> str:
        """The lines of an observation, after the one that says who decides."""
        start = len(self._values) + self._zones
        ends = facts[len(self._values) : start].tolist()
        numbers = facts[: ends[-1] if ends else start].tobytes()
        parts = self._groups + [(a * NUMBER, b * NUMBER) for a, b in zip([start, *ends], ends, strict=False)]
        lines = [kept[numbers[a:b]] for kept, (a, b) in zip(self._kept, parts, strict=True)]
        return "\n".join([turn, *filter(None, lines)])

    def _value_lines(self, first: int, contents: Sequence[int]) -> str:
        named = zip(self._values[first:], contents, strict=False)
        known = ((value, cell, content) for (value, cell), content in named if content != UNDISCLOSED)
        return "\n".join(value_line(self._game, *one) for one in known)

    def _zone_line(self, number: int, part: Sequence[int]) -> str:
        seen, size, *cards = part
        game, ordered = self._game, self._game.ordered[number]
        if seen:
            faces = cards if ordered else sorted(cards)
            zone = ZoneView(number, size, True, faces, (), NOTHING_KNOWN)
            return zone_line(game, zone, faces_words(game, faces))
        end = cards[0] + 1
        places = [face if face >= 0 else None for face in cards[1:end]]
        known = Counter(dict(zip(cards[end::2], cards[end + 1 :: 2], strict=True)))
        return zone_line(game, ZoneView(number, size, False, (), places, known))


class _Lines(dict[bytes, str]):
    """Lines by the integers they are made of, as bytes."""

    def __init__(self, make: partial[str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, numbers: bytes) -> str:
        if len(self) >= LINES_KEPT:
            self.clear()
        self[numbers] = lines = self._make(array("q", numbers))
        return lines
