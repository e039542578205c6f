"""Help for a first game: the set-up rule by rule, and what a bot would do and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ftk_cli.page.play import PLAY, game_at
from rulespec.engine.backend.runtime.search_names import POINT, WHOLE
from rulespec.engine.interpreter.random import stream
from rulespec.play.bots.bot import bot_name
from rulespec.play.bots.searches import compared
from rulespec.play.living.recording import moments_of_set_up
from rulespec.play.table.behind import rules_around, why_now
from rulespec.play.table.choice import choice_of
from rulespec.play.table.scene import action_of, position_of
from rulespec.proofs.checks.viewers import hidden_rules

if TYPE_CHECKING:
    from rulespec.engine.search.tree_search import Tried
    from rulespec.engine.states.state import State

ADVISER = "medium"
"""The bot whose choice a hint is."""

SHOWN = 2
"""So many moves are compared: that of the bot, and the next best."""


def set_up(lang: str, seat: int | None = None) -> list[dict[str, Any]]:
    """The rules that apply before the first decision, each with its title, its text, what it does, and the position
    after it as a person sees it (null if several people play and none has taken the device)."""
    seated = game_at(PLAY)
    words, viewer = seated.words_in(lang), seated.viewer(seat)
    moments = moments_of_set_up(seated.table.game, seated.table.start.seed)
    shown = {rule: moment for moment in moments for rule in _applied(moment)[-1:]}
    steps: list[dict[str, Any]] = []
    position = None
    for rule in _explained(moments[-1]):
        if viewer in seated.stories and rule in shown:
            position = position_of(shown[rule], viewer)
        title, text = words.title(rule, seated.spec.model.rules[rule].title), words.text(rule)
        steps.append({"title": title, "text": text, "does": seated.does(rule, lang), "position": position})
    return steps


def _applied(state: State) -> list[str]:
    return [state.game.program.rules[number] for kind, number, *_ in state.events or [] if kind == "rule"]


def _explained(first: State) -> list[str]:
    """The rules before the first decision: not those around it, nor those that say something hidden."""
    unsaid = {*hidden_rules(first.game.spec)}
    if not first.is_terminal():
        unsaid |= {*rules_around(first, why_now(first, first.deciders()[0]).rule)}
    return [rule for rule in dict.fromkeys(_applied(first)) if rule not in unsaid]


def hint(lang: str) -> dict[str, Any]:
    """What a bot would do for the seat that decides, knowing what that seat knows: the `moves` that it compared, its
    own first, each with its words, how many games it simulated from there, and the `result` of these.

    `counts` says what a result is: `wins`, the share of the games won, in per cent (tied players share a win), or
    `mean`, that of what the game is worth, or of the points of a player alone; `lead` if there was no time to play most
    games to the end. There are no moves if there was no time for any.
    """
    seated = game_at(PLAY)
    state, seat = seated.state, seated.table.seat()
    assert seat is not None
    limit = bot_name(ADVISER).limit
    assert limit is not None
    tried, played_on = compared(state, seat, stream(seated.table.seed, len(state.choices)), limit)
    rows = {row.action: row for row in choice_of(state, seat, seated.words_in(lang)).rows}
    scene = seated.scene_in(lang)
    counts, result = _measure(state)
    shown = [one for one in tried if one.visits][:SHOWN]
    return {
        "counts": counts if played_on else "lead",
        "moves": [
            {"text": action_of(scene, rows[one.action], state)["text"], "games": one.visits, "result": result(one)}
            for one in shown
        ],
    }


def _measure(state: State) -> tuple[str, Callable[[Tried], float]]:
    """What the rewards of simulations count, and the mean of those of a move."""
    ranking = state.game.program.ranking
    least, most = ranking.bounds if ranking is not None else (0, 1)
    if ranking is not None and ranking.returns >= 0:
        return "mean", lambda one: round(least + (most - least) * one.total / one.visits / WHOLE, 1)
    if state.game.players == 1:
        return "mean", lambda one: round(one.total / one.visits / POINT, 1)
    return "wins", lambda one: min(100, round(100 * one.total / one.visits / WHOLE))  # points ahead add a little


CALLS: Mapping[str, Callable[..., Any]] = {"hint": hint, "set_up": set_up}
"""The calls of this module."""
