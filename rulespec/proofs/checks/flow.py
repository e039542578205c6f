"""Findings from the data-flow analysis: endless loops, empty choices, undecided tables, unreachable steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.base.diagnostics import Finding, related
from rulespec.base.messages import say
from rulespec.language.model import spec as m
from rulespec.language.model.typed import TExpr
from rulespec.proofs.checks import locations, unparse
from rulespec.proofs.checks.assignments import Assignment, decided_by_types, everything
from rulespec.proofs.checks.dataflow import MOST_ROUNDS, DataFlow, TooIntricate
from rulespec.proofs.checks.tables import Judge, Verdict

_AT_MOST = say("Add `at_most:` with the largest number of rounds, and `then:` with what happens after them.")


def played(spec: m.Spec) -> Iterator[Finding]:
    """Loops that may not end, choices that may be empty, auctions without a lot, tables with gaps or overlaps, and
    unreachable steps."""
    judge = Judge(spec)
    try:
        flow = DataFlow(everything(spec), judge)
        flow.play()
        yield from _proofs(flow)
    except TooIntricate:
        message = say("This game has too many paths to prove that it ends.")
        hint = say("Nest fewer loops, and run procedures from fewer places.")
        yield locations.report(spec, "too-intricate", message, locations.at(spec, None, "play"), hint)


def _proofs(flow: DataFlow) -> Iterator[Finding]:
    spec = flow.spec
    for loop, trip in flow.endless.items():
        if not _in_each_case(flow, loop, lambda other, at: at in other.endless):
            yield _endless(spec, loop, trip)
    for choice in flow.stuck:
        if not _in_each_case(flow, choice, lambda other, at: at in other.stuck):
            message = say("This choice may have no legal option, and `none:` is missing.")
            hint = say("Add `none: skip` or `none: leave`.")
            if isinstance(choice, m.Secret):
                hint = say("Add `none: skip`.")
            yield locations.report(spec, "no-choice", message, locations.of(spec, choice), hint)
    for auction in flow.lots:
        if not _in_each_case(flow, auction, lambda other, at: at in other.lots):
            lot = unparse.place(spec, auction.lot)
            message = say("`{lot}` may be empty when the bidding begins.", lot=lot)
            hint = say("Put the auction under `if: size({lot}) > 0`.", lot=lot)
            yield locations.report(spec, "empty-lot", message, locations.of(spec, auction, "auction", "lot"), hint)
    for table, verdict in flow.tables.items():
        yield from _table(spec, table, verdict)
    for step in flow.cut_off:
        # A procedure runs at several places. Its step is unreachable only if no place reaches it.
        if step not in flow.reached:
            hint = say("Move this step before the `leave` or `end`, or delete it.")
            yield locations.report(
                spec, "never-reached", say("This step is unreachable."), locations.of(spec, step), hint
            )


def _in_each_case(flow: DataFlow, step: m.Step, fails: Callable[[DataFlow, m.Step], bool]) -> bool:
    """Whether each single setting allows a proof that failed for all settings at once."""
    # For all settings at once, a condition on the setting goes both ways; in a single one it does not.
    cases = flow.assignment.split(_constants(flow.spec, step))
    return bool(cases) and not any(fails(_again(flow, assignment), step) for assignment in cases)


def _again(flow: DataFlow, assignment: Assignment) -> DataFlow:
    # The same judge: its verdicts do not depend on the setting, and its limit holds for all analyses together.
    again = DataFlow(assignment, flow.judge)
    again.play()
    return again


def _constants(spec: m.Spec, step: m.Step) -> Iterator[TExpr]:
    """The conditions of a step, of the steps inside it and of the procedures it runs."""
    procedures: dict[str, None] = {}
    waiting = list(m.nested(step))
    while waiting:
        inner = waiting.pop()
        conditions = (inner.only_if, getattr(inner, "condition", None), getattr(inner, "amount", None))
        yield from (c for c in conditions if c is not None)
        if isinstance(inner, m.Run) and inner.procedure not in procedures:
            procedures[inner.procedure] = None
            waiting += [s for top in spec.procedures[inner.procedure].body for s in m.nested(top)]


def _endless(spec: m.Spec, loop: m.Repeat, trip: list[str]) -> Finding:
    if trip and trip[0] not in spec.zones:
        message = say("This loop may never end: tokens can move in a cycle ({trip}).", trip=" → ".join(trip))
    elif trip:
        message = say("This loop may never end: cards can move in a cycle ({trip}).", trip=" → ".join(trip))
    elif loop.at_most is not None:
        message = say(
            "This loop may have {high:,} rounds, more than {most_rounds:,}.",
            high=loop.at_most.type.high,
            most_rounds=MOST_ROUNDS,
        )
    else:
        message = say("This loop may never end: a round can pass without moving a card or a token or leaving the loop.")
    return locations.report(spec, "repeat-may-not-end", message, locations.of(spec, loop), _AT_MOST)


def _table(spec: m.Spec, step: m.Decide, verdict: Verdict) -> Iterator[Finding]:
    place = locations.of(spec, step)
    for at, (first, when) in verdict.overlaps.items():
        message = (
            say("This row and row {first} always apply both.", first=first + 1)
            if when == "always"
            else say("This row and row {first} both apply when {when}.", first=first + 1, when=when)
        )
        hint = say("Make the rows exclude each other, or write `hit: first`.")
        other = related(say("Row {number}.", number=first + 1), spec.source, locations.of(spec, step.rows[first]))
        yield locations.report(spec, "rows-overlap", message, locations.of(spec, step.rows[at]), hint, [other])
    if step.otherwise is None and verdict.gap:
        message = say("No row applies when {gap}, but `otherwise` says that a row always applies.", gap=verdict.gap)
        yield locations.report(
            spec, "rows-leave-gap", message, place, say("Add a row, or write steps under `otherwise:`.")
        )
    if not verdict.proven and (step.hit == "unique" or step.otherwise is None):
        message = say("It cannot be proven that exactly one row applies.")
        hint = say("Use fewer values in the rows, or write `hit: first` with steps under `otherwise:`.")
        yield locations.report(spec, "not-proven", message, place, hint)
    for at, row in enumerate(step.rows):
        # Both have findings of their own: `never-in-game` and `always-same`.
        known = everything(spec).known(row.only_if) is False or decided_by_types(row.when)
        if at not in verdict.applied and not known:
            message = (
                say("This row never applies: an earlier row always applies first.")
                if step.hit == "first" and at
                else say("This row never applies.")
            )
            hint = say("Delete it, or change when it applies.")
            if isinstance(row, m.MemberEffect):
                message = say("No step carries out this effect.")
                hint = say("Add the step that does, or write `none`.")
            yield locations.report(spec, "row-never-applies", message, locations.of(spec, row), hint)
