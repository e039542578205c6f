"""Procedures: steps with parameters, inlined wherever they run."""

from __future__ import annotations

from rulespec.base.messages import say
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model.cycles import arrange
from rulespec.language.model.declarations import Index, Procedure
from rulespec.language.model.nodes import Broken, mapping
from rulespec.language.model.steps.reading import MOST_STEPS, StepReader

DEEPEST = 12
"""Levels of procedures that run each other, at most; plain recursion over them stays far from Python's limit."""


def procedure(key: Scalar, node: Node, steps: StepReader) -> Procedure:
    inner, parameters = mapping(node), steps.procedures[key.text]
    if parameters is None:
        raise Broken
    rule = steps.common(inner, {})["rule"]
    body = steps.procedure(key.text, inner.get("do"), parameters)
    index = tuple(Index(name, type_) for name, type_ in parameters.items() if type_ is not None)
    return Procedure(key.text, rule, index, body, key.span)


def check_calls(steps: StepReader) -> None:
    """Reports procedures that run themselves, and games that grow too large, because procedures are inlined."""
    graph = {name: [called for called, _, _ in calls] for name, calls in steps.calls.items()}
    order, cycles = arrange(graph)
    for cycle in cycles:
        place = next(node for called, node, _ in steps.calls[cycle[-1]] if called == cycle[0])
        message = say("This procedure runs itself: {names}.", names=" → ".join([*cycle, cycle[0]]))
        hint = say("Use a repeat instead.")
        if cycle[0] not in steps.procedures:
            message = say(
                "This effect carries out effects of its own moment again: {names}.",
                names=" → ".join([*cycle, cycle[0]]),
            )
            hint = say("Store what is still to happen in a value, and repeat the step outside of the effects.")
        steps.reader.report("recursive-procedure", message, place, hint)
    # Both go through procedures in the order of their calls, which a cycle does not have.
    if not cycles:
        _check_size(steps, order)
        # Repeats that no step ends, nor a procedure that ends the play
        ending = set(steps.ending)
        for one in order:
            ending |= {one} if ending.intersection(graph[one]) else set()
        for loop, run in steps.unended:
            if ending.isdisjoint(run):
                advice = say(
                    "Add `while:`, `until:`, or `at_most:` with steps in `then:`; or put `leave` or `end: play` inside."
                )
                steps.reader.report("endless-repeat", say("This repeat has no end."), loop, advice)


def _check_size(steps: StepReader, order: list[str]) -> None:
    size: dict[str, int] = {}
    depth: dict[str, int] = {}
    for name in order:
        size[name], depth[name] = steps.counts.get(name, 0), 1
        if size[name] > MOST_STEPS:
            return  # reported at the step that exceeds the limit
        for called, place, times in steps.calls[name]:
            size[name] += times * size.get(called, 0)
            depth[name] = max(depth[name], 1 + depth.get(called, 0))
            if size[name] > MOST_STEPS or depth[name] > DEEPEST + 1:
                message = say(
                    "With the steps of `{called}` inserted here, the game has more than {most_steps:,} steps.",
                    called=called,
                    most_steps=MOST_STEPS,
                )
                if depth[name] > DEEPEST + 1:
                    message = say(
                        "With `{called}`, procedures run each other more than {deepest} levels deep.",
                        called=called,
                        deepest=DEEPEST,
                    )
                steps.reader.report("too-many-steps", message, place, say("Use a repeat, or fewer procedures."))
                return
