"""The effect of changes on play at the page: both versions play the same games, some pairs in each call."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ftk_cli.page.versions import after, before, text_language
from rulespec.games.api import loads
from rulespec.play.table.words import words_in

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Spec as Model
    from rulespec.play.table.words import Words
    from rulespec.versions.paired.run import Result

SECONDS = 0.4
"""How long a call plays: other calls are answered in between."""


class Run:
    """Pairs of games that are being played."""

    def __init__(self, old: Spec, new: Spec, players: int, pairs: int, seed: int) -> None:
        from rulespec.versions.paired.pair import paired
        from rulespec.versions.paired.run import results

        self.new, self.pairs = new, pairs
        self.pair = paired(old.model, new.model, players)
        # One pair at a time, so that a call can end when its time is over.
        self._coming: Iterator[Result] = results(self.pair, pairs, seed, engine="interpreter", at_once=1)
        self.result = next(self._coming)

    @property
    def is_over(self) -> bool:
        return self.result.games == self.pairs

    def go_on(self) -> None:
        """Plays for a moment."""
        end = time.perf_counter() + SECONDS
        while not self.is_over and time.perf_counter() < end:
            self.result = next(self._coming)


_RUNS: list[Run] = []
"""The run that is under way or over: one or none."""


def effect(game: str, players: int, pairs: int, lang: str, seed: int = 1) -> dict[str, Any]:
    """Begins to play the versions that `changes` compares, and shows the figures of the first pair as `more` does.

    Raises SpecError if a version has errors.
    """
    _RUNS[:] = [Run(_sound(before(game)[0]), _sound(after(game)), players, pairs, seed)]
    return _shown(_RUNS[-1], lang)


def more(lang: str) -> dict[str, Any]:
    """Plays on for a moment: the figures so far, as `ftk diff --play --format json` says them, with the title of each
    in the language, and the number of pairs `wanted`."""
    if not _RUNS:
        raise ValueError("no games have been started")
    _RUNS[-1].go_on()
    return _shown(_RUNS[-1], lang)


def _shown(run: Run, lang: str) -> dict[str, Any]:
    from rulespec.versions.paired.data import to_dict
    from rulespec.versions.paired.difference import first_difference

    number = run.result.counted.first if run.is_over else None
    first = None if number is None else first_difference(run.pair, run.result.seed, number)
    data = to_dict(run.result, first)
    words = words_in(run.new, run.pair.new, text_language(run.new.model, lang))
    figures = [{**one, "title": _title(one, words, run.new.model)} for one in data["figures"]]
    behind = _rule(first.rule, words, run.new.model) if first is not None else ""
    return {**data, "figures": figures, "behind": behind, "wanted": run.pairs}


def _title(figure: Mapping[str, Any], words: Words, spec: Model) -> str:
    """The name of a figure in the words of a language: the title of a rule, or the words of a prize."""
    name = str(figure["name"])
    if figure["figure"] == "rules":
        return _rule(name, words, spec)
    return ": ".join(words.template(part) for part in name.split(": "))


def _rule(id_: str, words: Words, spec: Model) -> str:
    return words.title(id_, spec.rules[id_].title if id_ in spec.rules else "") or id_


def _sound(model: Model) -> Spec:
    return loads(model.source)


CALLS: Mapping[str, Callable[..., Any]] = {"effect": effect, "more": more}
