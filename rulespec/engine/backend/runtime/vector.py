"""Many games in machine code, in addition to segments.py. Never imported, but compiled with it.

A game is a block of STATE numbers: whose turn it is (`Turn`), then the arrays of machine_vector.py. Players who decide
at once are asked one after another; what they choose is carried out when the last one has chosen. A game that ends is
followed by another one in the same slot. `p` holds the numbers and the addresses of arrays that `Vector` gives
(`Parameter`).
"""

from rulespec.engine.backend.llvm.compiler import (
    cold,
    f32s,
    fetch,
    i32s,
    i64,
    i64s,
    part,
    pause,
    pointer,
    publish,
    u8s,
    u64s,
)
from rulespec.engine.backend.runtime import view_names as given
from rulespec.engine.backend.runtime.common import below, stream

# turns


def next_seat(state: i64s, seat: i64) -> None:
    """The next of several players who decide at once, from a seat on; PLAYERS if all have chosen."""
    state[given.FIRST] = state[given.FIRST] + state[given.COUNT]
    while seat < given.PLAYERS and state[given.ASKED + seat] == 0:
        seat = seat + 1
    state[given.SEAT] = seat
    state[given.COUNT] = state[given.ASKED + seat] if seat < given.PLAYERS else 0


def first_turn(state: i64s) -> None:
    """Whose turn it is where the program has stopped."""
    state[given.FIRST] = 0
    state[given.COUNT] = state[given.LISTED]
    state[given.SEAT] = state[given.ASKED_BY]
    if state[given.ASKED_BY] == given.SIMULTANEOUS:
        state[given.COUNT] = 0
        for seat in range(0, given.PLAYERS):
            state[given.CHOSEN + seat] = 0 - 1
        next_seat(state, 0)


def take_turn(state: i64s, scratch: i64s, action: i64) -> None:
    """Carries out a legal action, and what follows from it."""
    if state[given.ASKED_BY] == given.SIMULTANEOUS:
        state[given.CHOSEN + state[given.SEAT]] = action
        next_seat(state, state[given.SEAT] + 1)
        if state[given.SEAT] < given.PLAYERS:
            return
        given.reveal_all_of(state, scratch)
    else:
        given.carry_out(state, scratch, action)
    first_turn(state)


def is_legal(state: i64s, action: i64) -> i64:
    """Whether an action is among the legal ones, which rise."""
    low = given.LEGAL + state[given.FIRST]
    high = low + state[given.COUNT]
    while low < high:
        middle = (low + high) >> 1
        if state[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < given.LEGAL + state[given.FIRST] + state[given.COUNT] and state[low] == action


# games


@cold
def deal(p: i64s, state: i64s, scratch: i64s, slot: i64) -> None:
    """Begins the next game of a slot that has a decision."""
    seeds = pointer(u64s, p[given.SEEDS_AT], p[given.SLOTS])
    policies = pointer(u64s, p[given.POLICIES_AT], p[given.SLOTS])
    origins = pointer(u64s, p[given.ORIGINS_AT], p[given.SLOTS])
    state[given.SEAT] = 0 - 1
    tries = 0
    while state[given.SEAT] < 0 and tries < given.MOST_EMPTY:
        state[given.NUMBER] = state[given.NUMBER] + p[given.DEALT]
        game = stream(origins[slot], state[given.NUMBER])
        seeds[slot] = stream(game, 0)
        policies[slot] = stream(game, 1)
        given.begin_game(state, scratch, stream(game, 0))
        first_turn(state)
        tries = tries + 1
    if state[given.SEAT] < 0:
        p[given.STUCK] = 1


def deciding(state: i64s) -> i64:
    """A bit for every seat that decides now."""
    if state[given.ASKED_BY] != given.SIMULTANEOUS:
        return 1 << state[given.SEAT] if state[given.SEAT] >= 0 else 0
    seats = 0
    for seat in range(0, given.PLAYERS):
        if state[given.ASKED + seat]:
            seats = seats | (1 << seat)
    return seats


def write_mask(p: i64s, state: i64s, slot: i64, content: i64) -> None:
    """Writes a number for every legal action: a row may have thousands of others."""
    if p[given.MASK_ROW]:
        mask = pointer(u8s, p[given.MASK_AT] + slot * p[given.MASK_ROW], given.ACTIONS)
        first = given.LEGAL + state[given.FIRST]
        for place in range(first, first + state[given.COUNT]):
            mask[state[place]] = content


def draw(p: i64s, state: i64s, slot: i64) -> i64:
    """Draws a legal action."""
    policies = pointer(u64s, p[given.POLICIES_AT], p[given.SLOTS])
    policy, place = below(policies[slot], state[given.COUNT])
    policies[slot] = policy
    return state[given.LEGAL + state[given.FIRST] + place]


def show(p: i64s, state: i64s, scratch: i64s, slot: i64) -> None:
    """Writes what a learner reads of a game. Where no game has a decision, only to wait is possible."""
    players = pointer(i32s, p[given.PLAYER_AT], p[given.SLOTS])
    actions = pointer(i64s, p[given.ACTIONS_AT], p[given.SLOTS])
    drawn = pointer(i64s, p[given.DRAWN_AT], p[given.SLOTS])
    players[slot] = state[given.SEAT]
    drawn[slot] = given.WAIT
    if state[given.SEAT] >= 0:
        drawn[slot] = draw(p, state, slot)
        write_mask(p, state, slot, 1)
        if p[given.SIGHT_ROW]:
            sights = pointer(f32s, p[given.OBSERVATION_AT], p[given.SLOTS] * p[given.SIGHT_ROW])
            sight = part(f32s, sights, slot * p[given.SIGHT_ROW], given.SIGHT)
            given.renew_view(state, scratch, state[given.SEAT], deciding(state), p[given.HISTORY_TOO], sight)
    actions[slot] = drawn[slot]  # what callers write there is not trusted


def share(number: i64, divisor: i64) -> i64:
    """A part of a whole as a byte."""
    return min((510 * number + divisor) // (2 * divisor), 255)


def begin_slot(p: i64s, state: i64s, scratch: i64s, slot: i64) -> None:
    """Begins the first game of a slot. What the arrays hold may be that of an interrupted step."""
    rewards = pointer(i32s, p[given.REWARDS_AT], p[given.SLOTS] * p[given.REWARD_ROW])
    done = pointer(u8s, p[given.DONE_AT], p[given.SLOTS])
    state[given.NUMBER] = p[given.SHARED] * (p[given.BLOCK] + slot) - p[given.DEALT]
    done[slot] = 0
    for seat in range(0, given.PLAYERS):
        rewards[slot * p[given.REWARD_ROW] + seat] = 0
    if p[given.MASK_ROW]:
        mask = pointer(u8s, p[given.MASK_AT] + slot * p[given.MASK_ROW], given.ACTIONS)
        for action in range(0, given.ACTIONS):
            mask[action] = 0
    if p[given.SIGHT_ROW]:
        sights = pointer(f32s, p[given.OBSERVATION_AT], p[given.SLOTS] * p[given.SIGHT_ROW])
        sight = part(f32s, sights, slot * p[given.SIGHT_ROW], given.SIGHT)
        given.clear_view(state, scratch, sight)
    deal(p, state, scratch, slot)
    show(p, state, scratch, slot)


def play(p: i64s, state: i64s, scratch: i64s, slot: i64, action: i64) -> None:
    """Carries out a legal action in a slot, and begins the next game where it ends one."""
    done = pointer(u8s, p[given.DONE_AT], p[given.SLOTS])
    actor = state[given.SEAT]
    write_mask(p, state, slot, 0)
    take_turn(state, scratch, action)
    if state[given.SEAT] < 0:
        done[slot] = 1
        rewards = pointer(i32s, p[given.REWARDS_AT], p[given.SLOTS] * p[given.REWARD_ROW])
        worth = part(i32s, rewards, slot * p[given.REWARD_ROW], given.PLAYERS)
        given.write_worth(state, scratch, worth)
        if p[given.SIGHT_ROW]:
            finals = pointer(f32s, p[given.FINAL_OBSERVATION_AT], p[given.SLOTS] * p[given.SIGHT_ROW])
            final = part(f32s, finals, slot * p[given.SIGHT_ROW], given.SIGHT)
            given.write_view(state, scratch, actor, 0, p[given.HISTORY_TOO], final)
        deal(p, state, scratch, slot)
    show(p, state, scratch, slot)


# for callers


def begin(p: i64s) -> None:
    """Begins the first game of each slot."""
    scratch = pointer(i64s, p[given.SCRATCH_AT], given.SCRATCH)
    p[given.BEGUN] = 0
    for slot in range(0, p[given.SLOTS]):
        state = pointer(i64s, p[given.STATES_AT] + 8 * given.STATE * slot, given.STATE)
        begin_slot(p, state, scratch, slot)
    publish(p, given.ENDED, 0)


def refused(p: i64s) -> i64:
    """The first slot whose action is neither legal nor to wait, -1 if there is none."""
    taken = pointer(i64s, p[given.TAKEN_AT], p[given.SLOTS])
    drawn = pointer(i64s, p[given.DRAWN_AT], p[given.SLOTS])
    for slot in range(0, p[given.SLOTS]):
        if taken[slot] != drawn[slot] and taken[slot] != given.WAIT:
            state = pointer(i64s, p[given.STATES_AT] + 8 * given.STATE * slot, given.STATE)
            if not is_legal(state, taken[slot]):
                return slot
    return 0 - 1


def advance(p: i64s) -> None:
    """Carries out a legal action in each slot that does not wait."""
    scratch = pointer(i64s, p[given.SCRATCH_AT], given.SCRATCH)
    taken = pointer(i64s, p[given.TAKEN_AT], p[given.SLOTS])
    actions = pointer(i64s, p[given.ACTIONS_AT], p[given.SLOTS])
    drawn = pointer(i64s, p[given.DRAWN_AT], p[given.SLOTS])
    rewards = pointer(i32s, p[given.REWARDS_AT], p[given.SLOTS] * p[given.REWARD_ROW])
    done = pointer(u8s, p[given.DONE_AT], p[given.SLOTS])
    p[given.BEGUN] = p[given.BEGUN] + 1
    for slot in range(0, p[given.SLOTS]):
        if done[slot]:
            for seat in range(0, given.PLAYERS):
                rewards[slot * p[given.REWARD_ROW] + seat] = 0
        done[slot] = 0
        actions[slot] = drawn[slot]
        if taken[slot] != given.WAIT:
            state = pointer(i64s, p[given.STATES_AT] + 8 * given.STATE * slot, given.STATE)
            play(p, state, scratch, slot, taken[slot])
    publish(p, given.ENDED, p[given.BEGUN])


# threads: waking a thread takes longer than a step of a few hundred games, so it stays awake for a while


def order(p: i64s) -> None:
    """Orders the step that is wanted from another thread."""
    publish(p, given.ORDERED, p[given.STEP])


def serve(p: i64s) -> None:
    """Carries out each step that is ordered, until none has been for a while."""
    tries = 0
    while tries < given.PATIENCE:
        tries = tries + 1
        if fetch(p, given.ORDERED) > p[given.BEGUN]:
            advance(p)
            tries = 0
        pause()


def attend(p: i64s) -> None:
    """Waits for the step that is wanted, though not for long."""
    tries = 0
    while fetch(p, given.ENDED) < p[given.STEP] and tries < given.WAITING:
        tries = tries + 1
        pause()
