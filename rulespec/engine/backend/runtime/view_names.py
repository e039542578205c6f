"""The names that the functions of observations refer to (observed.py, tensors.py,
renewed.py, described.py), for tools that check types: numbers and tables that machine_views.py gives. Never imported
otherwise."""

from rulespec.engine.backend.llvm.compiler import i64, i64s

ABSENT: i64
BATCHES: i64
CHOICE: i64
CHOICES: i64
DIGESTED: i64
FACE_COUNT: i64
HISTORY: i64
KIND: i64
LIMITLESS: i64
MOVE: i64
MOVE_ALL: i64
NUMBER_KIND: i64
ONE: i64
OPTION_COUNT: i64
PLACE_KIND: i64
PLAYERS: i64
ROOM: i64
SET: i64
SHOW: i64
SHUFFLE: i64
SINK: i64
TENSOR_SIZE: i64
UNDISCLOSED: i64
VALUE_COUNT: i64
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
RINGS: i64
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
