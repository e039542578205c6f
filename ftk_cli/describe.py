"""`ftk describe`: what the rules of a spec do, as generated sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, options
from ftk_cli.output import emit, to_json
from ftk_cli.text.languages import described_in, of_reader, say_once
from rulespec.base.messages import say, sentences

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.text.rules.describe.description import Described, Description


@click.command()
@options.spec
@options.variant
@click.option("--lang", metavar="LANG", help="The language, such as en, uk or zh-Hant (default: yours).")
@click.option("--rule", "wanted", multiple=True, metavar="ID", help="Describe this rule only; may be repeated.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="Describe one number of players only.")
@options.format_("text", "markdown", "json")
@options.output
@options.no_notes
@options.verbose
def describe(
    spec: str,
    variant: str,
    lang: str | None,
    wanted: tuple[str, ...],
    players: int | None,
    format_: str,
    output: str | None,
    verbose: bool,
) -> None:
    """Describe the rules of a game in generated sentences: what the steps of the spec do, and nothing else.

    Terms come from the glossary of the game. JSON has each proposition as a tree as well.

    \b
    Examples:
      ftk describe fortheking
      ftk describe fortheking --lang uk --rule esteem.lose_card
      ftk describe kingme --lang zh-Hant --players 4 --format markdown --output kingme.md
    """
    from rulespec.games.rulebook import book_of

    loaded = games.load(spec, variant=variant)
    shown = lang or (None if format_ == "json" else of_reader(book_of(loaded)))
    description = describer(loaded, shown, players)
    rules = [description.rule(_known(description, rule)) for rule in wanted] or list(description.rules())
    emit(_written(description, rules, format_, whole=not wanted), output)


def describer(spec: Spec, lang: str | None, players: int | None = None) -> Description:
    """The description of a game. Raises Failure or UsageError for a language or a number of players without one."""
    from rulespec.games.rulebook import book_of, description_of
    from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
    from rulespec.text.rules.describe.terms import nouns_of

    if players is not None and players not in spec.model.players:
        known = spec.model.players
        said = say("{game} is for {low} to {high} players.", game=spec.model.title, low=known[0], high=known[-1])
        raise click.UsageError(said)
    book = book_of(spec)
    tag = described_in(lang, book)
    if tag != LANGUAGE_OF_SPECS and not nouns_of(book.glossary if book is not None else None, tag):
        no_noun = say("The glossary of {game} has no noun in {lang}.", game=spec.id, lang=tag)
        say_once(sentences(no_noun, say("The rules are described in English.")))
        tag = LANGUAGE_OF_SPECS
    return description_of(spec, tag, players)


def _known(description: Description, rule: str) -> str:
    if rule in description.spec.rules:
        return rule
    said = say("`{rule}` is not a rule of {game}.", rule=rule, game=description.spec.title)
    raise click.UsageError(sentences(said, failure.did_you_mean(rule, description.spec.rules)))


def _written(description: Description, rules: list[Described], format_: str, whole: bool) -> str:
    from rulespec.text.rules.describe.description import as_json, markdown, plain

    if format_ == "json":
        game = description.spec
        return to_json({"game": game.id, "version": game.version, "lang": description.lang, "rules": as_json(rules)})
    write: Callable[[], str] = {
        "markdown": lambda: markdown(description, rules, whole),
        "text": lambda: plain(description, rules, whole),
    }[format_]
    return write()
