"""Running text as words that can be compared: by lemma in English and Ukrainian, by character in Chinese."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from rulespec.text.languages import Language, find

__all__ = ["Joint", "Token", "has_word", "is_known", "keys_of", "plain", "read", "stems_of"]


_REMEMBERED = 2**16
"""How many different words are remembered: more than any rulebook has."""


class Joint(IntEnum):
    """What stands between a word and the one before it."""

    NEXT = 0  # nothing that parts a phrase: a space, a hyphen, marks of emphasis
    APART = 1  # something else within the sentence
    END = 2  # the end of a sentence or paragraph


class Token(NamedTuple):
    """A word (or a Chinese character) at `text[start:end]`; two words are the same where they share a key."""

    start: int
    end: int
    raw: str
    keys: tuple[str, ...]
    joint: Joint


# Marks that a letter carries and soft hyphens belong to the word; for `re` they are no letters.
_LETTERS = "(?:[^\\W_]|[\u0300-\u036f\u00ad])"
_WORD = re.compile(rf"[^\W_]{_LETTERS}*(?:['’ʼ][^\W_]{_LETTERS}*)*")
_IS_HAN = "[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
_HAN = re.compile(rf"{_IS_HAN}|\d+|(?:(?!{_IS_HAN})[^\W\d_])+")

# Possessive: a long run of blanks or stars is read once, not once from each of its characters.
_EMPHASIS = "[*_\"“”„«»'’]*+"
_BREAK = r"[^\S\r\n]*+(?:\r\n|\r|\n)?[^\S\r\n]*+"
_NEXT = re.compile(rf"{_EMPHASIS}[-‐‑]?{_BREAK}{_EMPHASIS}")
# Chinese needs no spaces, so a line break is more often the end of a heading than a place inside a word.
_NEXT_HAN = re.compile(r"[^\S\r\n]?[*_]*[^\S\r\n]?")
_END = re.compile(r"[.!?…。！？]|(?:\r\n|\r|\n)\s*(?:\r\n|\r|\n|[-*•·–—|#+]|\d+[.)])")


def read(text: str, lang: str) -> list[Token]:
    """The words of a text in a language (a BCP 47 tag), in order."""
    pattern, next_ = (_WORD, _NEXT) if find(lang).spaced else (_HAN, _NEXT_HAN)
    tokens: list[Token] = []
    at = 0
    for found in pattern.finditer(text):
        start, end = found.span()
        raw, keys = _read_word(found[0], lang)
        tokens.append(Token(start, end, raw, keys, _joint(text[at:start], next_)))
        at = end
    return tokens


@lru_cache(maxsize=_REMEMBERED)
def _read_word(word: str, lang: str) -> tuple[str, tuple[str, ...]]:
    raw = _small(word)
    return raw, keys_of(raw, lang)


@lru_cache(maxsize=_REMEMBERED)
def _joint(between: str, next_: re.Pattern[str]) -> Joint:
    if between in ("", " ") or next_.fullmatch(between):
        return Joint.NEXT
    return Joint.END if _END.search(between) else Joint.APART


def plain(phrase: str) -> str:
    """A phrase in the form in which two spellings that the finder cannot tell apart are the same text."""
    return " ".join(re.split(r"[\s\-‐‑]+", _small(phrase).strip()))


def has_word(phrase: str, lang: str) -> bool:
    """Whether there is anything in a phrase to find it by."""
    return (_WORD if find(lang).spaced else _HAN).search(phrase) is not None


def _small(text: str) -> str:
    # A stress mark is no letter: it tells readers how to say the word, and only some books print it.
    plain = normalize("NFC", text).casefold().replace("\u00ad", "").replace("\u0301", "")
    return plain.replace("’", "'").replace("ʼ", "'")


# --- when two words are the same -------------------------------------------------------------------------------------


@lru_cache(maxsize=_REMEMBERED)
def keys_of(raw: str, lang: str) -> tuple[str, ...]:
    """What a word in small letters is known by: itself, its lemma, and its stems where no dictionary has it."""
    language = find(lang)
    if not language.lemmatiser:
        return (raw,)
    bare = raw.removesuffix(language.possessive) if language.possessive else raw
    stems = () if is_known(bare, lang) else stems_of(raw, language)
    return tuple(dict.fromkeys((raw, bare, _lemma(bare, language.lemmatiser), *stems)))


@lru_cache(maxsize=_REMEMBERED)
def _lemma(word: str, lang: str) -> str:
    import simplemma  # its dictionaries cost more than all the rest

    return simplemma.lemmatize(word, lang=lang).casefold()


@lru_cache(maxsize=_REMEMBERED)
def is_known(word: str, lang: str) -> bool:
    """Whether the dictionary of a language has a word in small letters; never where it has no lemmatiser."""
    import simplemma

    lemmatiser = find(lang).lemmatiser
    return bool(lemmatiser) and simplemma.is_known(word, lang=lemmatiser)


_SHORTEST_STEM = 4


def stems_of(word: str, language: Language) -> tuple[str, ...]:
    """A word without each ending of the language that it has; marked, so that a stem never equals a word."""
    endings = (ending.strip(".") for ending in language.endings)
    cut = (word.removesuffix(ending) for ending in endings if word.endswith(ending))
    return tuple(f"~{stem}" for stem in dict.fromkeys(cut) if len(stem) >= _SHORTEST_STEM)
