"""The dictionaries of lemmas and what of them is kept on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
import simplemma
from simplemma.strategies.dictionaries import DefaultDictionaryFactory

from rulespec.text.languages import dictionaries
from rulespec.text.languages.dictionaries import dictionary, is_listed, lemma

WORDS = ["cards", "played", "тайлів", "гравці", "мовчки", "п'ятьох", "xyzzy", "zzz", "'", "a\nb"]


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    dictionary.cache_clear()
    dictionaries._reader.cache_clear()


@pytest.mark.parametrize("lang", ["en", "uk"])
def test_a_kept_dictionary_is_that_of_simplemma(lang: str) -> None:
    known = DefaultDictionaryFactory().get_dictionary(lang)
    dictionary(lang)
    dictionary.cache_clear()
    kept = dictionary(lang)
    every = list(known)
    assert len(kept) == len(known)
    assert {word: kept.get(word) for word in every[::97]} == {word: known[word] for word in every[::97]}
    assert not any(word + "q" in kept for word in every[::997] if word + "q" not in known)


@pytest.mark.parametrize("lang", ["en", "uk"])
def test_the_second_process_reads_what_the_first_one_kept(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = [(lemma(word, lang), is_listed(word, lang)) for word in WORDS]
    dictionary.cache_clear()
    dictionaries._reader.cache_clear()
    monkeypatch.setattr("simplemma.strategies.StreamDictionaryFactory", None)
    assert [(lemma(word, lang), is_listed(word, lang)) for word in WORDS] == first
    wanted = [(simplemma.lemmatize(word, lang=lang).casefold(), simplemma.is_known(word, lang=lang)) for word in WORDS]
    assert first == wanted
