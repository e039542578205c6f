"""Playouts of quick players for machine_search.py, in addition to search.py. Never imported.

A quick player knows what is in sight now, and searches among the moves at hand. `seats` holds SEAT_NUMBERS numbers for
each seat: the seed, the simulations of a decision (0 for a random one), and the decisions so far. The game is in `m0`
and `z0`; `r`, `n`, `z` and `w` are working space. `log` holds the number of choices, then player and action of each.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import cold, i16s, i64, i64s, u64, u64s

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.common import below, stream
    from rulespec.engine.backend.runtime.search import node_of, simulate
    from rulespec.engine.backend.runtime.search_names import (
        ABSENT,
        ACTION,
        BACKED,
        CARD_FACES,
        CARD_SLOTS,
        CHOSEN,
        DEPTH,
        DEVIATIONS,
        EDGE,
        EDGES,
        HIDDEN,
        HIDDEN_FROM,
        HIGHEST,
        LOWEST,
        MASK,
        MOST_POINTS,
        NEXT,
        PLACE_AT_ROOT,
        PLAYERS,
        RANDOM,
        ROOM,
        SEAT,
        SEAT_NUMBERS,
        SIGHTS,
        SIMULTANEOUS,
        SLOT_COUNT,
        STOP,
        SUM,
        TOTAL,
        UNSEEN,
        VIEWER,
        VISITS,
        W_ASKED,
        W_LEGAL,
        W_PLACE,
        W_PLAYER,
        ZONE_COUNT,
        offers,
        reveal_all,
        run,
        take,
    )
    from rulespec.engine.backend.runtime.worlds import load


def store(m0: i64s, z0: i16s, r: i64s, n: i64s, z: i16s) -> None:
    for slot in range(0, SLOT_COUNT):
        m0[slot] = r[slot]
    for zone in range(0, ZONE_COUNT):
        m0[SLOT_COUNT + zone] = n[zone]
        for at in range(zone * ROOM, zone * ROOM + n[zone]):
            z0[at] = z[at]


def sort_by_face(u: i64s, first: i64, count: i64) -> None:
    """Sorts cards, so that their order does not depend on where they are."""
    for number in range(first + 1, first + count):
        card = u[number]
        at = number
        while at > first and CARD_FACES[u[at - 1]] * ROOM + u[at - 1] > CARD_FACES[card] * ROOM + card:
            u[at] = u[at - 1]
            at = at - 1
        u[at] = card


@cold
def conceal(player: i64, u: i64s, m0: i64s, z0: i16s) -> None:
    """Writes what a player does not see now into `u`, as `deal` reads it."""
    count = 0
    for zone in range(0, ZONE_COUNT):
        if SIGHTS[player * ZONE_COUNT + zone] == UNSEEN:
            for at in range(zone * ROOM, zone * ROOM + m0[SLOT_COUNT + zone]):
                u[4 + count] = at
                count = count + 1
    for number in range(0, count):
        u[4 + count + number] = z0[u[4 + number]]
    sort_by_face(u, 4 + count, count)
    u[0] = count
    u[1] = 0
    u[2] = 0
    u[3] = 0
    end = 4 + 2 * count
    at = HIDDEN_FROM[player]
    while at < HIDDEN_FROM[player + 1]:
        viewers = HIDDEN[at + 1]
        unseen = m0[HIDDEN[at]] != ABSENT if viewers < 0 else (m0[viewers] >> player) & 1 == 0
        if unseen:
            u[2] = u[2] + 1
            u[end] = HIDDEN[at]
            for number in range(0, HIDDEN[at + 2] + 1):
                u[end + 1 + number] = HIDDEN[at + 2 + number]
            end = end + 2 + HIDDEN[at + 2]
        at = at + 3 + HIDDEN[at + 2]
    for number in range(1, CARD_SLOTS[0] + 1):
        for place in range(4, 4 + count):
            if z0[u[place]] == m0[CARD_SLOTS[number]]:
                u[3] = u[3] + 1
                u[end] = CARD_SLOTS[number]
                u[end + 1] = u[place]
                end = end + 2


def begin_tree(t: i64s, keys: u64s, nodes: i64s, player: i64) -> None:
    t[SEAT] = player
    t[VIEWER] = -1
    t[DEPTH] = 1
    t[EDGES] = 0
    t[LOWEST] = MOST_POINTS
    t[HIGHEST] = -MOST_POINTS
    t[BACKED] = 0
    t[SUM] = 0
    t[DEVIATIONS] = 0
    for slot in range(0, t[MASK] + 1):
        keys[slot] = u64(0)
        nodes[slot] = 0


def best_legal(t: i64s, keys: u64s, nodes: i64s, edges: i64s, legal: i64s, first: i64, count: i64) -> i64:
    """The legal action that was followed most often; the first one if none was."""
    edge = nodes[node_of(keys, u64(1), t[MASK])]
    best = legal[first]
    visits = 0
    total = 0
    while edge != 0:
        for number in range(first, first + count):
            if legal[number] == edges[edge * EDGE + ACTION]:
                often = edges[edge * EDGE + VISITS]
                if often > visits or (often == visits and edges[edge * EDGE + TOTAL] > total):
                    best = legal[number]
                    visits = often
                    total = edges[edge * EDGE + TOTAL]
        edge = edges[edge * EDGE + NEXT]
    return best


def first_of(w: i64s, player: i64) -> i64:
    """Where the legal actions of a player begin, if several decide at once."""
    first = 0
    if w[W_PLAYER] == SIMULTANEOUS:
        for other in range(0, player):
            first = first + w[W_ASKED + other]
    return first


def number_of(w: i64s, player: i64) -> i64:
    """The number of legal actions of a player."""
    return w[W_ASKED + player] if w[W_PLAYER] == SIMULTANEOUS else w[W_LEGAL]


@cold
def think(
    player: i64,
    t: i64s,
    u: i64s,
    m0: i64s,
    z0: i16s,
    keys: u64s,
    nodes: i64s,
    edges: i64s,
    path: i64s,
    seats: i64s,
    log: i64s,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> None:
    """Decides for a player at the decision point PLACE_AT_ROOT, into t[CHOSEN], with draws from t[RANDOM]. Leaves the
    position and its legal actions in the working space."""
    simulations = seats[SEAT_NUMBERS * player + 1]
    load(m0, z0, r, n, z)
    w[W_PLACE] = t[PLACE_AT_ROOT]
    offers(r, n, z, w, legal, bits, taken)
    first = first_of(w, player)
    count = number_of(w, player)
    t[CHOSEN] = legal[first]
    if count > 1 and simulations == 0:
        _state, index = below(u64(t[RANDOM]), count)
        t[CHOSEN] = legal[first + index]
    if count > 1 and simulations > 0:
        begin_tree(t, keys, nodes, player)
        conceal(player, u, m0, z0)
        for _ in range(0, simulations):
            simulate(t, u, m0, z0, keys, nodes, edges, path, r, n, z, w, legal, bits, taken)
        load(m0, z0, r, n, z)
        w[W_PLACE] = t[PLACE_AT_ROOT]
        offers(r, n, z, w, legal, bits, taken)
        t[CHOSEN] = best_legal(t, keys, nodes, edges, legal, first, count)


def begin_decision(t: i64s, seats: i64s, player: i64) -> None:
    """Begins the stream of the next decision of a player."""
    t[RANDOM] = i64(stream(u64(seats[SEAT_NUMBERS * player]), seats[SEAT_NUMBERS * player + 2]))
    seats[SEAT_NUMBERS * player + 2] = seats[SEAT_NUMBERS * player + 2] + 1


def noted(log: i64s, player: i64, action: i64) -> None:
    log[1 + 2 * log[0]] = player
    log[2 + 2 * log[0]] = action
    log[0] = log[0] + 1


@cold
def play_bots(
    most: i64,
    t: i64s,
    u: i64s,
    m0: i64s,
    z0: i16s,
    keys: u64s,
    nodes: i64s,
    edges: i64s,
    path: i64s,
    seats: i64s,
    log: i64s,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> None:
    """Plays on to the end, or until the log has so many choices."""
    load(m0, z0, r, n, z)
    w[W_PLACE] = t[PLACE_AT_ROOT]
    offers(r, n, z, w, legal, bits, taken)
    while w[W_PLAYER] != STOP and log[0] < most:
        t[PLACE_AT_ROOT] = w[W_PLACE]
        before = log[0]
        mover = w[W_PLAYER]
        for player in range(0, PLAYERS):
            if mover == player or (mover == SIMULTANEOUS and w[W_ASKED + player] > 0):
                begin_decision(t, seats, player)
                think(player, t, u, m0, z0, keys, nodes, edges, path, seats, log, r, n, z, w, legal, bits, taken)
                noted(log, player, t[CHOSEN])
        if mover != SIMULTANEOUS:
            run(take(t[CHOSEN], r, n, z, w, legal, bits, taken), r, n, z, w, legal, bits, taken)
        else:
            for player in range(0, PLAYERS):
                w[W_ASKED + PLAYERS + player] = -1
            for number in range(before, log[0]):
                w[W_ASKED + PLAYERS + log[1 + 2 * number]] = log[2 + 2 * number]
            run(reveal_all(r, n, z, w, legal, bits, taken), r, n, z, w, legal, bits, taken)
        store(m0, z0, r, n, z)
