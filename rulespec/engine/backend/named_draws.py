"""Draws of named chance in machine code, and what is measured of each game that is played with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.engine import ir
from rulespec.engine.backend.arrays import WORD
from rulespec.engine.backend.choosing import least_of, plain_interval
from rulespec.engine.backend.machine_playout import MachinePlayout, TallyLayout
from rulespec.engine.named.chance import KEY_MASK, start_of
from rulespec.engine.named.labels import Labels
from rulespec.engine.random import GAMMA
from rulespec.model.types import LIMIT, NONE

NUMBER_BITS = 16
"""The low bits of what is compared, which hold the number of the candidate; its key is above them. Decisions with more
candidates are not compiled to machine code: their labels would take 256 kB of constants."""

_NUMBERS = 2**NUMBER_BITS - 1

BUCKETS = 128
"""Buckets of the first pass of sorting: about one card in each, as a deck has about a hundred."""

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
        self, program: ir.Program, variables: frozenset[int], faces: bool, labels: Labels, measures: Measures
    ) -> None:
        super().__init__(program, variables, faces, TallyLayout())
        self.labels, self.measures = labels, measures
        self.generators: dict[Name, int] = {}
        self._owners = 1 + max((*self.labels.owners, program.players - 1), default=0)

    def begin(self) -> None:
        size = max(1, len(self.generators) * self._owners)
        self.put(f"named = array(u64s, {size})", "deal = stream(deal, 0)", "policy = stream(policy, 0)")
        for (of, rule), number in self.generators.items():
            starts = [_signed(start_of(self.labels.rules[rule], owner)) for owner in range(self._owners)]
            with self.inside(f"for i in range(0, {self._owners}):"):
                self.put(f"named[{number * self._owners} + i] = {of} + u64({self.table(starts)}[i])")
        self.put("keys = array(u64s, C)", "sorted_keys = array(u64s, C)")
        self.put(f"copies = array(i64s, {1 + max(self.program.faces, default=0)})")
        self.put(f"buckets = array(i64s, {BUCKETS + 1})")
        self.put(f"fired = array(i64s, {1 + len(self.measures.rules)})", f"zero(fired, {len(self.measures.rules)})")
        awards = 1 + self.measures.awards
        self.put(f"given = array(i64s, {awards})", f"worth = array(i64s, {awards})")
        self.put(f"zero(given, {awards})", f"zero(worth, {awards})", "trace = u64(0)")

    # draws

    def next(self, of: str, rule: int, owner: str) -> str:
        """A variable with the next number of a generator."""
        number = self.generators.setdefault((of, rule), len(self.generators))
        place, drawn = self.once(f"{number * self._owners} + {owner}"), self.name("d")
        self.put(f"named[{place}] = named[{place}] + u64({GAMMA})", f"{drawn} = mixed(named[{place}])")
        return drawn

    def _owner(self, zone: ir.Expr, number: str) -> str:
        owners = {self.labels.owners[zone] for zone in self.zones_of(zone)}
        return str(owners.pop()) if len(owners) == 1 else self.at(self.table(self.labels.owners), number)

    @property
    def _faces(self) -> tuple[str, str]:
        """The tables of labels and of faces by card."""
        faces = self.program.faces
        return self.table([_signed(self.labels.faces[face]) for face in faces]), self.table(faces)

    def shuffle(self, i: ir.Shuffle) -> None:
        number = self.zone(i.zone)
        drawn, count = self.next(Deal, i.rule, self._owner(i.zone, number)), self.once(self.at("n", number))
        self._put_keys(drawn, number, count)
        self.put(f"sort_cards(z, {number} * C, {count}, keys, sorted_keys, buckets)")

    def _put_keys(self, drawn: str, number: str, count: str) -> None:
        labels, faces = self._faces
        place, card, face = self.name("i"), self.name(), self.name()
        self.put(f"zero(copies, {1 + max(self.program.faces, default=0)})")
        with self.inside(f"for {place} in range(0, {count}):"):
            self.put(f"{card} = z[{number} * C + {place}]", f"{face} = {faces}[{card}]")
            self.put(f"copies[{face}] = copies[{face}] + 1")
            self.put(f"keys[{place}] = mixed({drawn} + u64({labels}[{card}]) + u64({GAMMA}) * u64(copies[{face}]))")

    def _several(self, i: ir.Move, a: str, b: str, amount: str) -> None:
        if i.how != "random":
            super()._several(i, a, b, amount)
            return
        with self.inside(f"for {self.name()} in range(min({amount}, {self.at('n', a)})):"):
            drawn = self.next(Deal, i.rule, self._owner(i.source, a))
            self._put_keys(drawn, a, self.at("n", a))
            self._one(i, a, self.once(f"least_key(keys, {self.at('n', a)})"), b)

    def random(self, i: ir.Draw) -> None:
        drawn, best = self.next(Deal, i.rule, "0"), self.best()
        if isinstance(i.domain, ir.Span):
            least, most = i.domain.least, i.domain.most
            low, high = self.once(self.value(i.domain.low)), self.once(self.value(i.domain.high))
            labels = [_short(self.labels.value(i.type, value)) for value in range(least, most + 1)]
            self._compare_each(drawn, f"range({low} - ({least}), {high} - ({least}) + 1)", labels, 0, best)
            self.put(f"{self.register(i.slot)} = ({self.number_of(best)}) + ({least})")
            return
        values = i.domain.values
        labels = [_short(self.labels.value(i.type, value)) for value in values]
        self._compare_each(drawn, f"range(0, {len(values)})", labels, 0, best)
        self.put(f"{self.register(i.slot)} = {self.at(self.table(values), self.number_of(best))}")

    # candidates: the one with the smallest key

    def best(self) -> str:
        """A new variable for the smallest key so far, with the number of its candidate in the low bits."""
        best = self.name("b")
        self.put(f"{best} = {2**63 - 1}")
        return best

    def number_of(self, best: str) -> str:
        """The number of the candidate with the smallest key."""
        return f"{best} & {_NUMBERS}"

    def _compare_each(self, drawn: str, numbers: str, labels: Sequence[int], first: int, best: str) -> None:
        """Compares candidates in a range of indices into their labels; `first` is added to their numbers."""
        with self.inside(f"for {(index := self.name('i'))} in {numbers}:"):
            self._compare(drawn, self.at(self.table(labels), index), f"{index} + {first}", best)

    def _compare(self, drawn: str, label: str, number: str, best: str) -> None:
        key = f"i64({drawn} * u64({label}) & u64({KEY_MASK}))"
        self.put(f"{best} = min({best}, {key} << {NUMBER_BITS} | {number})")

    def compare_option(self, option: ir.Option, first: int, counted: tuple[str, str], drawn: str, best: str) -> None:
        """Compares the legal actions of an option, numbered from `first` on."""
        count, legal = counted
        if first + option.size > _NUMBERS:
            raise MemoryError("a decision has too many actions")
        labels = [_short(self.labels.action(action)) for action in range(option.first, option.first + option.size)]
        if not option.picks:
            with self.inside(f"if {count}:"):
                self._compare(drawn, f"{labels[0]}", str(first), best)
        elif plain_interval(option) is not None:
            start = self.once(f"{legal} - ({least_of(option.picks[0])})")
            self._compare_each(drawn, f"range({start}, {start} + {count})", labels, first, best)
        else:
            self._compare_collection(option.size, legal, drawn, labels, first, best)

    def _compare_collection(
        self, size: int, legal: str, drawn: str, labels: Sequence[int], first: int, best: str
    ) -> None:
        word, index = self.name("c"), self.name("i")
        for part in range(-(-size // WORD)):
            self.put(f"{word} = {legal}" if size <= WORD else f"{word} = bits[{legal} + {part}]")
            with self.inside(f"while {word}:"):
                self.put(f"{index} = lowest_bit({word}) + {part * WORD}", f"{word} = {word} & ({word} - u64(1))")
                self._compare(drawn, self.at(self.table(labels), index), f"{index} + {first}", best)

    # what is measured

    def note(self, place: int, i: ir.Note) -> None:
        award = i.report
        if not isinstance(award, ir.Award):
            return
        winner = self.once(self.register(award.winner))
        worth = self.once(self.value(award.worth)) if award.worth is not None else "0"
        for (where, subject), number in self.measures.prizes.items():
            if where == place:
                with self.inside(f"if {self.register(award.subject)} == {subject} and {winner} != {NONE}:"):
                    self.put(f"given[{number}] += 1", f"worth[{number}] += {worth} if {worth} != {NONE} else 0")

    def finish(self) -> None:
        players, ranking = self.program.players, self.program.ranking
        columns: list[str] = ["i64(trace)", "decisions"]
        ranks = [self.register(ranking.ranks + p) for p in range(players)] if ranking else ["0"] * players
        winners = self.once(" + ".join(f"(1 if {rank} == 1 else 0)" for rank in ranks) or "0")
        columns += [f"({self.measures.parts} // {winners} if {rank} == 1 else 0)" for rank in ranks]
        points = [self.once(self.register(ranking.keys[0].base + p)) for p in range(players)] if ranking else []
        columns += [f"({p} if {NONE} < {p} < {LIMIT} else 0)" for p in points] or ["0"] * players
        for array, size in (("given", self.measures.awards), ("worth", self.measures.awards)):
            columns += [f"{array}[{number}]" for number in range(size)]
        columns += [f"fired[{number}]" for number in range(len(self.measures.rules))]
        self.put(*(f"out[{number} * count + g] = {column}" for number, column in enumerate(columns)), "return")


def _short(label: int) -> int:
    """The part of a label that keys are made of, as a signed integer, so that a table of them takes 32 bits each."""
    number = label & KEY_MASK
    return number - 2**32 if number >= 2**31 else number


def _signed(number: int) -> int:
    """The signed 64-bit integer with the same bits."""
    return number - 2**64 if number >= 2**63 else number
