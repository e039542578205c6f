"""Segments in machine code that also keep what each player knows of hidden cards, and a digest of all they observed.

They are those of blocks.py with one more array of a state: `k`, with the parts `past`, `digests` and `known`.
What they do with them is in runtime/observed.py.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.engine.backend.dialects.arrays import SIZES, WIDE, ZONES, signed
from rulespec.engine.backend.forms.blocks import BlockSegments, Section
from rulespec.engine.backend.forms.machine_segments import ARGUMENTS, ASKED, PLAYER, part
from rulespec.engine.backend.forms.segments import ACTION
from rulespec.engine.backend.runtime.digest import UNDISCLOSED, Kind, headed, mixed
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import Code, Operand, call, do, either, equal, junction, number, unequal, when
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

KNOWN, DIGESTS, PAST, _DESK = map(syntax.name, ("known", "digests", "past", "w"))
EVERYBODY = -1
"""A bit for every player."""


@dataclass(frozen=True)
class Sight:
    """What players observe, if that does not depend on the state.

    `hidden` are the zones that each player cannot look into, `secret` the registers of values that they do not see,
    `ordered` says for every zone whether its order counts.
    `faces` has the face of every card, counted from 1, and `numbers` the number of each face in the program. `seen` has
    a bit for each player who sees a cell of a titled value, by its name; `titles` the number of the title of every
    option. `cards` has the cards that the cells of values belong to, by the name of the value: for each index that is a
    card, those of all cells.
    """

    hidden: Sequence[frozenset[int]]
    secret: Sequence[frozenset[int]]
    ordered: Sequence[bool]
    faces: Sequence[int]
    numbers: Sequence[int]
    seen: Mapping[str, Sequence[int]]
    titles: Sequence[int]
    history: int
    cards: Mapping[str, Sequence[Sequence[int]]]

    def parts(self, cards: int) -> tuple[dict[str, tuple[int, ...]], int, int]:
        """The tables PLACES and COUNTS of the parts of `known`; where the batches of shown cards begin; its size."""
        places, counts, end = list[int](), list[int](), 1
        for zones in self.hidden:
            for zone, ordered in enumerate(self.ordered):
                hidden = zone in zones
                places.append(end if hidden and ordered else 0)
                end += cards if hidden and ordered else 0
                counts.append(end if hidden else 0)
                end += len(self.numbers) if hidden else 0
        return {"PLACES": (*places, 0), "COUNTS": (*counts, 0)}, end, end + len(self.hidden) * len(self.numbers)


class MachineObserved(BlockSegments):
    """Writes the segments of a program that keep what players know and have observed."""

    arguments: Mapping[str, str] = ARGUMENTS | {"past": "i64s", "digests": "u64s", "known": "i16s"}

    def __init__(self, program: ir.Program, sight: Sight) -> None:
        super().__init__(program, (ir.Show, ir.Note))
        self.sight = sight
        self._places, self._batches, self._known = sight.parts(len(program.cards))
        self.rings = 1 if all(option.noticed for option in program.options) else program.players
        self.digests = self.rings * (1 + 2 * sight.history)

    @property
    def kept(self) -> int:
        """The size of `k`. Behind what is known are WIDE elements more, which may be read."""
        return self.digests + 2 * self.program.players - (-(self._known + WIDE) // 4)

    def kept_sections(self) -> list[Section]:
        return [("k", "i64s", self.kept)]

    def parts(self) -> list[ast.stmt]:
        return [*super().parts(), *self.kept_parts()]

    def kept_parts(self) -> list[ast.stmt]:
        """Statements that name the parts of `k`."""
        known = self.digests + 2 * self.program.players
        return [
            part(PAST, "i64s", "k", 0, self.digests),
            part(DIGESTS, "u64s", "k", self.digests, 2 * self.program.players),
            part(KNOWN, "i16s", "k", known, 4 * (self.kept - known)),
        ]

    def constants(self) -> Mapping[str, int]:
        program, sight = self.program, self.sight
        return {
            **{"PLAYERS": program.players, "ZONE_COUNT": len(program.zones), "ROOM": self.room},
            **{"FACE_COUNT": len(sight.numbers) - 1, "BATCHES": self._batches, "OPTION_COUNT": len(program.options)},
            **{"HISTORY": sight.history, "RINGS": self.rings, "DIGESTED": 1, "WIDE": WIDE},
            **{kind.name: kind.value for kind in Kind},
        }

    def tables_of_sight(self) -> dict[str, tuple[int, ...]]:
        """The tables that runtime/observed.py reads."""
        sight, options = self.sight, self.program.options
        return self._places | {
            "IS_ORDERED": (*map(int, sight.ordered), 0),
            "FACES": (*sight.faces, 0),
            "FACE_NUMBERS": (*sight.numbers,),
            "MIXED_FACES": (*(signed(mixed(face)) for face in sight.numbers),),
            "FIRST_ACTIONS": (*(option.first for option in options), self.program.actions),
            "SEEN_BY": (*(bits for option in options for bits in option.seen or [EVERYBODY] * self.program.players), 0),
            "NOTICED_BY": (*(EVERYBODY if option.noticed else 0 for option in options), 0),
            "TITLES": (*sight.titles, 0),
            "ZONE_VIEWERS": (*self._zone_viewers(), 0),
        }

    def _zone_viewers(self) -> Iterator[int]:
        """A bit for each player who sees a zone, for every zone."""
        for zone in range(len(self.program.zones)):
            yield sum(1 << player for player, hidden in enumerate(self.sight.hidden) if zone not in hidden)

    # choices

    def note_chosen(self) -> None:
        self._chosen(_DESK[PLAYER], ACTION)

    def note_revealed(self) -> None:
        for seat in range(self.program.players):
            action = _DESK[ASKED + self.program.players + seat]
            with self.inside(when(action >= 0)):
                self._chosen(number(seat), action)

    def _chosen(self, player: Code, action: Code) -> None:
        self.put(do(call("note_choice", PAST, DIGESTS, player, action)))

    # cards

    def one_moves(self, a: Code, place: Code, b: Code) -> None:
        self.put(do(call("card_leaves", ZONES, SIZES, KNOWN, DIGESTS, a, place, b)))
        super().one_moves(a, place, b)

    def top_moves(self, a: Code, b: Code) -> None:
        self.put(do(call("card_leaves", ZONES, SIZES, KNOWN, DIGESTS, a, SIZES[a] - 1, b)))
        super().top_moves(a, b)

    def all_move(self, i: ir.Move, a: Code, b: Code) -> None:
        self.put(do(call("all_leave", ZONES, SIZES, KNOWN, DIGESTS, a, b)))
        super().all_move(i, a, b)

    def shuffle(self, i: ir.Shuffle) -> None:
        super().shuffle(i)
        self.put(do(call("lose_order", SIZES, KNOWN, DIGESTS, self.zone(i.zone))))

    def put_at(self, zone: Code, place: Code) -> None:
        self.put(do(call("card_sinks", SIZES, KNOWN, DIGESTS, zone, place)))
        super().put_at(zone, place)

    # other events

    def happens(self, place: int, i: ir.Instruction) -> None:
        if isinstance(i, ir.Let) and any(self.sight.seen.get(i.value, ())):
            value, offset = self.once(self.value(i.expression)), self.once(self.value(i.index))
            slot = self.once(number(i.base) + offset)
            with self.inside(when(unequal(REGISTERS[slot], value))):
                self.put(syntax.assign(value, REGISTERS[slot]))
                # A bit for each player who sees the cell of a value, and where the cards lie that it belongs to
                first = i.base - self.program.value_base[i.value]
                seen = self.sight.seen[i.value][first : first + i.size]
                bits = number(seen[0]) if len(set(seen)) == 1 else self.table(seen)[offset]
                for cards in self.sight.cards.get(i.value, ()):
                    card = self.table(cards[first : first + i.size])[offset]
                    bits = self.once(bits & call("viewers_of", ZONES, SIZES, card))
                self.put(do(call("note_value", DIGESTS, bits, slot, value)))
            return
        super().happens(place, i)
        if isinstance(i, ir.Show):
            zone, card = self.zone(i.zone), self.once(self.register(i.card))
            about = self.position(zone, card), card, self.register(i.to), self.register(i.number)
            self.put(do(call("card_shown", KNOWN, DIGESTS, zone, *about)))
        elif isinstance(i, ir.Draw):
            viewers = self.register(i.viewers) if i.viewers >= 0 else EVERYBODY
            self._note(headed(Kind.RANDOM, -1, 0, place), viewers, headed(Kind.UNSEEN, -1, 0, place))
            self._note(self.register(i.slot), viewers, 0)
        elif isinstance(i, ir.Note):
            report = i.report
            if isinstance(report, ir.Award):
                self._award(place, report)
            elif isinstance(report, ir.Ranking):
                self._note_each([headed(Kind.RANK, -1, 0), *(self.register(report.ranks + p) for p in self._players)])
            else:
                self._note_each([headed(Kind.STOPPED, -1, 0), i.rule, self.register(report.number), report.thing])

    def _note(self, observed: Operand, seen: Operand = EVERYBODY, otherwise: Operand = UNDISCLOSED) -> None:
        """Writes: the players with a bit in `seen` observe a number, and the others another one."""
        self.put(do(call("note_for", DIGESTS, seen, observed, otherwise)))

    # reports: the numbers are those of `observer.py` and `award_numbers`

    @property
    def _players(self) -> range:
        return range(self.program.players)

    def _note_each(self, numbers: Sequence[Operand]) -> None:
        for shown in numbers:
            self._note(shown)

    def _award(self, place: int, award: ir.Award) -> None:
        winner, decided = self.register(award.winner), self.register(award.decided)
        by = self.once(either(junction("and", unequal(winner, NONE), decided > 0), decided, 0))
        stood = self._mask([unequal(self.register(award.candidates + p), 0) for p in self._players])
        worth = self.value(award.worth) if award.worth is not None else NONE
        self._note_each([headed(Kind.AWARD, -1, 0, place), self.register(award.subject), winner, by, worth, stood])
        self._figures(award.keys[0], stood)
        for n, key in enumerate(award.keys[1:], 1):
            with self.inside(when(equal(by, n))):
                # The players who stood and are tied with the winner in these criteria
                before = award.keys[:n]
                equal_ones = [
                    junction("and", *(equal(REGISTERS[one.base + p], REGISTERS[winner + one.base]) for one in before))
                    for p in self._players
                ]
                tied = self.once(self._mask(equal_ones) & stood)
                self._note(tied)
                self._figures(key, tied)

    def _mask(self, tests: Sequence[Code]) -> Code:
        return self.once(syntax.total([either(test, 1 << p, 0) for p, test in enumerate(tests)]))

    def _figures(self, key: ir.Key, players: Code) -> None:
        """A criterion of some players, each for those who see what it is computed from."""
        for p in self._players:
            figure = either(unequal(players & 1 << p, 0), self.register(key.base + p), UNDISCLOSED)
            self._note(figure, self._sees(key.reads[p]))

    def _sees(self, reads: ir.Reads) -> int:
        """A bit for each player who sees everything that an expression reads."""
        sight = self.sight
        hidden = [reads.zones & sight.hidden[p] or reads.registers & sight.secret[p] for p in self._players]
        return sum(1 << p for p in self._players if not hidden[p])
