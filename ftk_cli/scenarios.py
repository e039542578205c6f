"""`ftk test`: runs scenarios and reports which rules they cover."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, options
from ftk_cli.games import engine_here, own_cards, remark
from ftk_cli.output import emit
from ftk_cli.report import FORMATS
from ftk_cli.report.batch import Batch, Case, Coverage, Look
from rulespec.base.messages import say
from rulespec.base.project import current, find, of

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.games.api import Spec
    from rulespec.games.scenario.runner import Outcome


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--coverage", is_flag=True, help="Show the rules that never applied.")
@click.option(
    "--random",
    "games",
    type=click.IntRange(0, 100_000),
    metavar="N",
    help="Let N random games count for the coverage too.",
)
@options.variant
@options.seed
@options.deck
@options.engine
@options.format_("text", "json", "sarif", "github", "junit")
@options.output
@options.lang
@options.fail_on
@options.quiet
@options.verbose
def test(
    paths: tuple[str, ...],
    coverage: bool,
    games: int | None,
    variant: str,
    seed: int | None,
    deck: str | None,
    engine: str,
    format_: str,
    output: str | None,
    fail_on: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Run scenarios: cases of a game with their expected results.

    A PATH is a file or folder of scenarios, or a game: its id or its spec. Without any, all scenarios in specs/ run,
    with --deck those of its game. --variant plays those that name no variant themselves in a variant.

    \b
    Exit status: 0 all passed, 1 something failed, 3 something could not be read.

    \b
    Examples:
      ftk test
      ftk test fortheking --coverage
      ftk test fortheking --variant more_gold
      ftk test specs/scenarios/fortheking/auction.yaml --format junit --output junit.xml
    """
    from rulespec.editing.file_kinds import spec_of

    cards = own_cards(deck) if deck is not None else None
    engine = engine_here(engine)
    named = paths or ((spec_of(cards),) if cards else ())
    outcomes = run(named, cards, engine, variant)
    reached = _coverage(outcomes, games or 0, seed or 0, engine) if coverage or games is not None else ()
    batch = _batch(outcomes, tuple(reached))
    emit(FORMATS[format_](batch, Look.of(output, quiet, verbose)), output)
    for spec in _specs(outcomes):
        remark(spec.model, range(len(spec.model.deck.cards)), quiet, spec.model.title)
    inputs.conclude(batch, fail_on)


def run(
    paths: Iterable[str], deck: Source | None = None, engine: str = "interpreter", variant: str = ""
) -> list[Outcome]:
    """Runs every file of scenarios of the paths. Raises Failure if there are none."""
    from rulespec.games.scenario.runner import Outcome as Outcome_scenario
    from rulespec.games.scenario.runner import run_all, run_source

    files, outcomes = [], []
    for name in _files(paths):
        if os.path.exists(name) or not _elsewhere(name):
            files.append(name)
        else:
            source, findings = inputs.read(name)
            missing = Outcome_scenario(name, "", (), tuple(findings))
            outcomes.append(run_source(source, deck=deck, engine=engine, variant=variant) if source else missing)
    outcomes += run_all(files, deck=deck, engine=engine, variant=variant)
    if not outcomes:
        raise failure.Failure(
            say("There are no scenarios here, so nothing was tested."),
            say("A file of scenarios begins with `scenario: 2`."),
        )
    return outcomes


def _elsewhere(name: str) -> bool:
    return name == inputs.STDIN or ":" in name


def _files(paths: Iterable[str]) -> Iterator[str]:
    """The files of scenarios. Other files in a folder are skipped."""
    from rulespec.editing.file_kinds import kind_of

    own = current().scenarios
    named = [_scenarios_of(path) for path in paths] or [str(own)] * own.is_dir()
    for file, itself in inputs.expand(map(inputs.shown, named)):
        source = None if itself else inputs.read(file)[0]
        kind = kind_of(source) if source is not None else None
        if itself or source is None or (kind is not None and kind.name == "scenario"):
            yield file


def _scenarios_of(name: str) -> str:
    """The folder of the scenarios of a game, which is given by its id or its spec; any other name as it is.

    Raises Failure if the game has no scenarios.
    """
    from rulespec.editing.file_kinds import kind_of

    spec = find(name)
    source = inputs.read(spec)[0] if os.path.isfile(spec) and not os.path.isdir(name) else None
    kind = kind_of(source) if source is not None else None
    if source is None or kind is None or kind.name != "spec":
        return name
    game = Path(spec).stem
    folder = of(spec).scenarios_of(game)
    if not folder.is_dir():
        hint = say("Write a file of scenarios in the folder {folder}.", folder=inputs.shown(str(folder)))
        raise failure.Failure(say("There are no scenarios of {game}, so nothing was tested.", game=game), hint)
    return str(folder)


def _batch(outcomes: list[Outcome], reached: tuple[Coverage, ...]) -> Batch:
    from rulespec.editing.batch import without_cascades
    from rulespec.editing.unchanged import FileResult

    found = without_cascades([FileResult(one.path, one.game, one.findings) for one in outcomes])
    cases = tuple(case for outcome in outcomes for case in _cases(outcome))
    checked = tuple(outcome.path for outcome in outcomes)
    return Batch(found.report, checked, cases=cases, coverage=reached, blocked=found.blocked)


def _cases(outcome: Outcome) -> Iterator[Case]:
    for case in outcome.cases:
        yield Case(outcome.path, case.id, case.title, case.passed, case.findings)


def _coverage(outcomes: list[Outcome], games: int, seed: int, engine: str) -> Iterator[Coverage]:
    from rulespec.engine.states.playout import playout
    from rulespec.games.scenario.runner import coverage

    for spec in _specs(outcomes):
        fired = {rule for one in outcomes if one.spec and _name(one.spec) == _name(spec) for rule in one.fired}
        # Game after game with another number of players.
        made = [spec.game(players, engine=engine) for players in spec.players[:games]]
        random = (playout(made[number % len(made)], seed, number, record=True) for number in range(games))
        never = coverage(spec, fired.union(*(state.fired() for state, _ in random)))
        yield Coverage(_name(spec), len(spec.model.rules), tuple(never))


def _specs(outcomes: list[Outcome]) -> Iterable[Spec]:
    """The specs of the scenarios, each variant once."""
    return {_name(outcome.spec): outcome.spec for outcome in outcomes if outcome.spec is not None}.values()


def _name(spec: Spec) -> str:
    """The id of a game with that of its variant."""
    return "+".join(filter(None, (spec.id, spec.model.variant)))
