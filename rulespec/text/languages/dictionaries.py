"""Lemmas of words, from the dictionaries of simplemma.

Decoding a dictionary takes longer than checking a text. It is kept on disk as sorted lines in blocks, of which only
the one that may have a word is searched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING
from unicodedata import normalize

from rulespec.store import Store, key_of

if TYPE_CHECKING:
    from simplemma import Lemmatizer
    from simplemma.strategies import DictionaryLookupStrategy

DICTIONARIES = Store("dictionaries", most_entries=6)
"""An entry takes 3 to 25 MB."""

_BLOCK = 64
"""The words in a block. Searching a block of this size takes as long as finding it."""

_FORMAT = "lines in blocks, 1"


def lemma(word: str, lemmatiser: str) -> str:
    """The lemma of a word in a language of simplemma, in lower case; the word itself if it has none."""
    return _reader()[0].lemmatize(word, lang=lemmatiser).casefold()


def is_listed(word: str, lemmatiser: str) -> bool:
    """Whether the dictionary of a language of simplemma lists a word as it is written."""
    return _reader()[1].get_lemma(normalize("NFC", word), lemmatiser) is not None


@cache
def _reader() -> tuple[Lemmatizer, DictionaryLookupStrategy]:
    from simplemma import Lemmatizer  # importing it takes as long as reading a text
    from simplemma.strategies import DefaultStrategy, DictionaryLookupStrategy
    from simplemma.strategies.dictionaries import DictionaryFactory

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
    key = _key(lemmatiser)
    content = DICTIONARIES.read(key)
    if content is not None:
        return Lines(content)
    from simplemma.strategies.dictionaries import DefaultDictionaryFactory

    words = DefaultDictionaryFactory().get_dictionary(lemmatiser)
    if DICTIONARIES.is_writable():
        DICTIONARIES.write(key, written(words))
    return words


def decode(lemmatiser: str) -> None:
    """Decodes a dictionary that is not kept, so that processes which are forked from this one need not."""
    if not DICTIONARIES.has(_key(lemmatiser)):
        dictionary(lemmatiser)


def _key(lemmatiser: str) -> str:
    return key_of((_FORMAT, version("simplemma"), lemmatiser))


def written(words: Mapping[str, str]) -> bytes:
    """A dictionary as sorted lines of a word and its lemma, in blocks. Words with control characters are left out."""
    pairs = sorted((word.encode(), stem.encode()) for word, stem in words.items() if (word + stem).isprintable())
    every = [b"\t".join(pair) for pair in pairs]
    blocks = (every[at : at + _BLOCK] for at in range(0, len(every), _BLOCK))
    return b"\0".join(b"\n" + b"\n".join(block) + b"\n" for block in blocks)


class Lines(Mapping[str, str]):
    """A dictionary in the form of `written`."""

    def __init__(self, content: bytes) -> None:
        self._blocks = content.split(b"\0") if content else []
        self._firsts = [block[1 : block.index(b"\t")] for block in self._blocks]

    def __getitem__(self, word: str) -> str:
        key = word.encode("utf-8", "replace")
        block = self._blocks[max(0, bisect_right(self._firsts, key) - 1)] if self._blocks else b""
        at = block.find(b"\n" + key + b"\t")
        if at < 0:
            raise KeyError(word)
        start = at + len(key) + 2
        return block[start : block.index(b"\n", start)].decode()

    def __iter__(self) -> Iterator[str]:
        for block in self._blocks:
            yield from (line.partition(b"\t")[0].decode() for line in block.split(b"\n")[1:-1])

    def __len__(self) -> int:
        return sum(block.count(b"\n") - 1 for block in self._blocks)
