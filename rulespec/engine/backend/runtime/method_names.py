"""What the functions of methods.py refer to as `given.NAME`, for tools that check types."""

from rulespec.engine.backend.llvm.compiler import i64

ACT: i64
APPLIED: i64
ASKED: i64
CHOICES: i64
DESK: i64
DESK_ASKED: i64
DESK_LEGAL: i64
DESK_PLACE: i64
DESK_PLAYER: i64
FIRST_LEGAL: i64
FRAME: i64
LEGAL: i64
LISTED: i64
NOTHING: i64
OWN: i64
PLACE: i64
PLACES: i64
PLAYER: i64
SECRET: i64
SIMULTANEOUS: i64
SLOTS: i64
