"""Lowers a sealed spec to a program, for one setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulespec.engine.program import ir
from rulespec.engine.program.blocks import BLOCKS
from rulespec.engine.program.cards import CARDS
from rulespec.engine.program.lower import CORE, Lowering, LowerStep
from rulespec.engine.program.operations import ONE, ZERO, Scope, choice, operation
from rulespec.engine.program.positions import present
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.operators import OPERATORS


def _counted(low: Lowering, step: m.Remember | m.Forget) -> t.Repeated:
    definition = low.spec.values[step.target.name].definition
    assert isinstance(definition, t.Repeated)
    return definition


def _remember(low: Lowering, step: m.Remember, scope: Scope) -> None:
    """Adds the present position behind the others, unless there are as many as there may be: then the game stops."""
    node = _counted(low, step)
    kept = low.remembered[node]
    number = low.stored(operation("+", kept.count, ONE))
    full = low.branch(operation(">", number, ir.Const(kept.most)))
    low.stop(number.slot, step.target.name)
    low.land(full)
    for column, expression in zip(kept.columns, present(low, node), strict=True):
        low.emit(ir.Let(base=column, index=kept.count, expression=expression, size=kept.most))
    low.let(kept.count.slot, number)


def _forget(low: Lowering, step: m.Forget, scope: Scope) -> None:
    low.let(low.remembered[_counted(low, step)].count.slot, ZERO)


POSITIONS: Mapping[type[m.Step], LowerStep] = {m.Remember: _remember, m.Forget: _forget}


def connect(low: Lowering, step: m.Connect, scope: Scope) -> None:
    """Finds the squares that are reached; the target is set where it differs."""
    size = low.setting.extent(step.domain.type)
    found, marks = _reached(low, step, scope, size), [ir.Register(low.allocate()) for _ in range(0, size, ir.WORD)]
    for number, register in enumerate(marks):
        low.let(register.slot, replace(found, first=number * ir.WORD))
    with low.loop(step.domain, scope) as square:
        _stored(low, step, {**scope, step.variable: square}, _mark(marks, square))


def _mark(marks: Sequence[ir.Expr], square: ir.Expr) -> ir.Expr:
    """Whether a square is among those whose bits are in these registers."""
    found = operation("has", marks[-1], operation("-", square, ir.Const(ir.WORD * (len(marks) - 1))))
    for number in reversed(range(len(marks) - 1)):
        here = operation("<", square, ir.Const(ir.WORD * (number + 1)))
        found = choice(here, operation("has", marks[number], operation("-", square, ir.Const(ir.WORD * number))), found)
    return found


def _reached(low: Lowering, step: m.Connect, scope: Scope, size: int) -> ir.Reached:
    square, way, ahead = (ir.Register(low.temporary()) for _ in range(3))
    here = {**scope, step.variable: square}
    between = {**here, step.ahead or step.variable: ahead}
    return ir.Reached(
        square.slot,
        ir.Items(low.elements(step.domain.type)),
        low.expr(step.start, here),
        way.slot,
        low.domain(step.near, here),
        ahead.slot,
        low.item(step.near, way, here) if isinstance(step.near, t.Listed) else way,
        low.expr(step.through, between),
        size,
        0,
    )


def _stored(low: Lowering, step: m.Connect, scope: Scope, mark: ir.Expr) -> None:
    declared = low.spec.values[step.target.name]
    arguments = [low.expr(argument, scope) for argument in step.target.arguments]
    base, index = low.address(declared, arguments)
    same = low.branch(operation("!=", low.cell(declared, arguments), mark))
    low.emit(ir.Let(base=base, index=index, expression=mark, size=low.setting.cells(declared), value=declared.name))
    low.land(same)


LOWERING: dict[type[m.Step], LowerStep] = {**CORE, **CARDS, **BLOCKS, m.Connect: connect, **POSITIONS}
"""What each step becomes: a function that emits its instructions."""


def compile_program(setting: Setting, setup_only: bool = False, low: Lowering | None = None) -> ir.Program:
    """The program of a sealed spec under one setting. With `setup_only` it ends with the setup. `low` is a new lowering
    of the setting, if something is to be known of how the program was made."""
    low = low or Lowering(setting, LOWERING)
    spec = setting.spec
    # Cards are left out when the setting is made; here the rule is only marked as applied.
    with low.under(spec.deck.leave_out_rule, {}):
        pass
    low.body(spec.setup, {})
    for check in _checks(low, "setup.end"):
        low.emit(check)
    low.emit(ir.SetupEnds())
    low.body(() if setup_only else spec.play, {})
    for check in () if setup_only else _checks(low, "end"):
        low.emit(check)
    _failures(low)
    low.emit(ir.End())
    always = tuple(_checks(low, "always"))
    positions = tuple((kept.count.slot, low.reads([*present(low, node)])) for node, kept in low.remembered.items())
    return ir.Program(
        players=setting.players,
        code=tuple(low.code),
        rules=low.rules,
        start=tuple(low.start),
        scratch=len(low.scratch),
        zones=tuple(low.zones),
        zone_base=low.zone_base,
        value_base=low.value_base,
        cards=setting.cards,
        start_zone=low.zone_base[spec.deck.start] if spec.deck.cards else 0,
        faces=spec.deck.faces,
        actions=low.actions,
        options=tuple(low.options.values()),
        ranking=low.ranking,
        always=always,
        entries=low.entries,
        named=low.named,
        assumed=low.assumed,
        positions=positions,
    )


def _failures(low: Lowering) -> None:
    """Where play goes on at a bound that it must not reach: all players have the rank 0."""
    if not low.failures:
        return
    # Ranks start at 1, so without this all players would share the win of a game that was stopped.
    past = low.emit(ir.Jump())
    low.land(*low.failures)
    ranks = low.ranking.ranks if low.ranking is not None else 0
    for p in range(low.players) if low.ranking is not None else ():
        low.let(ranks + p, ZERO)
    low.land(past)


def _checks(low: Lowering, at: str) -> Iterator[ir.Check]:
    for number, invariant in enumerate(low.spec.invariants):
        if invariant.at == at:
            holds = low.expr(invariant.holds, {})
            sides = holds.arguments if isinstance(holds, ir.Operation) and OPERATORS[holds.operator].compares else ()
            yield ir.Check(invariant=number, holds=holds, sides=sides)
