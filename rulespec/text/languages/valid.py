"""What is wrong with the values of a record beyond their types, so that no check of a text meets it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex

from rulespec.base.messages import NOTHING, Message, any_of, quoted, say
from rulespec.text.languages.dictionaries import has_dictionary
from rulespec.text.languages.record import PLURALS, Language
from rulespec.text.languages.tags import tag_of

QUOTE_STYLES = (
    *("straight", "straight-han", "curly", "curly-han", "guillemets", "reversed-guillemets"),
    *("low", "closing", "corners"),
)
"""The names of styles of quotation marks, as `typography/styles.py` finds them."""

PATTERN_TEXTS = (
    *("example", "credits", "credit_headings", "page_mark", "recurring_headings", "part_titles", "lost_word"),
    *("letter_words", "before_letter", "letter_names", "one_letter_words", "latin_words"),
)
"""The keys whose texts become parts of patterns."""

DIRECTIONS = ("ltr", "rtl")
HAN_FORMS = ("", "traditional", "simplified")
PRIVATE = regex.compile(r"q[a-t][a-z](?:-.*)?", regex.IGNORECASE)
"""Tags for local use (ISO 639-2): a language without a code of its own."""

_LABELS: Mapping[str, Mapping[str, object]] = {
    "players": {"n": 2},
    "since": {"version": ""},
    "changes": {"version": ""},
}
"""The labels that are filled in, with the values for them."""


@dataclass(frozen=True)
class Problem:
    """A value that is wrong: the keys and positions that lead to it, the message, and the remedy."""

    path: tuple[str | int, ...]
    message: Message
    hint: Message = NOTHING


def problems(language: Language) -> Iterator[Problem]:
    """The values of a record that the checks of texts cannot use."""
    yield from _unknown_names(language)
    for name in PATTERN_TEXTS:
        yield from _broken((name,), getattr(language, name))
    yield from _broken(("sentence_end", "also"), language.sentence_end.also)
    for number, word in enumerate(language.sentence_end.abbreviations):
        yield from _broken(("sentence_end", "abbreviations", number), word)
    for number, word in enumerate(language.until):
        yield from _broken(("until", number), word)
    if not language.sentence_end.marks:
        yield Problem(
            ("sentence_end", "marks"), say("No mark ends a sentence."), say("Write the marks, such as `.!?`.")
        )
    yield from _pairs(language)
    for name, values in _LABELS.items():
        try:
            language.labels.get(name, "").format(**values)
        except (LookupError, ValueError, AttributeError):
            hint = say("Write `{{{field}}}` where the value stands.", field=next(iter(values)))
            yield Problem(("labels", name), say("The label cannot be filled in."), hint)
    try:
        for number in _COUNTED:
            language.plural(number)
    except (ValueError, LookupError, ArithmeticError, TypeError, RecursionError):
        message = say("The plural rule gives no category of `plurals` for a number.")
        hint = say("Write an expression of gettext for the index in `plurals`, such as `n != 1`.")
        yield Problem(("plural_rule",), message, hint)


def _unknown_names(language: Language) -> Iterator[Problem]:
    """Values that are not among those that there are."""
    yield from _not_among(("direction",), language.direction, DIRECTIONS)
    yield from _not_among(("han_form",), language.han_form, HAN_FORMS)
    for number, category in enumerate(language.plurals):
        yield from _not_among(("plurals", number), category, PLURALS)
    for key in ("forbidden", "outer", "inner"):
        for number, style in enumerate(getattr(language.quotes, key)):
            yield from _not_among(("quotes", key, number), style, QUOTE_STYLES)
    if not _is_script(language.script):
        message = say("There is no script `{script}` in Unicode.", script=language.script)
        yield Problem(("script",), message, say("Write its name in English, such as `Latin` or `Cyrillic`."))
    if language.lemmatiser and not has_dictionary(language.lemmatiser):
        message = say("There is no dictionary of lemmas for `{language}`.", language=language.lemmatiser)
        yield Problem(("lemmatiser",), message, say("Delete the key: words then match only as they are written."))
    if not language.name and not language.extends and tag_of(language.tag) is None:
        message = say("A language that CLDR does not know needs a name.")
        yield Problem(("tag",), message, say("Add `name:` with its name in English."))


def _not_among(path: tuple[str | int, ...], value: str, known: tuple[str, ...]) -> Iterator[Problem]:
    if value not in known:
        choices = any_of(quoted([one for one in known if one]))
        yield Problem(path, say("`{value}` is not one of {choices}.", value=value, choices=choices))


def _is_script(name: str) -> bool:
    try:
        # The name becomes a part of patterns: with a brace in it, it could add anything to them.
        return regex.fullmatch(r"[\w’ ]+", name) is not None and regex.compile(rf"\p{{{name}}}") is not None
    except regex.error:
        return False


def _broken(path: tuple[str | int, ...], text: str) -> Iterator[Problem]:
    try:
        regex.compile(text)
    except regex.error as error:
        yield Problem(path, say("The pattern is broken: {reason}.", reason=str(error)))


def _pairs(language: Language) -> Iterator[Problem]:
    """Pairs of spellings that are none, or whose pattern or replacement is broken."""
    for number, pair in enumerate(language.variants):
        if len(pair) != 2:
            message = say("A pair has a pattern and a text, not {number} texts.", number=len(pair))
            yield Problem(("variants", number), message, say("Write a pair like `['our', 'or']`."))
            continue
        try:
            regex.compile(pair[0]).sub(pair[1], "")
        except regex.error as error:
            yield Problem(("variants", number, 0), say("The pattern is broken: {reason}.", reason=str(error)))


_COUNTED = range(201)
"""Numbers with every plural category that a language may have."""
