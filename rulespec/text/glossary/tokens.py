"""Splits a text into words that match by lemma, or by character in languages without spaces."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from rulespec.text.languages.dictionaries import is_listed, lemma
from rulespec.text.languages.quantity.spelled import marks
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import depends, find

_REMEMBERED = 2**16
"""The size of the word caches. A rulebook has a few thousand different words."""


class Joint(IntEnum):
    """The separator between a word and the previous one."""

    NEXT = 0  # does not separate a phrase: a space, a hyphen, emphasis marks
    APART = 1  # another separator within the sentence
    END = 2  # the end of a sentence or paragraph


class Token(NamedTuple):
    """A word, or a character of a script without spaces, at `text[start:end]`. Words match if they share a key."""

    start: int
    end: int
    raw: str
    keys: tuple[str, ...]
    joint: Joint


# Combining marks, joiners and soft hyphens belong to the word, but `re` does not count them as letters.
_LETTERS = f"(?:[^\\W_]|[{marks()}\u200d\u00ad])"
_WORD = re.compile(rf"[^\W_]{_LETTERS}*(?:['’ʼ][^\W_]{_LETTERS}*)*")
_IS_HAN = "[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
# Particles and endings are in hiragana, which stands next to words of other scripts without a space. Thai, Lao, Burmese
# and Khmer have no spaces either; their vowel signs are no letters to `re`.
_ALONE = f"(?:{_IS_HAN}|[\u3041-\u3096\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])"
_KATAKANA = "[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f]"
_HAN = re.compile(rf"\d+|{_ALONE}|{_KATAKANA}+|(?:(?!{_ALONE}|{_KATAKANA})[^\W\d_])+")

# Possessive: a long run of blanks or stars is read once, not once from each of its characters.
_EMPHASIS = "[*_\"“”„«»'’]*+"
_BREAK = r"[^\S\r\n]*+(?:\r\n|\r|\n)?[^\S\r\n]*+"
_NEXT = re.compile(rf"{_EMPHASIS}[-‐‑]?{_BREAK}{_EMPHASIS}")
# Chinese has no spaces between words, so a line break usually ends a heading.
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


@depends
@lru_cache(maxsize=_REMEMBERED)
def _read_word(word: str, lang: str) -> tuple[str, tuple[str, ...]]:
    raw = _small(word)
    return raw, keys_of(raw, lang)


@lru_cache(maxsize=_REMEMBERED)
def _joint(between: str, next_: re.Pattern[str]) -> Joint:
    # Nearly all words are separated by one space, so this comes first.
    if between in ("", " ") or next_.fullmatch(between):
        return Joint.NEXT
    return Joint.END if _END.search(between) else Joint.APART


def plain(phrase: str) -> str:
    """A normalised phrase. Phrases that the finder cannot distinguish have the same form."""
    return " ".join(re.split(r"[\s\-‐‑]+", _small(phrase).strip()))


def has_word(phrase: str, lang: str) -> bool:
    """Whether a phrase contains a word."""
    return (_WORD if find(lang).spaced else _HAN).search(phrase) is not None


def _small(text: str) -> str:
    # Some books print stress marks, which are not part of the spelling.
    # NFC first: then an accent that belongs to a letter (é) is no sign of its own, and stays.
    plain = normalize("NFC", text).casefold().replace("\u00ad", "").replace("\u0301", "")
    return plain.replace("’", "'").replace("ʼ", "'")


# --- when two words are the same -------------------------------------------------------------------------------------


@depends
@lru_cache(maxsize=_REMEMBERED)
def keys_of(raw: str, lang: str) -> tuple[str, ...]:
    """The keys of a word in lower case: the word, its lemma, and its stems if no dictionary lists it."""
    language = find(lang)
    if not language.lemmatiser:
        return (raw,)
    bare = raw.removesuffix(language.possessive) if language.possessive else raw
    stems = () if is_known(bare, lang) else stems_of(raw, language)
    return tuple(dict.fromkeys((raw, bare, lemma(bare, language.lemmatiser), *stems)))


def is_known(word: str, lang: str) -> bool:
    """Whether the dictionary of a language lists a word in lower case; False if it has no lemmatiser."""
    lemmatiser = find(lang).lemmatiser
    return bool(lemmatiser) and is_listed(word, lemmatiser)


def term_keys(word: Token, language: Language) -> frozenset[str]:
    """The keys of a word of a term: those of a word of a text, and its stems even if a dictionary lists the word, since
    it may list some forms of a term only."""
    return frozenset((*word.keys, *stems_of(word.raw, language)))


_SHORTEST_STEM = 4
"""The least letters of a stem. Shorter stems are shared by unrelated words."""


def stems_of(word: str, language: Language) -> tuple[str, ...]:
    """The word without each of its possible endings. Stems are marked with ~, so that a stem never equals a word."""
    endings = (ending.strip(".") for ending in language.endings)
    cut = (word.removesuffix(ending) for ending in endings if word.endswith(ending))
    return tuple(f"~{stem}" for stem in dict.fromkeys(cut) if len(stem) >= _SHORTEST_STEM)
