"""Steps of a sealed game: what all constructs share. Each construct has a file in `rulespec.language.model.steps`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar

from rulespec.base.diagnostics import Span
from rulespec.language.model.phrase import Proposition, Scene
from rulespec.language.model.typed import Ruling, TExpr, Value, ZoneRef
from rulespec.language.model.types import Type
from rulespec.language.model.ways import Count, Ways

__all__ = ["Body", "Flow", "Step", "inside", "nested", "own_fields", "rulings_in", "within"]

Body = tuple["Step", ...]

_WRITING: ContextVar[tuple[type, ...]] = ContextVar("_WRITING", default=())
"""The classes of the steps that are being written out as core steps."""


class Flow(NamedTuple):
    """Cards that go from one zone to another: `card` is an expression for each of them, and `where` holds for it. `one`
    says whether it is one card."""

    source: ZoneRef
    target: ZoneRef
    card: TExpr | None = None
    where: TExpr | None = None
    one: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """A step of a game. `rule` is its own id or empty; `only_if`, constant for a game, says whether it is present.

    Steps are compared and hashed by identity, so each is a key of its own: two equal texts at two places are two steps.

    `core` are the steps that it is written out as. Every class names the `key` that a finding about it points at, for
    a step its own, and says whether it runs `once` where it stands, so that what holds before it holds inside, and
    whether it is `followed`: only its `flows`, its `changes` and the steps inside change anything, so other facts hold
    after it.
    """

    key: ClassVar[str]
    once: ClassVar[bool]
    followed: ClassVar[bool]
    span: Span
    rule: str = ""
    only_if: TExpr | None = None
    core: Body | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        around, kind = _WRITING.get(), type(self)
        if kind in around:
            raise TypeError(f"{kind.__module__}: the core steps of {kind.__name__} are written out with one again")
        mark = _WRITING.set((*around, kind))
        object.__setattr__(self, "core", self.written_out())
        _WRITING.reset(mark)

    def __init_subclass__(cls, *, key: str, once: bool, followed: bool) -> None:
        cls.key, cls.once, cls.followed = key, once, followed

    @cached_property
    def written(self) -> Body:
        """The steps directly inside the step, as its author wrote them."""
        parts = [value if isinstance(value, tuple) else (value,) for _, value in own_fields(self)]
        return tuple(one for part in parts for one in part if isinstance(one, Step))

    def flows(self) -> Iterator[Flow]:
        """How the step moves cards, without the steps inside it."""
        return iter(())

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        """The stored values that the step sets and the zones that it reorders, without the steps inside it."""
        return ()

    def tokens(self) -> tuple[tuple[Value, Value], ...]:
        """The places between which the step moves tokens."""
        return ()

    def binds(self) -> Iterator[tuple[str, Type]]:
        """The variables that the step binds for what is inside it, in order."""
        return iter(())

    def written_out(self) -> Body | None:
        """The core steps that do the same; None for a core step, which the engine and the proofs know themselves."""
        return None

    def flow(self, count: Count) -> Ways:
        """The ways through the step: its own work, then the steps inside it one after the other."""
        return count.work(1).then(count.body(inside(self)))

    def certain(self) -> TExpr | None:
        """An amount that the step moves whatever it finds; None if it may move nothing."""
        return None

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        """What the step does, as propositions: what its core steps do, unless it has words of its own."""
        return scene.body(self.core or ())


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a class in which `inside` and `within` look."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) and kind not in (Type, Span) else ()


def own_fields(step: Step) -> Iterator[tuple[str, Any]]:
    """The fields of a step with their names, without the core steps that follow from them."""
    return ((name, getattr(step, name)) for name in _parts(type(step)) if name != "core")  # type: ignore[arg-type]


def inside(step: Step) -> Body:
    """The steps directly inside a step, those that it is written out as among them."""
    return step.written + (step.core or ())


def nested(step: Step, core: bool = True) -> Iterator[Step]:
    """A step and all steps inside it, with or without those that steps are written out as."""
    yield step
    for inner in inside(step) if core else step.written:
        yield from nested(inner, core)


def within(value: object, own: bool = False) -> Iterator[object]:
    """A step, an expression, a declaration or a tuple of them, and what is in their fields, all the way down.

    `own`: without the steps inside a step, whose rules may be others.
    """
    yield value
    if names := _parts(type(value)):  # type: ignore[arg-type]
        value = tuple(getattr(value, name) for name in names)
    for item in value if isinstance(value, tuple) else ():
        if not (own and isinstance(item, Step)):
            yield from within(item, own)


def rulings_in(value: object, own: bool = False) -> list[str]:
    """The rulings that are `within` a value, each once."""
    return list(dict.fromkeys(one.id for one in within(value, own) if isinstance(one, Ruling)))


Row = TypeVar("Row")


def row_of(table: Mapping[type[Step], Row], step: Step) -> Row | None:
    """The row of a step in a table of constructs: its own, or that of the construct that it is a kind of."""
    return next((table[kind] for kind in type(step).__mro__ if kind in table), None)
