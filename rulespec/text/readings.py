"""Readings of texts, kept on disk from one run to the next.

A reading depends on the text, its language, the glossary and the numbers of players, and not on what the rules do. So a
rule may change, and the texts need not be read again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from rulespec.store import Store, digest_of_tool, key_of
from rulespec.text.glossary import Glossary, finder
from rulespec.text.languages import LANGUAGES, SHIPPED, Language
from rulespec.text.reading import Reading, read

READINGS = Store("readings", most_entries=100)
"""An entry is one game in one language. It takes 0.1 to 0.5 MB."""

_MOST = 1000
"""The most texts of an entry. Those that were read last are kept."""


@dataclass
class _InLanguage:
    """The readings of texts in one language: those of earlier runs, and those of this run."""

    language: Language
    earlier: dict[str, Reading]
    used: dict[str, Reading] = field(default_factory=dict)
    derived: int = field(init=False)
    """How much had been derived from the earlier readings alone."""

    def __post_init__(self) -> None:
        self.derived = _derived(self.earlier)

    def are_new(self) -> bool:
        return not self.used.keys() <= self.earlier.keys()

    def are_more(self) -> bool:
        """Whether any is new, or more has been derived from one."""
        return self.are_new() or _derived(self.latest()) > self.derived

    def latest(self) -> dict[str, Reading]:
        every = {**self.used, **self.earlier}
        return dict(islice(every.items(), _MOST))

    def keep(self, key: str) -> None:
        """Writes the latest readings, which are the earlier ones from then on."""
        self.earlier = self.latest()
        self.derived = _derived(self.earlier)
        READINGS.write_object(key, self.earlier)


def _derived(texts: dict[str, Reading]) -> int:
    return sum(len(reading.alone.derived) for reading in texts.values())


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
        known = self._by_language.get(lang)
        if known is None or known.language is not LANGUAGES[lang]:
            known = self._by_language[lang] = _InLanguage(LANGUAGES[lang], self._load(lang))
        if text not in known.used:
            known.used[text] = known.earlier.get(text) or self._reading(text, lang)
        return known.used[text]

    def keep(self, checked: str) -> None:
        """Writes to disk what was read and derived, after the texts in one language were checked.

        Other languages, whose texts were only compared, are written if a text was new.
        """
        for lang, known in self._by_language.items():
            if lang in SHIPPED and (known.are_more() if lang == checked else known.are_new()):
                known.keep(self._key(lang))

    def _reading(self, text: str, lang: str) -> Reading:
        known = finder(self._glossary, lang)
        return read(text, LANGUAGES[lang], known, self._players, self._glossary.groups)

    def _load(self, lang: str) -> dict[str, Reading]:
        found: dict[str, Reading] | None = READINGS.read_object(self._key(lang)) if lang in SHIPPED else None
        return found or {}

    def _key(self, lang: str) -> str:
        return key_of((*digest_of_tool(), self._glossary.source.text, str(self._players), lang))
