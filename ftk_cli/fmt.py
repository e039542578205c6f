"""`ftk fmt`: puts YAML files in their canonical layout."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ftk_cli import failure, inputs, options
from ftk_cli.output import Rewritten, change_files, differences, emit, note, would_change
from rulespec.base.messages import counted, reason, say


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit status 1 if a file has another layout.")
@options.changes_files(help="Write the files. Without it, only the differences are shown.")
def fmt(
    paths: tuple[str, ...],
    only_check: bool,
    write: bool,
    format_: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Lay out YAML files in one way: indentation, spaces in brackets, blank lines, and lines of at most 120 characters.

    Values, quotes, comments and their order stay, and so does alignment in columns. Comments, literal texts and words
    are not broken. A PATH is a file, a folder, the id of a game or `-`, whose new text is printed; without a PATH all
    of specs/ is laid out.

    \b
    Exit status: 0, 1 with --check if a file has another layout, 3 if a file is no correct YAML (nothing is written).

    \b
    Examples:
      ftk fmt
      ftk fmt river --write
      ftk fmt specs --check
    """
    if write and only_check:
        raise click.UsageError(say("--check changes nothing, so it cannot be used with --write."))
    if inputs.STDIN in paths:
        return _standard_input(paths, write, only_check, format_, output)
    found = [one for one in _layouts(paths) if one.is_other]
    data = {"files": [{"path": one.path, "after": one.after} for one in found]}
    said = "" if quiet or write else "".join(differences(found))
    change_files({one.path: one.after for one in found}, data, said, write=write, format_=format_, output=output)
    if not quiet and format_ == "text":
        note(_summary(len(found), write))
    if only_check and found:
        raise click.exceptions.Exit(failure.FINDINGS)


def _standard_input(paths: tuple[str, ...], write: bool, only_check: bool, format_: str, output: str | None) -> None:
    if write or format_ != "text" or len(paths) > 1:
        raise click.UsageError(say("Standard input is laid out alone, and its text is printed."))
    (one,) = _layouts(paths)
    if not only_check:
        emit(one.after, output, data=True)
    elif one.is_other:
        raise click.exceptions.Exit(failure.FINDINGS)


def _layouts(paths: tuple[str, ...]) -> Iterator[Rewritten]:
    """The layouts of all files. Raises Failure for the first one that is no correct YAML."""
    from rulespec.editing.file_kinds import kind_of
    from rulespec.language.layout import Refusal, formatted

    for name, named in list(inputs.expand(inputs.of_games(paths))) or inputs.default_files():
        source = inputs.source(name)
        kind = kind_of(source)
        if not (named if kind is None else kind.key):
            continue  # a file of another tool, or one that is no YAML
        try:
            yield Rewritten(source.path, source.text, formatted(source).text)
        except Refusal as refused:
            raise failure.Failure(
                reason(refused), refused.hint or say("Correct it first; nothing was written.")
            ) from None


def _summary(number: int, written: bool) -> str:
    if not number:
        return say("Every file has its canonical layout.")
    if written:
        return counted("{number} file laid out.", "{number} files laid out.", number)
    return would_change(number)
