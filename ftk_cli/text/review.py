"""`ftk text review`: a person reads a text passage by passage, and what they say is kept beside it."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, git, inputs, options
from ftk_cli.language import language
from ftk_cli.output import emit
from ftk_cli.report.display import width
from ftk_cli.text.dialog import Dialog, Reviewer, lines, show, write
from ftk_cli.text.languages import in_glossary
from rulespec.base.characters import visible
from rulespec.base.findings.catalog import text_in
from rulespec.base.messages import Message, counted, say
from rulespec.base.source import read as read_source
from rulespec.editing.reviewing import Unusable, of_raw, of_translation
from rulespec.play.table.words import Words
from rulespec.text.review.kept import path_of, read
from rulespec.text.review.states import State, counts

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.editing.reviewing import ReviewedText
    from rulespec.text.review.states import Present

_STATES = {
    "read": say("read"),
    "changed": say("changed"),
    "rule-changed": say("rule changed"),
    "unread": say("not read"),
}


@click.command()
@click.argument("text", metavar="TEXT")
@click.option("--lang", metavar="LANG", help="The language of a raw text, such as en or zh.")
@click.option("--spec", "game", metavar="SPEC", help="The game of a raw text.")
@click.option("--by", metavar="NAME", help="Your name (default: that of git, else that of your login).")
@click.option("--all", "every", is_flag=True, help="Ask about all passages, also those that you have read.")
@click.option(
    "--list", "listed", is_flag=True, help="Print the state of each passage, with all remarks, and ask nothing."
)
@click.option(
    "--decline", type=click.IntRange(min=1), metavar="N", help="Decline the remark with this number of --list."
)
@click.option("--why", metavar="REASON", help="Why the remark is declined.")
@options.output
@options.quiet
@options.verbose
def review(
    text: str,
    lang: str | None,
    game: str | None,
    by: str | None,
    every: bool,
    listed: bool,
    decline: int | None,
    why: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Read a text passage by passage: right, wrong, something missing, or a term for another thing.

    TEXT is a translation, or a publisher's raw text, which needs --lang and --spec the first time. You are asked about
    what you have not read, and about what has changed since: the passage or what its rules do. Each answer is written
    at once to TEXT.review.yaml, for a translation to specs/reviews/; `ftk text check` then reports the remarks.

    The remark of another reviewer can be declined for a reason. It is then kept, but no longer reported.

    \b
    Exit status: 0 done or stopped, 3 something could not be read or written.

    \b
    Examples:
      ftk text review rulebook.txt --lang en --spec kingme
      ftk text review rulebook.txt --by Olena
      ftk text review specs/translations/kingme/uk.yaml
      ftk text review rulebook.txt --list
      ftk text review rulebook.txt --decline 3 --why "The box has five of them now."
    """
    if (decline is None) != (why is None):
        raise click.UsageError(say("--decline and --why go together: a remark is declined for a reason."))
    if listed and decline is not None:
        raise click.UsageError(say("--list and --decline exclude each other."))
    if output is not None and not listed:
        raise click.UsageError(say("--output goes with --list."))
    opened, words = _opened(text, lang, game), Words(language())
    if listed:
        emit("\n".join(_listed(opened, words, verbose)) + "\n", output)
        return
    who = Reviewer(_name(by, opened.source), date.today().isoformat())
    if decline is not None and why is not None:
        opened = _declined(opened, decline, who, why)
    else:
        numbers = [one.present.number for one in (opened.compared if every else opened.due(who.by))]
        if numbers and not quiet:
            intro = say("{by} reads {path}. Each answer is kept in {kept}.", by=who.by, **_paths(opened))
            show(words.of(intro))
        dialog = Dialog(opened, who, words, numbers)
        dialog.run()
        opened = dialog.text
    if not quiet:
        show("\n".join(map(words.of, _summary(opened, who.by))))


# --- the text ---------------------------------------------------------------------------------------------------------


def _opened(name: str, lang: str | None, game: str | None) -> ReviewedText:
    """The text of a name beside its review. Raises Failure or UsageError."""
    if name == inputs.STDIN or inputs.is_revision(name):
        raise click.UsageError(say("A review is kept beside its text: name a file."))
    source, found = inputs.read(name)
    if source is None:
        raise inputs.refused(found)
    try:
        if Path(source.path).suffix in (".yaml", ".yml"):
            if lang or game:
                raise click.UsageError(say("--lang and --spec go with a raw text: a translation names both itself."))
            opened = of_translation(source)
        else:
            game, lang = _of_which(source, game, lang)
            spec = games.load(game)
            opened = of_raw(source, in_glossary(spec, lang), spec)
    except Unusable as error:
        raise failure.Failure(_said(error.message), _said(error.hint)) from None
    if not opened.present:
        raise failure.Failure(_said(say("{path} has no passages to read.", path=source.path)))
    return opened


def _of_which(source: Source, game: str | None, lang: str | None) -> tuple[str, str]:
    """The game and the language of a raw text: those that are named, else those of its review."""
    path = path_of(source.path)
    kept = read_source(str(path))[0] if path.is_file() else None
    known = read(kept)[0] if kept is not None else None
    game, lang = game or (known.game if known else None), lang or (known.lang if known else None)
    if not (game and lang):
        missing = "--lang" if game else "--spec"
        raise click.UsageError(say("A raw text needs --lang and --spec; {missing} is missing.", missing=missing))
    return game, lang


def _said(message: str) -> str:
    return text_in(message, language())


def _paths(text: ReviewedText) -> dict[str, str]:
    return {"path": inputs.shown(text.source.path), "kept": inputs.shown(str(text.path))}


# --- the person -------------------------------------------------------------------------------------------------------


def _name(by: str | None, source: Source) -> str:
    """The name of the person who reviews. Raises UsageError for one that is empty or has invisible characters."""
    if by is None:
        configured, _ = git.ask(["config", "user.name"], Path(source.path).absolute().parent)
        by = configured.decode("utf-8", "replace").strip() or _of_login()
    name = " ".join(by.split())
    if not name:
        raise click.UsageError(say("Who reads the text? Say your name: --by NAME."))
    if visible(name) != name:
        raise click.UsageError(say("The name has an invisible character: {name}", name=visible(name)))
    return name


def _of_login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


# --- without questions ------------------------------------------------------------------------------------------------


def _declined(text: ReviewedText, number: int, who: Reviewer, why: str) -> ReviewedText:
    """A text with a remark declined, which is written. Raises Failure."""
    try:
        now = text.declined(number, who.by, who.date, why)
    except Unusable as error:
        hint = say("To list them: ftk text review {path} --list", path=inputs.shown(text.source.path))
        raise failure.Failure(_said(error.message), hint) from None
    write(now)
    return now


def _listed(text: ReviewedText, words: Words, verbose: bool) -> Iterator[str]:
    """The state of every passage with what has been said about it; with -v also its rules."""
    yield words.of(_counts(text))
    names = {state: words.of(name) for state, name in _STATES.items()}
    wide = max(width(names[one.state]) for one in text.compared)
    for one in text.compared:
        place = one.present.rule or str(one.present.line)
        changed = f"  ({', '.join(one.changed)})" if one.changed else ""
        begins = "" if one.present.rule else f"  {_begins(one.present)}"
        state = names[one.state] + " " * (wide - width(names[one.state]))
        yield f"{place:>6}  {state}{begins}{changed}".rstrip()
        yield from (f"          {', '.join(one.present.rules)}" for _ in range(verbose))
        yield from (f"        {line}" for line in lines(text, one, words.of))


def _begins(passage: Present) -> str:
    """The first words of a passage, with dots if there are more."""
    whole = " ".join(passage.text.split())
    return passage.begins if len(whole) <= len(passage.begins) else f"{passage.begins} …"


def _counts(text: ReviewedText) -> Message:
    number = counts(text.compared)
    return say(
        "{path}, {passages}: read {read}, changed since {changed}, rule changed since {rules}, not read {unread}.",
        path=inputs.shown(text.source.path),
        passages=counted("{number:,} passage", "{number:,} passages", len(text.compared)),
        read=number[State.READ],
        changed=number[State.CHANGED],
        rules=number[State.RULE_CHANGED],
        unread=number[State.UNREAD],
    )


def _summary(text: ReviewedText, by: str) -> Iterator[Message]:
    """What is read, and what is left for a person."""
    remarks = sum(said.is_open for _, said in text.remarks.values())
    yield _counts(text)
    yield say("Remarks that `ftk text check` reports: {remarks}.", remarks=remarks)
    if left := len(text.due(by)):
        yield say("Passages left for {by}: {left}. The same command goes on.", by=by, left=left)
    else:
        yield say("{by} has read all passages.", by=by)
