"""The folds over a domain (`sum`, `count`, `any`, …), one row each.

Type inference, the interpreter's closures and the generated source derive from the rows, as for `operators.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from rulespec.language.model.types import BOOL, NONE, Type, integer

LONGEST_RUN = 31
"""Elements of a domain in which runs are looked for, at most: each is one bit of a number."""


class Body(Enum):
    """What stands before `for`, if anything does."""

    NOTHING = "the fold is written `f(x in …)`"
    TEST = "a truth value, which may be left out"
    NUMBER = "a number"
    ORDERED = "a number or the member of an enum"
    KEY = "the same, behind the domain: `f(x in … by …)`"


_KINDS: Mapping[Body, tuple[str, ...]] = {
    Body.TEST: ("bool",),
    Body.NUMBER: ("int",),
    Body.ORDERED: ("int", "enum"),
    Body.KEY: ("int", "enum"),
}


class Gain(Enum):
    """What one element contributes."""

    ONE = "1"
    ELEMENT = "the element"
    BODY = "the body's value, nothing where it is NONE"


@dataclass(frozen=True)
class Folded:
    """What the type of a fold depends on: the type and the largest number of its elements, the type of its body (None
    without one), and whether at least one element always counts."""

    element: Type
    most: int
    body: Type | None
    certain: bool


@dataclass(frozen=True, kw_only=True)
class FoldRow:
    """One fold. It begins with `start`; for each element that meets the condition, its `gain` is added to the result if
    `adds`, else it replaces the result where `better` holds: Python text over the value `{0}` and the result `{1}`. A
    fold that `stops` ends with the first such element. `opposite` names the fold whose negation this one is: `all` is
    not `any`. `parts` are the folds that a program computes this one with, one after the other: it goes through the
    domain as often. An `ordered` fold depends on which element comes after which, and needs a domain of at most
    `LONGEST_RUN`.
    """

    name: str
    body: Body
    type: Callable[[Folded], Type]
    start: int = NONE
    gain: Gain = Gain.BODY
    adds: bool = False
    better: str = ""
    stops: bool = False
    opposite: str = ""
    parts: tuple[str, ...] = ()
    ordered: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of type that the body may have."""
        return _KINDS.get(self.body, ())

    @property
    def form(self) -> str:
        """How the fold is written."""
        if self.body is Body.KEY:
            return f"{self.name}(x in … by …)"
        over = self.body in (Body.NOTHING, Body.TEST)
        return f"{self.name}(x in … if …)" if over else f"{self.name}(… for x in …)"


def _truth(folded: Folded) -> Type:
    return BOOL


def _counted(folded: Folded) -> Type:
    return integer(0, folded.most)


def _first(folded: Folded) -> Type:
    return folded.element.maybe()


def _chosen(folded: Folded) -> Type:
    assert folded.body is not None
    return folded.element if folded.certain and not folded.body.optional else folded.element.maybe()


def _summed(folded: Folded) -> Type:
    assert folded.body is not None
    # Up to `most` elements count, and none may: then the sum is 0, whatever the bounds of one element.
    return integer(min(0, folded.most * folded.body.low), max(0, folded.most * folded.body.high))


def _extreme(folded: Folded) -> Type:
    assert folded.body is not None
    return folded.body if folded.certain else folded.body.maybe()


_ROWS = (
    FoldRow(name="sum", body=Body.NUMBER, type=_summed, start=0, adds=True),
    FoldRow(name="count", body=Body.NOTHING, type=_counted, start=0, gain=Gain.ONE, adds=True),
    FoldRow(name="any", body=Body.TEST, type=_truth, start=0, gain=Gain.ONE, stops=True),
    FoldRow(name="all", body=Body.TEST, type=_truth, start=0, gain=Gain.ONE, stops=True, opposite="any"),
    # NONE is less than every value, so only the smallest value must be distinguished from it.
    FoldRow(name="min", body=Body.ORDERED, type=_extreme, better=f"({{1}} == {NONE} or {{0}} < {{1}})"),
    FoldRow(name="max", body=Body.ORDERED, type=_extreme, better="{0} > {1}"),
    FoldRow(name="first", body=Body.NOTHING, type=_first, gain=Gain.ELEMENT, stops=True),
    FoldRow(name="highest", body=Body.KEY, type=_chosen, gain=Gain.ELEMENT, parts=("max", "first")),
    FoldRow(name="lowest", body=Body.KEY, type=_chosen, gain=Gain.ELEMENT, parts=("min", "first")),
    FoldRow(name="longest_run", body=Body.NOTHING, type=_counted, start=0, parts=("sum", "max"), ordered=True),
)

FOLDS: dict[str, FoldRow] = {row.name: row for row in _ROWS}
"""Every fold by its name in `typed.Fold`; in programs (`ir.Fold`) those with an `opposite` or `parts` are lowered to
these."""
