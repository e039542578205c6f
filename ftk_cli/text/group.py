"""The commands of `ftk text`."""

from __future__ import annotations

import click

from ftk_cli.table import Table

COMMANDS = {
    "check": "ftk_cli.text.check:check",
    "review": "ftk_cli.text.review:review",
    "diff": "ftk_cli.text.diff:diff",
    "changes": "ftk_cli.text.changes:changes",
    "status": "ftk_cli.text.status:status",
    "render": "ftk_cli.text.render:render",
    "export": "ftk_cli.text.export:export",
    "import": "ftk_cli.text.import_:import_",
}


class TextCommands(Table):
    """The group of commands about rule text."""

    table = COMMANDS


@click.group(cls=TextCommands, short_help="Check, review, compare, render, export and import rule text.")
def text() -> None:
    """The rule text of a game, in every language it is written in.

    \b
    Examples:
      ftk text check rulebook.txt --lang uk --spec fortheking
      ftk text status
      ftk text render fortheking --lang uk --players 2
    """
