"""Many games in machine code: states as blocks of memory, and the functions of runtime/vector.py over rows of them.

A block holds whose turn it is (`Turn`), then the arrays of machine_segments.py and, where players observe, those of
machine_observed.py. Working space (`scratch`) belongs to a thread.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

from rulespec.engine.backend.dialects.arrays import SIZES, ZONES, signed
from rulespec.engine.backend.forms.blocks import BlockSegments, Section
from rulespec.engine.backend.forms.machine_observed import KNOWN, Sight
from rulespec.engine.backend.forms.machine_segments import ASKED, LEGAL, PLAYER
from rulespec.engine.backend.forms.machine_source import Source, runtime_functions
from rulespec.engine.backend.forms.machine_views import MachineViews, Tensors
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import Code, call, do, either, equal, name, total, unequal, when
from rulespec.engine.interpreter.running import SIMULTANEOUS
from rulespec.engine.program import ir

FUNCTIONS = "begin", "refused", "advance", "order", "serve", "attend"
"""The functions for callers from outside: of one array, that of parameters."""

_OUT, _FACTS, _STALE = map(name, ("out", "facts", "stale"))
_ROW = tuple(map(name, ("stale", "filled", "shown")))

WAIT = -1
"""The action of a game that waits, while others go on."""

PATIENCE, WAITING = 4_000, 40_000
"""How often a thread looks for its next step, and how often its caller for the end of one, before they sleep: 40 to 150
cycles each on x86, fewer on other processors."""

MOST_EMPTY = 1000
"""Games without a decision that are skipped one after another."""


class Turn(IntEnum):
    """Indices of a block: the seat whose turn it is (-1: the game is over), the place of its first legal action in the
    list and their number, and the number of the game."""

    SEAT = 0
    FIRST = 1
    COUNT = 2
    NUMBER = 3


class Parameter(IntEnum):
    """Indices of the numbers that a vector gives: whether its slots share a seed, and so the games of it; the number of
    the first game of the first slot; the step between the games of a slot; the number of slots; the elements of a row
    of observations and of masks (0: none are written), and of rewards; whether observations have the latest choices;
    the step that is wanted. Those that the code writes: the steps that are ordered from another thread, those that it
    has begun and ended (-1: no game has begun), and whether a slot has no game with a decision. Then the addresses of
    arrays."""

    SHARED = 0
    BLOCK = 1
    DEALT = 2
    SLOTS = 3
    SIGHT_ROW = 4
    MASK_ROW = 5
    REWARD_ROW = 6
    HISTORY_TOO = 7
    STEP = 8
    ORDERED = 9
    BEGUN = 10
    ENDED = 11
    STUCK = 12
    STATES_AT = 13
    SCRATCH_AT = 14
    TAKEN_AT = 15
    ACTIONS_AT = 16
    DRAWN_AT = 17
    OBSERVATION_AT = 18
    FINAL_OBSERVATION_AT = 19
    MASK_AT = 20
    PLAYER_AT = 21
    REWARDS_AT = 22
    DONE_AT = 23
    SEEDS_AT = 24
    POLICIES_AT = 25
    ORIGINS_AT = 26


class MachineVector(BlockSegments):
    """Writes the segments of a program over rows of states, without what players observe."""

    sight_size = 0
    sight_kind = "f32s"

    def blocks(self) -> Mapping[str, Sequence[Section]]:
        turn = ("turn", "i64s", len(Turn))
        state = [turn, *self.registers(), *self.desk(), *self.kept_sections(), self.zones()]
        return {"state": state, "scratch": self.working()}

    @property
    def state_size(self) -> int:
        """The size of a block in 64-bit numbers."""
        return BlockSegments.sizes(self)["state"]

    @property
    def scratch_size(self) -> int:
        return BlockSegments.sizes(self)["scratch"]

    def constants(self) -> Mapping[str, int]:
        starts = self.starts("state")
        desk = {"ASKED_BY": PLAYER, "LISTED": LEGAL, "ASKED": ASKED, "CHOSEN": ASKED + self.program.players}
        return {
            **super().constants(),
            **{one.name: one.value for one in (*Turn, *Parameter)},
            **{called: starts["w"] + place for called, place in desk.items()},
            **{"LEGAL": starts["legal"], "STATE": self.state_size, "SCRATCH": self.scratch_size},
            **{"SIGHT": self.sight_size, "PATIENCE": PATIENCE, "WAITING": WAITING},
            **{"ACTIONS": self.program.actions, "PLAYERS": self.program.players},
            **{"SIMULTANEOUS": SIMULTANEOUS, "MOST_EMPTY": MOST_EMPTY, "WAIT": WAIT},
        }

    def sizes(self) -> Mapping[str, int]:
        return {"scratch": self.scratch_size, "p": len(Parameter)}

    def source(self) -> Source:
        """The functions of runtime/vector.py."""
        made = super().source()
        functions = [*runtime_functions("vector.py"), *made.functions]
        return Source(functions, made.tables, made.runtime, made.constants, made.sizes)

    def exported(self) -> list[ast.FunctionDef]:
        """The functions over one state that runtime/vector.py calls."""
        out = {"player": "i64", "deciders": "i64", "latest": "i64", "out": self.sight_kind}
        return [
            *super().exported(),
            self.export("write_worth", {"worth": "i32s"}, self.body(self._worth)),
            self.export("clear_view", {"out": self.sight_kind}, self.body(self.clear)),
            self.export("renew_view", out, self.body(self.renew)),
            self.export("write_view", out, self.body(self.view)),
        ]

    def clear(self) -> None:
        """Writes: write zeros, which show nothing."""

    def renew(self) -> None:
        """Writes: write what a player observes over what was written last."""

    def view(self) -> None:
        """Writes: write what a player observes."""

    def _worth(self) -> None:
        """Writes: write what the game is worth to each player (`State.rewards`), as 32-bit floats."""
        ranking, returns = self.program.ranking, self.program.returns
        if ranking is None:
            self._write_worth([call("quotient", 0, 1)] * self.program.players)
            return
        ranks = [self.register(ranking.ranks + seat) for seat in range(self.program.players)]
        winners = self.once(total([either(equal(rank, 1), 1, 0) for rank in ranks]))
        shared = [either(equal(rank, 1), call("quotient", 1, winners), 0) for rank in ranks]
        if not returns:
            self._write_worth(shared)
            return
        # The registers of returns are set by the ranking, which a stopped game never reaches.
        with self.inside(when(unequal(total(ranks), 0))) as ranked:
            self._write_worth([call("quotient", self.register(slot), 1) for slot in returns])
        with self.otherwise(ranked):
            self._write_worth(shared)

    def _write_worth(self, values: list[Code]) -> None:
        for seat, value in enumerate(values):
            self.put(syntax.assign(value, name("worth")[seat]))


class ObservedVector(MachineVector, MachineViews):
    """The same with what players observe, as 32-bit floats (`sight_kind` f32s) or bytes (u8s): 255 for 1."""

    arguments: Mapping[str, str] = {**MachineViews.arguments, "stale": "u64s"}

    def __init__(self, program: ir.Program, sight: Sight, tensors: Tensors, sight_kind: str) -> None:
        MachineViews.__init__(self, program, sight, tensors)
        self.sight_kind, self.sight_size = sight_kind, tensors.size + tensors.choices

    def kept_sections(self) -> list[Section]:
        """Also what the row of a game shows (see runtime/renewed.py)."""
        words, shown = len(self._private()), len(self.tensors.contents) + 1
        zones = [("stale", "u64s", words), ("filled", "u64s", words)]
        return [*super().kept_sections(), *zones, ("shown", "i64s", shown)]

    def constants(self) -> Mapping[str, int]:
        own = {"DIGESTED": 0, "ZONE_WORDS": len(self._private())}
        return {**super().constants(), **own, **({"ONE": 255} if self.sight_kind == "u8s" else {})}

    def tables_of_sight(self) -> dict[str, tuple[int, ...]]:
        return {**super().tables_of_sight(), "PRIVATE_ZONES": (*map(signed, self._private()), 0)}

    def _private(self) -> list[int]:
        """A bit for every zone that is hidden from a player, in words."""
        zones, hidden = len(self.program.zones), set[int]().union(*self.sight.hidden)
        return [
            sum(1 << zone - first for zone in hidden if first <= zone < first + 64) for first in range(0, zones, 64)
        ]

    def share(self, part: int, whole: int) -> int:
        return (510 * part + whole) // (2 * whole) if self.sight_kind == "u8s" else super().share(part, whole)

    def source(self) -> Source:
        made = super().source()
        made.functions.extend(runtime_functions("renewed.py"))
        if self.sight_kind == "u8s":
            for function in made.functions:
                # A function that writes observations writes bytes
                names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
                if any(node.id == "f32s" for node in names):
                    for node in names:
                        node.id = {"f32s": "u8s", "quotient": "share"}.get(node.id, node.id)
        return made

    def observers(self) -> Iterator[ast.FunctionDef]:
        return iter(())

    def new_state(self) -> None:
        self.put(do(call("zero", name("k"), self.kept)), do(call("mark_all", _STALE)))
        super().new_state()

    def one_moves(self, a: Code, place: Code, b: Code) -> None:
        self._change(a, b)
        super().one_moves(a, place, b)

    def top_moves(self, a: Code, b: Code) -> None:
        self._change(a, b)
        super().top_moves(a, b)

    def all_move(self, i: ir.Move, a: Code, b: Code) -> None:
        self._change(a, b)
        super().all_move(i, a, b)

    def happens(self, place: int, i: ir.Instruction) -> None:
        self._change(*map(self.zone, ir.zones_of(i, ir.Role.ORDERED | ir.Role.FOUND)))
        super().happens(place, i)

    def _change(self, *zones: Code) -> None:
        for zone in zones:
            self.put(do(call("mark", _STALE, zone)))

    def clear(self) -> None:
        self.put(do(call("show_nothing", _OUT, *_ROW)))

    def renew(self) -> None:
        self.turn_and_values(name("deciders"))
        self.put(do(call("renew_values", _OUT, _FACTS, name("shown"))))
        self.put(do(call("renew_zones", _OUT, _FACTS, ZONES, SIZES, KNOWN, name("player"), *_ROW)))
        self._latest()

    def view(self) -> None:
        self.observation(name("deciders"))
        self._latest()

    def _latest(self) -> None:
        with self.inside(when(unequal(name("latest"), 0))):
            self.latest_choices()
