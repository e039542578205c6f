"""Lemmas and forms of words, from the dictionaries of simplemma, and the words next to a word.

A dictionary stays as it is packed: looking up a word unpacks a block of a few hundred words. `compiled` lists where
blocks begin for the languages of this package; for others the whole dictionary is read once, and the list kept on disk.
"""

from __future__ import annotations

import lzma
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import accumulate, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import yaml

from rulespec.base import store

if TYPE_CHECKING:
    from simplemma import Lemmatizer
    from simplemma.strategies import DictionaryLookupStrategy

_SHIPPED = Path(__file__).with_name("compiled")

_WORDS_OF_BLOCK = 128
"""The least number of words in a block."""


class Answers(dict[str, Any]):
    """What a dictionary says of words, by word. It is kept on disk, so most texts need no dictionary."""

    def __init__(self, kind: str, dictionary: str, most: int) -> None:
        self._kind, self._most = kind, most
        self._key = store.key(dictionary, code=("text/languages",))
        super().__init__(store.get(kind, self._key) or {})
        self._kept = len(self)

    def keep(self) -> None:
        if len(self) > self._kept:
            self._kept = len(self)
            store.put(self._kind, self._key, dict(list(self.items())[-self._most :]))


_ANSWERS: list[Answers] = []


@cache
def answers(kind: str, dictionary: str, most: int = 20_000) -> Answers:
    """The answers of a dictionary. `kind` is that of their entry in the store, which has the `most` latest ones."""
    _ANSWERS.append(Answers(kind, dictionary, most))
    return _ANSWERS[-1]


def keep_answers() -> None:
    """Keeps on disk what dictionaries have said of new words."""
    for one in _ANSWERS:
        one.keep()


def lemma(word: str, lemmatiser: str) -> str:
    """The lemma of a word in a language of simplemma, in lower case; the word itself if it has none."""
    known: dict[str, str] = answers("lemmas", lemmatiser)
    if word not in known:
        known[word] = _reader()[0].lemmatize(word, lang=lemmatiser).casefold()
    return known[word]


def has_dictionary(language: str) -> bool:
    """Whether simplemma has a dictionary of a language."""
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    return language in SUPPORTED_LANGUAGES


def is_listed(word: str, lemmatiser: str) -> bool:
    """Whether the dictionary of a language of simplemma lists a word as it is written."""
    known: dict[str, bool] = answers("listed-words", lemmatiser)
    if word not in known:
        # Not the lemmatiser: for a word that is not listed it guesses by rules and parts of the word.
        known[word] = _reader()[1].get_lemma(normalize("NFC", word), lemmatiser) is not None
    return known[word]


def is_word(word: str, lang: str) -> bool:
    """Whether simplemma lists the form. It lacks many correct forms. `lang` is a language of simplemma."""
    return is_listed(word.lower().replace("’", "'").replace("ʼ", "'"), lang)


def function_words(lang: str) -> frozenset[str]:
    """The words that hold sentences of a language of simplemma together, such as articles; none if no file has them."""
    return _function_words().get(lang, frozenset())


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    table = yaml.safe_load(Path(__file__).with_name("function_words.yaml").read_text(encoding="utf-8"))
    return {lang: frozenset(words.split()) for lang, words in table.items()}


def edits(word: str, alphabet: str, confused: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """All words at edit distance 1, with the kind of edit: "start", "ending", "confused" (letters) or "other"."""
    size = len(word)
    for i in range(size + 1):
        kind = "start" if i == 0 else "ending" if i >= size - 2 else "other"
        for char in alphabet:
            yield word[:i] + char + word[i:], kind
            if i < size and char != word[i]:
                yield (
                    word[:i] + char + word[i + 1 :],
                    "confused" if kind == "other" and word[i] + char in confused else kind,
                )
        if i < size:
            yield word[:i] + word[i + 1 :], kind
        if i + 1 < size and word[i] != word[i + 1]:
            yield word[:i] + word[i + 1] + word[i] + word[i + 2 :], kind


@cache
def _reader() -> tuple[Lemmatizer, DictionaryLookupStrategy]:
    from simplemma import Lemmatizer  # importing it takes as long as reading a text
    from simplemma.strategies import DefaultStrategy, DictionaryFactory, DictionaryLookupStrategy

    class Kept(DictionaryFactory):
        """The dictionaries of simplemma as they are kept on disk."""

        def get_dictionary(self, lang: str) -> Mapping[str, str]:
            return dictionary(lang)

    return Lemmatizer(lemmatization_strategy=DefaultStrategy(dictionary_factory=Kept())), DictionaryLookupStrategy(
        Kept()
    )


@cache
def dictionary(lemmatiser: str) -> Mapping[str, str]:
    """The lemma of each word in a dictionary of simplemma. Raises ValueError if it has none for the language."""
    from simplemma.strategies.dictionaries.dictionary_factory import _read_decompressed

    packed = _read_decompressed(lemmatiser)
    with suppress(OSError, ValueError):  # of no language of this package, or of another version of simplemma
        return _Packed(packed, (_SHIPPED / f"{lemmatiser}.blocks.xz").read_bytes())
    key = store.key(lemmatiser, code=("text/languages",))
    return _Packed(packed, store.cached("dictionary", key, lambda: pack_blocks(packed)))


class _Packed(Mapping[str, str]):
    """A dictionary in the format of simplemma, of which a block is unpacked when a word in it is looked up."""

    def __init__(self, packed: bytes, blocks: bytes) -> None:
        """Raises ValueError for the blocks of another dictionary."""
        from simplemma.strategies.dictionaries import frontcode

        if not blocks.startswith(head := _head(packed)):
            raise ValueError("blocks of another dictionary")
        self._packed, self._records = packed, frontcode._iter_records
        self._is_reversed, self._count, self._start = frontcode._read_header(packed)
        rows = [row.split(b" ", 1) for row in lzma.decompress(blocks[len(head) :]).splitlines()]
        self._starts = [*accumulate(int(size) for size, _ in rows), len(packed)]
        self._first_words = [word for _, word in rows]
        self._unpacked: dict[int, dict[bytes, bytes]] = {}

    def __getitem__(self, word: str) -> str:
        key = self._stored(word.encode())
        block = bisect_right(self._first_words, key) - 1
        if block < 0:
            raise KeyError(word)
        if block not in self._unpacked:
            end = self._starts[block + 1]
            # A word is stored as what differs from the word before it. The first one of a block may stand for that.
            records = self._records(self._packed, self._starts[block], self._first_words[block])
            here = takewhile(lambda record: record[0] < end, records)
            self._unpacked[block] = {stored: lemma for _, stored, lemma in here}
        return self._stored(self._unpacked[block][key]).decode()

    def _stored(self, word: bytes) -> bytes:
        return word[::-1] if self._is_reversed else word

    def __iter__(self) -> Iterator[str]:
        return (self._stored(word).decode() for _, word, _ in self._records(self._packed, self._start))

    def __len__(self) -> int:
        return self._count


def pack_blocks(packed: bytes) -> bytes:
    """The places where blocks of a dictionary in the format of simplemma begin, with their first words."""
    from simplemma.strategies.dictionaries import frontcode

    rows, last, next_, before = [], 0, 0, b""
    for number, (start, word, lemma) in enumerate(frontcode._iter_records(packed, frontcode._read_header(packed)[2])):
        # The lemma of the word before may be left out of a record: no block begins with such a one.
        if number >= next_ and lemma != before:
            rows.append(b"%d %s" % (start - last, word))
            last, next_ = start, number + _WORDS_OF_BLOCK
        before = lemma
    return _head(packed) + lzma.compress(b"\n".join(rows))


def _head(packed: bytes) -> bytes:
    """The start of a list of blocks, which says of which dictionary they are."""
    return f"{len(packed)} {zlib.crc32(packed)}\n".encode()
