"""What a player knows of the cards in a zone that they cannot look into. Machine code is compiled with it, in the
subset of llvm/compiler.py, and Python imports it.

`known` is an array of numbers. The part of a zone has, from `places` on, the face known to be at each place, if its
order counts (else `places` is 0); from `counts` on, the number of faces known to be somewhere else in it, in total and
then by face. `counts` is 0 for a zone that the player sees, of which nothing has to be known. Faces count from 1 to
`faces`; 0 is an unknown one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import MutableSequence
    from typing import TypeAlias

    from rulespec.engine.backend.llvm.compiler import i64

    i16s: TypeAlias = MutableSequence[int]


def count(known: i16s, counts: i64, face: i64, more: i64) -> None:
    known[counts] += more
    known[counts + face] += more


def learn(known: i16s, places: i64, counts: i64, place: i64, face: i64) -> None:
    """A card arrives at a place of a zone; its face is 0 if it is unknown."""
    if places:
        known[places + place] = face
    elif face and counts:
        count(known, counts, face, 1)


def forget(known: i16s, places: i64, place: i64, last: i64) -> i64:
    """The face known to be at a place of a zone, which a card leaves."""
    if places == 0:
        return 0
    face = known[places + place]
    for later in range(places + place, places + last):
        known[later] = known[later + 1]
    return face


def discount(known: i16s, counts: i64, face: i64) -> None:
    """One card of a face leaves a zone. It may be one that was known to be somewhere in it."""
    if known[counts + face] > 0:
        count(known, counts, face, 0 - 1)


def discount_all(known: i16s, counts: i64) -> None:
    """One card leaves a zone unseen, and it may be any of the known ones: each face has one less for certain."""
    left = known[counts]
    face = 0
    while left > 0:
        face = face + 1
        here = known[counts + face]
        if here > 0:
            left = left - here
            count(known, counts, face, 0 - 1)


def leave(known: i16s, places: i64, counts: i64, place: i64, size: i64, face: i64, target: i64) -> i64:
    """The face of a card that leaves a zone of a size, as far as the player knows it; `target` are the counts of the
    zone it goes to."""
    found = forget(known, places, place, size - 1)
    if found == 0:
        if counts == 0 or target == 0:
            found = face
            if counts:
                discount(known, counts, face)
        else:
            discount_all(known, counts)
    return found


def join(known: i16s, counts: i64, target: i64, faces: i64) -> None:
    """All cards go from a zone unseen to another hidden one: what is certain of the first is certain of the other."""
    if known[counts]:
        for face in range(0, faces + 1):
            known[target + face] += known[counts + face]


def empty(known: i16s, counts: i64, faces: i64) -> None:
    """All cards leave a zone."""
    if known[counts]:
        for face in range(0, faces + 1):
            known[counts + face] = 0


def lose_places(known: i16s, places: i64, counts: i64, size: i64) -> None:
    """A zone is shuffled."""
    if places:
        for place in range(places, places + size):
            if known[place]:
                count(known, counts, known[place], 1)
            known[place] = 0


def sink_top(known: i16s, places: i64, size: i64, place: i64) -> None:
    """The top card of a zone goes to a place in it."""
    if places:
        last = places + size - 1
        face = known[last]
        while last > places + place:
            known[last] = known[last - 1]
            last = last - 1
        known[last] = face


def learn_shown(
    known: i16s, batch: i64, places: i64, counts: i64, place: i64, face: i64, number: i64, faces: i64
) -> None:
    """A player learns a face in a hidden zone, after a number of others of the same step, counted from `batch` on.
    Several cards that one step shows are different cards."""
    if number == 0:
        for other in range(0, faces + 1):
            known[batch + other] = 0
    if places == 0:
        count(known, batch, face, 1)
        more = known[batch + face] - known[counts + face]
        if more > 0:
            count(known, counts, face, more)
    elif known[places + place] == 0:
        known[places + place] = face
        # It may be one that was known to be there, at an unknown place.
        discount(known, counts, face)
