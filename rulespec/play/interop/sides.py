"""What of a game is public, and what only some players know."""

from __future__ import annotations

from rulespec.engine.knowledge.events import cards_words
from rulespec.engine.program import ir
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.rules.viewers import Seen
from rulespec.engine.states.state import State


def decides_at_once(game: Ruleset) -> bool:
    """Whether players ever decide at once."""
    return any(isinstance(i, ir.Secret) for i in game.program.code)


def has_private_information(game: Ruleset) -> bool:
    """Whether a player may ever know what others do not know. What nobody knows yet is chance."""
    seen = (*game.viewers.of_zone, *game.viewers.of_register.values())
    drawn = any(isinstance(i, ir.Draw) and i.viewers >= 0 for i in game.program.code)
    shown = any(isinstance(i, ir.Show) for i in game.program.code)
    return drawn or shown or any(_differs(one, game.players) for one in seen)


def _differs(seen: Seen, players: int) -> bool:
    return bool(seen.sometimes) or 0 < len(seen.always) < players


def public_lines(state: State) -> list[str]:
    """The lines of the observation that are the same for all players, and the sizes of zones that only some see."""
    first, *others = _observations(state)
    common = set(first).intersection(*others)
    return [line for line in first if line in common] + _sizes(state)


def _sizes(state: State) -> list[str]:
    views = [state.view(player).zones for player in range(state.game.players)]
    zones = (zone for zone in zip(*views, strict=True) if len({one.visible for one in zone}) > 1)
    return [f"{state.game.zone_name(one.number)}: {cards_words(one.size)}" for one, *_ in zones]


def private_lines(state: State, player: int) -> list[str]:
    """The lines of a player's observation that are not public."""
    public = set(public_lines(state))
    return [line for line in _observations(state)[player] if line not in public]


def _observations(state: State) -> list[list[str]]:
    return [state.observation_string(player).split("\n") for player in range(state.game.players)]
