"""What ends a command before its work is done: an error owns its exit status and its hint."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

FINDINGS = 1
"""Exit status: something was found."""
NOT_DONE = 3
"""Exit status: the job could not be done."""

_VERBOSE = "ftk.verbose"
_QUIET = "ftk.quiet"


class Failure(click.ClickException):
    """The job cannot be done: one sentence that says why, and a hint what to do."""

    exit_code = NOT_DONE

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def show(self, file: IO[Any] | None = None) -> None:
        from ftk_cli.report.display import harmless

        hint = f"\n  {harmless(self.hint)}" if self.hint else ""
        click.echo(f"ftk: {harmless(self.message)}{hint}", file=file, err=True)


def remember_verbose(ctx: click.Context, wanted: bool) -> None:
    """Keeps in mind that the details of an internal error are welcome."""
    ctx.meta[_VERBOSE] = wanted


def remember_quiet(ctx: click.Context, wanted: bool) -> None:
    """Stores that notes next to the result are unwanted."""
    ctx.meta[_QUIET] = wanted


def is_quiet() -> bool:
    """Whether the current command was given -q."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(_QUIET))


@contextmanager
def boundary(ctx: click.Context) -> Iterator[None]:
    """Nothing leaves it but what click knows how to show."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit):
        raise
    except (KeyboardInterrupt, click.Abort):
        raise Failure("Stopped.") from None
    except BrokenPipeError:
        abandon_stdout()
        ctx.exit(0)
    except OSError as error:
        raise _system(error, ctx) from error
    except Exception as error:
        raise _internal(error, ctx) from error


def abandon_stdout() -> None:
    """After the reader of a pipe has gone: what is still buffered must not raise again when Python ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # it lives as long as the process


def nearest(written: str, known: Iterable[str]) -> str:
    """The known name most like what was written, or nothing."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(written, list(known), n=1, cutoff=0.6)), "")


def _system(error: OSError, ctx: click.Context) -> Failure:
    if error.errno == errno.ENOSPC:
        return Failure("The disk is full.")
    return _internal(error, ctx)


def _internal(error: Exception, ctx: click.Context) -> Failure:
    if ctx.meta.get(_VERBOSE):
        from traceback import format_exception

        click.echo("".join(format_exception(error)), err=True, nl=False)
    where = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    again = "" if ctx.meta.get(_VERBOSE) else " Run it again with -v to see where."
    return Failure(f"Something went wrong inside ftk ({where}).", f"This is a mistake in ftk: please report it.{again}")
