"""Lookup of word forms."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=50_000)
def is_word(word: str, lang: str) -> bool:
    """Whether simplemma lists the form. It lacks many correct forms. `lang` is a language of simplemma."""
    import simplemma  # imported here because its dictionaries are slow to load

    plain = word.lower().replace("’", "'").replace("ʼ", "'")
    return bool(simplemma.is_known(plain, lang))
