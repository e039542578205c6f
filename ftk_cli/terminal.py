"""The one way to a terminal: everything that a command writes to standard output or standard error.

A title, a file name or an error message may hold characters that steer a terminal, so the streams themselves escape
them. Colours and other sequences of our own carry a random mark, as parts of a mail carry a boundary: no input can
know it. The stream turns the mark into the escape character, and removes the sequence where no terminal shows it.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TextIO, cast

# Four random characters of a private-use plane: 64 bits cannot be guessed by who writes a spec.
MARK = "".join(chr(0x100000 + int.from_bytes(os.urandom(2), "big") % 0xFFFE) for _ in range(4))
_PLAIN = re.compile(r"[\t\n -~]*")
_OWN = re.compile(f"{MARK}([0-9;?]*[A-Za-z])")


class Notice:
    """A line on a terminal that says that a command is at work, from `AFTER` seconds on until it writes something."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal, self._lock, self._is_shown = terminal, threading.Lock(), False
        self._timer = threading.Timer(AFTER, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if not self._timer.finished.is_set():
                self._terminal.write("working …\r")
                self._terminal.flush()
                self._is_shown = True

    def end(self) -> None:
        """Removes the line for good. May be called again."""
        self._timer.cancel()
        with self._lock:
            if self._is_shown:
                self._terminal.write("\x1b[K")
                self._terminal.flush()
                self._is_shown = False


AFTER = 0.1
"""Seconds, after those in which Python starts. A command that is done by then shows nothing of the kind."""


class Screen:
    """A text stream that shows steering and invisible characters as escapes.

    It has no `buffer`, so that click cannot write past it.
    """

    def __init__(self, stream: TextIO, notice: Notice | None = None) -> None:
        self.raw, self._notice = stream, notice

    def write(self, text: str) -> int:
        self.end_notice()
        self.raw.write(text if _PLAIN.fullmatch(text) else self._shown(text))
        return len(text)

    def end_notice(self) -> None:
        if self._notice is not None:
            self._notice.end()

    def _shown(self, text: str) -> str:
        from rulespec.base.characters import visible

        return _OWN.sub("\x1b[\\1" if self.raw.isatty() else "", visible(text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.raw, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Standard output and standard error are screens inside."""
    before = sys.stdout, sys.stderr
    # A terminal that cannot show a Chinese letter shows its number. An undecodable key is read as a wrong key.
    for stream, errors in ((sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"), (sys.stdin, "replace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    notice = Notice(before[1]) if _shows_notices(before[1]) else None
    screens = [cast(TextIO, Screen(stream, notice)) if stream is not None else stream for stream in before]
    sys.stdout, sys.stderr = screens
    try:
        yield
    finally:
        if notice is not None:
            notice.end()
        if sys.stdout is screens[0]:  # it is another one after the reader of a pipe has gone
            sys.stdout = before[0]
        sys.stderr = before[1]


def _shows_notices(stream: TextIO | None) -> bool:
    """Whether a line can be taken back: on a terminal that knows how, for a command that is not asked to be quiet."""
    is_silent = any(map(_SILENT.fullmatch, sys.argv[1:]))
    return stream is not None and stream.isatty() and os.environ.get("TERM", "dumb") != "dumb" and not is_silent


_SILENT = re.compile(r"-[a-z]*[qh][a-z]*|--quiet|--help|--version")


def raw(stream: TextIO) -> TextIO:
    """The stream behind a screen, for what steers the terminal itself and holds no input, such as a progress bar."""
    if not isinstance(stream, Screen):
        return stream
    stream.end_notice()
    return stream.raw


def write_data(text: str) -> None:
    """Writes a file's content to standard output: exactly, for a pipe or a file; escaped, for a terminal."""
    stream = sys.stdout if sys.stdout.isatty() else raw(sys.stdout)
    stream.write(text)
    stream.flush()


def style(text: str, **look: Any) -> str:
    """The text in a colour or in bold (see `click.style`), for a screen."""
    from click import style as styled

    # Round a stand-in, so that an escape in the text itself gets no mark.
    before, after = styled("\0", **look).replace("\x1b[", MARK).split("\0")
    return before + text + after


def clear() -> None:
    """Clears the terminal and what has scrolled away."""
    sys.stdout.write(f"{MARK}2J{MARK}3J{MARK}H")
    sys.stdout.flush()


def in_place(text: str) -> None:
    """Shows a text in the line of the cursor, whatever stood there, until the next output; on a terminal only."""
    if sys.stdout.isatty():
        sys.stdout.write(f"{MARK}G{text}{MARK}K{MARK}G")
        sys.stdout.flush()
