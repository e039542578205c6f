"""Puts the program of a game together."""

from __future__ import annotations

from rulespec.engine import ir
from rulespec.engine.blocks import BLOCKS
from rulespec.engine.lower import Lowering
from rulespec.model.constants import Setting


def compile_program(setting: Setting) -> ir.Program:
    """The flat program of a sealed spec for one setting."""
    low = Lowering(setting, BLOCKS)
    spec = setting.spec
    with low.under(spec.deck.leave_out_rule):
        pass
    low.body(spec.setup, {})
    _checks(low, "setup.end")
    low.emit(ir.SetupEnds())
    low.body(spec.play, {})
    _checks(low, "end")
    low.emit(ir.End())
    return ir.Program(
        players=setting.players,
        code=tuple(low.code),
        rules=low.rules,
        start=tuple(low.start),
        scratch=len(low.scratch),
        zones=tuple(low.zones),
        zone_base=low.zone_base,
        value_base=low.value_base,
        cards=setting.cards(),
        start_zone=low.zone_base[spec.deck.start] if spec.deck.cards else 0,
        faces=spec.deck.faces,
        actions=low.actions,
        options=tuple(low.options.values()),
        ranking=low.ranking,
        entries=low.entries,
    )


def _checks(low: Lowering, at: str) -> None:
    for number, invariant in enumerate(low.spec.invariants):
        if invariant.at == at:
            low.emit(ir.Check(invariant=number, holds=low.expr(invariant.holds, {})))
