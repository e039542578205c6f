"""Checks of the texts of options: every legal action must read differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import all_of, quoted, say
from rulespec.language.model import spec as m
from rulespec.language.model.typed import Op
from rulespec.language.model.types import BOOL
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import everything
from rulespec.proofs.checks.identified import identified

Choice = m.Option | m.Place


def options(spec: m.Spec) -> Iterator[Finding]:
    """Options whose text does not identify a pick, and options of one choice with the same text."""
    for step in spec.steps():
        if isinstance(step, m.Option):
            yield from _unknown_picks(spec, step, [name for name, _ in step.picks])
        elif isinstance(step, m.Auction):
            yield from _unknown_picks(spec, step.bid, ["amount"])
            yield from _same_texts(spec, (step.bid, step.passing))
        elif isinstance(step, m.Choose | m.Secret):
            yield from _same_texts(spec, step.options)
        elif isinstance(step, m.Draft):
            yield from _same_texts(spec, step.places)


def _unknown_picks(spec: m.Spec, option: m.Option, picks: list[str]) -> Iterator[Finding]:
    unnamed = [name for name in picks if f"{{{name}}}" not in option.says]
    known = identified(spec, option) if unnamed else set()
    if missing := [name for name in unnamed if name not in known]:
        names = all_of(quoted([f"{{{name}}}" for name in missing]))
        message = say(
            "The text of this option does not contain {names}, so different actions read the same.", names=names
        )
        yield locations.report(
            spec, "unsaid-pick", message, locations.of(spec, option), say("Add {names} to `says:`.", names=names)
        )


def _same_texts(spec: m.Spec, choices: Sequence[Choice]) -> Iterator[Finding]:
    for at, option in enumerate(choices):
        if any(option.says == other.says and _together(spec, option, other) for other in choices[:at]):
            message = say("Another option of this choice has the same text.")
            hint = say("Change `says:` of one of them.")
            yield locations.report(spec, "same-words", message, locations.of(spec, option, "says"), hint)


def _together(spec: m.Spec, one: Choice, other: Choice) -> bool:
    """Whether some setting has both."""
    if one.only_if is None or other.only_if is None:
        return True
    return everything(spec).known(Op(BOOL, "and", (one.only_if, other.only_if))) is not False
