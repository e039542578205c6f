"""The option `--bot` of commands that play games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


opponent = _bot(
    help="The opponents: one bot for all seats, or one for each, repeated or with commas. easy, medium (the default"
    " with people) and hard think 0.2, 1 and 5 seconds about a move at most; random (the default without people) does"
    " not think. Searches by name: quick, greedy, flat, pimc, ismcts, so-ismcts; N is a number of simulations or a"
    " time, as in ismcts:2s."
)
bot = _bot(
    help="Who plays: one bot for all seats, or one for each, repeated or with commas (default: random). easy, medium"
    " and hard search 200, 2,000 and 20,000 simulations a move. Others are quick, greedy, flat, pimc, ismcts,"
    " so-ismcts; N is a number of simulations or a time, as in ismcts:2s."
)
quick_bot = _bot(
    help="Who plays: one bot for all seats, or one for each, repeated or with commas (default: quick, or random without"
    " machine code). easy, medium and hard search 200, 2,000 and 20,000 simulations a move. Others are greedy, flat,"
    " pimc, ismcts, so-ismcts; N is a number of simulations or a time, as in ismcts:2s."
)
rotate = click.option("--rotate", is_flag=True, help="The bots change seats from game to game; figures are by bot.")


def opponents(text: str | None, game: Game, people: Sequence[int]) -> Players | None:
    """The bots of a game with people: the usual ones unless --bot names others. None where nobody plays, and none are
    named. Raises BadParameter."""
    from rulespec.play.bots.table import USUAL

    against_people = 0 < len(people) < game.players
    return chosen(text or (USUAL if against_people else None), game, hurried=True)


def chosen(text: str | None, game: Game, rotated: bool = False, hurried: bool = False) -> Players | None:
    """The bots that --bot names for the seats of a game; None without the option. Only `hurried` levels keep their
    time. Raises BadParameter."""
    from rulespec.play.bots.games import players

    if text is None:
        if rotated:
            raise click.UsageError(say("--rotate needs --bot, the bots that change seats."))
        return None
    try:
        return players(text, game, rotated, hurried)
    except ValueError as error:
        raise refused(error) from None


def refused(error: ValueError) -> click.BadParameter:
    """A bad name of a bot, as the command line reports it."""
    return click.BadParameter(sentence(error), param_hint="'--bot'")
