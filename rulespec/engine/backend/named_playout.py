"""Playouts with named chance in machine code: the draws of `engine/named`, and the decisions of random players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rulespec.engine import ir
from rulespec.engine.backend.choosing import least_of, plain_interval
from rulespec.engine.backend.faces import by_face
from rulespec.engine.backend.machine_playout import Source, whole
from rulespec.engine.backend.named_draws import BUCKETS, NUMBER_BITS, Measures, NamedPlayout, Policy
from rulespec.engine.backend.playout import PlayoutWriter, variables
from rulespec.engine.backend.statements import Arm
from rulespec.engine.closures import SILENT, onward
from rulespec.engine.named.labels import Labels
from rulespec.engine.random import GAMMA
from rulespec.model.types import NONE


@dataclass(frozen=True)
class _Offered:
    """An option at a decision: the number of its first action there, and the variables of `Choosing.count`."""

    option: ir.Option
    first: int
    count: str
    legal: str

    def test(self, found: str) -> str:
        return f"{self.first} <= {found} < {self.first + self.option.size}"


class NamedWriter(PlayoutWriter):
    """Writes playouts whose players draw from generators named by the rule of the decision and their seat."""

    w: NamedPlayout

    def __init__(self, writer: NamedPlayout, program: ir.Program) -> None:
        super().__init__(writer, program, tally=True)
        skipped = tuple(kind for kind in SILENT if kind not in (ir.Mark, ir.Note))
        self.follows = onward(program.code, skipped)

    def _work(self, place: int) -> None:
        i = self.program.code[place]
        if isinstance(i, ir.Mark) and i.rule in self.w.measures.rules:
            self.w.under(i.rule)
            self.w.put(f"fired[{self.w.measures.rules.index(i.rule)}] += 1")
        super()._work(place)

    def _choose(self, i: ir.Choose) -> list[Arm]:
        w = self.w
        offered = self._offered(i.options)
        total = w.once(" + ".join(one.count for one in offered))
        found = w.name("f")
        begin = partial(self._decide_named, i.rule, i.by, offered, found)
        arms: list[Arm] = [(lambda: f"not {total}", None)] if self._may_be_empty(i) else []
        for number, one in enumerate(offered):
            bind = partial(self._bind_found, one, found)
            if one is offered[-1]:
                arms.append((None, partial(_in_order, None if number else begin, bind)))
            else:
                arms.append((partial(self._asked, None if number else begin, one.test(found)), bind))
        return arms

    def _offered(self, options: Sequence[ir.Option]) -> list[_Offered]:
        """Writes code that counts the legal actions of options at one decision, and numbers these."""
        found, first = list[_Offered](), 0
        for option in options:
            count, legal = self.w.count(option)
            found.append(_Offered(option, first, self.w.once(count), legal))
            first += option.size
        return found

    def _asked(self, begin: partial[None] | None, test: str) -> str:
        _in_order(begin)
        return test

    def _decide_named(self, rule: int, by: ir.Expr, offered: list[_Offered], found: str) -> None:
        """Writes the choice of an action among the legal ones."""
        w = self.w
        drawn, best = w.next(Policy, rule, w.value(by)), w.best()
        for one in offered:
            w.compare_option(one.option, one.first, (one.count, one.legal), drawn, best)
        w.put(f"{found} = {w.number_of(best)}", "decisions += 1")
        w.put(f"trace = trace * u64({GAMMA}) + (u64({best}) >> u64({NUMBER_BITS}))")

    def _bind_found(self, one: _Offered, found: str) -> None:
        w, option = self.w, one.option
        if plain_interval(option) is not None:
            w.available.changed([option.picks[0].slot])
            w.put(f"{w.register(option.picks[0].slot)} = {found} - {one.first - least_of(option.picks[0])}")
        elif option.picks:
            w.bind(option, w.once(f"{found} - {one.first}"))

    def _secret(self, i: ir.Secret) -> None:
        """All players choose before any choice is carried out."""
        w, taken = self.w, []
        for asking in i.askings:
            chosen, found = w.register(asking.chosen), w.name("f")
            w.put(f"{chosen} = {NONE}", f"{found} = 0")
            with w.inside(f"if {w.test(asking.asked)}:"):
                offered = self._offered(asking.options)
                total = w.once(" + ".join(one.count for one in offered))
                with w.inside(f"if {total} > 0:"):
                    self._decide_named(i.rule, ir.Const(asking.player), offered, found)
                    for number, one in enumerate(offered):
                        with w.inside(f"if {one.test(found)}:"):
                            w.put(f"{chosen} = {number}")
            taken.append((chosen, found, offered))
        w.none_taken()
        for chosen, found, offered in taken:
            for number, one in enumerate(offered):
                if one.option.picks:
                    with w.inside(f"if {chosen} == {number}:"):
                        w.bind(one.option, w.once(f"{found} - {one.first}"), secret=True)
                        for card in self._cards(one.option):
                            w.take(card)

    def _cards(self, option: ir.Option) -> Iterator[str]:
        return (self.w.register(pick.slot) for pick in option.picks if pick.type.kind == "card")

    @staticmethod
    def _may_be_empty(i: ir.Choose) -> bool:
        return i.none >= 0 and not any(option.condition is None and not option.picks for option in i.options)


def _in_order(*writers: partial[None] | None) -> None:
    for write in writers:
        if write is not None:
            write()


_DRIVER = """
def sort_cards(z: i16s, first: i64, count: i64, keys: u64s, by: u64s, buckets: i64s) -> None:
    zero(buckets, BUCKETS + 1)
    for i in range(0, count):
        keys[i] = keys[i] >> u64(CARD_BITS) << u64(CARD_BITS) | u64(z[first + i])
        buckets[1 + i64(keys[i] >> u64(SHIFT))] += 1
    for i in range(0, BUCKETS):
        buckets[i + 1] = buckets[i + 1] + buckets[i]
    for i in range(0, count):
        place = buckets[i64(keys[i] >> u64(SHIFT))]
        buckets[i64(keys[i] >> u64(SHIFT))] = place + 1
        by[place] = keys[i]
    for i in range(0, count):
        key = by[i]
        place = i
        while place > 0 and by[place - 1] > key:
            by[place] = by[place - 1]
            place = place - 1
        by[place] = key
    for i in range(0, count):
        z[first + i] = i64(by[i] & u64(CARD_MASK))


def least_key(keys: u64s, count: i64) -> i64:
    found = 0
    for i in range(1, count):
        if keys[i] < keys[found]:
            found = i
    return found


def play_pairs(seed: u64, first: i64, count: i64, out: i64s) -> None:
    for g in range(0, count):
        game = stream(seed, first + g)
        play(stream(game, 0) >> u64(16), stream(game, 1) >> u64(16), out, count, g)


def compare(old: i64s, new: i64s, count: i64, differs: i64s, sums: i64s) -> None:
    for g in range(0, count):
        a = old[g]
        b = new[g]
        d = b - a
        sums[0] = sums[0] + a
        sums[1] = sums[1] + b
        sums[2] = sums[2] + d * d
        if d != 0:
            sums[3] = sums[3] + 1
            differs[g] = 1
"""
_CARD_BITS = 15
"""The low bits of a key that hold the card while keys are sorted: zones are arrays of 16-bit numbers with a sign."""

_NUMBERS = {
    "BUCKETS": BUCKETS,
    "CARD_BITS": _CARD_BITS,
    "CARD_MASK": 2**_CARD_BITS - 1,
    "SHIFT": 64 - (BUCKETS - 1).bit_length(),
}
"""The constants of the driver."""


def named_source(program: ir.Program, labels: Labels, measures: Measures) -> Source:
    """The source of `play_pairs(seed, first, count, out)`, which fills columns of `count` numbers: a digest of all
    choices, the decisions, the parts of the win by seat, the scores by seat, how often each prize was given, what these
    were worth, how often each rule was applied. `compare` adds to sums over games of two columns: of each, of the
    squares of their differences, and of the games that differ, which it marks in `differs`."""

    def write(played: ir.Program, only_placed: bool) -> Source:
        w = NamedPlayout(played, variables(played), only_placed, labels, measures)
        NamedWriter(w, played).write()
        return whole(w, re.sub("|".join(_NUMBERS), lambda found: str(_NUMBERS[found[0]]), _DRIVER))

    return by_face(program, write)
