"""Playouts of quick players for machine_search.py, in addition to search.py. Never imported.

A quick player knows what is in sight now, and searches among the moves at hand. The game is at the root of the tree;
the world is working space.
"""

from rulespec.engine.backend.llvm.compiler import cold, i64, u64
from rulespec.engine.backend.runtime import search_names as given
from rulespec.engine.backend.runtime.common import below, stream
from rulespec.engine.backend.runtime.search import node_of, simulate
from rulespec.engine.backend.runtime.search_names import Desk, Log, Root, Table, Tree, Unseen, World
from rulespec.engine.backend.runtime.worlds import load


def store(root: Root, world: World) -> None:
    for slot in range(0, given.SLOT_COUNT):
        root.root_numbers[slot] = world.registers[slot]
    for zone in range(0, given.ZONE_COUNT):
        root.root_numbers[given.SLOT_COUNT + zone] = world.sizes[zone]
        for at in range(zone * given.ROOM, zone * given.ROOM + world.sizes[zone]):
            root.root_cards[at] = world.cards[at]


def offered(root: Root, world: World) -> None:
    """Goes to the root, and lists its legal actions."""
    load(root, world)
    world.desk.place = root.control.root
    given.offers(world)


def face_order(card: i64) -> i64:
    """A number by which cards are sorted: by face."""
    return given.CARD_FACES[card] * given.ROOM + card


def sort_by_face(unseen: Unseen, first: i64, count: i64) -> None:
    """Sorts cards, so that their order does not depend on where they are."""
    for number in range(first + 1, first + count):
        card = unseen.listed[number]
        at = number
        while at > first and face_order(unseen.listed[at - 1]) > face_order(card):
            unseen.listed[at] = unseen.listed[at - 1]
            at = at - 1
        unseen.listed[at] = card


@cold
def conceal(player: i64, root: Root) -> None:
    """Writes what a player does not see now, as `deal` reads it."""
    unseen = root.unseen
    count = 0
    for zone in range(0, given.ZONE_COUNT):
        if given.SIGHTS[player * given.ZONE_COUNT + zone] == given.UNSEEN:
            size = root.root_numbers[given.SLOT_COUNT + zone]
            for at in range(zone * given.ROOM, zone * given.ROOM + size):
                unseen.listed[count] = at
                count = count + 1
    for number in range(0, count):
        unseen.listed[count + number] = root.root_cards[unseen.listed[number]]
    sort_by_face(unseen, count, count)
    unseen.opened = count
    unseen.mixed = 0
    unseen.values = 0
    unseen.held = 0
    end = 2 * count
    at = given.HIDDEN_FROM[player]
    while at < given.HIDDEN_FROM[player + 1]:
        slot = given.HIDDEN[at]
        viewers = given.HIDDEN[at + 1]
        contents = given.HIDDEN[at + 2]
        holds = root.root_numbers[slot] != given.ABSENT
        hidden = holds if viewers < 0 else (root.root_numbers[viewers] >> player) & 1 == 0
        if hidden:
            unseen.values = unseen.values + 1
            unseen.listed[end] = slot
            for number in range(0, contents + 1):
                unseen.listed[end + 1 + number] = given.HIDDEN[at + 2 + number]
            end = end + 2 + contents
        at = at + 3 + contents
    for number in range(1, given.CARD_SLOTS[0] + 1):
        for place in range(0, count):
            if root.root_cards[unseen.listed[place]] == root.root_numbers[given.CARD_SLOTS[number]]:
                unseen.held = unseen.held + 1
                unseen.listed[end] = given.CARD_SLOTS[number]
                unseen.listed[end + 1] = unseen.listed[place]
                end = end + 2


def begin_tree(tree: Tree, player: i64) -> None:
    control = tree.control
    control.seat = player
    control.viewer = -1
    control.depth = 1
    control.edge_count = 0
    control.lowest = given.MOST_POINTS
    control.highest = -given.MOST_POINTS
    control.backed = 0
    control.sum = 0
    control.deviations = 0
    for slot in range(0, control.mask + 1):
        tree.keys[slot] = u64(0)
        tree.nodes[slot] = 0


def best_legal(tree: Tree, first: i64, count: i64, world: World) -> i64:
    """The legal action that was followed most often; the first one if none was."""
    number = tree.nodes[node_of(tree.keys, u64(1), tree.control.mask)]
    best = world.legal[first]
    visits = 0
    total = 0
    while number != 0:
        edge = tree.edges[number]
        for at in range(first, first + count):
            more = edge.visits > visits or (edge.visits == visits and edge.total > total)
            if world.legal[at] == edge.action and more:
                best = world.legal[at]
                visits = edge.visits
                total = edge.total
        number = edge.next
    return best


def first_of(desk: Desk, player: i64) -> i64:
    """Where the legal actions of a player begin, if several decide at once."""
    first = 0
    if desk.player == given.SIMULTANEOUS:
        for other in range(0, player):
            first = first + desk.asked[other]
    return first


@cold
def think(player: i64, table: Table, world: World) -> None:
    """Decides for a player at the root, with draws from the stream of the search. Leaves the position and its legal
    actions in the world."""
    control = table.control
    simulations = table.seats[player].simulations
    offered(table, world)
    first = first_of(world.desk, player)
    count = world.desk.asked[player] if world.desk.player == given.SIMULTANEOUS else world.desk.choices
    control.chosen = world.legal[first]
    if count > 1 and simulations == 0:
        _state, index = below(u64(control.random), count)
        control.chosen = world.legal[first + index]
    if count > 1 and simulations > 0:
        begin_tree(table, player)
        conceal(player, table)
        for _ in range(0, simulations):
            simulate(table, world)
        offered(table, world)
        control.chosen = best_legal(table, first, count, world)


def begin_decision(table: Table, player: i64) -> None:
    """Begins the stream of the next decision of a player."""
    seat = table.seats[player]
    table.control.random = i64(stream(u64(seat.seed), seat.decisions))
    seat.decisions = seat.decisions + 1


def noted(log: Log, player: i64, action: i64) -> None:
    log.choices[2 * log.length] = player
    log.choices[2 * log.length + 1] = action
    log.length = log.length + 1


@cold
def play_bots(most: i64, table: Table, world: World) -> None:
    """Plays on to the end, or until the log has so many choices."""
    desk = world.desk
    log = table.log
    offered(table, world)
    while desk.player != given.STOP and log.length < most:
        table.control.root = desk.place
        before = log.length
        mover = desk.player
        for player in range(0, given.PLAYERS):
            if mover == player or (mover == given.SIMULTANEOUS and desk.asked[player] > 0):
                begin_decision(table, player)
                think(player, table, world)
                noted(log, player, table.control.chosen)
        if mover != given.SIMULTANEOUS:
            given.run(given.take(table.control.chosen, world), world)
        else:
            for player in range(0, given.PLAYERS):
                desk.asked[given.PLAYERS + player] = -1
            for number in range(before, log.length):
                desk.asked[given.PLAYERS + log.choices[2 * number]] = log.choices[2 * number + 1]
            given.run(given.reveal_all(world), world)
        store(table, world)
