"""A command that takes long says on a terminal that it is at work, and removes the line when it writes something."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ftk_cli import terminal

LINE, GONE = "working …\r", "\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    found = Terminal()
    monkeypatch.setattr(sys, "argv", ["ftk", "check"])
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(terminal, "AFTER", 0.01)
    return found


@contextmanager
def guarded(stream: Terminal) -> Iterator[None]:
    """What a command is run in, with this standard error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with terminal.guarded():
            yield


def wait_for(stream: Terminal, text: str) -> None:
    until = time.monotonic() + 20
    while stream.getvalue() != text and time.monotonic() < until:
        time.sleep(0.01)
    assert stream.getvalue() == text


def test_the_line_is_gone_when_something_is_written(stream: Terminal) -> None:
    with guarded(stream):
        wait_for(stream, LINE)
        print("a finding", file=sys.stderr)
        print("another", file=sys.stderr)
    assert stream.getvalue() == f"{LINE}{GONE}a finding\nanother\n"


def test_the_line_is_gone_at_the_end_and_before_a_progress_bar(stream: Terminal) -> None:
    with guarded(stream):
        wait_for(stream, LINE)
    assert stream.getvalue() == LINE + GONE
    with guarded(stream):
        wait_for(stream, LINE + GONE + LINE)
        terminal.raw(sys.stderr).write("bar")
    assert stream.getvalue() == (LINE + GONE) * 2 + "bar"


def test_a_fast_command_shows_no_line(stream: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "AFTER", 60)
    with guarded(stream):
        print("done", file=sys.stderr)
    assert stream.getvalue() == "done\n"


@pytest.mark.parametrize(
    ("argument", "term"),
    [("-q", "xterm"), ("--quiet", "xterm"), ("-vq", "xterm"), ("--help", "xterm"), ("check", "dumb")],
)
def test_no_line_for_a_quiet_command_or_a_dumb_terminal(
    stream: Terminal, monkeypatch: pytest.MonkeyPatch, argument: str, term: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["ftk", argument])
    monkeypatch.setenv("TERM", term)
    with guarded(stream):
        time.sleep(0.1)
    assert stream.getvalue() == ""


def test_a_pipe_gets_no_line() -> None:
    command = [sys.executable, "-m", "ftk_cli", "test", "kingme"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "TERM": "xterm"}, timeout=300)
    assert done.returncode == 0 and b"working" not in done.stderr + done.stdout
