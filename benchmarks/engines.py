"""Speed of the engines, compared with engines written by hand and with OpenSpiel: ratios from one interleaved run.

    .venv/bin/python benchmarks/engines.py [speed|api|boards|start|auto|growth|memory] ...

`speed`: playouts of For the King (and Me); `api`: decision by decision from Python, also with OpenSpiel if it is
installed (pip install open_spiel); `boards`: the same for the board games of the gallery that OpenSpiel has, too;
`start`: the first game of the native engine; `auto`: the engine `auto` beside the others, by the number of games, with
what they compile; `growth`: cost by the number of players, cards, games and workers; `memory`: peak memory by the
number of games. Without an argument, all of them.
Compared programs run in turns, so that a busy machine slows all of them equally. Seconds are processor time,
except for `start` and for workers.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import hand_c
import hand_python

import rulespec
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import playouts
from rulespec.play.simulate.run import simulate

ROUNDS = 15
RULINGS = {"overbid": "forbidden"}  # bids limited to what can be paid; what the engines by hand play
Run = Callable[[], int]
"""Does some work and gives how much it was: games, or decisions."""


def in_turns(runs: dict[str, Run], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Work per second of processor time of each, round by round, one after the other in every round."""
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            began = time.process_time()
            amount = run()
            rates[name].append(amount / (time.process_time() - began))
    return rates


def ratio(rates: list[float], others: list[float]) -> str:
    """The median of the ratios of all rounds, with the least and the most."""
    found = [a / b for a, b in zip(rates, others, strict=True)]
    return f"{_short(statistics.median(found))} ({_short(min(found))} to {_short(max(found))})"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 20 else f"{number:.2f}"


def table(*rows: tuple[str, ...]) -> None:
    head, *others = rows
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in others:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


# --- playouts -----------------------------------------------------------------------------------------------------


def speed() -> None:
    spec, hand_rows = rulespec.load("fortheking"), []
    hand_c.library()
    for players in spec.players:
        games = {engine: spec.game(players, RULINGS, engine) for engine in ("native", "compiled", "interpreter")}
        runs: dict[str, Run] = {
            "C by hand": lambda players=players: len(hand_c.play(players, 1, 0, 20_000).decisions),
            "native": lambda game=games["native"]: _played(game, 20_000),
            "Python by hand": lambda players=players: len(hand_python.play(players, 1, 0, 300).decisions),
            "compiled": lambda game=games["compiled"]: _played(game, 300),
            "interpreter": lambda game=games["interpreter"]: _played(game, 40),
        }
        for run in runs.values():
            run()  # what is made once is made
        rates = in_turns(runs)
        for name, found in rates.items():
            to_c, to_python = (ratio(found, rates[other]) for other in ("C by hand", "Python by hand"))
            hand_rows.append((str(players), name, f"{statistics.median(found):,.0f}", to_c, to_python))
    table(("players", "engine", "games/s", "of C by hand", "of Python by hand"), *hand_rows)


def _played(game: Game, number: int) -> int:
    return len(playouts(game, 1, range(number)).decisions)


# --- from Python, decision by decision -------------------------------------------------------------------------------

OPEN_SPIEL = ("hearts", "oh_hell(players=4,num_suits=4,num_cards_per_suit=13)", "gin_rummy")
"""Card games of OpenSpiel with hidden hands, tricks and bids: as near as it has them."""


def api() -> None:
    spec, runs = rulespec.load("fortheking"), dict[str, Run]()
    for engine in ("native", "compiled", "interpreter"):
        game = spec.game(4, RULINGS, engine)
        runs[f"For the King (and Me), {engine}"] = lambda game=game: _ours(game, False)
        runs[f"the same, then all events, {engine}"] = lambda game=game: _ours(game, True)
    for name in OPEN_SPIEL:
        if (other := _open_spiel(name)) is not None:
            runs[f"OpenSpiel, {name.partition('(')[0]}"] = other
    for run in runs.values():
        run()
    rates = in_turns(runs)
    theirs = [name for name in rates if name.startswith("OpenSpiel")]
    fastest = max(theirs, key=lambda name: statistics.median(rates[name]), default=None)
    rows = [
        (name, f"{statistics.median(found):,.0f}", ratio(found, rates[fastest]) if fastest else "–")
        for name, found in rates.items()
    ]
    table(("game", "decisions/s", "of the fastest of OpenSpiel"), *rows)
    _observed(spec)


def _ours(game: Game, record: bool, games: int = 20) -> int:
    """The number of decisions of some games; with `record`, reads the events of each game at its end."""
    decisions, choose = 0, random.Random(1).random
    for seed in range(games):
        state = game.new_initial_state(seed, record)
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(choose() * len(legal))])
            decisions += 1
        assert record == bool(state.events)
    return decisions


def _open_spiel(name: str, games: int = 20) -> Run | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)

    def run() -> int:
        decisions, choose = 0, random.Random(1).random
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                decisions += not state.is_chance_node()
                state.apply_action(legal[int(choose() * len(legal))])
        return decisions

    return run


BOARDS = {
    **{
        name: name for name in ("backgammon", "breakthrough", "checkers", "chess", "clobber", "connect_four", "mancala")
    },
    **{name: name for name in ("dots_and_boxes", "nim", "nine_mens_morris", "othello", "quoridor", "tic_tac_toe")},
    "battleship": "battleship(board_width=4,board_height=4,ship_sizes=[2;3],ship_values=[1;1],num_shots=12)",
    "go": "go(board_size=5,komi=0.5)",
    "hex": "hex(board_size=5)",
    "phantom_tic_tac_toe": "phantom_ttt",
}
"""Games of the gallery with the same games of OpenSpiel."""


def boards(games: int = 50) -> None:
    """Random games, decision by decision from Python."""
    rows = [("game", "native", "auto", "OpenSpiel", "native of OpenSpiel", "auto of OpenSpiel")]
    for name, theirs in sorted(BOARDS.items()):
        other = _open_spiel(theirs, games)
        if other is None:
            sys.exit("OpenSpiel is not installed: pip install open_spiel")
        ours = {engine: rulespec.load(name).game(2, None, engine) for engine in ("native", "auto")}
        runs: dict[str, Run] = {
            **{engine: lambda game=game: _ours(game, False, games) for engine, game in ours.items()},
            "OpenSpiel": other,
        }
        tier = ours["auto"].code.tier
        while tier is not None and tier.take_over is None:
            runs["auto"]()  # until machine code has taken over
        rates = in_turns(runs, 7)
        speeds = (f"{statistics.median(found):,.0f}" for found in rates.values())
        rows.append((name, *speeds, *(ratio(rates[engine], rates["OpenSpiel"]) for engine in ours)))
    table(*rows)


def _observed(spec: rulespec.Spec) -> None:
    """How many observations a second in the middle of a game."""
    runs = dict[str, Run]()
    for engine in ("native", "compiled"):
        state = spec.game(4, RULINGS, engine).new_initial_state(1)
        while len(state.choices) < 140:
            state.apply_action(state.legal_actions()[0])
        runs[f"For the King (and Me), {engine}"] = lambda state=state: sum(
            1 for _ in range(100) if state.observation_string(0)
        )
    if (other := _spiel_observation()) is not None:
        runs["OpenSpiel, gin_rummy"] = other
    for run in runs.values():
        run()
    rows = [(name, f"{statistics.median(found):,.0f}") for name, found in in_turns(runs, 5).items()]
    table(("observation_string", "a second"), *rows)


def _spiel_observation() -> Run | None:
    try:
        import pyspiel
    except ImportError:
        return None
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    for _ in range(60):
        if not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
    return lambda: sum(1 for _ in range(100) if state.observation_string(0))


# --- the first game --------------------------------------------------------------------------------------------------


def start() -> None:
    """Wall time of a new process until one game is played, the import of everything included."""
    rows = [("game", "empty cache", "full cache")]
    for name in rulespec.known_games():
        with tempfile.TemporaryDirectory() as folder:
            first = [_first(name, folder)]
            rows.append((name, f"{first[0]:.1f} s", f"{min(_first(name, folder) for _ in range(5)):.2f} s"))
    table(*rows)


def _first(name: str, folder: str) -> float:
    command = [sys.executable, "-m", "ftk_cli", "simulate", name, "--games", "1", "--engine", "native", "-q"]
    began = time.perf_counter()
    subprocess.run(command, env={**os.environ, "XDG_CACHE_HOME": folder}, check=True, capture_output=True)
    return time.perf_counter() - began


# --- the engine `auto` ------------------------------------------------------------------------------------------------

NUMBERS = (20, 200, 2_000, 200_000)
LONGEST = 1.5
"""Seconds that a process plays on an engine; how long more games take is extrapolated from its last games."""


def auto(*names: str) -> None:
    """Seconds of processor time of a new process that loads a spec and plays games by random players: `auto` with each
    number of games, beside the best other engine. In brackets without what the process does before it plays. First with
    an empty cache, then with what it holds after that."""
    worst = {games: (0.0, 0.0) for games in NUMBERS}
    rows = [("game", "cache", *(f"{games:,} games: best, s" for games in NUMBERS), *("auto / best",) * len(NUMBERS))]
    for name in names or rulespec.known_games():
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
            for cache in (empty := os.path.join(other, "empty"), folder):
                # Engines do not use what others have cached.
                fixed = {engine: _played_on(name, engine, NUMBERS[-1], folder) for engine in ENGINES}
                best, ratios = [], []
                for games in NUMBERS:
                    seconds, _loading, engine = min((*_seconds(found, games), one) for one, found in fixed.items())
                    mine, mine_loading = _seconds(_played_on(name, "auto", games, cache), games)
                    shutil.rmtree(empty, ignore_errors=True)
                    best.append(f"{seconds:.3f} ({engine})")
                    ratios.append(((mine_loading + mine) / (mine_loading + seconds), mine / seconds))
                    worst[games] = max(worst[games], ratios[-1])
                rows.append((name, "full" if cache == folder else "empty", *best, *map(_both, ratios)))
                print("\t".join(rows[-1]), file=sys.stderr, flush=True)
    table(*rows, ("worst", "", *("",) * len(NUMBERS), *map(_both, worst.values())))


def _both(ratios: tuple[float, float]) -> str:
    return "{:.2f} ({:.2f})".format(*ratios)


def _played_on(name: str, engine: str, games: int, folder: str) -> list[tuple[int, float]]:
    """The games that a new process has played, with its seconds, again and again; first none."""
    command = [sys.executable, "-c", PLAY, name, engine, str(games), str(LONGEST)]
    where = {**os.environ, "XDG_CACHE_HOME": folder}
    done = subprocess.run(command, env=where, check=True, capture_output=True, text=True)
    return [(int(number), float(seconds)) for number, seconds in map(str.split, done.stdout.splitlines())]


def _seconds(found: list[tuple[int, float]], games: int) -> tuple[float, float]:
    """The seconds of a number of games, between those that were measured or after them, and those before the first."""
    reached = next((i for i, (number, _) in enumerate(found) if number >= games), len(found) - 1)
    (fewer, before), (more, after) = found[reached - 1 : reached + 1]
    return after + (after - before) * (games - more) / (more - fewer) - found[0][1], found[0][1]


PLAY = """
import sys
from time import process_time
import rulespec
from rulespec.play.simulate.chunks import Left, play
name, engine, games, longest = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
spec, done, size, left = rulespec.load(name), 0, 1, Left(games, 1)
print(0, process_time())
engines = set()
game = spec.game(engine=engine)
while done < games:
    numbers = range(done, min(done + size, games))
    play(game, numbers, 1, left=left)
    done, seconds, size = numbers.stop, process_time(), size * 2
    print(done, seconds)
    if game.code.playing not in engines or any(pace.waits for pace in game.code.paces.values()):
        engines.add(game.code.playing)
        began, size = seconds, 1
    elif seconds - began > longest:
        break
"""


# --- growth ----------------------------------------------------------------------------------------------------------


def growth() -> None:
    spec = rulespec.load("fortheking")
    game = spec.game(4, RULINGS, "native")
    _played(game, 1)
    rows = [("games", "1 worker, s", "2 workers, s", "ratio")]
    for games in (10_000, 100_000, 1_000_000):
        one, two = (_wall(game, games, workers) for workers in (1, 2))
        rows.append((f"{games:,}", f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}"))
    table(*rows)
    table(("cards", "native games/s", "compiled games/s", "native, cards/s"), *_by_cards())


def _wall(game: Game, games: int, workers: int) -> float:
    began = time.perf_counter()
    simulate(game, games, 1, workers)
    return time.perf_counter() - began


def _by_cards() -> Iterator[tuple[str, ...]]:
    """The same small game with more and more cards: all are dealt, bid for one by one and counted."""
    for copies in (1, 2, 4, 8, 16):
        spec = rulespec.loads(_lots(copies))
        games = {engine: spec.game(2, None, engine) for engine in ("native", "compiled")}
        runs: dict[str, Run] = {
            "native": lambda game=games["native"]: _played(game, 3_000),
            "compiled": lambda game=games["compiled"]: _played(game, 30),
        }
        for run in runs.values():
            run()
        rates = {name: statistics.median(found) for name, found in in_turns(runs, 5).items()}
        cards = len(spec.model.deck.cards)
        yield (
            str(cards),
            f"{rates['native']:,.0f}",
            f"{rates['compiled']:,.0f}",
            f"{rates['native'] * cards:,.0f}",
        )


def _lots(copies: int) -> str:
    text = (Path(__file__).parent / "lots.yaml").read_text(encoding="utf-8")
    return text.replace("copies: 1", f"copies: {copies}")


# --- memory ----------------------------------------------------------------------------------------------------------


def memory() -> None:
    """The peak memory of a process that plays a number of games, each number in a process of its own."""
    rows = [("games", "most memory, MB")]
    for games in (10_000, 100_000, 1_000_000, 10_000_000):
        command = [sys.executable, __file__, "_take", str(games)]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append((f"{games:,}", found.stdout.strip()))
    table(*rows)


def _take(games: int) -> None:
    simulate(rulespec.load("fortheking").game(4, RULINGS, "native"), games, 1)
    # The peak that getrusage returns includes that of the parent process.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    print(f"{int(status.partition('VmHWM:')[2].split()[0]) / 1024:.0f}")


PARTS = {"speed": speed, "api": api, "boards": boards, "start": start, "auto": auto, "growth": growth, "memory": memory}

if __name__ == "__main__":
    if sys.argv[1:2] == ["_take"]:
        _take(int(sys.argv[2]))
    elif sys.argv[1:2] == ["auto"]:
        auto(*sys.argv[2:])
    else:
        if unknown := set(sys.argv[1:]).difference(PARTS):
            sys.exit(f"There is no part {', '.join(sorted(unknown))}; parts are {', '.join(PARTS)}.")
        for part in sys.argv[1:] or PARTS:
            PARTS[part]()
