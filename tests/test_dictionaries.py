"""The dictionaries of lemmas as they are kept on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
import simplemma
from simplemma.strategies.dictionaries import DefaultDictionaryFactory

from rulespec.text.languages import dictionaries
from rulespec.text.languages.dictionaries import DICTIONARIES, Lines, decode, dictionary, is_listed, lemma, written

WORDS = ["cards", "played", "тайлів", "гравці", "мовчки", "п'ятьох", "xyzzy", "zzz", "'"]


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    dictionary.cache_clear()


@pytest.mark.parametrize("lang", ["en", "uk"])
def test_a_kept_dictionary_is_that_of_simplemma(lang: str) -> None:
    known = DefaultDictionaryFactory().get_dictionary(lang)
    kept = Lines(written(known))
    assert len(kept) == len(known)
    every = list(known)
    assert all(kept[word] == known[word] for word in every[::97] + every[:70] + every[-70:])
    assert {word: kept.get(word) for word in every[::97]} == {word: known[word] for word in every[::97]}
    assert not any(word + "q" in kept for word in every[::997] if word + "q" not in known)
    assert list(kept)[:100] == sorted(known, key=lambda word: word.encode())[:100]


def test_no_words() -> None:
    assert dict(Lines(written({}))) == {}
    assert Lines(b"").get("") is None


@pytest.mark.parametrize("lang", ["en", "uk"])
def test_the_second_process_reads_what_the_first_one_kept(lang: str) -> None:
    first = [(lemma(word, lang), is_listed(word, lang)) for word in WORDS]
    assert len(list(DICTIONARIES.folder().iterdir())) == 1
    dictionary.cache_clear()
    dictionaries._reader.cache_clear()
    assert isinstance(dictionary(lang), Lines)
    assert [(lemma(word, lang), is_listed(word, lang)) for word in WORDS] == first
    wanted = [(simplemma.lemmatize(word, lang=lang).casefold(), simplemma.is_known(word, lang=lang)) for word in WORDS]
    assert first == wanted


def test_a_dictionary_that_is_kept_is_not_decoded_before_it_is_needed() -> None:
    decode("en")
    assert len(list(DICTIONARIES.folder().iterdir())) == 1 == dictionary.cache_info().currsize
    dictionary.cache_clear()
    decode("en")
    assert dictionary.cache_info().currsize == 0


def test_a_word_that_no_dictionary_can_have() -> None:
    kept = Lines(written({"card": "card", "cards": "card", "bad\tword": "bad"}))
    assert [kept.get(word) for word in ("cards", "card", "bad\tword", "a\nb", "\ud800", "")] == [
        "card",
        "card",
        None,
        None,
        None,
        None,
    ]


def test_a_damaged_entry_is_written_again() -> None:
    dictionary("en")
    (entry,) = DICTIONARIES.folder().iterdir()
    entry.write_bytes(entry.read_bytes()[:-100])
    dictionary.cache_clear()
    assert dictionary("en")["cards"] == "card"
    dictionary.cache_clear()
    assert isinstance(dictionary("en"), Lines)


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert dictionary("en")["cards"] == "card"
    assert not DICTIONARIES.is_writable()
