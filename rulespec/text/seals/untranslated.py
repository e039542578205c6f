"""Texts that are still, word for word, those that they are to be translated from: drafts, whose checks wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import regex

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import Message, say
from rulespec.base.wording import words
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.seals.edits import source_among

FEWEST_WORDS = 2
"""A text of fewer words may be a name or a number, which languages share."""

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_LETTER = regex.compile(r"\p{L}")


def untranslated_ids(translation: Translation, source: Translation | None) -> frozenset[str]:
    """The ids of the rules and rulings whose texts are not translated yet. `source` is the text that a translation is
    made from, None if it is made from none: then there are none."""
    if source is None:
        return frozenset()
    return frozenset(id_ for id_, one in translation.passages.items() if is_untranslated(one, translation.lang, source))


def translated(translation: Translation, others: Iterable[Translation]) -> Translation:
    """A translation without its untranslated texts; `others` are the texts in all languages."""
    left = untranslated_ids(translation, source_among(translation, others))
    return translation.without(lambda one: one.id in left) if left else translation


def translated_in(id_: str, others: Iterable[Translation]) -> list[Translation]:
    """The translations whose text of a rule or ruling, if they have one, is translated."""
    every = list(others)
    return [one for one in every if not _waits(one.passages.get(id_), one, every)]


def _waits(passage: Passage | None, translation: Translation, others: Iterable[Translation]) -> bool:
    source = source_among(translation, others)
    return passage is not None and is_untranslated(passage, translation.lang, source)


def is_untranslated(passage: Passage, lang: str, source: Translation | None) -> bool:
    """Whether a text in a language has the words of its source in another language.

    One that was confirmed counts as translated: a person has compared it with its rule.
    """
    there = source.passages.get(passage.id) if source is not None else None
    if source is None or there is None or passage.confirmed or is_same_language(lang, source.lang):
        return False
    said = words(passage.text.text)
    return said == words(there.text.text) and _length(said, find(source.lang)) >= FEWEST_WORDS


def is_same_language(one: str, other: str) -> bool:
    """Whether two tags are of one language in one script, so that the same words may be right in both."""
    return _subtag(one) == _subtag(other) and find(one).script == find(other).script


def _subtag(tag: str) -> str:
    return tag.partition("-")[0].lower()


def _length(text: str, language: Language) -> int:
    """The number of words; of characters in a language without spaces between words."""
    return len((_WORD if language.spaced else _LETTER).findall(text))


def check(translation: Translation, source: Translation | None, ids: Iterable[str]) -> Iterator[Finding]:
    """One finding about the untranslated texts among `ids`, at the first of them; none without any."""
    wanted = untranslated_ids(translation, source)
    left = [translation.passages[id_] for id_ in ids if id_ in wanted]
    own = [one for one in left if one.source == translation.source]  # not those of the game in a variant
    if source is not None and own:
        first, lang = min(own, key=lambda one: one.key.start), translation.lang
        message = not_yet(source.lang)
        if len(own) > 1:
            message = say(
                "{number} of {all} texts are not translated yet: they are word for word those in {lang}.",
                number=len(own),
                all=len(translation.passages),
                lang=source.lang,
            )
        hint = say("Translate, and check again. `ftk text changes {lang}` lists what is left.", lang=lang)
        yield finding(
            "text-untranslated", message, first.source, first.key, hint, first.id if len(own) == 1 else "", lang
        )


def not_yet(lang: str) -> Message:
    """That a text is still the one in a language."""
    return say("This text is not translated yet: it is word for word that in {lang}.", lang=lang)
