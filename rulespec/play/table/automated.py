"""What automated players do, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec.base.messages import NOTHING, Message, reason, say
from rulespec.engine.knowledge.results import player_words

if TYPE_CHECKING:
    from rulespec.engine.states.state import State
    from rulespec.play.bots.bot import Bot
    from rulespec.play.bots.thinking import Thinking


@dataclass(frozen=True)
class Automated:
    """A move of an automated player (a seat from 0): the bot that chose it, among how many actions, and why it did not
    choose itself, "" if it did."""

    seat: int
    bot: str
    action: int
    among: int
    failure: Message = NOTHING


def deciding(state: State, seat: int, bot: Bot | None, below: Callable[[int], int]) -> Thinking[Automated]:
    """Decides the move of a bot, or of a random player. If the bot fails, the move is random and says so."""
    legal = state.legal_actions(seat)
    if bot is None:
        return Automated(seat, "random", legal[below(len(legal))], len(legal))
    try:
        action = yield from bot.thinking(state)
        return Automated(seat, str(bot.name), action, len(legal))
    except Exception as error:  # whatever it is, the others play on
        return Automated(seat, str(bot.name), legal[below(len(legal))], len(legal), _why(error))


def _why(error: Exception) -> Message:
    """The first line of what an exception says, else its name."""
    said = reason(error)
    first = said.partition("\n")[0]
    return said if first == said != "" else say("{text}", text=first or type(error).__name__)


def sentence(state: State, move: Automated, viewer: int | None) -> Message:
    """What an automated player does, in one sentence for a player (None: an observer of everything).

    `state` is the game before or after it. The picks of a secret action are left out. NOTHING if the player does not
    see that a decision is made.
    """
    actions = state.game.actions
    if not actions.notices(viewer, move.seat, move.action):
        return NOTHING
    seen = actions.sees(viewer, move.seat, move.action)
    action = actions.said(move.action) if seen else say(actions.title(move.action))
    named = {"player": player_words(move.seat), "bot": move.bot, "action": action, "among": move.among}
    if move.failure:
        template = say("{player} ({bot}) could not decide and chooses at random: {action}. Reason: {reason}.")
        return say(template, **named, reason=move.failure)
    if move.among == 1:
        return say("{player} ({bot}): {action}, the only choice", **named)
    return say("{player} ({bot}): {action}, one of {among} choices", **named)
