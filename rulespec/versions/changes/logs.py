"""Logs of games that no longer replay, and the move at which they stop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulespec.base.source import Source
from rulespec.engine.states.log import LogError, replay_on, rulings_of
from rulespec.games.api import Spec
from rulespec.games.saved_heads import first_value


@dataclass(frozen=True)
class Stuck:
    """A log that replays on the old version and not on the new one.

    `line` is the first line that differs. `says`, `player` and `rule` are those of the last choice up to there, and
    `number` counts it among the choices; 0 if there is none. `lost` says whether the choice itself is no longer there;
    otherwise something else comes of it. `reason` is why the game cannot be set up at all, "" if it can.
    """

    path: str
    line: int
    number: int = 0
    says: str = ""
    player: int = 0
    rule: str = ""
    lost: bool = False
    reason: str = ""


def replays(log: Source, spec: Spec) -> bool:
    """Whether a log is of this version: all of it replays."""
    head = first_value(log.text)
    return head.get("game") == spec.id and _first_difference(log, head, spec) is None


def stuck(log: Source, now: Spec) -> Stuck | None:
    """Where a log of the old version stops on the new one; None if it does not."""
    found = _first_difference(log, first_value(log.text), now)
    if found is None:
        return None
    line, reason = found
    return Stuck(log.path, line, reason=reason) if reason else _at(log, line)


def _first_difference(log: Source, head: dict[str, Any], spec: Spec) -> tuple[int, str] | None:
    """The first line of a log that differs on a version, or why the game cannot be set up; None if all agree."""
    try:
        game = spec.game(head.get("players"), rulings_of(spec.model, head), "interpreter")
        replay_on(game, log.text)
    except LogError as error:
        return error.line, ""
    except (TypeError, ValueError) as error:
        return 1, str(error)
    return None


def _at(log: Source, line: int) -> Stuck:
    choices = [(at, one) for at, one in enumerate(_events(log.text), 1) if at <= line and one.get("event") == "choice"]
    if not choices:
        return Stuck(log.path, line)
    at, one = choices[-1]
    says, rule = (str(one.get(key, "")) for key in ("says", "rule"))
    player = one.get("player")
    return Stuck(log.path, line, len(choices), says, player if isinstance(player, int) else 0, rule, at == line)


def _events(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = {}
        yield value if isinstance(value, dict) else {}
