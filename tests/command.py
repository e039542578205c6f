"""Runs `ftk` in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from ftk_cli.main import main


def ftk(*arguments: object, stdin: str | bytes | None = None) -> Result:
    """The result of a command line. An exception that the command does not handle is raised."""
    return CliRunner().invoke(main, [str(a) for a in arguments], input=stdin, catch_exceptions=False)
