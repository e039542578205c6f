"""A tree search in machine code: information set Monte Carlo tree search, in the segments of a program.

The search itself is in runtime/search.py. It reads what each player sees from tables (`AlwaysSeen`), and what the
player to act does not know from an array, so that it deals the unknown cards anew in every simulation
(runtime/worlds.py). Playouts of players who search are in runtime/bots.py.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log, sqrt
from typing import NamedTuple

from rulespec.engine.backend.forms.machine_segments import ARGUMENTS, PASSED, PLACE, PLAYER, MachineSegments
from rulespec.engine.backend.forms.machine_source import Source, runtime_functions
from rulespec.engine.backend.forms.segments import ACTION
from rulespec.engine.backend.llvm.records import flattened
from rulespec.engine.backend.runtime import search_names
from rulespec.engine.backend.runtime.search_names import TABLED, World
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import assign, call, do, equal, give, junction, name, when, within
from rulespec.engine.interpreter.running import SIMULTANEOUS, STOP
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

ROOT = 1
"""The key of the node at the root. No other node has it, since the keys of all others have bit 1 set."""


EXPORTED = {"search": "simulations", "deal_anew": "deal", "decide_quickly": "think", "play_quickly": "play_bots"}
"""The functions for callers from outside, and the functions of the runtime that they call."""


@dataclass(frozen=True)
class AlwaysSeen:
    """What each player sees, one row per seat, and a last row that sees everything: the registers, and how they see
    each zone. `hidden` has a row per seat, too: the registers of what they may not see, each with the register that has
    a bit for every player who does (-1: none has) and with what it may hold. `cards` are the registers that hold
    cards, `cells` those of the values of each card."""

    slots: Sequence[Sequence[int]]
    zones: Sequence[Sequence[int]]
    hidden: Sequence[Sequence[tuple[int, int, Sequence[int]]]]
    cards: Sequence[int]
    cells: Sequence[Sequence[int]]

    def tables(self) -> dict[str, tuple[int, ...]]:
        slots = [slot for row in self.slots for slot in row]
        starts = accumulate(map(len, self.slots), initial=0)
        zones = [sight for row in self.zones for sight in row]
        seen = {"SEEN_FROM": tuple(starts), "SEEN_SLOTS": (*slots, 0), "SIGHTS": (*zones, 0)}
        rows = [[n for slot, by, held in row for n in (slot, by, len(held), *held)] for row in self.hidden]
        begins = accumulate(map(len, rows), initial=0)
        hidden = {"HIDDEN_FROM": tuple(begins), "HIDDEN": (*(number for row in rows for number in row), 0)}
        cells = (slot for cells in self.cells for slot in cells)
        return seen | hidden | {"CARD_SLOTS": (len(self.cards), *self.cards), "CARD_VALUES": (*cells, 0)}

    @property
    def most_hidden(self) -> int:
        """Room for the registers that a player may not see, in numbers."""
        return max(sum(3 + len(held) for _, _, held in row) for row in self.hidden) + 2 * len(self.cards)


def _roots() -> dict[str, tuple[int, ...]]:
    counts = [*range(1, TABLED), *(2**power for power in range(TABLED.bit_length() - 1, 64))]
    return {
        "INVERSE_ROOTS": (2**16, *(round(2**16 / sqrt(visits)) for visits in range(1, TABLED))),
        "LOGARITHM_ROOTS": (0, *(round(2**12 * sqrt(log(count))) for count in counts)),
    }


class Rewarded(NamedTuple):
    """Where a program has the end of a game: the first registers of places (-1 if there is no ranking), of returns (-1
    if the winners share 1) and of the first criterion, whether more of it is better (1) or worse (-1); the bounds of
    returns."""

    ranks: int
    returns: int
    least: int
    most: int
    scores: int
    score_sign: int


REWARDED = Rewarded(-1, -1, 0, 1, 0, 1)
"""A game without a ranking."""


class MachineSearch(MachineSegments):
    """Writes the search of a program for machine code."""

    def __init__(self, program: ir.Program, always_seen: AlwaysSeen) -> None:
        super().__init__(program)
        self.always_seen = always_seen

    def search(self) -> Source:
        """`search` runs a number of simulations from a position, `deal` deals its unknown cards anew."""
        segments = self.source()
        by_hand = flattened(runtime_functions("worlds.py", "search.py", "bots.py"), search_names)
        written = [*self._offers(), self._play_on(), self._weight_of(), *self._exported(by_hand)]
        tables = self.tables | self.always_seen.tables() | _roots() | {"CARD_FACES": (*self.program.faces, 0)}
        weighed = tuple(int(any(o.weight is not None for _, o in _options(i))) for i in self.program.code)
        tables |= {"WEIGHED": weighed}
        constants = {**self._constants(), "WEIGHTS": int(any(weighed))}
        functions = [*by_hand, *segments.functions, *written]
        return Source(functions, tables, segments.runtime, constants, segments.sizes)

    def _constants(self) -> Mapping[str, int]:
        ranking, start = self.program.ranking, REWARDED
        if ranking is not None:
            key = ranking.keys[0]
            start = Rewarded(ranking.ranks, ranking.returns, *ranking.bounds, key.base, 1 if key.high else -1)
        return {
            **{
                name: number
                for name, number in vars(search_names).items()
                if name.isupper() and name != "TYPE_CHECKING"
            },
            **{"ABSENT": NONE, "SIMULTANEOUS": SIMULTANEOUS, "STOP": STOP, "PLAYERS": self.program.players},
            **{"SLOT_COUNT": self.layout().r, "ZONE_COUNT": len(self.program.zones), "ROOM": self.room},
            "VALUES_PER_CARD": len(self.always_seen.cells[0]) if self.always_seen.cells else 0,
            **{field.upper(): number for field, number in start._asdict().items()},
        }

    def _offers(self) -> Iterator[ast.FunctionDef]:
        """The function `offers`, which lists the legal actions of the decision point at hand again."""
        self.words = 0  # its sets lie where those of the segments do: `bits` has room for one of each
        yield syntax.function("offers", ARGUMENTS, self.body(self._all_offers), "i64")

    def _all_offers(self) -> None:
        for place, i in enumerate(self.program.code):
            if isinstance(i, ir.Choose | ir.Secret):
                with self.inside(when(equal(name("w")[PLACE], place))):
                    self.work(place, i)
        # In a possible world, a decision may offer nothing: then it ends here.
        self.put(assign(STOP, name("w")[PLAYER]), syntax.give(STOP))

    def _weight_of(self) -> ast.FunctionDef:
        """The function `weight_of`, which returns the weight of a legal action; 1 where the spec gives none."""
        about = {"place": "i64", "player": "i64", "action": "i64"}
        function = syntax.function("weight_of", about | ARGUMENTS, self.body(self._weighs), "i64")
        function.decorator_list.append(name("cold").node)
        return function

    def _weighs(self) -> None:
        for place, i in enumerate(self.program.code):
            for player, option in _options(i):
                if option.weight is not None:
                    tests = [equal(name("place"), place)] + ([equal(name("player"), player)] if player >= 0 else [])
                    tests.append(within(option.first, ACTION, option.first + option.size))
                    with self.inside(when(junction("and", *tests))):
                        # Its picks are bound for the weight, and free again afterwards.
                        self.taken_option(option)
                        weighed = self.name("k")
                        self.put(assign(self.value(option.weight), weighed))
                        self.put(*(assign(0, self.register(pick.slot)) for pick in option.picks), give(weighed))
        self.put(give(1))

    def _play_on(self) -> ast.FunctionDef:
        function = syntax.function("play_on", {"policy": "u64"} | ARGUMENTS, self.body(self.random_play), "None")
        function.decorator_list.append(name("cold").node)
        return function

    def _exported(self, by_hand: Sequence[ast.FunctionDef]) -> Iterator[ast.FunctionDef]:
        """The functions of EXPORTED: each takes a number, then the arrays of the function that it calls."""
        functions = {function.name: function for function in by_hand}
        for exported, called in EXPORTED.items():
            all_kinds = {a.arg: ast.unparse(a.annotation) for a in functions[called].args.args if a.annotation}
            kinds = {argument: kind for argument, kind in all_kinds.items() if argument not in World.__annotations__}
            arrays = {argument: kind for argument, kind in kinds.items() if kind != "i64"}
            passed = (name(argument if argument in arrays else "number") for argument in kinds)
            yield self.export(exported, {"number": "i64"} | arrays, [do(call(called, *passed, *PASSED))])


def _options(i: ir.Instruction) -> Sequence[tuple[int, ir.Option]]:
    """The options of a decision point, each with the player of a secret choice; -1 at other decision points."""
    if isinstance(i, ir.Secret):
        return [(asking.player, option) for asking in i.askings for option in asking.options]
    return [(-1, option) for option in i.options] if isinstance(i, ir.Choose) else ()
