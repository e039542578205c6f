"""Many files checked together. An error in a spec is reported once, not again in every file about that game."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulespec.api import DeckFile, is_sound, model_for
from rulespec.diagnostics import Report
from rulespec.file_kinds import FILE_KINDS, Options, check_source, game_of, kind_of
from rulespec.project import spec_for
from rulespec.simulate.executors import Executor, Processes, here
from rulespec.source import Source
from rulespec.unchanged import FileResult, Found, Kept, Unit


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
) -> Checked:
    """Everything wrong with files of any kind. Never raises for bad input.

    Findings of files are kept on disk and used again while nothing that they depend on has changed. The other files are
    checked in `workers` processes; `progress` is called with the number of files that are done since the last call.

    Raises ValueError for a ruling that one of the specs does not have.
    """
    options = Options(deck, rulings or {})
    units, kept = list(_units(sources)), Kept(options)
    keys = [kept.key(unit) for unit in units]
    known = [kept.read(key) for key in keys]
    progress(sum(len(unit.sources) for unit, found in zip(units, known, strict=True) if found is not None))
    missing = [number for number, found in enumerate(known) if found is None]
    for number, found in _checked([units[number] for number in missing], options, workers):
        at = missing[number]
        known[at] = found
        kept.keep(units[at], keys[at], found)
        progress(len(units[at].sources))
    return without_cascades([result for found in known for result in found or ()])


def _units(sources: Iterable[Source]) -> Iterator[Unit]:
    """One unit for each file; the scenarios of a game are one, because their ids must differ."""
    scenarios: dict[str, list[Source]] = {}
    for source in sources:
        kind = _kind(source)
        game = "" if kind == "spec" else game_of(source)
        if kind == "scenario":
            scenarios.setdefault(game, []).append(source)
        else:
            yield Unit((source,), game)
    yield from (Unit(tuple(those), game) for game, those in scenarios.items())


def _kind(source: Source) -> str:
    kind = kind_of(source)
    return kind.name if kind is not None else ""


def _checked(units: Sequence[Unit], options: Options, workers: int) -> Iterator[tuple[int, Found]]:
    """The findings of units with their numbers, the longest texts first, so that no process waits long for the last."""
    jobs = _jobs(units, workers)
    chunks = [range(number, number + 1) for number in range(len(jobs))]
    run: Executor = here
    if workers > 1 and len(jobs) > 1:
        run = Processes(workers)
        _load_shared(jobs, units)
    work = tuple(tuple(units[number] for number in job) for job in jobs)
    for job, results in zip(jobs, run((work, options), _check_job, chunks), strict=True):
        yield from zip(job, results, strict=True)


def _load_shared(jobs: Sequence[Sequence[int]], units: Sequence[Unit]) -> None:
    """Loads what several jobs need before their processes are forked: the modules that check texts, dictionaries that
    are not kept yet, and the model of a game that is divided."""
    texts = [[units[number] for number in job if _is_of_texts(units[number])] for job in jobs]
    if not any(texts):
        return
    from rulespec import rulebook, scenario  # noqa: F401
    from rulespec.text.languages import dictionaries, find

    every = [unit for some in texts for unit in some]
    if sum(map(bool, texts)) > 1:
        tags = [found[1] for unit in every if (found := _LANGUAGE_LINE.search(unit.sources[0].text))]
        for lemmatiser in sorted({find(tag).lemmatiser for tag in tags} - {""}):
            dictionaries.decode(lemmatiser)
    jobs_of = Counter(game for job in jobs for game in {units[number].game for number in job})
    for unit in {one.game: one for one in every if jobs_of[one.game] > 1}.values():
        model_for(unit.game, unit.sources[0])


_LANGUAGE_LINE = re.compile(r"^lang:[ \t]+([A-Za-z-]+)", re.MULTILINE)


def _jobs(units: Sequence[Unit], workers: int) -> list[tuple[int, ...]]:
    """The numbers of units that one process checks together: those of a game, which share its model and what is read in
    its texts. A game with more than the share of a process is divided."""
    games: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        games.setdefault(unit.game or Path(unit.sources[0].path).stem, []).append(number)
    share = sum(map(_length, units)) / workers
    jobs: list[Sequence[int]] = []
    for numbers in games.values():
        fits = sum(_length(units[one]) for one in numbers) <= share
        jobs += [numbers] if fits else _divided(numbers, units, workers)
    return sorted(map(tuple, filter(None, jobs)), key=lambda job: -sum(_length(units[number]) for number in job))


def _divided(numbers: Sequence[int], units: Sequence[Unit], workers: int) -> list[list[int]]:
    """The units of a game for several processes: one has all but the glossary and the texts, which share their
    readings and the facts of rules."""
    texts = [number for number in numbers if _is_of_texts(units[number])]
    jobs: list[list[int]] = [[] for _ in range(max(1, workers - 1))]
    for number in sorted(texts, key=lambda one: -_length(units[one])):
        min(jobs, key=lambda job: sum(_length(units[one]) for one in job)).append(number)
    return [[number for number in numbers if number not in texts], *jobs]


def _is_of_texts(unit: Unit) -> bool:
    return _kind(unit.sources[0]) in ("translation", "glossary")


def _length(unit: Unit) -> int:
    return sum(len(source.text) for source in unit.sources)


def _check_job(work: tuple[Sequence[Sequence[Unit]], Options], chunk: range) -> tuple[Found, ...]:
    jobs, options = work
    return tuple(_check_unit(unit, options) for number in chunk for unit in jobs[number])


def _check_unit(unit: Unit, options: Options) -> Found:
    return tuple(_scenarios(unit, options) if _kind(unit.sources[0]) == "scenario" else _files(unit, options))


def _files(unit: Unit, options: Options) -> Iterator[FileResult]:
    for source in unit.sources:
        yield FileResult(source.path, unit.game, check_source(source, options.deck, options.rulings).findings)


def _scenarios(unit: Unit, options: Options) -> Iterator[FileResult]:
    from rulespec import scenario

    for outcome in scenario.run_sources(unit.sources, deck=options.deck):
        yield FileResult(outcome.path, outcome.game, outcome.findings)


def without_cascades(results: Sequence[FileResult]) -> Checked:
    """The findings of all files without those that only say that the spec of a file has errors.

    If the spec is not among the files, the first file about it keeps its finding.
    """
    known = {os.path.abspath(result.path) for result in results}
    blocked: dict[str, list[str]] = {}
    left = []
    for result in results:
        spec = _broken_spec(result)
        if spec and spec in known:
            blocked.setdefault(spec, []).append(result.path)
            result = _without_no_game(result)
        known |= {spec} if spec else set()
        left.append(result)
    shown = {os.path.abspath(result.path): result.path for result in results}
    return Checked(
        Report.of(*(result.findings for result in left)),
        tuple(Blocked(shown.get(spec, spec), tuple(files)) for spec, files in blocked.items()),
    )


_NO_GAME = {kind.no_game for kind in FILE_KINDS.values() if kind.no_game}


def _broken_spec(result: FileResult) -> str:
    """The absolute path of the spec whose errors keep a file from being checked, "" if it was checked."""
    if not any(found.name in _NO_GAME for found in result.findings):
        return ""
    spec = spec_for(result.game, result.path)
    return os.path.abspath(spec) if os.path.isfile(spec) and not is_sound(spec) else ""


def _without_no_game(result: FileResult) -> FileResult:
    return replace(result, findings=[found for found in result.findings if found.name not in _NO_GAME])
