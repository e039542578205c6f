"""The possible worlds that a search plays in, in addition to common.py. Never imported: compiled with it, or run as
Python on the same arrays."""

from rulespec.engine.backend.llvm.compiler import cold, i64, u64
from rulespec.engine.backend.runtime import search_names as given
from rulespec.engine.backend.runtime.common import below, mixed
from rulespec.engine.backend.runtime.search_names import Control, Root, World


def roll(control: Control, bound: i64) -> i64:
    """A random number below a bound, from the stream of the search."""
    state, number = below(u64(control.random), bound)
    control.random = i64(state)
    return number


def load(root: Root, world: World) -> None:
    """Goes to a position."""
    for slot in range(0, given.SLOT_COUNT):
        world.registers[slot] = root.root_numbers[slot]
    for zone in range(0, given.ZONE_COUNT):
        world.sizes[zone] = root.root_numbers[given.SLOT_COUNT + zone]
        for at in range(zone * given.ROOM, zone * given.ROOM + world.sizes[zone]):
            world.cards[at] = root.root_cards[at]


def restore(root: Root, world: World) -> None:
    """Goes back to the root. What is drawn from there on is new in every simulation."""
    load(root, world)
    # The last register is the random stream of the game (see machine_segments.py).
    fresh = mixed(u64(roll(root.control, given.MOST_POINTS)) ^ u64(root.control.random))
    world.registers[given.SLOT_COUNT - 1] = i64(fresh)


def stay(place: i64, root: Root, world: World) -> None:
    """Gives the card that lies at a place now the values of the one that lay there: they stay at the place."""
    for number in range(0, given.VALUES_PER_CARD):
        taken_by = given.CARD_VALUES[world.cards[place] * given.VALUES_PER_CARD + number]
        left_by = given.CARD_VALUES[root.root_cards[place] * given.VALUES_PER_CARD + number]
        world.registers[taken_by] = root.root_numbers[left_by]


@cold
def all_stay(root: Root, world: World) -> None:
    """Lets the values of cards stay at all places where cards are dealt."""
    unseen = root.unseen
    at = 2 * unseen.opened
    for number in range(0, unseen.opened):
        stay(unseen.listed[number], root, world)
    for _ in range(0, unseen.mixed):
        for number in range(at + 1, at + 1 + unseen.listed[at]):
            stay(unseen.listed[number], root, world)
        at = at + 1 + unseen.listed[at]


@cold
def deal(root: Root, world: World) -> None:
    """Deals the unknown cards anew, and draws unseen values anew."""
    unseen = root.unseen
    cards = world.cards
    opened = unseen.opened
    at = 2 * opened
    for left in range(0, opened):
        other = opened + left + roll(root.control, opened - left)
        card = unseen.listed[other]
        unseen.listed[other] = unseen.listed[opened + left]
        unseen.listed[opened + left] = card
        cards[unseen.listed[left]] = card
    for _ in range(0, unseen.mixed):
        for left in range(0, unseen.listed[at] - 1):
            other = unseen.listed[at + 1 + left + roll(root.control, unseen.listed[at] - left)]
            card = cards[other]
            cards[other] = cards[unseen.listed[at + 1 + left]]
            cards[unseen.listed[at + 1 + left]] = card
        at = at + 1 + unseen.listed[at]
    if given.VALUES_PER_CARD > 0:
        all_stay(root, world)
    for _ in range(0, unseen.values):
        world.registers[unseen.listed[at]] = unseen.listed[at + 2 + roll(root.control, unseen.listed[at + 1])]
        at = at + 2 + unseen.listed[at + 1]
    for _ in range(0, unseen.held):
        world.registers[unseen.listed[at]] = cards[unseen.listed[at + 1]]
        at = at + 2
