"""`ftk check`: checks specs, scenarios, decks, rule text and other files."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from ftk_cli import baseline as known
from ftk_cli import deep, failure, games, inputs, options
from ftk_cli.output import Rewritten, differences, emit, note, replace_all
from ftk_cli.playing import bar
from ftk_cli.report.batch import Batch, Look, Sources
from ftk_cli.revisions import earlier
from ftk_cli.settings import fail_on as least
from ftk_cli.settings import settings
from rulespec.base.diagnostics import Report
from rulespec.base.executors import processors
from rulespec.base.failure import SimulationError
from rulespec.base.messages import counted, reason, say, sentences
from rulespec.base.project import is_packaged

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source
    from rulespec.editing.batch import Checked
    from rulespec.editing.fixes import Check
    from rulespec.play.deep.coverage import Coverage
    from rulespec.versions.earlier import Earlier


@dataclass(frozen=True)
class Wanted:
    """What is to be fixed: whether fixes are written or only shown, and whether unsafe ones are made too."""

    write: bool
    show: bool
    unsafe: bool

    def __bool__(self) -> bool:
        return self.write or self.show

    def refuse(self, names: Iterable[str], watch: bool, variant: str, format_: str) -> None:
        """Raises UsageError for options that do not go together, and for a name that is no file to write."""
        if self.unsafe and not self:
            raise click.UsageError(say("--unsafe-fixes needs --fix or --diff."))
        if self and watch:
            raise click.UsageError(say("--watch changes no files: run --fix alone."))
        if self and variant:
            raise click.UsageError(say("--fix and --diff correct files as they are: leave out --variant."))
        if self.show and format_ != "text":
            raise click.UsageError(say("--diff prints differences: leave out --format."))
        fixed = next((name for name in names if name == inputs.STDIN or inputs.is_revision(name)), None)
        if self and fixed is not None:
            raise click.UsageError(say("`{name}` is no file that can be changed.", name=fixed))


def fix(names: Iterable[str], wanted: Wanted, check: Check, quiet: bool) -> str:
    """Fixes what `check` finds in files; returns the differences if they are to be shown instead. Raises Failure."""
    found = list(_fixed(names, wanted.unsafe, check))
    files = [one for one, _ in found]
    if not quiet:
        note(_summary(sum(number for _, number in found), len(files), wanted.show))
    if wanted.show:
        return "".join(differences(files))
    replace_all({one.path: one.after for one in files})
    return ""


def _fixed(names: Iterable[str], unsafe: bool, check: Check) -> Iterator[tuple[Rewritten, int]]:
    """The files that have fixes, with the number of these. Packaged games are read-only and have none."""
    from rulespec.editing.file_kinds import kind_of
    from rulespec.editing.fixes import fixed

    for name, named in list(inputs.expand(names)) or inputs.default_files():
        source, _ = inputs.read(name)
        if source is None or is_packaged(source.path) or (not named and kind_of(source) is None):
            continue
        done = fixed(source, check, unsafe)
        if done.findings:
            yield Rewritten(source.path, source.text, done.source.text), len(done.findings)


def _summary(fixes: int, files: int, shown: bool) -> str:
    if not fixes:
        return say("Nothing can be fixed with certainty.")
    where = counted("in {number} file", "in {number} files", files)
    made = counted("{number} fix {where}.", "{number} fixes {where}.", fixes, where=where)
    return sentences(made, say("Write them with: --fix")) if shown else made


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@options.variant
@options.deck
@options.rulings
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--fix", "write", is_flag=True, help="Correct what can be corrected with certainty, then check.")
@click.option("--unsafe-fixes", "unsafe", is_flag=True, help="Correct also where one of two places may be right.")
@click.option("--diff", "show", is_flag=True, help="Show what --fix would change, and write nothing.")
@deep.depth
@options.format_("text", "json", "sarif", "github", "junit")
@options.output
@options.lang
@options.fail_on
@known.option
@known.write_option
@options.quiet
@options.verbose
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[str, ...],
    variant: str,
    deck: str | None,
    rulings: dict[str, str],
    watch: bool,
    write: bool,
    unsafe: bool,
    show: bool,
    depth: deep.Depth | None,
    format_: str,
    output: str | None,
    fail_on: str,
    baseline: str | None,
    write_baseline: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Check specs, scenarios, decks, rule text, logs and other files.

    A PATH is a file, a folder, the id of a game, `-` for standard input, or REV:PATH for a file in a git revision.
    The id of a game stands for its spec, glossary, texts, scenarios, variants and decks; with --variant, --deck or
    --ruling for its spec alone. Without a PATH, all of specs/ is checked: that of the nearest folder upward that has
    one, else the games packaged with ftk. Scenarios are run, and a failing one is an error. A deck is checked
    together with its game; --deck alone checks only the deck. --ruling checks specs with another option of a ruling,
    --variant with an overlay. In a git checkout a spec is also compared with the newest tag, or with the last commit
    if there are no tags: its version must rise with its rules.

    With --deep, sound specs are also explored in many games, for stuck games, broken invariants, endless loops, rules
    that never apply and more. The log of a game that shows a finding is kept, ready for `ftk replay`.

    \b
    Exit status: 0 nothing wrong, 1 findings at or above --fail-on, 3 something could not be read.

    \b
    Examples:
      ftk check
      ftk check fortheking
      ftk check --watch
      ftk check river --diff
      ftk check fortheking --deep --budget 120 --into found
      ftk check specs/fortheking.yaml --fail-on warning
      ftk check HEAD~1:specs/fortheking.yaml
      ftk check fortheking --variant more_gold
      ftk check specs/keyflower_king.yaml --deck my_cards.yaml
      ftk check specs --format sarif --output ftk.sarif
      ftk check river --lang uk
      ftk check --write-baseline known.json
    """
    from ftk_cli.report import FORMATS

    project = settings()
    named = paths if variant or deck or rulings else tuple(inputs.of_games(paths))

    def run() -> Batch:
        cards = games.deck_file(deck) if paths else None
        explore = partial(deep.search, wanted=depth, deck=cards, rulings=rulings, quiet=quiet) if depth else None
        files = named or ((deck,) if deck else ())
        batch = examine(files, cards, rulings, variant, quiet, 1 if watch else None, explore)
        batch = known.apply(replace(batch, report=project.applied(batch.report)), baseline, write_baseline)
        emit(FORMATS[format_](batch, Look.of(output, quiet, verbose)), output)
        return batch

    wanted = Wanted(write, show, unsafe)
    wanted.refuse(paths, watch, variant, format_)
    if write_baseline and watch:
        raise click.UsageError(say("--watch checks again and again: leave out --write-baseline."))
    if depth and (watch or wanted):
        raise click.UsageError(say("--deep explores files as they are: leave out --watch, --fix and --diff."))
    if wanted:

        def checked(source: Source) -> tuple[Finding, ...]:
            from rulespec.editing.file_kinds import check_source

            return project.applied(check_source(source, cards, rulings)).findings

        cards = games.deck_file(deck)
        changes = fix(named, wanted, checked, quiet)
        if show:
            emit(changes, output)
            raise click.exceptions.Exit(failure.FINDINGS if changes else 0)
    if watch:
        return _watched(run, (*paths, *([deck] if deck else [])), quiet)
    inputs.conclude(run(), least(ctx, fail_on, project))


def _watched(run: Callable[[], object], names: tuple[str, ...], quiet: bool) -> None:
    """Raises UsageError for a name that cannot change."""
    from ftk_cli.watch import watch

    if fixed := next((name for name in names if name == inputs.STDIN or inputs.is_revision(name)), None):
        raise click.UsageError(say("--watch waits for files to change, and `{name}` is none.", name=fixed))
    watch(run, names, quiet)


def examine(
    paths: Iterable[str],
    deck: Source | None = None,
    rulings: Mapping[str, str] = MappingProxyType({}),
    variant: str = "",
    quiet: bool = False,
    workers: int | None = None,
    explore: Callable[[Source], tuple[Sequence[Finding], Coverage]] | None = None,
) -> Batch:
    """Checks all files of the paths, or those of the current project, with the cards of a deck, options of rulings and
    the overlays of a variant, in a number of processes (default: one per processor). `explore` finds more in sound
    specs, and says what it has covered.

    Raises Failure if there is nothing to check.
    """
    with _rarely_collected():  # imports, too
        from rulespec.editing.file_kinds import kind_of
        from rulespec.language.formats.table import FORMATS

        sources = Sources()
        sources.add(deck)
        unreadable: list[Finding] = []
        checked: list[str] = []
        readable: list[Source] = []
        for name, named in list(inputs.expand(paths)) or inputs.default_files():
            source, findings = inputs.read(name)
            if source is not None and not named and kind_of(source) is None:
                continue  # a folder may contain YAML files of other tools
            sources.add(source)
            checked.append(source.path if source is not None else name)
            unreadable += _meant(findings, name)
            readable += [source] if source is not None else []
        if not checked:
            raise failure.Failure(
                say("There is no spec, scenario or deck here, so nothing was checked."),
                say("A spec begins with `{first_line}`.", first_line=FORMATS["spec"].first_line),
            )
        if variant:
            readable, misfits = _in_variant(readable, variant)
            unreadable += misfits
        specs = _specs(readable)
        # A spec in a variant is joined from several files, and no version is kept of the whole.
        versions = earlier((one for one in specs if not one.variant), checked)
        found = _check(readable, deck, rulings, quiet, workers, versions)
    broken = {one.path for one in found.report.errors}
    sound = [one for one in specs if one.path not in broken]
    explored = [explore(source) for source in sound] if explore else []
    report = Report.of(unreadable, found.report.findings, *(findings for findings, _ in explored))
    covered = tuple(coverage for _, coverage in explored)
    return Batch(report, tuple(checked), sources, blocked=found.blocked, explored=covered)


def _meant(findings: Sequence[Finding], name: str) -> list[Finding]:
    """The findings of a name that cannot be read."""
    if not findings:
        return []
    from rulespec.games.api import with_meant

    return [with_meant(one, name) for one in findings]


def _specs(sources: Iterable[Source]) -> list[Source]:
    from rulespec.editing.file_kinds import kind_of

    return [one for one in sources if (kind := kind_of(one)) and kind.name == "spec"]


def _in_variant(sources: list[Source], variant: str) -> tuple[list[Source], list[Finding]]:
    """The files, the specs among them in a variant; and the findings about its overlays.

    Specs without such a variant are left out. Raises UsageError if no spec has it.
    """
    from rulespec.editing.file_kinds import kind_of
    from rulespec.language.overlay.stack import VariantError, with_variant

    left: list[Source] = []
    found: list[Finding] = []
    error, specs = VariantError(say("Name a spec to check in this variant.")), 0
    for source in sources:
        kind = kind_of(source)
        if kind is None or kind.name != "spec":
            left.append(source)
            continue
        try:
            joined, findings = with_variant(source, variant)
        except VariantError as wrong:
            error = wrong
            continue
        left += [joined] if joined is not None else []
        found += findings
        specs += 1
    if not specs:
        raise click.UsageError(reason(error))
    return left, found


_NEW_OBJECTS = 1_000_000
"""New objects after which Python looks for garbage. Nearly all that a check makes lives to its end, so looking after
every 700, as is usual, takes a fifth of the time. Looking never would take no more memory than this."""


@contextmanager
def _rarely_collected() -> Iterator[None]:
    """Looks for garbage less often inside, also in processes that are forked there."""
    before = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _check(
    sources: list[Source],
    deck: Source | None,
    rulings: Mapping[str, str],
    quiet: bool,
    workers: int | None,
    versions: Mapping[str, Sequence[Earlier]],
) -> Checked:
    from rulespec.editing.batch import check_all

    try:
        with bar(len(sources), "checking", quiet) as progress:
            return check_all(sources, deck, rulings, workers or processors(), progress, versions)
    except ValueError as error:
        raise click.UsageError(failure.sentence(error)) from None
    except SimulationError as error:
        raise failure.Failure(
            reason(error), say("The system may be out of memory: check fewer files at once.")
        ) from None
