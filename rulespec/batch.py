"""Many files checked together. An error in a spec is reported once, not again in every file about that game."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.api import DeckFile, is_sound
from rulespec.diagnostics import Finding, Report
from rulespec.file_kinds import FILE_KINDS, check_source, game_of, kind_of
from rulespec.project import spec_for
from rulespec.source import Source


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


@dataclass(frozen=True)
class FileResult:
    """The findings of one file, and the game that it is about ("" for a spec)."""

    path: str
    game: str
    findings: Sequence[Finding]


def check_all(
    sources: Iterable[Source], deck: DeckFile | None = None, rulings: Mapping[str, str] | None = None
) -> Checked:
    """Everything wrong with files of any kind. Never raises for bad input.

    Raises ValueError for a ruling that one of the specs does not have.
    """
    sources = list(sources)
    scenarios = [source for source in sources if _is_scenario(source)]
    results = [
        FileResult(source.path, game_of(source), check_source(source, deck, rulings).findings)
        for source in sources
        if not _is_scenario(source)
    ]
    return without_cascades([*results, *_scenarios(scenarios, deck)])


def _is_scenario(source: Source) -> bool:
    kind = kind_of(source)
    return kind is not None and kind.name == "scenario"


def _scenarios(sources: Sequence[Source], deck: DeckFile | None) -> Iterator[FileResult]:
    """Scenarios run together: each spec is loaded once, and an id that is used in two files is found."""
    if sources:
        from rulespec import scenario

        for outcome in scenario.run_sources(sources, deck=deck):
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
