"""Runs `ftk` in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from ftk_cli.main import main


def ftk(*arguments: object, stdin: str | bytes | None = None) -> Result:
    """The result of a command line. An exception that the command does not handle is raised."""
    return CliRunner().invoke(main, [str(a) for a in arguments], input=stdin, catch_exceptions=False)


def unless_given(given: tuple[object, ...], **options: object) -> list[object]:
    """The options that a command line does not give, since an option takes one value, and then what it gives."""
    named = {f"--{name}": value for name, value in options.items()}
    return [one for name, value in named.items() if name not in given for one in (name, value)] + list(given)
