"""What players know of hidden cards, and their observations as tensors, in addition to runtime_segments.py. Never
imported, but compiled with it.

It does what knowledge.py and tensors.py define. `known` holds, for each player and zone that they cannot look into, the
face known to be at each place, from PLACES on (in zones with order), and from COUNTS on the number of faces known to be
somewhere else in it, in total and then by face. Faces count from 1; 0 is an unknown one. The tables PLACES and COUNTS
have an entry for every zone of every player: 0 where nothing has to be known. Numbers of tensors are bits of 32-bit
floats.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm import cold, i16s, i32s, i64, i64s, quotient

if TYPE_CHECKING:
    from rulespec.engine.backend.view_names import (
        ABSENT,
        BATCHES,
        CHOICES,
        COPIES,
        COUNTS,
        FACE_COUNT,
        FACES,
        FIRST_ACTIONS,
        IS_ORDERED,
        IS_SECRET,
        LIMITLESS,
        ONE,
        OPTION_COUNT,
        PLACES,
        PLAYERS,
        ROOM,
        TENSOR_SIZE,
        ZONE_COUNT,
        ZONE_PARTS,
    )

# what players know


def count(known: i16s, counts: i64, face: i64, more: i64) -> None:
    known[counts] += more
    known[counts + face] += more


def learn(known: i16s, zone: i64, place: i64, face: i64) -> None:
    """A card arrives at a place of a player's zone; its face is 0 if it is unknown."""
    if PLACES[zone]:
        known[PLACES[zone] + place] = face
    elif face and COUNTS[zone]:
        count(known, COUNTS[zone], face, 1)


def forget(known: i16s, zone: i64, place: i64, last: i64) -> i64:
    """The face known to be at a place of a player's zone, which a card leaves."""
    if PLACES[zone] == 0:
        return 0
    first = PLACES[zone] + place
    face = known[first]
    for later in range(first, PLACES[zone] + last):
        known[later] = known[later + 1]
    return face


def discount(known: i16s, counts: i64, face: i64) -> None:
    """One card of a face leaves a zone. It may be one that was known to be somewhere in it."""
    if known[counts + face] > 0:
        count(known, counts, face, 0 - 1)


def discount_all(known: i16s, counts: i64) -> None:
    """One card leaves a zone unseen, and it may be any of the known ones: each face has one less for certain."""
    if known[counts]:
        for face in range(1, FACE_COUNT + 1):
            discount(known, counts, face)


@cold
def card_leaves(z: i16s, n: i64s, known: i16s, a: i64, place: i64, b: i64) -> None:
    """Before a card goes from a place of zone a to zone b."""
    for player in range(0, PLAYERS):
        source = player * ZONE_COUNT + a
        target = player * ZONE_COUNT + b
        face = forget(known, source, place, n[a] - 1)
        if face == 0:
            if COUNTS[source] == 0 or COUNTS[target] == 0:
                face = FACES[z[a * ROOM + place]]
                if COUNTS[source]:
                    discount(known, COUNTS[source], face)
            else:
                discount_all(known, COUNTS[source])
        learn(known, target, n[b] - (a == b), face)


@cold
def all_leave(z: i16s, n: i64s, known: i16s, a: i64, b: i64) -> None:
    """Before all cards go from zone a to another zone b."""
    for player in range(0, PLAYERS):
        if COUNTS[player * ZONE_COUNT + b]:
            all_arrive(z, n, known, a, b, player * ZONE_COUNT)
        if COUNTS[player * ZONE_COUNT + a]:
            for face in range(0, FACE_COUNT + 1):
                known[COUNTS[player * ZONE_COUNT + a] + face] = 0


def all_arrive(z: i16s, n: i64s, known: i16s, a: i64, b: i64, zones: i64) -> None:
    """The same for a player, from whose zone `zones` on the tables are, and who cannot look into zone b."""
    counts = COUNTS[zones + b]
    hidden = COUNTS[zones + a] != 0
    if hidden:
        for face in range(0, FACE_COUNT + 1):
            known[counts + face] += known[COUNTS[zones + a] + face]
    # How cards lie in a zone without order is hidden, so their places in a stack are, too.
    mixed = not hidden and not IS_ORDERED[a] and PLACES[zones + b] != 0
    for place in range(0, n[a]):
        face = FACES[z[a * ROOM + place]]
        if hidden:
            face = known[PLACES[zones + a] + place] if PLACES[zones + a] else 0
        if mixed:
            count(known, counts, face, 1)
            face = 0
        learn(known, zones + b, n[b] + place, face)


@cold
def lose_order(n: i64s, known: i16s, zone: i64) -> None:
    """A zone is shuffled."""
    for seen in range(zone, PLAYERS * ZONE_COUNT, ZONE_COUNT):
        if PLACES[seen]:
            for place in range(PLACES[seen], PLACES[seen] + n[zone]):
                if known[place]:
                    count(known, COUNTS[seen], known[place], 1)
                known[place] = 0


@cold
def card_shown(known: i16s, zone: i64, place: i64, card: i64, to: i64, number: i64) -> None:
    """A card in a zone is shown to a player, or to all (-1), after a number of others of the same step."""
    for player in range(0, PLAYERS):
        if (to == player or to == 0 - 1) and COUNTS[player * ZONE_COUNT + zone]:
            learn_shown(known, player, player * ZONE_COUNT + zone, place, FACES[card], number)


def learn_shown(known: i16s, player: i64, zone: i64, place: i64, face: i64, number: i64) -> None:
    """A player learns a face in a hidden zone. Several cards that one step shows are different cards."""
    batch = BATCHES + player * (FACE_COUNT + 1)
    if number == 0:
        for other in range(0, FACE_COUNT + 1):
            known[batch + other] = 0
    if PLACES[zone] == 0:
        count(known, batch, face, 1)
        more = known[batch + face] - known[COUNTS[zone] + face]
        if more > 0:
            count(known, COUNTS[zone], face, more)
    elif known[PLACES[zone] + place] == 0:
        known[PLACES[zone] + place] = face
        # It may be one that was known to be there, at an unknown place.
        discount(known, COUNTS[zone], face)


# tensors


@cold
def write_turn(out: i32s, player: i64, deciders: i64) -> None:
    for place in range(0, TENSOR_SIZE):
        out[place] = 0
    out[player] = ONE
    for seat in range(0, PLAYERS):
        if deciders >> seat & 1:
            out[PLAYERS + seat] = ONE


@cold
def write_place(out: i32s, start: i64, content: i64, low: i64) -> None:
    """A value that the player knows, with a number for each content from `low` on."""
    out[start] = ONE
    if content != ABSENT and content != LIMITLESS:
        out[start + 1 + content - low] = ONE


@cold
def write_number(out: i32s, start: i64, content: i64, low: i64, high: i64) -> None:
    out[start] = ONE
    if content != ABSENT and content != LIMITLESS:
        out[start + 1] = ONE
        out[start + 2] = quotient(content - low, high - low)


@cold
def write_set(out: i32s, start: i64, content: i64, members: i64) -> None:
    out[start] = ONE
    if content != ABSENT and content != LIMITLESS:
        for member in range(0, members):
            if content >> member & 1:
                out[start + 1 + member] = ONE


@cold
def write_zones(out: i32s, z: i16s, n: i64s, known: i16s, player: i64) -> None:
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


def write_card(out: i32s, start: i64, zone: i64, place: i64, face: i64) -> None:
    """A face that is known to be at a place of a zone. Cards of a face are counted as integers at first."""
    if face:
        out[start + 1 + face] += 1
        if IS_ORDERED[zone]:
            out[start + 2 + FACE_COUNT + place] = quotient(face, FACE_COUNT)


def write_known(out: i32s, start: i64, n: i64s, known: i16s, zone: i64, seen: i64) -> None:
    """A zone that the player cannot look into."""
    if PLACES[seen]:
        for place in range(0, n[zone]):
            write_card(out, start, zone, place, known[PLACES[seen] + place])
    if known[COUNTS[seen]]:
        for face in range(1, FACE_COUNT + 1):
            out[start + 1 + face] += known[COUNTS[seen] + face]


def write_parts(out: i32s, start: i64) -> None:
    """For every face, the part of its copies, from their number."""
    for face in range(1, FACE_COUNT + 1):
        if out[start + face]:
            out[start + face] = quotient(out[start + face], COPIES[face])


@cold
def write_choices(out: i32s, player: i64, count: i64, latest: i64s) -> None:
    """The latest choices, given as the player and the action of each, the newest first."""
    for place in range(0, CHOICES):
        out[TENSOR_SIZE + place] = 0
    for number in range(0, count):
        seat = latest[2 * number]
        action = latest[2 * number + 1]
        start = TENSOR_SIZE + number * (PLAYERS + OPTION_COUNT + 1)
        out[start + seat] = ONE
        option = OPTION_COUNT - 1
        while option > 0 and FIRST_ACTIONS[option] > action:
            option = option - 1
        if seat == player or not IS_SECRET[option]:
            out[start + PLAYERS + option] = ONE
            size = FIRST_ACTIONS[option + 1] - FIRST_ACTIONS[option]
            out[start + PLAYERS + OPTION_COUNT] = quotient(action - FIRST_ACTIONS[option] + 1, size)
