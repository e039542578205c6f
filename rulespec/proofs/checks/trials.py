"""Options with a condition after their steps: steps that cannot be tried and taken back, and what a try reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import cast

from rulespec.base.diagnostics import Finding, related
from rulespec.base.messages import Message, say
from rulespec.language.model import spec as m
from rulespec.language.model.step import within
from rulespec.language.model.typed import TExpr, Typed, Value
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.effects import reached

_ASKS = say("asks a player")
_DRAWS = say("draws at random")
_MOVES = say("moves cards")

REFUSED: Mapping[type[m.Step], Message] = {
    m.Choose: _ASKS,
    m.Secret: _ASKS,
    m.Draft: _ASKS,
    m.Auction: _ASKS,
    m.Random: _DRAWS,
    m.Shuffle: _DRAWS,
    m.Move: _MOVES,
}
"""What cannot be taken back, or is not known before."""


def refused(spec: m.Spec) -> Iterator[Finding]:
    """Steps that cannot be tried, each once, and options of secret choices that would be tried."""
    reported = set[m.Step]()
    for step in spec.steps():
        for option in step.options if isinstance(step, m.Choose | m.Secret) else ():
            if option.after is None:
                continue
            asked = locations.of(spec, option, "if_after")
            if isinstance(step, m.Secret):
                message = say("An option of a secret choice cannot be tried: its steps come after those of others.")
                yield locations.report(spec, "cannot-be-tried", message, asked, say("Ask with `if` what holds before."))
                continue
            for tried in reached(spec, option.body):
                if type(tried) in REFUSED and tried not in reported:
                    reported.add(tried)
                    what = REFUSED[type(tried)]
                    message = say("This {what}, so the option with it cannot be tried for `if_after`.", what=what)
                    hint = say("Put it after the choice, or write as `if` what must hold before.")
                    place = related(say("`if_after` is here."), spec.source, asked)
                    yield locations.report(
                        spec, "cannot-be-tried", message, locations.of(spec, tried), hint, related=[place]
                    )


def deciding(spec: m.Spec, option: m.Option) -> Iterator[TExpr]:
    """The expressions that decide whether the condition of an option holds after its steps: the condition itself, and
    those of all steps but the ones that only set what none of the others reads."""
    if option.after is None:
        return
    steps, found = list(reached(spec, option.body)), [option.after]
    names = _named(spec, option.after)
    while more := [
        step for step in steps if not step.changes() or not names.isdisjoint(one.name for one in step.changes())
    ]:
        steps = [step for step in steps if step not in more]
        own = [part for step in more for part in _own(step)]
        found += own
        names = names.union(*(_named(spec, part) for part in own))
    yield from found


def _own(step: m.Step) -> Iterator[TExpr]:
    """The expressions of a step and all parts of them, without the cells that it changes and the steps inside it."""
    changed = step.changes()
    for item in fields(step):
        value = getattr(step, item.name)
        read = value.arguments if isinstance(value, Value) and value in changed else value
        yield from (cast(TExpr, part) for part in within(read, own=True) if isinstance(part, Typed))


def _named(spec: m.Spec, node: TExpr) -> set[str]:
    """The values that an expression reads, those that derived values read included."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        for part in within(waiting.pop()):
            if isinstance(part, Value) and part.name not in found:
                found.add(part.name)
                definition = spec.values[part.name].definition
                waiting += [definition] if definition is not None else []
    return found
