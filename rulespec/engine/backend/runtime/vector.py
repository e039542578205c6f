"""Many games in machine code, in addition to segments.py. Never imported, but compiled with it.

A game is a block of STATE numbers: whose turn it is (`Turn`), then the arrays of machine_vector.py. Players who decide
at once are asked one after another; what they choose is carried out when the last one has chosen. A game that ends is
followed by another one in the same slot. `p` holds the numbers of `Vector`.
"""

from typing import TYPE_CHECKING

from rulespec.engine.backend.llvm.compiler import cold, f32s, i32s, i64, i64s, part, u8s, u64, u64s
from rulespec.engine.backend.runtime.common import below, stream

if TYPE_CHECKING:
    from rulespec.engine.backend.runtime.vector_names import (
        ACTIONS,
        ASKED,
        ASKED_BY,
        BEGUN,
        BLOCK,
        CHOSEN,
        COUNT,
        DEALT,
        ENDED,
        FIRST,
        HISTORY_TOO,
        LEGAL,
        LISTED,
        MASK_ROW,
        MOST_EMPTY,
        NUMBER,
        PLAYERS,
        REWARD_ROW,
        SEAT,
        SEED,
        SIGHT,
        SIGHT_ROW,
        SIMULTANEOUS,
        STATE,
        STUCK,
        WAIT,
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
def deal(p: i64s, state: i64s, scratch: i64s, slot: i64, seeds: u64s, policies: u64s) -> None:
    """Begins the next game of a slot that has a decision."""
    state[SEAT] = 0 - 1
    tries = 0
    while state[SEAT] < 0 and tries < MOST_EMPTY:
        state[NUMBER] = state[NUMBER] + p[DEALT]
        game = stream(u64(p[SEED]), state[NUMBER])
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


def write_mask(p: i64s, state: i64s, masks: u8s, slot: i64, content: i64) -> None:
    """Writes a number for every legal action: a row may have thousands of others."""
    if p[MASK_ROW]:
        mask = part(u8s, masks, slot * p[MASK_ROW], ACTIONS)
        first = LEGAL + state[FIRST]
        for place in range(first, first + state[COUNT]):
            mask[state[place]] = content


def show(
    p: i64s,
    state: i64s,
    scratch: i64s,
    slot: i64,
    drawn: i64s,
    sights: f32s,
    masks: u8s,
    players: i32s,
    policies: u64s,
) -> None:
    """Writes what a learner reads of a game, and draws a legal action."""
    players[slot] = state[SEAT]
    if state[SEAT] >= 0:
        policy, place = below(policies[slot], state[COUNT])
        policies[slot] = policy
        drawn[slot] = state[LEGAL + state[FIRST] + place]
        write_mask(p, state, masks, slot, 1)
        if p[SIGHT_ROW]:
            sight = part(f32s, sights, slot * p[SIGHT_ROW], SIGHT)
            renew_view(state, scratch, state[SEAT], deciding(state), p[HISTORY_TOO], sight)


def share(number: i64, divisor: i64) -> i64:
    """A part of a whole as a byte."""
    return min((510 * number + divisor) // (2 * divisor), 255)


# for callers, which give all arrays to each


def begin(
    p: i64s,
    states: i64s,
    scratch: i64s,
    actions: i64s,
    drawn: i64s,
    sights: f32s,
    finals: f32s,
    masks: u8s,
    players: i32s,
    rewards: i32s,
    done: u8s,
    seeds: u64s,
    policies: u64s,
    slots: i64,
) -> None:
    """Begins the first game of each slot."""
    p[BEGUN] = 0
    for slot in range(0, slots):
        state = part(i64s, states, slot * STATE, STATE)
        state[NUMBER] = p[BLOCK] + slot - p[DEALT]
        done[slot] = 0
        worth = part(i32s, rewards, slot * p[REWARD_ROW], PLAYERS)
        for seat in range(0, PLAYERS):
            worth[seat] = 0
        if p[MASK_ROW]:
            mask = part(u8s, masks, slot * p[MASK_ROW], ACTIONS)
            for action in range(0, ACTIONS):
                mask[action] = 0
        if p[SIGHT_ROW]:
            sight = part(f32s, sights, slot * p[SIGHT_ROW], SIGHT)
            clear_view(state, scratch, sight)
        deal(p, state, scratch, slot, seeds, policies)
        show(p, state, scratch, slot, drawn, sights, masks, players, policies)
    p[ENDED] = 0


def refused(
    p: i64s,
    states: i64s,
    scratch: i64s,
    actions: i64s,
    drawn: i64s,
    sights: f32s,
    finals: f32s,
    masks: u8s,
    players: i32s,
    rewards: i32s,
    done: u8s,
    seeds: u64s,
    policies: u64s,
    slots: i64,
) -> i64:
    """The first slot whose action is neither legal nor to wait, -1 if there is none."""
    for slot in range(0, slots):
        if actions[slot] != WAIT and actions[slot] != drawn[slot]:
            state = part(i64s, states, slot * STATE, STATE)
            if not is_legal(state, actions[slot]):
                return slot
    return 0 - 1


def advance(
    p: i64s,
    states: i64s,
    scratch: i64s,
    actions: i64s,
    drawn: i64s,
    sights: f32s,
    finals: f32s,
    masks: u8s,
    players: i32s,
    rewards: i32s,
    done: u8s,
    seeds: u64s,
    policies: u64s,
    slots: i64,
) -> None:
    """Carries out a legal action in each slot that does not wait."""
    p[BEGUN] = p[BEGUN] + 1
    for slot in range(0, slots):
        state = part(i64s, states, slot * STATE, STATE)
        worth = part(i32s, rewards, slot * p[REWARD_ROW], PLAYERS)
        if done[slot]:
            for seat in range(0, PLAYERS):
                worth[seat] = 0
        done[slot] = 0
        if actions[slot] != WAIT:
            actor = state[SEAT]
            write_mask(p, state, masks, slot, 0)
            take_turn(state, scratch, actions[slot])
            done[slot] = state[SEAT] < 0
            if state[SEAT] < 0:
                write_worth(state, scratch, worth)
                if p[SIGHT_ROW]:
                    final = part(f32s, finals, slot * p[SIGHT_ROW], SIGHT)
                    write_view(state, scratch, actor, 0, p[HISTORY_TOO], final)
                deal(p, state, scratch, slot, seeds, policies)
            show(p, state, scratch, slot, drawn, sights, masks, players, policies)
    p[ENDED] = p[BEGUN]
