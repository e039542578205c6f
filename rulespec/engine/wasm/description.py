"""The description of a module's memory and numbers, which a host reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulespec.engine.backend.forms.machine_segments import ASKED, LEGAL, PLACE, PLAYER, Layout
from rulespec.engine.interpreter.running import SIMULTANEOUS, STOP
from rulespec.engine.program import ir
from rulespec.engine.program.sets import groups
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.language.model.types import LIMIT, NONE, Type

FORMAT = 2
"""The version of the functions, the memory and the description. It rises with every change that breaks a host."""

CELL, CARD = 8, 2
"""The bytes of a number in memory, and of a card in a zone."""


def description(game: Ruleset, layout: Layout, room: int) -> dict[str, Any]:
    """What a host must know of a module, for JSON."""
    program, names = game.program, game.names
    return game.identity() | {
        "format": FORMAT,
        "title": game.spec.title,
        "state": _state(game, layout, room),
        "numbers": {"absent": NONE, "limit": LIMIT, "over": STOP, "together": SIMULTANEOUS},
        "values": dict(_values(game)),
        "zones": {names.zone_id(z): {"number": z, "title": names.zone_names[z]} for z in range(len(program.zones))},
        "cards": list(program.faces),
        "faces": list(names.face_names),
        "rules": [rule for rule in program.rules if rule],
        "actions": _actions(game),
        "result": _result(game),
    }


def _state(game: Ruleset, layout: Layout, room: int) -> dict[str, int]:
    """Where the parts of a state begin, in bytes; `bytes` is its size, `room` how many cards fit into a zone."""
    desk = layout.r + layout.n
    zones = desk + layout.w
    cells = {
        "registers": 0,
        "random": layout.r - 1,
        "sizes": layout.r,
        "place": desk + PLACE,
        "player": desk + PLAYER,
        "count": desk + LEGAL,
        "asked": desk + ASKED,
        "chosen": desk + ASKED + game.players,
        "legal": desk + layout.asked,
        "zones": zones,
    }
    # Rounded up to whole cells, so that the states in a row of blocks are aligned.
    size = -(-(zones * CELL + layout.z * CARD) // CELL) * CELL
    return {part: cell * CELL for part, cell in cells.items()} | {"room": room, "bytes": size}


def _values(game: Ruleset) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every cell of a stored value, by its name."""
    for name, first in game.program.value_base.items():
        value = game.spec.values[name]
        for cell in range(game.setting.cells(value)):
            about = {"register": first + cell, "title": game.value_name(name, cell), "holds": value.type.kind}
            yield game.value_id(name, cell), about | _words(game, value.type)


def _words(game: Ruleset, type_: Type) -> dict[str, list[str]]:
    """The words for the numbers 0, 1, … of a type whose values are listed."""
    if type_.kind not in ("bool", "enum"):
        return {}
    number = 2 if type_.kind == "bool" else game.setting.extent(type_)
    return {"words": [game.names.notation(type_, value) for value in range(number)]}


def _actions(game: Ruleset) -> dict[str, Any]:
    """The options that own the action numbers from `first` on, with lists of words that their picks share. What an
    option says has the names of its picks in braces."""
    lists: dict[tuple[str, ...], int] = {}
    options = [
        {
            "first": option.first,
            "size": option.size,
            "rule": game.program.rules[option.rule],
            "title": game.actions.title(option.first),
            "says": game.actions.says(option),
            "picks": [_pick(game, group, lists) for group in groups(option.picks)],
        }
        for option in game.program.options
        if option.size
    ]
    return {"count": game.actions.size, "options": options, "words": list(lists)}


def _pick(game: Ruleset, group: Sequence[ir.Pick], lists: dict[tuple[str, ...], int]) -> dict[str, Any]:
    """A pick, or the picks of the elements of a set. `words` is the number of its list, which is added if it is new."""
    pick = group[0]
    number = len(pick.ranks) or pick.size
    words = tuple(game.actions.word(pick, digit) for digit in range(number))
    about = {"name": pick.name, "size": pick.size, "words": lists.setdefault(words, len(lists))}
    return about | ({"ranks": [one.ranks for one in group]} if pick.ranks else {})


def _result(game: Ruleset) -> dict[str, Any]:
    """The registers of the ranks, scores and returns by seat after the end (null: the game has none), and the columns
    of `play_games`."""
    ranking, returns = game.program.ranking, list(game.program.returns)
    columns = ["decisions"] + [f"{of}[{seat + 1}]" for of in ("rank", "score") for seat in range(game.players)]
    return {
        "ranks": ranking.ranks if ranking is not None else None,
        "scores": ranking.keys[0].base if ranking is not None else None,
        "returns": returns or None,
        "columns": columns + [f"return[{seat + 1}]" for seat in range(len(returns))],
    }
