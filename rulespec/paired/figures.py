"""The figures that are compared: what each is, and in which columns of both versions it is measured."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rulespec.engine import ir
from rulespec.engine.backend.named_playout import Measures
from rulespec.engine.named.game import NamedGame
from rulespec.engine.playout import prizes
from rulespec.paired.pair import Pair

TRACE, LENGTH = "trace", "length"
GAME = ("wins", "points", LENGTH, "given", "worth")
"""The groups of figures that belong to a game. How often rules apply is a figure of its description only: a rule that
is divided in two applies other rules, and the game is the same."""


@dataclass(frozen=True)
class Figure:
    """A figure: its group, its name in words, its columns in the old and the new version (None: it does not have it),
    and the number by which the column is divided."""

    group: str
    name: str
    old: int | None
    new: int | None
    scale: int = 1


Key = tuple[str, Hashable]


@dataclass(frozen=True)
class Columns:
    """What is measured of one version, and the name of every column (see `named_source`)."""

    game: NamedGame

    @cached_property
    def measures(self) -> Measures:
        numbers: dict[str, int] = {}
        given = prizes(self.game)
        places = {(one.place, one.subject): numbers.setdefault(self._prize(one), len(numbers)) for one in given}
        marked = {i.rule for i in self.game.program.code if isinstance(i, ir.Mark) and i.rule > 0}
        return Measures(places, tuple(sorted(marked)), math.lcm(*range(1, self.game.players + 1)))

    def _prize(self, prize: object) -> str:
        title, name = getattr(prize, "title", ""), getattr(prize, "name", "")
        return f"{title}: {name}" if name else title

    @cached_property
    def names(self) -> dict[Key, int]:
        """The columns by group and name, in order."""
        return {key: column for column, key in enumerate(self._keys())}

    def _keys(self) -> Iterator[Key]:
        yield TRACE, ""
        yield LENGTH, ""
        for group in ("wins", "points"):
            yield from ((group, f"seat {seat + 1}") for seat in range(self.game.players))
        given = dict.fromkeys(self._prize(one) for one in prizes(self.game))
        for group in ("given", "worth"):
            yield from ((group, name) for name in given)
        for rule in self.measures.rules:
            yield "rules", self.game.labels.aliases.of("rule", self.game.program.rules[rule])


def figures(pair: Pair, columns: tuple[Columns, Columns]) -> tuple[Figure, ...]:
    """All figures that either version has."""
    old, new = (one.names for one in columns)
    parts = columns[1].measures.parts
    return tuple(
        Figure(key[0], str(key[1]), old.get(key), new.get(key), parts if key[0] == "wins" else 1)
        for key in {**new, **old}
    )
