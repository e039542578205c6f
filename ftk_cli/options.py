"""Options of several commands, defined once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ftk_cli import protect
from ftk_cli.failure import remember_quiet, remember_verbose
from ftk_cli.language import remember
from rulespec.base.messages import say

F = TypeVar("F", bound=Callable[..., Any])

LARGEST_SEED = 2**63 - 1


def _rulings(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    answers: dict[str, str] = {}
    for text in given:
        id_, equals, answer = text.partition("=")
        if not equals or not id_ or not answer:
            raise click.BadParameter(f"`{text}` is not of the form ID=ANSWER, such as overbid=forbidden.")
        if answers.setdefault(id_, answer) != answer:
            raise click.BadParameter(f"`{id_}` is answered twice: {answers[id_]} and {answer}.")
    return answers


def _verbose(ctx: click.Context, param: click.Parameter, wanted: bool) -> bool:
    remember_verbose(ctx, wanted)
    return wanted


def _quiet(ctx: click.Context, param: click.Parameter, wanted: bool) -> bool:
    remember_quiet(ctx, wanted)
    return wanted


def held(ctx: click.Context, param: click.Parameter, path: str | None) -> str | None:
    """An output: what another program saves there while the command runs is not overwritten."""
    if path is not None and path != "-":
        protect.hold(path)
    return path


class OneOf(click.ParamType[str]):
    """One of several names, which are loaded when a command needs them: the help of other commands stays quick."""

    def __init__(self, name: str, load: Callable[[], Iterable[str]]) -> None:
        self.name, self._load = name, load

    @cached_property
    def choice(self) -> click.Choice[str]:
        return click.Choice(tuple(self._load()))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return self.choice.get_metavar(param, ctx)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return self.choice.convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return self.choice.shell_complete(ctx, param, incomplete)


class FindingLanguage(OneOf):
    """A language of findings, given as a tag such as uk, uk-UA or zh-Hant; English for one that they are not in."""

    def __init__(self) -> None:
        super().__init__("language", _languages)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from ftk_cli.text.languages import no_tag, say_once
        from rulespec.base.findings.catalog import LANGUAGES, known_language

        if known_language(value) or no_tag(value):
            return super().convert(known_language(value) or value, param, ctx)
        say_once(say("Findings are not in {lang}: they are in English.", lang=value))
        return LANGUAGES[0]


def engines() -> Iterable[str]:
    """The engines, and the choice of one."""
    from rulespec.engine.backend.engines.table import AUTO, ENGINES

    return AUTO, *ENGINES


def generated() -> Iterable[str]:
    """The engines that run generated source."""
    from rulespec.engine.backend.engines.table import ENGINES

    return (engine.name for engine in ENGINES.values() if engine.generated)


def _languages() -> Iterable[str]:
    from rulespec.base.findings.catalog import LANGUAGES

    return LANGUAGES


spec = click.argument("spec")
players = click.option(
    "--players", type=click.IntRange(min=1), metavar="N", help="The number of players (default: the fewest)."
)
rulings = click.option(
    "--ruling",
    "rulings",
    multiple=True,
    metavar="ID=ANSWER",
    callback=_rulings,
    help="Choose another option of a ruling (see `ftk rulings`).",
)
cluster = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play the games on the workers of a Dask scheduler, such as tcp://127.0.0.1:8786.",
)
into = click.option("--into", metavar="DIR", help="Keep finished games in a folder, to continue an interrupted run.")
variant = click.option(
    "--variant", metavar="ID", default="", help="Use a variant of the game: the id of an overlay, or several with +."
)
deck = click.option("--deck", metavar="FILE", help="Replace cards of the game by those in this file.")
seed = click.option(
    "--seed", type=click.IntRange(0, LARGEST_SEED), metavar="N", help="The same seed gives the same game."
)
engine = click.option(
    "--engine",
    type=OneOf("engine", engines),
    default="auto",
    show_default=True,
    help="The engine that runs the rules. All engines give the same games.",
)
output = click.option("--output", metavar="FILE", callback=held, help="Write to a file instead of standard output.")
lang = click.option(
    "--lang",
    type=FindingLanguage(),
    is_eager=True,
    expose_value=False,
    callback=remember,
    help="The language of the findings (default: that of FTK_LANG or of the locale; zh is Traditional Chinese).",
)
quiet = click.option(
    "-q", "--quiet", is_flag=True, is_eager=True, callback=_quiet, help="Print the result only, without notes."
)
no_notes = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_quiet,
    help="Print the result only, without notes.",
)
"""-q for commands whose own output has nothing to leave out."""
verbose = click.option("-v", "--verbose", is_flag=True, is_eager=True, callback=_verbose, help="Print more details.")
fail_on = click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info"]),
    default="error",
    show_default=True,
    help="The lowest severity that makes the exit status 1.",
)


workers = click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="The number of processes (default: one per processor).",
)
MOST_GAMES = 100_000_000


def number_of_games(default: int, words: str) -> Callable[[F], F]:
    """The option --games."""
    many = click.IntRange(1, MOST_GAMES)
    return click.option("--games", "number", type=many, default=default, show_default=True, metavar="N", help=words)


def changes_files(unwritten: str) -> Callable[[F], F]:
    """The options of a command that changes files: --write, --format, --output, -q and -v. `unwritten` is what happens
    without --write."""
    write = click.option("--write", is_flag=True, help=f"Write the files. Without it, {unwritten}.")

    def decorate(command: F) -> F:
        for option in (verbose, quiet, output, format_("text", "json"), write):
            command = option(command)
        return command

    return decorate


def format_(*names: str) -> Callable[[F], F]:
    """The option --format with these formats; the first is the default."""
    choice = click.Choice(names)
    return click.option(
        "--format", "format_", type=choice, default=names[0], show_default=True, help="The output format."
    )
