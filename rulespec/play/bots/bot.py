"""A bot in a seat, and how bots are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.base.messages import counted, say
from rulespec.engine.interpreter.random import stream
from rulespec.engine.states.state import State
from rulespec.play.bots.limit import Limit, limit_of
from rulespec.play.bots.table import BOTS, LEVELS, Kind
from rulespec.play.bots.thinking import Thinking, thought

BOT_STREAM = 2
"""The stream of a game that bots draw from; 0 is that of the deal, 1 that of random players (see
engine/states/playout.py)."""


@dataclass(frozen=True)
class BotName:
    """What a name such as `ismcts:1000` stands for: a kind of bot, and how long it thinks about a move."""

    kind: Kind
    limit: Limit | None

    def __str__(self) -> str:
        return f"{self.kind.name}:{self.limit or ''}".rstrip(":")

    def thinking(self, state: State, player: int, seed: int) -> Thinking[int]:
        """Chooses a legal action of a player who must decide now; the same one for the same seed, if it thinks in
        simulations."""
        legal = state.legal_actions(player)
        if len(legal) == 1:
            return legal[0]
        return (yield from self.kind.choose(state, player, seed, self.limit or Limit()))

    def choose(self, state: State, player: int, seed: int) -> int:
        """The action that comes out of thinking."""
        return thought(self.thinking(state, player, seed))


class Bot:
    """A bot in a seat (from 0), with the interface of OpenSpiel's bots. It keeps nothing between its moves."""

    def __init__(self, name: BotName, player: int, seed: int) -> None:
        self.name, self.player, self.seed = name, player, seed

    def step(self, state: State) -> int:
        """A legal action of its seat, which must decide now. The state must record events.

        Raises StateError if it does not, since what the seat knows is derived from them.
        """
        return thought(self.thinking(state))

    def thinking(self, state: State) -> Thinking[int]:
        """The same with pauses, at which it can be stopped."""
        # From the state and not counted here: after an undo, or in a clone, the bot decides as it did.
        number = sum(player == self.player for player, _ in state.choices)
        return self.name.thinking(state, self.player, stream(self.seed, number))


def bot_name(text: str, hurried: bool = True) -> BotName:
    """The bot that a text names: `NAME`, `NAME:SIMULATIONS`, `NAME:TIME` such as `ismcts:200ms`, or both,
    `NAME:SIMULATIONS/TIME`; or a level, with its number of simulations only unless it is `hurried`. Raises ValueError
    for any other text."""
    name, colon, given = LEVELS.get(text.strip(), text.strip()).partition(":")
    if text.strip() in LEVELS and not hurried:
        given = given.partition("/")[0]
    if name not in BOTS:
        raise ValueError(say("there is no bot `{name}`: write one of {known}", name=name, known=(*BOTS, *LEVELS)))
    kind, limit = BOTS[name], limit_of(given)
    if not colon:
        return BotName(kind, kind.limit)
    if kind.limit is None:
        raise ValueError(say("the bot `{name}` takes no limit: write `{name}`", name=name))
    if not kind.limit.simulations and (limit is None or limit.simulations):
        raise ValueError(say("the bot `{name}` takes a time only: write `{name}:2s`", name=name))
    if limit is None:
        said = say(
            "`{given}` is no limit: write a number of simulations or a time, as in `{name}:1000`, `{name}:200ms` or"
            " both, `{name}:1000/2s`",
            given=given,
            name=name,
        )
        raise ValueError(said)
    return BotName(kind, limit)


def bots_by_seat(text: str, players: int, hurried: bool = False) -> tuple[BotName, ...]:
    """The bot of each seat, from one name for all seats or from one for each, with commas. Raises ValueError."""
    names = tuple(bot_name(one, hurried) for one in text.split(","))
    if len(names) not in (1, players):
        said = counted(
            "{number} bot is named for {players} players: name one for all, or one for each",
            "{number} bots are named for {players} players: name one for all, or one for each",
            len(names),
            players=players,
        )
        raise ValueError(said)
    return names * players if len(names) == 1 else names


def seated(names: Sequence[BotName], seed: int, number: int) -> list[Bot]:
    """The bots of a game of a seed, each with a stream of its own."""
    return [Bot(name, seat, stream(seed, number, BOT_STREAM, seat)) for seat, name in enumerate(names)]
