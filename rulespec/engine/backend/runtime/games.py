"""The functions that play games, in addition to common.py. Never imported, but compiled with the function `play`.

machine_playout.py writes that one.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import i64, i64s, u64
from rulespec.engine.backend.runtime.common import stream

if TYPE_CHECKING:

    def play(deal: u64, policy: u64, out: i64s, count: i64, g: i64) -> None: ...


def play_games(seed: u64, first: i64, count: i64, out: i64s) -> None:
    for g in range(0, count):
        game = stream(seed, first + g)
        play(stream(game, 0), stream(game, 1), out, count, g)
