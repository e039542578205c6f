"""The command `ftk play`."""

from __future__ import annotations

import click

from ftk_cli import bots as players_of
from ftk_cli import games, options


@click.command(short_help="Play in the terminal.")
@options.spec
@options.variant
@options.players
@click.option(
    "--people",
    default="1",
    show_default=True,
    metavar="1|1,3|all|none",
    help="The seats of people. Bots play all other seats.",
)
@players_of.bot()
@options.seed
@click.option("--log", metavar="FILE", help="Write a log of the game for `ftk replay`.")
@options.rulings
@options.deck
@options.engine
@options.quiet
@options.verbose
def play(
    spec: str,
    variant: str,
    players: int | None,
    people: str,
    bots: str | None,
    seed: int | None,
    log: str | None,
    rulings: dict[str, str],
    deck: str | None,
    engine: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Play a game in the terminal, with people and bots. Hidden information stays hidden.

    With --people none the game plays itself and everything is shown. With -v every rule that applies is named; in a
    game with hidden cards this can reveal hidden information.

    \b
    Examples:
      ftk play fortheking --players 3
      ftk play fortheking --people 1,2 --ruling overbid=forbidden
      ftk play fortheking --people none --seed 7 --log game.jsonl
      ftk play kingme --bot ismcts:1000
      ftk play keyflower_king -v
      ftk play keyflower_king --deck my_cards.yaml
    """
    from secrets import randbits

    from ftk_cli.play.session import Session

    game = games.make(games.load(spec, deck, variant), players, rulings, engine)
    seats = _seats(people, game.players)
    seed = randbits(32) if seed is None else seed
    named = players_of.chosen(bots, game)
    people_named = ", ".join(f"player {seat + 1}" for seat in seats)
    who = f"people: {people_named}" if seats else f"{named or 'random'} players only"
    click.echo(f"{game.spec.title}, {game.players} players ({who}); seed {seed}.")
    games.remark(game.spec, game.setting.cards(), quiet)
    Session(game, seats, seed, log, named.seated(seed, 0) if named else None, rules=verbose).play()


def _seats(people: str, players: int) -> list[int]:
    """The seats of people, from 0. Raises UsageError."""
    if people in ("all", "none"):
        return list(range(players)) if people == "all" else []
    numbers = [text.strip() for text in people.split(",")]
    if not all(text.isdecimal() and len(text) < 4 and 1 <= int(text) <= players for text in numbers):
        raise click.BadParameter(
            f"`{people}` names no seats; write numbers from 1 to {players} with commas, all or none.",
            param_hint="'--people'",
        )
    return sorted({int(text) - 1 for text in numbers})
