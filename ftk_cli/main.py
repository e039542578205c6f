"""The entry point of the `ftk` command."""

from __future__ import annotations

from typing import Any

import click

from ftk_cli import completion, failure, terminal
from ftk_cli.table import Table

# The module of a command is imported when the command is used, so that all commands start fast.
COMMANDS = {
    "new": ("ftk_cli.new:new", "Start a game from a skeleton or another game."),
    "check": ("ftk_cli.check:check", "Find everything wrong with specs, scenarios, decks, texts."),
    "fmt": ("ftk_cli.fmt:fmt", "Lay out specs, texts and scenarios in one way."),
    "explain": ("ftk_cli.explain:explain", "Explain a finding or a rule."),
    "describe": ("ftk_cli.describe:describe", "Describe what the rules do."),
    "diff": ("ftk_cli.diff:diff", "Show what changed in a game between two specs."),
    "errata": ("ftk_cli.errata:errata", "Print the changes of a game as players read them."),
    "release": ("ftk_cli.release:release", "Keep the present version of a game as a released one."),
    "cards": ("ftk_cli.cards:cards", "Show the cards and what each number of players uses."),
    "rulings": ("ftk_cli.rulings:rulings", "List what the rulebook leaves open."),
    "play": ("ftk_cli.play.command:play", "Play in the terminal."),
    "simulate": ("ftk_cli.simulate:simulate", "Play many games and compare the seats."),
    "balance": ("ftk_cli.balance.command:balance", "Compare seats, prizes, cards and rulings."),
    "rename": ("ftk_cli.rename:rename", "Rename a rule, zone, value, card … in all files."),
    "replay": ("ftk_cli.replay:replay", "Play a log again and compare every line."),
    "upgrade": ("ftk_cli.upgrade:upgrade", "Lift files of older formats, and logs of older versions."),
    "test": ("ftk_cli.scenarios:test", "Run scenarios and show which rules they reach."),
    "text": ("ftk_cli.text.group:text", "Check, review, compare, render, export and import rule text."),
    "language": ("ftk_cli.languages.group:language", "List, start and test languages of texts."),
    "page": ("ftk_cli.page.command:page", "Play in the browser."),
    "compile": ("ftk_cli.compile:compile_", "Compile a spec, or print its generated source."),
    "lsp": ("ftk_cli.lsp.command:lsp", "Start the language server for editors."),
    "schema": ("ftk_cli.schema:schema", "Print the JSON Schema for editors."),
}


class Commands(Table):
    """The commands of ftk. Every exception in a command becomes a message and an exit status."""

    table = COMMANDS

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if completion.is_asked():  # click writes bytes to the shell
            return super().main(*args, **kwargs)
        from ftk_cli import click_words

        click_words.install()
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
        from rulespec.language.formats.table import FORMATS

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
