"""The command `ftk play`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from secrets import randbits
from typing import TYPE_CHECKING

import click

from ftk_cli import bots as players_of
from ftk_cli import games, options
from ftk_cli.failure import Failure
from ftk_cli.play.sitting import Sitting
from ftk_cli.text.languages import of_play
from rulespec.base.messages import counted, reason, say

if TYPE_CHECKING:
    from rulespec.engine.states.state import State


@click.command()
@options.spec
@options.variant
@options.players
@click.option(
    "--people",
    metavar="1|1,3|all|none",
    help="The seats of people (default: 1, with --from the player to act). Bots play all other seats.",
)
@click.option("--from", "place", metavar="FILE#CASE|RULE", help="Start at a case of scenarios or before a rule.")
@players_of.opponent
@options.seed
@click.option("--log", metavar="FILE", help="Keep the game in a file: a log for `ftk replay` and `--resume`.")
@click.option("--resume", metavar="FILE", help="Go on with the game of a log or of a saved state, and keep it there.")
@click.option("--dealt", is_flag=True, help="Enter what is drawn, card by card, from a physical deck at the table.")
@click.option("--lang", metavar="LANG", help="Play in a language that the game has texts in, such as uk.")
@click.option("--plain", is_flag=True, help="Ask line by line, also on a terminal that could show a full screen.")
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
    resume: str | None,
    dealt: bool,
    lang: str | None,
    plain: bool,
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
      ftk play kingme --bot hard --lang uk
      ftk play fortheking --from esteem.pay_gold
      ftk play fortheking --from specs/scenarios/fortheking/rulings.yaml#overbid.allowed
      ftk play fortheking --log game.jsonl
      ftk play fortheking --resume game.jsonl
      ftk play keyflower_king -v
      ftk play keyflower_king --deck my_cards.yaml
    """
    from ftk_cli.play.start import begun, start_at, variant_at
    from rulespec.engine.search.tree_search import must_compile
    from rulespec.play.table.table import Table
    from rulespec.play.table.words import words_in

    if sum(map(bool, (place, resume, dealt))) > 1:
        raise click.UsageError(say("--from, --resume and --dealt exclude each other: a game has one beginning."))
    saved = begun(resume) if resume else None
    variant = variant or (variant_at(place) if place else saved.variant if saved else "")
    loaded = games.load(spec, deck, variant)
    seed = randbits(32) if seed is None else seed
    start = start_at(place, loaded, players, rulings, seed, engine) if place else None
    begun_as = start.game if start else saved.game(loaded, engine) if saved else None
    game = begun_as or games.make(loaded, players, rulings, engine)
    if log and start and start.state.position:
        raise click.UsageError(
            say("No seed leads to the position of this case, so its game has no log: leave out --log.")
        )
    seats = _seats(people or (str(start.seat + 1) if start else "1"), game.players)
    named = players_of.opponents(bots, game, seats)
    words = words_in(loaded, game, of_play(loaded, lang))
    state = start.state if start else game.new_initial_state(None if dealt else seed, chance=_CHANCE[dealt])
    table = Table(state, seats, seed, named.seated(seed, 0) if named else None)
    if saved:
        saved.resume(table)
    who = say("{bots} players only", bots=str(named or "random"))
    if seats:
        who = say("people: {people}", people=[words.player(seat) for seat in seats])
    beginning = say("with a deck at the table") if table.is_dealt else say("seed {seed}", seed=table.seed)
    if start:
        beginning = say("from {start}", start=str(start))
    named_game = {
        "game": words.game(game.spec.title),
        "players": counted("{number} player", "{number} players", game.players),
    }
    click.echo(words.of(say("{game}, {players} ({who}); {beginning}.", **named_game, who=who, beginning=beginning)))
    games.remark(game.spec, game.setting.cards, quiet, of=words.of)
    if named:
        if must_compile(game) and not quiet:
            click.echo(
                words.of(say("Machine code for the bots is compiled: once for each game, in seconds.")), err=True
            )
        named.prepare(game)
    sitting = Sitting(loaded, table, words, log or resume, verbose, in_place=log in (None, resume))
    with _sound(state):
        _show(sitting, plain or not seats)


_CHANCE = {False: "sampled", True: "explicit"}


def _show(sitting: Sitting, plain: bool) -> None:
    """Plays on a full screen where there is one, else line by line."""
    from ftk_cli.play.session import Session

    screen = None if plain else full_screen()
    if screen is None:
        Session(sitting).play()
    else:
        screen(sitting)


def full_screen() -> Callable[[Sitting], None] | None:
    """What plays on the full screen of this terminal; None without a terminal, and without the library for it."""
    streams = sys.stdin, sys.__stdin__, sys.__stdout__
    is_terminal = streams[0] is streams[1] and all(stream is not None and stream.isatty() for stream in streams)
    if not is_terminal or os.environ.get("TERM", "dumb") == "dumb" or find_spec("textual") is None:
        return None
    from ftk_cli.play.screen import show

    return show


@contextmanager
def _sound(state: State) -> Iterator[None]:
    """Reports a position set up by hand that lacks what the rules need."""
    from rulespec.games.scenario.start import NoStart, from_there

    try:
        with from_there(state):
            yield
    except NoStart as error:
        raise Failure(reason(error), error.hint) from None


def _seats(people: str, players: int) -> list[int]:
    """The seats of people, from 0. Raises UsageError."""
    if people in ("all", "none"):
        return list(range(players)) if people == "all" else []
    numbers = [text.strip() for text in people.split(",")]
    if not all(text.isdecimal() and len(text) < 4 and 1 <= int(text) <= players for text in numbers):
        raise click.BadParameter(
            say(
                "`{people}` names no seats; write numbers from 1 to {players} with commas, all or none.",
                people=people,
                players=players,
            ),
            param_hint="'--people'",
        )
    return sorted({int(text) - 1 for text in numbers})
