"""The dictionaries of lemmas and what of them is kept on disk."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
import simplemma
from simplemma.strategies.dictionaries import DefaultDictionaryFactory

from rulespec.text.languages import dictionaries
from rulespec.text.languages.dictionaries import dictionary, is_listed, lemma

ROOT = Path(__file__).parent.parent

WORDS = ["cards", "played", "тайлів", "гравці", "мовчки", "п'ятьох", "xyzzy", "zzz", "'", "a\nb"]


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    dictionary.cache_clear()
    dictionaries._reader.cache_clear()
    dictionaries.answers.cache_clear()


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


@pytest.mark.parametrize("lang", ["en", "uk", "sv"])
def test_words_and_lemmas_are_those_of_simplemma(lang: str) -> None:
    wanted = [(simplemma.lemmatize(word, lang=lang).casefold(), simplemma.is_known(word, lang=lang)) for word in WORDS]
    assert [(lemma(word, lang), is_listed(word, lang)) for word in WORDS] == wanted


def test_the_second_process_reads_what_the_first_one_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    known = dictionary("sv")["korten"]
    dictionary.cache_clear()
    monkeypatch.setattr(dictionaries, "pack_blocks", None)
    assert dictionary("sv")["korten"] == known


def test_the_second_process_asks_no_dictionary_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = [(lemma(word, "en"), is_listed(word, "en")) for word in WORDS]
    dictionaries.keep_answers()
    dictionaries.answers.cache_clear()
    monkeypatch.setattr(dictionaries, "_reader", None)
    assert [(lemma(word, "en"), is_listed(word, "en")) for word in WORDS] == first


@pytest.mark.slow("makes the lexicons of every language")
def test_what_is_shipped_is_what_the_libraries_have() -> None:
    """Otherwise: `python scripts/lexicons.py`."""
    lexicons = runpy.run_path(str(ROOT / "scripts" / "lexicons.py"))
    shipped = {path.name: path.read_bytes() for path in lexicons["TARGET"].iterdir()}
    assert dict(lexicons["files"]()) == shipped
