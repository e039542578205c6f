"""How fast a player's views are, and whether possible worlds look the same to the player.

    python benchmarks/views.py speed
    python benchmarks/views.py loop
    python benchmarks/views.py worlds [COUNT] [RECORD]
    python benchmarks/views.py keys [COUNT] [RECORD]

`speed` prints how many views a second every engine gives in the course of a game, all work of following the game
included, and those of OpenSpiel's gin rummy in the same run. `loop` compares whole Python loops, which read the tensor
of an information state at every decision and choose at random, in our Hearts and Oh Hell and in those of OpenSpiel.
`worlds` draws COUNT possible worlds (default 1,000) of every setting of every game, gallery included, spread over the
decisions of random games, and compares everything that the player may know; `keys` compares only the keys, of five
worlds at each of these decisions. RECORD is a text file with one line per game: its setting and seed, the number of
worlds, and of those that differ; an interrupted run goes on after the last one. The exit status is 1 if anything
differs.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from engines import in_turns, ratio, table

import rulespec
from rulespec.base.project import playable_games

FORMS: dict[str, Callable[[rulespec.State, int], object]] = {
    "key": lambda state, player: state.information_state_key(player),
    "tensor": lambda state, player: state.observation_tensor(player),
    "key and tensor": lambda state, player: (state.information_state_key(player), state.observation_tensor(player)),
    "information tensor": lambda state, player: state.information_state_tensor(player),
    "text": lambda state, player: state.observation_string(player),
    "text since the beginning": lambda state, player: state.information_state_string(player),
    "possible world": lambda state, player: state.resample_from_infostate(player, 1),
}
DECISIONS, ROUNDS = 200, 15


def main(words: list[str]) -> int:
    if words and words[0] in ("worlds", "keys"):
        count = int(words[1].replace(",", "")) if len(words) > 1 else 1000
        record = Path(words[2]) if len(words) > 2 else Path(os.devnull)
        return worlds(count, record, *((_known, 1) if words[0] == "worlds" else (FORMS["key"], 5)))
    if words and words[0] == "loop":
        loop()
    else:
        speed()
    return 0


# --- speed -----------------------------------------------------------------------------------------------------------


def speed() -> None:
    """Views a second of the player to act, at every decision of a game."""
    runs = dict[tuple[str, str], Callable[[], float]]()
    for name, players in (("fortheking", 4), ("kingme", 4)):
        for engine in ("compiled", "native"):
            game = rulespec.load(name).game(players, engine=engine)
            runs |= {(f"{name}, {engine}", form): _seconds(game, call) for form, call in FORMS.items()}
    runs |= {("gin rummy, OpenSpiel", form): run for form, run in _spiel()}
    found: dict[tuple[str, str], list[float]] = {key: [] for key in runs}
    for run in runs.values():
        run()
    for _ in range(ROUNDS):
        for key, run in runs.items():
            found[key].append(run())
    for (game_, form), seconds in found.items():
        print(f"{game_:24} {form:20} {1 / statistics.median(seconds):12,.0f} a second")


def _seconds(game: rulespec.Game, call: Callable[[rulespec.State, int], object]) -> Callable[[], float]:
    """The processor time of a view at each decision of a game, without that of playing it. Every call plays another."""
    seeds = count(1)

    def played(seed: int, view: bool) -> float:
        state, dice, begun = game.new_initial_state(seed), random.Random(seed), time.process_time()
        for _ in range(DECISIONS):
            if state.is_terminal():
                break
            player = state.deciders()[0]
            if view:
                call(state, player)
            state.apply_action(dice.choice(state.legal_actions(player)), player)
        return (time.process_time() - begun) / max(1, len(state.choices))

    def seconds() -> float:
        seed = next(seeds)
        return max(played(seed, True) - played(seed, False), 1e-9)

    return seconds


def _spiel() -> Iterator[tuple[str, Callable[[], float]]]:
    try:
        import pyspiel
    except ImportError:
        return
    game = pyspiel.load_game("gin_rummy")
    forms: dict[str, Callable[[pyspiel.State, int], object]] = {
        "tensor": lambda state, player: state.observation_tensor(player),
        "text": lambda state, player: state.observation_string(player),
    }

    def seconds(call: Callable[[pyspiel.State, int], object]) -> float:
        state, dice, spent, count = game.new_initial_state(), random.Random(1), 0.0, 0
        while not state.is_terminal():
            if not state.is_chance_node():
                begun = time.process_time()
                call(state, state.current_player())
                spent, count = spent + time.process_time() - begun, count + 1
            state.apply_action(dice.choice(state.legal_actions()))
        return spent / count

    for form, call in forms.items():
        yield form, lambda call=call: seconds(call)


# --- whole loops -----------------------------------------------------------------------------------------------------

GALLERY = Path(__file__).resolve().parent.parent / "specs" / "gallery"
LOOPS = {"hearts": "hearts", "oh_hell": "oh_hell(players=4,num_suits=4,num_cards_per_suit=13)"}
"""Games of the gallery, and the same of OpenSpiel, for four players."""
GAMES_OF_A_ROUND = 5


def loop() -> None:
    """Decisions a second of loops with a view at each decision, as ratios of one run."""
    import pyspiel

    rows = [("game", "decisions a second", "those of OpenSpiel", "ratio")]
    for name, theirs in LOOPS.items():
        game = rulespec.load(GALLERY / f"{name}.yaml").game(4, engine="native")
        other = pyspiel.load_game(theirs)
        runs = {name: partial(_looped, game.new_initial_state), "other": partial(_looped, other.new_initial_state)}
        for run in runs.values():
            run()
        rates = in_turns(runs)
        medians = [f"{statistics.median(found):,.0f}" for found in rates.values()]
        rows.append((name, *medians, ratio(*rates.values())))
    table(*rows)


def _looped(begin: Callable[[], Any]) -> int:
    """The decisions of some random games, with a view at each."""
    decisions, choose = 0, random.Random(1).random
    for _ in range(GAMES_OF_A_ROUND):
        state = begin()
        while not state.is_terminal():
            player = state.current_player()
            for seat in [player] if player != rulespec.SIMULTANEOUS else state.deciders():
                legal = state.legal_actions(seat)
                if player != rulespec.CHANCE:
                    state.information_state_tensor(seat)
                    decisions += 1
                action = legal[int(choose() * len(legal))]
                state.apply_action(action) if player != rulespec.SIMULTANEOUS else state.apply_action(action, seat)
    return decisions


# --- possible worlds -------------------------------------------------------------------------------------------------


def worlds(count: int, record: Path, known: Callable[[rulespec.State, int], object], each: int) -> int:
    """Possible worlds of every setting, compared with the state that they are drawn for."""
    before = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    found = {(words[0], int(words[1])): [0, 0, 0] for words in map(str.split, before)}
    for name, players, _, *numbers in map(str.split, before):
        found[name, int(players)] = [a + int(b) for a, b in zip(found[name, int(players)], (1, *numbers), strict=True)]
    with record.open("a", encoding="utf-8") as file:
        for name in playable_games():
            spec = rulespec.load(name)
            for players in spec.players:
                seed, drawn, different = found.setdefault((name, players), [0, 0, 0])
                game = spec.game(players)
                while drawn < count:
                    more, wrong = _different(game, seed, drawn, count - drawn, known, each)
                    print(name, players, seed, more, wrong, file=file, flush=True)
                    seed, drawn, different = seed + 1, drawn + more, different + wrong
                found[name, players] = [seed, drawn, different]
                print(f"{name}, {players} players: {drawn:,} worlds, {different} differ", flush=True)
    total, wrong = (sum(numbers[part] for numbers in found.values()) for part in (1, 2))
    print(f"{total:,} worlds, {wrong} differ")
    return 1 if wrong else 0


def _different(
    game: rulespec.Game, seed: int, first: int, most: int, known: Callable[[rulespec.State, int], object], each: int
) -> tuple[int, int]:
    """The worlds drawn in one random game, and how many of them differ."""
    different = drawn = 0
    for state, player in _decisions(game, seed):
        wanted = known(state, player)
        for _ in range(min(each, most - drawn)):
            different += known(state.resample_from_infostate(player, first + drawn), player) != wanted
            drawn += 1
    return drawn, different


def _decisions(game: rulespec.Game, seed: int) -> Iterator[tuple[rulespec.State, int]]:
    """Every third decision of a random game, with one player after the other."""
    state, dice, number = game.new_initial_state(seed), random.Random(seed), 0
    while not state.is_terminal():
        if (number + seed) % 3 == 0:
            yield state, number // 3 % game.players
        for seat in state.deciders():
            state.apply_action(dice.choice(state.legal_actions(seat)), seat)
        number += 1
    yield state, number % game.players


def _known(state: rulespec.State, player: int) -> tuple[object, ...]:
    return (*(FORMS[form](state, player) for form in FORMS if form != "possible world"), state.legal_actions(player))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
