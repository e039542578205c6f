"""Characters that cannot be seen, since they steer a terminal or reorder text, and how to show them; capitals."""

from __future__ import annotations

import re
import unicodedata

from rulespec.base.messages import Message, any_of, counted, quoted, say

# Contents of regular-expression classes, so that other patterns can build on them.
BIDI = "\u202a-\u202e\u2066-\u2069"
"""Embeddings, overrides and isolates: they reorder the text around them (Unicode TR #9; CVE-2021-42574)."""
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and line feed, DEL, C1
# Separators, deprecated formats, annotations, noncharacters, tags.
_FORMATS = "\u2028\u2029\u206a-\u206f\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f"
_BLANKS = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2060-\u2065\u3164\ufeff\uffa0"
# Joiners and variation selectors belong to emoji, Arabic, Indic scripts and rare Han forms. After a letter of another
# alphabet they change nothing that can be seen.
# The look-behind stands last, so that it is tried only at such a character.
_JOINERS = "[\u200c\u200d](?<![\u0600-\u1fff\u2070-\u2fff\ua000-\U000dffff].)"
_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef](?<![0-9#*\u00a9\u00ae\u0600-\u1fff\u203c-\ufdff\ufe10-\U000dffff].)"

STEERING = re.compile(f"[{_CONTROLS}{BIDI}{_FORMATS}]")
"""Characters that steer a terminal or the direction of text. No text of a game needs one."""
# Without `\x85`, the line break NEL, which YAML calls printable.
FORBIDDEN = re.compile(
    f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff{BIDI}\U000e0000-\U000e007f]"
)
"""What no file may have: what YAML calls not printable, a byte order mark that is not at the very start, and what
reorders the text around it."""
_BREAKING = re.compile(f"{STEERING.pattern}|{FORBIDDEN.pattern}")
UNSEEN = re.compile(f"[{_CONTROLS}{BIDI}{_FORMATS}{_BLANKS}\ud800-\udfff]|{_JOINERS}|{_SELECTORS}")
"""All characters that `visible` escapes."""


# What looks like an ordinary character, or like nothing: contents of classes, what was meant, and what it is.
_IMPOSTORS = (
    ("\u00a0\u202f", " ", say("a no-break space")),
    ("\u3000", "  ", say("an ideographic space")),
    ("\u1680\u2000-\u200a\u205f", " ", say("a typographic space")),
    ("\u2010-\u2015\ufe58\ufe63\uff0d", "-", say("a dash")),
    ("\u2212", "-", say("a minus sign")),
    ("\u2236\ua789\ufe55\uff1a", ":", say("a full-width colon")),
    ("\ufe50\uff0c", ",", say("a full-width comma")),
    ("\u3001\ufe51\uff64", ",", say("an ideographic comma")),
    ("\u2025\u2026", "..", say("an ellipsis")),
    ("×", "*", say("a mathematical sign")),
    ("≤", "<=", say("a mathematical sign")),
    ("≥", ">=", say("a mathematical sign")),
    ("≠", "!=", say("a mathematical sign")),
    (f"{_BLANKS}\u200c\u200d", "", say("an invisible character")),
    *((chr(code + 0xFEE0), chr(code), say("a full-width character")) for code in range(0x21, 0x7F)),
)
IMPOSTORS = re.compile(f"([{''.join(signs for signs, _, _ in _IMPOSTORS)}])\\1*")
"""A run of a character that looks like an ordinary one, or like nothing."""


def unmasked(impostor: str) -> tuple[str, Message, Message]:
    """The ordinary characters that one was meant to be, "" for one that cannot be seen; what it is; what to do."""
    meant, name = next((meant, name) for signs, meant, name in _IMPOSTORS if re.match(f"[{signs}]", impostor))
    spaces = say("Write an ordinary space.") if meant else say("Delete it.")
    hint = say("Write `{better}`.", better=meant) if meant.strip() else spaces
    return meant, say("U+{code:04X}, {name}, is here.", code=ord(impostor), name=name), hint


def capital(text: str) -> str:
    """The text with a capital letter at its start, if it starts with a letter."""
    return text[:1].upper() + text[1:]


def visible(text: str) -> str:
    r"""The text with every steering or invisible character as its escape, such as `\u202e`.

    Tabs and line feeds stay.
    """
    return UNSEEN.sub(lambda found: escaped(found[0]), text)


def one_line(text: str) -> str:
    """The text on one line: a blank for each run of blanks, line feeds and characters that no file may have."""
    return " ".join(_BREAKING.sub(" ", text).split())


def escaped(character: str) -> str:
    r"""The escape of one character: `\u001b`, or `\U000e0041` beyond the basic plane."""
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


# Small and capital letters of other alphabets that look like those of ASCII, as Unicode's confusables list has them.
_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅοναικρτΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijshdqwABEKMHOPCTYXIJSovaikptABEZHIKMNOPTYX"
)


def latin(word: str) -> str:
    """The word with Latin letters in place of those that look like them; "" if that is no word of ASCII."""
    written = word.translate(_ALIKE)
    return written if written != word and written.isascii() else ""


def alike(word: str) -> Message:
    """What the letters of a word that are no Latin ones are, in words: "с, о are Cyrillic letters"."""
    letters = list(dict.fromkeys(letter for letter in word if not letter.isascii()))
    scripts = sorted({unicodedata.name(letter).split()[0].capitalize() for letter in letters})
    return counted(
        "{letters} is a {scripts} letter",
        "{letters} are {scripts} letters",
        len(letters),
        letters=quoted(letters),
        scripts=any_of([say(script) for script in scripts]),
    )
