"""Lifts saved states to the present version of their game: the same choices, which lead to the same cards."""

from __future__ import annotations

import json
from typing import Any

from rulespec.api import Spec
from rulespec.changes.both import Both
from rulespec.engine.log import lines
from rulespec.engine.running import StateError
from rulespec.engine.state import State
from rulespec.lift.logs import Lifted, NotLifted, by_words, game_of

_SAME = ("zones", "random")
"""What must be the same in a state of another version: where all cards lie, and what is drawn next. The numbers of
registers depend on the version."""


def lifted_state(text: str, spec: Spec, old: Spec | None) -> Lifted:
    """A saved state on the present version of its game; `old` is the version that it is of, if it is kept.

    Raises NotLifted for one that cannot be lifted, and ValueError for a setting that the present version does not have.
    """
    data: dict[str, Any] = json.loads(text)
    try:
        state = _replayed(data, spec)
    except StateError as error:
        return _by_words(data, spec, old, str(error))
    now = state.snapshot()
    if any(now[part] != data["state"].get(part) for part in _SAME):
        return _by_words(data, spec, old, "its choices lead to another position now")
    return Lifted(f"{state.to_json()}\n", lines=False)


def _by_words(data: dict[str, Any], spec: Spec, old: Spec | None, reason: str) -> Lifted:
    if old is None:
        version = f"version {data.get('version')}, with which it was saved, is not kept in specs/history"
        raise NotLifted(f"{reason}; {version}")
    try:
        was = _replayed(data, old)
    except StateError as error:
        raise NotLifted(f"it does not replay on its own version either: {error}") from None
    log = "".join(f"{line}\n" for line in lines(was))
    state, other = by_words(log, was, spec, Both(old.model, spec.model).names)
    return Lifted(f"{state.to_json()}\n", True, False, other)


def _replayed(data: dict[str, Any], spec: Spec) -> State:
    state = game_of(spec, data).new_initial_state(data["seed"])
    for player, action in [*data["history"], *data.get("decided", [])]:
        state.apply_action(action, player)
    return state
