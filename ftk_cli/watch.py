"""`ftk check --watch`: runs a check again whenever one of its files changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import sleep, strftime

from ftk_cli import inputs
from ftk_cli.failure import Failure
from ftk_cli.language import localized
from ftk_cli.output import note
from rulespec.base.messages import Message, say
from rulespec.base.project import FOLDER, current, find

PAUSE = 0.3
"""Seconds between two looks at the files."""

Stamps = Mapping[str, tuple[int, int]]
"""The size in bytes and the time of the last change of every file, in nanoseconds."""


def watch(run: Callable[[], object], names: Iterable[str], quiet: bool = False) -> None:
    """Runs a check now and after each change, until it is interrupted. A check that cannot be done ends nothing."""
    try:
        for changed in changes(tuple(names)):
            if changed and not quiet:
                said = localized(say("{files} changed.", files=_few(changed)))
                note(f"\n{strftime('%H:%M:%S')} {said}")
            try:
                run()
            except Failure as failure:
                failure.show()
    except KeyboardInterrupt:
        return


def changes(names: tuple[str, ...]) -> Iterator[list[str]]:
    """The files that have changed since the last time, whenever any has; an empty list for the beginning."""
    # Before the first run, so that a change during it is not missed.
    known = stamps(names)
    yield []
    while True:
        sleep(PAUSE)
        now = stamps(names)
        changed = sorted(path for path in known.keys() | now.keys() if known.get(path) != now.get(path))
        known = now
        if changed:
            yield changed


def stamps(names: tuple[str, ...]) -> Stamps:
    """The stamps of the named files and of the files of every project that they lie in."""
    found = {}
    for path in {path for name in names or (str(current().folder),) for path in _beside(name)}:
        try:
            state = os.stat(path)
        except OSError:  # deleted, or not there yet
            continue
        # The size too: two changes within one step of the clock of a file system have the same time.
        found[path] = state.st_size, state.st_mtime_ns
    return found


def _beside(name: str) -> Iterator[str]:
    """The files of a name: those of a folder, or the file itself with those of the project that it is in."""
    path = Path(find(name))
    project = next((one for one in (path, *path.absolute().parents) if one.name == FOLDER and one.is_dir()), None)
    folder = path if path.is_dir() else project
    # Every file: a check reads not only YAML and spreadsheets, but also pictures, templates and confirmed texts.
    yield from map(inputs.shown, inputs.folder_files(str(folder), ("",))) if folder is not None else ()
    yield from [inputs.shown(str(path))] if not path.is_dir() else ()


_MOST = 3
"""The files that are named at most: a branch that was switched changes hundreds."""


def _few(paths: list[str]) -> Message:
    some = [inputs.shown(path) for path in paths[:_MOST]]
    if len(paths) > _MOST:
        return say("{names} and {number} more", names=some, number=len(paths) - _MOST)
    return say("{names}", names=some)
