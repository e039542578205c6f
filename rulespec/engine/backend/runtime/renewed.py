"""Observations over what a row showed before, in addition to tensors.py. Never imported, but compiled with it.

Few zones and values change between two decisions. `stale` has a bit for every zone whose part of the row may be out of
date, `filled` one for every zone in which it shows a face. `shown` has the values that the row shows, then the player
to whom it shows them.
"""

from rulespec.engine.backend.llvm.compiler import cold, f32s, i16s, i64, i64s, lowest_bit, u64, u64s
from rulespec.engine.backend.runtime import view_names as given
from rulespec.engine.backend.runtime.tensors import blank, count_no_face, write_value, write_zone


def mark(zones: u64s, zone: i64) -> None:
    zones[zone >> 6] = zones[zone >> 6] | (u64(1) << u64(zone & 63))


def mark_all(zones: u64s) -> None:
    for zone in range(0, given.ZONE_COUNT):
        mark(zones, zone)


@cold
def show_nothing(out: f32s, stale: u64s, filled: u64s, shown: i64s) -> None:
    """A row of zeros."""
    blank(out, 0, given.TENSOR_SIZE)
    mark_all(stale)
    for word in range(0, given.ZONE_WORDS):
        filled[word] = u64(0)
    for value in range(0, given.VALUE_COUNT):
        shown[value] = given.UNDISCLOSED


@cold
def renew_values(out: f32s, facts: i64s, shown: i64s) -> None:
    """The values that the player knows."""
    for value in range(0, given.VALUE_COUNT):
        if facts[value] != shown[value]:
            write_value(out, shown[value], value, 0)
            write_value(out, facts[value], value, given.ONE)
            shown[value] = facts[value]


@cold
def renew_zones(
    out: f32s, facts: i64s, z: i16s, n: i64s, known: i16s, player: i64, stale: u64s, filled: u64s, shown: i64s
) -> None:
    """The zones; for another player, all that not everybody sees."""
    count_no_face(facts)
    other = shown[given.VALUE_COUNT] != player
    shown[given.VALUE_COUNT] = player
    for word in range(0, given.ZONE_WORDS):
        rest = stale[word] | u64(given.PRIVATE_ZONES[word] if other else 0)
        full = filled[word]
        stale[word] = u64(0)
        while rest:
            bit = rest & (u64(0) - rest)
            rest = rest ^ bit
            zone = 64 * word + lowest_bit(bit)
            if full & bit:
                blank(out, given.ZONE_PARTS[zone] + 2, given.ZONE_PARTS[zone + 1])
            full = (full | bit) ^ bit
            if write_zone(out, facts, z, n, known, player, zone):
                full = full | bit
        filled[word] = full
