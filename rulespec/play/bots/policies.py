"""Policies: what players who decide in a certain way do, as probabilities. They weigh possible worlds (see
engine/search/belief.py)."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.engine.interpreter.random import stream
from rulespec.engine.search.belief import Policy, uniform
from rulespec.engine.states.state import State
from rulespec.play.bots.bot import bot_name


def mostly(name: str, mistakes: float = 0.1, seed: int = 0) -> Policy:
    """The policy of a bot of this name that takes, with the probability `mistakes`, any legal action instead.

    Raises ValueError for a bad name, and for a probability that is not above 0 and at most 1: without mistakes, one
    move that the bot would not make would rule every world out.
    """
    if not 0 < mistakes <= 1:
        raise ValueError(f"the probability of a mistake is above 0 and at most 1, not {mistakes:g}")
    named = bot_name(name)

    def policy(state: State, player: int) -> Mapping[int, float]:
        likely = {action: p * mistakes for action, p in uniform(state, player).items()}
        best = named.choose(state, player, stream(seed, len(state.choices)))
        return likely | {best: likely[best] + 1 - mistakes}

    return policy
