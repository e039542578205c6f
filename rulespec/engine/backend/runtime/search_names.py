"""What search.py, worlds.py and bots.py refer to besides each other: the arrays of a search, as records, and names that
machine_search.py gives: numbers, tables and functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.records import Numbers, Record, Rows

if TYPE_CHECKING:
    from rulespec.engine.backend.llvm.compiler import i16s, i64, i64s, u64, u64s

# the position that is played


class Desk(Numbers):
    """The decision point at hand: its place in the program, the player to act, the number of legal actions. If several
    decide at once, `asked` has the number of actions of each, then the action that each has chosen."""

    place: i64
    player: i64
    choices: i64
    asked: i64s


class World(Record):
    """A game in progress in the arrays of machine code (see machine_segments.py)."""

    registers: i64s
    sizes: i64s
    cards: i16s
    desk: Desk
    legal: i64s
    bits: u64s
    taken: i64s


# the search


class Control(Numbers):
    """The numbers of a search.

    They are: the state of its random stream; the seat that it decides for; whose view distinguishes nodes (-1: that of
    the player to act; the number of players: everything is seen); the most decisions in the tree; the number of edges
    and its limit; the mask of the hash table; the least and the most reward so far; the decision point of the root; of
    the present simulation its steps in the tree, the edges noted, and whether the tree may still grow; the action of a
    quick player; the number of rewards so far, their sum, and the sum of their deviations from the mean; then the
    rewards of all players of the present simulation.
    """

    random: i64
    seat: i64
    viewer: i64
    depth: i64
    edge_count: i64
    most_edges: i64
    mask: i64
    lowest: i64
    highest: i64
    root: i64
    steps: i64
    noted: i64
    grows: i64
    chosen: i64
    backed: i64
    sum: i64
    deviations: i64
    rewards: i64s


class Unseen(Numbers):
    """What is unknown at the root, as `Unknown.numbers` lays it out: how many open places, mixed zones, values and
    registers with a card there are, then all of them."""

    opened: i64
    mixed: i64
    values: i64
    held: i64
    listed: i64s


class Root(Record):
    """The position where a search begins: its numbers (registers, then the sizes of zones) and cards."""

    control: Control
    unseen: Unseen
    root_numbers: i64s
    root_cards: i16s


@dataclass
class Edge:
    """An action at a node: how often it was followed and available, the sum of the rewards, the next edge of the node,
    in rising order of the actions."""

    action: i64
    visits: i64
    available: i64
    total: i64
    next: i64


@dataclass
class Step:
    """An edge that a simulation has followed, and its player."""

    edge: i64
    player: i64


class Tree(Root):
    """A search tree. Edges count from 1. `keys` is an open hash table from what the deciding player sees to the slot of
    a node in `nodes`, which has its first edge."""

    keys: u64s
    nodes: i64s
    edges: Rows[Edge]
    path: Rows[Step]


@dataclass
class Seat:
    """A quick player: the seed, the simulations of a decision (0 for a random one), the decisions so far."""

    seed: i64
    simulations: i64
    decisions: i64


class Log(Numbers):
    """The choices of a game: their number, then player and action of each."""

    length: i64
    choices: i64s


class Table(Tree):
    """A game of quick players, with the tree of the one who decides."""

    seats: Rows[Seat]
    log: Log


UNSEEN, ORDERED, UNORDERED = range(3)
"""How a player sees a zone: its size only, its cards in their order, its cards."""

WHOLE = 2**16
"""The reward of a win."""

TIE_BREAK = WHOLE // 100
"""The most that points ahead, or a place, add to a reward: too little to outweigh a part of a win."""

POINT = 2**8
"""The reward of a point in a game for one, where nobody wins against others."""

WORTHY = 2**24
"""More points than these add nothing in a game for one, so that the numbers of UCB1 stay below 2**63."""

MOST_POINTS = 2**31
"""Points from here on are marks of absent values."""

TABLED = 1024
"""Numbers below this one have their roots in tables."""

EXPLORATION = 717
"""The weight of the bonus of UCB1, in 1024ths of the range of rewards: 0.7, as Cowling, Powley and Whitehouse use."""

# given for a game

ABSENT: i64
LEAST: i64
MOST: i64
PLAYERS: i64
RANKS: i64
RETURNS: i64
ROOM: i64
SCORES: i64
SCORE_SIGN: i64
SIMULTANEOUS: i64
SLOT_COUNT: i64
STOP: i64
VALUES_PER_CARD: i64
WEIGHTS: i64
ZONE_COUNT: i64
CARD_FACES: i64s
CARD_SLOTS: i64s
CARD_VALUES: i64s
HIDDEN: i64s
HIDDEN_FROM: i64s
INVERSE_ROOTS: i64s
LOGARITHM_ROOTS: i64s
SEEN_FROM: i64s
SEEN_SLOTS: i64s
SIGHTS: i64s
WEIGHED: i64s


def run(place: i64, world: World) -> None: ...
def take(action: i64, world: World) -> i64:
    return 0


def reveal_all(world: World) -> i64:
    return 0


def weight_of(place: i64, player: i64, action: i64, world: World) -> i64:
    return 0


def offers(world: World) -> i64:
    return 0


def play_on(policy: u64, world: World) -> None: ...
