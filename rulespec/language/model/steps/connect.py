"""`connect`: the squares of a board that are connected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.model.board import called, without_neighbours
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.infer.squares import beside, squares_of
from rulespec.language.model.nodes import Broken, mapping, scalar
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import NO_VALUE
from rulespec.language.model.step import Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import Domain, Listed, Local, Members, TExpr, Value, ZoneRef, walk
from rulespec.language.model.types import BOOL, Type, describe
from rulespec.language.model.ways import Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Connect(Step, key="connect", once=False, followed=False):
    """Sets `target`, a truth value, for each square `variable` of a board: whether a way of neighbours (`near`) leads
    there from a square for which `start` holds, through squares for which `through` does.

    With a name for the square `ahead`, `through` is about both squares, and they may be members of any enum.
    """

    variable: str = fields.variable(
        "squares",
        {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "propertyNames": {"$ref": "#/$defs/name"},
            "additionalProperties": {"$ref": "#/$defs/name"},
        },
    )
    domain: Members
    start: TExpr = fields.expression("from", BOOL)
    through: TExpr = fields.expression("through", BOOL)
    near: Listed | Members
    target: Value = fields.custom("into", {"type": "string"})
    ahead: str | None = fields.variable(
        "to", "variable", form=(fields.VARIABLE, fields.ADDED), optional=True, default=None
    )
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("connect", "value variable from through"),
        constructor("connect_both", "value variable from through ahead domain"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Connect:
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
        if any(isinstance(part, Value) and part.name == target.name for part in walk(through)):
            message = say("`{value}` is here what it was before the step, not what the step finds.", value=target.name)
            hint = say(
                "If a way depends on both of its squares, write `to: {t: near(s)}` and a condition on `s` and `t`."
            )
            steps.reader.report("reads-own-result", message, inner.get("through") or node, hint)
        # Only now, so that mistakes in all parts of the step are reported.
        if near is None or not isinstance(domain, Members):
            raise Broken
        common |= {"variable": variable, "domain": domain, "start": start, "through": through, "near": near}
        return cls(target=target, ahead=ahead, **common)

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.target,)

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield from ((name, self.domain.type) for name in (self.variable, self.ahead) if name is not None)

    def flow(self, count: Count) -> Ways:
        """Goes through all squares before and after, and through the neighbours of each that is reached."""
        return count.work(count.extent(self.domain) * (2 + count.extent(self.near)))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        marked = say.value(self.target.name, self.target.arguments)
        variable = say.variable(self.variable, self.domain.type)
        parts = (marked, variable, say(self.start), say(self.through))
        if self.ahead is not None:
            ahead = (say.variable(self.ahead, self.near.type), say.domain(self.near))
            yield scene.fact(self.span, Phrase("connect_both", (*parts, *ahead)))
        else:
            yield scene.fact(self.span, Phrase("connect", parts))


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
    return ahead, None, {**both, ahead: None}


def _neighbours(steps: StepReader, node: Node, variable: str, domain: Domain | None) -> Listed | None:
    """The neighbours of the square that a variable stands for; None after a finding."""
    names = steps.reader.names
    # None is a board that is broken, which has been reported; 0 stands for no board at all.
    if domain is None or names.boards.get(domain.type.name, 0) is None:
        return None
    if not isinstance(domain, Members) or domain.type.name not in names.boards:
        hint = say("Name an enum with `grid` or `lines`, or say with `to:` where a way leads.")
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
