"""The command `ftk page`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ftk_cli import options
from ftk_cli.failure import Failure


@click.command(short_help="Play in the browser.")
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
    if folder is not None:
        size = _written(folder, pyodide, quiet)
        if not quiet:
            click.echo(f"{folder}: {size / 1e6:.1f} MB. Open index.html through a web server, or run: ftk page")
        return
    with TemporaryDirectory(prefix="ftk-page-") as made:
        _written(Path(made), pyodide, quiet)
        _serve(Path(made), port)


def _written(folder: Path, pyodide: Path | None, quiet: bool) -> int:
    """Writes the page and returns its size in bytes. Raises Failure."""
    from ftk_cli.page import memory
    from ftk_cli.page.folder import write
    from ftk_cli.page.pyodide import downloaded
    from rulespec.engine import wasm_missing

    size = write(folder, pyodide or downloaded())
    if not quiet and (lacking := wasm_missing()):
        click.echo(f"Bots of this page search in Python, which is much slower. {lacking}", err=True)
    if not quiet and not (folder / memory.FILE).is_file():
        click.echo("This page takes longer to begin: to keep the memory of Python needs Node 20 or newer.", err=True)
    return size


def _serve(folder: Path, port: int) -> None:
    from ftk_cli.page.server import server

    try:
        with server(folder, port) as running:
            click.echo(f"http://127.0.0.1:{running.server_port}/   Ctrl-C stops")
            running.serve_forever()
    except OSError as error:
        raise Failure(f"Port {port} cannot be used ({error.strerror}).", "Name another one with --port.") from None
    except KeyboardInterrupt:
        click.echo("")
