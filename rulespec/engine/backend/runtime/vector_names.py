"""The names that vector.py refers to, for tools that check types: numbers and functions that machine_vector.py gives.
Never imported otherwise."""

from rulespec.engine.backend.llvm.compiler import f32s, i32s, i64, i64s, u64

ACTIONS: i64
ACTIONS_AT: i64
ASKED: i64
ASKED_BY: i64
BEGUN: i64
BLOCK: i64
CHOSEN: i64
COUNT: i64
DEALT: i64
DONE_AT: i64
DRAWN_AT: i64
ENDED: i64
FINAL_OBSERVATION_AT: i64
FIRST: i64
HISTORY_TOO: i64
LEGAL: i64
LISTED: i64
MASK_AT: i64
MASK_ROW: i64
MOST_EMPTY: i64
NUMBER: i64
OBSERVATION_AT: i64
ORDERED: i64
ORIGINS_AT: i64
PATIENCE: i64
PLAYERS: i64
PLAYER_AT: i64
POLICIES_AT: i64
REWARDS_AT: i64
REWARD_ROW: i64
SCRATCH: i64
SCRATCH_AT: i64
SEAT: i64
SEEDS_AT: i64
SHARED: i64
SIGHT: i64
SIGHT_ROW: i64
SIMULTANEOUS: i64
SLOTS: i64
STATE: i64
STATES_AT: i64
STEP: i64
STUCK: i64
TAKEN_AT: i64
WAIT: i64
WAITING: i64


def begin_game(state: i64s, scratch: i64s, seed: u64) -> None: ...
def carry_out(state: i64s, scratch: i64s, action: i64) -> None: ...
def clear_view(state: i64s, scratch: i64s, out: f32s) -> None: ...
def renew_view(state: i64s, scratch: i64s, player: i64, deciders: i64, latest: i64, out: f32s) -> None: ...
def reveal_all_of(state: i64s, scratch: i64s) -> None: ...
def write_view(state: i64s, scratch: i64s, player: i64, deciders: i64, latest: i64, out: f32s) -> None: ...
def write_worth(state: i64s, scratch: i64s, worth: i32s) -> None: ...
