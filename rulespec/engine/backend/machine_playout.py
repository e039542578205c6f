"""Playouts in machine code: `play_games` plays many games in one call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, reduce

from rulespec.engine import ir
from rulespec.engine.backend.arrays import WIDE, WORD, Arrays
from rulespec.engine.backend.faces import by_face
from rulespec.engine.backend.playout import PlayoutWriter, used, variables
from rulespec.engine.choices import conjuncts
from rulespec.model.types import LIMIT, NONE

Having = tuple[Sequence[int], ir.Expr]
"""A table and one of its values."""

MOST_PLACES, MOST_CARDS = 2**18, 2**15
"""Room for cards in all zones together: 512 kB on the stack, which may have only 1 MB in a thread. Distinct cards: a
card number is a signed 16-bit integer. Larger games are not compiled to machine code."""


@dataclass(frozen=True)
class Source:
    """The source of functions, and their constant tables."""

    text: str
    tables: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class TallyLayout:
    """What is counted of every game besides its result: the prizes, each as the position of its award in the program
    and its subject, and the zones that belong to a player, each with the seat."""

    prizes: tuple[tuple[int, int], ...] = ()
    zones: tuple[tuple[int, int], ...] = ()


class MachinePlayout(Arrays):
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

    def kinds(self, zone: ir.Expr, those: frozenset[int] | None) -> str | None:
        if not self._watches(zone):
            return None
        every = self.at("q", self.zone(zone))
        return self.once(every if those is None else f"{every} & u64({sum(1 << face for face in those)})")

    @contextmanager
    def elements(self, fold: ir.Fold) -> Iterator[tuple[ir.Expr | None, str]]:
        """Loops over the faces in the zone that have the wanted value in a table, instead of all cards."""
        if (found := self._sorted_out(fold)) is None:
            with super().elements(fold) as element:
                yield element
            return
        zone, (table, value), rest = found
        word, number, card = self.name("c"), self.zone(zone), self.register(fold.slot)
        self.put(f"{word} = {self.at('q', number)} & {self._having(table, value)}")
        with self.inside(f"while {word}:"):
            self.put(f"{card} = lowest_bit({word})", f"{word} = {word} & ({word} - u64(1))")
            several = any(n > 1 and table[face] != NONE for face, n in Counter(self.program.cards).items())
            yield rest, self.at("k", f"{number} * {WORD} + {card}") if several else "1"

    def _sorted_out(self, fold: ir.Fold) -> tuple[ir.Expr, Having, ir.Expr | None] | None:
        """The zone, the table with the wanted value, and the rest of the condition; None without such a table."""
        domain = fold.domain
        if fold.function == "first" or not isinstance(domain, ir.Cards):
            return None
        if not self.watched.issuperset(self.zones_of(domain.zone)):
            return None
        conditions = list(conjuncts(fold.condition))
        for number, condition in enumerate(conditions):
            if (having := self._about_table(condition, fold.slot)) is not None:
                rest = conditions[:number] + conditions[number + 1 :]
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

    def _having(self, table: Sequence[int], value: ir.Expr) -> str:
        """The bit set of the faces with a value in a table."""
        words = {v: 0 for v in range(max(table[card] for card in self.program.cards) + 1)}
        for card in set(self.program.cards):
            words[table[card]] = words.get(table[card], 0) | 1 << card
        if isinstance(value, ir.Const):
            return f"u64({words.get(value.value, 0)})"
        without, asked = words.pop(NONE, 0), self.value(value)
        row = self.at(self.table([_signed(word) for word in words.values()] or [0]), asked)
        return f"u64({row} if 0 <= {asked} < {len(words)} else ({_signed(without)} if {asked} == {NONE} else 0))"

    def goes(self, i: ir.Move, a: str, b: str, card: str) -> None:
        super().goes(i, a, b, card)
        if self._watches(i.source):
            self.put(f"went(k, q, {a}, {card})")
        if self._watches(i.target):
            self.put(f"came(k, q, {b}, {card})")

    def all_gone(self, i: ir.Move, a: str, b: str) -> None:
        for zone, number in ((i.source, a), (i.target, b)):
            if self._watches(zone):
                self.put(f"recount(z, n, k, q, {number}, C)")

    def _watches(self, zone: ir.Expr) -> bool:
        return not self.watched.isdisjoint(self.zones_of(zone))

    def finish(self) -> None:
        players, ranking = self.program.players, self.program.ranking
        self.put("out[g] = decisions")
        for p in range(players):
            rank = score = "0"
            if ranking is not None:
                rank = self.register(ranking.ranks + p)
                points = self.once(self.register(ranking.keys[0].base + p))
                score = f"({points} if {NONE} < {points} < {LIMIT} else 0)"
            self.put(f"out[{1 + p} * count + g] = {rank}", f"out[{1 + players + p} * count + g] = {score}")
        for number, slot in enumerate(self.program.returns, 1 + 2 * players):
            self.put(f"out[{number} * count + g] = {self.register(slot)}")
        held = result_columns(self.program) + len(self.tally.prizes) * (2 * players + 1)
        for zone, seat in self.tally.zones:
            card, place = self.name(), self.name()
            with self.each_card(ir.Const(zone), card):
                face = card if self.cards_are_faces else self.at(self.table(self.program.faces), card)
                self.put(f"{place} = ({face} * {players} + {held + seat}) * count + g", f"out[{place}] += 1")
        self.put("return")

    def note(self, place: int, i: ir.Note) -> None:
        award, players = i.report, self.program.players
        if not isinstance(award, ir.Award):
            return
        first, winner = result_columns(self.program), self.register(award.winner)
        worth = self.once(self.value(award.worth)) if award.worth is not None else "0"
        for number, (where, subject) in enumerate(self.tally.prizes):
            if where == place:
                given = first + number * (players + 1)
                added = first + len(self.tally.prizes) * (players + 1) + number * players
                with self.inside(f"if {self.register(award.subject)} == {subject}:"):
                    self.put(f"out[({given} + ({winner} if {winner} != {NONE} else {players})) * count + g] += 1")
                    with self.inside(f"if {winner} != {NONE} and {worth} != {NONE}:"):
                        self.put(f"out[({added} + {winner}) * count + g] += {worth}")


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


def _signed(word: int) -> int:
    """The signed 64-bit integer with the same bits."""
    return word - 2**64 if word >= 2**63 else word


def _source(program: ir.Program, only_placed: bool, tally: TallyLayout | None) -> Source:
    w = MachinePlayout(program, variables(program), only_placed, tally or TallyLayout())
    PlayoutWriter(w, program, tally=tally is not None).write()
    return whole(w, _PLAY_GAMES)


_PLAY_GAMES = """
def play_games(seed: u64, first: i64, count: i64, out: i64s) -> None:
    for g in range(0, count):
        game = stream(seed, first + g)
        play(stream(game, 0), stream(game, 1), out, count, g)
"""


def whole(w: MachinePlayout, driver: str) -> Source:
    """The source with the function `play`, of which `w` has written the body, and with functions that call it."""
    body, w.lines = w.lines, []
    capacity = _laid_out(w, w.program, body)
    lines = [
        "def play(deal: u64, policy: u64, out: i64s, count: i64, g: i64) -> None:",
        *(re.sub(r"\bC\b", str(capacity), line) for line in (*w.lines, *body)),
        "",
        driver,
    ]
    return Source("\n".join(lines), {name: values for values, name in w.tables.items()})


def _laid_out(w: MachinePlayout, program: ir.Program, body: Sequence[str]) -> int:
    """Writes the arrays and variables of a game at its start; returns the room for cards in each zone."""
    zones, capacity = len(program.zones), 1 << (len(program.cards) + WIDE).bit_length()
    if zones * capacity + 4 * w.words > MOST_PLACES or len(program.faces) > MOST_CARDS:
        raise MemoryError("the cards and zones do not fit on the stack")
    w.put(f"z = array(i16s, {max(1, zones * capacity)})", f"n = array(i64s, {max(1, zones)})")
    w.put(f"r = array(i64s, {max(1, len(program.start))})", f"bits = array(u64s, {max(1, w.words)})")
    w.put(f"taken = array(i64s, {max(capacity, 1 + max(program.cards, default=0))})", f"zero(n, {zones})")
    if program.zones:
        with w.inside(f"for i in range(0, {len(program.cards)}):"):
            w.put(f"z[{program.start_zone * capacity} + i] = {w.table(program.cards)}[i]")
        w.put(f"n[{program.start_zone}] = {len(program.cards)}")
    for number, aggregate in enumerate(w.aggregates):
        w.put(f"s{number} = array(i64s, {zones})", f"zero(s{number}, {zones})")
        w.put(f"s{number}[{program.start_zone}] = {sum(aggregate.weights[card] for card in program.cards)}")
    w.put(f"k = array(i16s, {WORD * max(1, zones)})", f"q = array(u64s, {max(1, zones)})")
    w.put(*(f"recount(z, n, k, q, {zone}, {capacity})" for zone in sorted(w.watched)))
    w.put(*(f"r[{slot}] = {start}" for slot, start in enumerate(program.start) if slot not in w.variables))
    w.put(*(f"r{slot} = {program.start[slot]}" for slot in used(body)), "decisions = 0")
    w.begin()
    return capacity
