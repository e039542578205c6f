"""`decide`: a decision table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.diagnostics import Span
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.narrowing import known as narrowed
from rulespec.language.model.nodes import items, mapping, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import BOOL
from rulespec.language.model.ways import Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionRow(Step, key="when", once=False, followed=True):
    """A row of a decision table."""

    when: TExpr = fields.condition("when")
    body: Body = fields.body("do")

    @classmethod
    def read(cls, steps: StepReader, item: Node, scope: Locals, facts: Facts) -> DecisionRow:
        """`facts` hold where no row before it applies. Its own condition does not rely on them, because the checker
        tries all rows on all contents."""
        node = mapping(item)
        common = steps.common(node, scope)
        when = steps.reader.expr(node.get("when"), scope, BOOL)
        with steps.assuming(common, narrowed(facts, when)):
            return cls(when=when, body=steps.body(node.get("do"), scope), **common)

    def stated(self, index: int, hit: str, scene: Scene) -> Iterator[Proposition]:
        """What the row does; of a table in which the first row counts, each but the first is an alternative to those
        before it."""
        inside = scene.where(self.when)
        if inside is not None:
            before = hit == "first" and index > 0
            yield from what_happens(self, inside.under(Phrase("otherwise")) if before else inside, self.span)


def what_happens(row: DecisionRow, scene: Scene, span: Span) -> Iterator[Proposition]:
    """What the steps of a row do; a row with a rule of its own but without acts says only when it applies."""
    found = list(scene.body(row.body))
    if row.rule and not any(one.rule == row.rule for one in found):
        yield scene.fact(span, Phrase("applies"))
    yield from found


@dataclass(frozen=True, kw_only=True, eq=False)
class Decide(Step, key="decide", once=True, followed=True):
    """A decision table. `otherwise` is None if the spec says that the rows leave no gap."""

    hit: str = fields.words("hit", "first unique")
    rows: tuple[DecisionRow, ...] = fields.constructs("rows", "decide_row")
    otherwise: Body | None = fields.custom("otherwise", fields.either("impossible"))
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("otherwise"),
        constructor("applies"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Decide:
        inner = mapping(node.get("decide"))
        hit, rest, rows = text(inner.get("hit")), steps.reader.facts, []
        for item in items(inner.get("rows")):
            facts = rest if hit == "first" else steps.reader.facts
            row = steps.reader.attempt(DecisionRow.read, steps, item, scope, facts)
            rows += [row] if row is not None else []
            # A row that is not in every game excludes nothing.
            if row is not None and row.only_if is None:
                rest = narrowed(rest, row.when, holds=False)
        otherwise = inner.get("otherwise")
        with steps.reader.given(rest):
            last = None if isinstance(otherwise, Scalar) else steps.body(otherwise, scope)
        return cls(hit=hit, rows=tuple(rows), otherwise=last, **common)

    def flow(self, count: Count) -> Ways:
        one = count.any(self.rows).either(count.body(self.otherwise or ()))
        return count.work(len(self.rows)).then(one)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        for index, row in enumerate(self.rows):
            named = scene.named(row)
            if named is not None:
                yield from row.stated(index, self.hit, named)
        if self.otherwise:
            yield from scene.under(Phrase("otherwise")).body(self.otherwise)
