"""Writes results to the terminal, a pipe or a file. A file is replaced as a whole."""

from __future__ import annotations

import json
import math
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

import click

from ftk_cli.failure import Failure, abandon_stdout
from ftk_cli.terminal import write_data


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


def write(path: str, text: str, in_place: bool = False) -> None:
    """Replaces a file in one step: readers see the old content or the new one. Raises Failure.

    A file that this command has read is refused, unless it is changed `in_place`.
    """
    from ftk_cli import protect

    protect.refuse(path, in_place)
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_text(text, encoding="utf-8")  # a device or a pipe is written to, never replaced
        else:
            _replace(target, text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure(
            f"{path} cannot be written: {reason}.", "Name a file in a folder that exists and may be changed."
        ) from None


def _replace(target: Path, text: str) -> None:
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    if target.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
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
