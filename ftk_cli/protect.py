"""What a command must not overwrite: the packaged games and the files that it has read.

The library logs every file that it reads. A handler collects them, and prints a note if the packaged games are used.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ftk_cli import failure

_READ = "ftk.read"
_PROJECT = "rulespec.base.project"


class _Reads(logging.Handler):
    """Collects the real paths of the files that a command reads, and prints warnings."""

    def __init__(self, ctx: click.Context) -> None:
        super().__init__(logging.DEBUG)
        self.paths: set[str] = ctx.meta.setdefault(_READ, set())
        self.noted = False

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            if not failure.is_quiet():
                click.echo(f"{record.getMessage()}.", err=True)
        elif record.name == _PROJECT:
            self._note()
        elif isinstance(record.args, tuple):
            self.paths.add(os.path.realpath(str(record.args[0])))

    def _note(self) -> None:
        from rulespec.base.project import packaged

        if not self.noted and not failure.is_quiet():
            click.echo(f"Using the games packaged with ftk in {packaged().folder} (read-only).", err=True)
        self.noted = True


@contextmanager
def watched(ctx: click.Context) -> Iterator[None]:
    """Collects what the commands of a context read."""
    logger, reads = logging.getLogger("rulespec"), _Reads(ctx)
    before = logger.level, logger.propagate
    logger.addHandler(reads)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(reads)
        logger.setLevel(before[0])  # clears the cache of levels, as an assignment does not
        logger.propagate = before[1]


def refuse(path: str, in_place: bool = False) -> None:
    """Raises Failure if a path must not be written. With `in_place` the file was read in order to change it."""
    from rulespec.base.project import is_packaged, packaged

    if is_packaged(path):
        hint = f"Copy {packaged().folder} into your project as specs/ and run the command there."
        raise failure.Failure(f"{path} is one of the games packaged with ftk, which are read-only.", hint)
    ctx = click.get_current_context(silent=True)
    read = ctx.meta.get(_READ, ()) if ctx is not None else ()
    if not in_place and os.path.realpath(path) in read:
        raise failure.Failure(f"{path} is an input of this command, so it is not overwritten.", "Name another file.")
