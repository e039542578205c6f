"""Errors that end a command. Each has an exit status and a hint."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import click

from ftk_cli.language import language, localized
from rulespec.base.messages import NOTHING, Message, reason, say, sentences

FINDINGS = 1
"""Exit status: there are findings."""
NOT_DONE = 3
"""Exit status: the job could not be done."""

_VERBOSE = "ftk.verbose"
_QUIET = "ftk.quiet"


class Failure(click.ClickException):
    """The command cannot do its job: a sentence that says why, and a hint."""

    exit_code = NOT_DONE

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def show(self, file: IO[Any] | None = None) -> None:
        from ftk_cli.report.display import harmless

        hint = f"\n  {harmless(localized(self.hint))}" if self.hint else ""
        click.echo(f"ftk: {harmless(self.format_message())}{hint}", file=file, err=True)

    def format_message(self) -> str:
        """The message in the language of the reader."""
        return localized(self.message)


def sentence(words: object) -> str:
    """The words of an error as a sentence in the language of the reader."""
    text = localized(reason(words) if isinstance(words, Exception) else str(words))
    text = f"{text[:1].upper()}{text[1:]}"
    return text if text.endswith((".", "。")) else localized(say("{sentence}.", sentence=text))


def remember_verbose(ctx: click.Context, wanted: bool) -> None:
    """Stores whether -v was given: the traceback of an internal error is then printed."""
    ctx.meta[_VERBOSE] = wanted


def remember_quiet(ctx: click.Context, wanted: bool) -> None:
    """Stores whether -q was given: no notes are then printed."""
    ctx.meta[_QUIET] = wanted


def is_quiet() -> bool:
    """Whether the current command was given -q."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(_QUIET))


@contextmanager
def boundary(ctx: click.Context) -> Iterator[None]:
    """Prints every exception, in the language that the command was asked for, and ends with its exit status."""
    try:
        with _printable(ctx):
            yield
    except click.ClickException as error:
        _worded(error).show()
        ctx.exit(error.exit_code)


@contextmanager
def _printable(ctx: click.Context) -> Iterator[None]:
    """Turns every exception into one that click prints."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit):
        raise
    except (KeyboardInterrupt, click.Abort):
        raise Failure(say("Stopped.")) from None
    except BrokenPipeError:
        abandon_stdout()
        ctx.exit(0)
    except Exception as error:
        raise unexpected(error, ctx) from error


def _worded(error: click.ClickException) -> click.ClickException:
    """An error of an argument in whole sentences, and its name in the language of the reader."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        meant = error.format_message().removeprefix(f"{error.message} ")
        return click.UsageError(sentences(error.message, meant), error.ctx)
    if not isinstance(error, click.BadParameter) or error.param is None:
        return error
    from ftk_cli.help_pages import placeholders
    from rulespec.base.findings.catalog import catalog_of

    hint = placeholders(error.param.get_error_hint(error.ctx), catalog_of(language()))
    error.param_hint = error.param_hint or hint
    if not isinstance(error, click.MissingParameter):
        return error
    is_argument = isinstance(error.param, click.Argument)
    missing = say("Missing argument {hint}.", hint=hint) if is_argument else say("Missing option {hint}.", hint=hint)
    return click.UsageError(missing, error.ctx)


class _Ended(SystemExit):
    """Raised by a signal that ends the process."""


@contextmanager
def unwinding() -> Iterator[None]:
    """SIGTERM and SIGHUP end the process as exceptions do: what is temporary is deleted first. Only the main thread can
    do that; in another one nothing changes. A handler set elsewhere, or a signal that is ignored (nohup), stays."""
    own, numbers = os.getpid(), []
    if threading.current_thread() is threading.main_thread():
        known = (getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
        numbers = [number for number in known if signal.getsignal(number) == signal.SIG_DFL]

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        if os.getpid() != own:  # a process that was forked
            signal.raise_signal(number)
        raise _Ended(number)

    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    except _Ended as ended:
        if isinstance(ended.code, int) and ended.code in numbers:
            signal.raise_signal(ended.code)  # the exit status names the signal
        raise
    finally:
        with suppress(ValueError):  # a loop that was given up may be ended by another thread
            for number in numbers:
                signal.signal(number, signal.SIG_DFL)


def abandon_stdout() -> None:
    """Redirects standard output after a broken pipe, so that flushing the buffer at exit does not raise again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # it lives as long as the process


def nearest(written: str, known: Iterable[str]) -> str:
    """The known name most similar to `written`, "" if none is similar."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(written, list(known), n=1, cutoff=0.6)), "")


def did_you_mean(written: str, known: Iterable[str]) -> Message:
    """The question whether the known name most similar to `written` is meant; empty if none is similar."""
    close = nearest(written, known)
    return say("Did you mean `{close}`?", close=close) if close else NOTHING


def unexpected(error: Exception, ctx: click.Context) -> Failure:
    """What an error is for a user: itself, a full disk, or an error in ftk."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return Failure(say("The disk is full."))
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return Failure(
            say("The name of a file is too long: {filename}…", filename=str(error.filename)[:80]),
            say("Use a shorter name."),
        )
    if ctx.meta.get(_VERBOSE):
        from traceback import format_exception

        click.echo("".join(format_exception(error)), err=True, nl=False)
    where = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    again = "" if ctx.meta.get(_VERBOSE) else say("Run the command with -v for a traceback.")
    return Failure(
        say("Internal error in ftk ({where}).", where=where), sentences(say("Please report this error."), again)
    )
