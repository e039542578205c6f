"""The table of formats: for every kind of file its present number, and how files of each older number are lifted.

A change after which an accepted file is refused, plays other games by seed or reads otherwise raises the number of its
kind, with a lift (`docs/versions.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rulespec.document import Mapping
from rulespec.document.patches import Patch
from rulespec.formats import lifts
from rulespec.source import Source

Patches = Callable[[Source, Mapping], Iterable[Patch]]


@dataclass(frozen=True)
class Lift:
    """One step from a number to the next. `changes` are sentences about what is otherwise since then; `patches` change
    a YAML document, all of them together. Other files are lifted by `rulespec.lift`, which replays games."""

    changes: tuple[str, ...]
    patches: tuple[Patches, ...] = ()


@dataclass(frozen=True)
class Format:
    """The format of a kind of file, whose number stands under `key`. The first lift leads from number 1 to 2."""

    kind: str
    key: str
    lifts: tuple[Lift, ...] = ()

    @property
    def number(self) -> int:
        """The present number."""
        return len(self.lifts) + 1

    @property
    def first_line(self) -> str:
        """The line with the present number that a YAML file begins with."""
        return f"{self.key}: {self.number}"

    @property
    def schema(self) -> str:
        """The name of the JSON Schema of a YAML file."""
        return f"{self.key}-{self.number}"


_BOUNDS = "A loop with `at_most` says under `then` what happens after so many rounds."
_ALSO = "Facts that a text may repeat from other rules are under `about`, no longer `also`."
_CONFIRMED = "A confirmation says how its digests are made. Older ones are compared with the kept versions."
_LOG = "Awards and rankings are said in other words."
_RUN = "Blocks of games are called chunks, and every file has a checksum."

FORMATS: dict[str, Format] = {
    format_.kind: format_
    for format_ in (
        Format("spec", "rulespec", (Lift((_BOUNDS, _ALSO), (lifts.bounds, lifts.also)),)),
        Format("overlay", "overlay", (Lift((_BOUNDS, _ALSO), (lifts.bounds, lifts.also)),)),
        Format("scenario", "scenario"),
        Format("deck", "deck"),
        Format("translation", "translation", (Lift((_CONFIRMED,), (lifts.confirmations,)),)),
        Format("glossary", "glossary"),
        Format("log", "log", (Lift((_LOG,)),)),
        Format("state", "format"),
        Format("run", "run", (Lift((_RUN,)),)),
        Format("page", "page"),
    )
}
"""The format of every kind of file."""
