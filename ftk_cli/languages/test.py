"""`ftk language test`: runs the samples of a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, options
from ftk_cli.output import emit
from ftk_cli.report import FORMATS
from ftk_cli.report.batch import Batch, Case, Look
from rulespec.base.diagnostics import Report
from rulespec.base.messages import say
from rulespec.base.project import current
from rulespec.editing.language_files.checking import check, check_samples
from rulespec.editing.language_files.samples import KIND as SAMPLE_KIND
from rulespec.editing.language_files.samples import samples_of, samples_read
from rulespec.text.languages.registry import find as find_language
from rulespec.text.languages.registry import use as use_languages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source


@click.command()
@click.argument("tag")
@options.format_("text", "json")
@options.output
@options.lang
@options.quiet
@options.verbose
def test(tag: str, format_: str, output: str | None, quiet: bool, verbose: bool) -> None:
    """Run the samples of a language: small texts with the numbers, contrasts, terms and findings to be read in them.

    TAG is a language of the project, with samples in specs/languages/TAG/samples.yaml, or one that ftk has a record of.
    The data files of the language are checked first.

    \b
    Exit status: 0 all are read as they say, 1 one is not or a file has an error, 3 there are no samples.

    \b
    Examples:
      ftk language test nl
      ftk language test en -v
      ftk language test nl --format json
    """
    folder = current().languages
    use_languages(folder)
    samples = samples_of(folder, tag)
    if samples is None:
        path = inputs.shown(str(folder / tag / "samples.yaml"))
        raise failure.Failure(
            say("There are no samples of {tag}.", tag=tag),
            say("Write {path}, or run: ftk language new {tag}", path=path, tag=tag),
        )
    own = [inputs.source(str(path)) for path in sorted((folder / tag).glob("*.yaml")) if path != samples]
    source = inputs.source(str(samples))
    found = [one for file in own for one in check(file)]
    read = list(check_samples(source, find_language(tag)))
    cases = tuple(_cases(source, [one for one in read if one.name == SAMPLE_KIND]))
    batch = Batch(Report.of(found, read), tuple(one.path for one in (*own, source)), cases=cases, of_samples=True)
    emit(FORMATS[format_](batch, Look.of(output, quiet, verbose)), output)
    inputs.conclude(batch, "error")


def _cases(source: Source, failed: list[Finding]) -> Iterator[Case]:
    """Every sample with whether it is read as it says."""
    for number, (text, first, last) in enumerate(samples_read(source), start=1):
        mine = tuple(one for one in failed if first <= one.start.line <= last)
        yield Case(source.path, str(number), text, not mine, mine)
