"""The rules of a game in the order of play, as a rulebook explains them."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Body, Note, Run, Step
from rulespec.language.model.step import inside


def rules_in_order(setting: Setting) -> Iterator[tuple[str, int]]:
    """The id and depth of each rule in the game in this setting, once. The depth counts the rule and those around it.

    A procedure is a chapter of its own. It follows the chapter that runs it first, so that its rules come before those
    of later play. A procedure that is not run in this setting has no chapter.
    """
    seen: set[str] = set()
    for id_, depth in _chapters(setting, set()):
        if id_ and id_ not in seen:
            seen.add(id_)
            yield id_, depth


def _chapters(setting: Setting, run: set[str]) -> Iterator[tuple[str, int]]:
    spec = setting.spec
    # Cards are left out before anything is done with them, but after a list of what is in the box.
    first = next((i for i, step in enumerate(spec.setup) if not isinstance(step, Note)), len(spec.setup))
    yield from _chapter(setting, spec.setup[:first], 0, run)
    yield spec.deck.leave_out_rule, 1
    for step in (*spec.setup[first:], *spec.play):
        yield from _chapter(setting, (step,), 0, run)


def _chapter(setting: Setting, body: Body, depth: int, run: set[str]) -> Iterator[tuple[str, int]]:
    """The rules of a body, then the chapters of the procedures it runs, except those in `run`, which have one."""
    steps = list(_present(setting, body, depth))
    yield from ((step.rule, level) for step, level in steps)
    for step, _ in steps:
        if isinstance(step, Run) and step.procedure not in run:
            run.add(step.procedure)
            procedure = setting.spec.procedures[step.procedure]
            yield procedure.rule, 1
            yield from _chapter(setting, procedure.body, int(bool(procedure.rule)), run)


def _present(setting: Setting, body: Body, depth: int) -> Iterator[tuple[Step, int]]:
    """The steps in the game in this setting, in the order of the file, with their depth."""
    for step in sorted(body, key=lambda step: step.span.start):
        if setting.present(step.only_if):
            level = depth + bool(step.rule)
            yield step, level
            yield from _present(setting, inside(step), level)
