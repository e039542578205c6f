"""A client for the YAML language server over standard input and output, as an editor speaks to it."""

from __future__ import annotations

import itertools
import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
INSTALLED = ROOT / ".venv" / "node_modules" / ".bin" / "yaml-language-server"
# The server starts in about a second; the margin is for machines with many other jobs.
PATIENCE = 60.0

SETTINGS = {
    "yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}},
    "http": {},
    "editor": {},
    "vscode-yaml": {},
    "files": {},
}


def executable() -> str | None:
    """The command that starts the server, or None if it is not installed.

    `YAML_LANGUAGE_SERVER` names it; otherwise it is looked for in `.venv/node_modules` and on the path.
    """
    named = os.environ.get("YAML_LANGUAGE_SERVER") or (str(INSTALLED) if INSTALLED.exists() else None)
    return shutil.which(named or "yaml-language-server") if shutil.which("node") else None


@contextmanager
def started() -> Iterator[Client]:
    """A running server. Requires `executable()`."""
    command = executable()
    assert command is not None
    process = subprocess.Popen([command, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        client = Client(process)
        client.initialize()
        yield client
    finally:
        process.kill()
        process.wait()


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits, whose columns are those of a text without characters of two units."""
    lines = text.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(map(len, lines))]
    for edit in reversed(edits):
        start, end = (starts[edit["range"][at]["line"]] + edit["range"][at]["character"] for at in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


class Client:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._numbers = itertools.count(1)
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self.registered: list[str] = []
        """The methods that the server wants to hear of."""
        threading.Thread(target=self._read, daemon=True).start()

    def initialize(self) -> None:
        capabilities = {
            "textDocument": {
                "publishDiagnostics": {},
                "completion": {"completionItem": {"documentationFormat": ["plaintext"]}},
            },
            "workspace": {
                "configuration": True,
                "didChangeConfiguration": {},
                "didChangeWatchedFiles": {"dynamicRegistration": True},
            },
        }
        params = {"processId": os.getpid(), "rootUri": ROOT.as_uri(), "capabilities": capabilities}
        self.capabilities = self.request("initialize", params)["capabilities"]
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": SETTINGS})

    def diagnostics(self, path: Path, text: str | None = None) -> list[dict[str, Any]]:
        """Opens the file, with `text` in place of its content if given, and returns the server's findings."""
        content = path.read_text(encoding="utf-8") if text is None else text
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return self.published(path)

    def change(self, path: Path, text: str, version: int) -> list[dict[str, Any]]:
        """Changes the content of an open file, and returns the server's first findings."""
        document = {"uri": path.as_uri(), "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.published(path)

    def published(self, path: Path) -> list[dict[str, Any]]:
        """The next findings of a file that the server sends."""
        while True:
            message = self._next()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == path.as_uri():
                return list(message["params"]["diagnostics"])

    def close(self, path: Path) -> None:
        """Closes a file, whose findings then go."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
        message = self._next()
        assert message["params"] == {"uri": path.as_uri(), "diagnostics": []}, message

    def end(self, is_told: bool) -> None:
        """Ends the server by a notice, or by the end of its input. It takes a moment, whatever it is doing."""
        if is_told:
            self.request("shutdown", {})
            self.notify("exit", {})
        else:
            assert self._process.stdin is not None
            self._process.stdin.close()
        assert self._process.wait(5) == 0

    def at(self, method: str, path: Path, line: int, column: int) -> Any:
        """The answer to `textDocument/METHOD` at a position of an open file; line and column count from 0."""
        position = {"line": line, "character": column}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": path.as_uri()}, "position": position})

    def request(self, method: str, params: dict[str, Any]) -> Any:
        number = next(self._numbers)
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def _next(self) -> dict[str, Any]:
        while True:
            message = self._messages.get(timeout=PATIENCE)
            if "id" not in message or "method" not in message:
                return message
            self._answer(message)

    def _answer(self, message: dict[str, Any]) -> None:
        self.registered += [one["method"] for one in message.get("params", {}).get("registrations", [])]
        items = message.get("params", {}).get("items", []) if message["method"] == "workspace/configuration" else None
        result = None if items is None else [SETTINGS.get(item["section"].strip("[]"), {}) for item in items]
        self._send({"id": message["id"], "result": result})

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            length = 0
            while header.strip():
                name, value = header.decode().split(":", 1)
                length = int(value) if name.lower() == "content-length" else length
                header = stream.readline()
            self._messages.put(json.loads(stream.read(length)))
