"""The packaged games are read-only: a note if a command reads them, a failure if it would write them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ftk_cli import failure

_LOGGER = "rulespec.project"


class _Note(logging.Handler):
    """Prints one line on standard error for the first packaged file that a command reads."""

    def emit(self, record: logging.LogRecord) -> None:
        from rulespec.project import packaged

        logging.getLogger(_LOGGER).removeHandler(self)
        if not failure.is_quiet():
            click.echo(f"Using the games packaged with ftk in {packaged().folder} (read-only).", err=True)


@contextmanager
def noted() -> Iterator[None]:
    """Prints the note, unless -q is given, as soon as a packaged file is read."""
    logger, note = logging.getLogger(_LOGGER), _Note()
    logger.addHandler(note)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(note)


def refuse(path: str) -> None:
    """Raises Failure if a path is in the packaged games."""
    from rulespec.project import is_packaged, packaged

    if is_packaged(path):
        folder = packaged().folder
        hint = f"Copy {folder} into your project as specs/ and run the command there."
        raise failure.Failure(f"{path} is one of the games packaged with ftk, which are read-only.", hint)
