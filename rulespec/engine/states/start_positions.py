"""Positions set up by hand: what must hold of one before a game goes on from it, on any engine.

Programs are proved safe for values within their types and for cards that are each in one zone. Machine code, which
tests nothing, relies on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rulespec.engine.interpreter.running import StartPosition, StateError
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.language.model.types import NONE, describe


def require_position(game: Ruleset, position: StartPosition) -> None:
    """Raises StateError, with what is found and what is wanted, for a position that no game can have."""
    if position.at not in game.program.entries:
        raise StateError(f"no position starts at the rule `{position.at}`: it has no step under these rulings")
    last = len(game.program.zones) - 1
    for zone in (*position.zones, *([position.rest] if game.program.cards else [])):
        if not 0 <= zone <= last:
            raise StateError(f"the game has no zone {zone}: its zones are 0 to {last}")
    placed = Counter(card for cards in position.zones.values() for card in cards)
    known = set(game.program.cards)
    for card, times in placed.items():
        if card not in known:
            raise StateError(f"the game has no card {card} with {game.players} players")
        if times > 1:
            raise StateError(f"card {card} is placed {times} times")
    cells = _cells(game)
    for register, content in position.values.items():
        if register not in cells:
            raise StateError(f"register {register} belongs to no stored value")
        name, cell = cells[register]
        type_ = game.spec.values[name].type
        if content == NONE and type_.optional:
            continue
        contents = game.setting.contents(type_)
        if content not in contents:
            wanted = f"{describe(type_)}, stored as {contents[0]} to {contents[-1]}"
            raise StateError(f"`{game.names.value_id(name, cell)}` cannot hold {content}: it is {wanted}")
    if stock := miscounted(game, position.values):
        raise StateError(f"the tokens of `{stock}` are not as many as when the game begins")


def miscounted(game: Ruleset, values: Mapping[int, int]) -> str:
    """A stock of which registers would have more or fewer tokens of a kind than the game; empty if there is none."""
    cells, more = _cells(game), Counter[tuple[str, int]]()
    for register, content in values.items():
        name, cell = cells[register]
        declared = game.spec.values[name]
        kinds = game.setting.extent(declared.kind) if declared.kind is not None else 1
        more[declared.stock, cell % kinds] += content - game.program.start[register] if declared.stock else 0
    return next((stock for (stock, _), number in more.items() if number), "")


def _cells(game: Ruleset) -> dict[int, tuple[str, int]]:
    """The value and the cell of every register that belongs to a stored value."""
    found: dict[int, tuple[str, int]] = {}
    for name, base in game.program.value_base.items():
        cells = range(game.setting.cells(game.spec.values[name]))
        found |= {base + cell: (name, cell) for cell in cells}
    return found
