"""What the pieces of a resumable program have in common, whatever dialect they are written in.

A piece begins where play goes on after a choice, and wherever several pieces lead; it runs on to the next decision, or
to the place where another piece begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.engine import ir
from rulespec.engine.backend.choosing import Choosing, plain_interval
from rulespec.engine.backend.flow import Flow, goes_on
from rulespec.engine.backend.statements import Arm
from rulespec.engine.link import SILENT, STOP, onward
from rulespec.model.types import NONE


class Resumable(Choosing):
    """Mixed into a dialect; `records` says whether events are kept."""

    keeps_variables = True
    records = False

    def __init__(self, program: ir.Program, records: bool) -> None:
        super().__init__(program)
        self.records = records
        self.follows = onward(program.code, () if records else SILENT)
        self.names = tuple(dict.fromkeys(i.value for i in program.code if isinstance(i, ir.Let) and i.value))

    # dialects say these

    def tell(self, kind: str, *parts: object) -> None:
        """An event, where events are kept."""
        raise NotImplementedError

    def tell_sizes(self) -> None:
        """The event that the setup is over."""
        raise NotImplementedError

    def stop(self, place: int, player: str, legal: str) -> None:
        """Leaves the piece: somebody must decide, or the game is over."""
        raise NotImplementedError

    def choose(self, place: int, i: ir.Choose) -> None:
        raise NotImplementedError

    def secret(self, place: int, i: ir.Secret) -> None:
        raise NotImplementedError

    # where it goes on

    def flow(self) -> Flow:
        return Flow(self._roots(), self._successors)

    def _roots(self) -> Iterator[int]:
        yield self.follows[0]
        for place, i in enumerate(self.program.code):
            if isinstance(i, ir.Choose):
                yield from (self.follows[option.target] for option in i.options)
            elif isinstance(i, ir.Secret):
                yield self.follows[place + 1]

    def _successors(self, place: int) -> Sequence[int]:
        i, follows = self.program.code[place], self.follows
        if isinstance(i, ir.Choose):
            return (follows[i.none],) if i.none >= 0 else ()
        return goes_on(i, place, follows)

    def ways(self, place: int) -> list[Arm]:
        i = self.program.code[place]
        assert isinstance(i, ir.Branch)
        self.under(i.rule)
        return [(lambda: f"not {self.test(i.condition)}", None), (None, None)]

    # what places do

    def work(self, place: int) -> None:
        i = self.program.code[place]
        self.under(i.rule)
        if isinstance(i, ir.Choose):
            self.choose(place, i)
        elif isinstance(i, ir.Secret):
            self.secret(place, i)
        elif isinstance(i, ir.End):
            self.stop(place, str(STOP), "[]")
        elif isinstance(i, ir.Let) and i.value and self.records:
            self._telling_let(i)
        else:
            self.instruction(i)
            self._told(place, i)
        self.facts.happened(i)

    def _told(self, place: int, i: ir.Instruction) -> None:
        """What only tells of the game, where events are kept."""
        if isinstance(i, ir.Mark):
            self.tell("rule", i.rule)
        elif isinstance(i, ir.Draw):
            self.tell("random", i.rule, place, self.register(i.slot))
        elif isinstance(i, ir.SetupEnds):
            self.tell_sizes()
        elif isinstance(i, ir.Check):
            with self.inside(f"if not {self.test(i.holds)}:"):
                self.tell("broken", -1, i.invariant, *(self.value(side) for side in i.sides))
        elif isinstance(i, ir.Note):
            self._note(place, i)

    def _note(self, place: int, i: ir.Note) -> None:
        players, telling = range(self.program.players), i.telling
        keys = [self.register(key.base + p) for key in telling.keys for p in players]
        if isinstance(telling, ir.Ranking):
            ranks = [self.register(telling.ranks + p) for p in players]
            self.tell("rank", i.rule, place, self.register(telling.decided), *ranks, *keys)
            return
        worth = self.value(telling.worth) if telling.worth is not None else NONE
        stood = [self.register(telling.candidates + p) for p in players]
        about = [self.register(slot) for slot in (telling.subject, telling.winner, telling.decided)]
        self.tell("award", i.rule, place, *about, worth, *stood, *keys)

    def _telling_let(self, i: ir.Let) -> None:
        value, offset = self.once(self.value(i.expression)), self.once(self.value(i.index))
        cell = self.at("r", f"{i.base} + {offset}")
        with self.inside(f"if {cell} != {value}:"):
            self.put(f"{cell} = {value}")
            self.tell("set", i.rule, self.names.index(i.value), offset, value)

    # choices

    def taken_option(self, option: ir.Option, secret: bool = False) -> None:
        """Carries out an action of an option: tells of it, and binds what it picks."""
        self.tell("choice", option.rule, self.chooser, "action")
        if plain_interval(option) is not None:
            domain = option.picks[0].domain
            assert isinstance(domain, ir.Span)
            self.put(f"{self.register(option.picks[0].slot)} = action - {option.first - domain.least}")
        elif option.picks:
            self.bind(option, f"(action - {option.first})", secret)
            for pick in option.picks if secret else ():
                if pick.kind == "card":
                    self.take(self.register(pick.slot))

    chooser = "s.player"
    """How source names whoever takes an action."""
