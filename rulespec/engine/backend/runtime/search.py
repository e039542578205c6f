"""The search of machine_search.py, in addition to common.py, segments.py and worlds.py. Never imported: compiled to
machine code, or run as Python on the same arrays.

`t` holds the numbers of a search (`Control` in machine_search.py). Edges lie in `edges`, EDGE numbers each, from number
1 on; those of a node are a list in rising order of their actions, whose first one is at the slot of the node in
`nodes`. `keys` is an open hash table from what the deciding player sees to that slot.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import cold, i16s, i64, i64s, u64, u64s

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.common import mixed
    from rulespec.engine.backend.runtime.search_names import (
        ACTION,
        AVAILABLE,
        BACKED,
        CARD_FACES,
        DEPTH,
        DEVIATIONS,
        EDGE,
        EDGES,
        EXPLORATION,
        GROWS,
        HIGHEST,
        INVERSE_ROOTS,
        LEAST,
        LOGARITHM_ROOTS,
        LOWEST,
        MASK,
        MOST,
        MOST_EDGES,
        MOST_POINTS,
        NEXT,
        NOTED,
        ORDERED,
        PLACE_AT_ROOT,
        PLAYERS,
        POINT,
        RANDOM,
        RANKS,
        RETURNS,
        REWARDS,
        ROOM,
        SCORE_SIGN,
        SCORES,
        SEAT,
        SEEN_FROM,
        SEEN_SLOTS,
        SIGHTS,
        SIMULTANEOUS,
        STEPS,
        STOP,
        SUM,
        TABLED,
        TIE_BREAK,
        TOTAL,
        UNORDERED,
        VIEWER,
        VISITS,
        W_ASKED,
        W_LEGAL,
        W_PLACE,
        W_PLAYER,
        WEIGHED,
        WEIGHTS,
        WHOLE,
        WORTHY,
        ZONE_COUNT,
        offers,
        play_on,
        reveal_all,
        run,
        take,
        weight_of,
    )
    from rulespec.engine.backend.runtime.worlds import deal, restore, roll


@cold
def seen(viewer: i64, mover: i64, place: i64, r: i64s, n: i64s, z: i16s) -> u64:
    """A key of a decision and of what a player sees now: values, the cards of zones by face, the sizes of others."""
    key = mixed(u64(place * (PLAYERS + 1) + mover + 1))
    for number in range(SEEN_FROM[viewer], SEEN_FROM[viewer + 1]):
        key = (key ^ u64(r[SEEN_SLOTS[number]])) * u64(0x9E3779B97F4A7C15)
        key = key ^ (key >> u64(29))
    for zone in range(0, ZONE_COUNT):
        part = u64(n[zone])
        if SIGHTS[viewer * ZONE_COUNT + zone] == UNORDERED:
            for at in range(zone * ROOM, zone * ROOM + n[zone]):
                part = part + mixed(u64(CARD_FACES[z[at]] + 1))
        elif SIGHTS[viewer * ZONE_COUNT + zone] == ORDERED:
            for at in range(zone * ROOM, zone * ROOM + n[zone]):
                part = (part ^ u64(CARD_FACES[z[at]] + 1)) * u64(0xBF58476D1CE4E5B9)
                part = part ^ (part >> u64(29))
        key = mixed(key ^ part)
    return key | u64(2)  # neither 0, a free slot, nor the key of the root


def node_of(keys: u64s, key: u64, mask: i64) -> i64:
    """The slot of a node: the one with its key, or the free one where it belongs."""
    slot = i64(key) & mask
    while keys[slot] != u64(0) and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


def inverse_root(visits: i64) -> i64:
    """1 / sqrt(visits), times 2**16."""
    halved = 0
    while visits >= TABLED:
        visits = visits >> 2  # halves the root, and so doubles its inverse
        halved = halved + 1
    return INVERSE_ROOTS[visits] >> halved


def root_of_logarithm(count: i64) -> i64:
    """sqrt(ln(count)), times 2**12."""
    halved = 0
    while count >= TABLED:
        count = count >> 1
        halved = halved + 1
    return LOGARITHM_ROOTS[count] if halved == 0 else LOGARITHM_ROOTS[TABLED + halved - 1]


def spread(t: i64s) -> i64:
    """What bonuses are scaled by: EXPLORATION times the range of the rewards so far, which is 0 before the first. In a
    game for one the range is at most twice their mean deviation: a few rewards lie far from all others, and would make
    the bonus too large."""
    wide = max(0, t[HIGHEST] - t[LOWEST])
    if PLAYERS == 1:
        wide = min(wide, 2 * t[DEVIATIONS] // max(1, t[BACKED]))
    return wide * EXPLORATION >> 10  # EXPLORATION counts 1024ths


def promise(wide: i64, edges: i64s, at: i64) -> i64:
    """The upper confidence bound (UCB1) of an edge, with the times that it was available in place of all visits."""
    visits = edges[at + VISITS]
    # The roots are times 2**12 and 2**16.
    bonus = wide * root_of_logarithm(edges[at + AVAILABLE]) * inverse_root(visits) >> 28
    return edges[at + TOTAL] // visits + bonus


def opened_edge(t: i64s, nodes: i64s, edges: i64s, slot: i64, action: i64) -> i64:
    """A new edge of a node, at its place among the actions."""
    t[EDGES] = t[EDGES] + 1
    edge = t[EDGES]
    before = 0
    after = nodes[slot]
    while after != 0 and edges[after * EDGE + ACTION] < action:
        before = after
        after = edges[after * EDGE + NEXT]
    edges[edge * EDGE + ACTION] = action
    edges[edge * EDGE + VISITS] = 0
    edges[edge * EDGE + AVAILABLE] = 1
    edges[edge * EDGE + TOTAL] = 0
    edges[edge * EDGE + NEXT] = after
    if before == 0:
        nodes[slot] = edge
    else:
        edges[before * EDGE + NEXT] = edge
    return edge


@cold
def heaviest(
    place: i64,
    player: i64,
    first: i64,
    count: i64,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> i64:
    """The greatest weight of a player's legal actions; 0 where the spec weighs none, or all of them 0."""
    most = 0
    if WEIGHED[place] != 0:
        for number in range(first, first + count):
            most = max(most, weight_of(place, player, legal[number], r, n, z, w, legal, bits, taken))
    return most


@cold
def descended(
    t: i64s,
    nodes: i64s,
    edges: i64s,
    slot: i64,
    place: i64,
    player: i64,
    first: i64,
    count: i64,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> i64:
    """The edge to follow: a random one of the actions never tried here, else the one that promises most.

    Where the spec weighs actions, weights are the chances of those never tried, and a bonus that fades with the visits
    (progressive bias) of the others; an action with weight 0 is left out.
    """
    heavy = heaviest(place, player, first, count, r, n, z, w, legal, bits, taken) if WEIGHTS > 0 else 0
    wide = spread(t)
    edge = nodes[slot]
    untried = 0
    fresh = 0
    best = 0
    most = 0
    for number in range(first, first + count):
        action = legal[number]
        weight = weight_of(place, player, action, r, n, z, w, legal, bits, taken) if heavy > 0 else 1
        while edge != 0 and edges[edge * EDGE + ACTION] < action:
            edge = edges[edge * EDGE + NEXT]
        if weight > 0 and edge != 0 and edges[edge * EDGE + ACTION] == action:
            edges[edge * EDGE + AVAILABLE] = edges[edge * EDGE + AVAILABLE] + 1
            hope = promise(wide, edges, edge * EDGE)
            if heavy > 0:
                hope = hope + wide * weight // heavy // (1 + edges[edge * EDGE + VISITS])
            if best == 0 or hope > most:
                best = edge
                most = hope
        elif weight > 0:
            untried = untried + weight
            if roll(t, untried) < weight:
                fresh = action
    if untried == 0 or t[EDGES] >= t[MOST_EDGES]:
        return best
    t[GROWS] = 0
    return opened_edge(t, nodes, edges, slot, fresh)


@cold
def drawn(
    t: i64s,
    place: i64,
    player: i64,
    first: i64,
    count: i64,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> i64:
    """A random legal action of a player, by the weights of the spec; all are alike where it gives none above 0."""
    action = legal[first + roll(t, count)]
    total = 0
    if WEIGHED[place] != 0 and count > 1:
        for number in range(first, first + count):
            weight = weight_of(place, player, legal[number], r, n, z, w, legal, bits, taken)
            total = total + weight
            if weight > 0 and roll(t, total) < weight:
                action = legal[number]
    return action


@cold
def play_weighed(t: i64s, r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s) -> None:
    """Plays on to the end with random actions, drawn by the weights of the spec."""
    while w[W_PLAYER] != STOP:
        place = w[W_PLACE]
        if w[W_PLAYER] != SIMULTANEOUS:
            action = drawn(t, place, w[W_PLAYER], 0, w[W_LEGAL], r, n, z, w, legal, bits, taken)
            run(take(action, r, n, z, w, legal, bits, taken), r, n, z, w, legal, bits, taken)
        else:
            first = 0
            for player in range(0, PLAYERS):
                count = w[W_ASKED + player]
                action = -1
                if count > 0:
                    action = drawn(t, place, player, first, count, r, n, z, w, legal, bits, taken)
                w[W_ASKED + PLAYERS + player] = action
                first = first + count
            run(reveal_all(r, n, z, w, legal, bits, taken), r, n, z, w, legal, bits, taken)


def chosen(
    t: i64s,
    keys: u64s,
    nodes: i64s,
    edges: i64s,
    path: i64s,
    place: i64,
    player: i64,
    first: i64,
    count: i64,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> i64:
    """The action of a player in the tree. Notes the edge in the path, where the tree has one."""
    if count == 1:
        return legal[first]
    key = u64(1)
    if t[STEPS] > 0 or player != t[SEAT]:
        viewer = player if t[VIEWER] < 0 else t[VIEWER]
        key = seen(viewer, player, place, r, n, z)
    slot = node_of(keys, key, t[MASK])
    # A full tree takes no further nodes, or the table would run out of free slots.
    if keys[slot] == u64(0) and t[EDGES] < t[MOST_EDGES]:
        keys[slot] = key
        nodes[slot] = 0
    edge = descended(t, nodes, edges, slot, place, player, first, count, r, n, z, w, legal, bits, taken)
    if edge == 0:
        t[GROWS] = 0
        return i64(drawn(t, place, player, first, count, r, n, z, w, legal, bits, taken))
    path[2 * t[NOTED]] = edge
    path[2 * t[NOTED] + 1] = player
    t[NOTED] = t[NOTED] + 1
    return i64(edges[edge * EDGE + ACTION])


def decide(
    t: i64s,
    keys: u64s,
    nodes: i64s,
    edges: i64s,
    path: i64s,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> None:
    """One decision in the tree, or those of all who decide at once, each by a node of their own."""
    place = w[W_PLACE]
    if w[W_PLAYER] != SIMULTANEOUS:
        mover = w[W_PLAYER]
        count = w[W_LEGAL]
        action = chosen(t, keys, nodes, edges, path, place, mover, 0, count, r, n, z, w, legal, bits, taken)
        run(take(action, r, n, z, w, legal, bits, taken), r, n, z, w, legal, bits, taken)
    else:
        first = 0
        for player in range(0, PLAYERS):
            count = w[W_ASKED + player]
            action = -1
            if count > 0:
                action = chosen(
                    t, keys, nodes, edges, path, place, player, first, count, r, n, z, w, legal, bits, taken
                )
            w[W_ASKED + PLAYERS + player] = action
            first = first + count
        run(reveal_all(r, n, z, w, legal, bits, taken), r, n, z, w, legal, bits, taken)


def points(r: i64s, player: i64) -> i64:
    """A player's first criterion of the ranking; 0 if it is absent."""
    score = r[SCORES + player]
    if abs(score) >= MOST_POINTS:
        return 0
    return score * SCORE_SIGN


@cold
def worth(r: i64s, player: i64) -> i64:
    """What the end is worth to a player, from 0 to 2**16, with a little for points ahead and for the place, which break
    ties. A player alone has no rival: the end is worth its points."""
    rank = r[RANKS + player] if RANKS >= 0 else 0
    winners = 0
    lead = 0
    rival = -MOST_POINTS
    if rank == 0:
        return 0
    if RETURNS >= 0:
        return (r[RETURNS + player] - LEAST) * WHOLE // max(1, MOST - LEAST)
    if PLAYERS == 1:
        return max(-WORTHY, min(WORTHY, points(r, player))) * POINT
    for other in range(0, PLAYERS):
        if r[RANKS + other] == 1:
            winners = winners + 1
        if other != player:
            rival = max(rival, points(r, other))
    if PLAYERS > 1:
        lead = points(r, player) - rival
    return (WHOLE // winners if rank == 1 else 0) + TIE_BREAK * lead // (1 + abs(lead)) + TIE_BREAK // (1 + rank)


def back_up(t: i64s, edges: i64s, path: i64s, r: i64s) -> None:
    for player in range(0, PLAYERS):
        reward = worth(r, player)
        t[REWARDS + player] = reward
        t[LOWEST] = min(t[LOWEST], reward)
        t[HIGHEST] = max(t[HIGHEST], reward)
        t[BACKED] = t[BACKED] + 1
        t[SUM] = t[SUM] + reward
        t[DEVIATIONS] = t[DEVIATIONS] + abs(reward - t[SUM] // t[BACKED])
    for step in range(0, t[NOTED]):
        at = path[2 * step] * EDGE
        edges[at + VISITS] = edges[at + VISITS] + 1
        edges[at + TOTAL] = edges[at + TOTAL] + t[REWARDS + path[2 * step + 1]]


@cold
def simulate(
    t: i64s,
    u: i64s,
    m0: i64s,
    z0: i16s,
    keys: u64s,
    nodes: i64s,
    edges: i64s,
    path: i64s,
    r: i64s,
    n: i64s,
    z: i16s,
    w: i64s,
    legal: i64s,
    bits: u64s,
    taken: i64s,
) -> None:
    """One simulation: deals, descends, expands the tree by one edge, plays to the end at random, and backs up."""
    restore(t, m0, z0, r, n, z)
    deal(t, u, m0, z0, r, z)
    w[W_PLACE] = t[PLACE_AT_ROOT]
    offers(r, n, z, w, legal, bits, taken)
    t[STEPS] = 0
    t[NOTED] = 0
    t[GROWS] = 1
    while w[W_PLAYER] != STOP and t[GROWS] != 0 and t[STEPS] < t[DEPTH]:
        decide(t, keys, nodes, edges, path, r, n, z, w, legal, bits, taken)
        t[STEPS] = t[STEPS] + 1
    if WEIGHTS > 0:
        play_weighed(t, r, n, z, w, legal, bits, taken)
    else:
        play_on(mixed(u64(t[RANDOM])), r, n, z, w, legal, bits, taken)
    roll(t, 2)
    back_up(t, edges, path, r)
