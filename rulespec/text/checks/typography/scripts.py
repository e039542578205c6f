"""Letters of the wrong alphabet: in words, alone, and in Roman numerals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import all_of, say
from rulespec.text.checks.typography.layout import folded, language, layout_of
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.reading.prose import Prose

_WORD = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}\p{M}]+(?:['’ʼ][\p{Latin}\p{Cyrillic}\p{Greek}\p{M}]+)*")
_SCRIPTS: dict[str, Pattern] = {
    name: regex.compile(rf"\p{{{name}}}") for name in (say("Latin"), say("Cyrillic"), say("Greek"))
}
_RUNS = regex.compile(r"\p{Latin}+|\p{Cyrillic}+|\p{Greek}+")

# Only pairs that look identical. The Unicode table of confusables also has pairs that readers can distinguish.
_LATIN_OF = str.maketrans("АВЕІЈКМНОРСТУХЅаеіјорсухѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEIJKMHOPCTYXSaeijopcyxsABEZHIKMNOPTYXo")
_LOOKALIKE = regex.compile("[АВЕІЈКМНОРСТУХЅаеіјорсухѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]")
_LATIN_LOOKALIKES = frozenset("ABEIJKMHOPCTYXaceijopxy")


def mixed_scripts(prose: Prose) -> Iterator[Finding]:
    """Words with letters of two alphabets: one finding per word."""
    layout = layout_of(prose.text)
    for match in _WORD.finditer(layout.plain):
        word = match[0]
        scripts = [name for name, letter in _SCRIPTS.items() if letter.search(word)]
        if len(scripts) > 1 and not _is_honest(word):
            stranger = _stranger(word, scripts)
            message = say(
                "“{word}” mixes {scripts} letters: {stranger}.",
                word=word,
                scripts=all_of(list(scripts)),
                stranger=stranger,
            )
            hint = say("Type the word again in one alphabet.")
            yield prose.say("mixed-scripts", message, *layout.place(match.start(), match.end()), hint)


def _is_honest(word: str) -> bool:
    """Whether the mix is intended: an abbreviation with an ending (SMSки), or the prefix of a unit (μm)."""
    runs = [run[0] for run in _RUNS.finditer(word)]
    if len(runs) != 2 or _SCRIPTS["Greek"].search(runs[0]):
        return len(runs) == 2 and len(runs[0]) == 1 and runs[0] not in "οΟ"
    latin = runs[0] if _SCRIPTS["Latin"].search(runs[0]) else runs[1]
    return min(len(run) for run in runs) > 1 and not set(latin) <= _LATIN_LOOKALIKES


def _stranger(word: str, scripts: list[str]) -> str:
    counts = {name: len(_SCRIPTS[name].findall(word)) for name in scripts}
    fewest = min(scripts, key=lambda name: counts[name])
    letters = list(dict.fromkeys(_SCRIPTS[fewest].findall(word)))
    return say("{letters}", letters=[say("“{letter}” is {script}", letter=letter, script=fewest) for letter in letters])


_OPEN, _CLOSE = "\"'«“„‘「『(（\\[", "\"'»”“’」』)）\\]"
_QUOTED = regex.compile(rf"(?<=[{_OPEN}])\p{{L}}(?=[{_CLOSE}])")


@cache
def _cued(language: Language) -> Pattern:
    """A letter behind a word such as "letter"."""
    words = language.letter_words or "(?!)"
    if language.spaced:
        return regex.compile(rf"\b(?i:{words})\s+([\p{{Lu}}])(?!['’ʼ]?[\p{{L}}])", regex.I)
    return regex.compile(
        rf"(?:{words})\s?([\p{{Latin}}\p{{Cyrillic}}\p{{Greek}}])(?![\p{{Latin}}\p{{Cyrillic}}\p{{Greek}}])"
    )


@cache
def _range(language: Language) -> Pattern:
    """Two letters with a dash or a word such as "to" between them."""
    space = r"\s" if language.spaced else ""
    until = rf"{space}(?:{'|'.join(language.until) or '(?!)'}){space}"
    return regex.compile(rf"(?<![\p{{L}}\d])([\p{{Lu}}])(?:\s?[–—~-]\s?|{until})([\p{{Lu}}])(?![\p{{L}}\d])")


_ENTRY = regex.compile(r"(?<![\p{L}\d])([\p{Lu}])(?:(?=[、,，/] ?[\p{Lu}](?![\p{L}\d])))")
_AFTER_ENTRY = regex.compile(r"(?<=(?<![\p{L}\d])[\p{Lu}][、,，/] ?)([\p{Lu}])(?![\p{L}\d])")


def lookalike_letters(prose: Prose, letters: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Single letters that belong to another alphabet than they seem. `letters` are those on the game's cards."""
    text, layout = prose.text, layout_of(prose.text)
    if language(prose).script == "Cyrillic":
        places = {
            *_cyrillic_series(prose, letters),
            *_capitals(prose, letters),
            *_latin_words(prose),
            # Roman numerals typed in Cyrillic.
            *layout.found(_NUMERAL),
            *layout.found(_LINE_NUMERAL, group=1),
        }
    else:
        places = set(_strays(prose))
    hint = say("Type the letter in that alphabet. Otherwise a search does not find it.")
    by_letter: dict[str, list[tuple[int, int]]] = {}
    for start, end in sorted(places):
        by_letter.setdefault(text[start:end], []).append((start, end))
    for letter, found in by_letter.items():
        is_latin = _SCRIPTS["Latin"].search(letter) is not None
        script = next((name for name, pattern in _SCRIPTS.items() if pattern.search(letter)), say("foreign"))
        ours, seems = script, say("Cyrillic") if is_latin else say("Latin")
        message = say(
            "“{letter}” is a {ours} letter. A {seems} letter is meant.", letter=letter, ours=ours, seems=seems
        )
        yield from folded(prose, "lookalike-letter", found, message, hint)


def _lone(plain: str, language: Language) -> list[tuple[int, int]]:
    """Spans of single letters that are names: quoted, after "letter", in ranges and series."""
    found = {match.span() for match in _QUOTED.finditer(plain)}
    for pattern in (_cued(language), _ENTRY, _AFTER_ENTRY):
        found |= {match.span(1) for match in pattern.finditer(plain)}
    for match in _range(language).finditer(plain):
        found |= {match.span(1), match.span(2)}
    return sorted(found)


def _cyrillic_series(prose: Prose, letters: frozenset[str]) -> Iterator[tuple[int, int]]:
    layout = layout_of(prose.text)
    lone = [(span, layout.plain[span[0]]) for span in _lone(layout.plain, language(prose))]
    upper = [(span, letter) for span, letter in lone if letter.isupper()]
    latin = {letter for _, letter in upper if _SCRIPTS["Latin"].search(letter)}
    # Б, Г, Д, … have no Latin look-alike: if one of them is in the series, the series is Cyrillic.
    cyrillic = any(_SCRIPTS["Cyrillic"].search(letter) and not _LOOKALIKE.search(letter) for _, letter in upper)
    for span, letter in upper:
        twin = letter.translate(_LATIN_OF)
        wanted = twin in letters or (bool(latin) and not cyrillic)
        if (twin != letter and wanted) or (cyrillic and letter not in letters and letter in latin & _LATIN_LOOKALIKES):
            yield layout.place(*span)


@cache
def _capital(language: Language) -> Pattern:
    """A single Cyrillic capital inside a sentence.

    Before a full stop and a capital, a letter is an initial, unless a word such as "літера" precedes it.
    """
    return regex.compile(
        r"(?<=[\p{L}\d]{2}[,»”)*]*[ \t]|(?<![\p{L}\d])[\p{Ll}\d][,»”)*]*[ \t])(\p{Cyrillic})(?<=\p{Lu})"
        r"(?=[,;:!?)»”]|\s+\p{Ll}|\s+[–—]|\s*$|\.(?![ \t]+\p{Lu})"
        rf"|(?<=\b(?:{language.before_letter or '(?!)'}) \p{{Lu}})\.)",
        regex.M,
    )


_SHOUTED = regex.compile(r"\p{Lu}{2}[,»”)*]*[ \t]$")


def _capitals(prose: Prose, letters: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Single capitals inside a sentence that look like letters of the cards ("the letter nearest to A")."""
    layout = layout_of(prose.text)
    for match in _capital(language(prose)).finditer(layout.plain):
        shouted = _SHOUTED.search(layout.plain[max(0, match.start() - 8) : match.start()])
        if match[1].translate(_LATIN_OF) in letters - {match[1]} and not shouted:
            yield layout.place(*match.span(1))


@cache
def _latin_word(language: Language) -> Pattern:
    """A one-letter word typed on a Latin keyboard."""
    words = language.latin_words or "(?!)"
    return regex.compile(rf"(?m)(?:(?<=\s)|^|(?<=[(«„“])){words}(?=[ \t]*+\n?[ \t]*+[\p{{Cyrillic}}\d«„“(*])(?=\s)")


_OTHER_LATIN = regex.compile(r"(?<![\p{L}\d'’.])[b-dfghj-npq-xz](?![\p{L}\d'’])")
_BESIDE_LATIN = regex.compile(r"\p{Latin}{2}['’.,]*\s$")


@cache
def _named(language: Language) -> Pattern:
    """A word before a letter that is its own name, such as "літера y"."""
    return regex.compile(rf"(?:{language.letter_names or '(?!)'})\s$")


def _latin_words(prose: Prose) -> Iterator[tuple[int, int]]:
    """Ukrainian one-letter words typed in Latin."""
    layout = layout_of(prose.text)
    lettered: dict[int, bool] = {}
    for match in _latin_word(language(prose)).finditer(layout.plain):
        before = layout.plain[max(0, match.start() - 12) : match.start()]
        line = layout.line_at(layout.at[match.start()])
        if line.index not in lettered:
            lettered[line.index] = _OTHER_LATIN.search(line.text) is not None
        # A name (літера y) rather than a word (y суперечці). If b or x also occur alone, letters are names.
        is_word = regex.match(r"\s+\p{Cyrillic}{4}", layout.plain, pos=match.end()) is not None
        is_name = lettered[line.index] or (not is_word and _named(language(prose)).search(before) is not None)
        if not is_name and not _BESIDE_LATIN.search(before):
            yield layout.place(*match.span())


_NUMERAL = regex.compile(r"(?<![\p{L}\p{M}'’])(?:[ІХ]{2,4})(?![\p{L}\p{M}'’])")
_LINE_NUMERAL = regex.compile(r"(?m)^(?:#+ +)?([ІХ]{1,4})(?=[.)] )")


_STRAY = regex.compile(
    r"(?<![\p{Cyrillic}\p{Greek}\p{Latin}])[\p{Cyrillic}\p{Greek}]{1,3}(?![\p{Cyrillic}\p{Greek}\p{Latin}])"
)


def _strays(prose: Prose) -> Iterator[tuple[int, int]]:
    """In a text that is not Cyrillic: short words of letters of another script that all look Latin."""
    layout, own = layout_of(prose.text), letters_of(language(prose).script)
    for match in _STRAY.finditer(layout.plain):
        if all(_LOOKALIKE.match(letter) and not own.match(letter) for letter in match[0]):
            yield layout.place(*match.span())


_FULLWIDTH = regex.compile(r"[Ａ-Ｚａ-ｚ０-９]+")


def fullwidth_letters(prose: Prose) -> Iterator[Finding]:
    """Full-width Latin letters and digits: one finding per text. Japanese may write them."""
    if language(prose).script == "Han" and not language(prose).han_form:
        return
    places = [match.span() for match in _FULLWIDTH.finditer(prose.text)]
    if places:
        shown = prose.text[slice(*places[0])]
        message = say("“{shown}” has full-width characters.", shown=shown)
        hint = say("Use ordinary letters and digits. Search and sorting treat full-width ones as different characters.")
        yield from folded(prose, "full-width-letter", places, message, hint)


_LETTERS_ENOUGH = 24
"""Fewer letters than these may be names."""

_OWN = 0.1
"""The least share of letters of its own script in a text: names of a game may be in another."""

_LETTER = regex.compile(r"\p{L}")


def is_in_script(text: str, script: str) -> bool:
    """Whether letters of a text are of a script, some names apart, or it has too few to say."""
    letters, own = _LETTER.findall(text), letters_of(script)
    known = sum(own.match(one) is not None for one in letters)
    return len(letters) < _LETTERS_ENOUGH or known >= _OWN * len(letters)


@cache
def letters_of(script: str) -> Pattern:
    """Letters of a script; Japanese and Korean mix Han with letters of their own."""
    also = r"\p{Hiragana}\p{Katakana}\p{Hangul}ー" if script in ("Han", "Hangul") else ""
    han = r"\p{Han}" if script == "Hangul" else ""
    return regex.compile(rf"[\p{{{script}}}{also}{han}]")


_DIGITS = regex.compile(r"^\s*\d+[.)]\s(*SKIP)(*FAIL)|\p{Nd}+", regex.MULTILINE)
"""Digits, but not the mark of an item of a list, which Markdown has in European ones only."""


def mixed_digits(prose: Prose) -> Iterator[Finding]:
    """Digits of two kinds in one text, such as European and Arabic-Indic ones: the rarer kind."""
    by_kind: dict[int, list[tuple[int, int]]] = {}
    for found in _DIGITS.finditer(prose.text):
        zero = ord(found[0][0]) - int(found[0][0])
        by_kind.setdefault(zero, []).append(found.span())
    if len(by_kind) > 1:
        kinds = sorted(by_kind, key=lambda zero: (len(by_kind[zero]), -by_kind[zero][0][0]))
        rarest, usual = kinds[0], kinds[-1]
        places = by_kind[rarest]
        shown = prose.text[slice(*places[0])]
        message = say("The text writes digits of two kinds: “{shown}” is unlike the others.", shown=shown)
        written = "".join(chr(usual + int(digit)) for digit in shown)
        yield from folded(prose, "mixed-digits", places, message, say("Write {digits}.", digits=written))
