"""`ftk errata`: what players must know of the changes between two versions of a game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, options, versions
from ftk_cli.output import emit, note
from rulespec.base.messages import counted, say
from rulespec.base.pages.sheet import html, markdown

if TYPE_CHECKING:
    from rulespec.language.model.spec import Spec
    from rulespec.versions.changes.errata import Errata


@click.command()
@click.argument("old")
@click.argument("new", required=False)
@options.variant
@click.option("--lang", required=True, metavar="LANG", help="The language, such as en, uk or zh-Hant.")
@click.option("--history", is_flag=True, help="The changes of all released versions of a game, the latest first.")
@options.format_("markdown", "html")
@options.output
@options.no_notes
@options.verbose
def errata(
    old: str,
    new: str | None,
    variant: str,
    lang: str,
    history: bool,
    format_: str,
    output: str | None,
    verbose: bool,
) -> None:
    """Print an errata sheet: the changes from OLD to NEW that a player must know of, by impact and section.

    OLD and NEW are files, ids of games, REV:PATH for a file in a git revision, or GAME@VERSION for a released
    version. Where the rule text in that language has changed, its old and new sentences stand on the sheet; else
    generated descriptions do.

    With --variant NEW is read in that variant. Without NEW it is OLD in that variant: what its players must know.

    With --history OLD is a game, and the sheet has the changes of every released version and of the present one.

    \b
    Examples:
      ftk errata HEAD~1:specs/fortheking.yaml fortheking --lang uk
      ftk errata fortheking@1.0.0 fortheking --lang zh-Hant --format html --output errata.html
      ftk errata fortheking --history --lang en
      ftk errata fortheking --variant more_gold --lang uk
    """
    from rulespec.versions.changes.errata import history_sheet

    if history == (new is not None or bool(variant)):
        raise click.UsageError(say("Name two versions, one game with --history, or one with --variant."))
    names, unreleased = versions.history(old) if history else ([old, old if new is None else new], False)
    steps = [versions.model(name, variant if at else "") for at, name in enumerate(names)]
    found = [_errata(was, now, lang) for was, now in pairwise(steps)]
    sheet = history_sheet(found, versions.words(steps[0], steps[0], lang), unreleased) if history else found[0].sheet()
    _note(found)
    emit({"markdown": markdown, "html": html}[format_](sheet), output)


def _errata(was: Spec, now: Spec, lang: str) -> Errata:
    from rulespec.versions.changes.compare import compare
    from rulespec.versions.changes.errata import Errata
    from rulespec.versions.changes.errata import texts as errata_texts

    if was.id != now.id:
        raise click.UsageError(
            say(
                "{old} is {was}, {new} is {now}: name one game twice.",
                old=was.source.path,
                was=was.id,
                new=now.source.path,
                now=now.id,
            )
        )
    words = versions.words(was, now, lang)
    changes = compare(was, now)
    old, new = (versions.text(spec, versions.text_language(now, lang)) for spec in (was, now))
    return Errata(changes, words, errata_texts(changes, old, new))


def _note(found: Sequence[Errata]) -> None:
    """Prints how many changes have no new words of the rulebook."""
    number = sum(len(one.described) for one in found)
    if number and not failure.is_quiet():
        note(
            counted(
                "{number} change has no new words in the rule text: generated descriptions stand for them.",
                "{number} changes have no new words in the rule text: generated descriptions stand for them.",
                number,
            )
        )
