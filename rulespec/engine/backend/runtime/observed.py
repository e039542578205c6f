"""What players know of hidden cards and have observed, in addition to segments.py. Never imported, but compiled
with it.

It does what observer.py defines. `known` is that of all players (see known.py); the tables PLACES and COUNTS have an
entry for every zone of every player. `digests` has two words for
each player (see digest.py), `past` the number of choices and a ring of the latest ones: for each player if some see
choices that others do not (`RINGS`), else for all.
"""

from rulespec.engine.backend.llvm.compiler import cold, i16s, i64, i64s, u64, u64s
from rulespec.engine.backend.runtime import view_names as given
from rulespec.engine.backend.runtime.common import find
from rulespec.engine.backend.runtime.known import (
    count,
    empty,
    join,
    learn,
    learn_shown,
    leave,
    lose_places,
    sink_top,
)

# what players know


@cold
def card_leaves(z: i16s, n: i64s, known: i16s, digests: u64s, a: i64, place: i64, b: i64) -> None:
    """Before a card goes from a place of zone a to zone b."""
    card = given.FACES[z[a * given.ROOM + place]]
    for player in range(0, given.PLAYERS):
        source = player * given.ZONE_COUNT + a
        target = player * given.ZONE_COUNT + b
        counts = given.COUNTS[source]
        face = leave(known, given.PLACES[source], counts, place, n[a], card, given.COUNTS[target])
        # Within one zone, the card has left before it arrives.
        learn(known, given.PLACES[target], given.COUNTS[target], n[b] - (a == b), face)
        note(digests, player, headed(given.MOVE, given.FACE_NUMBERS[face], a, b))


@cold
def all_leave(z: i16s, n: i64s, known: i16s, digests: u64s, a: i64, b: i64) -> None:
    """Before all cards go from zone a to another zone b."""
    if n[a] == 0:
        return
    for player in range(0, given.PLAYERS):
        note(digests, player, headed(given.MOVE_ALL, n[a], a, b))
        if given.COUNTS[player * given.ZONE_COUNT + a] == 0 or given.COUNTS[player * given.ZONE_COUNT + b] == 0:
            note_cards(z, n, digests, a, player)
        if given.COUNTS[player * given.ZONE_COUNT + b]:
            all_arrive(z, n, known, a, b, player * given.ZONE_COUNT)
        if given.COUNTS[player * given.ZONE_COUNT + a]:
            empty(known, given.COUNTS[player * given.ZONE_COUNT + a], given.FACE_COUNT)


def all_arrive(z: i16s, n: i64s, known: i16s, a: i64, b: i64, zones: i64) -> None:
    """The same for a player, from whose zone `zones` on the tables are, and who cannot look into zone b."""
    counts = given.COUNTS[zones + b]
    hidden = given.COUNTS[zones + a] != 0
    if hidden:
        join(known, given.COUNTS[zones + a], counts, given.FACE_COUNT)
    # How cards lie in a zone without order is hidden, so their places in a stack are, too.
    mixed = not hidden and not given.IS_ORDERED[a] and given.PLACES[zones + b] != 0
    for place in range(0, n[a]):
        face = given.FACES[z[a * given.ROOM + place]]
        if hidden:
            face = known[given.PLACES[zones + a] + place] if given.PLACES[zones + a] else 0
        if mixed:
            count(known, counts, face, 1)
            face = 0
        learn(known, given.PLACES[zones + b], counts, n[b] + place, face)


@cold
def lose_order(n: i64s, known: i16s, digests: u64s, zone: i64) -> None:
    """A zone is shuffled."""
    note_all(digests, headed(given.SHUFFLE, 0 - 1, zone, 0))
    for seen in range(zone, given.PLAYERS * given.ZONE_COUNT, given.ZONE_COUNT):
        lose_places(known, given.PLACES[seen], given.COUNTS[seen], n[zone])


@cold
def card_sinks(n: i64s, known: i16s, digests: u64s, zone: i64, place: i64) -> None:
    """Before the top card of a zone goes to a place in it."""
    note_all(digests, headed(given.SINK, 0 - 1, zone, place + 1 if given.IS_ORDERED[zone] else 0))
    for seen in range(zone, given.PLAYERS * given.ZONE_COUNT, given.ZONE_COUNT):
        sink_top(known, given.PLACES[seen], n[zone], place)


@cold
def card_shown(known: i16s, digests: u64s, zone: i64, place: i64, card: i64, to: i64, number: i64) -> None:
    """A card in a zone is shown to a player, or to all (-1), after a number of others of the same step."""
    for player in range(0, given.PLAYERS):
        face = given.FACES[card]
        seen = player * given.ZONE_COUNT + zone
        if to != player and to != 0 - 1:
            if given.COUNTS[seen]:
                face = 0
        elif given.COUNTS[seen]:
            batch = given.BATCHES + player * (given.FACE_COUNT + 1)
            learn_shown(known, batch, given.PLACES[seen], given.COUNTS[seen], place, face, number, given.FACE_COUNT)
        note(
            digests,
            player,
            headed(given.SHOW, given.FACE_NUMBERS[face], zone, place + 1 if given.IS_ORDERED[zone] else 0),
        )
        note(digests, player, u64(to))


# what players have observed


def headed(kind: i64, number: i64, place: i64, other: i64) -> u64:
    """One number for a kind and what it is about (see digest.py)."""
    return u64((kind << 48) + ((number + 1) << 32) + (place << 16) + other)


def note(digests: u64s, player: i64, number: u64) -> None:
    """A player observes a number."""
    if given.DIGESTED:
        a = (digests[2 * player] ^ number) * u64(0xBF58476D1CE4E5B9)
        a = a ^ (a >> u64(32))
        b = (digests[2 * player + 1] ^ a) * u64(0x94D049BB133111EB)
        digests[2 * player] = a
        digests[2 * player + 1] = b ^ (b >> u64(29))


def note_all(digests: u64s, number: u64) -> None:
    for player in range(0, given.PLAYERS):
        note(digests, player, number)


@cold
def note_for(digests: u64s, seen: i64, number: i64, unseen: i64) -> None:
    """Players with a bit in `seen` observe a number, and the others another one."""
    for player in range(0, given.PLAYERS):
        note(digests, player, u64(number if seen >> player & 1 else unseen))


@cold
def note_value(digests: u64s, seen: i64, slot: i64, content: i64) -> None:
    """Players with a bit in `seen` observe what a register holds now."""
    for player in range(0, given.PLAYERS):
        if seen >> player & 1:
            note(digests, player, headed(given.SET, 0 - 1, 0, slot))
            note(digests, player, u64(content))


@cold
def viewers_of(z: i16s, n: i64s, card: i64) -> i64:
    """A bit for each player who may look into the zone of a card."""
    for zone in range(0, given.ZONE_COUNT):
        if find(z, n, zone, given.ROOM, card) >= 0:
            return given.ZONE_VIEWERS[zone]
    return 0


def note_cards(z: i16s, n: i64s, digests: u64s, zone: i64, player: i64) -> None:
    """A player observes all cards in a zone: one number for them if their order is hidden."""
    together = u64(0)
    for place in range(zone * given.ROOM, zone * given.ROOM + n[zone]):
        if given.IS_ORDERED[zone]:
            note(digests, player, u64(given.FACE_NUMBERS[given.FACES[z[place]]]))
        else:
            together = together + u64(given.MIXED_FACES[given.FACES[z[place]]])
    if not given.IS_ORDERED[zone]:
        note(digests, player, together)


def option_of(action: i64) -> i64:
    option = given.OPTION_COUNT - 1
    while option > 0 and given.FIRST_ACTIONS[option] > action:
        option = option - 1
    return option


@cold
def note_choice(past: i64s, digests: u64s, player: i64, action: i64) -> None:
    """A player chooses an action."""
    option = option_of(action)
    seen = given.SEEN_BY[option * given.PLAYERS + player]
    noticed = seen | given.NOTICED_BY[option]
    for ring in range(0, given.RINGS):
        if noticed >> ring & 1:
            keep_choice(past, ring * (1 + 2 * given.HISTORY), player, action)
    for viewer in range(0, given.PLAYERS):
        if seen >> viewer & 1:
            note(digests, viewer, headed(given.CHOICE, player, 0, 0))
            note(digests, viewer, u64(action))
        elif noticed >> viewer & 1:
            note(digests, viewer, headed(given.KIND, player, 0, 0))
            note(digests, viewer, u64(given.TITLES[option]))


def keep_choice(past: i64s, ring: i64, player: i64, action: i64) -> None:
    latest = ring + 1 + 2 * (past[ring] % given.HISTORY)
    past[latest] = player
    past[latest + 1] = action
    past[ring] += 1
