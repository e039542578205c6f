"""What the functions of observations and vectors refer to as `given.NAME` (observed.py, tensors.py, renewed.py,
described.py, vector.py), for tools that check types: numbers, tables and functions that machine_views.py and
machine_vector.py give."""

from rulespec.engine.backend.llvm.compiler import f32s, i32s, i64, i64s, u64

ABSENT: i64
ACTIONS: i64
ACTIONS_AT: i64
ASKED: i64
ASKED_BY: i64
BATCHES: i64
BEGUN: i64
BLOCK: i64
CHOICE: i64
CHOICES: i64
CHOSEN: i64
COUNT: i64
DEALT: i64
DIGESTED: i64
DONE_AT: i64
DRAWN_AT: i64
ENDED: i64
FACE_COUNT: i64
FINAL_OBSERVATION_AT: i64
FIRST: i64
HISTORY: i64
HISTORY_TOO: i64
KIND: i64
LEGAL: i64
LIMITLESS: i64
LISTED: i64
MASK_AT: i64
MASK_ROW: i64
MOST_EMPTY: i64
MOVE: i64
MOVE_ALL: i64
NUMBER: i64
NUMBER_KIND: i64
OBSERVATION_AT: i64
ONE: i64
OPTION_COUNT: i64
ORDERED: i64
ORIGINS_AT: i64
PATIENCE: i64
PLACE_KIND: i64
PLAYERS: i64
PLAYER_AT: i64
POLICIES_AT: i64
REWARDS_AT: i64
REWARD_ROW: i64
RINGS: i64
ROOM: i64
SCRATCH: i64
SCRATCH_AT: i64
SEAT: i64
SEEDS_AT: i64
SET: i64
SHARED: i64
SHOW: i64
SHUFFLE: i64
SIGHT: i64
SIGHT_ROW: i64
SIMULTANEOUS: i64
SINK: i64
SLOTS: i64
STATE: i64
STATES_AT: i64
STEP: i64
STUCK: i64
TAKEN_AT: i64
TENSOR_SIZE: i64
UNDISCLOSED: i64
VALUE_COUNT: i64
WAIT: i64
WAITING: i64
WIDE: i64
ZONE_COUNT: i64
ZONE_WORDS: i64
COPY_SHARES: i64s
COUNTS: i64s
FACES: i64s
FACE_SHARES: i64s
FACE_NUMBERS: i64s
FIRST_ACTIONS: i64s
FIRST_SHARES: i64s
IS_ORDERED: i64s
NOTICED_BY: i64s
SEEN_BY: i64s
MIXED_FACES: i64s
PLACES: i64s
PRIVATE_ZONES: i64s
SIZE_SHARES: i64s
TITLES: i64s
VALUE_KINDS: i64s
VALUE_LOWS: i64s
VALUE_PARTS: i64s
VALUE_SIZES: i64s
ZONE_PARTS: i64s
ZONE_VIEWERS: i64s


def begin_game(state: i64s, scratch: i64s, seed: u64) -> None: ...
def carry_out(state: i64s, scratch: i64s, action: i64) -> None: ...
def clear_view(state: i64s, scratch: i64s, out: f32s) -> None: ...
def renew_view(state: i64s, scratch: i64s, player: i64, deciders: i64, latest: i64, out: f32s) -> None: ...
def reveal_all_of(state: i64s, scratch: i64s) -> None: ...
def write_view(state: i64s, scratch: i64s, player: i64, deciders: i64, latest: i64, out: f32s) -> None: ...
def write_worth(state: i64s, scratch: i64s, worth: i32s) -> None: ...
