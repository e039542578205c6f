"""Playouts: games by players who choose uniformly among their legal actions, played by any engine, kept in columns.

Game `number` of a seed is the same on every engine: the deal draws from `stream(seed, number, 0)`, the choices from
`stream(seed, number, 1)`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from time import process_time
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rulespec.engine.backend.engines.costs import Pace, starts
from rulespec.engine.backend.engines.table import AUTO
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.interpreter.running import DecisionCode
from rulespec.engine.program import ir
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import lines
from rulespec.engine.states.state import State
from rulespec.language.model.types import NONE

if TYPE_CHECKING:
    from rulespec.engine.backend.forms.machine_playout import TallyLayout

LOOK, LONGER = 0.001, 0.2
"""Seconds after which it is asked whether a game of the interpreter takes too long, and the share of what it has taken
by then after which it is asked again."""

Column: TypeAlias = "array[int]"
"""One whole number per game: an array of 64-bit integers."""


def column() -> Column:
    return array("q")


class Prize(NamedTuple):
    """One prize of an award: the place of the award in the program, its title, and the subject it is given for."""

    place: int
    title: str
    subject: int
    name: str


@dataclass(frozen=True)
class Tally:
    """What players were given and held, game by game.

    `given[prize][seat]` counts how often a prize went to a seat; one more column counts prizes not awarded.
    `worth[prize][seat]` sums their worth (0 if the spec states none). `held[face][seat]` counts the cards of a face in
    the seat's own zones at the end.
    """

    given: list[list[Column]]
    worth: list[list[Column]]
    held: list[list[Column]]


@dataclass(frozen=True)
class Chunk:
    """Finished games in columns, one entry per game of `numbers`; `ranks`, `scores` and `returns` by seat, as in
    `State`. `returns` has no columns if the ranking does not say what a game is worth."""

    numbers: range
    decisions: Column
    ranks: list[Column]
    scores: list[Column]
    returns: list[Column]
    tally: Tally | None = None


class BoundReachedError(Exception):
    """A game of a chunk stopped at a bound that it must not reach: `words` says which, `log` is the log of the game."""

    def __init__(self, words: str, number: int, log: str) -> None:
        super().__init__(words, number, log)  # all are arguments, so that the exception can be pickled by a worker
        self.words, self.number, self.log = words, number, log

    def __str__(self) -> str:
        return f"Game {self.number}: {self.words}."


def finished(game: Game, seed: int, chunk: Chunk) -> Chunk:
    """The chunk, all of whose games have a ranking. Raises BoundReachedError for the first one that has none."""
    # A game without a ranking has rank 0 for all players, so the first seat is enough.
    if 0 in chunk.ranks[0]:
        number = chunk.numbers[chunk.ranks[0].index(0)]
        state, _ = playout(game, seed, number, record=True)
        raise BoundReachedError(state.stopped(), number, "\n".join(lines(state)))
    return chunk


def prizes(game: Game) -> tuple[Prize, ...]:
    """Every prize of every award, in the order of the program."""
    found = []
    for place, note in enumerate(game.program.code):
        if isinstance(note, ir.Note) and isinstance(note.report, ir.Award):
            award = note.report
            for subject in game.setting.in_play(award.type.name):
                found.append(Prize(place, award.title, subject, game.names.word(award.type, subject)))
    return tuple(found)


def own_zones(game: Game) -> Iterator[tuple[int, int]]:
    """Every zone that belongs to a player, with the seat of the player."""
    for zone, (name, indices) in enumerate(game.program.zones):
        owner = game.spec.zones[name].owner(indices)
        if owner is not None:
            yield zone, owner


def random_game(game: Game, seed: int) -> Iterator[State]:
    """The state before every decision of a game, in which all choices are made at random, and at its end. It is one
    object, and goes on between them."""
    state, chance = game.new_initial_state(seed), Random(seed)
    while not state.is_terminal():
        yield state
        state.apply_actions({seat: chance.choice(state.legal_actions(seat)) for seat in state.deciders()})
    yield state


def random_choices(state: State, seed: int) -> Iterator[None]:
    """Plays a game to its end by choices that a seed draws evenly. It stops after each."""
    below = Generator(seed).below
    while not state.is_terminal():
        for player in state.deciders():
            legal = state.legal_actions(player)
            state.apply_action(legal[below(len(legal))], player)
            yield


def playout(game: Game, seed: int, number: int, record: bool = False) -> tuple[State, int]:
    """The final state of one game played decision by decision, and the number of decisions."""
    state = game.new_initial_state(stream(seed, number, 0), record)
    return state, sum(1 for _ in random_choices(state, stream(seed, number, 1)))


def playouts(game: Game, seed: int, numbers: range, tally: bool = False, left: int | None = None) -> Chunk:
    """Plays games of a seed with the engine of the game. With `tally` also counts what players were given and held.
    The engine `auto` goes by how many games are `left` to play, these included, if that is known."""
    # Machine code plays games with consecutive numbers only.
    if game.engine == AUTO and numbers.step == 1:
        return _by_cost(game, seed, numbers, tally, left)
    if game.engine == "native" and numbers.step == 1:
        machine = game.code.machine(_tally_layout(game) if tally else None)
        if machine is not None:
            return _by_machine(game, machine.play(seed, numbers.start, len(numbers)), numbers, tally)
    play = _interpreted if game.engine == "interpreter" else _compiled
    return in_columns(game, numbers, play(game, seed, numbers, tally), tally)


def _by_cost(game: Game, seed: int, numbers: range, tally: bool, left: int | None) -> Chunk:
    """Games by the engine that costs least. It may change after any game, and within one that takes long."""
    code = game.code
    if tally not in code.paces:
        layout = _tally_layout(game) if tally else None
        code.paces[tally] = Pace(
            starts(game.program), lambda engine: code.is_kept(engine, tally), lambda: code.machine(layout)
        )
    pace, games, ahead = code.paces[tally], list[Played](), numbers

    def rest() -> int | None:
        return left - len(games) if left is not None else None

    pace.choose(left)
    while ahead:
        if pace.engine == "interpreter":
            games += _interpreted_while(game, seed, ahead, tally, pace, rest())
        elif pace.engine == "compiled" and (play := game.code.playout(tally)) is not None:
            batch, began = ahead[: pace.batch], process_time()
            games += [Played(*play(stream(seed, number, 0), stream(seed, number, 1))) for number in batch]
            pace.measured(len(batch), process_time() - began)
            # Not before a game that another engine gave up has been played: it could be given back for ever.
            pace.choose(rest())
        elif pace.engine == "native" and (machine := game.code.machine(_tally_layout(game) if tally else None)):
            began = process_time()
            chunk = _by_machine(game, machine.play(seed, ahead.start, len(ahead)), ahead, tally)
            pace.measured(len(ahead), process_time() - began)
            return joined(in_columns(game, numbers[: len(games)], games, tally), chunk) if games else chunk
        else:
            pace.without(pace.engine)
        ahead = numbers[len(games) :]
    return in_columns(game, numbers, games, tally)


class _Interpreted(State):
    """A state that the interpreter runs, on any engine."""

    __slots__ = ()

    def _code(self, record: bool) -> DecisionCode:
        return self.game.code.interpreted(record)


def _interpreted_while(
    game: Game, seed: int, numbers: range, tally: bool, pace: Pace, left: int | None
) -> Iterator[Played]:
    """Games while no other engine costs less. The last one is given up if it takes so long that another does."""
    for number in numbers:
        began, looked, decisions = process_time(), LOOK, 0
        state = _Interpreted(game, stream(seed, number, 0), tally)
        for _ in random_choices(state, stream(seed, number, 1)):
            decisions += 1
            if (seconds := process_time() - began) > looked:
                if pace.choose(left, seconds) != "interpreter":
                    return
                looked = seconds * (1 + LONGER)
                began = process_time() - seconds  # to choose takes time, too: it may look into the cache
        pace.measured(1, process_time() - began)
        left = left - 1 if left is not None else None
        yield played(state, decisions)
        if pace.choose(left) != "interpreter":
            return


def joined(first: Chunk, second: Chunk) -> Chunk:
    """The games of two chunks, in the columns of the first."""
    for one, other in zip(_columns(first), _columns(second), strict=True):
        one.extend(other)
    return replace(first, numbers=range(first.numbers.start, second.numbers.stop))


def _columns(chunk: Chunk) -> Iterator[Column]:
    tally = chunk.tally or Tally([], [], [])
    yield chunk.decisions
    for columns in (chunk.ranks, chunk.scores, chunk.returns, *tally.given, *tally.worth, *tally.held):
        yield from columns


def in_columns(game: Game, numbers: range, games: Iterable[Played], tally: bool) -> Chunk:
    """Finished games in columns. With `tally` also what players were given and held."""
    seats = range(game.players)
    ranks, scores = [column() for _ in seats], [column() for _ in seats]
    returns = [column() for _ in game.program.returns]
    chunk = Chunk(numbers, column(), ranks, scores, returns, _tally(game) if tally else None)
    places = {(prize.place, prize.subject): number for number, prize in enumerate(prizes(game) if tally else ())}
    for one_game in games:
        chunk.decisions.append(one_game.decisions)
        results = (*one_game.ranks, *one_game.scores, *one_game.returns)
        for one, result in zip((*ranks, *scores, *returns), results, strict=True):
            one.append(result)
        if chunk.tally is not None:
            _count(game, one_game, chunk.tally, places)
    return chunk


class Played(NamedTuple):
    """One game: `awards` holds place, subject, winner and worth of every award, `zones` the cards at the end."""

    decisions: int
    ranks: Sequence[int]
    scores: Sequence[int]
    returns: Sequence[int]
    awards: Sequence[tuple[int, int, int, int]]
    zones: Sequence[Sequence[int]]


def _interpreted(game: Game, seed: int, numbers: range, tally: bool) -> Iterator[Played]:
    for number in numbers:
        yield played(*playout(game, seed, number, record=tally))


def played(state: State, decisions: int) -> Played:
    """A finished game. Awards are those of its events."""
    awards = [(e[2], e[3], e[4], e[6]) for e in state.events or () if e[0] == "award"]
    returns = [state.r[slot] for slot in state.game.program.returns]
    return Played(decisions, state.ranking(), state.scores(), returns, awards, state.z)


def _compiled(game: Game, seed: int, numbers: range, tally: bool) -> Iterator[Played]:
    play = game.code.playout(tally)
    if play is None:
        yield from _interpreted(game, seed, numbers, tally)
        return
    for number in numbers:
        yield Played(*play(stream(seed, number, 0), stream(seed, number, 1)))


def _by_machine(game: Game, played: Iterable[Column], numbers: range, tally: bool) -> Chunk:
    columns = iter(played)
    seats, all_prizes = game.players, len(prizes(game))
    decisions, ranks, scores = next(columns), list(islice(columns, seats)), list(islice(columns, seats))
    returns = list(islice(columns, len(game.program.returns)))
    if not tally:
        return Chunk(numbers, decisions, ranks, scores, returns)
    given = [list(islice(columns, seats + 1)) for _ in range(all_prizes)]
    worth = [list(islice(columns, seats)) for _ in range(all_prizes)]
    held = [list(islice(columns, seats)) for _ in game.spec.deck.first_of_face]
    return Chunk(numbers, decisions, ranks, scores, returns, Tally(given, worth, held))


def _tally_layout(game: Game) -> TallyLayout:
    from rulespec.engine.backend.forms.machine_playout import TallyLayout

    return TallyLayout(tuple((prize.place, prize.subject) for prize in prizes(game)), tuple(own_zones(game)))


def _tally(game: Game) -> Tally:
    seats, all_prizes = range(game.players), prizes(game)
    faces = range(len(game.spec.deck.first_of_face))
    return Tally(
        [[column() for _ in range(game.players + 1)] for _ in all_prizes],
        [[column() for _ in seats] for _ in all_prizes],
        [[column() for _ in seats] for _ in faces],
    )


def _count(game: Game, played: Played, tally: Tally, places: Mapping[tuple[int, int], int]) -> None:
    for columns in (*tally.given, *tally.worth, *tally.held):
        for one in columns:
            one.append(0)
    for place, subject, winner, worth in played.awards:
        number = places[place, subject]
        tally.given[number][winner if winner != NONE else game.players][-1] += 1
        if winner != NONE and worth != NONE:
            tally.worth[number][winner][-1] += worth
    for zone, seat in own_zones(game):
        for card in played.zones[zone]:
            tally.held[game.program.faces[card]][seat][-1] += 1
