"""The option `--play` of `ftk diff`: both versions in the same seeded games."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import games, options
from ftk_cli.failure import is_quiet, sentence
from ftk_cli.output import make_folder, replace_all, to_json
from ftk_cli.playing import playing

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Spec as Model
    from rulespec.versions.changes.words import Words
    from rulespec.versions.paired.difference import Difference
    from rulespec.versions.paired.pair import Pair
    from rulespec.versions.paired.run import Result


@dataclass(frozen=True)
class Wanted:
    """The options of --play."""

    players: int | None
    games: int
    seed: int
    bot: str
    rulings: dict[str, str]
    workers: int | None
    into: str | None


class BotName(click.ParamType[str]):
    """The name of a kind of player; the names are loaded when a command needs them."""

    name = "bot"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return "NAME[:N]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from rulespec.versions.paired.players import player_named

        try:
            return player_named(value).name
        except ValueError as error:
            self.fail(sentence(error), param, ctx)


_OPTIONS = (
    click.option("--play", is_flag=True, help="Also play both versions with the same seeds, and compare the games."),
    options.players,
    click.option(
        "--games",
        type=click.IntRange(1, options.MOST_GAMES),
        metavar="N",
        help="How many pairs of games (default: 10,000 of random players, 100 of others).",
    ),
    options.seed,
    click.option("--bot", type=BotName(), help="Who plays: random, oneply or a bot such as ismcts:100."),
    options.rulings,
    options.workers,
    click.option("--into", metavar="DIR", help="Keep the logs of the first pair that differs, for `ftk replay`."),
)
_ONLY = {"players", "games", "seed", "bot", "rulings", "workers", "into"}


def option(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of --play to a command, which gets them as `play`: `Wanted`, or None without --play."""

    @functools.wraps(command)
    def with_play(*args: Any, play: bool, **given: Any) -> None:
        mine = {name: given.pop(name) for name in _ONLY}
        if not play and (named := sorted(name for name, value in mine.items() if value not in (None, {}))):
            shown = "--ruling" if named[0] == "rulings" else f"--{named[0]}"
            raise click.UsageError(f"{shown} is an option of --play.")
        command(*args, play=_wanted(mine) if play else None, **given)

    for decorate in reversed(_OPTIONS):
        with_play = decorate(with_play)
    return with_play


def _wanted(given: dict[str, Any]) -> Wanted:
    from rulespec.versions.paired.players import player_named

    bot = player_named(given["bot"] or "random")
    if bot.missing:
        raise click.UsageError(sentence(bot.missing))
    return Wanted(**{**given, "games": given["games"] or bot.pairs, "seed": given["seed"] or 0, "bot": bot.name})


Played = tuple["Result", "Difference | None"]
"""A finished run of pairs, and the first pair that differs."""


def played(old: Model, new: Model, wanted: Wanted) -> Played:
    """Plays both versions. Ends the command if a version has errors, or if they have no setting in common."""
    from rulespec.base.executors import processors
    from rulespec.versions.paired.difference import first_difference
    from rulespec.versions.paired.run import play

    pair = _pair(_sound(old), _sound(new), wanted)
    workers = wanted.workers or processors()
    with playing(wanted.games, is_quiet()) as progress:
        result = play(pair, wanted.games, wanted.seed, wanted.bot, workers, progress)
    number = result.counted.first
    first = None if number is None else first_difference(pair, wanted.seed, number, wanted.bot)
    if wanted.into is not None:
        _write_logs(wanted.into, first)
    return result, first


def _sound(model: Model) -> Spec:
    """The spec of a version, which must have no errors to be played."""
    return games.sealed(model.source)


def _pair(old: Spec, new: Spec, wanted: Wanted) -> Pair:
    from rulespec.versions.paired.pair import PairError, paired

    try:
        return paired(old.model, new.model, wanted.players, wanted.rulings)
    except PairError as error:
        raise click.UsageError(sentence(error)) from None


def _write_logs(folder: str, first: Difference | None) -> None:
    if first is None:
        click.echo(f"No pair differs, so no logs are written to {folder}.", err=True)
        return
    make_folder(folder, "Name another folder.")
    logs = zip(("old", "new"), first.logs, strict=True)
    replace_all({str(Path(folder) / f"{side}.jsonl"): "\n".join([*lines, ""]) for side, lines in logs}, overwrite=True)


def together(text: str, played: Played, words: Words, format_: str, output: str | None) -> str:
    """The report of changes in a format, with that of the games after it."""
    from rulespec.versions.paired.data import to_dict
    from rulespec.versions.paired.view import html, markdown

    if format_ == "json":
        return to_json(json.loads(text) | {"play": to_dict(*played)})
    if format_ == "html":
        return html(*played, words)
    if format_ == "github":
        return text
    return f"{text}\n{markdown(*played) if format_ == 'markdown' else _text(*played, output)}"


def _text(result: Result, first: Difference | None, output: str | None) -> str:
    """The report of the games for a terminal, or for a file if one is named."""
    from ftk_cli.balance.text import WIDEST, Look, Marks, section_lines
    from ftk_cli.report.batch import Look as Terminal
    from ftk_cli.report.display import harmless
    from ftk_cli.text.diff import folded
    from rulespec.versions.paired.view import CAVEAT, headline, sections

    to_file = output is not None and output != "-"
    look = Look(Terminal.of(output).width, Marks.of(None if to_file else sys.stdout.encoding), is_quiet())
    room = min(look.width, WIDEST)
    made = f"{result.seconds:.1f} s ({result.engine}); 95 % confidence intervals"
    lines = [*folded(harmless(headline(result)), room), made, *([] if look.quiet else folded(CAVEAT, room))]
    for section in sections(result, first):
        lines += ["", *section_lines(section, room, look)]
    return "\n".join(line.rstrip() for line in lines) + "\n"
