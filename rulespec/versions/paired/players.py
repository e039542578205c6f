"""Players of paired games. Each decides from what its seat may know, with draws named by the rule that asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.named_chance.chance import NamedChance
from rulespec.engine.named_chance.game import NamedState
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.play.bots.bot import bot_name

if TYPE_CHECKING:
    from rulespec.engine.search.rollouts import Outcome, Rollouts


MOST_TRIED = 8
"""Moves that are tried. Of more, such as the bids of an auction, random ones: a rollout takes some microseconds, and a
game has hundreds of decisions."""

WORLDS = 6
"""Deals of the unknown cards that every move is tried in: the same ones for all moves, so that luck is shared."""


@lru_cache(maxsize=8)
def rollouts(game: Ruleset) -> Rollouts:
    """The machine code for rollouts of a game, made once."""
    from rulespec.engine.search.rollouts import Rollouts  # needs LLVM, which a browser does not have

    return Rollouts(game)


def best_action(state: NamedState, player: int, chance: NamedChance) -> int:
    """The move with the best mean outcome in rollouts. Draws are named like those of a random player."""
    legal = state.legal_actions(player)
    number = chance.next(state.game.program.code[state.pc].rule, player)
    if len(legal) == 1:
        return legal[0]
    tried = sorted(legal, key=lambda action: stream(number, chance.labels.action(action)))[:MOST_TRIED]
    values = dict.fromkeys(tried, 0.0)
    machine, possible = rollouts(state.game), unknown(state, player)
    for world in range(WORLDS):
        seed = stream(number, world)
        draws = Generator(seed)
        start = machine.start(state, *possible.world(draws))
        others = _others(state, player, Generator(seed))
        for action in tried:
            values[action] += _value(machine.outcome(start, {**others, player: action}, seed), player)
    return max(tried, key=values.__getitem__)


def _value(outcome: Outcome, player: int) -> float:
    """The player's part of the win, and a little for points ahead of the best other player, which breaks ties.

    Points and places together count less than three hundredths of a win.
    """
    winners = outcome.ranks.count(1)
    won = 1 / winners if outcome.ranks[player] == 1 else 0.0
    rivals = [score for seat, score in enumerate(outcome.scores) if seat != player]
    lead = outcome.scores[player] - max(rivals, default=0)
    return won + (lead / (1 + abs(lead)) + 1 / (1 + outcome.ranks[player])) / 100


def _others(state: NamedState, player: int, draws: Generator) -> dict[int, int]:
    """Random actions of all others who decide at once; what they have chosen is hidden."""
    return {
        seat: actions[draws.below(len(actions))] for seat, actions in state.asked.items() if seat != player and actions
    }


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
