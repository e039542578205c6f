"""`ftk lsp`: starts the language server."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

import click

from ftk_cli.failure import Failure
from ftk_cli.terminal import raw
from rulespec.base.messages import say


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), metavar="N", help="Listen on a port of this machine.")
def lsp(port: int | None) -> None:
    """Start the language server: findings while you type, completion, definitions, references, renaming and fixes.

    Editors start it themselves and speak to it over standard input and output. It needs the extra `lsp`.

    \b
    Examples:
      ftk lsp
      ftk lsp --port 5007
    """
    try:
        from ftk_cli.lsp.server import server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        hint = say("Install it with: pip install 'ftk[lsp]'")
        raise Failure(say("The language server needs the library pygls."), hint) from None
    gc.set_threshold(200_000)  # what a check makes lives until the next one, so looking for garbage finds little
    with suppress(SystemExit):  # a request to end that came over a port
        if port is None:
            server().start_io(sys.stdin.buffer, raw(sys.stdout).buffer)
        else:
            server().start_tcp("127.0.0.1", port)
    os._exit(0)  # at once: a check that is running has nobody to report to
