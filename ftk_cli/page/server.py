"""A server of static files for this machine only."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


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
    """A server of a folder on 127.0.0.1; port 0 is any free one. Raises OSError for a port in use."""
    return _Server(("127.0.0.1", port), partial(_Files, directory=str(folder)))
