"""Games played by bots."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.base.messages import Message, say
from rulespec.engine.interpreter.random import stream
from rulespec.engine.search.tree_search import search_of
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import lines
from rulespec.engine.states.playout import BoundReachedError, Chunk, Played, in_columns, played
from rulespec.engine.states.state import State
from rulespec.play.bots.bot import Bot, BotName, bots_by_seat, seated


@dataclass(frozen=True)
class Players:
    """The bots of a game by seat. If they are `rotated`, each takes the next seat from game to game, and figures are by
    bot: in game 1, the first one sits in seat 1."""

    bots: tuple[BotName, ...]
    rotated: bool = False

    def to_list(self) -> list[str]:
        return [str(bot) for bot in self.bots]

    def __str__(self) -> str:
        return str(self.in_words())

    def in_words(self) -> Message:
        """The names of the bots, and whether they change seats."""
        names = tuple(dict.fromkeys(self.to_list()))
        return say("{bots}, changing seats", bots=names) if self.rotated else say("{bots}", bots=names)

    def seat(self, bot: int, number: int) -> int:
        """The seat of a bot in a game."""
        return (bot + number) % len(self.bots) if self.rotated else bot

    def prepare(self, game: Game) -> None:
        """Compiles what the bots need, so that workers read it from the cache."""
        if any(bot.kind.searches for bot in self.bots) or self.are_quick:
            search_of(game)

    @property
    def are_quick(self) -> bool:
        """Whether games of these bots run in one go, in the machine code of searches."""
        return all(bot.kind.whole and not (bot.limit and bot.limit.milliseconds) for bot in self.bots)

    def seated(self, seed: int, number: int) -> list[Bot]:
        """The bots of a game, by seat."""
        bots = {self.seat(index, number): bot for index, bot in enumerate(self.bots)}
        return seated([bots[seat] for seat in range(len(bots))], seed, number)


def players(text: str, game: Game, rotated: bool = False, hurried: bool = False) -> Players:
    """The bots that a text names: one for all seats, or one for each, with commas. Only `hurried` levels keep their
    time: without it, the same seed gives the same games. Raises ValueError."""
    return Players(bots_by_seat(text, game.players, hurried), rotated)


def bot_game(game: Game, seed: int, number: int, players: Players, record: bool = True) -> tuple[State, int]:
    """The final state of a game of a seed, and the number of decisions. The deal is that of `playout`.

    `record=False` keeps no events, which is faster. Bots that need them record them nevertheless.
    """
    whole = players.are_quick and not search_of(game).in_python
    state = game.new_initial_state(stream(seed, number, 0), record or not whole)
    bots, decisions = players.seated(seed, number), 0
    for player, action in _at_once(state, bots) if whole else _one_by_one(state, bots):
        state.apply_action(action, player)
        decisions += 1
    return state, decisions


def _at_once(state: State, bots: Sequence[Bot]) -> Iterator[tuple[int, int]]:
    """The players and actions of a game that runs in the code of searches."""
    seats = [(bot.seed, bot.name.limit.simulations if bot.name.limit is not None else 0) for bot in bots]
    return search_of(state.game).quick_game(state, seats)


def _one_by_one(state: State, bots: Sequence[Bot]) -> Iterator[tuple[int, int]]:
    while not state.is_terminal():
        for player in state.deciders():
            yield player, bots[player].step(state)


def games_in_time(game: Game, players: Players, most: int, seconds: float) -> list[Played]:
    """The games, so many at most, that bots finish in seconds of processor time; what they need is compiled before."""
    players.prepare(game)
    until, found = time.process_time() + seconds, list[Played]()
    for number in range(most):
        state = game.new_initial_state(stream(0, number, 0))
        for player, action in _one_by_one(state, players.seated(0, number)):
            if time.process_time() > until:
                return found
            state.apply_action(action, player)
        found.append(played(state, len(state.choices)))
    return found


def bot_games(game: Game, seed: int, numbers: range, players: Players, tally: bool = False) -> Chunk:
    """Games of a seed by bots, in columns: by seat, or by bot if they change seats. With `tally` also what players were
    given and held, by seat. Raises BoundReachedError."""
    return in_columns(game, numbers, _played(game, seed, numbers, players, tally), tally)


def _played(game: Game, seed: int, numbers: range, players: Players, record: bool) -> Iterator[Played]:
    for number in numbers:
        state, decisions = bot_game(game, seed, number, players, record)
        if not any(state.ranking()):
            # Played again with events, which say where it stopped.
            stopped, _ = bot_game(game, seed, number, players)
            raise BoundReachedError(stopped.stopped(), number, "\n".join(lines(stopped)))
        yield _by_bot(played(state, decisions), players, number)


def _by_bot(game: Played, players: Players, number: int) -> Played:
    """The results of a game in the order of the bots, if they change seats."""
    if not players.rotated:
        return game
    seats = [players.seat(bot, number) for bot in range(len(players.bots))]
    ranks, scores = [game.ranks[seat] for seat in seats], [game.scores[seat] for seat in seats]
    returns = [game.returns[seat] for seat in seats] if game.returns else ()
    return game._replace(ranks=ranks, scores=scores, returns=returns)
