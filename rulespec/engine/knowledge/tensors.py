"""Observations as tensors: rows of numbers from 0 to 1, in named parts.

A part holds, for
  player   1 for the seat that observes
  turn     1 for every seat that decides now
  a value  1 if the player knows it, then what it holds: for up to MOST_PLACES contents 1 at its place, for a set a bit
           for each member, else 1 if it is present and where it lies between the least and the greatest content
  a zone   1 if the player sees it; its number of cards, divided by that of the game; for every face, the part of its
           copies known to be in it; in a zone with order then, from the bottom, the number of the face known to be at
           each place, from 1, divided by the number of faces, or 0 for an unknown face and for an empty place
  choices  (information states) for each of the latest HISTORY choices, the newest first: the seat, the option, and
           where the action lies among those of the option, as far as the player saw it
What values on cards hold is not part of it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

from rulespec.engine.knowledge.memo import Memo, most_zones
from rulespec.engine.knowledge.observation import Kept, KnownZone, View, changes
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.rules.viewers import Content
from rulespec.language.model.types import LIMIT, NONE, Type

MOST_PLACES = 16
"""A value with more contents is one number between 0 and 1."""
HISTORY = 16
"""The number of choices in an information state."""


class Part(NamedTuple):
    """A named part of a tensor: its numbers are those from `start` on."""

    name: str
    start: int
    size: int

    @property
    def end(self) -> int:
        """The number after the last one."""
        return self.start + self.size


class Layout:
    """The parts of the tensors of one game."""

    def __init__(self, game: Ruleset) -> None:
        program, players = game.program, game.players
        contents = [_contents(game, game.spec.values[t.value].type) for t in game.viewers.titled_values]
        self.copies = Counter(program.faces[card] for card in program.cards)
        self.faces = {face: number for number, face in enumerate(sorted(self.copies))}
        self.ordered = game.ordered
        self.cards = max(1, len(program.cards))
        self.options = len(program.options)
        sizes = [("player", players), ("turn", players)]
        values = list(zip(game.viewers.titled_values, contents, strict=True))
        sizes += [(game.value_id(titled.value, titled.cell), 1 + held.size) for titled, held in values]
        zones = enumerate(game.ordered)
        each = 2 + len(self.faces)
        sizes += [(game.zone_id(zone), each + (self.cards if ordered else 0)) for zone, ordered in zones]
        self.information = tuple(_laid_out([*sizes, ("choices", HISTORY * (players + self.options + 1))]))
        self.observation = self.information[:-1]
        # The first two parts are `player` and `turn`.
        parts = zip(values, self.observation[2:], strict=False)
        self.values = {(titled.value, titled.cell): (part.start, held) for (titled, held), part in parts}
        self.zones = [slice(part.start, part.end) for part in self.observation[2 + len(values) :]]
        self.face_of = program.faces
        self.of_value = Memo(partial(_value, self))
        self.of_zone = Memo(partial(_zone, self), most_zones(self.cards))


def _laid_out(sizes: Iterable[tuple[str, int]]) -> Iterator[Part]:
    start = 0
    for name, size in sizes:
        yield Part(name, start, size)
        start += size


class Contents(NamedTuple):
    """How what a value holds is written: `size` numbers for the contents from `low` to `high`."""

    kind: str
    low: int
    high: int
    size: int


def _contents(game: Ruleset, type_: Type) -> Contents:
    if type_.kind == "set":
        members = game.setting.extent(type_)
        return Contents("set", 0, members, members)
    places = game.setting.contents(type_)
    if len(places) <= MOST_PLACES:
        return Contents("place", places.start, places.stop, len(places))
    return Contents("number", places.start, places.stop - 1, 2)


@lru_cache(maxsize=16)
def layout(game: Ruleset) -> Layout:
    """The layout of a game's tensors."""
    return Layout(game)


def observation(game: Ruleset, view: View) -> array[float]:
    """The observation of a player."""
    return _written(game, view)[:]


def information_state(game: Ruleset, view: View, choices: Sequence[tuple[int, int]]) -> array[float]:
    """The observation of a player, and the latest choices as far as they saw them."""
    last = layout(game).information[-1]
    out = _written(game, view) + _zeros(last.size)
    each = game.players + layout(game).options + 1
    latest = islice((choice for choice in reversed(choices) if _noticed(game, view.player, *choice)), HISTORY)
    for number, choice in enumerate(latest):
        start = last.start + number * each
        player, action = choice
        out[start + player] = 1
        if action >= 0 and game.actions.sees(view.player, player, action):
            option = game.actions.option(action)
            start += game.players
            out[start + game.actions.option_number(action)] = 1
            out[start + layout(game).options] = (action - option.first + 1) / option.size
    return out


@lru_cache(maxsize=256)
def _zeros(size: int) -> array[float]:
    return array("f", bytes(4 * size))


def _written(game: Ruleset, view: View) -> array[float]:
    """The observation, from the latest one that was written. Kept for the next one, so it must not be changed."""
    parts, players, kept, seen = layout(game), game.players, view.kept, view.seen
    values: Iterable[int] = range(len(seen.values))
    zones: Iterable[int] = range(len(seen.zones))
    if kept.tensor is None:
        out = _zeros(parts.observation[-1].end)[:]
        out[view.player] = 1
    else:
        before, out = kept.tensor[0], kept.tensor[1][:]
        values, zones = changes(before.values, seen.values), changes(before.zones, seen.zones)
    out[players : 2 * players] = _zeros(players)
    for seat in view.deciders:
        out[players + seat] = 1
    for number in values:
        where, part = parts.of_value[seen.values[number]]
        out[where] = part
    for number in zones:
        out[parts.zones[number]] = parts.of_zone[seen.zones[number]]
    view.keep(Kept(seen, (seen, out), kept.lines))
    return out


class Written(NamedTuple):
    """A part of a tensor: where it is, and its numbers."""

    where: slice
    numbers: array[float]


def _value(parts: Layout, content: Content) -> Written:
    start, contents = parts.values[content.value, content.cell]
    out = _zeros(1 + contents.size)[:]
    out[0] = 1
    if content.content not in (NONE, LIMIT):
        kind, low, high, size = contents
        if kind == "place":
            out[1 + content.content - low] = 1
        elif kind == "number":
            out[1], out[2] = 1, (content.content - low) / (high - low)
        else:
            for member in range(size):
                out[1 + member] = content.content >> member & 1
    return Written(slice(start, start + len(out)), out)


def _zone(parts: Layout, known: KnownZone) -> array[float]:
    number, cards, size, at, loose = known
    here = [face - 1 for face in array("h", at)] if cards is None else [parts.face_of[card] for card in cards]
    faces, ordered, most = parts.faces, parts.ordered[number], len(parts.faces)
    out = _zeros(2 + most + (parts.cards if ordered else 0))[:]
    counts = {face: number for face, number in enumerate(array("h", loose)) if number}
    out[0], out[1] = cards is not None, size / parts.cards
    for place, face in enumerate(here, 2 + most):
        if face >= 0:
            counts[face] = counts.get(face, 0) + 1
            if ordered:
                out[place] = (faces[face] + 1) / most
    for face, count in counts.items():
        out[2 + faces[face]] = count / parts.copies[face]
    return out


def _noticed(game: Ruleset, viewer: int, player: int, action: int) -> bool:
    """Whether a player sees that another chose; chance, a player below 0, does not choose."""
    return player >= 0 and (action < 0 or game.actions.notices(viewer, player, action))
