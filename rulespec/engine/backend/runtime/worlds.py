"""The possible worlds that a search plays in, in addition to common.py. Never imported: compiled with it, or run as
Python on the same arrays.

`t` holds the numbers of a search (`Control` in machine_search.py), `u` what is unknown, `m0` and `z0` the position at
the root.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import cold, i16s, i64, i64s, u64

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.common import below, mixed
    from rulespec.engine.backend.runtime.search_names import (
        CARD_VALUES,
        MOST_POINTS,
        RANDOM,
        ROOM,
        SLOT_COUNT,
        VALUES_PER_CARD,
        ZONE_COUNT,
    )


def roll(t: i64s, bound: i64) -> i64:
    """A random number below a bound, from the stream of the search."""
    state, number = below(u64(t[RANDOM]), bound)
    t[RANDOM] = i64(state)
    return number


def load(m0: i64s, z0: i16s, r: i64s, n: i64s, z: i16s) -> None:
    """Goes to a position."""
    for slot in range(0, SLOT_COUNT):
        r[slot] = m0[slot]
    for zone in range(0, ZONE_COUNT):
        n[zone] = m0[SLOT_COUNT + zone]
        for at in range(zone * ROOM, zone * ROOM + n[zone]):
            z[at] = z0[at]


def restore(t: i64s, m0: i64s, z0: i16s, r: i64s, n: i64s, z: i16s) -> None:
    """Goes back to the root. What is drawn from there on is new in every simulation."""
    load(m0, z0, r, n, z)
    # The last register is the random stream of the game (see machine_segments.py).
    r[SLOT_COUNT - 1] = i64(mixed(u64(roll(t, MOST_POINTS)) ^ u64(t[RANDOM])))


def stay(place: i64, m0: i64s, z0: i16s, r: i64s, z: i16s) -> None:
    """Gives the card that lies at a place now the values of the one that lay there: they stay at the place."""
    for number in range(0, VALUES_PER_CARD):
        taken = CARD_VALUES[z[place] * VALUES_PER_CARD + number]
        r[taken] = m0[CARD_VALUES[z0[place] * VALUES_PER_CARD + number]]


@cold
def all_stay(u: i64s, m0: i64s, z0: i16s, r: i64s, z: i16s) -> None:
    """Lets the values of cards stay at all places where cards are dealt."""
    at = 4 + 2 * u[0]
    for number in range(4, 4 + u[0]):
        stay(u[number], m0, z0, r, z)
    for _ in range(0, u[1]):
        for number in range(at + 1, at + 1 + u[at]):
            stay(u[number], m0, z0, r, z)
        at = at + 1 + u[at]


@cold
def deal(t: i64s, u: i64s, m0: i64s, z0: i16s, r: i64s, z: i16s) -> None:
    """Deals the unknown cards anew, and draws unseen values anew. `u` is laid out by `Unknown.numbers`."""
    opened = u[0]
    at = 4 + 2 * u[0]
    for left in range(0, opened):
        other = 4 + opened + left + roll(t, opened - left)
        card = u[other]
        u[other] = u[4 + opened + left]
        u[4 + opened + left] = card
        z[u[4 + left]] = card
    for _ in range(0, u[1]):
        for left in range(0, u[at] - 1):
            other = u[at + 1 + left + roll(t, u[at] - left)]
            card = z[other]
            z[other] = z[u[at + 1 + left]]
            z[u[at + 1 + left]] = card
        at = at + 1 + u[at]
    if VALUES_PER_CARD > 0:
        all_stay(u, m0, z0, r, z)
    for _ in range(0, u[2]):
        r[u[at]] = u[at + 2 + roll(t, u[at + 1])]
        at = at + 2 + u[at + 1]
    for _ in range(0, u[3]):
        r[u[at]] = z[u[at + 1]]
        at = at + 2
