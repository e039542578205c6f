"""Runs the tests of OpenSpiel, PettingZoo and Gymnasium on all games: python benchmarks/interop.py [--rulings]."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from conformance import (
    Setting,
    from_many_seats,
    from_one_seat,
    in_parallel,
    in_turns,
    on_some_states,
    settings,
    simulated,
)

from rulespec.engine.states.game import Game


def failures(game: Game, libraries: set[str]) -> Iterator[str]:
    """What fails, as text."""
    tests: dict[str, list[Callable[[Game], object]]] = {
        "openspiel": [lambda game: list(simulated(game))],
        "pettingzoo": [in_turns, in_parallel],
        "gymnasium": [from_one_seat, from_many_seats],
    }
    for library in libraries:
        for test in tests[library]:
            try:
                test(game)
            except Exception as error:
                yield f"{library}: {type(error).__name__}: {error}"
    if "openspiel" in libraries:
        for result in on_some_states(game):
            yield from (words for _, words in (*result.errors, *result.failures, *result.skipped))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="ids of games; all by default")
    parser.add_argument("--rulings", action="store_true", help="also every other answer to a ruling")
    parser.add_argument("--only", choices=["openspiel", "pettingzoo", "gymnasium"], action="append")
    options = parser.parse_args()
    chosen = [one for one in settings(options.rulings) if not options.games or one.id in options.games]
    libraries = set(options.only or ["openspiel", "pettingzoo", "gymnasium"])
    green = sum(_run(setting, libraries) for setting in chosen)
    print(f"{green} of {len(chosen)} settings pass everything")


def _run(setting: Setting, libraries: set[str]) -> bool:
    began = time.perf_counter()
    found = list(failures(setting.game(), libraries))
    print(f"{setting}: {'; '.join(found) or 'passes'} ({time.perf_counter() - began:.1f} s)", flush=True)
    return not found


if __name__ == "__main__":
    main()
