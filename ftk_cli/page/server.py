"""A server of static files for this machine only."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import SHUT_RDWR
from threading import Thread
from typing import Any

from ftk_cli.failure import Failure
from rulespec.base.messages import say

MOST_CONNECTIONS = 64
"""A browser opens six."""

_HOST = re.compile(r"(127\.0\.0\.1|localhost)(:\d+)?", re.IGNORECASE)
"""Any port: it may be forwarded to this one."""


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012  # as its base class has it
        **SimpleHTTPRequestHandler.extensions_map,
        # What a registry of Windows says about .js can keep a browser from running modules.
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
    }

    timeout = 30

    def send_head(self) -> Any:
        # A page of another site whose name leads here (DNS rebinding) has that name as its host.
        if not _HOST.fullmatch(self.headers.get("Host", "")):
            return self.send_error(HTTPStatus.FORBIDDEN, "This server answers 127.0.0.1 and localhost only")
        try:
            file = Path(self.translate_path(self.path)).resolve()
            served = file / "index.html" if file.is_dir() else file
            is_inside = served.is_file() and served.resolve().is_relative_to(Path(self.directory).resolve())
        except (OSError, ValueError):  # a name that no file can have
            return self.send_error(HTTPStatus.BAD_REQUEST)
        return super().send_head() if is_inside else self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        # A browser asks each time whether a file is new: a later page may have the same address.
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not printed."""


class _Server(ThreadingHTTPServer):
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, *arguments: Any) -> None:
        self._open: list[Any] = []
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        """The oldest connection ends where there are too many: slow clients keep nobody waiting."""
        self._open.append(request)
        if len(self._open) > MOST_CONNECTIONS:
            with suppress(OSError):
                self._open.pop(0).shutdown(SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with suppress(ValueError):
            self._open.remove(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone away in the middle of an answer, or does not read it, is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of a folder on 127.0.0.1, for `serving`: until then requests wait. Port 0 is any free one. Raises
    Failure for a port in use."""
    try:
        return _Server(("127.0.0.1", port), partial(_Files, directory=str(folder)))
    except OSError as error:
        raise Failure(
            say("Port {port} cannot be used ({reason}).", port=port, reason=error.strerror),
            say("Name another one with --port."),
        ) from None


@contextmanager
def serving(running: ThreadingHTTPServer) -> Iterator[str]:
    """Lets a server answer, in a thread, at the address that it yields."""
    Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/"
    finally:
        running.shutdown()
