"""Observations as tensors, in addition to observed.py. Never imported, but compiled with it.

It does what tensors.py defines. Numbers of tensors are bits of 32-bit floats.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import (
    cold,
    equal_lanes,
    f32s,
    i16s,
    i64,
    i64s,
    lowest_bit,
    quotient,
    u64,
)

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.observed import option_of
    from rulespec.engine.backend.runtime.view_names import (
        ABSENT,
        CHOICES,
        COPY_SHARES,
        COUNTS,
        FACE_COUNT,
        FACE_SHARES,
        FACES,
        FIRST_ACTIONS,
        FIRST_SHARES,
        HISTORY,
        IS_ORDERED,
        LIMITLESS,
        NUMBER_KIND,
        ONE,
        OPTION_COUNT,
        PLACE_KIND,
        PLACES,
        PLAYERS,
        RINGS,
        ROOM,
        SEEN_BY,
        SIZE_SHARES,
        TENSOR_SIZE,
        UNDISCLOSED,
        VALUE_COUNT,
        VALUE_KINDS,
        VALUE_LOWS,
        VALUE_PARTS,
        VALUE_SIZES,
        WIDE,
        ZONE_COUNT,
        ZONE_PARTS,
    )


def blank(out: f32s, first: i64, last: i64) -> None:
    for place in range(first, last):
        out[place] = 0


@cold
def write_turn(out: f32s, player: i64, deciders: i64) -> None:
    for seat in range(0, PLAYERS):
        out[seat] = ONE if seat == player else 0
        out[PLAYERS + seat] = ONE if deciders >> seat & 1 else 0


@cold
def write_values(out: f32s, facts: i64s) -> None:
    """The values that the player knows, into zeros."""
    for value in range(0, VALUE_COUNT):
        write_value(out, facts[value], value, ONE)


def write_value(out: f32s, content: i64, value: i64, one: i64) -> None:
    """Writes what a value holds, or takes it back (`one` is 0)."""
    if content != UNDISCLOSED:
        out[VALUE_PARTS[value]] = one
        if content != ABSENT and content != LIMITLESS:
            write_content(out, VALUE_PARTS[value] + 1, content - VALUE_LOWS[value], value, one)


def write_content(out: f32s, start: i64, content: i64, value: i64, one: i64) -> None:
    """The content of a value, from its least one on."""
    if VALUE_KINDS[value] == PLACE_KIND:
        out[start + content] = one
    elif VALUE_KINDS[value] == NUMBER_KIND:
        out[start] = one
        out[start + 1] = quotient(content, VALUE_SIZES[value]) if one else 0
    else:
        for member in range(0, VALUE_SIZES[value]):
            if content >> member & 1:
                out[start + member] = one


@cold
def write_zones(out: f32s, facts: i64s, z: i16s, n: i64s, known: i16s, player: i64) -> None:
    """The zones, into zeros. Behind the values, `facts` counts the known cards of every face in a zone."""
    count_no_face(facts)
    for zone in range(0, ZONE_COUNT):
        write_zone(out, facts, z, n, known, player, zone)


def count_no_face(facts: i64s) -> None:
    for face in range(1, FACE_COUNT + 1):
        facts[VALUE_COUNT + face] = 0


def write_zone(out: f32s, facts: i64s, z: i16s, n: i64s, known: i16s, player: i64, zone: i64) -> i64:
    """A zone, whose faces are zeros. Whether a face is known to be in it."""
    seen = player * ZONE_COUNT + zone
    out[ZONE_PARTS[zone] + 1] = SIZE_SHARES[n[zone]]
    if COUNTS[seen]:
        out[ZONE_PARTS[zone]] = 0
        return write_known(out, facts, n[zone], known, zone, seen)
    out[ZONE_PARTS[zone]] = ONE
    write_cards(out, facts, z, n[zone], zone)
    return n[zone] > 0


def write_cards(out: f32s, facts: i64s, z: i16s, size: i64, zone: i64) -> None:
    """A zone that the player sees."""
    first = zone * ROOM
    for place in range(0, size):
        write_card(out, facts, zone, place, FACES[z[first + place]])
    for place in range(0, size):
        facts[VALUE_COUNT + FACES[z[first + place]]] = 0


def write_card(out: f32s, facts: i64s, zone: i64, place: i64, face: i64) -> None:
    """A face that is known to be at a place of a zone."""
    if face:
        count_faces(out, facts, zone, face, 1)
        if IS_ORDERED[zone]:
            out[ZONE_PARTS[zone] + 2 + FACE_COUNT + place] = FACE_SHARES[face]


def count_faces(out: f32s, facts: i64s, zone: i64, face: i64, more: i64) -> None:
    """More cards of a face that are known to be in a zone."""
    facts[VALUE_COUNT + face] += more
    out[ZONE_PARTS[zone] + 1 + face] = COPY_SHARES[FIRST_SHARES[face] + facts[VALUE_COUNT + face]]


def write_known(out: f32s, facts: i64s, size: i64, known: i16s, zone: i64, seen: i64) -> i64:
    """A zone that the player cannot look into. Whether a face is known to be in it."""
    first = PLACES[seen]
    counts = COUNTS[seen]
    found = u64(0)
    if first:
        for block in range(0, size, WIDE):
            rest = not_zero(known, first + block, size - block)
            found = found | rest
            while rest:
                place = block + lowest_bit(rest)
                rest = rest & (rest - u64(1))
                write_card(out, facts, zone, place, known[first + place])
    if known[counts]:
        for block in range(1, FACE_COUNT + 1, WIDE):
            rest = not_zero(known, counts + block, FACE_COUNT + 1 - block)
            found = found | rest
            while rest:
                face = block + lowest_bit(rest)
                rest = rest & (rest - u64(1))
                count_faces(out, facts, zone, face, known[counts + face])
    if found:
        count_no_face(facts)
    return found != u64(0)


def not_zero(known: i16s, first: i64, most: i64) -> u64:
    """The positions of numbers other than 0 among WIDE elements, or as many as there are, as a bit mask."""
    among = (u64(1) << u64(min(most, WIDE))) - u64(1)
    return equal_lanes(known, first, 0) & among ^ among


@cold
def write_choices(out: f32s, past: i64s, player: i64) -> None:
    """The latest choices, the newest first."""
    blank(out, TENSOR_SIZE, TENSOR_SIZE + CHOICES)
    ring = player * (1 + 2 * HISTORY) if RINGS > 1 else 0
    for number in range(0, min(past[ring], HISTORY)):
        latest = ring + 1 + 2 * ((past[ring] - 1 - number) % HISTORY)
        start = TENSOR_SIZE + number * (PLAYERS + OPTION_COUNT + 1)
        out[start + past[latest]] = ONE
        option = option_of(past[latest + 1])
        if SEEN_BY[option * PLAYERS + past[latest]] >> player & 1:
            out[start + PLAYERS + option] = ONE
            first = FIRST_ACTIONS[option]
            out[start + PLAYERS + OPTION_COUNT] = quotient(
                past[latest + 1] - first + 1, FIRST_ACTIONS[option + 1] - first
            )
