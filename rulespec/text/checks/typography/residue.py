"""OCR artefacts and markup residue: lone numbers, broken and hidden characters, tags, doubled words."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.layout import TAG, Line, Offsets, folded, language, layout_of
from rulespec.text.languages.record import Language
from rulespec.text.reading.prose import Prose

_FRAGMENT = regex.compile(r"[\s\d:/.,+×xX()\-–−=|•·*#]{1,40}|[\p{L}\p{S}\p{P}]")


def lone_fragments(prose: Prose) -> Iterator[Finding]:
    """Lines with only a number or a sign: one finding per run of lines, one for all single lines."""
    filled = layout_of(prose.text).filled
    if all(_is_fragment(line) for line in filled):
        return
    single: list[Offsets] = []
    for run in _runs(filled):
        if len(run) == 1:
            single.append((run[0].first, run[0].last))
        else:
            message = say("{number} consecutive lines contain only a number or a sign.", number=len(run))
            yield prose.say("lone-fragment", message, run[0].first, run[0].last, _HINT)
    yield from folded(prose, "lone-fragment", single, say("The line contains only a number or a sign."), _HINT)


# Rows of numbers between lone numbers are part of the same picture.
_REST_OF_TABLE = regex.compile(r"[\s\d:/.,+×xX\-–−|]+")
_HINT = say("Delete a page number or a label of a picture. Join the number of a step with its step.")


def _runs(filled: tuple[Line, ...]) -> Iterator[list[Line]]:
    run: list[Line] = []
    for line in filled:
        if _is_fragment(line):
            run.append(line)
        elif run and not _REST_OF_TABLE.fullmatch(line.text):
            yield run
            run = []
    if run:
        yield run


def _is_fragment(line: Line) -> bool:
    text = line.text.strip()
    return not (line.table or line.skip or line.level) and bool(_FRAGMENT.fullmatch(text)) and "\t" not in text


# UTF-8 that was decoded as Latin-1, Windows-1252 or Windows-1251.
_MOJIBAKE = regex.compile(
    "â€[\u0080-\u00ff™œ“”˜–—¦¢žŸ‹›]?|Ã[\u0080-\u00bf©¨¤¶¼±ª­]|Â[\u00a0-\u00bf]|(?:[ÐÑ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]){2,}"
    "|(?:[РС][\u00a0-\u00bf\u0402\u0403\u0409-\u040f\u0452\u0453\u0459-\u045fІіЇїЄєҐґЁёЎў°±µ¶·№»‚„…†‡€‰‹‘’“”•–—™›ѓђ]){3,}"
    "|[åæçèé][\u0080-\u00bfœžŸš€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™›]{2}"
)
_JOINED = r"(?:(?![\p{Latin}\p{Cyrillic}\p{Greek}\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}])[\p{L}\p{M}])"
_RTL = r"[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}\p{Nko}]"  # browsers know no classes of direction
_BROKEN = regex.compile(r"\ufffd+|\p{Co}+")
_HIDDEN = {
    say("a soft hyphen"): regex.compile("\u00ad"),
    say("a zero-width character"): regex.compile(
        # Joiners belong to the spelling of scripts whose letters join, direction marks stand at letters from right to
        # left, and a space without width parts words of scripts without spaces.
        rf"[\u2060\ufeff]|(?<!{_JOINED}|\p{{So}}\ufe0f?)[\u200c\u200d](?!\p{{So}})"
        rf"|(?<!{_RTL}\W?)[\u200e\u200f](?!\W?{_RTL})"
        r"|(?<![\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])\u200b"
    ),
    say("a ligature"): regex.compile("[\ufb00-\ufb06]"),
}


def broken_characters(prose: Prose) -> Iterator[Finding]:
    """Replacement and private characters, and text decoded with the wrong encoding."""
    places = [match.span() for match in _BROKEN.finditer(prose.text)]
    message = say("A character was lost.")
    yield from folded(
        prose, "broken-character", places, message, say("Compare with the original and type the character.")
    )
    misread = [match.span() for match in _MOJIBAKE.finditer(prose.text)]
    if misread:
        message = say("“{prose}” was probably decoded with the wrong encoding.", prose=prose.text[slice(*misread[0])])
        yield from folded(prose, "broken-character", misread, message, say("Convert the original again as UTF-8."))


def hidden_characters(prose: Prose) -> Iterator[Finding]:
    """Invisible characters and ligatures: a search does not find words that contain them."""
    for what, pattern in _HIDDEN.items():
        places = [match.span() for match in pattern.finditer(prose.text)]
        hint = say("Type separate letters.") if what == "a ligature" else say("Delete it.")
        message = say("The text contains {what}. A search does not find the word.", what=what)
        yield from folded(prose, "hidden-character", places, message, hint)


# Markdown has no syntax of its own for line breaks in tables and for superscripts.
_ALLOWED = regex.compile(r"</?(?:br|sub|sup)\b|<!--", regex.I)
_ENTITY = regex.compile(r"&(?:nbsp|amp|lt|gt|quot|mdash|ndash|laquo|raquo|#\d{2,5});")
_ANGLE = regex.compile(r"<(?!/?[a-z]{1,10}\b)(?=\p{L})(?=[^<>\n]*\p{L}{2})[^<>\n/@:=]{1,60}\S>")
_CODE = regex.compile(r"```.*?```|`[^`\n]+`", regex.DOTALL)


def leftover_markup(prose: Prose) -> Iterator[Finding]:
    """HTML tags and entities, and names in angle brackets."""
    text = _CODE.sub(lambda match: " " * len(match[0]), prose.text)
    found = [match for pattern in (TAG, _ENTITY) for match in pattern.finditer(text)]
    tags = [match.span() for match in found if not _ALLOWED.match(match[0])]
    yield from folded(prose, "leftover-markup", tags, say("The text contains HTML."), say("Use Markdown."))
    angles = [match.span() for match in _ANGLE.finditer(text)]
    message = say("The text contains words in angle brackets, which may be left from the layout.")
    yield from folded(prose, "leftover-markup", angles, message, say("Delete the brackets, or use Markdown."))


_TWICE = regex.compile(r"(?<![\p{L}\p{M}\d'’-])(?:\p{L}[\p{L}\p{M}'’]*)(?![\p{L}\p{M}'’-])", regex.I)
_GAP = regex.compile(r"[ \t]+|[ \t]*\r?\n[ \t]*")


_ALL = "all"
"""The value of `one_letter_words` in a language in which any letter may be a word."""


def doubled_words(prose: Prose) -> Iterator[Finding]:
    """Repeated words."""
    layout, lang = layout_of(prose.text), language(prose)
    if lang.repeated_characters is not None:
        for match in lang.repeated_characters.finditer(layout.plain):
            yield _twice(prose, match[0][: len(match[0]) // 2], layout.place(*match.span()))
        return
    before: regex.Match[str] | None = None
    for match in _TWICE.finditer(layout.plain):
        if before is not None and _is_doubled(before, match, layout.plain, lang):
            yield _twice(prose, before[0], layout.place(before.start(), match.end()))
        before = match


def _is_doubled(before: regex.Match[str], match: regex.Match[str], plain: str, lang: Language) -> bool:
    word, again = before[0], match[0]
    if word.lower() != again.lower() or word.lower() in lang.repeated_words:
        return False
    gap = plain[before.end() : match.start()]
    if not _GAP.fullmatch(gap) or again[0].isupper():
        return False
    if not lang.folders and "\n" not in gap and word.lower() not in lang.conjunctions:
        return False  # no record says which words are repeated on purpose, as in `tek tek` and `धीरे धीरे`
    return len(word) > 1 or lang.one_letter_words == _ALL or word in lang.one_letter_words.split()


def _twice(prose: Prose, word: str, place: Offsets) -> Finding:
    return prose.say("doubled-word", say("“{word}” is repeated.", word=word), *place, say("Delete one of the two."))
