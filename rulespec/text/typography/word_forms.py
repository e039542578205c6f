"""Lookup of word forms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulespec.text.languages.dictionaries import is_listed


@lru_cache(maxsize=50_000)
def is_word(word: str, lang: str) -> bool:
    """Whether simplemma lists the form. It lacks many correct forms. `lang` is a language of simplemma."""
    plain = word.lower().replace("’", "'").replace("ʼ", "'")
    return is_listed(plain, lang)


def edits(word: str, alphabet: str, confused: frozenset[str]) -> Iterator[tuple[str, str]]:
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
