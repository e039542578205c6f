"""The entry point of the `ftk` command."""

from __future__ import annotations

from typing import Any

import click

from ftk_cli import completion, failure, terminal
from ftk_cli.table import Table

# The module of a command is imported when the command is used, so that all commands start fast.
COMMANDS = {
    "new": "ftk_cli.new:new",
    "check": "ftk_cli.check:check",
    "fmt": "ftk_cli.fmt:fmt",
    "explain": "ftk_cli.explain:explain",
    "describe": "ftk_cli.describe:describe",
    "diff": "ftk_cli.diff:diff",
    "errata": "ftk_cli.errata:errata",
    "release": "ftk_cli.release:release",
    "cards": "ftk_cli.cards:cards",
    "rulings": "ftk_cli.rulings:rulings",
    "play": "ftk_cli.play.command:play",
    "simulate": "ftk_cli.simulate:simulate",
    "balance": "ftk_cli.balance.command:balance",
    "rename": "ftk_cli.rename:rename",
    "replay": "ftk_cli.replay:replay",
    "upgrade": "ftk_cli.upgrade:upgrade",
    "test": "ftk_cli.scenarios:test",
    "text": "ftk_cli.text.group:text",
    "language": "ftk_cli.languages.group:language",
    "page": "ftk_cli.page.command:page",
    "compile": "ftk_cli.compile:compile_",
    "lsp": "ftk_cli.lsp.command:lsp",
    "schema": "ftk_cli.schema:schema",
}


class Commands(Table):
    """The commands of ftk. Every exception in a command becomes a message and an exit status."""

    table = COMMANDS

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if completion.is_asked():  # click writes bytes to the shell
            return super().main(*args, **kwargs)
        # From here on, so that errors in the arguments are escaped as well.
        with failure.unwinding(), terminal.guarded():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        from ftk_cli import protect

        with failure.boundary(ctx), protect.watched(ctx):
            return super().invoke(ctx)


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from rulespec import __version__
        from rulespec.language.formats import FORMATS

        numbers = (f"{one.kind} {'1 to ' * (one.number > 1)}{one.number}" for one in FORMATS.values())
        click.echo(f"ftk, version {__version__}\nformats: {', '.join(numbers)}")
        ctx.exit()


# click would drop the colours of a pipe, and with them escape sequences of the input unseen; the screens decide.
_SETTINGS = {"help_option_names": ["-h", "--help"], "color": True}


@click.group("ftk", cls=Commands, context_settings=_SETTINGS)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
def main() -> None:
    """Board-game rules as versioned YAML specs: check, explain and play them.

    \b
    Begin with:
      ftk new river             start a game of your own
      ftk check                 is everything in specs/ right?
      ftk play fortheking       play against the computer
    """
