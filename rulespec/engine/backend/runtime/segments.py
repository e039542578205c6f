"""Functions for segments in machine code, in addition to common.py. Never imported, but compiled with them."""

from rulespec.engine.backend.llvm.compiler import i64, i64s, lowest_bit, u64, u64s


def list_bits(word: u64, legal: i64s, count: i64, first: i64) -> i64:
    """Appends the positions of the set bits to a list and returns its new length."""
    while word != u64(0):
        legal[count] = first + lowest_bit(word)
        word = word & (word - u64(1))
        count = count + 1
    return count


def list_many(bits: u64s, start: i64, words: i64, legal: i64s, count: i64, first: i64) -> i64:
    for word in range(0, words):
        count = list_bits(bits[start + word], legal, count, first + word * 64)
    return count
