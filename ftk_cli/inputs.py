"""The inputs of a command: files, folders, ids of games, standard input, files of a git revision."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import git
from ftk_cli.failure import FINDINGS, NOT_DONE, Failure, is_quiet
from ftk_cli.language import language
from ftk_cli.output import note
from rulespec.base.diagnostics import Finding, Position
from rulespec.base.messages import say
from rulespec.base.project import current, find, of
from rulespec.base.source import from_bytes as source_from_bytes
from rulespec.base.source import read as read_file
from rulespec.base.source import special_file
from rulespec.base.transaction import recover

if TYPE_CHECKING:
    from ftk_cli.report.batch import Batch
    from rulespec.base.source import Reading, Source
    from rulespec.base.spreadsheet.reading import SheetReading, Wanted

STDIN = "-"
_ENDINGS = (".yaml", ".yml")
RAW = (".txt", ".md", ".markdown", ".text")
"""The file name endings of publishers' raw texts."""
_REVISION = re.compile(r"(?P<revision>[^:\s-][^:]*):(?P<path>[^\s].*)", re.DOTALL)
_NOT_OPENED = ("file-not-found", "is-a-directory", "unreadable-file", "file-too-large", "bad-sheet")
_NOT_READ = (*_NOT_OPENED, "not-utf-8", "other-encoding")


def read(name: str) -> Reading:
    """The text of a name, and the findings about it. Never raises for a bad file."""
    from rulespec.language.cards_from import with_cards

    path = find(name)
    if not is_revision(name) or Path(path).exists():
        return read_file(path if path == STDIN else shown(path))
    data, findings = _of_revision(name)
    source, findings = source_from_bytes(data, name) if data is not None else (None, findings)
    if source is None or findings:
        return source, findings
    # The cards of a spec are those of that revision, too.
    whole, findings = with_cards(source, sheet)
    return whole, [one for one in findings if one.severity == "error"]


def sheet(name: str, sheet_name: str, wanted: Wanted) -> SheetReading:
    """The sheet of a name, or the first that is wanted, and the findings about it. Never raises for a bad file."""
    from rulespec.base.spreadsheet.reading import from_bytes
    from rulespec.base.spreadsheet.reading import read as read_sheet

    path = find(name)
    if not is_revision(name) or Path(path).exists():
        return read_sheet(path if path == STDIN else shown(path), sheet_name, wanted)
    data, findings = _of_revision(name)
    return from_bytes(data, name, sheet_name, wanted) if data is not None else (None, findings)


def source(name: str) -> Source:
    """The text of a name. Raises Failure if it cannot be read."""
    found, findings = read(name)
    if found is None:
        raise refused(findings)
    return found


def is_revision(name: str) -> bool:
    """Whether a name is that of a file in a git revision."""
    return _REVISION.fullmatch(name) is not None and not Path(name).exists()


def unreadable(findings: Iterable[Finding]) -> bool:
    """Whether a file could not be opened or is no text, as opposed to a text with mistakes."""
    return any(found.name in _NOT_READ for found in findings)


def refused(findings: Sequence[Finding], hint: str = "") -> Failure:
    """The failure of a command that cannot use a file: its first error, with the file or its place in it."""
    first = next((one for one in findings if one.severity == "error"), findings[0]).in_language(language())
    if first.name in _NOT_OPENED and first.path in first.message:
        return Failure(first.message, first.hint or hint)
    at = start(first)
    place = f":{at.line}:{at.column}" if at is not None else ""
    return Failure(
        say("{path}{place}: {message}", path=first.path, place=place, message=first.message), first.hint or hint
    )


def start(found: Finding) -> Position | None:
    """Where a finding begins in its file; None if the file was not opened."""
    return None if found.name in _NOT_OPENED else found.start


def conclude(batch: Batch, fail_on: str) -> None:
    """Ends the command with an exit status if the findings require one."""
    if unreadable(batch.report.findings):
        raise click.exceptions.Exit(NOT_DONE)
    if batch.fails(fail_on):
        raise click.exceptions.Exit(FINDINGS)


def shown(path: str) -> str:
    """A path relative to the current directory if it is inside, else the path itself."""
    from rulespec.base.project import shown

    return shown(path)


def folder_files(folder: str, endings: tuple[str, ...] = _ENDINGS) -> list[str]:
    """Every YAML file, or file with one of these endings, below a folder, in a fixed order, without hidden files: those
    belong to other tools."""
    recover(os.path.join(folder, "."))
    found = []
    for base, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        found += [
            os.path.join(base, name) for name in sorted(names) if name.endswith(endings) and not name.startswith(".")
        ]
    return [path for path in found if not _skipped(path)]


def _skipped(path: str) -> bool:
    """Whether a path in a folder is a pipe or a device; a note names it."""
    special = special_file(path)
    if special and not is_quiet():
        note(say("Skipped {path}: it is {special}, not a file.", path=shown(path), special=special))
    return bool(special)


def default_files() -> list[tuple[str, bool]]:
    """All files of the current project, in the form of `expand`. Raises Failure if there are none.

    Its games, scenarios and rule text count as named, other YAML files do not.
    """
    project = current()
    named = (project.scenarios, project.translations, project.glossaries, project.folder / "variants")
    found = [Path(path) for path in folder_files(str(project.folder))]
    if not found:
        raise _nothing_in(shown(str(project.folder)))
    return [(shown(str(path)), path.parent == project.folder or any(map(path.is_relative_to, named))) for path in found]


def text_folders(spec: str | None = None) -> tuple[str, ...]:
    """The folders with the rule text of the current project, or of the project that a spec is in."""
    project = current() if spec is None else of(find(spec))
    return tuple(shown(str(folder)) for folder in (project.translations, project.glossaries) if folder.is_dir())


def expand(names: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Every file of the names, once, and whether it was named itself. Raises Failure for an empty folder."""
    seen = set()
    for name in names:
        folder = os.path.isdir(name)
        files = folder_files(name) if folder else [name]
        if not files:
            raise _nothing_in(name)
        for file in files:
            if file not in seen:
                seen.add(file)
                yield file, not folder


def of_games(names: Iterable[str], specs: bool = False) -> Iterator[str]:
    """The names, but for the id of a game all its files: spec, glossary, texts, scenarios, variants and decks; with
    `specs` also for the path of its spec."""
    for name in names:
        yield from _of_game(name, specs) or [name]


def _of_game(name: str, specs: bool) -> list[str]:
    path, game = find(name), Path(name).stem if specs else name
    is_id = path != name and not Path(name).exists() and Path(path).stem == game
    project = of(path)
    if not is_id and not (specs and project.spec(game) == Path(path).absolute() and _kind(path) == "spec"):
        return []
    own = {file for file in project.files(game) if file.suffix in _ENDINGS and file.is_file()}
    own -= set(project.releases(game))
    decks = (Path(file) for file in folder_files(str(project.folder)) if _is_deck(file, game))
    return [shown(path), *sorted({shown(str(file)) for file in {*own, *decks}} - {shown(path)})]


def _kind(path: str) -> str:
    """The name of the kind of a file, "" for a file of none."""
    from rulespec.editing.file_kinds import kind_of

    source, _ = read(path)
    kind = kind_of(source) if source is not None else None
    return kind.name if kind is not None else ""


def _is_deck(path: str, game: str) -> bool:
    from rulespec.editing.file_kinds import kind_of, spec_of

    source, _ = read(path)
    kind = kind_of(source) if source is not None and "deck:" in source.text else None
    return source is not None and kind is not None and kind.name == "deck" and Path(spec_of(source)).stem == game


def _nothing_in(folder: str) -> Failure:
    return Failure(
        say("There are no YAML files in {folder}, so nothing was checked.", folder=folder),
        say("Name a folder with specs or scenarios."),
    )


def _of_revision(name: str) -> tuple[bytes | None, list[Finding]]:
    # `cat-file blob` gives the bytes as they were committed and nothing else: no folder lists, no filters.
    content, reason = git.ask(["cat-file", "blob", name], seconds=60)
    return (None, [_no_revision(name, reason)]) if reason else (content, [])


def _no_revision(name: str, reason: str) -> Finding:
    hint = say("Write a git revision and a path from the top of the repository, such as HEAD~1:specs/fortheking.yaml.")
    if reason.endswith("bad file"):
        hint = say(
            "The clone lacks the file, and ftk fetches nothing. If you trust its remotes: git show {name}", name=name
        )
    message = say("There is no {name}: {reason}.", name=name, reason=reason)
    return Finding("file-not-found", message, name, Position(1, 1), Position(1, 1), hint)
