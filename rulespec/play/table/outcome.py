"""What the legal actions of a seat do at once to the squares of boards, the steps of tracks and the cards of zones, as
far as that seat sees it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

from rulespec.engine.interpreter.evaluate import evaluator
from rulespec.engine.interpreter.running import Event
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.states.state import State
    from rulespec.language.model.spec import StoredValue
    from rulespec.play.table.arrangement import Arrangement

MOST_STEPS = 2000
"""Instructions of one action that are carried out."""

Changes = Mapping[str, Mapping[int, int | None]]
"""The new contents of cells, by the name of their value."""


zone_at = lru_cache(256)(evaluator)  # an action is shown for each of many cards of the same zone
"""What computes the number of a zone from registers and zones."""


@dataclass(frozen=True)
class Outcome:
    """What an action does by its option alone, up to what its seat cannot know (chance and hidden contents): the cells
    of boards and tracks that it changes, and the zones that its first card goes from and to."""

    cells: Changes
    move: tuple[int, int] | None


def outcomes(arranged: Arrangement, state: State, seat: int) -> dict[int, Outcome]:
    """What each legal action does; empty while several players decide at once."""
    if state.asked:
        return {}
    cells = _cells(arranged, state.game, seat)
    return {action: _outcome(state, action, seat, cells) for action in state.legal_actions(seat)}


def _cells(arranged: Arrangement, game: Ruleset, seat: int) -> dict[int, tuple[str, int]]:
    """The registers of boards that a seat always sees, with the value and the number of each cell."""
    found = {}
    hidden = {slot for slot, seen in game.viewers.of_register.items() if seat not in seen.always}
    for name, base in game.program.value_base.items():
        value = game.spec.values.get(name)
        if value is None or not value.title or not _is_placed(arranged, value):
            continue
        slots = set(range(base, base + game.setting.cells(value))) - hidden
        found.update({slot: (name, slot - base) for slot in slots})
    return found


def _is_placed(arranged: Arrangement, value: StoredValue) -> bool:
    """Whether a value is about squares, or says where something stands."""
    is_square = value.type.kind == "enum" and bool(arranged.spec.enums[value.type.name].places)
    return is_square or arranged.value(value.name)["draw"] in ("board", "track", "tower")


def _outcome(state: State, action: int, seat: int, cells: Mapping[int, tuple[str, int]]) -> Outcome:
    tried = _Tried(state, seat)
    moves = list(_moves(state, action, tried))
    found: dict[str, dict[int, int | None]] = {}
    for slot, (name, cell) in cells.items():
        content = list.__getitem__(tried.r, slot)
        if content != state.r[slot]:
            found.setdefault(name, {})[cell] = None if content == NONE else content
    return Outcome(found, moves[0] if moves else None)


def _moves(state: State, action: int, tried: _Tried) -> Iterator[tuple[int, int]]:
    """The zones of the cards that the rule of an action moves, while a copy of a state runs the steps of its option.
    The code of an option is that of its rule and of rules after it; what follows the choice is of a rule before."""
    code, program = state.game.code.interpreted(False), state.game.program.code
    decision, option = program[state.pc], state.game.code.points.option(state.pc, action)[0]
    try:
        place = code.take[state.pc](tried, action)
        for _ in range(MOST_STEPS):
            instruction = program[place] if place >= 0 else decision
            if isinstance(instruction, ir.Choose | ir.Secret) or instruction.rule < decision.rule:
                break
            if isinstance(instruction, ir.Move) and instruction.rule == option.rule:
                yield zone_at(instruction.source)(tried.r, tried.z), zone_at(instruction.target)(tried.r, tried.z)
            place = code.run[place](tried)
    except _Unknown:
        pass


class _Unknown(Exception):
    """Raised where an action depends on what a seat cannot know."""


class _Tried:
    """A copy of a state that the interpreter runs, with only what a seat knows in it."""

    def __init__(self, state: State, seat: int) -> None:
        seen = state.game.viewers.visibility(seat, state.r, state.z)
        unseen = {at for at, is_seen in enumerate(seen.zones) if not is_seen}
        self.r: list[int] = _Known(state.r, seen.hidden) if seen.hidden else state.r[:]
        self.z: list[list[int]] = _Known((cards[:] for cards in state.z), unseen)
        self.pc, self.legal, self.player = state.pc, state.legal, state.player
        self.asked: dict[int, list[int]] = {}
        self.reported: list[Event] | None = None

    def draw(self, bound: int, /) -> NoReturn:
        raise _Unknown

    def emit(self, event: Event, /) -> None:
        """Events are of no interest."""


class _Known(list[Any]):
    """A list of which some places cannot be read."""

    def __init__(self, contents: Iterable[Any], hidden: Container[int]) -> None:
        super().__init__(contents)
        self.hidden = hidden

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        places = range(*at.indices(len(self))) if isinstance(at, slice) else (at,)
        if any(place in self.hidden for place in places):
            raise _Unknown
        return super().__getitem__(at)
