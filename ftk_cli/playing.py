"""What long commands share: a progress bar, failures of games, runs that can be continued, and clusters."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ftk_cli.failure import FINDINGS, Failure
from ftk_cli.language import localized
from ftk_cli.output import note
from ftk_cli.terminal import raw
from rulespec.base.messages import reason, say

if TYPE_CHECKING:
    from rulespec.base.executors import Executor


@contextmanager
def playing(number: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A context with a function that reports finished games. Raises Failure if games cannot be played or stored."""
    from rulespec.base.failure import SimulationError
    from rulespec.engine.states.playout import BoundReachedError

    try:
        with bar(number, say("playing"), quiet) as progress:
            yield progress
    except SimulationError as error:
        raise Failure(reason(error), error.hint) from None
    except BoundReachedError as error:
        with tempfile.NamedTemporaryFile("w", prefix="ftk-", suffix=".log", encoding="utf-8", delete=False) as file:
            file.write(error.log + "\n")
        hint = say("Correct the rule, or widen the bound. Log of the game: {kept}", kept=file.name)
        raise Stopped(reason(error), hint) from None


class Stopped(Failure):
    """A game stops at a bound that it must not reach: an error of the spec."""

    exit_code = FINDINGS


@contextmanager
def bar(number: int, label: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar if standard error is a terminal, else nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=number, label=localized(label), file=raw(sys.stderr)) as shown:
        yield shown.update


@contextmanager
def continued(folder: str | None) -> Iterator[None]:
    """Reports Ctrl-C as a stop that can be continued if the run is kept in a folder."""
    try:
        yield
    except KeyboardInterrupt:
        if folder is None:
            raise
        hint = say("Finished games are in {folder}. Run the same command again to continue.", folder=folder)
        raise Failure(say("Stopped."), hint) from None


@contextmanager
def warnings() -> Iterator[Callable[[str], None]]:
    """Gives a function that collects warnings. They are printed below the progress bar when the run ends."""
    found: list[str] = []
    try:
        yield found.append
    finally:
        for warning in found:
            note(warning)


def on_cluster(cluster: str | None, workers: int | None) -> Executor | None:
    """The executor of a cluster, None for this machine. Raises UsageError for options of both."""
    from rulespec.play.simulate.cluster import Cluster

    if cluster is not None and workers is not None:
        raise click.UsageError(say("--workers and --cluster exclude each other: a cluster has its own workers."))
    return Cluster(cluster) if cluster is not None else None
