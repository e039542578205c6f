"""Functions for playouts with named chance, in addition to runtime/common.py. Never imported, but compiled with them.

The constants are in draws.py.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import i16s, i64, i64s, u64, u64s
from rulespec.engine.backend.runtime.common import stream, zero
from rulespec.engine.named_chance.draws import BUCKETS, CARD_BITS, CARD_MASK, SHIFT

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.games import play


def sort_cards(z: i16s, first: i64, count: i64, keys: u64s, by: u64s, buckets: i64s) -> None:
    zero(buckets, BUCKETS + 1)
    for i in range(0, count):
        keys[i] = keys[i] >> u64(CARD_BITS) << u64(CARD_BITS) | u64(z[first + i])
        buckets[1 + i64(keys[i] >> u64(SHIFT))] += 1
    for i in range(0, BUCKETS):
        buckets[i + 1] = buckets[i + 1] + buckets[i]
    for i in range(0, count):
        place = buckets[i64(keys[i] >> u64(SHIFT))]
        buckets[i64(keys[i] >> u64(SHIFT))] = place + 1
        by[place] = keys[i]
    for i in range(0, count):
        key = by[i]
        place = i
        while place > 0 and by[place - 1] > key:
            by[place] = by[place - 1]
            place = place - 1
        by[place] = key
    for i in range(0, count):
        z[first + i] = i64(by[i] & u64(CARD_MASK))


def least_key(keys: u64s, count: i64) -> i64:
    found = 0
    for i in range(1, count):
        if keys[i] < keys[found]:
            found = i
    return found


def play_pairs(seed: u64, first: i64, count: i64, out: i64s) -> None:
    for g in range(0, count):
        game = stream(seed, first + g)
        play(stream(game, 0) >> u64(16), stream(game, 1) >> u64(16), out, count, g)


def compare(old: i64s, new: i64s, count: i64, differs: i64s, sums: i64s) -> None:
    for g in range(0, count):
        a = old[g]
        b = new[g]
        d = b - a
        sums[0] = sums[0] + a
        sums[1] = sums[1] + b
        sums[2] = sums[2] + d * d
        if d != 0:
            sums[3] = sums[3] + 1
            differs[g] = 1
