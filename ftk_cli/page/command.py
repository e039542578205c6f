"""The command `ftk page`."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import click

from ftk_cli import options
from ftk_cli.failure import unexpected
from ftk_cli.output import emit, note
from ftk_cli.page import memory
from ftk_cli.page.folder import begun, write
from ftk_cli.page.pyodide import downloaded, given
from rulespec.base.messages import say, sentences

NOTICED = 2
"""After how many seconds of compiling its end is printed."""


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="The port (default: a free one).")
@click.option(
    "--pyodide",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The npm package pyodide, unpacked (default: downloaded once).",
)
@options.quiet
@options.verbose
def page(folder: Path | None, port: int, pyodide: Path | None, quiet: bool, verbose: bool) -> None:
    """Write a folder with a page that plays every game in a browser, without a server.

    Put the folder on any web server. Without a folder, this machine serves the page to itself until Ctrl-C.
    The page holds the games of the project, and Python for browsers (Pyodide), which is downloaded once.

    \b
    Examples:
      ftk page
      ftk page site
      ftk page site --pyodide node_modules/pyodide
    """
    python = given(pyodide) if pyodide is not None else downloaded()
    if folder is None:
        with TemporaryDirectory(prefix="ftk-page-") as made:
            _serve(Path(made, "page"), python, port, quiet)
        return
    size = write(folder, python)
    if not quiet:
        emit(
            say(
                "{folder}: {size:.1f} MB. Open index.html through a web server, or run: ftk page",
                folder=folder,
                size=size / 1e6,
            )
        )
        _note_what_lacks(folder)


def _serve(folder: Path, python: Mapping[str, bytes], port: int, quiet: bool) -> None:
    """Makes the page and serves it until Ctrl-C, while what makes it quicker is still made. Raises Failure."""
    from ftk_cli.page.server import server, serving

    with server(folder, port) as running:  # a port in use is said at once
        quicken = begun(folder, python)
        with serving(running) as address, _ended_by_signals():
            emit(say("{address}   Ctrl-C stops", address=address))
            try:
                _quicken(folder, quicken, quiet)
                while True:
                    sleep(60)
            except KeyboardInterrupt:
                click.echo("")


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """A closed terminal and a request to end count as Ctrl-C: nothing is left behind."""
    known = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(one, signal.default_int_handler) for one in known]
    try:
        yield
    finally:
        for one, handler in zip(known, before, strict=True):
            signal.signal(one, handler)


def _quicken(folder: Path, quicken: Callable[[], None], quiet: bool) -> None:
    """Makes what makes the page quicker. Where the system can, the browser and others come before this thread and its
    processes."""
    started = monotonic()
    if hasattr(os, "nice"):
        os.nice(10)
    try:
        quicken()
    except Exception as error:  # the page works without
        unexpected(error, click.get_current_context()).show()
        return
    if not quiet and not _note_what_lacks(folder) and monotonic() - started > NOTICED:
        note(say("Bots of new games are fast now, and the page begins sooner."))


def _note_what_lacks(folder: Path) -> bool:
    """Prints what makes pages quicker and this one lacks; whether there is any."""
    from rulespec.engine.wasm.modules import missing as wasm_missing

    notes = []
    if lacking := wasm_missing():
        notes.append(sentences(say("Bots of this page search in Python, which is much slower."), lacking))
    if not (folder / memory.FILE).is_file():
        found = which("node")
        said = say("This page takes longer to begin, as the memory of Python is not kept: that needs Node 20 or newer.")
        if found:
            said = say(
                "This page takes longer to begin, as the memory of Python is not kept: "
                "{program} failed to, and needs to be version 20 or newer.",
                program=found,
            )
        notes.append(said)
    for one in notes:
        note(one)
    return bool(notes)
