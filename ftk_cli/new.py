"""`ftk new`: starts a game from a skeleton or from another game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, inputs, options
from ftk_cli.language import localized
from ftk_cli.output import emit, replace_all
from ftk_cli.text.languages import matching, tag_of, the_one
from rulespec.base.failure import Refusal
from rulespec.base.messages import reason, say
from rulespec.base.project import FOLDER, Project, nearest

if TYPE_CHECKING:
    from rulespec.editing.skeleton.copied import NewGame

_PLAYERS = re.compile(r"(?P<low>\d{1,2})(?:\.\.(?P<high>\d{1,2}))?")


def _players(ctx: click.Context, param: click.Parameter, written: str | None) -> range | None:
    """The numbers of players, written as in a spec."""
    from rulespec.language.model.build import MOST_PLAYERS

    if written is None:
        return None
    found = _PLAYERS.fullmatch(written)
    low, high = (int(found["low"]), int(found["high"] or found["low"])) if found else (0, 0)
    if not 1 <= low <= high <= MOST_PLAYERS:
        raise click.BadParameter(
            say(
                "`{written}` is not a number of players from 1 to {most}, such as 4 or 2..5.",
                written=written,
                most=MOST_PLAYERS,
            )
        )
    return range(low, high + 1)


@click.command()
@click.argument("name")
@click.option("--title", default="", metavar="TITLE", help="The name that players read (default: made from NAME).")
@click.option("--lang", metavar="LANG,…", help="The languages of the texts, any of BCP 47 (default: that of specs).")
@click.option("--players", metavar="LOW..HIGH", callback=_players, help="The numbers of players.")
@click.option("--from", "origin", metavar="GAME", help="Copy this game instead of the skeleton.")
@options.quiet
@options.verbose
def new(
    name: str, title: str, lang: str | None, players: range | None, origin: str | None, quiet: bool, verbose: bool
) -> None:
    """Start a game: a spec, scenarios, a glossary, and rule texts in the languages chosen.

    NAME is the id of the game: small letters, digits and `_`. The files go into the current project (the nearest
    folder upward that holds specs/), or else into a new folder specs/ here. Everything is checked before it is
    written, and no file is overwritten. --from copies a game of the project or the gallery, with its texts.
    In a language that there are no texts in yet, they are drafts: the texts in the nearest language, to be translated.

    \b
    Exit status: 0, or 3 if the game cannot be made.

    \b
    Examples:
      ftk new river
      ftk new river --title "River race" --lang en,uk,zh-Hant --players 2..5
      ftk new river --lang sv
      ftk new my_nim --from nim
    """
    made = _made(name, title, lang, players, origin)
    replace_all({file.path: file.content for file in made.files})
    if not quiet:
        emit(_summary(made))


def _made(name: str, title: str, lang: str | None, players: range | None, origin: str | None) -> NewGame:
    """The plan of the game. Ends the command if it cannot be made."""
    from rulespec.editing.skeleton.copied import new_game

    spec = "" if origin is None else games.load(origin).model.source.path
    into = nearest() or Project(Path.cwd() / FOLDER)
    try:
        return new_game(name, into, title, _languages(lang, spec), players, spec)
    except Refusal as refused:
        raise failure.Failure(reason(refused), refused.hint) from None


def _languages(written: str | None, spec: str) -> tuple[str, ...] | None:
    """The tags of the languages that were typed: those of texts to copy, and others. Ends the command for a tag that
    no language has."""
    from rulespec.editing.skeleton.copied import languages_of

    if written is None:
        return None
    known, tags = languages_of(spec), [tag.strip() for tag in written.split(",") if tag.strip()]
    if not tags:
        like = ",".join(known or languages_of())
        raise click.UsageError(
            say("`{written}` names no language. Write tags with commas, such as {tags}.", written=written, tags=like)
        )
    return tuple(dict.fromkeys(_language(tag, known) for tag in tags))


def _language(written: str, known: tuple[str, ...]) -> str:
    """The language of a tag: one that there are texts in, if the tag can mean it."""
    tag = written if matching(written, known) else tag_of(written)
    return the_one(tag, known, "") if matching(tag, known) else tag


def _summary(made: NewGame) -> str:
    paths = [inputs.shown(file.path) for file in made.files]
    wide = max(map(len, paths))
    lines = [f"{path:<{wide}}  {localized(file.holds)}" for path, file in zip(paths, made.files, strict=True)]
    for lang, source in made.drafts.items():
        lines += ["", *_to_translate(lang, source)]
    if made.confirmed:
        every = say("The texts are confirmed: `ftk check` names those that a change of their rule makes stale.")
        others = say("The other texts are confirmed: `ftk check` names those that a change of their rule makes stale.")
        lines += ["", localized(others if made.drafts else every)]
    return "\n".join([*lines, "", *_next(made.id)])


def _to_translate(lang: str, source: str) -> list[str]:
    from rulespec.text.output.begun import in_words
    from rulespec.text.seals.since import is_same_language

    if is_same_language(lang, source):
        same = say(
            "The texts in {lang} are those in {source}: change what {language} writes otherwise.",
            lang=lang,
            source=source,
            language=in_words(lang),
        )
        return [localized(same)]
    return localized(
        say(
            "The texts in {lang} are drafts in {source}, to be translated into {language}. Nothing about them is\n"
            "checked until they are. `ftk text changes {lang}` lists them; "
            "the texts in {source} are what to translate.",
            lang=lang,
            source=source,
            language=in_words(lang),
        )
    ).splitlines()


def _next(id_: str) -> list[str]:
    steps = {
        "ftk check": say("everything that is wrong, in rules, examples and texts"),
        f"ftk play {id_}": say("play against the computer"),
        f"ftk simulate {id_}": say("1,000 games, seat by seat"),
    }
    wide = max(map(len, steps))
    return [
        localized(say("Next:")),
        *(f"  {command:<{wide}}  {localized(does)}" for command, does in steps.items()),
    ]
