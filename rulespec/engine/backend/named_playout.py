"""Playouts with named chance in machine code: the draws of `engine/named`, and what is measured of each game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rulespec.engine import ir
from rulespec.engine.backend.arrays import WORD
from rulespec.engine.backend.choosing import least_of, plain_interval
from rulespec.engine.backend.faces import by_face
from rulespec.engine.backend.machine_playout import MachinePlayout, Source, TallyLayout, whole
from rulespec.engine.backend.playout import PlayoutWriter, variables
from rulespec.engine.backend.statements import Arm
from rulespec.engine.closures import SILENT, onward
from rulespec.engine.named.chance import KEY_SHIFT, start_of
from rulespec.engine.named.labels import Labels
from rulespec.engine.random import GAMMA
from rulespec.model.types import LIMIT, NONE

_NUMBERS = 2**KEY_SHIFT - 1
"""The low bits of a key, which hold the number of its candidate. Decisions with more are not compiled to machine
code: their labels would take 512 kB of constants."""

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
        self.put("shuffled = array(i16s, C)", f"buckets = array(i64s, {_BUCKETS + 1})")
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
        self.put(f"sort_cards(z, {number} * C, {count}, keys, sorted_keys, shuffled, buckets)")

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
            labels = [_signed(self.labels.value(i.type, value)) for value in range(least, most + 1)]
            self._compare_each(drawn, f"range({low} - ({least}), {high} - ({least}) + 1)", labels, 0, best)
            self.put(f"{self.register(i.slot)} = ({self.number_of(best)}) + ({least})")
            return
        values = i.domain.values
        labels = [_signed(self.labels.value(i.type, value)) for value in values]
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
        self.put(f"{best} = min({best}, i64({drawn} * u64({label})) & {~_NUMBERS} | {number})")

    def compare_option(self, option: ir.Option, first: int, counted: tuple[str, str], drawn: str, best: str) -> None:
        """Compares the legal actions of an option, numbered from `first` on."""
        count, legal = counted
        if first + option.size > _NUMBERS:
            raise MemoryError("a decision has too many actions")
        labels = [_signed(self.labels.action(action)) for action in range(option.first, option.first + option.size)]
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
        w.put(f"trace = mixed(trace + (u64({best}) >> u64({KEY_SHIFT})))")

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


def _signed(number: int) -> int:
    """The signed 64-bit integer with the same bits."""
    return number - 2**64 if number >= 2**63 else number


_BUCKETS = 128
"""Buckets of the first pass of sorting: about one card in each, as a deck has about a hundred."""

_DRIVER = """
def sort_cards(z: i16s, first: i64, count: i64, keys: u64s, by: u64s, cards: i16s, buckets: i64s) -> None:
    zero(buckets, BUCKETS + 1)
    for i in range(0, count):
        buckets[1 + i64(keys[i] >> u64(SHIFT))] += 1
    for i in range(0, BUCKETS):
        buckets[i + 1] = buckets[i + 1] + buckets[i]
    for i in range(0, count):
        place = buckets[i64(keys[i] >> u64(SHIFT))]
        buckets[i64(keys[i] >> u64(SHIFT))] = place + 1
        by[place] = keys[i]
        cards[place] = z[first + i]
    for i in range(0, count):
        key = by[i]
        card = cards[i]
        place = i
        while place > 0 and by[place - 1] > key:
            by[place] = by[place - 1]
            z[first + place] = z[first + place - 1]
            place = place - 1
        by[place] = key
        z[first + place] = card


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
""".replace("BUCKETS", str(_BUCKETS)).replace("SHIFT", str(64 - (_BUCKETS - 1).bit_length()))


def named_source(program: ir.Program, labels: Labels, measures: Measures) -> Source:
    """The source of `play_pairs(seed, first, count, out)`, which fills columns of `count` numbers: a digest of all
    choices, the decisions, the parts of the win by seat, the scores by seat, how often each prize was given, what these
    were worth, how often each rule was applied. `compare` adds to sums over games of two columns: of each, of the
    squares of their differences, and of the games that differ, which it marks in `differs`."""

    def write(played: ir.Program, only_placed: bool) -> Source:
        w = NamedPlayout(played, variables(played), only_placed, labels, measures)
        NamedWriter(w, played).write()
        return whole(w, _DRIVER)

    return by_face(program, write)
