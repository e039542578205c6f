"""Lowers a sealed spec to a program, for one setting."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.engine.program import ir
from rulespec.engine.program.blocks import BLOCKS
from rulespec.engine.program.cards import CARDS
from rulespec.engine.program.connection import connect
from rulespec.engine.program.lower import CORE, Lowering, LowerStep
from rulespec.engine.program.operations import ZERO
from rulespec.engine.program.positions import present
from rulespec.engine.program.remembering import POSITIONS
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.language.model.operators import OPERATORS

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
