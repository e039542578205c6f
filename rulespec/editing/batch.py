"""Many files checked together. An error in a spec is reported once, not again in every file about that game."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulespec.base.diagnostics import Finding, Report
from rulespec.base.executors import Processes, here
from rulespec.base.project import JOINT, overlay_for, spec_for
from rulespec.base.source import Source, read
from rulespec.editing.file_kinds import FILE_KINDS, Options, check_source, game_of, kind_of
from rulespec.editing.unchanged import FileResult, Found, Kept, Unit
from rulespec.language.cards_from import spreadsheet_of
from rulespec.versions.earlier import Earlier

if TYPE_CHECKING:
    from rulespec.base.executors import Executor
    from rulespec.games.api import DeckFile


@dataclass(frozen=True)
class Blocked:
    """Files that were not checked against their spec, because the spec has errors."""

    spec: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """What is wrong with several files, and the files that errors in a spec keep from being checked."""

    report: Report
    blocked: tuple[Blocked, ...] = ()


def check_all(
    sources: Iterable[Source],
    deck: DeckFile | None = None,
    rulings: Mapping[str, str] | None = None,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    earlier: Mapping[str, Sequence[Earlier]] = MappingProxyType({}),
) -> Checked:
    """Everything wrong with files of any kind. Never raises for bad input.

    `earlier` are versions that players have of the specs at these paths. The first finding about a version that is too
    low, or about the name of a released spec, is part of the result if there is no error in the spec.

    Findings of files are kept on disk and used again while nothing that they depend on has changed. The other files are
    checked in `workers` processes; `progress` is called with the number of files that are done since the last call.

    Raises ValueError for a ruling that one of the specs does not have.
    """
    options = Options(deck, rulings or {})
    sources = tuple(sources)
    specs = (source for source in sources if source.path in earlier or _is_release(source))
    beside = [Unit((source,), "", "spec", tuple(earlier.get(source.path, ()))) for source in specs]
    units, kept = [*_units(sources), *beside], Kept(options)
    keys = [kept.key(unit) for unit in units]
    known = [kept.read(key) for key in keys]
    progress(sum(_files_of(unit) for unit, found in zip(units, known, strict=True) if found is not None))
    missing = [number for number, found in enumerate(known) if found is None]
    for number, found in _checked([units[number] for number in missing], options, workers):
        at = missing[number]
        known[at] = found
        kept.keep(units[at], keys[at], found)
        progress(_files_of(units[at]))
    last = len(units) - len(beside)
    checked = without_cascades([result for found in known[:last] for result in found or ()])
    broken = {found.path for found in checked.report.errors}
    rest = [result.findings for found in known[last:] for result in found or () if result.path not in broken]
    return replace(checked, report=Report.of(checked.report.findings, *rest))


def _files_of(unit: Unit) -> int:
    """How many files are done with a unit: a spec beside an earlier version is also checked for itself."""
    return 0 if unit.earlier is not None else len(unit.sources)


def _units(sources: Iterable[Source]) -> Iterator[Unit]:
    """One unit for each file; the scenarios of a game are one, because their ids must differ."""
    scenarios: dict[str, list[Source]] = {}
    for source in sources:
        kind = _kind(source)
        game = "" if kind == "spec" else game_of(source)
        if kind == "scenario":
            scenarios.setdefault(game, []).append(source)
        else:
            yield Unit((source,), game, kind)
    yield from (Unit(tuple(those), game, "scenario") for game, those in scenarios.items())


def _kind(source: Source) -> str:
    kind = kind_of(source)
    return kind.name if kind is not None else ""


def _checked(units: Sequence[Unit], options: Options, workers: int) -> Iterator[tuple[int, Found]]:
    """The findings of units with their numbers."""
    jobs = _jobs(units)
    run: Executor = here
    workers = min(workers, len(jobs), sum(map(_length, units)) // _LEAST_OF_WORKER)
    if workers > 1:
        # All jobs at once: results are taken in order, and the first ones, which take long, hold up no worker then.
        run = Processes(workers, ahead=len(jobs))
        from rulespec.games.scenario import runner  # noqa: F401  # loaded once, not in each process

        if any(map(_is_of_texts, units)):
            from rulespec.games import rulebook  # noqa: F401
    work = tuple(tuple(units[number] for number in job) for job in jobs)
    chunks = [range(number, number + 1) for number in range(len(jobs))]
    for job, results in zip(jobs, run((work, options), _check_job, chunks), strict=True):
        yield from zip(job, results, strict=True)


def _jobs(units: Sequence[Unit]) -> list[Sequence[int]]:
    """The numbers of units that one process checks together: all of a game, which share its spec, its programs and what
    is read in texts. The longest come first, so that no process waits long for the last."""
    jobs: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        jobs.setdefault(unit.game or Path(unit.sources[0].path).stem, []).append(number)
    return sorted(jobs.values(), key=lambda job: -sum(_length(units[number]) for number in job))


def _variant_of(source: Source) -> str:
    line = _VARIANT_LINE.search(source.text)
    return line[1] if line is not None else ""


_VARIANT_LINE = re.compile(r"^variant:[ \t]+([a-z0-9_+]+)", re.MULTILINE)

_LEAST_OF_WORKER = 100_000
"""Another process pays from so many characters on: it loads lexicons anew."""


def _length(unit: Unit) -> int:
    return sum(len(source.text) for source in unit.sources)


def _check_job(work: tuple[Sequence[Sequence[Unit]], Options], chunk: range) -> tuple[Found, ...]:
    jobs, options = work
    units = [unit for number in chunk for unit in jobs[number]]
    found = tuple(_check_unit(unit, options) for unit in units)
    if any(map(_is_of_texts, units)):
        from rulespec.text.languages.dictionaries import keep_answers

        keep_answers()
    return found


def _is_of_texts(unit: Unit) -> bool:
    return unit.kind in ("translation", "glossary")


def _check_unit(unit: Unit, options: Options) -> Found:
    if unit.earlier is not None:
        return (FileResult(unit.sources[0].path, "", _beside(unit.sources[0], unit.earlier)),)
    return tuple(_scenarios(unit, options) if unit.kind == "scenario" else _files(unit, options))


def _is_release(source: Source) -> bool:
    """Whether a file is the spec of a released version, in no variant."""
    return Path(source.path).parent.parent.name == "history" and not source.variant and _kind(source) == "spec"


def _beside(source: Source, earlier: Sequence[Earlier]) -> list[Finding]:
    """What a spec should say beside earlier versions. One with the same text is not compared, unless cards in a
    spreadsheet may differ."""
    found: list[Finding] = []
    if _is_release(source):
        from rulespec.games.api import built
        from rulespec.versions.changes.rise import misnamed

        release = built(source)[0]
        found += misnamed(release) if release is not None else ()
    differing = [one for one in earlier if one.text is None or one.text.text != source.text or spreadsheet_of(source)]
    if differing:
        from rulespec.versions.changes.rise import raised

        found += islice(raised(source, differing), 1)
    return found


def _files(unit: Unit, options: Options) -> Iterator[FileResult]:
    for source in unit.sources:
        yield FileResult(source.path, unit.game, check_source(source, options.deck, options.rulings).findings)


def _scenarios(unit: Unit, options: Options) -> Iterator[FileResult]:
    from rulespec.games.scenario.runner import run_sources

    for outcome in run_sources(unit.sources, deck=options.deck):
        yield FileResult(outcome.path, outcome.game, outcome.findings)


def without_cascades(results: Sequence[FileResult]) -> Checked:
    """The findings of all files without those that only say that the spec of a file has errors.

    If the spec is not among the files, the first file about it keeps its finding.
    """
    known = {os.path.abspath(result.path) for result in results}
    broken = {os.path.abspath(one.path) for one in results if not one.game and not Report.of(one.findings).ok}
    sound = known - {os.path.abspath(found.path) for one in results for found in Report.of(one.findings).errors}
    blocked: dict[str, list[str]] = {}
    left = []
    for result in results:
        spec = _broken_spec(result, broken, sound)
        if spec and spec in known:
            blocked.setdefault(spec, []).append(result.path)
            result = replace(result, findings=[found for found in result.findings if found.name not in _NO_GAME])
        known |= {spec} if spec else set()
        left.append(result)
    shown = {os.path.abspath(result.path): result.path for result in results}
    return Checked(
        Report.of(*(result.findings for result in left)),
        tuple(Blocked(shown.get(spec, spec), tuple(files)) for spec, files in blocked.items()),
    )


_NO_GAME = {kind.no_game for kind in FILE_KINDS.values() if kind.no_game}


def _broken_spec(result: FileResult, broken: Collection[str], sound: Collection[str]) -> str:
    """The absolute path of the spec or the overlay whose errors keep a file from being checked, "" if it was checked.
    `broken` are specs that are known to have errors, `sound` files that are known to have none."""
    if not any(found.name in _NO_GAME for found in result.findings):
        return ""
    spec = os.path.abspath(spec_for(result.game, result.path))
    if spec in broken:
        return spec
    from rulespec.games.api import is_sound

    if os.path.isfile(spec) and not is_sound(spec):
        return spec
    source, _ = read(result.path)
    ids = _variant_of(source).split(JOINT) if source is not None else []
    overlays = [os.path.abspath(path) for id_ in ids if id_ and (path := overlay_for(result.game, id_, spec))]
    return next((path for path in overlays if path not in sound), "")
