"""Misspelled words: found by a hunspell dictionary, or without one by comparison with other words of the text."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.layout import Layout, folded, language, layout_of
from rulespec.text.checks.typography.structure import misspelt_headings
from rulespec.text.languages.dictionaries import edits, is_word
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find
from rulespec.text.reading.prose import Prose

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
        lemmatiser = self._language.lemmatiser
        kinds = {other: kind for other, kind in near if other in self._stems or is_word(other, lemmatiser)}
        best = sorted(kinds, key=lambda other: (kinds[other] != "confused", kinds[other] == "start", other))
        return tuple(other for other, _ in zip(filter(self._knows, best), range(_MOST), strict=False))


class Spelling(Protocol):
    """A dictionary. Returns None for a known word, otherwise suggestions, best first."""

    def __call__(self, word: str) -> Sequence[str] | None: ...


FOLDERS = (Path("/usr/share/hunspell"), Path("/usr/share/myspell/dicts"))
# Shorter words are one letter away from many others. Longer ones are usually words without spaces between them.
_SHORTEST = 5
_LONGEST = 30
_LONGEST_ENDING = 3


def spelling_of(lang: str, path: str | os.PathLike[str] | None = None) -> Spelling | None:
    """The hunspell dictionary of a language; None if there is none or the package spylls is not installed.

    `path` is a folder or an .aff/.dic file. Without it, FTK_HUNSPELL and the system folders are searched.
    """
    given = path if path is not None else os.environ.get("FTK_HUNSPELL")
    for stem in _stems(lang, Path(given) if given else None):
        if stem.with_suffix(".aff").is_file() and stem.with_suffix(".dic").is_file():
            return _hunspell(stem, lang)
    return None


def _stems(lang: str, given: Path | None) -> Iterator[Path]:
    if given is not None and given.suffix in (".aff", ".dic"):
        yield given.with_suffix("")
        return
    for folder in (given,) if given is not None else FOLDERS:
        for name in find(lang).spelling.files or (lang.replace("-", "_"),):
            yield folder / name


@lru_cache(maxsize=4)
def _hunspell(stem: Path, lang: str) -> Spelling | None:
    try:
        return Hunspell(stem, find(lang))
    except ImportError:
        return None


_WORD = regex.compile(r"(?<![\p{L}\d\-])\p{L}+(?:['’ʼ]\p{L}+)*(?![\p{L}\d\-])")
_SENTENCE_START = regex.compile(r"(?:^|[.!?…*#•-]\s*|\n\s*)$")


def misspelt_words(
    prose: Prose, spelling: Spelling | None = None, is_term: Callable[[str], bool] | None = None
) -> Iterator[Finding]:
    """Words that may be misspelled: one finding per word.

    A dictionary adds findings to those of the guess. It adds none for a word of a term (`is_term`) or a compound.
    """
    lang = language(prose)
    if not (lang.lemmatiser and lang.alphabet):
        return
    layout = layout_of(prose.text)
    passed = {line.index for line, _ in misspelt_headings(layout, lang.lemmatiser)}
    candidates = [m for m in _candidates(layout, lang) if layout.line_at(layout.at[m.start()]).index not in passed]
    counts = Counter(match[0].lower() for match in _WORD.finditer(layout.plain))
    guess = _Guess(lang, counts)
    by_word: dict[str, list[regex.Match[str]]] = {}
    for match in candidates:
        by_word.setdefault(match[0].lower(), []).append(match)
    for word, matches in by_word.items():
        # A capitalised word at the start of a sentence may be a name.
        name = all(match[0][0].isupper() for match in matches)
        meant: Sequence[str] | None = guess(word, name)
        if meant is None and spelling is not None and not guess.is_compound(word) and not (is_term and is_term(word)):
            meant = spelling(word)
        if meant is not None:
            places = [layout.place(*match.span()) for match in matches]
            hint = say("Look it up in a dictionary.")
            if meant:
                hint = say("Did you mean “{meant}”?", meant="”, “".join(meant))
            yield from folded(prose, "looks-misspelt", places, say("“{word}” may be misspelled.", word=word), hint)


def _candidates(layout: Layout, language: Language) -> Iterator[regex.Match[str]]:
    """Long words of one script that are neither names nor abbreviations."""
    alphabet = {*language.alphabet, "'"}
    for match in _WORD.finditer(layout.plain):
        word = match[0]
        name = word[0].isupper() and not _SENTENCE_START.search(layout.plain[max(0, match.start() - 3) : match.start()])
        plain = set(word[1:].replace("’", "'").replace("ʼ", "'"))
        if _SHORTEST <= len(word) <= _LONGEST and plain <= alphabet and not name and word[1:].islower():
            yield match


class _Guess:
    """Suggestions from the text and from simplemma. It is strict, because simplemma lacks many correct forms."""

    def __init__(self, language: Language, counts: Counter[str]) -> None:
        self.language, self.lang, self.counts = language, language.lemmatiser, counts
        self.forms: dict[str, list[str]] = {}
        for word in counts:
            for cut in range(_LONGEST_ENDING + 1) if len(word) >= _SHORTEST - 1 else ():
                self.forms.setdefault(word[: len(word) - cut], []).append(word)

    def __call__(self, word: str, name: bool = False) -> list[str] | None:
        """Suggestions for a word, or None if it may be correct. For a name only words of the text are suggested."""
        if self.counts[word] > 1 or is_word(word, self.lang) or self._is_made_of(word):
            return None
        kinds = dict(edits(word, self.language.alphabet, self.language.spelling.slips))
        here = {other for other in kinds if other in self.counts}
        if self._is_inflected(word, {other for other in here if kinds[other] != "ending"}):
            return None
        complete = self.language.spelling.complete
        # The word is probably an unlisted form of a word that is listed with other endings.
        is_form = any(kind == "ending" and other not in here and self._is_word(other) for other, kind in kinds.items())
        if is_form and complete:
            return None
        # The dictionary is asked last: most of a hundred edits of a word are in different parts of it.
        near = [other for other, kind in kinds.items() if kind == "confused" or (kind == "other" and not is_form)]
        sure = () if name else (other for other in near if kinds[other] == "confused" or complete)
        best = {*here.intersection(near), *filter(self._is_word, sure)}
        return sorted(best, key=lambda other: (kinds[other] != "confused", -self.counts[other], other))[:2] or None

    def _is_inflected(self, word: str, near: set[str]) -> bool:
        """Whether the text has other forms of the word, which would all have to be misspelled too."""
        stem = word[: max(_SHORTEST, len(word) - _LONGEST_ENDING)]
        return any(other != word and other not in near for other in self.forms.get(stem, ()))

    def is_compound(self, word: str) -> bool:
        """Whether the word consists of two words, in a language that writes new compounds as one word."""
        compounds = self.language.spelling.compounds
        # Where a word may be two words: each has three letters or more.
        return compounds and any(self._is_word(word[:i]) and self._is_word(word[i:]) for i in range(3, len(word) - 2))

    def _is_made_of(self, word: str) -> bool:
        """Whether the word is a compound (facedown), or has a known prefix or ending (unmarked, king's)."""
        if self.is_compound(word):
            return True
        help_ = self.language.spelling
        rests = (affix.sub("", word) for affix in (help_.prefix, help_.ending) if affix is not None)
        # After a prefix, a short rest is often a word by chance.
        return any(len(rest) >= help_.shortest_rest and self._is_word(rest) for rest in rests)

    def _is_word(self, word: str) -> bool:
        return is_word(word, self.lang)
