"""The table of formats: for every kind of file its present number, and how files of each older number are lifted.

A change after which an accepted file is refused, plays other games by seed or reads otherwise raises the number of its
kind, with a lift (`docs/versions.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping
from rulespec.language.document.patches import Patch
from rulespec.language.formats import lifts

Patches = Callable[[Source, Mapping], Iterable[Patch]]


@dataclass(frozen=True)
class Lift:
    """One step from a number to the next. `changes` are sentences about what is otherwise since then; `patches` change
    a YAML document, all of them together. Other files are lifted by `rulespec.editing.lift`, which replays games."""

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


_BOUNDS = say("A loop with `at_most` says under `then` what happens after so many rounds.")
_ALSO = say("Facts that a text may repeat from other rules are under `about`, no longer `also`.")
_PICKS = say("A pick that another one depends on, and an index of a start value, have names of their own.")
_REMARKS = say("A comment `# ftk: ignore` has a code and a reason.")
_OF_RULES = (lifts.bounds, lifts.also, lifts.picks, lifts.indices, lifts.remarks)
_CONFIRMED = say("A confirmation says how its digests are made. Older ones are compared with the kept versions.")
_WORDS = say(
    "A confirmation holds for the words of a text, too, and for those of the text that it was translated from."
)
_LOG = say("Awards and rankings are said in other words.")
_ACTIONS = say("Actions are numbered otherwise where conditions narrow what can be picked.")
_RUN = say("Blocks of games are called chunks, and every file has a checksum.")
_BOTS = say("Bots that search in games for one explore otherwise; such games are played again.")

FORMATS: dict[str, Format] = {
    format_.kind: format_
    for format_ in (
        Format("spec", "rulespec", (Lift((_BOUNDS, _ALSO, _PICKS, _REMARKS), _OF_RULES),)),
        Format("overlay", "overlay", (Lift((_BOUNDS, _ALSO, _REMARKS), (lifts.bounds, lifts.also, lifts.remarks)),)),
        Format("scenario", "scenario", (Lift((_LOG, _REMARKS), (lifts.results, lifts.remarks)),)),
        Format("deck", "deck"),
        Format(
            "translation", "translation", (Lift((_CONFIRMED,), (lifts.confirmations,)), Lift((_WORDS,), (lifts.words,)))
        ),
        Format("glossary", "glossary"),
        Format("language", "language"),
        Format("log", "log", (Lift((_LOG, _ACTIONS)),)),
        Format("state", "format"),
        Format("run", "run", (Lift((_RUN,)), Lift((_BOTS,)))),
        Format("page", "page"),
        Format("review", "review"),
        Format("looks", "looks"),
    )
}
"""The format of every kind of file."""
