"""What a command must not overwrite: the packaged games, its inputs, and what another program has saved meanwhile.

The library logs every file that it reads. A handler collects them, and prints a note if the packaged games are used.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from ftk_cli import failure
from ftk_cli.language import localized
from rulespec.base import project, transaction
from rulespec.base.messages import Message, say
from rulespec.base.store import digest_of

_READ, _HELD = "ftk.read", "ftk.held"


class _Reads(logging.Handler):
    """Collects the digests of the files that a command reads, by real path, and prints warnings."""

    def __init__(self, ctx: click.Context) -> None:
        super().__init__(logging.DEBUG)
        self.digests: dict[str, list[str | None]] = ctx.meta.setdefault(_READ, {})
        self.noted, self.said = False, set[str]()

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            # That files were changed is said in any case, and once.
            if record.name == transaction.__name__ or not failure.is_quiet():
                if (said := _said(record)) not in self.said or record.name != transaction.__name__:
                    click.echo(said, err=True)
                self.said.add(said)
        elif record.name == project.__name__:
            self._note()
        elif isinstance(record.args, tuple):
            content = getattr(record, "content", None)
            known = self.digests.setdefault(os.path.realpath(str(record.args[0])), [])
            known.append(digest_of(content) if content is not None else None)

    def _note(self) -> None:
        if not self.noted and not failure.is_quiet():
            said = say("Using the games packaged with ftk in {folder} (read-only).", folder=project.packaged().folder)
            click.echo(localized(said), err=True)
        self.noted = True


def _said(record: logging.LogRecord) -> str:
    """A warning as a sentence, in the language of the reader."""
    words = record.msg if isinstance(record.msg, Message) else record.getMessage()
    return f"{localized(words).rstrip('.。')}."


@contextmanager
def watched(ctx: click.Context) -> Iterator[None]:
    """Collects what the commands of a context read."""
    logger, reads = logging.getLogger("rulespec"), _Reads(ctx)
    before = logger.level, logger.propagate
    logger.addHandler(reads)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        # Before files are listed: a set of them that was interrupted may lack some.
        near = project.nearest() or project.Project(Path(project.FOLDER))
        transaction.recover(near.folder / project.FOLDER, at_once=True)
        yield
    finally:
        logger.removeHandler(reads)
        logger.setLevel(before[0])  # clears the cache of levels, as an assignment does not
        logger.propagate = before[1]


def refuse(path: str, in_place: bool = False) -> None:
    """Raises Failure if a path must not be written. With `in_place` the file was read in order to change it."""
    if project.is_packaged(path):
        hint = say(
            "Copy {folder} into your project as specs/ and run the command there.", folder=project.packaged().folder
        )
        raise failure.Failure(
            say("{path} is one of the games packaged with ftk, which are read-only.", path=path), hint
        )
    if not in_place and any(digest is not None for digest in _digests(_READ).get(os.path.realpath(path), ())):
        raise failure.Failure(
            say("{path} is an input of this command, so it is not overwritten.", path=path), say("Name another file.")
        )


def hold(path: str) -> None:
    """Remembers an output as it is now: what another program saves there until it is written stays."""
    with suppress(OSError, ValueError):  # a device, or what cannot be written either
        _digests(_HELD)[os.path.realpath(path)] = [transaction.digest_at(path)]


def known(path: str, latest: bool = False) -> Sequence[str | None] | None:
    """The digests that a file had whenever the command read it, None if it did not; with `latest` the last one."""
    real = os.path.realpath(path)
    found = _digests(_READ).get(real, _digests(_HELD).get(real))
    return found[-1:] if found is not None and latest else found


def wrote(contents: Mapping[str, bytes | None]) -> None:
    """Remembers what the command itself has written."""
    for path, content in contents.items():
        real = os.path.realpath(path)
        digests = _digests(_READ if real in _digests(_READ) else _HELD)
        digests[real] = [digest_of(content) if content is not None else None]


def _digests(kind: str) -> dict[str, list[str | None]]:
    ctx = click.get_current_context(silent=True)
    return ctx.meta.setdefault(kind, {}) if ctx is not None else {}
