"""Draws of named chance in machine code, and what is measured of each game that is played with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.engine.backend.dialects.arrays import BITS, SIZES, WORD, ZONES, i64, signed, u64, words
from rulespec.engine.backend.forms.machine_playout import MachinePlayout, TallyLayout, array, column, drop_lowest, zeros
from rulespec.engine.backend.forms.playout import DECISIONS
from rulespec.engine.backend.tree.legal_actions import least_of, plain_interval
from rulespec.engine.backend.tree.syntax import (
    Code,
    Operand,
    assign,
    between,
    call,
    do,
    either,
    equal,
    give,
    increase,
    junction,
    loop,
    name,
    number,
    repeat,
    total,
    unequal,
    when,
)
from rulespec.engine.interpreter.random import GAMMA
from rulespec.engine.named_chance.chance import KEY_MASK, start_of
from rulespec.engine.named_chance.labels import Labels
from rulespec.engine.program import ir
from rulespec.language.model.types import LIMIT, NONE

NUMBER_BITS = 16
"""The low bits of what is compared, which hold the number of the candidate; its key is above them. Decisions with more
candidates are not compiled to machine code: their labels would take 256 kB of constants."""

_MOST: int = 2**NUMBER_BITS - 1

BUCKETS = 128
"""Buckets of the first pass of sorting: about one card in each, as a deck has about a hundred."""

CARD_BITS = 15
"""The low bits of a key that hold the card while keys are sorted: zones are arrays of 16-bit numbers with a sign."""

CARD_MASK, SHIFT = 2**CARD_BITS - 1, 64 - (BUCKETS - 1).bit_length()
CONSTANTS = {"BUCKETS": BUCKETS, "CARD_BITS": CARD_BITS, "CARD_MASK": CARD_MASK, "SHIFT": SHIFT}
"""The constants of runtime_named.py."""

TRACE, FIRED, GIVEN, WORTH = map(name, ("trace", "fired", "given", "worth"))
"""The digest of all choices; arrays of how often rules applied, prizes were given, and what these were worth."""

_NAMED, _KEYS, _SORTED, _COPIES, _BUCKETS = map(name, ("named", "keys", "sorted_keys", "copies", "buckets"))
_INDEX = name("i")

Deal, Policy = "deal", "policy"
Name = tuple[str, int]
"""The stream of a game, `deal` or `policy`, and the rule that draws from it."""


@dataclass(frozen=True)
class Measures:
    """What is measured of each game: `prizes` has a column for each place and subject of an award, `rules` the rules
    whose use is counted. `parts` is the worth of a win: a number that all possible numbers of winners divide."""

    prizes: dict[tuple[int, int], int]
    rules: tuple[int, ...]
    parts: int

    def columns(self, players: int) -> int:
        return 2 + 2 * players + 2 * self.awards + len(self.rules)

    @property
    def awards(self) -> int:
        return 1 + max(self.prizes.values(), default=-1)


class NamedPlayout(MachinePlayout):
    """Draws by name. `named` has the state of every generator; each name has a row of them, one for each owner."""

    def __init__(
        self, program: ir.Program, faces: bool, read: frozenset[int], labels: Labels, measures: Measures
    ) -> None:
        super().__init__(program, faces, read, TallyLayout())
        self.labels, self.measures = labels, measures
        self.generators: dict[Name, int] = {}
        self._owners = 1 + max((*self.labels.owners, program.players - 1), default=0)

    def begin(self) -> None:
        self.put(array(_NAMED, "u64s", len(self.generators) * self._owners))
        self.put(*(assign(call("stream", name(of), 0), name(of)) for of in (Deal, Policy)))
        for (of, rule), generator in self.generators.items():
            starts = self.table([signed(start_of(self.labels.rules[rule], owner)) for owner in range(self._owners)])
            cell = _NAMED[number(generator * self._owners) + _INDEX]
            with self.inside(loop(_INDEX, call("range", 0, self._owners))):
                self.put(assign(name(of) + u64(starts[_INDEX]), cell))
        self.put(array(_KEYS, "u64s", self.room), array(_SORTED, "u64s", self.room))
        self.put(array(_COPIES, "i64s", 1 + max(self.program.faces, default=0)))
        self.put(array(_BUCKETS, "i64s", BUCKETS + 1))
        rules, awards = len(self.measures.rules), 1 + self.measures.awards
        self.put(array(FIRED, "i64s", 1 + rules), zeros(FIRED, rules))
        self.put(array(GIVEN, "i64s", awards), array(WORTH, "i64s", awards))
        self.put(zeros(GIVEN, awards), zeros(WORTH, awards), assign(u64(0), TRACE))

    # draws

    def next(self, of: str, rule: int, owner: Code) -> Code:
        """A variable with the next number of a generator."""
        generator = self.generators.setdefault((of, rule), len(self.generators))
        place, drawn = self.once(number(generator * self._owners) + owner), self.name("d")
        self.put(assign(_NAMED[place] + u64(GAMMA), _NAMED[place]), assign(call("mixed", _NAMED[place]), drawn))
        return drawn

    def _owner(self, zone: ir.Expr, named: Code) -> Code:
        owners = {self.labels.owners[zone] for zone in self.zones_of(zone)}
        return number(owners.pop()) if len(owners) == 1 else self.table(self.labels.owners)[named]

    @property
    def _faces(self) -> tuple[Code, Code]:
        """The tables of labels and of faces by card."""
        faces = self.program.faces
        return self.table([signed(self.labels.faces[face]) for face in faces]), self.table(faces)

    def shuffle(self, i: ir.Shuffle) -> None:
        named = self.ordered(i.zone)
        drawn, count = self.next(Deal, i.rule, self._owner(i.zone, named)), self.once(SIZES[named])
        self._put_keys(drawn, named, count)
        self.put(do(call("sort_cards", ZONES, named * self.room, count, _KEYS, _SORTED, _BUCKETS)))

    def _put_keys(self, drawn: Code, named: Code, count: Code) -> None:
        labels, faces = self._faces
        place, card, face = self.name("i"), self.name(), self.name()
        self.put(zeros(_COPIES, 1 + max(self.program.faces, default=0)))
        with self.inside(loop(place, call("range", 0, count))):
            self.put(assign(self.at(named, place), card), assign(faces[card], face))
            self.put(assign(_COPIES[face] + 1, _COPIES[face]))
            key = drawn + u64(labels[card]) + u64(GAMMA) * u64(_COPIES[face])
            self.put(assign(call("mixed", key), _KEYS[place]))

    def _several(self, i: ir.Move, a: Code, b: Code, amount: Code) -> None:
        if i.how != "random":
            super()._several(i, a, b, amount)
            return
        with self.inside(loop(self.name(), call("range", call("min", amount, SIZES[a])))):
            drawn = self.next(Deal, i.rule, self._owner(i.source, a))
            self._put_keys(drawn, a, SIZES[a])
            self._one(i, a, self.once(call("least_key", _KEYS, SIZES[a])), b)

    def random(self, i: ir.Draw) -> None:
        drawn, best = self.next(Deal, i.rule, number(0)), self.best()
        if isinstance(i.domain, ir.Span):
            least, most = i.domain.least, i.domain.most
            low, high = self.once(self.value(i.domain.low)), self.once(self.value(i.domain.high))
            labels = [_short(self.labels.value(i.type, value)) for value in range(least, most + 1)]
            self._compare_each(drawn, call("range", low - least, high - least + 1), labels, 0, best)
            self.put(assign(self.number_of(best) + least, self.register(i.slot)))
            return
        values = i.domain.values
        labels = [_short(self.labels.value(i.type, value)) for value in values]
        self._compare_each(drawn, call("range", 0, len(values)), labels, 0, best)
        self.put(assign(self.table(values)[self.number_of(best)], self.register(i.slot)))

    # candidates: the one with the smallest key

    def best(self) -> Code:
        """A new variable for the smallest key so far, with the number of its candidate in the low bits."""
        best = self.name("b")
        self.put(assign(2**63 - 1, best))
        return best

    def number_of(self, best: Code) -> Code:
        """The number of the candidate with the smallest key."""
        return best & _MOST

    def _compare_each(self, drawn: Code, numbers: Code, labels: Sequence[int], first: int, best: Code) -> None:
        """Compares candidates in a range of indices into their labels; `first` is added to their numbers."""
        index = self.name("i")
        with self.inside(loop(index, numbers)):
            self._compare(drawn, self.table(labels)[index], index + first, best)

    def _compare(self, drawn: Code, label: Operand, candidate: Code, best: Code) -> None:
        key = i64(drawn * u64(label) & u64(KEY_MASK))
        self.put(assign(call("min", best, key << NUMBER_BITS | candidate), best))

    def compare_option(
        self, option: ir.Option, first: int, counted: tuple[Code, Code], drawn: Code, best: Code
    ) -> None:
        """Compares the legal actions of an option, numbered from `first` on."""
        count, legal = counted
        if first + option.size > _MOST:
            raise MemoryError("a decision has too many actions")
        labels = [_short(self.labels.action(action)) for action in range(option.first, option.first + option.size)]
        if not option.picks:
            with self.inside(when(count)):
                self._compare(drawn, labels[0], number(first), best)
        elif plain_interval(option) is not None:
            start = self.once(legal - least_of(option.picks[0]))
            self._compare_each(drawn, call("range", start, start + count), labels, first, best)
        else:
            self._compare_collection(option.size, legal, drawn, labels, first, best)

    def _compare_collection(
        self, size: int, legal: Code, drawn: Code, labels: Sequence[int], first: int, best: Code
    ) -> None:
        word, index = self.name("c"), self.name("i")
        for part in range(words(size)):
            self.put(assign(legal if size <= WORD else BITS[legal + part], word))
            with self.inside(repeat(word)):
                self.put(assign(call("lowest_bit", word) + part * WORD, index), drop_lowest(word))
                self._compare(drawn, self.table(labels)[index], index + first, best)

    # what is measured

    def note(self, place: int, i: ir.Note) -> None:
        award = i.report
        if not isinstance(award, ir.Award):
            return
        winner = self.once(self.register(award.winner))
        worth = self.once(self.value(award.worth)) if award.worth is not None else number(0)
        for (where, subject), prize in self.measures.prizes.items():
            if where == place:
                won = junction("and", equal(self.register(award.subject), subject), unequal(winner, NONE))
                gained = either(unequal(worth, NONE), worth, 0)
                self.put(when(won, [increase(GIVEN[prize], 1), increase(WORTH[prize], gained)]))

    def finish(self) -> None:
        players, ranking = range(self.program.players), self.program.ranking
        ranks = [self.register(ranking.ranks + p) if ranking else number(0) for p in players]
        winners = self.once(total([either(equal(rank, 1), 1, 0) for rank in ranks]))
        parts = [either(equal(rank, 1), number(self.measures.parts) // winners, 0) for rank in ranks]
        points = [self.once(self.register(ranking.keys[0].base + p)) for p in players] if ranking else []
        scores = [either(between(NONE, p, LIMIT), p, 0) for p in points] or [number(0) for _ in players]
        awards = range(self.measures.awards)
        given, worth = ([cells[prize] for prize in awards] for cells in (GIVEN, WORTH))
        fired = [FIRED[rule] for rule in range(len(self.measures.rules))]
        columns = [i64(TRACE), DECISIONS, *parts, *scores, *given, *worth, *fired]
        self.put(*(assign(value, column(n)) for n, value in enumerate(columns)), give())


def _short(label: int) -> int:
    """The part of a label that keys are made of, as a signed integer, so that a table of them takes 32 bits each."""
    number = label & KEY_MASK
    return number - 2**32 if number >= 2**31 else number
