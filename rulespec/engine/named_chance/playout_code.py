"""Playouts with named chance in machine code: the draws of `draws.py`, and the decisions of random players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rulespec.engine.backend.analyses.faces import by_face
from rulespec.engine.backend.analyses.zone_reads import until_read
from rulespec.engine.backend.dialects.arrays import u64
from rulespec.engine.backend.forms.machine_playout import whole
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.backend.forms.playout import DECISIONS, PlayoutWriter, asked, in_order, may_be_empty
from rulespec.engine.backend.tree.legal_actions import least_of, plain_interval
from rulespec.engine.backend.tree.statements import Arm
from rulespec.engine.backend.tree.syntax import Code, assign, equal, increase, negation, total, when, within
from rulespec.engine.interpreter.closures import onward
from rulespec.engine.interpreter.random import GAMMA
from rulespec.engine.named_chance.draws import CONSTANTS, FIRED, NUMBER_BITS, TRACE, Measures, NamedPlayout, Policy
from rulespec.engine.named_chance.labels import Labels
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE


@dataclass(frozen=True)
class _Offered:
    """An option at a decision: the number of its first action there, and the variables of `Choosing.count`."""

    option: ir.Option
    first: int
    count: Code
    legal: Code

    def test(self, found: Code) -> Code:
        return within(self.first, found, self.first + self.option.size)


class NamedWriter(PlayoutWriter):
    """Writes playouts whose players draw from generators named by the rule of the decision and their seat."""

    w: NamedPlayout

    def __init__(self, writer: NamedPlayout, program: ir.Program) -> None:
        super().__init__(writer, program, tally=True)
        self.follows = onward(program.code, (ir.Mark, ir.Note))

    def _work(self, place: int) -> None:
        i = self.program.code[place]
        if isinstance(i, ir.Mark) and i.rule in self.w.measures.rules:
            self.w.under(i.rule)
            self.w.put(increase(FIRED[self.w.measures.rules.index(i.rule)], 1))
        super()._work(place)

    def _choose(self, i: ir.Choose) -> list[Arm]:
        w = self.w
        offered = self._offered(i.options)
        legal = w.once(total([one.count for one in offered]))
        found = w.name("f")
        begin = partial(self._decide_named, i.rule, i.by, offered, found)
        arms: list[Arm] = [(lambda: negation(legal), None)] if may_be_empty(i) else []
        for number, one in enumerate(offered):
            bind = partial(self._bind_found, one, found)
            # The last option needs no test: what was found belongs to one of them.
            if one is offered[-1]:
                arms.append((None, partial(in_order, None if number else begin, bind)))
            else:
                arms.append((partial(asked, None if number else begin, one.test(found)), bind))
        return arms

    def _offered(self, options: Sequence[ir.Option]) -> list[_Offered]:
        """Writes code that counts the legal actions of options at one decision, and numbers these."""
        found, first = list[_Offered](), 0
        for option in options:
            count, legal = self.w.count(option)
            found.append(_Offered(option, first, self.w.once(count), legal))
            first += option.size
        return found

    def _decide_named(self, rule: int, by: ir.Expr, offered: list[_Offered], found: Code) -> None:
        """Writes the choice of an action among the legal ones."""
        w = self.w
        drawn, best = w.next(Policy, rule, w.value(by)), w.best()
        for one in offered:
            w.compare_option(one.option, one.first, (one.count, one.legal), drawn, best)
        w.put(assign(w.number_of(best), found), increase(DECISIONS, 1))
        w.put(assign(TRACE * u64(GAMMA) + (u64(best) >> u64(NUMBER_BITS)), TRACE))

    def _bind_found(self, one: _Offered, found: Code) -> None:
        w, option = self.w, one.option
        if plain_interval(option) is not None:
            w.available.changed([option.picks[0].slot])
            w.put(assign(found - (one.first - least_of(option.picks[0])), w.register(option.picks[0].slot)))
        elif option.picks:
            w.bind(option, w.once(found - one.first))

    def _secret(self, i: ir.Secret) -> None:
        """All players choose before any choice is carried out."""
        w, taken = self.w, []
        for asking in i.askings:
            chosen, found = w.register(asking.chosen), w.name("f")
            w.put(assign(NONE, chosen), assign(0, found))
            with w.inside(when(w.test(asking.asked))):
                offered = self._offered(asking.options)
                legal = w.once(total([one.count for one in offered]))
                with w.inside(when(legal > 0)):
                    self._decide_named(i.rule, ir.Const(asking.player), offered, found)
                    for number, one in enumerate(offered):
                        w.put(when(one.test(found), [assign(number, chosen)]))
            taken.append((chosen, found, offered))
        w.none_taken()
        for chosen, found, offered in taken:
            for number, one in enumerate(offered):
                if one.option.picks:
                    with w.inside(when(equal(chosen, number))):
                        w.bind(one.option, w.once(found - one.first), secret=True)
                        for card in self._cards(one.option):
                            w.take(card)

    def _cards(self, option: ir.Option) -> Iterator[Code]:
        return (self.w.register(pick.slot) for pick in option.picks if pick.type.kind == "card")


def named_source(program: ir.Program, labels: Labels, measures: Measures) -> Source:
    """The source of `play_pairs(seed, first, count, out)`, which fills columns of `count` numbers: a digest of all
    choices, the decisions, the parts of the win by seat, the scores by seat, how often each prize was given, what these
    were worth, how often each rule was applied. `compare` adds to sums over games of two columns: of each, of the
    squares of their differences, and of the games that differ, which it marks in `differs`."""

    def write(played: ir.Program, only_placed: bool, read: frozenset[int]) -> Source:
        w = NamedPlayout(played, only_placed, read, labels, measures)
        NamedWriter(w, played).write()
        return whole(w, str(Path(__file__).with_name("runtime_named.py")), CONSTANTS)

    return by_face(program, lambda played, placed: until_read(partial(write, played, placed)))
