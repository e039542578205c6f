"""`ftk language`: the languages of a project, new ones, and their samples."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, options
from ftk_cli.language import localized
from ftk_cli.output import emit, to_json
from ftk_cli.report.display import columns, left
from ftk_cli.table import Table
from rulespec.base.messages import say
from rulespec.base.project import current
from rulespec.editing.language_files.listing import listed
from rulespec.text.languages.registry import use as use_languages

if TYPE_CHECKING:
    from rulespec.editing.language_files.listing import Listed

COMMANDS = {
    "new": ("ftk_cli.languages.new:new", "Start the files of a language."),
    "test": ("ftk_cli.languages.test:test", "Are the samples of a language read as they say?"),
}


class LanguageCommands(Table):
    """The group of commands about languages."""

    table = COMMANDS


@click.group(cls=LanguageCommands, invoke_without_command=True)
@options.format_("text", "json")
@options.output
@click.pass_context
def language(ctx: click.Context, format_: str, output: str | None) -> None:
    """List the languages of the project: those of its texts and glossaries, and those with files in specs/languages.

    The level of a language says what is checked in its texts: 1 numbers, marks and terms, which follow from CLDR and
    dictionaries; 2 what they say, by contrasts such as left and right; 3 descriptions of rules as well. The source is
    CLDR, the package (a record of ftk) or the project.

    \b
    Examples:
      ftk language
      ftk language new nl
      ftk language test nl
    """
    if ctx.invoked_subcommand is not None:
        return

    project = current()
    use_languages(project.languages)
    found = listed(project)
    if format_ == "json":
        emit(to_json({"version": 1, "languages": [asdict(one) for one in found]}), output)
        return
    if not found:
        raise failure.Failure(
            say("No text, glossary or folder of this project names a language."), say("Begin: ftk language new TAG")
        )
    heads = (say("tag"), say("language"), say("level"), say("source"), say("texts"))
    rows = [tuple(map(localized, heads))]
    rows += [(one.tag, one.name or "?", str(one.level), _source(one), str(one.texts)) for one in found]
    emit("\n".join(columns(rows, [left] * len(heads))) + "\n", output)


def _source(one: Listed) -> str:
    source = localized(_SOURCES[one.source])
    if one.source != "project":
        return source
    return localized(say("{source}: {folder}", source=source, folder=inputs.shown(one.folder)))


_SOURCES = {"CLDR": say("CLDR"), "package": say("package"), "project": say("project")}
