"""Lines that are typed: asked on a terminal, else read from standard input and echoed."""

from __future__ import annotations

import os
import sys
from io import UnsupportedOperation
from select import select

import click

from ftk_cli.report.display import harmless

LONGEST_LINE = 1000


def line_waits() -> bool:
    """Takes a line that was typed meanwhile; whether there was one. Never on Windows, which cannot look for it, nor
    where the input is no file of the system."""
    if os.name == "nt" or not sys.stdin.isatty():
        return False
    try:
        waiting, _, _ = select([sys.stdin], [], [], 0)
    except UnsupportedOperation:
        return False
    return bool(waiting and sys.stdin.readline())


def read_line(prompt: str) -> str:
    """A line of input, of `LONGEST_LINE` characters at most unless it is typed on a terminal. Raises EOFError at the
    end of the input."""
    if sys.stdin.isatty():
        return input(prompt)
    line = sys.stdin.readline(LONGEST_LINE)
    click.echo(f"{prompt}{harmless(line.rstrip())}")
    if not line:
        raise EOFError
    return line
