"""Language tags as typed: a whole tag such as zh-Hant, or a shorter one that matches only one language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ftk_cli import failure
from ftk_cli.language import language
from ftk_cli.output import note
from rulespec.base.messages import any_of, say, sentences

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.games.api import Spec
    from rulespec.play.table.words import Words
    from rulespec.text.reading.translation import Translation
    from rulespec.text.rules.book import Book


def matching(written: str, tags: Iterable[str]) -> list[str]:
    """The tags that a language tag can mean: the tag itself, else those it begins, else a more general one.

    >>> matching("zh", ["en", "zh-Hant"]), matching("en-GB", ["en", "zh-Hant"])
    (['zh-Hant'], ['en'])
    """
    low, known = written.lower(), {tag.lower(): tag for tag in tags}
    if low in known:
        return [known[low]]
    longer = [tag for key, tag in known.items() if key.startswith(f"{low}-")]
    return longer or [tag for key, tag in known.items() if low.startswith(f"{key}-")]


def the_one(written: str, tags: Iterable[str], missing: str, hint: str = "") -> str:
    """The only tag that a language can mean.

    Raises UsageError if there are several and Failure, with the message `missing` and a hint, if there is none.
    """
    tags = list(tags)
    found = matching(written, tags)
    if len(found) > 1:
        raise click.UsageError(
            say("`{written}` can mean {tags}: give the whole tag.", written=written, tags=any_of(found))
        )
    if not found:
        some = sentences(say("There is one in {tags}.", tags=tags), hint)
        there = some if tags else say("There is none in any language.")
        raise failure.Failure(missing, no_tag(written) or there)
    return found[0]


def no_tag(written: str) -> str:
    """That no language has a tag, and which one may be meant; "" for the tag of a language."""
    from rulespec.text.languages.registry import LANGUAGES
    from rulespec.text.languages.registry import find as find_language
    from rulespec.text.languages.tags import similar as similar_tag

    if find_language(written).is_known or matching(written, LANGUAGES):
        return ""
    near = similar_tag(written)
    hint = (
        say("Write `{tag}` for {language}.", tag=near, language=find_language(near).name)
        if near
        else say("Write a tag of BCP 47, such as `de` or `pt-BR`.")
    )
    return sentences(say("There is no language with the tag `{tag}`.", tag=written), hint)


def how_to_begin(game: str, lang: str) -> str:
    """The command that begins the text of a game in a language."""
    return say("To begin one: ftk text export {game} --lang {lang} --output {lang}.po", game=game, lang=lang)


def tag_of(written: str) -> str:
    """A tag as typed, in the form of BCP 47. Raises UsageError for one that no language has."""
    from rulespec.text.languages.registry import LANGUAGES
    from rulespec.text.languages.registry import find as find_language

    if found := no_tag(written):
        raise click.UsageError(found)
    known = find_language(written)
    return known.tag if known.is_known else the_one(written, LANGUAGES, "")


def of_reader(book: Book | None) -> str:
    """The language of the reader, if the glossary of a game has one such language; else that of specs."""
    from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
    from rulespec.text.rules.describe.grammar import languages

    known = [tag for tag in languages() if book is not None and tag in book.glossary.languages()]
    found = matching(language(), known)
    return found[0] if len(found) == 1 else LANGUAGE_OF_SPECS


def described_in(lang: str | None, book: Book | None = None) -> str:
    """The language for descriptions of the rules of a game: that of specs, which is said once, if they cannot be made
    in the one wanted, or its glossary has no term in it. Raises Failure or UsageError for the tag of no language."""
    from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
    from rulespec.text.rules.describe.grammar import languages

    known, lang = languages(), lang or LANGUAGE_OF_SPECS
    if matching(lang, known) or no_tag(lang):
        tag = the_one(lang, known, say("Rules cannot be described in {lang}.", lang=lang))
        if book is None or tag in (LANGUAGE_OF_SPECS, *book.glossary.languages()):
            return tag
    say_once(
        say(
            "Rules cannot be described in {lang}: descriptions, and what stands around texts, are in English.",
            lang=lang,
        )
    )
    return LANGUAGE_OF_SPECS


def say_once(remark: str) -> None:
    """Prints a remark about a language, the first time that a command has it."""
    ctx = click.get_current_context(silent=True)
    if ctx is not None and remark not in ctx.meta.setdefault(_SAID, set()):
        ctx.meta[_SAID].add(remark)
        if not failure.is_quiet():
            note(remark)


_SAID = "ftk.said"


def in_language(spec: Spec, lang: str) -> Translation:
    """The translation in a language. Raises Failure or UsageError if there is not exactly one."""
    from rulespec.games.rulebook import texts_of

    known = texts_of(spec)
    missing = say("{title} has no rule text in {lang}.", title=spec.model.title, lang=lang)
    return known[the_one(lang, known, missing, how_to_begin(spec.id, lang))]


def in_glossary(spec: Spec, lang: str) -> str:
    """The tag of a language of the glossary of a game. Raises Failure or UsageError if there is not exactly one."""
    from rulespec.games.rulebook import book_of

    book = book_of(spec)
    tags = book.glossary.languages() if book is not None else ()
    hint = say("Add terms in {lang} to the glossary first.", lang=lang)
    return the_one(lang, tags, say("{title} has no glossary in {lang}.", title=spec.model.title, lang=lang), hint)


def of_play(spec: Spec, wanted: str | None) -> str:
    """The language to play in: one that the game has texts in, else one that the interface has; "" for that of specs.

    Without --lang it is that of the environment, if the game has texts in it. Raises Failure and UsageError.
    """
    from rulespec.base.findings.catalog import LANGUAGES, known_language
    from rulespec.play.table.words import is_spoken, languages_of

    tags = languages_of(spec)
    if wanted is None:
        found = matching(language(), tags) if language() != LANGUAGES[0] else []
        return found[0] if len(found) == 1 else ""
    if not matching(wanted, tags) and known_language(wanted):
        return known_language(wanted)
    missing = say("{title} has no rule text in {lang} to play with.", title=spec.model.title, lang=wanted)
    tag = the_one(wanted, tags, missing, how_to_begin(spec.id, wanted))
    if not is_spoken(tag):
        say_once(say("Nothing but the texts of rules is in {lang}: what happens is said in English.", lang=tag))
    return tag


def words_of(spec: Spec, game: Ruleset) -> Words:
    """The words of a game in the language of the reader, if the game has texts in it."""
    from rulespec.play.table.words import words_in

    return words_in(spec, game, of_play(spec, None))


def title_of(spec: Spec) -> str:
    """The title of a game in the language of the reader, if the game has a text in it."""
    from rulespec.games.rulebook import texts_of

    text = texts_of(spec).get(of_play(spec, None))
    return text.title if text is not None else spec.model.title
