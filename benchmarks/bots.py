"""How strong the bots are, and how fast they search.

python benchmarks/bots.py strength --games 100     # 1,000 simulations against random players and against 100
python benchmarks/bots.py ladder --games 100       # easy, medium and hard, each against the level below
python benchmarks/bots.py levels --games 200       # medium against random and quick, in games with texts
python benchmarks/bots.py hard kingme:4 hearts:4   # hard against quick, in games for four
python benchmarks/bots.py longest kingme:3 chess:2  # the longest move of each level, with and without machine code
python benchmarks/bots.py speed                    # simulations a second, beside OpenSpiel's IS-MCTS
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import rulespec
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.search.tree_search import EVERYBODY, Search, Tree, search_of
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import Chunk
from rulespec.engine.states.state import State
from rulespec.play.bots import bot
from rulespec.play.bots.bot import bot_name
from rulespec.play.bots.games import Players, bot_games
from rulespec.play.bots.table import LEVELS, USUAL
from rulespec.play.simulate.figures import proportion

PAIRS = {
    "strength": (("ismcts:1000", "random"), ("ismcts:1000", "ismcts:100")),
    "ladder": (("easy", "random"), ("medium", "easy"), ("hard", "medium")),
    "hard": (("hard", "quick"),),
}
"""A bot and its rival, in each comparison."""
TWO_PLAYERS = (
    "fortheking",
    "breakthrough",
    "checkers",
    "clobber",
    "connect_four",
    "dots_and_boxes",
    "gin_rummy",
    "goofspiel",
    "hex",
    "mancala",
    "nim",
    "othello",
)
"""Games for two players in which luck does not decide; in The King, the points that a person reports do."""


@dataclass(frozen=True)
class Match:
    """Wins of a bot against a rival that changes seats with it."""

    wins: float
    games: int

    def __str__(self) -> str:
        share, low, high = proportion(self.wins, self.games)
        return f"{share:6.1%} ({low:.1%} to {high:.1%})"


def match(game: Game, bot: str, rival: str, games: int, seed: int = 0) -> Match:
    """Games of a bot against a rival in all other seats, changing seats."""
    players = Players((bot_name(bot), *[bot_name(rival)] * (game.players - 1)), rotated=True)
    return Match(_won(bot_games(game, seed, range(games), players)), games)


def strength(pairs: Sequence[tuple[str, str]], games: int, names: list[str]) -> Iterator[str]:
    for name in names or TWO_PLAYERS:
        game, began = _game(name), time.process_time()
        found = [f"{bot}, {rival} {match(game, bot, rival, games)}" for bot, rival in pairs]
        yield f"{name:16} {'   '.join(found)}   {time.process_time() - began:.0f} s"


def levels(level: str, games: int, names: list[str], seconds: float, cores: int = 2) -> Iterator[str]:
    """A level, by its simulations, against rivals in all other seats, changing seats, and its longest move by its time.

    All together takes some seconds at most: a match that would take more than its share of them has fewer games.
    """
    names = names or sorted({path.name for path in Path("specs").glob("**/translations/*")})
    until, matches = time.monotonic() + seconds, len(names) * len(RIVALS)
    with ProcessPoolExecutor(cores) as pool:
        for name in names:
            game, found = _game(name), list[str]()
            search_of(game)  # compiled before the matches
            for rival in RIVALS:
                share, matches = (until - time.monotonic()) / matches, matches - 1
                # Whole rounds of seats for each core.
                parts = [[n for n in range(games) if n // game.players % cores == core] for core in range(cores)]
                won = [pool.submit(_wins, name, level, rival, part, share) for part in parts]
                wins, played = map(sum, zip(*(part.result() for part in won), strict=True))
                found.append(f"{rival} {Match(wins, played)} of {played}")
            took, _ = _slowest(game, level, LONGEST)
            yield f"{name:16} {level} against {', '.join(found)}; even {1 / game.players:.0%}; {1000 * took:.0f} ms"


RIVALS = ("random", "quick")

LONGEST = 5.0
"""Seconds in which the longest move of a level is looked for."""


def _game(name: str) -> Game:
    """A game by its name and number of players, such as kingme:3; at least two unless another number is given."""
    spec, players = rulespec.load(name.partition(":")[0]), name.partition(":")[2]
    return spec.game(int(players) if players else next((n for n in spec.players if n > 1), spec.players[0]))


def _wins(name: str, level: str, rival: str, numbers: list[int], seconds: float) -> tuple[float, int]:
    """The wins of a level in games of these numbers, and how many it has begun before a time."""
    game, until, chunks = _game(name), time.monotonic() + seconds, list[Chunk]()
    bots = Players(tuple(bot_name(one, False) for one in [level, *[rival] * (game.players - 1)]), rotated=True)
    for number in numbers:
        if time.monotonic() < until:
            chunks.append(bot_games(game, 0, range(number, number + 1), bots))
    return sum(_won(chunk) for chunk in chunks), len(chunks)


def _won(chunk: Chunk) -> float:
    """The wins of the first bot; shared ones count in parts."""
    return sum(1 / row.count(1) for row in zip(*chunk.ranks, strict=True) if row[0] == 1)


def middle(game: Game, seed: int = 1) -> State:
    """A decision in the middle of a game of random players."""
    length = len(_after(game, seed, 10**9).choices)
    return _after(game, seed, length // 2)


def _after(game: Game, seed: int, decisions: int) -> State:
    state, chance = game.new_initial_state(seed), random.Random(seed)
    while not state.is_terminal():
        seat = state.deciders()[0]
        legal = state.legal_actions(seat)
        if len(state.choices) >= decisions and len(legal) > 1:
            return state
        state.apply_action(chance.choice(legal), seat)
    return state


def rate(game: Game, simulations: int = 20_000) -> float:
    """IS-MCTS simulations a second from the middle of a game."""
    state, search = middle(game), search_of(game)
    seat = state.deciders()[0]
    position = search.position(state.pc, unknown(state, seat))
    best = 0.0
    for _ in range(3):
        tree = Tree(position, game.players, seat, 1, simulations, EVERYBODY)
        began = time.process_time()
        search.simulate(tree, simulations)
        best = max(best, simulations / (time.process_time() - began))
    return best


def openspiel_rate(name: str, simulations: int = 1000) -> float:
    """The same of OpenSpiel's bot in C++, from the middle of a game of random players."""
    import pyspiel

    chance, state = random.Random(1), pyspiel.load_game(name).new_initial_state()
    states = []
    while not state.is_terminal():
        if not state.is_chance_node() and len(state.legal_actions()) > 1:
            states.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    at, best = states[len(states) // 2], 0.0
    for _ in range(3):
        bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 0.7, simulations)
        began = time.process_time()
        bot.step(at)
        best = max(best, simulations / (time.process_time() - began))
    return best


def longest(names: list[str], seconds: float = 20.0) -> Iterator[str]:
    """The longest of the moves that levels make in games, in milliseconds; each plays for some seconds."""
    for name in names or ["fortheking:3", "kingme:3", "keyflower_king:2", "hearts:4", "chess:2"]:
        game = _game(name)
        for machine in (True, False):
            search, slowest = Search(game, machine), dict.fromkeys(LEVELS, (0.0, 0))
            with patch("rulespec.play.bots.searches.search_of", lambda _, search=search: search):
                for level in LEVELS:
                    slowest[level] = _slowest(game, level, seconds)
            words = "machine code" if machine else "Python"
            said = ", ".join(
                f"{level} {1000 * took:.0f} ms of {moves} moves" for level, (took, moves) in slowest.items()
            )
            yield f"{name:16} {words:12} {said}"


def _slowest(game: Game, level: str, seconds: float) -> tuple[float, int]:
    """The longest move of a level in the seconds that it plays, and how many it makes."""
    state, bots = game.new_initial_state(seed=3), [bot(level, seat, 5) for seat in range(game.players)]
    until, took, moves = time.monotonic() + seconds, 0.0, 0
    while not state.is_terminal() and time.monotonic() < until:
        seat, began = state.deciders()[0], time.monotonic()
        state.apply_action(bots[seat].step(state), seat)
        took, moves = max(took, time.monotonic() - began), moves + 1
    return took, moves


SAME = {"gin_rummy": 2, "oh_hell": 3, "leduc_poker": 2, "hearts": 4}
"""Games with hidden information that OpenSpiel has, too, with a number of players."""


def speed() -> Iterator[str]:
    for name, players in (("fortheking", 4), ("kingme", 4), ("keyflower_king", 2)):
        yield f"{name:16} {players} players: {rate(rulespec.load(name).game(players)):>10,.0f} simulations a second"
    for name, players in SAME.items():
        ours, theirs = rate(rulespec.load(name).game(players), 2_000), openspiel_rate(name)
        beside = f"OpenSpiel {theirs:>10,.0f}   ratio {ours / theirs:.1f}"
        yield f"{name:16} {players} players: {ours:>10,.0f} simulations a second   {beside}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*PAIRS, "levels", "longest", "speed"])
    parser.add_argument("names", nargs="*", help="games, such as hearts:4 (default: those for two)")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--level", choices=LEVELS, default=USUAL)
    parser.add_argument("--minutes", type=float, default=10, help="the most that `levels` takes, longest moves aside")
    given = parser.parse_intermixed_args()
    others = {
        "levels": lambda: levels(given.level, given.games, given.names, 60 * given.minutes),
        "longest": lambda: longest(given.names),
        "speed": speed,
    }
    found = strength(PAIRS[given.what], given.games, given.names) if given.what in PAIRS else others[given.what]()
    for line in found:
        print(line, flush=True)


if __name__ == "__main__":
    main()
