"""Functions for generated code in flat arrays. Never imported, but compiled with it, in the subset of llvm/compiler.py.

SplitMix64 and the drawing of numbers are those of random.py, in 64-bit machine arithmetic. `z`, `n`, `bits` and `C` are
explained in arrays.py.
"""

from rulespec.engine.backend.llvm.compiler import (
    array,
    cold,
    copy,
    equal_lanes,
    i16s,
    i64,
    i64s,
    lowest_bit,
    ones,
    u64,
    u64s,
)


def mixed(z: u64) -> u64:
    z = (z ^ (z >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> u64(27))) * u64(0x94D049BB133111EB)
    return z ^ (z >> u64(31))


def stream(state: u64, number: i64) -> u64:
    """One step of the derivation of a stream."""
    return mixed(state + u64(0x9E3779B97F4A7C15) * u64(number + 1))


def below(state: u64, bound: i64) -> tuple[u64, i64]:
    """The next state of a stream, and a random number below a bound."""
    limit = u64(bound)
    state = state + u64(0x9E3779B97F4A7C15)
    product = (mixed(state) >> u64(32)) * limit
    # The exact test, in `again`, takes a division; few numbers need it.
    if product & u64(0xFFFFFFFF) < limit:
        state, product = again(state, product, limit)
    return state, i64(product >> u64(32))


@cold
def again(state: u64, product: u64, limit: u64) -> tuple[u64, u64]:
    """Draws again until the number is accepted."""
    while product & u64(0xFFFFFFFF) < (u64(0x100000000) - limit) % limit:
        state = state + u64(0x9E3779B97F4A7C15)
        product = (mixed(state) >> u64(32)) * limit
    return state, product


@cold
def refill(state: u64, numbers: u64s) -> u64:
    """Draws the next 32 numbers of a stream. Returns its state after them."""
    for place in range(0, 32):
        numbers[place] = mixed(state + u64(0x9E3779B97F4A7C15) * u64(place + 1)) >> u64(32)
    return state + u64(0x9E3779B97F4A7C15) * u64(32)


def accepted(state: u64, numbers: u64s, place: i64, bound: i64) -> tuple[u64, i64]:
    """Goes on to the next of some numbers that is accepted for a bound. Returns its position, and the state of the
    stream after all of them."""
    place = place + 1
    if place == 32:
        state = refill(state, numbers)
        place = 0
    if numbers[place] * u64(bound) & u64(0xFFFFFFFF) < u64(bound):
        state, place = rejected(state, numbers, place, u64(bound))
    return state, place


@cold
def rejected(state: u64, numbers: u64s, place: i64, limit: u64) -> tuple[u64, i64]:
    """Goes on until a number is accepted."""
    while numbers[place] * limit & u64(0xFFFFFFFF) < (u64(0x100000000) - limit) % limit:
        place = place + 1
        if place == 32:
            state = refill(state, numbers)
            place = 0
    return state, place


@cold
def shuffle(state: u64, z: i16s, first: i64, count: i64) -> u64:
    numbers = array(u64s, 32)
    last = count - 1
    while last > 0:
        refill(state, numbers)
        end = max(last - 32, 0)
        place = 0
        while last > end and numbers[place] * u64(last + 1) & u64(0xFFFFFFFF) > u64(last):
            swap(z, first + last, first + i64(numbers[place] * u64(last + 1) >> u64(32)))
            last = last - 1
            place = place + 1
        # Of the numbers drawn ahead only those used count, so that the stream goes on as in random.py.
        state = state + u64(0x9E3779B97F4A7C15) * u64(place)
        if last > end:  # a number that may be rejected
            state, other = below(state, last + 1)
            swap(z, first + last, first + other)
            last = last - 1
    return state


def swap(z: i16s, place: i64, other: i64) -> None:
    card = z[place]
    z[place] = z[other]
    z[other] = card


def find(z: i16s, n: i64s, a: i64, C: i64, card: i64) -> i64:
    """The position of a card in a zone, -1 if it is not there."""
    for place in range(0, n[a]):
        if z[a * C + place] == card:
            return place
    return -1


def find_wide(z: i16s, n: i64s, a: i64, C: i64, card: i64) -> i64:
    """The same for zones with room for 16 more cards, which it may read."""
    for first in range(a * C, a * C + n[a], 16):
        here = equal_lanes(z, first, card)
        if here:
            # The last 16 elements reach behind the cards of the zone, where anything may lie.
            place = first - a * C + lowest_bit(here)
            return place if place < n[a] else -1
    return -1


def move_one_wide(z: i16s, n: i64s, a: i64, place: i64, b: i64, C: i64) -> None:
    card = z[a * C + place]
    n[a] = n[a] - 1
    # `copy` reads all it copies before it writes, so both parts may overlap.
    for later in range(a * C + place, a * C + n[a], 16):
        copy(z, later + 1, later)
    z[b * C + n[b]] = card
    n[b] = n[b] + 1


def move_one(z: i16s, n: i64s, a: i64, place: i64, b: i64, C: i64) -> None:
    card = z[a * C + place]
    n[a] = n[a] - 1
    for later in range(place, n[a]):
        z[a * C + later] = z[a * C + later + 1]
    z[b * C + n[b]] = card
    n[b] = n[b] + 1


def move_top(z: i16s, n: i64s, a: i64, b: i64, C: i64) -> None:
    n[a] = n[a] - 1
    z[b * C + n[b]] = z[a * C + n[a]]
    n[b] = n[b] + 1


def sink(z: i16s, n: i64s, a: i64, place: i64, C: i64) -> None:
    card = z[a * C + n[a] - 1]
    last = a * C + n[a] - 1
    while last > a * C + place:
        z[last] = z[last - 1]
        last = last - 1
    z[last] = card


def move_all(z: i16s, n: i64s, a: i64, b: i64, C: i64) -> None:
    for place in range(0, n[a]):
        z[b * C + n[b] + place] = z[a * C + place]
    n[b] = n[b] + n[a]
    n[a] = 0


def nth(word: u64, index: i64) -> i64:
    """The position of the set bit with an index, counted from the lowest."""
    for _ in range(0, index):
        word = word & (word - u64(1))
    return lowest_bit(word)


def zero(numbers: i64s, count: i64) -> None:
    for place in range(0, count):
        numbers[place] = 0


def clear(bits: u64s, first: i64, words: i64) -> None:
    for word in range(first, first + words):
        bits[word] = u64(0)


def set_bit(bits: u64s, first: i64, number: i64) -> None:
    bits[first + (number >> 6)] = bits[first + (number >> 6)] | (u64(1) << u64(number & 63))


def count_bits(bits: u64s, first: i64, words: i64) -> i64:
    found = 0
    for word in range(first, first + words):
        found = found + ones(bits[word])
    return found


def nth_of(bits: u64s, first: i64, index: i64) -> i64:
    word = first
    while True:
        here = ones(bits[word])
        if index < here:
            return (word - first) * 64 + nth(bits[word], index)
        index = index - here
        word = word + 1


def came(k: i16s, q: u64s, zone: i64, face: i64) -> None:
    """Adds a card of a face to the face set of a zone."""
    k[zone * 64 + face] = k[zone * 64 + face] + 1
    q[zone] = q[zone] | (u64(1) << u64(face))


def went(k: i16s, q: u64s, zone: i64, face: i64) -> None:
    left = k[zone * 64 + face] - 1
    k[zone * 64 + face] = left
    q[zone] = q[zone] ^ (u64(left == 0) << u64(face))  # the bit is set, as a card of the face was here


def no_faces(k: i16s, q: u64s, zone: i64) -> None:
    for face in range(0, 64):
        k[zone * 64 + face] = 0
    q[zone] = u64(0)


def all_came(k: i16s, q: u64s, source: i64, zone: i64) -> None:
    """Adds the cards of another zone."""
    for face in range(0, 64):
        k[zone * 64 + face] = k[zone * 64 + face] + k[source * 64 + face]
    q[zone] = q[zone] | q[source]
