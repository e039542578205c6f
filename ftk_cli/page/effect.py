"""The effect of changes on play at the page: both versions play games of the same seeds, some in each call."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ftk_cli.page.versions import after, before
from rulespec.games.api import loads

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Spec as Model

SECONDS = 0.4
"""How long a call plays: other calls are answered in between."""


class Run:
    """Games of both versions that are being played."""

    def __init__(self, old: Spec, new: Spec, players: int, games: int, seed: int) -> None:
        from rulespec.play.simulate.figures import Figures

        self.sides = [(spec.game(players, engine="interpreter"), Figures(players)) for spec in (old, new)]
        self.games, self.seed = games, seed

    @property
    def done(self) -> int:
        """How many games each version has played."""
        return self.sides[-1][1].games

    def go_on(self) -> None:
        """Plays for a moment, at least one game of each version."""
        from rulespec.play.simulate.chunks import play

        end, number = time.perf_counter() + SECONDS, self.done
        while number < self.games:
            for game, figures in self.sides:
                figures.join(play(game, range(number, number + 1), self.seed).figures)
            number += 1
            if time.perf_counter() > end:
                break

    def shown(self) -> dict[str, Any]:
        """The figures so far, each as `ftk diff --play --format json` says it, the number of `games` of each version
        and that `wanted`, and whether the versions play alike."""
        from rulespec.versions.simulated import figures

        (_, old), (_, new) = self.sides
        compared = [one.to_dict() for one in figures(old, new)]
        return {"games": self.done, "wanted": self.games, "alike": old == new, "figures": compared}


_RUNS: list[Run] = []
"""The run that is under way or over: one or none."""


def effect(game: str, players: int, games: int, lang: str, seed: int = 1) -> dict[str, Any]:
    """Begins to play the versions that `changes` compares, and shows the first figures as `more` does.

    Raises SpecError if a version has errors.
    """
    _RUNS[:] = [Run(_sound(before(game)[0]), _sound(after(game)), players, games, seed)]
    return more(lang)


def more(lang: str) -> dict[str, Any]:
    """Plays on for a moment, and shows the figures so far: see `Run.shown`."""
    if not _RUNS:
        raise ValueError("no games have been started")
    _RUNS[-1].go_on()
    return _RUNS[-1].shown()


def _sound(model: Model) -> Spec:
    return loads(model.source)


CALLS: Mapping[str, Callable[..., Any]] = {"effect": effect, "more": more}
