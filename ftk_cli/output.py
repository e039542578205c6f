"""Writes results to the terminal, a pipe or a file. A file is replaced as a whole."""

from __future__ import annotations

import codecs
import difflib
import json
import math
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ftk_cli import protect
from ftk_cli.failure import Failure, abandon_stdout
from ftk_cli.language import localized
from ftk_cli.terminal import write_data
from rulespec.base import transaction
from rulespec.base.characters import UNSEEN
from rulespec.base.messages import Message, counted, reason, say

_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")


@dataclass(frozen=True)
class Rewritten:
    """A file with its text before and after."""

    path: str
    before: str
    after: str

    @property
    def is_other(self) -> bool:
        return self.before != self.after


def differences(files: Iterable[Rewritten]) -> Iterator[str]:
    """The unified differences of files, line by line."""
    for one in files:
        was, now = one.before.splitlines(keepends=True), one.after.splitlines(keepends=True)
        path = one.path.lstrip("/")
        for line in difflib.unified_diff(was, now, f"a/{path}", f"b/{path}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def emit(text: str, output: str | None = None, data: bool = False) -> None:
    """Writes a result to standard output or to a file. Raises Failure if the file cannot be written.

    `data` is the content of a file for another program: a pipe gets it exactly, only a terminal gets escapes.
    """
    if output is not None and output != "-":
        write(output, text)
        return
    text = localized(text)
    try:
        text += "\n" if text and not text.endswith("\n") else ""
        write_data(text) if data else click.echo(text, nl=False)
    except BrokenPipeError:
        # The reader has closed the pipe; the findings still decide the exit status.
        abandon_stdout()


def note(text: str) -> None:
    """Prints a remark in the language of the reader to standard error."""
    click.echo(localized(text), err=True)


def would_change(files: int) -> Message:
    """That so many files are not written without --write."""
    return counted(
        "{number} file would change. Write them with: --write",
        "{number} files would change. Write them with: --write",
        files,
    )


def change_files(
    texts: Mapping[str, str | bytes | None],
    data: Mapping[str, Any],
    said: str,
    *,
    write: bool,
    format_: str,
    output: str | None,
) -> None:
    """Replaces files with new contents if they are to be written, then reports: `data` as JSON, or what is `said`."""
    if write:
        replace_all(texts)
    if format_ == "json":
        emit(to_json({"version": 1, **data, "written": write}), output)
    elif said:
        emit(said, output)


def write(path: str, text: str | bytes, in_place: bool = False) -> None:
    """Replaces a file in one step: readers see the old content or the new one. Raises Failure.

    A file that this command has read is refused, unless it is changed `in_place`.
    """
    protect.refuse(path, in_place)
    hint = say("Name a file in a folder that exists and may be changed.")
    try:
        folder = os.path.dirname(path) or os.curdir
        if path.startswith(_STREAMS) or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)):
            Path(path).write_bytes(_bytes(text))  # a device or a pipe is written to, never replaced
            return
        os.stat(folder)
    except (OSError, ValueError) as error:
        raise _unwritten(path, error, hint) from None
    _write({path: _bytes(text)}, {path: protect.known(path) or ()}, hint)


def make_folder(folder: str, hint: str) -> None:
    """Makes a folder for files to come, or finds that it is there. Raises Failure if files cannot be written there."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Failure(
            say("{folder} cannot be a folder: {reason}.", folder=folder, reason=error.strerror), hint
        ) from None
    if not os.access(folder, os.W_OK):
        raise Failure(say("{folder} cannot be written to.", folder=folder), hint)


def replace_all(texts: Mapping[str, str | bytes | None], *, latest: bool = False, overwrite: bool = False) -> None:
    """Writes several files with new contents, or none; None deletes a file. Raises Failure.

    A file that another program has saved since this command read it is not overwritten; with `latest`, since it was
    read last. A file that this command has not read must be new, unless it may `overwrite` any.
    """
    for path in texts:
        protect.refuse(path, in_place=True)
    contents = {path: None if text is None else _marked(path, text) for path, text in texts.items()}
    read = {path: protect.known(path, latest) for path in texts}
    unread = () if overwrite else (None,)
    _write(contents, {path: unread if found is None else found for path, found in read.items()})


def _write(contents: Mapping[str, bytes | None], read: Mapping[str, Collection[str | None]], hint: str = "") -> None:
    """Writes files as one set (see `rulespec.base.transaction`). Raises Failure."""
    ctx = click.get_current_context(silent=True)
    command = ctx.command_path.partition(" ")[2] if ctx is not None else ""
    try:
        transaction.write(contents, read, command)
    except transaction.Refusal as refused:
        raise Failure(reason(refused), refused.hint) from None
    except (OSError, ValueError) as error:
        path = getattr(error, "filename", None) or next(iter(contents))
        raise _unwritten(path, error, hint) from None
    protect.wrote(contents)


def _unwritten(path: str, error: Exception, hint: str) -> Failure:
    reason = getattr(error, "strerror", None) or str(error)
    return Failure(say("{path} cannot be written: {reason}. No file was changed.", path=path, reason=reason), hint)


def _bytes(text: str | bytes) -> bytes:
    # Half of a surrogate pair, which a file name can bring along, has no bytes in UTF-8.
    return text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")


def _marked(path: str, text: str | bytes) -> bytes:
    """A content with the byte order mark of the file that it replaces."""
    if isinstance(text, str) and os.path.isfile(path):
        with open(path, "rb") as stream:
            return codecs.BOM_UTF8 * (stream.read(3) == codecs.BOM_UTF8) + _bytes(text)
    return _bytes(text)


def to_json(value: Any) -> str:
    """A value as readable JSON, with invisible characters as escapes. NaN and infinity become null."""
    text = json.dumps(_finite(value), ensure_ascii=False, indent=2, allow_nan=False)
    return UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value
