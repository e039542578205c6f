"""The table of everything a step can do: the key it is known by, and what reads it."""

from __future__ import annotations

from rulespec.model import blocks, core_steps
from rulespec.model.steps import Parser

OPERATIONS: dict[str, Parser] = {
    # These two have a `do` beside them, and a note may stand beside anything.
    "each": core_steps.each,
    "random": core_steps.random,
    "do": core_steps.do,
    "if": core_steps.if_,
    "repeat": core_steps.repeat,
    "leave": core_steps.leave,
    "choose": core_steps.choose,
    "move": core_steps.move,
    "shuffle": core_steps.shuffle,
    "set": core_steps.set_,
    "run": core_steps.run,
    "draft": blocks.draft,
    "auction": blocks.auction,
    "secret": blocks.secret,
    "decide": blocks.decide,
    "award": blocks.award,
    "rank": blocks.rank,
    "note": core_steps.note,
}
