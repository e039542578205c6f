"""Readings of texts, kept on disk from one run to the next.

A reading depends on the text, its language, the terms that occur in it and the numbers of players, and not on what the
rules do. So a rule may change, and the texts need not be read again; where a term has changed, those that have it are.
Nor need texts that agree with those of other languages be compared again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import TypeVar

from rulespec.base.store import Store, digest_of_tool, key_of
from rulespec.text.glossary import Glossary, finder
from rulespec.text.glossary.concepts import Phrase
from rulespec.text.glossary.finder import occur
from rulespec.text.languages import Language, find
from rulespec.text.reading.mentions import Reading, read

T = TypeVar("T")

READINGS = Store("readings", most_entries=100)
"""An entry is one game in one language. It takes 0.1 to 0.5 MB."""

_MOST = 1000
"""The most texts of an entry, and the most comparisons. The latest ones are kept."""


@dataclass
class _InLanguage:
    """The readings of texts in one language, and the keys of comparisons that found nothing: those of earlier runs, and
    those of this run."""

    language: Language
    about: tuple[tuple[Phrase, ...], str]
    """The phrases of the glossary in the language, and a digest of all its words."""
    earlier: dict[str, Reading]
    agreed: dict[str, None]
    used: dict[str, Reading] = field(default_factory=dict)
    agree: dict[str, None] = field(default_factory=dict)
    derived: int = field(init=False)
    """How much had been derived from the earlier readings alone."""

    def __post_init__(self) -> None:
        self.derived = _derived(self.earlier)

    def are_new(self) -> bool:
        return not self.used.keys() <= self.earlier.keys()

    def are_more(self) -> bool:
        """Whether any is new, more has been derived from one, or more comparisons found nothing."""
        compared = self.agree.keys() <= self.agreed.keys()
        return self.are_new() or not compared or _derived(self.latest()) > self.derived

    def latest(self) -> dict[str, Reading]:
        return _latest(self.used, self.earlier)

    def keep(self, key: str) -> None:
        """Writes the latest readings, which are the earlier ones from then on."""
        self.earlier, self.agreed = self.latest(), _latest(self.agree, self.agreed)
        self.derived = _derived(self.earlier)
        entry: _Entry = *self.about, self.earlier, self.agreed
        READINGS.write_object(key, entry)


def _latest(used: dict[str, T], earlier: dict[str, T]) -> dict[str, T]:
    # Those of this run first: what is too much is cut off at the end.
    return dict(islice({**used, **earlier}.items(), _MOST))


def _derived(texts: dict[str, Reading]) -> int:
    return sum(len(reading.alone.derived) + len(reading.termed.derived) for reading in texts.values())


@lru_cache(maxsize=8)
def readings(glossary: Glossary, players: range) -> Readings:
    """The readings of texts of a game with a glossary, for a range of players: one object for all versions of it."""
    return Readings(glossary, players)


class Readings:
    """The readings of texts of a game with a glossary, for a range of players."""

    def __init__(self, glossary: Glossary, players: range) -> None:
        self._glossary = glossary
        self._players = players
        self._by_language: dict[str, _InLanguage] = {}

    def read(self, text: str, lang: str) -> Reading:
        """The reading of a text. Each text is read once."""
        known = self._in(lang)
        if text not in known.used:
            known.used[text] = known.earlier.get(text) or self._reading(text, lang)
        return known.used[text]

    def unless_agreed(
        self, texts: Sequence[tuple[str, str]], also: Iterable[str], compare: Callable[[], list[T]]
    ) -> list[T]:
        """What a comparison of a text with others found, each given with its language. `also` are all that it depends
        on besides the texts, the concepts of the glossary and the numbers of players."""
        read = ((lang, text, find(lang).digest, self.read(text, lang).digest) for lang, text in texts)
        # "" separates the lists, since each can have any length.
        parts = *chain.from_iterable(read), "", self._outline, *also
        return self.unless_clean(texts[0][0], parts, compare)

    def unless_clean(self, lang: str, parts: Iterable[str], compare: Callable[[], list[T]]) -> list[T]:
        """What a comparison of a text in a language found; one that found nothing is not made again. `parts` are all
        that it depends on besides the numbers of players, in the same order each time."""
        known, key = self._in(lang), key_of(parts)
        found = [] if key in known.agreed or key in known.agree else compare()
        if not found:
            known.agree[key] = None
        return found

    def _in(self, lang: str) -> _InLanguage:
        known = self._by_language.get(lang)
        # By identity: another project may have brought another record for this tag into use.
        if known is None or known.language is not find(lang):
            about = self._glossary.phrases(lang), self._words
            known = self._by_language[lang] = _InLanguage(find(lang), about, *self._load(lang))
        return known

    def keep(self, checked: str) -> None:
        """Writes to disk what was read and derived, after the texts in one language were checked.

        Other languages, whose texts were only compared, are written if a text was new.
        """
        for lang, known in self._by_language.items():
            if known.are_more() if lang == checked else known.are_new():
                known.keep(self._key(lang))

    def _reading(self, text: str, lang: str) -> Reading:
        known = finder(self._glossary, lang)
        return read(text, find(lang), known, self._players, self._glossary.groups, self._glossary.player)

    def _load(self, lang: str) -> tuple[dict[str, Reading], dict[str, None]]:
        found: _Entry | None = READINGS.read_object(self._key(lang))
        if found is None:
            return {}, {}
        phrases, words, texts, agreed = found
        left = still_right(texts, phrases, self._glossary.phrases(lang), lang)
        for reading in left.values() if words != self._words else ():
            reading.termed.derived.clear()
        return left, agreed

    def _key(self, lang: str) -> str:
        """The key of an entry: of all that readings depend on but the phrases of the glossary, which the entry has."""
        about = self._glossary.source.path, self._glossary.game, self._outline
        return key_of((*digest_of_tool(), str(self._players), lang, find(lang).digest, *about))

    @cached_property
    def _outline(self) -> str:
        return key_of(self._glossary.outline)

    @cached_property
    def _words(self) -> str:
        return key_of([self._glossary.words])


_Entry = tuple[tuple[Phrase, ...], str, dict[str, Reading], dict[str, None]]
"""What is kept of a game in a language: the phrases of its glossary in that language, a digest of all its words,
readings by their texts, and keys of comparisons."""


def still_right(
    texts: dict[str, Reading], before: Sequence[Phrase], now: Sequence[Phrase], lang: str
) -> dict[str, Reading]:
    """The readings of texts with the phrases of a glossary that are right with the present ones, too: those of texts
    that have none of the phrases that differ, and no word that is nearly one."""
    if before == now:
        return texts
    gone, new = Counter(before) - Counter(now), Counter(now) - Counter(before)
    # Of equal phrases the first may count, so the others must have kept their order.
    if [one for one in before if one not in gone] != [one for one in now if one not in new]:
        return {}
    is_concerned = occur((*gone, *new), lang)
    return {text: reading for text, reading in texts.items() if not is_concerned(text, reading.mentions)}
