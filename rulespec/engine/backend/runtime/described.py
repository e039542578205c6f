"""What a player knows as integers, from which texts are made, in addition to observed.py. Never imported, but
compiled with it.

The array `facts` has the content of every titled value, UNDISCLOSED if the player does not know it; then for every zone
where its part ends; then these parts. The part of a zone is 1 if the player sees it, its number of cards and their
faces; or 0, its number of cards, how many places follow, the face known to be at each of them, and each face that is
known to be somewhere else in it, with the number of its cards. Places follow only if a face is known to be at one.
"""

from rulespec.engine.backend.llvm.compiler import cold, i16s, i64, i64s
from rulespec.engine.backend.runtime import view_names as given


@cold
def describe_zones(facts: i64s, z: i16s, n: i64s, known: i16s, player: i64) -> None:
    end = given.VALUE_COUNT + given.ZONE_COUNT
    for zone in range(0, given.ZONE_COUNT):
        facts[end] = given.COUNTS[player * given.ZONE_COUNT + zone] == 0
        facts[end + 1] = n[zone]
        if facts[end]:
            end = describe_seen(facts, end + 2, z, n, zone)
        else:
            end = describe_known(facts, end + 2, n, known, zone, player * given.ZONE_COUNT + zone)
        facts[given.VALUE_COUNT + zone] = end


def describe_seen(facts: i64s, end: i64, z: i16s, n: i64s, zone: i64) -> i64:
    for place in range(zone * given.ROOM, zone * given.ROOM + n[zone]):
        facts[end] = given.FACE_NUMBERS[given.FACES[z[place]]]
        end = end + 1
    return end


def places_known(n: i64s, known: i16s, zone: i64, seen: i64) -> i64:
    """The number of places in a player's zone if the face at one of them is known, else 0."""
    if given.PLACES[seen]:
        for place in range(given.PLACES[seen], given.PLACES[seen] + n[zone]):
            if known[place]:
                return n[zone]
    return 0


def describe_known(facts: i64s, end: i64, n: i64s, known: i16s, zone: i64, seen: i64) -> i64:
    facts[end] = places_known(n, known, zone, seen)
    first = given.PLACES[seen]
    for place in range(0, facts[end]):
        facts[end + 1 + place] = given.FACE_NUMBERS[known[first + place]]
    end = end + 1 + facts[end]
    if known[given.COUNTS[seen]]:
        for face in range(1, given.FACE_COUNT + 1):
            if known[given.COUNTS[seen] + face]:
                facts[end] = given.FACE_NUMBERS[face]
                facts[end + 1] = known[given.COUNTS[seen] + face]
                end = end + 2
    return end
