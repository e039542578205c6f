"""The words of a text, without what does not change them: two texts with the same words need no new reading."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from unicodedata import normalize

import regex

_CHINESE = r"[\p{Han}\u3000-\u303F\uFF00-\uFF65]"

# Apostrophes before quotation marks, because only the letters around `'` show which of the two it is; spaces come last,
# because other steps leave some.
SET_ASIDE: tuple[tuple[str, str, str], ...] = (
    ("invisible signs", r"[\u00AD\u200B-\u200D\u2060\uFEFF]", ""),
    ("kinds of apostrophes", r"[’‘‛ʼ`´＇]", "'"),
    ("quotation marks", r"[\"“”„‟«»‹›‚「」『』﹁﹂﹃﹄〝〞＂]|(?<!\w)'|'(?!\w)", ""),
    ("list marks", r"(?m)^[ \t]*[-*+•·][ \t]+", "- "),
    ("emphasis", r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)", ""),
    ("spaces and line breaks", r"\s+", " "),
    ("spaces beside Chinese characters and signs", rf"(?<={_CHINESE}) | (?={_CHINESE})", ""),
)
"""What is put aside, in this order, after the text is in NFC (Unicode Standard Annex 15): what it is, where it is found
and what takes its place. `tests/wording.yaml` has texts with the same words and with others."""

_DIGITS = 8
"""32 bits: another text has the same digits in one case of 4 billion, and a seal stays short."""


def words(text: str) -> str:
    """The words of a text in one line."""
    text = normalize("NFC", text)
    for _, pattern, instead in SET_ASIDE:
        text = regex.sub(pattern, instead, text)
    return text.strip()


def unmarked(text: str) -> str:
    """A text without marks of emphasis, as it is quoted."""
    pattern = next(pattern for name, pattern, _ in SET_ASIDE if name == "emphasis")
    return regex.sub(pattern, "", text)


def digest(parts: Iterable[str]) -> str:
    """Eight hexadecimal digits for the words of the parts of a text (title, text, worked examples)."""
    # No file may have a null character (`characters.FORBIDDEN`), so it can be in none of the parts.
    return hashlib.sha256("\0".join(map(words, parts)).encode()).hexdigest()[:_DIGITS]
