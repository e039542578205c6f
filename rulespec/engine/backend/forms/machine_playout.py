"""Playouts in machine code: `play_games` plays many games in one call."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import partial

from rulespec.engine.backend.analyses.faces import by_face
from rulespec.engine.backend.analyses.zone_reads import until_read
from rulespec.engine.backend.dialects.arrays import BITS, SIZES, TAKEN, WORD, ZONES, i64, u64
from rulespec.engine.backend.dialects.face_zones import COPIES, FACE_SETS, FaceZones
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.backend.forms.playout import DECISIONS, GameWriter, PlayoutWriter, variables
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import Code, assign, call, do, either, increase, name, number, unequal, when
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.program import ir
from rulespec.language.model.types import LIMIT, NONE

MOST_PLACES = 2**18
"""Room for cards and faces in all zones, and for registers, each as large as four cards: 512 kB on the stack, which may
have only 1 MB in a thread. Larger games are not compiled to machine code."""

FEW_STORES = 500
"""Up to so many registers start with a store each. LLVM takes long for more, so those are copied from a table."""

POLICY, AHEAD, LAST = name("policy"), name("ahead"), name("at")
"""The stream of the players, numbers drawn from it, and the position of the last one that was used."""

DRAWN = 32
"""How many numbers are drawn at once: the same as in runtime/common.py."""

OUT, GAME, GAMES = name("out"), name("g"), name("count")
"""The columns of results, the number of the game among those played, and their number."""


@dataclass(frozen=True)
class TallyLayout:
    """What is counted of every game besides its result: the prizes, each as the position of its award in the program
    and its subject, and the zones that belong to a player, each with the seat."""

    prizes: tuple[tuple[int, int], ...] = ()
    zones: tuple[tuple[int, int], ...] = ()


class MachinePlayout(GameWriter, FaceZones):
    """Draws the numbers of random players many at a time."""

    wide = "_wide"
    longest_unrolled = 16

    def __init__(self, program: ir.Program, faces: bool, read: frozenset[int], tally: TallyLayout) -> None:
        super().__init__(program, variables(program), read | {zone for zone, _ in tally.zones})
        self.tally = tally
        self.only_placed = faces

    def draw(self, stream: str, bound: syntax.Operand, drawn: Code | None = None) -> Code:
        """Players draw from numbers that are there already, so that no decision waits for the next one."""
        if stream != "policy":
            return super().draw(stream, bound, drawn)
        drawn, limit = drawn or self.name("k"), self.once(bound if isinstance(bound, Code) else number(bound))
        self.put(assign(call("accepted", POLICY, AHEAD, LAST, limit), syntax.tuple_of(POLICY, LAST)))
        self.put(assign(i64(AHEAD[LAST] * u64(limit) >> u64(32)), drawn))
        return drawn

    def finish(self) -> None:
        players, ranking = self.program.players, self.program.ranking
        self.put(assign(DECISIONS, OUT[GAME]))
        for p in range(players):
            rank = score = number(0)
            if ranking is not None:
                rank = self.register(ranking.ranks + p)
                points = self.once(self.register(ranking.keys[0].base + p))
                score = either(syntax.between(NONE, points, LIMIT), points, 0)
            self.put(assign(rank, column(1 + p)), assign(score, column(1 + players + p)))
        for n, slot in enumerate(self.program.returns, 1 + 2 * players):
            self.put(assign(self.register(slot), column(n)))
        self._count_cards()
        self.put(syntax.give())

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
                with self.inside(when(syntax.equal(self.register(award.subject), subject))):
                    seat = either(unequal(winner, NONE), winner, players)
                    self.put(increase(column(number(given) + seat), 1))
                    both = syntax.junction("and", unequal(winner, NONE), unequal(worth, NONE))
                    self.put(when(both, [increase(column(number(added) + winner), worth)]))


def column(of: syntax.Operand) -> Code:
    """The cell of this game in a column of the results."""
    return OUT[(of if isinstance(of, Code) else number(of)) * GAMES + GAME]


def result_columns(program: ir.Program) -> int:
    """The number of columns for the result of a game: those of `machine_source` without a tally."""
    return 1 + 2 * program.players + len(program.returns)


def machine_source(program: ir.Program, tally: TallyLayout | None = None) -> Source:
    """The source of `play_games(seed, first, count, out)`, which fills columns of `count` numbers: the decisions of
    every game, the ranks by seat, the scores by seat, and what the game is worth by seat if the ranking says so. With a
    tally it also adds to columns of: the times that each prize went to each seat and to no player; the worth of each
    prize by seat; the number of cards of each face in the zones of each seat at the end."""
    return by_face(program, partial(_source, tally=tally))


def _source(program: ir.Program, only_placed: bool, tally: TallyLayout | None) -> Source:
    def write(read: frozenset[int]) -> Source:
        w = MachinePlayout(program, only_placed, read, tally or TallyLayout())
        PlayoutWriter(w, program, tally=tally is not None).write()
        # The body comes first: it says what the arrays at its start must hold.
        body, w.block = w.block, []
        zones = len(program.zones)
        numbers = w.words + len(program.start) + w.room + zones * (3 + len(w.aggregates))
        if zones * (w.room + WORD) + 4 * numbers > MOST_PLACES:
            raise MemoryError("the cards, zones and values do not fit on the stack")
        w.put(array(ZONES, "i16s", zones * w.room), array(SIZES, "i64s", zones))
        w.put(array(REGISTERS, "i64s", len(program.start)), array(BITS, "u64s", w.words))
        w.put(array(TAKEN, "i64s", max(w.room, 1 + max(program.cards, default=0))), zeros(SIZES, zones))
        if program.zones:
            w.fill(ZONES, program.start_zone * w.room, program.cards)
            w.put(assign(len(program.cards), SIZES[program.start_zone]))
        for n, aggregate in enumerate(w.aggregates):
            w.put(array(w.sums(n), "i64s", zones), zeros(w.sums(n), zones))
            w.put(assign(sum(aggregate.weights[card] for card in program.cards), w.sums(n)[program.start_zone]))
        w.put(array(COPIES, "i16s", WORD * max(1, zones)), array(FACE_SETS, "u64s", zones))
        for zone in sorted(w.counted):
            w.put(do(call("no_faces", COPIES, FACE_SETS, zone)))
        if program.start_zone in w.counted:
            with w.each_card(ir.Const(program.start_zone), card := w.name()):
                w.put(do(call("came", COPIES, FACE_SETS, program.start_zone, card)))
        stored = [slot for slot in range(len(program.start)) if slot not in w.variables]
        if len(stored) > FEW_STORES:
            w.fill(REGISTERS, 0, program.start)
        else:
            w.put(*(assign(program.start[slot], REGISTERS[slot]) for slot in stored))
        w.put(*(assign(program.start[slot], w.register(slot)) for slot in sorted(w.used)))
        w.put(assign(0, DECISIONS))
        w.put(array(AHEAD, "u64s", DRAWN), assign(DRAWN - 1, LAST))
        return Source([syntax.function("play", _PLAY, [*w.block, *body], "None")], w.tables, "games.py")

    return until_read(write)


_PLAY = {"deal": "u64", "policy": "u64", "out": "i64s", "count": "i64", "g": "i64"}


def array(variable: Code, kind: str, size: int) -> ast.stmt:
    """Makes an array of at least one element, with any content."""
    return assign(call("array", name(kind), max(1, size)), variable)


def zeros(variable: Code, size: int) -> ast.stmt:
    """Sets the first elements of an array to 0."""
    return do(call("zero", variable, size))
