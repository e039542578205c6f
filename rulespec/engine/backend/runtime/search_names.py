"""The names that search.py refers to, for tools that check types: numbers and tables that machine_search.py
gives, and functions that it writes. Never imported otherwise."""

from rulespec.engine.backend.llvm.compiler import i16s, i64, i64s, u64, u64s

ACTION: i64
UNSEEN: i64
SEAT_NUMBERS: i64
CHOSEN: i64
ABSENT: i64
AVAILABLE: i64
BACKED: i64
DEPTH: i64
DEVIATIONS: i64
EDGE: i64
EDGES: i64
EXPLORATION: i64
GROWS: i64
HIGHEST: i64
LEAST: i64
LOWEST: i64
MASK: i64
MOST: i64
MOST_EDGES: i64
MOST_POINTS: i64
NEXT: i64
NOTED: i64
ORDERED: i64
PLACE_AT_ROOT: i64
PLAYERS: i64
POINT: i64
RANDOM: i64
RANKS: i64
RETURNS: i64
REWARDS: i64
ROOM: i64
SCORES: i64
SCORE_SIGN: i64
SEAT: i64
SIMULTANEOUS: i64
SLOT_COUNT: i64
STEPS: i64
STOP: i64
SUM: i64
TABLED: i64
TIE_BREAK: i64
TOTAL: i64
UNORDERED: i64
VIEWER: i64
VISITS: i64
WEIGHTS: i64
WHOLE: i64
WORTHY: i64
W_ASKED: i64
W_LEGAL: i64
W_PLACE: i64
W_PLAYER: i64
ZONE_COUNT: i64
CARD_FACES: i64s
CARD_SLOTS: i64s
CARD_VALUES: i64s
VALUES_PER_CARD: i64
HIDDEN: i64s
HIDDEN_FROM: i64s
INVERSE_ROOTS: i64s
LOGARITHM_ROOTS: i64s
SEEN_FROM: i64s
SEEN_SLOTS: i64s
SIGHTS: i64s
WEIGHED: i64s


def run(place: i64, r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s) -> None: ...
def take(action: i64, r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s) -> i64:
    return 0


def reveal_all(r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s) -> i64:
    return 0


def weight_of(
    place: i64, player: i64, action: i64, r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s
) -> i64:
    return 0


def offers(r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s) -> i64:
    return 0


def play_on(policy: u64, r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s) -> None: ...
