"""Bots: players that decide only from what their seat may know.

A bot is named `NAME`, `NAME:SIMULATIONS` or `NAME:TIME`, such as `random`, `ismcts:1000` or `ismcts:200ms`; `BOTS` is
the table of kinds. `bot` seats one; its `step(state)` returns a legal action, as OpenSpiel's bots do.
`weighted_worlds` draws possible worlds with weights that say what to believe if the others follow a policy.
"""

from __future__ import annotations

from rulespec.play.bots.bot import Bot, bot_name

__all__ = ["bot"]


def bot(name: str, player: int, seed: int = 0) -> Bot:
    """The bot of a name in a seat (from 0). The same seed gives the same moves. Raises ValueError for a bad name."""
    return Bot(bot_name(name), player, seed)
