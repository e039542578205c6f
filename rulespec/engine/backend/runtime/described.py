"""What a player knows as integers, from which texts are made, in addition to observed.py. Never imported, but
compiled with it.

The array `facts` has the content of every titled value, UNDISCLOSED if the player does not know it; then for every zone
where its part ends; then these parts. The part of a zone is 1 if the player sees it, its number of cards and their
faces; or 0, its number of cards, how many places follow, the face known to be at each of them, and each face that is
known to be somewhere else in it, with the number of its cards. Places follow only if a face is known to be at one.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import cold, i16s, i64, i64s

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.view_names import (
        COUNTS,
        FACE_COUNT,
        FACE_NUMBERS,
        FACES,
        PLACES,
        ROOM,
        VALUE_COUNT,
        ZONE_COUNT,
    )


@cold
def describe_zones(facts: i64s, z: i16s, n: i64s, known: i16s, player: i64) -> None:
    end = VALUE_COUNT + ZONE_COUNT
    for zone in range(0, ZONE_COUNT):
        facts[end] = COUNTS[player * ZONE_COUNT + zone] == 0
        facts[end + 1] = n[zone]
        if facts[end]:
            end = describe_seen(facts, end + 2, z, n, zone)
        else:
            end = describe_known(facts, end + 2, n, known, zone, player * ZONE_COUNT + zone)
        facts[VALUE_COUNT + zone] = end


def describe_seen(facts: i64s, end: i64, z: i16s, n: i64s, zone: i64) -> i64:
    for place in range(zone * ROOM, zone * ROOM + n[zone]):
        facts[end] = FACE_NUMBERS[FACES[z[place]]]
        end = end + 1
    return end


def places_known(n: i64s, known: i16s, zone: i64, seen: i64) -> i64:
    """The number of places in a player's zone if the face at one of them is known, else 0."""
    if PLACES[seen]:
        for place in range(PLACES[seen], PLACES[seen] + n[zone]):
            if known[place]:
                return n[zone]
    return 0


def describe_known(facts: i64s, end: i64, n: i64s, known: i16s, zone: i64, seen: i64) -> i64:
    facts[end] = places_known(n, known, zone, seen)
    first = PLACES[seen]
    for place in range(0, facts[end]):
        facts[end + 1 + place] = FACE_NUMBERS[known[first + place]]
    end = end + 1 + facts[end]
    if known[COUNTS[seen]]:
        for face in range(1, FACE_COUNT + 1):
            if known[COUNTS[seen] + face]:
                facts[end] = FACE_NUMBERS[face]
                facts[end + 1] = known[COUNTS[seen] + face]
                end = end + 2
    return end
