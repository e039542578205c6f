"""Lines that are typed: asked on a terminal, else read from standard input and echoed."""

from __future__ import annotations

import sys

import click

from ftk_cli.report.display import harmless

LONGEST_LINE = 1000


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
