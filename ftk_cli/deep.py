"""`ftk check --deep`: its options, the search of each spec, and the logs that it writes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ftk_cli import failure, inputs, options, protect
from ftk_cli.failure import is_quiet
from ftk_cli.output import make_folder, write
from ftk_cli.playing import bar
from rulespec.base.executors import processors
from rulespec.base.failure import SimulationError
from rulespec.base.messages import reason, say, sentences
from rulespec.base.project import of

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source
    from rulespec.games.api import Spec
    from rulespec.play.deep.coverage import Coverage
    from rulespec.play.deep.report import DeepFinding

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--deep", is_flag=True, help="Also explore games for what no proof shows."),
    click.option(
        "--budget",
        type=click.FloatRange(1, 86_400),
        metavar="SECONDS",
        help="How long --deep explores each game (default: 30).",
    ),
    click.option(
        "--games", type=click.IntRange(1, 1_000_000), metavar="N", help="Explore N games per setting instead."
    ),
    options.seed,
    click.option("--into", metavar="DIR", help="Keep the logs of --deep in this folder."),
)


@dataclass(frozen=True)
class Depth:
    """How deep to search: for how many seconds or games; and the folder for logs."""

    budget: float | None
    games: int | None
    seed: int
    into: str | None


def depth(command: F) -> F:
    """The options of a deep search, as one argument `depth`: None without --deep."""

    @wraps(command)
    def packed(
        *args: Any, deep: bool, budget: float | None, games: int | None, seed: int | None, into: str | None, **rest: Any
    ) -> Any:
        wanted = Depth(budget, games, seed or 0, into)
        if not deep and wanted != Depth(None, None, 0, None):
            raise click.UsageError(say("--budget, --games, --seed and --into need --deep."))
        if budget is not None and games is not None:
            raise click.UsageError(say("--budget and --games exclude each other."))
        if into is not None:
            make_folder(into, "Choose another folder with --into.")
        return command(*args, depth=wanted if deep else None, **rest)

    found: Any = packed
    for option in reversed(_OPTIONS):
        found = option(found)
    return found  # type: ignore[no-any-return]


def search(
    source: Source, wanted: Depth, deck: Source | None, rulings: Mapping[str, str], quiet: bool
) -> tuple[list[Finding], Coverage]:
    """The findings of a search of one spec, which has no errors, and what it has covered. Each finding names the log
    that shows it."""
    from rulespec.games.api import loads
    from rulespec.play.deep.coverage import coverage
    from rulespec.play.deep.report import findings
    from rulespec.play.deep.run import PARTS, SECONDS
    from rulespec.play.deep.run import search as explore
    from rulespec.text.reading.ignores import not_ignored

    spec = loads(source, deck)
    seconds, games = wanted.budget or SECONDS, wanted.games or 0
    try:
        with bar(PARTS, say("exploring {game}", game=spec.id), quiet) as progress:
            found = explore(spec, seconds, games, wanted.seed, rulings, progress, processors())
            every = list(findings(found, cache(lambda: _shown(spec))))
    except SimulationError as error:
        raise failure.Failure(reason(error), say("The system may be out of memory: try a smaller budget.")) from None
    left = not_ignored((one.finding for one in every), source)
    silent = wanted.into is None and (quiet or is_quiet())
    shown = [one.finding if silent else _with_log(one, spec, wanted.into) for one in every if one.finding in left]
    return shown, coverage(found)


def _shown(spec: Spec) -> frozenset[str]:
    """The rules that the scenarios of a spec reach."""
    from rulespec.games.scenario.runner import run_all

    folder = of(spec.model.source.path).scenarios / Path(spec.model.source.path).stem
    outcomes = run_all([str(folder)], spec) if folder.is_dir() else []
    return frozenset().union(*(outcome.fired for outcome in outcomes))


def _with_log(found: DeepFinding, spec: Spec, into: str | None) -> Finding:
    """The finding with the command that replays its log, which is written."""
    if not found.log:
        return found.finding
    path = _written(found, spec.id, into)
    command = f"ftk replay {inputs.shown(path)} --spec {inputs.shown(spec.model.source.path)} -v"
    return replace(found.finding, hint=sentences(found.finding.hint, say("Replay: {command}", command=command)))


def _written(found: DeepFinding, game: str, into: str | None) -> str:
    """The path of a new file with the log of a finding; without a folder, in that of temporary files."""
    about = f"{found.finding.code}-{found.finding.rule or found.finding.start.line}"
    if into is None:
        number, path = tempfile.mkstemp(prefix=f"ftk-{game}-{about}-", suffix=".log")
        os.close(number)
    else:
        path = os.path.join(into, f"{game}-{about}.log")
        protect.refuse(path)
    write(path, found.log)
    return path
