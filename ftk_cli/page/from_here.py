"""Play from a place of a spec at the page: the game that leads to the decision before a rule applies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ftk_cli.page.play import PERSON

if TYPE_CHECKING:
    from rulespec import State
    from rulespec.model import Spec

SEED = 1
"""The seed of the first random game that is tried."""


def play_from(name: str, text: str, offset: int) -> dict[str, Any]:
    """What `start` needs for a game that stands before the rule at an offset, in code points; a person has the seat to
    act. Names the `rule`, too. Raises SpecError for a spec with errors, ValueError if there is no rule or no way there.
    """
    from rulespec import Source, loads
    from rulespec.scenario import before_rule

    spec = loads(Source(name, text))
    rule = _rule_at(spec.model, offset)
    games = [spec.game(players, engine="interpreter") for players in spec.players]
    found = before_rule(rule, games, SEED, (), spec)
    seats = [PERSON if seat == found.seat else "random" for seat in range(found.game.players)]
    begun = {"name": PurePosixPath(name).stem, "variant": "", "rulings": {}, "seed": found.state.seed}
    return {**begun, "seats": seats, "choices": _choices(found.state), "rule": rule}


def _choices(state: State) -> list[tuple[int, int]]:
    """All choices, with those of seats that decide at once with others and have decided."""
    return [*state.choices, *state.decided.items()]


def _rule_at(spec: Spec, offset: int) -> str:
    """The rule that an offset is in: the last one that begins before it."""
    begun = [rule for rule in spec.rules.values() if rule.span.start <= offset]
    if not begun:
        raise ValueError("There is no rule at this place.")
    return max(begun, key=lambda rule: rule.span.start).id


CALLS: Mapping[str, Callable[..., Any]] = {"play_from": play_from}
"""The calls of this module."""
