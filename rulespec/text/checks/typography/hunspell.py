"""Hunspell dictionaries: looks words up, and parses only the entries of the stems that are asked for."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec.text.languages.dictionaries import edits, is_word
from rulespec.text.languages.record import Language

_MOST = 3
"""The maximum number of suggestions for a word."""


class _Stems:
    """The stems of a .dic file with their entries, which spylls parses when a stem is looked up.

    It has the methods of `spylls.hunspell.data.dic.Dic` that a lookup calls. A dictionary of 350,000 entries is ready
    in one second; parsed as a whole it takes six.
    """

    def __init__(self, lines: list[str], aff: Any, context: Any) -> None:
        self._aff, self._context = aff, context
        self._lines: dict[str, list[str]] = defaultdict(list)
        self._parsed: dict[str, list[Any]] = {}
        for line in lines:
            self._lines[line.partition("/")[0].partition("\t")[0].strip()].append(line)

    def __contains__(self, stem: str) -> bool:
        return stem in self._lines

    def homonyms(self, stem: str, *, ignorecase: bool = False) -> list[Any]:
        stems = self._by_small.get(stem, []) if ignorecase else [stem]
        return [word for one in stems for word in self._entries(one)]

    def has_flag(self, stem: str, flag: str, *, for_all: bool = False) -> bool:
        words = self.homonyms(stem)
        return bool(words) and (all if for_all else any)(flag in word.flags for word in words)

    @cached_property
    def _by_small(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for stem in self._lines:
            found[stem.lower()].append(stem)
        return found

    def _entries(self, stem: str) -> list[Any]:
        if stem not in self._lines:
            return []
        if stem not in self._parsed:
            self._parsed[stem] = self._parse(self._lines[stem])
        return self._parsed[stem]

    def _parse(self, lines: list[str]) -> list[Any]:
        from spylls.hunspell.readers import read_dic  # type: ignore[import-not-found,import-untyped,unused-ignore]

        # Numbers start at 2: in line 1 a number would be the count of entries.
        numbered = enumerate((line.strip() for line in lines), 2)
        return list(read_dic(numbered, aff=self._aff, context=self._context).words)


class Hunspell:
    """A dictionary of a language. A call returns None for a known word, otherwise suggestions, best first."""

    def __init__(self, stem: Path, language: Language) -> None:
        from spylls.hunspell.algo.lookup import Lookup  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from spylls.hunspell.readers import read_aff
        from spylls.hunspell.readers.file_reader import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
            FileReader,
        )

        aff, context = read_aff(FileReader(str(stem.with_suffix(".aff"))))
        # Some dictionaries have flags that are no valid UTF-8.
        text = stem.with_suffix(".dic").read_text(encoding=context.encoding, errors="surrogateescape")
        self._stems = _Stems(text.removeprefix("\ufeff").splitlines()[1:], aff, context)
        self._lookup = Lookup(aff, self._stems)
        self._language = language
        self._known: dict[str, bool] = {}

    def __call__(self, word: str) -> tuple[str, ...] | None:
        plain = word.replace("’", "'").replace("ʼ", "'")
        return None if self._knows(word) or self._knows(plain) else self._suggestions(plain)

    def _knows(self, word: str) -> bool:
        if word not in self._known:
            self._known[word] = bool(self._lookup(word))
        return self._known[word]

    def _suggestions(self, word: str) -> tuple[str, ...]:
        """Known words that differ in one letter. Of hundreds of candidates only likely ones are looked up."""
        near = edits(word, self._language.alphabet, self._language.spelling.slips)
        kinds = {other: kind for other, kind in near if self._may_be(other)}
        best = sorted(kinds, key=lambda other: (kinds[other] != "confused", kinds[other] == "start", other))
        return tuple(other for other, _ in zip(filter(self._knows, best), range(_MOST), strict=False))

    def _may_be(self, word: str) -> bool:
        return word in self._stems or is_word(word, self._language.lemmatiser)
