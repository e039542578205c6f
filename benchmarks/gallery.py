"""Plays the gallery beside OpenSpiel, many games of every setting, and prints what was compared.

    python benchmarks/gallery.py [GAMES] [ID…]

Needs open_spiel: pip install 'ftk[openspiel]'. The exit status is 1 if the two differ anywhere.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from openspiel_pairs import ROWS
from side_by_side import Difference, Match, Pair, Setting

GAMES = 500


def main(arguments: list[str]) -> int:
    """Plays every setting; the number of settings that differ is printed last."""
    games = int(arguments[0]) if arguments[:1] and arguments[0].isdigit() else GAMES
    ids = [argument for argument in arguments if not argument.isdigit()]
    rows = [pair for pair in ROWS if not ids or pair.id in ids]
    print(f"{'game':<16} {'setting':<28} {'games':>6} {'decisions':>9} {'seconds':>8}")
    counts = [_compared(pair, setting, games) for pair in rows for setting in pair.settings]
    differing = sum(count is None for count in counts)
    print(f"{len(counts)} settings, {sum(count or 0 for count in counts):,} decisions, {differing} settings differ")
    return 1 if differing else 0


def _compared(pair: Pair, setting: Setting, games: int) -> int | None:
    """The number of decisions that agree in all games of a setting; None if one does not."""
    match, begun = Match(pair, setting), time.perf_counter()
    try:
        decisions = sum(match.play(seed) for seed in range(games))
    except Difference as difference:
        print(f"{pair.id:<16} {setting!s:<28} {difference}")
        return None
    print(f"{pair.id:<16} {setting!s:<28} {games:>6} {decisions:>9,} {time.perf_counter() - begun:>8.1f}", flush=True)
    return decisions


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
