"""The option `--bot` of commands that play games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ftk_cli.failure import sentence
from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
    from rulespec.play.bots.games import Players

F = TypeVar("F", bound=Callable[..., Any])


def _joined(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The bots of a repeated option as one text; None without the option."""
    return ",".join(given) if given else None


def _bot(help: str) -> Callable[[F], F]:
    return click.option("--bot", "bots", multiple=True, callback=_joined, metavar="NAME[:N],…", help=help)


bot = _bot(
    help="Who plays: one bot for all seats, or one for each, repeated or with commas (default: random). N is a"
    " number of simulations or a time, as in ismcts:2s. Levels are easy, medium and hard; hard wins 71 to 100 % of"
    " games for two against quick."
)
quick_bot = _bot(
    help="Who plays: one bot for all seats, or one for each, repeated or with commas (default: quick, or random without"
    " machine code). N is a number of simulations or a time, as in ismcts:2s. Levels are easy, medium and hard; hard"
    " wins 71 to 100 % of games for two against quick."
)
rotate = click.option("--rotate", is_flag=True, help="The bots change seats from game to game; figures are by bot.")


def chosen(text: str | None, game: Game, rotated: bool = False) -> Players | None:
    """The bots that --bot names for the seats of a game; None without the option. Raises BadParameter."""
    from rulespec.play.bots.games import players

    if text is None:
        if rotated:
            raise click.UsageError(say("--rotate needs --bot, the bots that change seats."))
        return None
    try:
        return players(text, game, rotated)
    except ValueError as error:
        raise refused(error) from None


def refused(error: ValueError) -> click.BadParameter:
    """A bad name of a bot, as the command line reports it."""
    return click.BadParameter(sentence(error), param_hint="'--bot'")
