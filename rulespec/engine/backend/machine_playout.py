"""Playouts in machine code: `play_games` plays many games in one call."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, reduce

from rulespec.engine import ir
from rulespec.engine.backend import syntax
from rulespec.engine.backend.arrays import BITS, SIZES, TAKEN, WORD, ZONES, Arrays, signed, u64
from rulespec.engine.backend.faces import by_face
from rulespec.engine.backend.playout import DECISIONS, GameWriter, PlayoutWriter, variables
from rulespec.engine.backend.syntax import (
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
    unequal,
    when,
    within,
)
from rulespec.engine.backend.writer import REGISTERS
from rulespec.engine.choices import conjuncts
from rulespec.model.types import LIMIT, NONE

Having = tuple[Sequence[int], ir.Expr]
"""A table and one of its values."""

MOST_PLACES, MOST_CARDS = 2**18, 2**15
"""Room for cards in all zones together: 512 kB on the stack, which may have only 1 MB in a thread. Distinct cards: a
card number is a signed 16-bit integer. Larger games are not compiled to machine code."""


FACE_SETS, COPIES = name("q"), name("k")
"""The bit set of faces in each zone, and how many cards of each face are there."""

OUT, GAME, GAMES = name("out"), name("g"), name("count")
"""The columns of results, the number of the game among those played, and their number."""


@dataclass(frozen=True)
class Source:
    """Functions for llvm.py and their constant tables, the file with more functions besides runtime.py, its constants,
    and the sizes of arrays that callers give."""

    functions: list[ast.FunctionDef]
    tables: dict[str, tuple[int, ...]]
    runtime: str
    constants: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The same as Python text."""
        return syntax.text([*syntax.constants(self.tables), *self.functions])


@dataclass(frozen=True)
class TallyLayout:
    """What is counted of every game besides its result: the prizes, each as the position of its award in the program
    and its subject, and the zones that belong to a player, each with the seat."""

    prizes: tuple[tuple[int, int], ...] = ()
    zones: tuple[tuple[int, int], ...] = ()


class MachinePlayout(GameWriter, Arrays):
    """If cards are faces, `q` has the bit set of faces in each zone that options pick from, and `k` their numbers.
    Moves update both."""

    wide = "_wide"
    longest_unrolled = 16

    def __init__(self, program: ir.Program, variables: frozenset[int], faces: bool, tally: TallyLayout) -> None:
        super().__init__(program, variables)
        self.tally = tally
        self.only_placed = faces
        self.watched = frozenset[int]().union(*self.picked().values()) if len(program.faces) <= WORD else frozenset()

    def begin(self) -> None:
        """Writes more arrays and variables of a game at its start."""

    def kinds(self, zone: ir.Expr, those: frozenset[int] | None) -> Code | None:
        if not self._watches(zone):
            return None
        every = FACE_SETS[self.zone(zone)]
        return self.once(every if those is None else every & u64(sum(1 << face for face in those)))

    @contextmanager
    def elements(self, fold: ir.Fold) -> Iterator[tuple[ir.Expr | None, Operand]]:
        """Loops over the faces in the zone that have the wanted value in a table, instead of all cards."""
        if (found := self._sorted_out(fold)) is None:
            with super().elements(fold) as element:
                yield element
            return
        zone, (table, value), rest = found
        word, named, card = self.name("c"), self.zone(zone), self.register(fold.slot)
        self.put(assign(FACE_SETS[named] & self._having(table, value), word))
        with self.inside(repeat(word)):
            self.put(assign(call("lowest_bit", word), card), drop_lowest(word))
            several = any(n > 1 and table[face] != NONE for face, n in Counter(self.program.cards).items())
            yield rest, COPIES[named * WORD + card] if several else 1

    def _sorted_out(self, fold: ir.Fold) -> tuple[ir.Expr, Having, ir.Expr | None] | None:
        """The zone, the table with the wanted value, and the rest of the condition; None without such a table."""
        domain = fold.domain
        if fold.function == "first" or not isinstance(domain, ir.Cards):
            return None
        if not self.watched.issuperset(self.zones_of(domain.zone)):
            return None
        conditions = list(conjuncts(fold.condition))
        for i, condition in enumerate(conditions):
            if (having := self._about_table(condition, fold.slot)) is not None:
                rest = conditions[:i] + conditions[i + 1 :]
                return domain.zone, having, reduce(_and, rest) if rest else None
        return None

    def _about_table(self, condition: ir.Expr, slot: int) -> Having | None:
        if not isinstance(condition, ir.Operation) or condition.operator != "==":
            return None
        lookup, value = condition.arguments
        if not isinstance(lookup, ir.Lookup) or lookup.index != ir.Register(slot):
            return None
        if not isinstance(value, ir.Const | ir.Register) or value == ir.Register(slot):
            return None
        few = all(lookup.table[card] == NONE or 0 <= lookup.table[card] < WORD for card in self.program.cards)
        return (lookup.table, value) if few else None

    def _having(self, table: Sequence[int], value: ir.Expr) -> Code:
        """The bit set of the faces with a value in a table."""
        words = {v: 0 for v in range(max(table[card] for card in self.program.cards) + 1)}
        for card in set(self.program.cards):
            words[table[card]] = words.get(table[card], 0) | 1 << card
        if isinstance(value, ir.Const):
            return u64(words.get(value.value, 0))
        without, wanted = words.pop(NONE, 0), self.value(value)
        row = self.table([signed(word) for word in words.values()] or [0])[wanted]
        absent = either(equal(wanted, NONE), signed(without), 0)
        return u64(either(within(0, wanted, len(words)), row, absent))

    def goes(self, i: ir.Move, a: Code, b: Code, card: Code) -> None:
        super().goes(i, a, b, card)
        if self._watches(i.source):
            self.put(do(call("went", COPIES, FACE_SETS, a, card)))
        if self._watches(i.target):
            self.put(do(call("came", COPIES, FACE_SETS, b, card)))

    def all_gone(self, i: ir.Move, a: Code, b: Code) -> None:
        for zone, named in ((i.source, a), (i.target, b)):
            if self._watches(zone):
                self.recount(named)

    def counted(self) -> frozenset[int]:
        """The zones whose faces moves count: those that are watched, and others that such a move may name."""
        ends = (end for i in self.program.code if isinstance(i, ir.Move) for end in (i.source, i.target))
        return self.watched.union(*(self.zones_of(end) for end in ends if self._watches(end)))

    def recount(self, zone: Operand) -> None:
        """Writes: count the faces in a zone anew."""
        self.put(do(call("recount", ZONES, SIZES, COPIES, FACE_SETS, zone, self.room)))

    def _watches(self, zone: ir.Expr) -> bool:
        return not self.watched.isdisjoint(self.zones_of(zone))

    def finish(self) -> None:
        players, ranking = self.program.players, self.program.ranking
        self.put(assign(DECISIONS, OUT[GAME]))
        for p in range(players):
            rank = score = number(0)
            if ranking is not None:
                rank = self.register(ranking.ranks + p)
                points = self.once(self.register(ranking.keys[0].base + p))
                score = either(between(NONE, points, LIMIT), points, 0)
            self.put(assign(rank, column(1 + p)), assign(score, column(1 + players + p)))
        for n, slot in enumerate(self.program.returns, 1 + 2 * players):
            self.put(assign(self.register(slot), column(n)))
        self._count_cards()
        self.put(give())

    def _count_cards(self) -> None:
        """Writes: count the cards of each face that each seat holds."""
        players = self.program.players
        held = result_columns(self.program) + len(self.tally.prizes) * (2 * players + 1)
        for zone, seat in self.tally.zones:
            card, place = self.name(), self.name()
            with self.each_card(ir.Const(zone), card):
                own = self.face(card) * players + (held + seat)
                self.put(assign(own * GAMES + GAME, place), increase(OUT[place], 1))

    def note(self, place: int, i: ir.Note) -> None:
        award, players = i.report, self.program.players
        if not isinstance(award, ir.Award):
            return
        first, winner = result_columns(self.program), self.register(award.winner)
        worth = self.once(self.value(award.worth)) if award.worth is not None else number(0)
        for n, (where, subject) in enumerate(self.tally.prizes):
            if where == place:
                given = first + n * (players + 1)
                added = first + len(self.tally.prizes) * (players + 1) + n * players
                with self.inside(when(equal(self.register(award.subject), subject))):
                    seat = either(unequal(winner, NONE), winner, players)
                    self.put(increase(column(number(given) + seat), 1))
                    both = junction("and", unequal(winner, NONE), unequal(worth, NONE))
                    self.put(when(both, [increase(column(number(added) + winner), worth)]))


def column(of: Operand) -> Code:
    """The cell of this game in a column of the results."""
    return OUT[(of if isinstance(of, Code) else number(of)) * GAMES + GAME]


def drop_lowest(word: Code) -> ast.stmt:
    """Takes the lowest bit from a word."""
    return assign(word & (word - u64(1)), word)


def result_columns(program: ir.Program) -> int:
    """The number of columns for the result of a game: those of `machine_source` without a tally."""
    return 1 + 2 * program.players + len(program.returns)


def machine_source(program: ir.Program, tally: TallyLayout | None = None) -> Source:
    """The source of `play_games(seed, first, count, out)`, which fills columns of `count` numbers: the decisions of
    every game, the ranks by seat, the scores by seat, and what the game is worth by seat if the ranking says so. With a
    tally it also adds to columns of: the times that each prize went to each seat and to no player; the worth of each
    prize by seat; the number of cards of each face in the zones of each seat at the end."""
    return by_face(program, partial(_source, tally=tally))


def _and(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Operation("and", (left, right))


def _source(program: ir.Program, only_placed: bool, tally: TallyLayout | None) -> Source:
    w = MachinePlayout(program, variables(program), only_placed, tally or TallyLayout())
    PlayoutWriter(w, program, tally=tally is not None).write()
    return whole(w, "runtime_games.py")


_PLAY = {"deal": "u64", "policy": "u64", "out": "i64s", "count": "i64", "g": "i64"}


def whole(w: MachinePlayout, runtime: str, constants: Mapping[str, int] | None = None) -> Source:
    """The function `play`, of which `w` has written the body, for a runtime with functions that call it."""
    body, w.block = w.block, []
    _lay_out(w, w.program)
    play = syntax.function("play", _PLAY, [*w.block, *body], "None")
    return Source([play], w.tables, runtime, constants or {})


def _lay_out(w: MachinePlayout, program: ir.Program) -> None:
    """Writes the arrays and variables of a game at its start."""
    zones = len(program.zones)
    if zones * w.room + 4 * w.words > MOST_PLACES or len(program.faces) > MOST_CARDS:
        raise MemoryError("the cards and zones do not fit on the stack")
    w.put(array(ZONES, "i16s", zones * w.room), array(SIZES, "i64s", zones))
    w.put(array(REGISTERS, "i64s", len(program.start)), array(BITS, "u64s", w.words))
    w.put(array(TAKEN, "i64s", max(w.room, 1 + max(program.cards, default=0))), zeros(SIZES, zones))
    if program.zones:
        place = name("i")
        with w.inside(loop(place, call("range", 0, len(program.cards)))):
            w.put(assign(w.table(program.cards)[place], ZONES[number(program.start_zone * w.room) + place]))
        w.put(assign(len(program.cards), SIZES[program.start_zone]))
    for n, aggregate in enumerate(w.aggregates):
        w.put(array(w.sums(n), "i64s", zones), zeros(w.sums(n), zones))
        w.put(assign(sum(aggregate.weights[card] for card in program.cards), w.sums(n)[program.start_zone]))
    w.put(array(COPIES, "i16s", WORD * max(1, zones)), array(FACE_SETS, "u64s", zones))
    for zone in sorted(w.counted()):
        w.recount(zone)
    w.put(*(assign(start, REGISTERS[slot]) for slot, start in enumerate(program.start) if slot not in w.variables))
    w.put(*(assign(program.start[slot], w.register(slot)) for slot in sorted(w.used)), assign(0, DECISIONS))
    w.begin()


def array(variable: Code, kind: str, size: int) -> ast.stmt:
    """Makes an array of at least one element, with any content."""
    return assign(call("array", name(kind), max(1, size)), variable)


def zeros(variable: Code, size: int) -> ast.stmt:
    """Sets the first elements of an array to 0."""
    return do(call("zero", variable, size))
