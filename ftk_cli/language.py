"""The language of the reader: that of --lang, else of the environment, else English."""

from __future__ import annotations

import os

import click

VARIABLES = ("FTK_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables of the environment that name a language; the first that is set decides."""

_LANG = "ftk.lang"


def remember(ctx: click.Context, param: click.Parameter, wanted: str | None) -> None:
    """Stores the language that --lang asks for."""
    ctx.meta[_LANG] = wanted


def language() -> str:
    """The language of what the current command shows."""
    from rulespec.base.findings.catalog import language_of

    ctx = click.get_current_context(silent=True)
    wanted = ctx.meta.get(_LANG) if ctx is not None else None
    return wanted or language_of(next(filter(None, map(os.environ.get, VARIABLES)), ""))


def in_language(text: str) -> str:
    """A message in the language of the current command; a text that is none is as it is."""
    from rulespec.base.findings.catalog import text_in

    return text_in(text, language())
