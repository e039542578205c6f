"""Writes results to the terminal, a pipe or a file. A file is replaced as a whole."""

from __future__ import annotations

import codecs
import difflib
import json
import math
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ftk_cli.failure import Failure, abandon_stdout
from ftk_cli.terminal import write_data


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
    try:
        text += "\n" if text and not text.endswith("\n") else ""
        write_data(text) if data else click.echo(text, nl=False)
    except BrokenPipeError:
        # The reader has closed the pipe; the findings still decide the exit status.
        abandon_stdout()


def change_files(
    texts: Mapping[str, str | bytes],
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
    from ftk_cli import protect

    protect.refuse(path, in_place)
    # A link stays a link: the file that it leads to is replaced.
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            # A device or a pipe is written to, never replaced.
            target.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        else:
            _replace(target, text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure(
            f"{path} cannot be written: {reason}.", "Name a file in a folder that exists and may be changed."
        ) from None


def make_folder(folder: str, hint: str) -> None:
    """Makes a folder for files to come, or finds that it is there. Raises Failure if files cannot be written there."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Failure(f"{folder} cannot be a folder: {error.strerror}.", hint) from None
    if not os.access(folder, os.W_OK):
        raise Failure(f"{folder} cannot be written to.", hint)


def replace_all(texts: Mapping[str, str | bytes]) -> None:
    """Replaces several files with new contents, or none: all are on the disk before the first file is replaced.

    If a file cannot be replaced then, those before it get their old content again. Raises Failure.
    """
    from ftk_cli import protect

    for path in texts:
        protect.refuse(path, in_place=True)
    before = {path: _content(path) for path in texts}
    staged: dict[str, str] = {}
    done: list[str] = []
    try:
        for path, text in texts.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            # A full disk or a folder that is read-only is noticed here, while every old file is still there.
            staged[path] = _staged(Path(os.path.realpath(path)), _marked(before[path], text))
        for path, name in staged.items():
            os.replace(name, os.path.realpath(path))
            done.append(path)
    except OSError as error:
        for path in done:
            _restore(path, before[path])
        raise Failure(f"{path} cannot be written: {error.strerror}. No file was changed.") from None
    finally:
        for name in staged.values():
            Path(name).unlink(missing_ok=True)


def _content(path: str) -> bytes | None:
    return Path(path).read_bytes() if Path(path).is_file() else None


def _marked(before: bytes | None, text: str | bytes) -> str | bytes:
    """A text with the byte order mark of the file before."""
    if isinstance(text, bytes):
        return text
    return "\ufeff" * (before is not None and before.startswith(codecs.BOM_UTF8)) + text


def _restore(path: str, content: bytes | None) -> None:
    if content is None:
        Path(path).unlink(missing_ok=True)
    else:
        Path(path).write_bytes(content)


def _replace(target: Path, text: str | bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    name = _staged(target, text)
    try:
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _staged(target: Path, text: str | bytes) -> str:
    """The name of a new file beside `target` with this content and the mode of `target`."""
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    # In the same folder, since a file can be moved in one step within one file system only.
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        # Half of a surrogate pair, which a file name can bring along, has no bytes in UTF-8.
        content = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        # A temporary file can be read by its owner only.
        os.chmod(name, mode)
    except BaseException:
        os.unlink(name)
        raise
    return name


def _umask() -> int:
    # It can be read only by setting it.
    umask = os.umask(0)
    os.umask(umask)
    return umask


def to_json(value: Any) -> str:
    """A value as readable JSON, with invisible characters as escapes. NaN and infinity become null."""
    from rulespec import UNSEEN

    text = json.dumps(_finite(value), ensure_ascii=False, indent=2, allow_nan=False)
    return UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value
