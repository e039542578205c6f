"""The figures that are compared: what each is, and in which columns of both versions it is measured."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rulespec.engine.named_chance.draws import Measures
from rulespec.engine.named_chance.game import NamedGame
from rulespec.engine.program import ir
from rulespec.engine.states.playout import Prize, prizes

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
"""The group of a column, and what it is about in names that both versions share."""


@dataclass(frozen=True)
class Columns:
    """What is measured of one version, and the key and the words of every column (see `named_source`)."""

    game: NamedGame

    @cached_property
    def measures(self) -> Measures:
        numbers = {key: number for number, key in enumerate(self._given)}
        places = {(one.place, one.subject): numbers[key] for one, key in self._keyed}
        marked = {i.rule for i in self.game.program.code if isinstance(i, ir.Mark) and i.rule > 0}
        return Measures(places, tuple(sorted(marked)), math.lcm(*range(1, self.game.players + 1)))

    @cached_property
    def _given(self) -> dict[Hashable, str]:
        """The words of each prize by its key, in order. A prize that is awarded at several places is one."""
        return {key: f"{one.title}: {one.name}" if one.name else one.title for one, key in self._keyed}

    @cached_property
    def _keyed(self) -> list[tuple[Prize, Hashable]]:
        """All prizes, each with a key: its rule, its number among the prizes of this rule, its subject.

        Its title and the name of its subject are words for players, which may change.
        """
        found: list[tuple[Prize, Hashable]] = []
        titles: dict[str, dict[str, int]] = {}
        for one in prizes(self.game):
            note = self.game.program.code[one.place]
            assert isinstance(note, ir.Note) and isinstance(note.report, ir.Award)
            rule = self._rule(note.rule)
            known = titles.setdefault(rule, {})
            number = known.setdefault(one.title, len(known))
            found.append((one, (rule, number, self.game.labels.word(note.report.type, one.subject))))
        return found

    def _rule(self, number: int) -> str:
        return self.game.labels.aliases.of("rule", self.game.program.rules[number])

    @cached_property
    def names(self) -> dict[Key, str]:
        """The words of all columns by key, in order."""
        return dict(self._named())

    def _named(self) -> Iterator[tuple[Key, str]]:
        yield (TRACE, ""), ""
        yield (LENGTH, ""), ""
        for group in ("wins", "points"):
            yield from (((group, seat), f"seat {seat + 1}") for seat in range(self.game.players))
        for group in ("given", "worth"):
            yield from (((group, key), words) for key, words in self._given.items())
        for rule in self.measures.rules:
            yield ("rules", self._rule(rule)), self._rule(rule)


def figures(columns: tuple[Columns, Columns]) -> tuple[Figure, ...]:
    """All figures that either version has, in the words of the new version."""
    old, new = (one.names for one in columns)
    before, after = ({key: column for column, key in enumerate(names)} for names in (old, new))
    parts = columns[1].measures.parts
    return tuple(
        Figure(key[0], words, before.get(key), after.get(key), parts if key[0] == "wins" else 1)
        for key, words in {**old, **new}.items()
    )
