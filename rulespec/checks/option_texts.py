"""What options say: a player must be able to tell one action from the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.checks import locations
from rulespec.checks.assignments import everything
from rulespec.diagnostics import Finding
from rulespec.model import spec as m
from rulespec.model.typed import Op
from rulespec.model.types import BOOL

Spoken = m.Option | m.Place


def options(spec: m.Spec) -> Iterator[Finding]:
    """Every pick is named in the words of its option, and no two options of one choice have the same words."""
    for step in spec.steps():
        if isinstance(step, m.Option):
            yield from _unsaid(spec, step, [name for name, _ in step.picks])
        elif isinstance(step, m.Auction):
            yield from _unsaid(spec, step.bid, ["amount"])
            yield from _same(spec, (step.bid, step.passing))
        elif isinstance(step, m.Choose | m.Secret):
            yield from _same(spec, step.options)
        elif isinstance(step, m.Draft):
            yield from _same(spec, step.places)


def _unsaid(spec: m.Spec, option: m.Option, picks: list[str]) -> Iterator[Finding]:
    missing = [name for name in picks if f"{{{name}}}" not in option.says]
    if missing:
        names = " and ".join(f"`{{{name}}}`" for name in missing)
        message = f"The words of this option do not mention {names}, so its actions all read the same."
        yield locations.report(spec, "unsaid-pick", message, locations.of(spec, option), f"Put {names} into `says:`.")


def _same(spec: m.Spec, choices: Sequence[Spoken]) -> Iterator[Finding]:
    for at, option in enumerate(choices):
        if any(option.says == other.says and _together(spec, option, other) for other in choices[:at]):
            message = "Another option of this choice has the same words."
            hint = "Say what is different about it."
            yield locations.report(spec, "same-words", message, locations.of(spec, option, "says"), hint)


def _together(spec: m.Spec, one: Spoken, other: Spoken) -> bool:
    """Whether both are there in some setting."""
    if one.only_if is None or other.only_if is None:
        return True
    return everything(spec).known(Op(BOOL, "and", (one.only_if, other.only_if))) is not False
