"""What logs (`ftk play --log`) and saved states (`State.to_json`) say of themselves.

It is read without the engine, because every check asks whether its file is one.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rulespec.base.source import Source

ID = re.compile(r"[a-z][a-z0-9_]{0,60}")


def first_value(text: str) -> dict[str, Any]:
    """The JSON object that a text begins with on its first line, empty if there is none."""
    return json_object(text.partition("\n")[0])


def game_value(text: str) -> dict[str, Any]:
    """The JSON object that names the game of a log or of a saved state, empty if there is none."""
    return first_value(text) or json_object(text)


def is_log(source: Source) -> bool:
    """Whether a text begins like a log: a JSON object with `log` on its first line."""
    return "log" in first_value(source.text)


def is_state(source: Source) -> bool:
    """Whether a text is a JSON object with the `history` and the `state` of a game."""
    return source.text.lstrip().startswith("{") and {"history", "state"} <= json_object(source.text).keys()


def game_of(source: Source) -> str:
    """The id of the game that a log or state names, "" if it names none."""
    value = game_value(source.text).get("game")
    return value if isinstance(value, str) and ID.fullmatch(value) else ""


def json_object(text: str) -> dict[str, Any]:
    """The JSON object that a text is, empty if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
