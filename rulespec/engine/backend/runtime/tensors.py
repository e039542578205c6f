"""Observations as tensors, in addition to observed.py. Never imported, but compiled with it.

It does what tensors.py defines. Numbers of tensors are bits of 32-bit floats.
"""

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
from rulespec.engine.backend.runtime import view_names as given
from rulespec.engine.backend.runtime.observed import option_of


def blank(out: f32s, first: i64, last: i64) -> None:
    for place in range(first, last):
        out[place] = 0


@cold
def write_turn(out: f32s, player: i64, deciders: i64) -> None:
    for seat in range(0, given.PLAYERS):
        out[seat] = given.ONE if seat == player else 0
        out[given.PLAYERS + seat] = given.ONE if deciders >> seat & 1 else 0


@cold
def write_values(out: f32s, facts: i64s) -> None:
    """The values that the player knows, into zeros."""
    for value in range(0, given.VALUE_COUNT):
        write_value(out, facts[value], value, given.ONE)


def write_value(out: f32s, content: i64, value: i64, one: i64) -> None:
    """Writes what a value holds, or takes it back (`one` is 0)."""
    if content != given.UNDISCLOSED:
        out[given.VALUE_PARTS[value]] = one
        if content != given.ABSENT and content != given.LIMITLESS:
            write_content(out, given.VALUE_PARTS[value] + 1, content - given.VALUE_LOWS[value], value, one)


def write_content(out: f32s, start: i64, content: i64, value: i64, one: i64) -> None:
    """The content of a value, from its least one on."""
    if given.VALUE_KINDS[value] == given.PLACE_KIND:
        out[start + content] = one
    elif given.VALUE_KINDS[value] == given.NUMBER_KIND:
        out[start] = one
        out[start + 1] = quotient(content, given.VALUE_SIZES[value]) if one else 0
    else:
        for member in range(0, given.VALUE_SIZES[value]):
            if content >> member & 1:
                out[start + member] = one


@cold
def write_zones(out: f32s, facts: i64s, z: i16s, n: i64s, known: i16s, player: i64) -> None:
    """The zones, into zeros. Behind the values, `facts` counts the known cards of every face in a zone."""
    count_no_face(facts)
    for zone in range(0, given.ZONE_COUNT):
        write_zone(out, facts, z, n, known, player, zone)


def count_no_face(facts: i64s) -> None:
    for face in range(1, given.FACE_COUNT + 1):
        facts[given.VALUE_COUNT + face] = 0


def write_zone(out: f32s, facts: i64s, z: i16s, n: i64s, known: i16s, player: i64, zone: i64) -> i64:
    """A zone, whose faces are zeros. Whether a face is known to be in it."""
    seen = player * given.ZONE_COUNT + zone
    out[given.ZONE_PARTS[zone] + 1] = given.SIZE_SHARES[n[zone]]
    if given.COUNTS[seen]:
        out[given.ZONE_PARTS[zone]] = 0
        return write_known(out, facts, n[zone], known, zone, seen)
    out[given.ZONE_PARTS[zone]] = given.ONE
    write_cards(out, facts, z, n[zone], zone)
    return n[zone] > 0


def write_cards(out: f32s, facts: i64s, z: i16s, size: i64, zone: i64) -> None:
    """A zone that the player sees."""
    first = zone * given.ROOM
    for place in range(0, size):
        write_card(out, facts, zone, place, given.FACES[z[first + place]])
    for place in range(0, size):
        facts[given.VALUE_COUNT + given.FACES[z[first + place]]] = 0


def write_card(out: f32s, facts: i64s, zone: i64, place: i64, face: i64) -> None:
    """A face that is known to be at a place of a zone."""
    if face:
        count_faces(out, facts, zone, face, 1)
        if given.IS_ORDERED[zone]:
            out[given.ZONE_PARTS[zone] + 2 + given.FACE_COUNT + place] = given.FACE_SHARES[face]


def count_faces(out: f32s, facts: i64s, zone: i64, face: i64, more: i64) -> None:
    """More cards of a face that are known to be in a zone."""
    facts[given.VALUE_COUNT + face] += more
    out[given.ZONE_PARTS[zone] + 1 + face] = given.COPY_SHARES[
        given.FIRST_SHARES[face] + facts[given.VALUE_COUNT + face]
    ]


def write_known(out: f32s, facts: i64s, size: i64, known: i16s, zone: i64, seen: i64) -> i64:
    """A zone that the player cannot look into. Whether a face is known to be in it."""
    first = given.PLACES[seen]
    counts = given.COUNTS[seen]
    found = u64(0)
    if first:
        for block in range(0, size, given.WIDE):
            rest = not_zero(known, first + block, size - block)
            found = found | rest
            while rest:
                place = block + lowest_bit(rest)
                rest = rest & (rest - u64(1))
                write_card(out, facts, zone, place, known[first + place])
    if known[counts]:
        for block in range(1, given.FACE_COUNT + 1, given.WIDE):
            rest = not_zero(known, counts + block, given.FACE_COUNT + 1 - block)
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
    among = (u64(1) << u64(min(most, given.WIDE))) - u64(1)
    return equal_lanes(known, first, 0) & among ^ among


@cold
def write_choices(out: f32s, past: i64s, player: i64) -> None:
    """The latest choices, the newest first."""
    blank(out, given.TENSOR_SIZE, given.TENSOR_SIZE + given.CHOICES)
    ring = player * (1 + 2 * given.HISTORY) if given.RINGS > 1 else 0
    for number in range(0, min(past[ring], given.HISTORY)):
        latest = ring + 1 + 2 * ((past[ring] - 1 - number) % given.HISTORY)
        start = given.TENSOR_SIZE + number * (given.PLAYERS + given.OPTION_COUNT + 1)
        out[start + past[latest]] = given.ONE
        option = option_of(past[latest + 1])
        if given.SEEN_BY[option * given.PLAYERS + past[latest]] >> player & 1:
            out[start + given.PLAYERS + option] = given.ONE
            first = given.FIRST_ACTIONS[option]
            out[start + given.PLAYERS + given.OPTION_COUNT] = quotient(
                past[latest + 1] - first + 1, given.FIRST_ACTIONS[option + 1] - first
            )
