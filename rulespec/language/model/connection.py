"""Reads the step that finds connected squares of a board."""

from __future__ import annotations

from rulespec.base.messages import say
from rulespec.language.document import Mapping as MapNode
from rulespec.language.document import Node, Scalar
from rulespec.language.model import spec as m
from rulespec.language.model.board import called, without_neighbours
from rulespec.language.model.infer import Locals
from rulespec.language.model.infer.squares import beside, squares_of
from rulespec.language.model.nodes import Broken, mapping, scalar
from rulespec.language.model.reader import NO_VALUE
from rulespec.language.model.steps import Common, StepReader
from rulespec.language.model.typed import Domain, Listed, Local, Members, Value
from rulespec.language.model.types import BOOL, describe


def connect(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner, read = mapping(node.get("connect")), steps.reader
    variable, domain, bound = steps.binding(inner.get("squares"), scope)
    start, to = read.expr(inner.get("from"), bound, BOOL), inner.get("to")
    ahead, near, both = (
        _ahead(steps, to, domain, bound)
        if to is not None
        else (None, _neighbours(steps, inner.get("squares") or node, variable, domain), bound)
    )
    with read.given({**read.facts, **beside(read.names, ahead, near)}):
        through = read.expr(inner.get("through"), both, BOOL)
    target = read.stored(inner.get("into"), bound)
    _stores(steps, scalar(inner.get("into")), variable, target)
    # Only now, so that mistakes in all parts of the step are reported.
    if near is None or not isinstance(domain, Members):
        raise Broken
    return m.Connect(
        variable=variable,
        domain=domain,
        start=start,
        ahead=ahead,
        near=near,
        through=through,
        target=target,
        **common,
    )


def _ahead(
    steps: StepReader, node: Node, domain: Domain | None, scope: Locals
) -> tuple[str, Listed | Members | None, Locals]:
    """The name of a square that ways lead to, the squares that it may be, and the scope with it. The squares may be the
    members of any enum."""
    ahead, near, both = steps.binding(node, scope)
    if domain is None or near is None:
        return ahead, None, both
    if not isinstance(domain, Members):
        steps.reader.report("wrong-domain", say("`connect` goes through the members of an enum."), node)
    elif not isinstance(near, Listed | Members) or near.type != domain.type:
        message = say("A way cannot lead from {start} to {end}.", start=describe(domain.type), end=describe(near.type))
        hint = say("Write what a way may lead to, such as `near(…)`, or all of `{enum}`.", enum=domain.type.name)
        steps.reader.report("wrong-domain", message, node, hint)
    else:
        return ahead, near, both
    return ahead, None, both


def _neighbours(steps: StepReader, node: Node, variable: str, domain: Domain | None) -> Listed | None:
    """The neighbours of the square that a variable stands for; None after a finding."""
    names = steps.reader.names
    # None is a board that is broken, which has been reported; 0 stands for no board at all.
    if domain is None or names.boards.get(domain.type.name, 0) is None:
        return None
    if not isinstance(domain, Members) or domain.type.name not in names.boards:
        hint = say("Name an enum with `grid` or `lines`.")
        steps.reader.report("wrong-domain", say("`connect` goes through the squares of a board."), node, hint)
        return None
    if called("near", (domain.type,)) not in names.tables:
        message, hint = without_neighbours(domain.type.name)
        steps.reader.report("no-neighbours", message, node, hint)
        return None
    return squares_of(names, "near", (Local(domain.type, variable),))


def _stores(steps: StepReader, node: Scalar, variable: str, target: Value) -> None:
    """Reports a value that cannot hold whether a square is connected."""
    if target is NO_VALUE:
        return
    if target.type != BOOL:
        message = say(
            "`{target}` is {type}, but true or false is needed for each square.",
            target=target.name,
            type=describe(target.type),
        )
        steps.reader.report("type-mismatch", message, node, say("Declare it with `type: bool`."))
    elif not any(isinstance(one, Local) and one.name == variable for one in target.arguments):
        message, hint = (
            say("`{target}` has no place for each square.", target=target.name),
            say("Write the square, `{variable}`, as an index.", variable=variable),
        )
        steps.reader.report("wrong-index", message, node, hint)
