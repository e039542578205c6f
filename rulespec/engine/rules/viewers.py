"""Viewers: the players who may look into each zone and at each value, and what they may therefore know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.interpreter.evaluate import Evaluate, evaluator
from rulespec.engine.program import ir
from rulespec.engine.program.expressions import ExpressionLowering
from rulespec.engine.program.operations import Scope
from rulespec.engine.rules.naming import Names
from rulespec.language.model.constants import Setting
from rulespec.language.model.sight import Viewers
from rulespec.language.model.spec import StoredValue, owner_among
from rulespec.language.model.steps.rank import Rank


@dataclass(frozen=True)
class Seen:
    """Who sees one thing: some players always, others while a condition on registers and zones holds."""

    always: frozenset[int]
    sometimes: Mapping[int, Evaluate] = field(default_factory=dict)

    def by(self, player: int, registers: list[int], zones: list[list[int]]) -> bool:
        """Whether a player sees it now."""
        if player in self.always:
            return True
        condition = self.sometimes.get(player)
        return condition is not None and bool(condition(registers, zones))


@dataclass(frozen=True)
class Visibility:
    """What a player sees at one moment: for every zone, whether they may look into it; `hidden` are the registers of
    the values that they do not see."""

    zones: Sequence[bool]
    hidden: frozenset[int] = frozenset()

    def covers(self, reads: ir.Reads) -> bool:
        """Whether the player sees everything that an expression reads."""
        return all(self.zones[zone] for zone in reads.zones) and self.hidden.isdisjoint(reads.registers)


class GameViewers:
    """Who may see what under one setting."""

    def __init__(self, setting: Setting, program: ir.Program, names: Names, code: ProgramCode) -> None:
        self._setting, self._program, self._names, self._code = setting, program, names, code
        self._known_values: dict[int, KnownValues] = {}
        self._always_known: dict[int | None, Sequence[tuple[ir.TitledValue, Evaluate]]] = {}

    @cached_property
    def of_zone(self) -> tuple[Seen, ...]:
        """Who sees the cards of each zone."""
        return tuple(self._of_zone(name, indices) for name, indices in self._program.zones)

    def _of_zone(self, name: str, indices: tuple[int, ...]) -> Seen:
        zone = self._setting.spec.zones[name]
        scope = {index: ir.Const(at) for index, at in zip(zone.names, indices, strict=True)}
        return self._seen(zone.sight.under(self._setting), zone.owner(indices), scope)

    def _seen(self, viewers: Viewers, owner: int | None, scope: Scope) -> Seen:
        players = range(self._setting.players)
        if viewers.where is None:
            return Seen(frozenset(p for p in players if _GROUPS[viewers.group](p, owner)))
        tests = {p: self._lowering.expr(viewers.where, {**scope, viewers.viewer: ir.Const(p)}) for p in players}
        fixed = frozenset(p for p, test in tests.items() if isinstance(test, ir.Const) and test.value)
        return Seen(fixed, {p: evaluator(test) for p, test in tests.items() if not isinstance(test, ir.Const)})

    @cached_property
    def of_register(self) -> Mapping[int, Seen]:
        """Who sees the content of each register that not everybody sees."""
        return {
            self._program.value_base[value.name] + cell: self._of_cell(value, cell)
            for value in self._setting.spec.values.values()
            if value.start is not None and not value.sight.public
            for cell in range(self._lowering.setting.cells(value))
        }

    def cell_of(self, slot: int) -> tuple[str, int]:
        """The value that a register belongs to, and the number of its cell."""
        bases = self._program.value_base
        value = max((name for name in bases if bases[name] <= slot), key=bases.__getitem__)
        return value, slot - bases[value]

    def _of_cell(self, value: StoredValue, cell: int) -> Seen:
        indices = self._names.indices(value.name, cell)
        scope = {index.name: ir.Const(at) for index, (_, at) in zip(value.per, indices, strict=True)}
        own = owner_among([type_ for type_, _ in indices])
        return self._seen(value.sight.under(self._setting), indices[own][1] if own is not None else None, scope)

    @cached_property
    def changing(self) -> bool:
        """Whether the sight of something depends on the state."""
        return any(seen.sometimes for seen in (*self.of_zone, *self.of_register.values()))

    def visibility(self, player: int | None, registers: Sequence[int], zones: list[list[int]]) -> Visibility:
        """What a player sees now; None sees everything. `registers` are those of the state, or more."""
        if player is None:
            return Visibility([True] * len(self.of_zone))
        room = self.registers(registers) if self.changing else []
        hidden = (slot for slot, seen in self.of_register.items() if not seen.by(player, room, zones))
        return Visibility([seen.by(player, room, zones) for seen in self.of_zone], frozenset(hidden))

    def registers(self, registers: Sequence[int]) -> list[int]:
        """The registers of a state, with scratch registers for the conditions of the viewers."""
        # All that is evaluated must be lowered before: lowering allocates scratch registers.
        self.of_zone, self.of_register, self.titled_values  # noqa: B018
        return [*registers[: len(self._program.start)], *[0] * len(self._lowering.scratch)]

    # titled values

    @cached_property
    def titled_values(self) -> tuple[ir.TitledValue, ...]:
        """Every titled value, cell by cell. Lowered apart from the program: playouts never read them."""
        return tuple(self._lowering.titled_values())

    @cached_property
    def _lowering(self) -> ExpressionLowering:
        return ExpressionLowering(self._setting)

    @cached_property
    def _values(self) -> Sequence[tuple[ir.TitledValue, Evaluate]]:
        evaluators = self._code.evaluators([one.expression for one in self.titled_values])
        return [*zip(self.titled_values, evaluators, strict=True)]

    def known_values(self, player: int) -> KnownValues:
        """The titled values that a player always knows. Only if sight does not depend on the state."""
        if player not in self._known_values:
            self._known_values[player] = KnownValues(self._known_to(player, [], []), self.registers)
        return self._known_values[player]

    def values(self, state: Position, player: int | None) -> Iterator[Content]:
        """Every titled value that a player may know; None observes everything.

        A player may know a value if they see all zones and values that it is computed from.
        """
        registers, zones = self.registers(state.r), state.z
        for titled, value in self._known_to(player, registers, zones):
            yield Content(titled.value, titled.cell, int(value(registers, zones)))

    # scores

    @cached_property
    def _scores(self) -> Sequence[tuple[Evaluate, ir.Reads]]:
        """The score of each player now: the first criterion of the ranking. None where it depends on what is only known
        at the end, or only says who has won."""
        found = [step for step in self._setting.spec.steps() if isinstance(step, Rank)]
        by = found[0].chain[0].by if len(found) == 1 and found[0].chain else None
        if by is None or by.type.kind != "int" or by.type.high - by.type.low < 2:
            return ()
        seats = range(self._setting.players)
        try:
            scores = [self._lowering.expr(by, {found[0].player: ir.Const(seat)}) for seat in seats]
        except KeyError:  # a variable around the ranking
            return ()
        return [(evaluator(score), self._lowering.reads(score)) for score in scores]

    def scores(self, state: Position, player: int | None) -> list[int | None]:
        """The score that each player has now, None if a player may not know it; empty without scores before the end."""
        found = self._scores  # lowered before the registers are copied
        registers, zones = self.registers(state.r), state.z
        visible = self.visibility(player, registers, zones)
        return [int(value(registers, zones)) if visible.covers(reads) else None for value, reads in found]

    def _known_to(
        self, player: int | None, registers: list[int], zones: list[list[int]]
    ) -> Sequence[tuple[ir.TitledValue, Evaluate]]:
        # What a player may know is fixed in most games; observations ask for it after every choice.
        if self.changing or player not in self._always_known:
            visible = self.visibility(player, registers, zones)
            found = [one for one in self._values if visible.covers(one[0].reads)]
            if self.changing:
                return found
            self._always_known[player] = found
        return self._always_known[player]


class KnownValues:
    """Titled values, and which of them each register and each zone may change: their numbers in order. `unreported` are
    those that may change without an event."""

    def __init__(
        self,
        values: Sequence[tuple[ir.TitledValue, Evaluate]],
        with_scratch: Callable[[Sequence[int]], list[int]],
    ) -> None:
        self._values, self._with_scratch = values, with_scratch
        self._of_register: dict[int, list[int]] = {}
        self._of_zone: dict[int, list[int]] = {}
        # That a position is remembered is no event, and no event says which registers hold it.
        self.unreported = [number for number, (titled, _) in enumerate(values) if titled.remembers]
        for number, (titled, _) in enumerate(values):
            for slot in titled.reads.registers:
                self._of_register.setdefault(slot, []).append(number)
            for zone in titled.reads.zones:
                self._of_zone.setdefault(zone, []).append(number)

    def after(
        self, before: list[Content], registers: Iterable[int], zones: Iterable[int], state: Position
    ) -> list[Content]:
        """What the values hold after changes of registers and zones: the same objects where nothing has changed."""
        stale = {*self.unreported}
        stale.update(number for slot in registers for number in self._of_register.get(slot, ()))
        stale.update(number for zone in zones for number in self._of_zone.get(zone, ()))
        if not stale:
            return before
        values, room = before[:], list[int]()
        for number in stale:
            titled, value = self._values[number]
            if isinstance(titled.expression, ir.Register):
                content = state.r[titled.expression.slot]
            else:
                room = room or self._with_scratch(state.r)
                content = int(value(room, state.z))
            if content != before[number].content:
                values[number] = Content(titled.value, titled.cell, content)
        return values


class Position(Protocol):
    """Registers and zones."""

    @property
    def r(self) -> list[int]: ...
    @property
    def z(self) -> list[list[int]]: ...


class Content(NamedTuple):
    """What a cell of a value holds."""

    value: str
    cell: int
    content: int


_GROUPS: Mapping[str, Callable[[int, int | None], bool]] = {
    "everybody": lambda player, owner: True,
    "nobody": lambda player, owner: False,
    "owner": lambda player, owner: player == owner,
    "others": lambda player, owner: player != owner,
}
"""Whether a player belongs to a group, given the owner."""
