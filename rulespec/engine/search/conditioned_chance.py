"""Games whose draws are decided by an object: those of a game played from its seed, listed, and the same game with
other draws that look the same to a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import NamedTuple, Protocol

from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.interpreter.closures import of_text
from rulespec.engine.interpreter.evaluate import contents_of
from rulespec.engine.interpreter.random import Generator, shuffle
from rulespec.engine.interpreter.running import DecisionCode, Execute, StartPosition
from rulespec.engine.program import ir
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.state import State

UNSEEN = -1
"""In place of a face: the player never sees it before the card is shuffled again."""


class Impossible(Exception):
    """What a player saw cannot have happened in a game."""


class Chance(Protocol):
    """Decides the draws of a game."""

    def order(self, s: RedrawnState, zone: int) -> list[int]:
        """The cards of a zone in their order after a shuffle."""

    def number(self, s: RedrawnState, place: int, viewers: int, values: Sequence[int]) -> int:
        """One of the values, which an instruction draws for some viewers (a bit each, -1: everybody)."""

    def taken(self, s: RedrawnState, zone: int) -> int:
        """The position of the card that is taken from a zone."""

    def copy(self) -> Chance:
        """An independent copy."""


class RedrawnState(State):
    """A game whose draws are decided by `chance`. The interpreter runs it, and it keeps events."""

    __slots__ = ("chance", "from_top")

    def __init__(self, game: Ruleset, seed: int, position: StartPosition | None, chance: Chance) -> None:
        # Before `super`, which plays up to the first decision and so draws.
        self.chance = chance
        self.from_top: set[int] = set()
        """The numbers of the events that move cards from the top of an ordered zone."""
        super().__init__(game, seed, True, position)

    def _code(self, record: bool) -> DecisionCode:
        return _draws(self.game).code

    def go_on(self, place: int) -> None:
        draws = _draws(self.game)
        while place >= 0:
            draw, before = draws.places.get(place), len(self.events or ())
            top = place in draws.tops
            place = self.code.run[place](self) if draw is None else draw(self)
            if top:
                self.from_top.update(range(before, len(self.events or ())))
        for check in self.code.checks:
            check(self)

    def _copy_to(self, copy: State) -> None:
        super()._copy_to(copy)
        if isinstance(copy, RedrawnState):
            copy.chance, copy.from_top = self.chance.copy(), set()

    def detached(self, seed: int) -> State:
        """An ordinary state, detached from `chance`: its further draws come from a seed."""
        state = object.__new__(State)
        State._copy_to(self, state)
        state.code = self.game.code.decisions(True)
        state.generator = Generator(seed)
        state.draw = state.generator.below
        state.known = {player: self.observer(player).copy() for player in range(self.game.players)}
        # An empty rule marks a possible world: no seed leads to it, so it is neither saved nor undone.
        state.position = StartPosition("", {}, {}, 0)
        return state


class _Draws:
    """The interpreted code of a game, and its instructions that draw, by place."""

    def __init__(self, game: Ruleset) -> None:
        self.code = ProgramCode(game.setting, game.program, game.setup_only, "interpreter").decisions(True)
        self.places: dict[int, Execute] = {}
        for place, i in enumerate(game.program.code):
            if text := _TEXTS.get(i.how if isinstance(i, ir.Move) else type(i)):
                self.places[place] = of_text(text, {**contents_of(i), "place": place, "after": place + 1})
        self.tops = {place for place, i in enumerate(game.program.code) if isinstance(i, ir.Move) and i.how == "top"}


@lru_cache(maxsize=8)
def _draws(game: Ruleset) -> _Draws:
    return _Draws(game)


_TEXTS: Mapping[object, str] = {
    ir.Shuffle: """
a = zone(r, z)
z[a] = s.chance.order(s, a)
emit("shuffle", a, *z[a])
""",
    ir.Draw: """
seen = r[viewers] if viewers >= 0 else -1
r[slot] = s.chance.number(s, place, seen, [*domain(r, z)])
emit("random", place, r[slot], seen)
""",
    "random": """
a, b = source(r, z), target(r, z)
for _ in range(min(amount(r, z), len(z[a]))):
    position = s.chance.taken(s, a)
    card = z[a].pop(position)
    z[b].append(card)
    emit("move", card, a, position, b)
""",
}
"""The texts of instructions that draw, as in interpreter/meaning.py, but for where the draws come from."""


# --- the draws of a game, and draws that look the same --------------------------------------------------------------


class Drawn(NamedTuple):
    """A draw of a game: its kind, the zone or the place in the program, and the number of the event that reports it."""

    kind: str
    where: int
    event: int


class FromSeed:
    """Draws from the seed of a game, as every engine does, and lists them."""

    def __init__(self) -> None:
        self.drawn: list[Drawn] = []

    def order(self, s: RedrawnState, zone: int) -> list[int]:
        self._note(s, "shuffle", zone)
        cards = s.z[zone][:]
        shuffle(cards, s.draw)
        return cards

    def number(self, s: RedrawnState, place: int, viewers: int, values: Sequence[int]) -> int:
        self._note(s, "random", place)
        return values[s.draw(len(values))]

    def taken(self, s: RedrawnState, zone: int) -> int:
        self._note(s, "taken", zone)
        return s.draw(len(s.z[zone]))

    def _note(self, s: RedrawnState, kind: str, where: int) -> None:
        self.drawn.append(Drawn(kind, where, len(s.events or ())))

    def copy(self) -> FromSeed:
        return self


class Constraint(NamedTuple):
    """A constraint on a draw: the part that the player sees, then or later, in the order drawn; faces or a number."""

    kind: str
    where: int
    seen: tuple[int, ...]


@dataclass
class ConditionedChance:
    """Chance conditioned on what a player saw: draws that meet the constraints, and are random otherwise.

    `log_likelihood` is the logarithm of the probability that unconditioned draws meet the constraints.
    """

    constraints: Sequence[Constraint]
    draws: Generator
    at: int = 0
    log_likelihood: float = 0.0

    def copy(self) -> ConditionedChance:
        return ConditionedChance(self.constraints, Generator(self.draws.state), self.at, self.log_likelihood)

    def order(self, s: RedrawnState, zone: int) -> list[int]:
        left = s.z[zone][:]
        shuffle(left, self.draws.below)
        seen = self._seen("shuffle", zone)
        # No constraint on this draw, or one of a game that went otherwise: chance decides alone.
        if len(seen) != len(left):
            return left
        # The seen places first, from all cards; what is left fills the others, in its shuffled order.
        kept = {at: left.pop(self._position(s, left, face)) for at, face in enumerate(seen) if face != UNSEEN}
        return [kept[at] if at in kept else left.pop() for at in range(len(seen))]

    def _position(self, s: RedrawnState, cards: Sequence[int], face: int) -> int:
        faces = s.game.program.faces
        fitting = [at for at, card in enumerate(cards) if faces[card] == face]
        self._count(len(fitting), len(cards))
        return fitting[self.draws.below(len(fitting))]

    def number(self, s: RedrawnState, place: int, viewers: int, values: Sequence[int]) -> int:
        seen = self._seen("random", place)
        if not seen:
            return values[self.draws.below(len(values))]
        self._count(values.count(seen[0]), len(values))
        return seen[0]

    def taken(self, s: RedrawnState, zone: int) -> int:
        seen = self._seen("taken", zone)
        if not seen or seen[0] == UNSEEN:
            return self.draws.below(len(s.z[zone]))
        return self._position(s, s.z[zone], seen[0])

    def _seen(self, kind: str, where: int) -> tuple[int, ...]:
        constraint = self.constraints[self.at] if self.at < len(self.constraints) else Constraint("", 0, ())
        self.at += 1
        return constraint.seen if (constraint.kind, constraint.where) == (kind, where) else ()

    def _count(self, fitting: int, all_: int) -> None:
        if not fitting:
            raise Impossible
        self.log_likelihood += log(fitting / all_)
