"""The public JSON form of paired games, version 1."""

from __future__ import annotations

import math
from typing import Any

from rulespec.versions.paired.difference import Difference
from rulespec.versions.paired.run import Change, Result
from rulespec.versions.paired.view import significant


def to_dict(result: Result, first: Difference | None = None) -> dict[str, Any]:
    """The run, the first difference (None if no pair differs) and every figure, as JSON data."""
    firm = significant(result)
    return {
        "version": 1,
        "game": result.pair.new.spec.id,
        "players": result.pair.players,
        "bot": result.bot,
        "pairs": result.games,
        "seed": result.seed,
        "engine": result.engine,
        "seconds": result.seconds,
        "differing": result.counted.differing,
        "other_moves": result.counted.moves,
        "first": None if first is None else _first(first),
        "figures": [_figure(one, i in firm) for i, one in enumerate(result.changes)],
    }


def _first(first: Difference) -> dict[str, Any]:
    decision = None
    if first.decision is not None:
        player = None if first.player is None else first.player + 1
        decision = {"number": first.decision, "player": player, "old": first.old_decision, "new": first.new_decision}
    said = {"rule": first.rule, "changed": first.changed, "old": first.old, "new": first.new}
    return {"pair": first.number, **said, "decision": decision}


def _figure(change: Change, shows: bool) -> dict[str, Any]:
    difference = {key: _number(value) for key, value in change.difference.to_dict().items()}
    return {
        "figure": change.figure.group,
        "name": change.figure.name,
        "old": change.before,
        "new": change.after,
        "difference": difference.pop("value"),
        **difference,
        "pairs_differing": change.differing,
        "significant": shows,
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
