"""What long commands share: a progress bar, and failures of games."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ftk_cli.failure import FINDINGS, Failure
from ftk_cli.terminal import raw


@contextmanager
def playing(number: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A context with a function that reports finished games. Raises Failure if games cannot be played or stored."""
    from rulespec.engine import BoundReachedError
    from rulespec.simulate import SimulationError

    try:
        with bar(number, "playing", quiet) as progress:
            yield progress
    except SimulationError as error:
        raise Failure(str(error), error.hint) from None
    except BoundReachedError as error:
        hint = f"Correct the rule, or widen the bound. Log of the game: {_kept(error.log)}"
        raise Stopped(str(error), hint) from None


class Stopped(Failure):
    """A game stops at a bound that it must not reach: an error of the spec."""

    exit_code = FINDINGS


def _kept(log: str) -> str:
    """The path of a new file with a log."""
    with tempfile.NamedTemporaryFile("w", prefix="ftk-", suffix=".log", encoding="utf-8", delete=False) as file:
        file.write(log + "\n")
    return file.name


@contextmanager
def bar(number: int, label: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar if standard error is a terminal, else nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=number, label=label, file=raw(sys.stderr)) as shown:
        yield shown.update
