"""What long commands share: a progress bar, and failures of games."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ftk_cli.failure import Failure
from ftk_cli.terminal import raw


@contextmanager
def playing(number: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A context with a function that reports finished games. Raises Failure if games cannot be played or stored."""
    from rulespec.simulate import SimulationError

    try:
        with bar(number, "playing", quiet) as progress:
            yield progress
    except SimulationError as error:
        raise Failure(str(error), error.hint) from None


@contextmanager
def bar(number: int, label: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar if standard error is a terminal, else nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=number, label=label, file=raw(sys.stderr)) as shown:
        yield shown.update
