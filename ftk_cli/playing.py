"""What every command has around it that plays many games: a bar, and words for what may end it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ftk_cli.failure import Failure
from ftk_cli.terminal import raw


@contextmanager
def playing(number: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Gives a function to tell of finished games. Raises Failure where games cannot be played or kept."""
    from rulespec.simulate import SimulationError

    try:
        with _bar(number, quiet) as progress:
            yield progress
    except SimulationError as error:
        raise Failure(str(error), error.hint) from None


@contextmanager
def _bar(number: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar for people who wait at a terminal, nothing for anybody else."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=number, label="playing", file=raw(sys.stderr)) as bar:
        yield bar.update
