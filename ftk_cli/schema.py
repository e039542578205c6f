"""`ftk schema`: prints the JSON Schema of a kind of file, for editors."""

from __future__ import annotations

import click

from ftk_cli import options
from ftk_cli.output import emit

_KINDS = ("spec", "overlay", "scenario", "deck", "translation", "glossary")
"""The kinds of `rulespec.FILE_KINDS` that have a schema, which need not be imported for this."""

_WRITTEN = {"diff": "diff-1"}
"""What commands write as JSON, with its schema."""


@click.command(short_help="Print the JSON Schema for editors.")
@click.option(
    "--kind",
    type=click.Choice((*_KINDS, *_WRITTEN)),
    default="spec",
    show_default=True,
    help="The kind of file it describes.",
)
@options.output
def schema(kind: str, output: str | None) -> None:
    """Print the JSON Schema of specs or of another kind of file. Editors use it to complete and explain keys.

    `--kind diff` is the schema of what `ftk diff --format json` writes.

    \b
    Examples:
      ftk schema --output rulespec-1.schema.json
      ftk schema --kind scenario
    """
    from rulespec import FILE_KINDS
    from rulespec.schema import schema_text as text

    emit(text(_WRITTEN.get(kind) or FILE_KINDS[kind].schema), output)
