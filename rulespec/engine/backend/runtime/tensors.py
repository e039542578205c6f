"""Observations as tensors, in addition to observed.py. Never imported, but compiled with it.

It does what tensors.py defines. Numbers of tensors are bits of 32-bit floats.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import cold, f32s, i16s, i64, i64s, quotient

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.observed import option_of
    from rulespec.engine.backend.runtime.view_names import (
        ABSENT,
        CHOICES,
        COPIES,
        COUNTS,
        FACE_COUNT,
        FACES,
        FIRST_ACTIONS,
        HISTORY,
        IS_ORDERED,
        IS_SECRET,
        LIMITLESS,
        NUMBER_KIND,
        ONE,
        OPTION_COUNT,
        PLACE_KIND,
        PLACES,
        PLAYERS,
        ROOM,
        TENSOR_SIZE,
        UNDISCLOSED,
        VALUE_COUNT,
        VALUE_KINDS,
        VALUE_LOWS,
        VALUE_PARTS,
        VALUE_SIZES,
        ZONE_COUNT,
        ZONE_PARTS,
    )


@cold
def write_turn(out: f32s, player: i64, deciders: i64) -> None:
    for place in range(0, TENSOR_SIZE):
        out[place] = 0
    out[player] = ONE
    for seat in range(0, PLAYERS):
        if deciders >> seat & 1:
            out[PLAYERS + seat] = ONE


@cold
def write_values(out: f32s, facts: i64s) -> None:
    """The values that the player knows."""
    for value in range(0, VALUE_COUNT):
        if facts[value] != UNDISCLOSED:
            out[VALUE_PARTS[value]] = ONE
            if facts[value] != ABSENT and facts[value] != LIMITLESS:
                write_content(out, VALUE_PARTS[value] + 1, facts[value] - VALUE_LOWS[value], value)


def write_content(out: f32s, start: i64, content: i64, value: i64) -> None:
    """The content of a value, from its least one on."""
    if VALUE_KINDS[value] == PLACE_KIND:
        out[start + content] = ONE
    elif VALUE_KINDS[value] == NUMBER_KIND:
        out[start] = ONE
        out[start + 1] = quotient(content, VALUE_SIZES[value])
    else:
        for member in range(0, VALUE_SIZES[value]):
            if content >> member & 1:
                out[start + member] = ONE


@cold
def write_zones(out: f32s, z: i16s, n: i64s, known: i16s, player: i64) -> None:
    for zone in range(0, ZONE_COUNT):
        start = ZONE_PARTS[zone]
        seen = player * ZONE_COUNT + zone
        out[start + 1] = quotient(n[zone], ZONE_PARTS[ZONE_COUNT])
        if COUNTS[seen] == 0:
            out[start] = ONE
            for place in range(0, n[zone]):
                write_card(out, start, zone, place, FACES[z[zone * ROOM + place]])
        else:
            write_known(out, start, n, known, zone, seen)
        if COUNTS[seen] == 0 or known[COUNTS[seen]] or PLACES[seen]:
            write_parts(out, start + 1)


def write_card(out: f32s, start: i64, zone: i64, place: i64, face: i64) -> None:
    """A face that is known to be at a place of a zone. Cards of a face are counted as integers at first."""
    if face:
        out[start + 1 + face] += 1
        if IS_ORDERED[zone]:
            out[start + 2 + FACE_COUNT + place] = quotient(face, FACE_COUNT)


def write_known(out: f32s, start: i64, n: i64s, known: i16s, zone: i64, seen: i64) -> None:
    """A zone that the player cannot look into."""
    if PLACES[seen]:
        for place in range(0, n[zone]):
            write_card(out, start, zone, place, known[PLACES[seen] + place])
    if known[COUNTS[seen]]:
        for face in range(1, FACE_COUNT + 1):
            out[start + 1 + face] += known[COUNTS[seen] + face]


def write_parts(out: f32s, start: i64) -> None:
    """For every face, the part of its copies, from their number."""
    for face in range(1, FACE_COUNT + 1):
        if out[start + face]:
            out[start + face] = quotient(out[start + face], COPIES[face])


@cold
def write_choices(out: f32s, past: i64s, player: i64) -> None:
    """The latest choices, the newest first."""
    for place in range(0, CHOICES):
        out[TENSOR_SIZE + place] = 0
    for number in range(0, min(past[0], HISTORY)):
        latest = 1 + 2 * ((past[0] - 1 - number) % HISTORY)
        start = TENSOR_SIZE + number * (PLAYERS + OPTION_COUNT + 1)
        out[start + past[latest]] = ONE
        option = option_of(past[latest + 1])
        if past[latest] == player or not IS_SECRET[option]:
            out[start + PLAYERS + option] = ONE
            first = FIRST_ACTIONS[option]
            out[start + PLAYERS + OPTION_COUNT] = quotient(
                past[latest + 1] - first + 1, FIRST_ACTIONS[option + 1] - first
            )
