"""What a dictionary of word forms knows."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=50_000)
def is_word(word: str, lang: str) -> bool:
    """Whether simplemma knows the form (it misses many right ones); `lang` is "en" or "uk"."""
    import simplemma  # its dictionaries cost more than all the rest

    plain = word.lower().replace("’", "'").replace("ʼ", "'")
    return bool(simplemma.is_known(plain, lang))
