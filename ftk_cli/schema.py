"""`ftk schema`: the JSON Schema of our files, for editors."""

from __future__ import annotations

import click

from ftk_cli import options
from ftk_cli.output import emit

_SCHEMAS = {
    "spec": "rulespec-1",
    "scenario": "scenario-1",
    "deck": "deck-1",
    "translation": "translation-1",
    "glossary": "glossary-1",
}


@click.command(short_help="Print the JSON Schema for editors.")
@click.option(
    "--kind",
    type=click.Choice(list(_SCHEMAS)),
    default="spec",
    show_default=True,
    help="The kind of file it describes.",
)
@options.output
def schema(kind: str, output: str | None) -> None:
    """Print the JSON Schema of specs and of the other files: with it an editor completes and explains keys.

    \b
    Examples:
      ftk schema --output rulespec-1.schema.json
      ftk schema --kind scenario
    """
    from rulespec.schema.validate import text

    emit(text(_SCHEMAS[kind]), output)
