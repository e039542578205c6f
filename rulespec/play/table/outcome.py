"""What the legal actions of a seat do at once to the squares of boards, as far as that seat sees it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

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


def outcomes(arranged: Arrangement, state: State, seat: int) -> dict[int, Changes]:
    """The cells of boards that each legal action changes: by its option alone, up to what the seat cannot know (chance
    and hidden contents). Empty for a game without a board, and while several players decide at once."""
    cells = _cells(arranged, state.game, seat)
    if not cells or state.asked:
        return {}
    return {action: _changed(state, _tried(state, action, seat), cells) for action in state.legal_actions(seat)}


def _cells(arranged: Arrangement, game: Ruleset, seat: int) -> dict[int, tuple[str, int]]:
    """The registers of boards that a seat always sees, with the value and the number of each cell."""
    found = {}
    hidden = {slot for slot, seen in game.viewers.of_register.items() if seat not in seen.always}
    for name, base in game.program.value_base.items():
        value = game.spec.values.get(name)
        if value is None or not value.title or not _is_on_board(arranged, value):
            continue
        slots = set(range(base, base + game.setting.cells(value))) - hidden
        found.update({slot: (name, slot - base) for slot in slots})
    return found


def _is_on_board(arranged: Arrangement, value: StoredValue) -> bool:
    """Whether a value is about squares, or says where something stands."""
    is_square = value.type.kind == "enum" and bool(arranged.spec.enums[value.type.name].places)
    return is_square or arranged.value(value.name)["draw"] == "board"


def _changed(state: State, tried: _Tried, cells: Mapping[int, tuple[str, int]]) -> Changes:
    found: dict[str, dict[int, int | None]] = {}
    for slot, (name, cell) in cells.items():
        content = list.__getitem__(tried.r, slot)
        if content != state.r[slot]:
            found.setdefault(name, {})[cell] = None if content == NONE else content
    return found


def _tried(state: State, action: int, seat: int) -> _Tried:
    """A copy of a state after the steps of an action's option; the code of an option is that of its rule and of rules
    after it, while what follows the choice belongs to a rule before."""
    game, tried = state.game, _Tried(state, seat)
    code, decision = game.code.interpreted(False), game.program.code[state.pc]
    try:
        place = code.take[state.pc](tried, action)
        for _ in range(MOST_STEPS):
            instruction = game.program.code[place] if place >= 0 else decision
            if isinstance(instruction, ir.Choose | ir.Secret) or instruction.rule < decision.rule:
                break
            place = code.run[place](tried)
    except _Unknown:
        pass
    return tried


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
