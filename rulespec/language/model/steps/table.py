"""The steps of the language, one row each, and the parts that only stand inside another step.

All of a construct is in its file: its fields with their keys, how it is read, what it changes, the core steps that it
is written out as, and what it says. Only core steps have rows elsewhere: what the engine makes of them
(`engine/program/compile.py`), and what holds after them (`proofs/checks/dataflow.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, Field, fields
from typing import Any

from rulespec.language.model.step import Step
from rulespec.language.model.steps.auction import Auction
from rulespec.language.model.steps.award import Award, Prize
from rulespec.language.model.steps.choose import Choose, Secret
from rulespec.language.model.steps.connect import Connect
from rulespec.language.model.steps.criteria import Criterion
from rulespec.language.model.steps.decide import Decide, DecisionRow
from rulespec.language.model.steps.do import Do
from rulespec.language.model.steps.draft import Draft, Place
from rulespec.language.model.steps.each import Each
from rulespec.language.model.steps.effect import Effect, MemberEffect
from rulespec.language.model.steps.if_ import If
from rulespec.language.model.steps.leave import End, Leave
from rulespec.language.model.steps.let import Let
from rulespec.language.model.steps.move import Move, Show
from rulespec.language.model.steps.note import Note
from rulespec.language.model.steps.option import Option
from rulespec.language.model.steps.random import Random
from rulespec.language.model.steps.rank import Rank
from rulespec.language.model.steps.remember import Forget, Remember
from rulespec.language.model.steps.repeat import Repeat
from rulespec.language.model.steps.run import Run
from rulespec.language.model.steps.set_ import Set
from rulespec.language.model.steps.shuffle import Shuffle
from rulespec.language.model.steps.transfer import Transfer

__all__ = [
    "Auction",
    "Award",
    "Choose",
    "Connect",
    "Criterion",
    "Decide",
    "DecisionRow",
    "Do",
    "Draft",
    "Each",
    "Effect",
    "End",
    "Forget",
    "If",
    "Leave",
    "Let",
    "MemberEffect",
    "Move",
    "Note",
    "Option",
    "Place",
    "Prize",
    "Random",
    "Rank",
    "Remember",
    "Repeat",
    "Run",
    "Secret",
    "Set",
    "Show",
    "Shuffle",
    "Transfer",
]

_STEPS: tuple[Any, ...] = (
    *(
        Note,
        Do,
        If,
        Repeat,
        Leave,
        End,
        Each,
        Random,
        Let,
        Choose,
        Move,
        Show,
        Shuffle,
        Set,
        Remember,
        Forget,
        Transfer,
        Connect,
        Run,
    ),
    *(Effect, Draft, Auction, Secret, Decide, Award, Rank),
)


def by_key(steps: Iterable[Any]) -> dict[str, Any]:
    """Constructs by their keys. Raises TypeError, with the name of a module, for two with one key, and for a field that
    nothing reads."""
    found: dict[str, Any] = {}
    for step in steps:
        if step.key in found:
            raise TypeError(f"{step.__module__}: the key {step.key} is that of {found[step.key].__module__}, too")
        unread = [] if hasattr(step, "read") else [item.name for item in fields(step) if _is_unread(item)]
        if unread:
            raise TypeError(f"{step.__module__}: nothing reads {', '.join(unread)} of {step.__name__}")
        found[step.key] = step
    return found


def _is_unread(item: Field[Any]) -> bool:
    """Whether a field is neither of every step nor read by its key, and has no default."""
    key = item.metadata.get("key")
    general = {one.name for one in fields(Step)}
    return item.name not in general and (key.read is None if key is not None else item.default is MISSING)


OPERATIONS = by_key(_STEPS)
"""Every step by its key. `note` and `do` may stand next to another step, which then is the one that is read."""

PARTS: dict[str, type[Step]] = {
    "option": Option,
    "draft_place": Place,
    "decide_row": DecisionRow,
    "prize": Prize,
    "criterion": Criterion,
}
"""The parts of steps that are steps themselves, by what the schema calls them."""
