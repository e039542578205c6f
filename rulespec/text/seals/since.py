"""What has become of a text since it was confirmed: whether its rule, its words or its source are others now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from rulespec.language.model.spec import Spec
from rulespec.text.reading.seal import Seal
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.seals.confirmation import confirmation, is_stale
from rulespec.text.seals.kept_words import Kept, Parts


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
    return tuple(_since(passage, spec, source, versions)) if passage.seal.rule else ()


def _since(passage: Passage, spec: Spec, source: Translation | None, versions: Iterable[Spec]) -> Iterator[Since]:
    if passage.id in (*spec.rules, *spec.rulings) and is_stale(passage.seal.rule, spec, passage.id, versions):
        yield Since.RULE
    if is_edited(passage):
        yield Since.WORDS
    if source is not None and is_source_edited(passage, source):
        yield Since.SOURCE


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
