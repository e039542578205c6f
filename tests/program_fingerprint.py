"""What a spec plays: its programs for every number of players and ruling, without what is only displayed.

Independent of `rulespec.proofs.meaning`, so that the digests can be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache

from rulespec.engine.program import ir
from rulespec.engine.program.compile import compile_program
from rulespec.engine.program.expressions import ExpressionLowering
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting

_DISPLAYED = frozenset({"says", "title", "of"}) | {"type", "weight"}
"""Fields that only events and results show, and what only bots read."""
_NAMED = (ir.Pick, ir.Draw)
"""Parts whose `name` is that of a variable."""

_EXPRESSIONS = (
    *(ir.Const, ir.Register, ir.Element, ir.Lookup, ir.Size, ir.Card, ir.Operation, ir.Choice, ir.Bind, ir.Fold),
    *(ir.Items, ir.Ring, ir.Span, ir.Cards),
)
"""Parts that display nothing: they are compared as a whole, and only by their parts if something in them is tried."""


def same_play(one: m.Spec, other: m.Spec) -> bool:
    """Whether two specs have the same programs and the same hidden information in every setting that is tried."""
    if one.players != other.players or _rulings(one) != _rulings(other):
        return False
    one, other = _canonical(one), _canonical(other)
    return all(_same(a, b) for a, b in zip(settings(one), settings(other), strict=True))


def settings(spec: m.Spec) -> Iterator[Setting]:
    """Every number of players with the default options, and with every other single option.

    In an order in which differences show early: first all numbers of players, then all options, then the rest.
    """
    default, most = dict.fromkeys(spec.rulings, 0), spec.players[-1]
    single = [default | {id_: i} for id_, ruling in spec.rulings.items() for i in range(1, len(ruling.options))]
    yield from (Setting(spec, players, default) for players in reversed(spec.players))
    yield from (Setting(spec, most, options) for options in single)
    yield from (Setting(spec, players, options) for options in single for players in spec.players if players != most)


def _rulings(spec: m.Spec) -> list[tuple[str, tuple[str, ...]]]:
    return sorted((ruling.id, ruling.options) for ruling in spec.rulings.values())


@lru_cache(maxsize=8)
def _canonical(spec: m.Spec) -> m.Spec:
    """The spec with its declarations in alphabetical order and without invariants: both only number things."""
    parts = ("values", "zones", "tables", "enums", "rulings", "rules", "procedures")
    ordered = {part: dict(sorted(getattr(spec, part).items())) for part in parts}
    return replace(spec, invariants=(), **ordered)


@lru_cache(maxsize=200)
def _known(spec: m.Spec, players: int, answers: tuple[tuple[str, int], ...]) -> tuple[ir.Program, list[object]]:
    setting = Setting(spec, players, dict(answers))
    return compile_program(setting), list(_seen(setting))


def _same(one: Setting, other: Setting) -> bool:
    # Only the original spec is compared again and again.
    program, seen = _known(one.spec, one.players, tuple(one.chosen.items()))
    return _equal(program, compile_program(other)) and _equal(seen, list(_seen(other)))


def _seen(setting: Setting) -> Iterator[object]:
    """What players may look at: the zones, and the values with a title."""
    for zone in setting.spec.zones.values():
        yield zone.name, zone.ordered, zone.sight.under(setting)
    low = ExpressionLowering(setting)
    for value in setting.spec.values.values():
        if value.title and value.definition is not None:
            indices: dict[str, ir.Expr] = {index.name: ir.Register(-99 - i) for i, index in enumerate(value.per)}
            yield value.name, low.expr(value.definition, indices)
        elif value.title:
            yield value.name


def _equal(one: object, other: object) -> bool:
    """Whether two parts of programs are the same but for what is displayed. Stops at the first difference."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, _EXPRESSIONS) and one == other:
        return True
    if isinstance(one, tuple | list):
        assert isinstance(other, tuple | list)
        return len(one) == len(other) and all(map(_equal, one, other))
    if is_dataclass(one):
        return all(_equal(getattr(one, name), getattr(other, name)) for name in _fields(type(one)))
    return one == other


@cache
def _fields(kind: type) -> tuple[str, ...]:
    hidden = _DISPLAYED | ({"name"} if issubclass(kind, _NAMED) else frozenset())
    return tuple(item.name for item in fields(kind) if item.name not in hidden)
