"""Players of paired games. Each decides from what its seat may know, with draws named by the rule that asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from rulespec.engine.interpreter.random import stream
from rulespec.engine.named_chance.chance import NamedChance
from rulespec.engine.named_chance.game import NamedState
from rulespec.play.bots.bot import bot_name
from rulespec.versions.paired.oneply import best_action

Decide = Callable[[NamedState, int, NamedChance], int]
"""Chooses a legal action of a player. The generators are the players' own, not those of the game."""


@dataclass(frozen=True)
class Bot:
    """A kind of player, as `--bot` names it: `pairs` are played unless a number is given, about a minute of games;
    `package` names what must be installed."""

    name: str
    summary: str
    decide: Decide
    pairs: int
    package: str = ""

    @property
    def missing(self) -> str:
        """Why this machine has no such player; empty if it has."""
        return f"the player {self.name} needs machine code: pip install 'ftk[native]'" if self._lacks else ""

    @property
    def _lacks(self) -> bool:
        return bool(self.package) and find_spec(self.package) is None


def random_action(state: NamedState, player: int, chance: NamedChance) -> int:
    """A uniformly random legal action. The same one in the other version, if it is legal there and no other action has
    a smaller key."""
    legal = state.legal_actions(player)
    labels = [chance.labels.action(action) for action in legal]
    return legal[chance.choose(state.game.program.code[state.pc].rule, player, labels)]


BOTS: Mapping[str, Bot] = {
    bot.name: bot
    for bot in (
        Bot("random", "chooses uniformly among its legal actions", random_action, 10_000),
        Bot(
            "oneply",
            "takes the move that ends best in rollouts from what it knows",
            best_action,
            100,
            "llvmlite",
        ),
    )
}


def searching(name: str) -> Bot:
    """A bot of `rulespec.play.bots` in paired games: its seed is drawn by the rule that asks. Raises ValueError."""
    bot = bot_name(name)

    def decide(state: NamedState, player: int, chance: NamedChance) -> int:
        number = chance.next(state.game.program.code[state.pc].rule, player)
        return bot.choose(state, player, number)

    return Bot(str(bot), bot.kind.summary, decide, 100)


def player_named(name: str) -> Bot:
    """The kind of player of a name: one of BOTS, or a bot of `rulespec.play.bots`, such as `ismcts:100`.

    Raises ValueError for any other name.
    """
    return BOTS[name] if name in BOTS else searching(name)


def seeds(seed: int, number: int) -> tuple[int, int]:
    """The seeds of a game and of its players. With 48 bits, every reader of JSON keeps them exactly."""
    return stream(seed, number, 0) >> 16, stream(seed, number, 1) >> 16
