"""Readings of the texts of a game, each made once in a process."""

from __future__ import annotations

from functools import lru_cache

from rulespec.text.glossary.concepts import Glossary
from rulespec.text.glossary.finder import finder
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find
from rulespec.text.reading.mentions import Reading, read

_MOST = 4000
"""The most readings of a game in a language that are kept. A game has about 300 texts, with its variants."""


@lru_cache(maxsize=8)
def readings(glossary: Glossary, players: range) -> Readings:
    """The readings of texts of a game with a glossary, for a range of players: one object for all versions of it."""
    return Readings(glossary, players)


class Readings:
    """The readings of texts of a game with a glossary, for a range of players."""

    def __init__(self, glossary: Glossary, players: range) -> None:
        self._glossary = glossary
        self._players = players
        self._by_language: dict[str, tuple[Language, dict[str, Reading]]] = {}

    def read(self, text: str, lang: str) -> Reading:
        """The reading of a text."""
        language = find(lang)
        known, texts = self._by_language.get(lang, (None, {}))
        # By identity: another project may have brought another record for this tag into use.
        if known is not language or len(texts) >= _MOST:
            _, texts = self._by_language[lang] = language, {}
        if text not in texts:
            glossary, terms = self._glossary, finder(self._glossary, lang)
            texts[text] = read(text, language, terms, self._players, glossary.groups, glossary.player)
        return texts[text]
