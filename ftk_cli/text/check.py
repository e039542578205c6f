"""`ftk text check`: rule text against the spec, a publisher's raw text among it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import baseline as known
from ftk_cli import failure, games, inputs, options
from ftk_cli.output import emit

if TYPE_CHECKING:
    from ftk_cli.report import Batch
    from rulespec import Finding


@click.command(short_help="Hold rule text, or a publisher's raw text, against the spec.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--lang", metavar="LANG", help="The language of a raw text, such as en, uk or zh-Hant.")
@click.option("--spec", "game", metavar="SPEC", help="The game a raw text is the rulebook of.")
@known.option
@known.write_option
@click.option("--dictionary", metavar="PATH", help="A hunspell dictionary for raw texts: .dic file or folder.")
@options.format_("text", "json", "sarif", "github", "junit")
@options.output
@options.fail_on
@options.quiet
@options.verbose
def check(
    paths: tuple[str, ...],
    lang: str | None,
    game: str | None,
    baseline: str | None,
    write_baseline: str | None,
    dictionary: str | None,
    format_: str,
    output: str | None,
    fail_on: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Find what rule text leaves out, contradicts or misnames, line by line.

    A PATH is a translation, a glossary, a folder of them, or a publisher's raw text (plain text or Markdown, without
    rule ids): that needs --lang and --spec. Without any, all rule text in specs/ is checked.

    \b
    Exit status: 0 nothing wrong, 1 findings at or above --fail-on, 3 something could not be read.

    \b
    Examples:
      ftk text check
      ftk text check specs/translations/fortheking/uk.yaml
      ftk text check rulebook.txt --lang uk --spec fortheking
      ftk text check - --lang zh-Hant --spec fortheking < rulebook.md
      ftk text check rulebook.txt --lang uk --spec fortheking --write-baseline known.json
    """
    from ftk_cli.report import FORMATS, Look

    batch = _raw(paths, lang, game, dictionary) if lang or game else _written(paths)
    batch = known.apply(batch, baseline, write_baseline)
    emit(FORMATS[format_](batch, Look.of(output, quiet, verbose)), output)
    inputs.conclude(batch, fail_on)


def _raw(paths: tuple[str, ...], lang: str | None, game: str | None, dictionary: str | None) -> Batch:
    """Raw texts of one game in one language. Raises Failure where there is no such game, language or text."""
    from ftk_cli.report import Batch, Sources
    from rulespec import Report, check_raw
    from rulespec.text import LANGUAGES
    from rulespec.text.typography import spelling_of

    if not (lang and game and paths):
        missing = "--lang" if not lang else "--spec" if not game else "the file"
        raise click.UsageError(f"A raw text needs --lang, --spec and a file; {missing} is missing.")
    if lang not in LANGUAGES:
        raise failure.Failure(f"There is no language {lang} here.", f"Known are {', '.join(LANGUAGES)}.")
    spec = games.load(game)
    spelling = spelling_of(lang, dictionary)
    if dictionary is not None and spelling is None:
        hint = "It needs the package spylls (pip install 'ftk[spelling]') and an .aff and a .dic file."
        raise failure.Failure(f"The dictionary {dictionary} cannot be used.", hint)
    sources = Sources()
    found: list[Finding] = []
    for path in paths:
        source, unreadable = inputs.read(path)
        sources.add(source)
        found += unreadable
        if source is not None:
            try:
                found += check_raw(source, lang, spec, spelling).findings
            except ValueError as error:
                raise failure.Failure(str(error), "Write a glossary first: specs/glossaries/GAME.yaml.") from None
    return Batch(Report.of(found), paths, sources)


def _written(paths: tuple[str, ...]) -> Batch:
    """Translations and glossaries. Raises Failure where a raw text is among them."""
    from ftk_cli.check import examine

    for path in paths:
        if Path(path).suffix.lower() in inputs.RAW or path == inputs.STDIN:
            hint = f"Run: ftk text check {path} --lang LANG --spec SPEC"
            raise failure.Failure(f"{path} looks like a raw text: say its language and its game.", hint)
    folders = paths or inputs.text_folders()
    if not folders:
        raise failure.Failure("There is no rule text in specs/, so nothing was checked.", "Name a file or folder.")
    return examine(folders)
