"""`ftk text render`: the rulebook of one number of players."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, options, versions
from ftk_cli.output import emit, note, write
from ftk_cli.renderer import javascript
from ftk_cli.text.languages import in_language
from rulespec.base.messages import reason, say
from rulespec.base.project import is_release
from rulespec.base.typeset.pdf import TypesetError, lacking
from rulespec.base.typeset.pdf import missing as missing_typeset
from rulespec.engine.states.game import Game
from rulespec.games.rulebook import book_of, examples_of
from rulespec.play.living.illustrated import illustrations
from rulespec.text.languages.writing import writing_of
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html
from rulespec.text.output.render.pdf import pdf
from rulespec.versions.changes.compare import compare

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.text.output.render.blocks import Since


@click.command()
@options.spec
@options.variant
@click.option("--lang", required=True, metavar="LANG", help="The language, such as en, uk or zh-Hant.")
@options.players
@click.option("--all-players", "for_all", is_flag=True, help="One rulebook for all numbers of players.")
@options.rulings
@options.format_("markdown", "html", "pdf")
@click.option("--rulings", "with_rulings", is_flag=True, help="Add the texts of the rulings.")
@click.option("--ids", is_flag=True, help="Show the id of each rule.")
@click.option(
    "--since", metavar="VERSION", help="Mark what has changed since a version, such as 1.0.0 or HEAD:specs/x.yaml."
)
@click.option("--living", is_flag=True, help="Play the examples and the set-up step by step; with --format html.")
@options.output
@options.no_notes
@options.verbose
def render(
    spec: str,
    variant: str,
    lang: str,
    players: int | None,
    for_all: bool,
    rulings: dict[str, str],
    format_: str,
    with_rulings: bool,
    ids: bool,
    since: str | None,
    living: bool,
    output: str | None,
    verbose: bool,
) -> None:
    """Print the rulebook of a game for one number of players and set of rulings.

    Rules that never apply are left out, and so is what the others say about
    other numbers of players, unless --all-players asks for one book for all.
    HTML is a single page without other files. Every rule has its id as an
    anchor. PDF is accessible (PDF/UA), with bookmarks and page numbers; it
    needs a FILE. Both have pictures of the cards, of the set-up and of the
    examples. An index of terms ends the rulebook.

    With --since, paragraphs that have changed since an earlier version, and
    those whose rule means something else now, have a bar in the margin, and a
    list of the changes follows the rules. Markdown has the list alone.

    With --living, the worked examples and the set-up are tables that a reader
    goes through step by step. At each decision other moves can be played: for
    this the page holds the game as WebAssembly, which needs the packages of
    ftk[wasm]. Terms show their definitions, and rules what they say for other
    numbers of players. The page is one file, which needs no network.

    \b
    Examples:
      ftk text render fortheking --lang uk --players 2
      ftk text render fortheking --lang uk --format html --living --output rules.html
      ftk text render fortheking --lang en --ruling overbid=forbidden --output rules.md
      ftk text render fortheking --lang zh-Hant --players 5 --format html --rulings --output rules.html
      ftk text render fortheking --lang uk --format pdf --output rules.pdf
      ftk text render fortheking --lang en --format html --since HEAD~1:specs/fortheking.yaml --output rules.html
    """
    if for_all and players is not None:
        raise click.UsageError(say("--players and --all-players exclude each other."))
    if for_all and living:
        raise click.UsageError(say("--living and --all-players exclude each other: a game has one number of players."))
    if living and format_ != "html":
        raise click.UsageError(say("--living needs --format html: only a page can be played."))
    if format_ == "pdf":
        _refuse_without(output)
    loaded = games.load(spec, variant=variant)
    translation = in_language(loaded, lang)
    game = games.make(loaded, players, rulings)
    setting = game.setting
    examples = examples_of(loaded, translation.lang, setting)
    rulebook = Rulebook(translation, setting, book_of(loaded), with_rulings, examples, for_all=for_all)
    if since is not None:
        rulebook = replace(rulebook, since=_since(since, rulebook))
    if format_ != "markdown" and not living:  # a living page has tables in place of pictures
        rulebook = replace(rulebook, pictures=illustrations(loaded, game, rulebook))
    if format_ == "pdf" and output:
        write(output, _pdf(rulebook, ids))
        _warn_of_fonts(rulebook.lang)
    elif living:
        emit(_living(rulebook, loaded, ids), output)
    else:
        emit((html if format_ == "html" else markdown)(rulebook, ids), output)


def _since(name: str, rulebook: Rulebook) -> Since:
    """The changes since a version: the number of a release, or any name of a spec. Ends the command if that version or
    its text cannot be had."""
    from rulespec.versions.changes.errata import Errata
    from rulespec.versions.changes.errata import since as since_changes
    from rulespec.versions.changes.errata import texts as errata_texts

    new = rulebook.setting.spec
    if new.variant:
        raise click.UsageError(say("--since and --variant exclude each other: versions are those of the game itself."))
    old = versions.model(f"{new.id}@{name}" if is_release(name) else name)
    if old.id != new.id:
        raise click.UsageError(
            say("{name} is {old}, not {new}: name a version of one game.", name=name, old=old.id, new=new.id)
        )
    text = versions.text(old, rulebook.lang)
    if text is None:
        raise failure.Failure(
            say("{name} has no rule text in {lang}.", name=name, lang=rulebook.lang), say("Run: ftk text status")
        )
    found, words = compare(old, new), versions.words(old, new, rulebook.lang)
    errata = Errata(found, words, errata_texts(found, text, rulebook.translation))
    return since_changes(rulebook, text, errata, "" if is_release(name.rpartition("@")[2]) else name)


def _refuse_without(output: str | None) -> None:
    """Ends the command if there is no file for a PDF, or no library that makes one."""
    if output in (None, "-"):
        raise click.UsageError(say("A PDF is no text for a terminal: name a file with --output."))
    if missing := missing_typeset():
        raise failure.Failure(
            say("{sentence}.", sentence=missing), say("Or print the page of --format html from a browser.")
        )


def _pdf(rulebook: Rulebook, ids: bool) -> bytes:
    try:
        return pdf(rulebook, ids)
    except TypesetError as error:
        raise failure.Failure(reason(error)) from None


def _living(rulebook: Rulebook, spec: Spec, ids: bool) -> str:
    """The page that plays; why no other moves can be played in it is said on standard error."""
    from rulespec.play.living.host import Host, host_of
    from rulespec.play.living.page import living

    host = host_of(Game(rulebook.setting))
    if isinstance(host, Host):
        return living(rulebook, spec, javascript(), host, ids)
    note(say("{reason}. Examples are shown step by step, but no other moves can be played.", reason=host))
    return living(rulebook, spec, javascript(), None, ids)


def _warn_of_fonts(lang: str) -> None:
    """Reports on standard error that a PDF has letters of a font that was not made for rulebooks."""
    if said := lacking(writing_of(lang).script):
        note(said)
