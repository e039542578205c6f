"""Lemmas and forms of words, from the dictionaries of simplemma, and the words next to a word.

A dictionary stays as it is packed: looking up a word unpacks a few of its neighbours. The list of the places where one
can begin is kept on disk, because making it takes longer than reading a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from rulespec.base import store

if TYPE_CHECKING:
    from simplemma import Lemmatizer
    from simplemma.strategies import DictionaryLookupStrategy


def lemma(word: str, lemmatiser: str) -> str:
    """The lemma of a word in a language of simplemma, in lower case; the word itself if it has none."""
    return _reader()[0].lemmatize(word, lang=lemmatiser).casefold()


def has_dictionary(language: str) -> bool:
    """Whether simplemma has a dictionary of a language."""
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    return language in SUPPORTED_LANGUAGES


def is_listed(word: str, lemmatiser: str) -> bool:
    """Whether the dictionary of a language of simplemma lists a word as it is written."""
    # Not the lemmatiser: for a word that is not listed it guesses by rules and parts of the word.
    return _reader()[1].get_lemma(normalize("NFC", word), lemmatiser) is not None


@lru_cache(maxsize=50_000)
def is_word(word: str, lang: str) -> bool:
    """Whether simplemma lists the form. It lacks many correct forms. `lang` is a language of simplemma."""
    return is_listed(word.lower().replace("’", "'").replace("ʼ", "'"), lang)


def function_words(lang: str) -> frozenset[str]:
    """The words that hold sentences of a language of simplemma together, such as articles; none if no file has them."""
    return _function_words().get(lang, frozenset())


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    import yaml

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
    from simplemma.strategies import StreamDictionaryFactory

    key = store.key(lemmatiser, code=("text/languages",))
    return store.cached("dictionary", key, lambda: StreamDictionaryFactory().get_dictionary(lemmatiser))
