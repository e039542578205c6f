"""A server of static files for this machine only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from ftk_cli.failure import Failure


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012  # as its base class has it
        **SimpleHTTPRequestHandler.extensions_map,
        # What a registry of Windows says about .js can keep a browser from running modules.
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
    }

    def end_headers(self) -> None:
        # A browser asks each time whether a file is new: a later page may have the same address.
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not printed."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone away in the middle of an answer is no error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of a folder on 127.0.0.1, for `serving`: until then requests wait. Port 0 is any free one. Raises
    Failure for a port in use."""
    try:
        return _Server(("127.0.0.1", port), partial(_Files, directory=str(folder)))
    except OSError as error:
        raise Failure(f"Port {port} cannot be used ({error.strerror}).", "Name another one with --port.") from None


@contextmanager
def serving(running: ThreadingHTTPServer) -> Iterator[str]:
    """Lets a server answer, in a thread, at the address that it yields."""
    Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/"
    finally:
        running.shutdown()
