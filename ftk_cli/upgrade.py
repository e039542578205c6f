"""`ftk upgrade`: lifts logs to the present version of their game, and files to the newest format."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, options
from ftk_cli.output import change_files
from ftk_cli.replay import spec_of_log

if TYPE_CHECKING:
    from rulespec import Source, Spec
    from rulespec.lift import Lifted

EXITS = {"not_lifted": failure.FINDINGS, "newer": failure.NOT_DONE, "failed": failure.NOT_DONE}


@dataclass(frozen=True)
class Outcome:
    """What becomes of a file: it is lifted (`after` is its new content) or stays as it is, for a reason."""

    path: str
    status: str
    message: str
    line: int | None = None
    column: int | None = None
    after: str | None = None
    hint: str = ""

    def __str__(self) -> str:
        place = "".join(f":{number}" for number in (self.line, self.column) if number is not None)
        said = f"{self.path}{place}: {self.message}"
        return f"{said}\n  {self.hint}" if self.hint else said


@click.command(short_help="Lift logs and specs of older versions.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--spec", "spec_name", metavar="SPEC", help="The spec to lift logs to (default: the game a log names).")
@options.changes_files("the output says what would become of them")
def upgrade(
    files: tuple[str, ...],
    spec_name: str | None,
    write: bool,
    format_: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Lift logs to the present version of their game, and say which files are of another format than the newest.

    A log of an older version is lifted if only names have changed, or if its version of the spec is kept
    (specs/history) and each of its moves is still legal under its words. What cannot be lifted is named with the
    decision at which it stops, and left as it is. FILE may be a folder.

    \b
    Exit status: 1 if a log cannot be lifted, 3 if a file is damaged, of no known game, or of a newer format than this
    ftk reads.

    \b
    Examples:
      ftk upgrade specs games
      ftk upgrade games/*.jsonl --write
    """
    found = [_outcome(path, spec_name, path in files) for path in _paths(files)]
    texts = {one.path: one.after for one in found if one.after is not None}
    data = {"files": [_data(one) for one in found]}
    said = "" if quiet else "".join(f"{one}\n" for one in found)
    change_files(texts, data, said, write=write, format_=format_, output=output)
    if texts and not write and not quiet and format_ == "text":
        click.echo("Nothing is written yet. Write the files with: --write", err=True)
    if status := max((EXITS.get(one.status, 0) for one in found), default=0):
        raise click.exceptions.Exit(status)


def _paths(names: Sequence[str]) -> Iterator[str]:
    """The files of all names; of a folder its YAML files and logs. Raises Failure for a folder without any."""
    for name in names:
        logs = sorted(map(str, Path(name).rglob("*.jsonl"))) if os.path.isdir(name) else []
        found = [*inputs.folder_files(name), *logs] if os.path.isdir(name) else [name]
        if not found:
            raise failure.Failure(f"There are no YAML files or logs in {name}.", "Name a folder with logs (.jsonl).")
        yield from found


def _outcome(path: str, spec_name: str | None, named: bool) -> Outcome:
    """What becomes of a file. A file that cannot be used is an outcome too, so that the others are not lost."""
    source, findings = inputs.read(path)
    if source is None:
        found = findings[0]
        at = inputs.start(found)
        line, column = (at.line, at.column) if at is not None else (None, None)
        return Outcome(path, "failed", found.message, line, column, hint=found.hint)
    try:
        return _of_kind(path, source, spec_name, named)
    except failure.Failure as stopped:
        return Outcome(path, "failed", stopped.message, hint=stopped.hint)


def _of_kind(path: str, source: Source, spec_name: str | None, named: bool) -> Outcome:
    from rulespec import kind_of
    from rulespec.lift import FORMAT, damage, format_of

    kind = kind_of(source)
    damaged = damage(source, kind)
    if damaged is not None:
        line, message = damaged
        return Outcome(path, "failed", message, line, hint="Bring it back from a copy; it stays as it is.")
    if kind is None:
        return Outcome(path, "failed" if named else "other", "no file that ftk knows.")
    format_ = format_of(source, kind.key)
    if format_ is not None and format_ > FORMAT:
        message = f"a {kind.name} of format {format_}, and this ftk reads format {FORMAT}: install a newer ftk"
        return Outcome(path, "newer", f"{message}.")
    if kind.name != "log":
        return Outcome(path, "newest", f"a {kind.name} of format {format_ or FORMAT}, the newest.")
    return _log(path, source.text, spec_name)


def _log(path: str, text: str, spec_name: str | None) -> Outcome:
    from rulespec.engine import LogError, log_head
    from rulespec.lift import NotLifted, lifted

    try:
        head = log_head(text)
    except LogError as error:
        return Outcome(path, "failed", f"{error}.", error.line)
    spec = spec_of_log(head, spec_name, None)
    if (head.get("version"), head.get("digest")) == (spec.model.version, spec.model.digest):
        return Outcome(path, "newest", f"a log of {spec.model.title} {spec.model.version}, the present version.")
    try:
        found = lifted(text, spec, _kept(spec, head))
    except NotLifted as stopped:
        return Outcome(path, "not_lifted", f"cannot be lifted: {stopped}.", stopped.line)
    except (LogError, ValueError) as error:
        return Outcome(path, "not_lifted", f"cannot be lifted: {error}.", getattr(error, "line", None))
    return Outcome(path, "lifted", f"{head.get('version')} → {spec.model.version}: {_said(found)}.", after=found.text)


def _kept(spec: Spec, head: Mapping[str, object]) -> Spec | None:
    """The version that a log was played with, if it is kept and can still be played."""
    from rulespec import SpecError, load
    from rulespec.lift import kept_version

    path = kept_version(spec.model, str(head.get("digest")), str(head.get("version")))
    try:
        return load(path) if path is not None else None
    except SpecError:
        return None


def _said(found: Lifted) -> str:
    if not found.moves:
        return "the same game, every line agrees"
    numbers = f"{found.other_numbers} with another number" if found.other_numbers else "with the same numbers"
    result = "the result is the same" if found.same_result else "the result is another one"
    return f"every move is legal under its words, {numbers}; {result}"


def _data(one: Outcome) -> dict[str, object]:
    shown = ("path", "status", "message", "hint", "line", "column")
    return {name: getattr(one, name) for name in shown}
