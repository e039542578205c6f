"""The commands of `ftk text`."""

from __future__ import annotations

import click

from ftk_cli.table import Table

COMMANDS = {
    "check": ("ftk_cli.text.check:check", "Check rule text, or a publisher's raw text, against the spec."),
    "review": ("ftk_cli.text.review:review", "Read a text passage by passage, and keep what is right or wrong."),
    "diff": ("ftk_cli.text.diff:diff", "Hold the texts of a game against each other."),
    "changes": ("ftk_cli.text.changes:changes", "List what is to do in a text since it was confirmed."),
    "status": ("ftk_cli.text.status:status", "Show how complete each language is, and stale texts."),
    "render": ("ftk_cli.text.render:render", "Print the rulebook of one number of players."),
    "export": ("ftk_cli.text.export:export", "Export rule text or a glossary: PO, XLIFF, CSV, TBX."),
    "import": ("ftk_cli.text.import_:import_", "Import PO, XLIFF, CSV, TBX, or a raw text as a draft."),
}


class TextCommands(Table):
    """The group of commands about rule text."""

    table = COMMANDS


@click.group(cls=TextCommands)
def text() -> None:
    """The rule text of a game, in every language it is written in.

    \b
    Examples:
      ftk text check rulebook.txt --lang uk --spec fortheking
      ftk text status
      ftk text render fortheking --lang uk --players 2
    """
