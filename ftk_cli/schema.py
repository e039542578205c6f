"""`ftk schema`: prints the JSON Schema of a kind of file, for editors."""

from __future__ import annotations

import click

from ftk_cli import options
from ftk_cli.output import emit
from rulespec.base.messages import say
from rulespec.editing.file_kinds import schema_of_data
from rulespec.language.formats.table import FORMATS
from rulespec.language.schema.validate import text

_KINDS = ("spec", "overlay", "scenario", "deck", "translation", "glossary", "language", "review", "looks")
"""The kinds of `rulespec.language.formats.FORMATS` that have a schema."""

_OF_LANGUAGES = ("numerals", "contrasts", "counted", "describe", "changes", "samples")
"""The data files of a language, which belong to its format."""

_WRITTEN = {"diff": "diff-1"}
"""What commands write as JSON, with its schema."""


@click.command()
@click.option(
    "--kind",
    type=click.Choice((*_KINDS, *_OF_LANGUAGES, *_WRITTEN)),
    default="spec",
    show_default=True,
    help="The kind of file it describes.",
)
@click.option("--number", type=click.IntRange(1), metavar="N", help="The format's number (default: the present one).")
@options.output
def schema(kind: str, number: int | None, output: str | None) -> None:
    """Print the JSON Schema of specs or of another kind of file. Editors use it to complete and explain keys.

    `--kind numerals` and the other files of a language are those beside `language.yaml`.
    `--kind diff` is the schema of what `ftk diff --format json` writes, `--number` that of an older format.

    \b
    Examples:
      ftk schema --output rulespec-2.schema.json
      ftk schema --kind translation --number 1
      ftk schema --kind scenario
    """
    if kind in _OF_LANGUAGES:
        emit(schema_of_data(kind), output)
        return
    if kind in _WRITTEN:
        emit(text(_WRITTEN[kind]), output)
        return
    format_ = FORMATS[kind]
    if number is not None and number > format_.number:
        raise click.UsageError(say("--kind {kind} has the formats 1 to {last}.", kind=kind, last=format_.number))
    emit(text(f"{format_.key}-{number or format_.number}"), output)
