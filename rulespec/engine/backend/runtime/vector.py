"""Many games in machine code, in addition to segments.py. Never imported, but compiled with it.

A game is a block of STATE numbers: whose turn it is (`Turn`), then the arrays of machine_vector.py. Players who decide
at once are asked one after another; what they choose is carried out when the last one has chosen. A game that ends is
followed by another one in the same slot. `p` holds the numbers and the addresses of arrays that `Vector` gives
(`Parameter`).
"""

from typing import TYPE_CHECKING

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
from rulespec.engine.backend.runtime.common import below, stream

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.view_names import (
        ACTIONS,
        ACTIONS_AT,
        ASKED,
        ASKED_BY,
        BEGUN,
        BLOCK,
        CHOSEN,
        COUNT,
        DEALT,
        DONE_AT,
        DRAWN_AT,
        ENDED,
        FINAL_OBSERVATION_AT,
        FIRST,
        HISTORY_TOO,
        LEGAL,
        LISTED,
        MASK_AT,
        MASK_ROW,
        MOST_EMPTY,
        NUMBER,
        OBSERVATION_AT,
        ORDERED,
        ORIGINS_AT,
        PATIENCE,
        PLAYER_AT,
        PLAYERS,
        POLICIES_AT,
        REWARD_ROW,
        REWARDS_AT,
        SCRATCH,
        SCRATCH_AT,
        SEAT,
        SEEDS_AT,
        SHARED,
        SIGHT,
        SIGHT_ROW,
        SIMULTANEOUS,
        SLOTS,
        STATE,
        STATES_AT,
        STEP,
        STUCK,
        TAKEN_AT,
        WAIT,
        WAITING,
        begin_game,
        carry_out,
        clear_view,
        renew_view,
        reveal_all_of,
        write_view,
        write_worth,
    )


# turns


def next_seat(state: i64s, seat: i64) -> None:
    """The next of several players who decide at once, from a seat on; PLAYERS if all have chosen."""
    state[FIRST] = state[FIRST] + state[COUNT]
    while seat < PLAYERS and state[ASKED + seat] == 0:
        seat = seat + 1
    state[SEAT] = seat
    state[COUNT] = state[ASKED + seat] if seat < PLAYERS else 0


def first_turn(state: i64s) -> None:
    """Whose turn it is where the program has stopped."""
    state[FIRST] = 0
    state[COUNT] = state[LISTED]
    state[SEAT] = state[ASKED_BY]
    if state[ASKED_BY] == SIMULTANEOUS:
        state[COUNT] = 0
        for seat in range(0, PLAYERS):
            state[CHOSEN + seat] = 0 - 1
        next_seat(state, 0)


def take_turn(state: i64s, scratch: i64s, action: i64) -> None:
    """Carries out a legal action, and what follows from it."""
    if state[ASKED_BY] == SIMULTANEOUS:
        state[CHOSEN + state[SEAT]] = action
        next_seat(state, state[SEAT] + 1)
        if state[SEAT] < PLAYERS:
            return
        reveal_all_of(state, scratch)
    else:
        carry_out(state, scratch, action)
    first_turn(state)


def is_legal(state: i64s, action: i64) -> i64:
    """Whether an action is among the legal ones, which rise."""
    low = LEGAL + state[FIRST]
    high = low + state[COUNT]
    while low < high:
        middle = (low + high) >> 1
        if state[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < LEGAL + state[FIRST] + state[COUNT] and state[low] == action


# games


@cold
def deal(p: i64s, state: i64s, scratch: i64s, slot: i64) -> None:
    """Begins the next game of a slot that has a decision."""
    seeds = pointer(u64s, p[SEEDS_AT], p[SLOTS])
    policies = pointer(u64s, p[POLICIES_AT], p[SLOTS])
    origins = pointer(u64s, p[ORIGINS_AT], p[SLOTS])
    state[SEAT] = 0 - 1
    tries = 0
    while state[SEAT] < 0 and tries < MOST_EMPTY:
        state[NUMBER] = state[NUMBER] + p[DEALT]
        game = stream(origins[slot], state[NUMBER])
        seeds[slot] = stream(game, 0)
        policies[slot] = stream(game, 1)
        begin_game(state, scratch, stream(game, 0))
        first_turn(state)
        tries = tries + 1
    if state[SEAT] < 0:
        p[STUCK] = 1


def deciding(state: i64s) -> i64:
    """A bit for every seat that decides now."""
    if state[ASKED_BY] != SIMULTANEOUS:
        return 1 << state[SEAT] if state[SEAT] >= 0 else 0
    seats = 0
    for seat in range(0, PLAYERS):
        if state[ASKED + seat]:
            seats = seats | (1 << seat)
    return seats


def write_mask(p: i64s, state: i64s, slot: i64, content: i64) -> None:
    """Writes a number for every legal action: a row may have thousands of others."""
    if p[MASK_ROW]:
        mask = pointer(u8s, p[MASK_AT] + slot * p[MASK_ROW], ACTIONS)
        first = LEGAL + state[FIRST]
        for place in range(first, first + state[COUNT]):
            mask[state[place]] = content


def draw(p: i64s, state: i64s, slot: i64) -> i64:
    """Draws a legal action."""
    policies = pointer(u64s, p[POLICIES_AT], p[SLOTS])
    policy, place = below(policies[slot], state[COUNT])
    policies[slot] = policy
    return state[LEGAL + state[FIRST] + place]


def show(p: i64s, state: i64s, scratch: i64s, slot: i64) -> None:
    """Writes what a learner reads of a game. Where no game has a decision, only to wait is possible."""
    players = pointer(i32s, p[PLAYER_AT], p[SLOTS])
    actions = pointer(i64s, p[ACTIONS_AT], p[SLOTS])
    drawn = pointer(i64s, p[DRAWN_AT], p[SLOTS])
    players[slot] = state[SEAT]
    drawn[slot] = WAIT
    if state[SEAT] >= 0:
        drawn[slot] = draw(p, state, slot)
        write_mask(p, state, slot, 1)
        if p[SIGHT_ROW]:
            sights = pointer(f32s, p[OBSERVATION_AT], p[SLOTS] * p[SIGHT_ROW])
            sight = part(f32s, sights, slot * p[SIGHT_ROW], SIGHT)
            renew_view(state, scratch, state[SEAT], deciding(state), p[HISTORY_TOO], sight)
    actions[slot] = drawn[slot]  # what callers write there is not trusted


def share(number: i64, divisor: i64) -> i64:
    """A part of a whole as a byte."""
    return min((510 * number + divisor) // (2 * divisor), 255)


def begin_slot(p: i64s, state: i64s, scratch: i64s, slot: i64) -> None:
    """Begins the first game of a slot. What the arrays hold may be that of an interrupted step."""
    rewards = pointer(i32s, p[REWARDS_AT], p[SLOTS] * p[REWARD_ROW])
    done = pointer(u8s, p[DONE_AT], p[SLOTS])
    state[NUMBER] = p[SHARED] * (p[BLOCK] + slot) - p[DEALT]
    done[slot] = 0
    for seat in range(0, PLAYERS):
        rewards[slot * p[REWARD_ROW] + seat] = 0
    if p[MASK_ROW]:
        mask = pointer(u8s, p[MASK_AT] + slot * p[MASK_ROW], ACTIONS)
        for action in range(0, ACTIONS):
            mask[action] = 0
    if p[SIGHT_ROW]:
        sights = pointer(f32s, p[OBSERVATION_AT], p[SLOTS] * p[SIGHT_ROW])
        sight = part(f32s, sights, slot * p[SIGHT_ROW], SIGHT)
        clear_view(state, scratch, sight)
    deal(p, state, scratch, slot)
    show(p, state, scratch, slot)


def play(p: i64s, state: i64s, scratch: i64s, slot: i64, action: i64) -> None:
    """Carries out a legal action in a slot, and begins the next game where it ends one."""
    done = pointer(u8s, p[DONE_AT], p[SLOTS])
    actor = state[SEAT]
    write_mask(p, state, slot, 0)
    take_turn(state, scratch, action)
    if state[SEAT] < 0:
        done[slot] = 1
        rewards = pointer(i32s, p[REWARDS_AT], p[SLOTS] * p[REWARD_ROW])
        worth = part(i32s, rewards, slot * p[REWARD_ROW], PLAYERS)
        write_worth(state, scratch, worth)
        if p[SIGHT_ROW]:
            finals = pointer(f32s, p[FINAL_OBSERVATION_AT], p[SLOTS] * p[SIGHT_ROW])
            final = part(f32s, finals, slot * p[SIGHT_ROW], SIGHT)
            write_view(state, scratch, actor, 0, p[HISTORY_TOO], final)
        deal(p, state, scratch, slot)
    show(p, state, scratch, slot)


# for callers


def begin(p: i64s) -> None:
    """Begins the first game of each slot."""
    scratch = pointer(i64s, p[SCRATCH_AT], SCRATCH)
    p[BEGUN] = 0
    for slot in range(0, p[SLOTS]):
        state = pointer(i64s, p[STATES_AT] + 8 * STATE * slot, STATE)
        begin_slot(p, state, scratch, slot)
    publish(p, ENDED, 0)


def refused(p: i64s) -> i64:
    """The first slot whose action is neither legal nor to wait, -1 if there is none."""
    taken = pointer(i64s, p[TAKEN_AT], p[SLOTS])
    drawn = pointer(i64s, p[DRAWN_AT], p[SLOTS])
    for slot in range(0, p[SLOTS]):
        if taken[slot] != drawn[slot] and taken[slot] != WAIT:
            state = pointer(i64s, p[STATES_AT] + 8 * STATE * slot, STATE)
            if not is_legal(state, taken[slot]):
                return slot
    return 0 - 1


def advance(p: i64s) -> None:
    """Carries out a legal action in each slot that does not wait."""
    scratch = pointer(i64s, p[SCRATCH_AT], SCRATCH)
    taken = pointer(i64s, p[TAKEN_AT], p[SLOTS])
    actions = pointer(i64s, p[ACTIONS_AT], p[SLOTS])
    drawn = pointer(i64s, p[DRAWN_AT], p[SLOTS])
    rewards = pointer(i32s, p[REWARDS_AT], p[SLOTS] * p[REWARD_ROW])
    done = pointer(u8s, p[DONE_AT], p[SLOTS])
    p[BEGUN] = p[BEGUN] + 1
    for slot in range(0, p[SLOTS]):
        if done[slot]:
            for seat in range(0, PLAYERS):
                rewards[slot * p[REWARD_ROW] + seat] = 0
        done[slot] = 0
        actions[slot] = drawn[slot]
        if taken[slot] != WAIT:
            state = pointer(i64s, p[STATES_AT] + 8 * STATE * slot, STATE)
            play(p, state, scratch, slot, taken[slot])
    publish(p, ENDED, p[BEGUN])


# threads: waking a thread takes longer than a step of a few hundred games, so it stays awake for a while


def order(p: i64s) -> None:
    """Orders the step that is wanted from another thread."""
    publish(p, ORDERED, p[STEP])


def serve(p: i64s) -> None:
    """Carries out each step that is ordered, until none has been for a while."""
    tries = 0
    while tries < PATIENCE:
        tries = tries + 1
        if fetch(p, ORDERED) > p[BEGUN]:
            advance(p)
            tries = 0
        pause()


def attend(p: i64s) -> None:
    """Waits for the step that is wanted, though not for long."""
    tries = 0
    while fetch(p, ENDED) < p[STEP] and tries < WAITING:
        tries = tries + 1
        pause()
