"""What has become of a text since it was confirmed: whether its rule, its words or its source are others now."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias

import regex

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import Message, say
from rulespec.base.wording import digest, words
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import find
from rulespec.text.reading.translation import Passage, Seal, Translation
from rulespec.text.seals.confirmation import confirmation, is_stale


class Since(StrEnum):
    """What is another one since a text was confirmed."""

    RULE = "stale"
    WORDS = "edited"
    SOURCE = "source edited"


def since(passage: Passage, spec: Spec, source: Translation | None, versions: Iterable[Spec] = ()) -> tuple[Since, ...]:
    """What is another one since a text was confirmed; nothing for one that never was.

    `source` is the translation that it was made from, None if it was made from none; `versions` are those that texts
    were confirmed with.
    """
    known = passage.id in (*spec.rules, *spec.rulings)
    found = {
        Since.RULE: known and is_stale(passage.seal.rule, spec, passage.id, versions),
        Since.WORDS: is_edited(passage),
        Since.SOURCE: source is not None and is_source_edited(passage, source),
    }
    return tuple(one for one, is_other in found.items() if is_other) if passage.seal.rule else ()


def is_edited(passage: Passage) -> bool:
    """Whether a text has other words than those that were confirmed."""
    return bool(passage.seal.rule) and passage.seal.words != passage.words


def is_source_edited(passage: Passage, source: Translation) -> bool:
    """Whether a text was compared with other words of its source than the source has. One that was compared with no
    source is left alone until it is confirmed."""
    return bool(passage.seal.source) and (passage.seal.lang, passage.seal.source) != beside(passage.id, source)


def source_then(passage: Passage, source: Translation, kept: Kept) -> Parts | None:
    """The words of its source that a text was compared with; None if they are not kept, or of another language."""
    return kept(source.lang).get(passage.seal.source) if passage.seal.lang == source.lang else None


def sealed(passage: Passage, spec: Spec, source: Translation | None) -> Seal:
    """The seal of a text that agrees with its rule and its source as they are now."""
    return Seal(confirmation(spec, passage.id), passage.words, *(beside(passage.id, source) if source else ("", "")))


def beside(id_: str, source: Translation) -> tuple[str, str]:
    """The language of a source and the digest of its words for a rule or ruling; two "" if it has no text of it."""
    passage = source.passages.get(id_)
    return (source.lang, passage.words) if passage is not None else ("", "")


Parts: TypeAlias = tuple[str, ...]
"""The title of a text ("" for a ruling), the text and its worked examples."""

Kept: TypeAlias = Callable[[str], Mapping[str, Parts]]
"""The kept words of a language, by their digests."""


def nothing(lang: str) -> Mapping[str, Parts]:
    """No words are kept."""
    return {}


def read_kept(text: str) -> dict[str, Parts]:
    """The words in a file, by their digests. Lines that are damaged hold none."""
    # Not `splitlines`, which also splits at signs such as U+2028 that JSON leaves in a text.
    return {digest(parts): parts for line in text.split("\n") if (parts := _parts(line))}


def kept_written(kept: Iterable[Parts]) -> str:
    """The file with these words, each text once, sorted so that versions of the file can be compared."""
    lines = {json.dumps(list(parts), ensure_ascii=False) for parts in kept}
    return "".join(f"{line}\n" for line in sorted(lines))


def _parts(line: str) -> Parts:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return ()
    return tuple(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else ()


FEWEST_WORDS = 2
"""A text of fewer words may be a name or a number, which languages share."""

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_LETTER = regex.compile(r"\p{L}")


def source_among(translation: Translation, others: Iterable[Translation]) -> Translation | None:
    """The text that a translation was made from; None if it was made from none, or from one that is not there."""
    return next((one for one in others if one.lang == translation.made_from != translation.lang), None)


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
    # In a language without spaces between words, characters are counted.
    counted = (_WORD if find(source.lang).spaced else _LETTER).findall(said)
    return said == words(there.text.text) and len(counted) >= FEWEST_WORDS


def is_same_language(one: str, other: str) -> bool:
    """Whether two tags are of one language in one script, so that the same words may be right in both."""
    return _subtag(one) == _subtag(other) and find(one).script == find(other).script


def _subtag(tag: str) -> str:
    return tag.partition("-")[0].lower()


def untranslated(translation: Translation, source: Translation | None, ids: Iterable[str]) -> Iterator[Finding]:
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
