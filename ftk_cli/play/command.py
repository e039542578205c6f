"""The command `ftk play`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ftk_cli import bots as players_of
from ftk_cli import games, options
from ftk_cli.failure import Failure

if TYPE_CHECKING:
    from rulespec import State


@click.command(short_help="Play in the terminal.")
@options.spec
@options.variant
@options.players
@click.option(
    "--people",
    metavar="1|1,3|all|none",
    help="The seats of people (default: 1, with --from the player to act). Bots play all other seats.",
)
@click.option("--from", "place", metavar="FILE#CASE|RULE", help="Start at a case of scenarios or before a rule.")
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
    people: str | None,
    place: str | None,
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
      ftk play fortheking --from esteem.pay_gold
      ftk play fortheking --from specs/scenarios/fortheking/rulings.yaml#overbid.allowed
      ftk play keyflower_king -v
      ftk play keyflower_king --deck my_cards.yaml
    """
    from secrets import randbits

    from ftk_cli.play.session import Session
    from ftk_cli.play.start import start_at, variant_at

    loaded = games.load(spec, deck, variant or (variant_at(place) if place else ""))
    seed = randbits(32) if seed is None else seed
    start = start_at(place, loaded, players, rulings, seed, engine) if place else None
    game = start.game if start else games.make(loaded, players, rulings, engine)
    if log and start and start.state.position:
        raise click.UsageError("No seed leads to the position of this case, so its game has no log: leave out --log.")
    seats = _seats(people or (str(start.seat + 1) if start else "1"), game.players)
    named = players_of.chosen(bots, game)
    people_named = ", ".join(f"player {seat + 1}" for seat in seats)
    who = f"people: {people_named}" if seats else f"{named or 'random'} players only"
    click.echo(f"{game.spec.title}, {game.players} players ({who}); {f'from {start}' if start else f'seed {seed}'}.")
    games.remark(game.spec, game.setting.cards(), quiet)
    state = start.state if start else game.new_initial_state(seed)
    with _sound(state):
        Session(state, seats, seed, log, named.seated(seed, 0) if named else None, rules=verbose).play()


@contextmanager
def _sound(state: State) -> Iterator[None]:
    """Reports a position set up by hand that lacks what the rules need: the engine relies on what is proven of play."""
    try:
        yield
    except (LookupError, ArithmeticError):
        if state.position is None:
            raise
        hint = "Give it all that the rules need, or start at an earlier rule."
        raise Failure("Play from the position of this case fails: it lacks cards or values.", hint) from None


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
