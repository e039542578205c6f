"""The game beside a spec that is edited: after each edit it is played again, with the same seed and choices.

People play all its seats, and the one who decides next is shown. It has a place of its own, so that the game in the tab
of games goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ftk_cli.page.from_here import SEED
from ftk_cli.page.play import PERSON, current, game_at, look, new_game, put
from rulespec.games.scenario.start import from_there

if TYPE_CHECKING:
    from ftk_cli.page.play import Seated

BESIDE = "beside"
"""The place of the game."""

_DECISIONS: list[tuple[int, str]] = []
"""The decisions that lead to the position, as seats and actions in words: their numbers change with the rules."""


def begin(name: str, lang: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Starts a game with what `play_from` has found, else one of the fewest players at its first decision.

    Raises SpecError for a spec with errors.
    """
    found = given or {"name": name, "seats": [PERSON] * current(name, "")[0].players[0], "seed": SEED}
    game = _anew(found)
    for seat, action in found.get("choices", ()):
        game.table.play(action, seat)
    put(game, BESIDE)
    _DECISIONS[:] = _made(game)
    return shown(lang)


def again(lang: str) -> dict[str, Any]:
    """The game by the rules as they are now, up to the first decision that is not legal any more.

    Raises SpecError for a spec with errors; the game stays as it was then.
    """
    before = game_at(BESIDE)
    game = _anew({**before.begun, "seats": before.seats, "seed": before.table.seed})
    for seat, words in _DECISIONS:
        named = {game.state.action_to_string(seat, one): one for one in game.state.legal_actions(seat)}
        if words not in named:
            break
        game.table.play(named[words], seat)
    put(game, BESIDE)
    return shown(lang)


def act(action: int, lang: str) -> dict[str, Any]:
    """Makes the decision of the next seat. Raises NoStart if the position that was set up lacks what the rules need."""
    game = game_at(BESIDE)
    with from_there(game.state):
        game.table.play(action)
    _DECISIONS[:] = _made(game)
    return shown(lang)


def back(lang: str) -> dict[str, Any]:
    """Takes back the last decision, of whatever seat."""
    del _DECISIONS[-1:]
    return again(lang)


def shown(lang: str) -> dict[str, Any]:
    """The position as the next seat sees it, and how many `decisions` lead there of how many that were `wanted`."""
    game = game_at(BESIDE)
    view = look(lang, game.table.seat() or 0, scene=True, place=BESIDE)
    return {**view, "decisions": len(game.table.made), "wanted": len(_DECISIONS)}


def _anew(given: Mapping[str, Any]) -> Seated:
    """A game with these settings by the rules as they are edited now."""
    people = [PERSON] * len(given["seats"])
    game, _ = new_game(
        given["name"], people, given["seed"], given.get("rulings"), given.get("variant", ""), case=given.get("case")
    )
    return game


def _made(game: Seated) -> list[tuple[int, str]]:
    """The decisions that lead to the position of a game."""
    return [(one.seat, game.state.action_to_string(one.seat, one.action)) for one in game.table.made]


CALLS: Mapping[str, Callable[..., Any]] = {
    "beside.begin": begin,
    "beside.again": again,
    "beside.act": act,
    "beside.back": back,
    "beside.look": shown,
}
"""The calls of this module."""
