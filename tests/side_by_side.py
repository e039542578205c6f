"""A game of ours and the same game of OpenSpiel, played move by move with the same moves and the same chance."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import rulespec
from rulespec.engine.states.state import State

Event = tuple[Any, ...]
Chance = Callable[[State, Sequence[Event]], Iterable[int]]
Known = tuple[int, bytes, bool, str]
"""A player, our key of their information state, whether they decide, and theirs as a text."""


@dataclass(frozen=True)
class Setting:
    """A number of players and answers to rulings, with the parameters that OpenSpiel has for them."""

    players: int
    theirs: Mapping[str, object] = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([str(self.players), *self.rulings.values()])


@dataclass(frozen=True)
class Pair:
    """A game of the gallery, its name in OpenSpiel, and how its moves, draws and results are written there."""

    id: str
    name: str
    settings: Sequence[Setting]
    moves: Mapping[str, Callable[..., int | tuple[int, ...]]]
    """Their number of a move, by the words of ours; `{name}` in the words is an argument of the function. A negative
    number counts from the end of their actions. Several numbers, in rising order, are one move of ours that picks a set
    and several of theirs, one element after the other in any order."""
    returns: Callable[[State], list[float]]
    """Their results of a finished game of ours."""
    chance: Chance | None = None
    """Their chance outcomes of the events of ours since the last decision."""
    apart: Callable[[State], bool] = lambda state: False
    """Whether theirs goes wrong from the deal on that a game of ours begins with; such a game is not compared."""
    parts: Callable[[Any, int], tuple[str, ...]] | None = None
    """Where their number of a move depends on the position: that move in our words, given their state; several where it
    is several decisions of ours, none where we ask nobody. `moves` is empty then."""
    seats: tuple[int, ...] = (0, 1)
    """Their player of each seat, where `parts` is given."""
    many_on: str = "interpreter"
    """The engine that plays many games."""
    corrected: Callable[[Any], list[float]] | None = None
    """Where their results are wrong: the right ones, by their own final state. `returns` then has their mistake."""

    informed: bool = False
    """Whether players know the same in both: information states are the same in one if they are in the other."""

    def theirs(self, words: str) -> tuple[int, ...]:
        """Their numbers of a move in our words. Raises LookupError if no row of `moves` has the words."""
        for pattern, number in self._patterns:
            if found := pattern.fullmatch(words):
                numbers = number(**found.groupdict())
                return numbers if isinstance(numbers, tuple) else (numbers,)
        raise LookupError(f"{self.id}: no row for the move `{words}`")

    @functools.cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], Callable[..., int | tuple[int, ...]]]]:
        return [
            (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>.+?)", words)), number) for words, number in self.moves.items()
        ]


@dataclass
class Difference(Exception):
    """Where the two implementations part: after which moves, and what each of them says."""

    what: str
    ours: object
    theirs: object
    moves: list[str]

    def __str__(self) -> str:
        return f"{self.what} after {', '.join(self.moves[-12:])}: ours {self.ours}, theirs {self.theirs}"


class Match:
    """Both implementations of a game in one setting."""

    def __init__(self, pair: Pair, setting: Setting, engine: str = "compiled") -> None:
        import pyspiel

        self.pair = pair
        spec = rulespec.load(pair.id)
        self.ours = spec.game(setting.players, dict(setting.rulings), engine=engine)
        self.theirs = pyspiel.load_game(pair.name, dict(setting.theirs))
        self._numbers: dict[int, tuple[int, ...]] = {}

    def play(self, seed: int) -> int:
        """The number of decisions of a game of random players, 0 for one that cannot be compared.

        Raises Difference where the two part.
        """
        play = _Play(self, seed)
        return 0 if self.pair.apart(play.ours) else play.run()

    def known(self, seed: int) -> list[Known]:
        """What each player knows before each decision of a game of random players."""
        play = _Play(self, seed)
        play.run()
        return play.known

    def numbers(self, action: int) -> tuple[int, ...]:
        """Their numbers of one of our actions."""
        if action not in self._numbers:
            numbers, every = self.pair.theirs(self.ours.action_to_string(action)), self.theirs.num_distinct_actions()
            self._numbers[action] = tuple(number % every for number in numbers)
        return self._numbers[action]


class _Play:
    def __init__(self, match: Match, seed: int) -> None:
        self.match = match
        self.chooser = random.Random(seed)
        recorded = match.pair.chance is not None or match.pair.informed
        self.ours = match.ours.new_initial_state(seed, record=recorded)
        self.theirs = match.theirs.new_initial_state()
        self.moves: list[str] = []
        self.drawn: list[int] = []
        self.events = 0
        self.known: list[Known] = []

    def run(self) -> int:
        self._feed()
        while not self.theirs.is_terminal():
            if self.match.pair.parts is not None:
                self._apply_parts(self.match.pair.parts)
                self._feed()
                continue
            self._agree("who decides", self.ours.deciders(), self._deciders())
            self.known += self._known()
            chosen = {seat: self._choose(seat) for seat in self.ours.deciders()}
            self._apply(chosen)
            self._feed()
        self._agree("the end", self.ours.is_terminal(), True)
        self._agree_closely("the result", self.match.pair.returns(self.ours), self.theirs.returns())
        if self.match.pair.corrected is not None:
            scores = [float(-score) for score in self.ours.scores()]
            self._agree_closely("the corrected result", scores, self.match.pair.corrected(self.theirs))
        return len(self.moves)

    def _known(self) -> Iterator[Known]:
        for player in range(self.match.ours.players if self.match.pair.informed else 0):
            theirs = self.theirs.information_state_string(player)
            yield player, self.ours.information_state_key(player), player in self._deciders(), theirs

    def _agree_closely(self, what: str, ours: Sequence[float], theirs: Sequence[float]) -> None:
        if any(abs(a - b) > 1e-9 for a, b in zip(ours, theirs, strict=True)):
            self._agree(what, list(ours), list(theirs))

    def _deciders(self) -> list[int]:
        if self.theirs.is_simultaneous_node():
            return [seat for seat in range(self.match.ours.players) if self.theirs.legal_actions(seat)]
        return [self.theirs.current_player()]

    def _choose(self, seat: int) -> int:
        numbers = {self.match.numbers(action): action for action in self.ours.legal_actions(seat)}
        size = max(map(len, numbers), default=1)
        theirs = list(combinations(sorted(self.theirs.legal_actions(seat)), size))
        if sorted(numbers) != sorted(theirs):
            only_ours = [self.match.ours.action_to_string(numbers[n]) for n in sorted(set(numbers) - set(theirs))]
            missing = sorted(set(theirs) - set(numbers))
            only_theirs = [", ".join(self.theirs.action_to_string(seat, n) for n in one) for one in missing]
            self._agree("legal actions", f"also {only_ours}", f"also {only_theirs}")
        self._agree("the number of legal actions", len(self.ours.legal_actions(seat)), len(theirs))
        return numbers[self.chooser.choice(sorted(numbers))]

    def _apply(self, chosen: Mapping[int, int]) -> None:
        self.moves += [self.match.ours.action_to_string(action) for action in chosen.values()]
        numbers = [self.match.numbers(action) for action in chosen.values()]
        if self.theirs.is_simultaneous_node():
            self.theirs.apply_actions([number for (number,) in numbers])
        else:
            for number in numbers[0]:
                self._agree("who decides", [*chosen], self._deciders())
                self.theirs.apply_action(number)
        self.ours.apply_actions(chosen)

    def _apply_parts(self, parts: Callable[[Any, int], tuple[str, ...]]) -> None:
        """Plays one move of theirs, as decisions of ours one after the other."""
        left = {parts(self.theirs, action): action for action in self.theirs.legal_actions()}
        self._agree("the number of moves", len(left), len(self.theirs.legal_actions()))
        begun: tuple[str, ...] = ()
        while left.keys() != {begun}:
            (seat,) = self.ours.deciders()
            self._agree("who decides", self.match.pair.seats[seat], self.theirs.current_player())
            words = {self.ours.action_to_string(seat, action): action for action in self.ours.legal_actions(seat)}
            self._agree("legal actions", sorted(words), sorted({one[len(begun)] for one in left if one != begun}))
            begun = (*begun, self.chooser.choice(sorted(words)))
            self.moves.append(begun[-1])
            self.ours.apply_action(words[begun[-1]])
            left = {one: action for one, action in left.items() if one[: len(begun)] == begun}
        self.theirs.apply_action(left[begun])

    def _feed(self) -> None:
        """Gives their chance nodes what we have drawn."""
        events = self.ours.events or []
        self.drawn += self.match.pair.chance(self.ours, events[self.events :]) if self.match.pair.chance else ()
        self.events = len(events)
        while self.theirs.is_chance_node():
            if not self.drawn:
                self._agree("chance", "nothing drawn", self.theirs.legal_actions())
            self._agree("a possible draw", True, self.drawn[0] in self.theirs.legal_actions())
            self.theirs.apply_action(self.drawn.pop(0))

    def _agree(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            raise Difference(what, ours, theirs, self.moves)
