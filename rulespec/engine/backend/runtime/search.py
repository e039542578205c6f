"""The search of machine_search.py, in addition to common.py, segments.py and worlds.py. Never imported: compiled to
machine code, or run as Python on the same arrays."""

from rulespec.engine.backend.llvm.compiler import cold, i64, u64, u64s
from rulespec.engine.backend.runtime import search_names as given
from rulespec.engine.backend.runtime.common import mixed
from rulespec.engine.backend.runtime.search_names import Control, Tree, World
from rulespec.engine.backend.runtime.worlds import deal, restore, roll


@cold
def seen(viewer: i64, mover: i64, place: i64, world: World) -> u64:
    """A key of a decision and of what a player sees now: values, the cards of zones by face, the sizes of others."""
    key = mixed(u64(place * (given.PLAYERS + 1) + mover + 1))
    for number in range(given.SEEN_FROM[viewer], given.SEEN_FROM[viewer + 1]):
        key = (key ^ u64(world.registers[given.SEEN_SLOTS[number]])) * u64(0x9E3779B97F4A7C15)
        key = key ^ (key >> u64(29))
    for zone in range(0, given.ZONE_COUNT):
        part = u64(world.sizes[zone])
        first = zone * given.ROOM
        if given.SIGHTS[viewer * given.ZONE_COUNT + zone] == given.UNORDERED:
            for at in range(first, first + world.sizes[zone]):
                part = part + mixed(u64(given.CARD_FACES[world.cards[at]] + 1))
        elif given.SIGHTS[viewer * given.ZONE_COUNT + zone] == given.ORDERED:
            for at in range(first, first + world.sizes[zone]):
                part = (part ^ u64(given.CARD_FACES[world.cards[at]] + 1)) * u64(0xBF58476D1CE4E5B9)
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
    while visits >= given.TABLED:
        visits = visits >> 2  # halves the root, and so doubles its inverse
        halved = halved + 1
    return given.INVERSE_ROOTS[visits] >> halved


def root_of_logarithm(count: i64) -> i64:
    """sqrt(ln(count)), times 2**12."""
    halved = 0
    while count >= given.TABLED:
        count = count >> 1
        halved = halved + 1
    return given.LOGARITHM_ROOTS[count] if halved == 0 else given.LOGARITHM_ROOTS[given.TABLED + halved - 1]


def spread(control: Control) -> i64:
    """What bonuses are scaled by: EXPLORATION times the range of the rewards so far, which is 0 before the first. In a
    game for one the range is at most twice their mean deviation: a few rewards lie far from all others, and would make
    the bonus too large."""
    wide = max(0, control.highest - control.lowest)
    if given.PLAYERS == 1:
        wide = min(wide, 2 * control.deviations // max(1, control.backed))
    return wide * given.EXPLORATION >> 10  # EXPLORATION counts 1024ths


def promise(wide: i64, tree: Tree, number: i64) -> i64:
    """The upper confidence bound (UCB1) of an edge, with the times that it was available in place of all visits."""
    edge = tree.edges[number]
    visits = edge.visits
    # The roots are times 2**12 and 2**16.
    bonus = wide * root_of_logarithm(edge.available) * inverse_root(visits) >> 28
    return edge.total // visits + bonus


def opened_edge(tree: Tree, slot: i64, action: i64) -> i64:
    """A new edge of a node, at its place among the actions."""
    tree.control.edge_count = tree.control.edge_count + 1
    number = tree.control.edge_count
    before = 0
    after = tree.nodes[slot]
    while after != 0 and tree.edges[after].action < action:
        before = after
        after = tree.edges[after].next
    edge = tree.edges[number]
    edge.action = action
    edge.visits = 0
    edge.available = 1
    edge.total = 0
    edge.next = after
    if before == 0:
        tree.nodes[slot] = number
    else:
        tree.edges[before].next = number
    return number


@cold
def heaviest(place: i64, player: i64, first: i64, count: i64, world: World) -> i64:
    """The greatest weight of a player's legal actions; 0 where the spec weighs none, or all of them 0."""
    most = 0
    if given.WEIGHED[place] != 0:
        for number in range(first, first + count):
            most = max(most, given.weight_of(place, player, world.legal[number], world))
    return most


@cold
def descended(tree: Tree, slot: i64, place: i64, player: i64, first: i64, count: i64, world: World) -> i64:
    """The edge to follow: a random one of the actions never tried here, else the one that promises most.

    Where the spec weighs actions, weights are the chances of those never tried, and a bonus that fades with the visits
    (progressive bias) of the others; an action with weight 0 is left out.
    """
    heavy = heaviest(place, player, first, count, world) if given.WEIGHTS > 0 else 0
    wide = spread(tree.control)
    edge = tree.nodes[slot]
    untried = 0
    fresh = 0
    best = 0
    most = 0
    for number in range(first, first + count):
        action = world.legal[number]
        weight = given.weight_of(place, player, action, world) if heavy > 0 else 1
        while edge != 0 and tree.edges[edge].action < action:
            edge = tree.edges[edge].next
        if weight > 0 and edge != 0 and tree.edges[edge].action == action:
            tree.edges[edge].available = tree.edges[edge].available + 1
            hope = promise(wide, tree, edge)
            if heavy > 0:
                hope = hope + wide * weight // heavy // (1 + tree.edges[edge].visits)
            if best == 0 or hope > most:
                best = edge
                most = hope
        elif weight > 0:
            untried = untried + weight
            if roll(tree.control, untried) < weight:
                fresh = action
    if untried == 0 or tree.control.edge_count >= tree.control.most_edges:
        return best
    tree.control.grows = 0
    return opened_edge(tree, slot, fresh)


@cold
def drawn(control: Control, place: i64, player: i64, first: i64, count: i64, world: World) -> i64:
    """A random legal action of a player, by the weights of the spec; all are alike where it gives none above 0."""
    action = world.legal[first + roll(control, count)]
    total = 0
    if given.WEIGHED[place] != 0 and count > 1:
        for number in range(first, first + count):
            weight = given.weight_of(place, player, world.legal[number], world)
            total = total + weight
            if weight > 0 and roll(control, total) < weight:
                action = world.legal[number]
    return action


@cold
def play_weighed(control: Control, world: World) -> None:
    """Plays on to the end with random actions, drawn by the weights of the spec."""
    desk = world.desk
    while desk.player != given.STOP:
        place = desk.place
        if desk.player != given.SIMULTANEOUS:
            given.run(given.take(drawn(control, place, desk.player, 0, desk.choices, world), world), world)
        else:
            first = 0
            for player in range(0, given.PLAYERS):
                count = desk.asked[player]
                action = -1
                if count > 0:
                    action = drawn(control, place, player, first, count, world)
                desk.asked[given.PLAYERS + player] = action
                first = first + count
            given.run(given.reveal_all(world), world)


def chosen(tree: Tree, place: i64, player: i64, first: i64, count: i64, world: World) -> i64:
    """The action of a player in the tree. Notes the edge in the path, where the tree has one."""
    if count == 1:
        return world.legal[first]
    control = tree.control
    key = u64(1)
    if control.steps > 0 or player != control.seat:
        viewer = player if control.viewer < 0 else control.viewer
        key = seen(viewer, player, place, world)
    slot = node_of(tree.keys, key, control.mask)
    # A full tree takes no further nodes, or the table would run out of free slots.
    if tree.keys[slot] == u64(0) and control.edge_count < control.most_edges:
        tree.keys[slot] = key
        tree.nodes[slot] = 0
    edge = descended(tree, slot, place, player, first, count, world)
    if edge == 0:
        control.grows = 0
        return i64(drawn(control, place, player, first, count, world))
    tree.path[control.noted].edge = edge
    tree.path[control.noted].player = player
    control.noted = control.noted + 1
    return i64(tree.edges[edge].action)


def decide(tree: Tree, world: World) -> None:
    """One decision in the tree, or those of all who decide at once, each by a node of their own."""
    desk = world.desk
    place = desk.place
    if desk.player != given.SIMULTANEOUS:
        mover = desk.player
        count = desk.choices
        given.run(given.take(chosen(tree, place, mover, 0, count, world), world), world)
    else:
        first = 0
        for player in range(0, given.PLAYERS):
            count = desk.asked[player]
            action = -1
            if count > 0:
                action = chosen(tree, place, player, first, count, world)
            desk.asked[given.PLAYERS + player] = action
            first = first + count
        given.run(given.reveal_all(world), world)


def points(world: World, player: i64) -> i64:
    """A player's first criterion of the ranking; 0 if it is absent."""
    score = world.registers[given.SCORES + player]
    if abs(score) >= given.MOST_POINTS:
        return 0
    return score * given.SCORE_SIGN


@cold
def worth(world: World, player: i64) -> i64:
    """What the end is worth to a player, from 0 to 2**16, with a little for points ahead and for the place, which break
    ties. A player alone has no rival: the end is worth its points."""
    rank = world.registers[given.RANKS + player] if given.RANKS >= 0 else 0
    winners = 0
    lead = 0
    rival = -given.MOST_POINTS
    if rank == 0:
        return 0
    if given.RETURNS >= 0:
        gained = world.registers[given.RETURNS + player] - given.LEAST
        return gained * given.WHOLE // max(1, given.MOST - given.LEAST)
    if given.PLAYERS == 1:
        return max(-given.WORTHY, min(given.WORTHY, points(world, player))) * given.POINT
    for other in range(0, given.PLAYERS):
        if world.registers[given.RANKS + other] == 1:
            winners = winners + 1
        if other != player:
            rival = max(rival, points(world, other))
    if given.PLAYERS > 1:
        lead = points(world, player) - rival
    won = given.WHOLE // winners if rank == 1 else 0
    return won + given.TIE_BREAK * lead // (1 + abs(lead)) + given.TIE_BREAK // (1 + rank)


def back_up(tree: Tree, world: World) -> None:
    control = tree.control
    for player in range(0, given.PLAYERS):
        reward = worth(world, player)
        control.rewards[player] = reward
        control.lowest = min(control.lowest, reward)
        control.highest = max(control.highest, reward)
        control.backed = control.backed + 1
        control.sum = control.sum + reward
        control.deviations = control.deviations + abs(reward - control.sum // control.backed)
    for step in range(0, control.noted):
        edge = tree.edges[tree.path[step].edge]
        edge.visits = edge.visits + 1
        edge.total = edge.total + control.rewards[tree.path[step].player]


@cold
def simulate(tree: Tree, world: World) -> None:
    """One simulation: deals, descends, expands the tree by one edge, plays to the end at random, and backs up."""
    control = tree.control
    restore(tree, world)
    deal(tree, world)
    world.desk.place = control.root
    given.offers(world)
    control.steps = 0
    control.noted = 0
    control.grows = 1
    while world.desk.player != given.STOP and control.grows != 0 and control.steps < control.depth:
        decide(tree, world)
        control.steps = control.steps + 1
    if given.WEIGHTS > 0:
        play_weighed(control, world)
    else:
        given.play_on(mixed(u64(control.random)), world)
    roll(control, 2)
    back_up(tree, world)


def simulations(number: i64, tree: Tree, world: World) -> None:
    for _ in range(0, number):
        simulate(tree, world)
