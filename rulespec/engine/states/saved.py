"""Saved states: JSON with the seed and the choices of a game, and with the numbers of the state to verify them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rulespec.base.messages import say
from rulespec.engine.interpreter.running import StateError


def read_saved(text: str, identity: Mapping[str, Any]) -> dict[str, Any]:
    """The parsed text of a saved state of the game with this identity. Raises StateError for any other text."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StateError(say("the text is not JSON: {error}", error=error)) from None
    if not isinstance(data, dict):
        raise StateError(say("the text is not a saved state: it is not a JSON object"))
    for key, value in identity.items():
        if data.get(key) != value:
            raise StateError(
                say(
                    "the saved state belongs to another game: its {key} is {found!r}, not {value!r}",
                    key=key,
                    found=data.get(key),
                    value=value,
                )
            )
    lists = [data.get("history"), data.get("decided", [])]
    if not isinstance(data.get("seed"), int) or not all(isinstance(one, list) and _choices(one) for one in lists):
        raise StateError(say("the saved state has no valid seed or history"))
    return data


def _choices(listed: list[Any]) -> bool:
    """Whether a list holds pairs of player and action."""
    # Not `isinstance`: true and false are integers, too.
    return all(isinstance(c, list) and len(c) == 2 and all(type(part) is int for part in c) for c in listed)
