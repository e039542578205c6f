"""Consistent style: quotation marks, apostrophes, dashes, ellipses, minus signs, and words with two spellings."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import Message, say
from rulespec.text.checks.typography.layout import Layout, Offsets, folded, language, layout_of
from rulespec.text.languages.dictionaries import is_word
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.reading.prose import Prose

# Atomic: the first letter decides, and a quotation that is never closed is read once.
_STRAIGHT = regex.compile(r"(?<![\d\p{L}])\"(?>[^\"\n]*?[\p{L}\d])[^\"\n]*+\"(?!\p{L})")
_STRAIGHT_ZH = regex.compile(r"\"(?>[^\"\n]*?\p{Han})[^\"\n]*+\"")
_STYLES = {
    "straight": _STRAIGHT,
    "straight-han": _STRAIGHT_ZH,
    "curly": regex.compile(r"“[^“”\n]+”"),
    "curly-han": regex.compile(r"“(?=[^“”\n]*\p{Han})[^“”\n]+”"),
    "closing": regex.compile(r"”[^“”\n]+”"),
    "guillemets": regex.compile(r"«[^«»\n]+»"),
    "reversed-guillemets": regex.compile(r"»[^«»\n]+«"),
    "low": regex.compile(r"„[^„“”\n]+[“”]"),
    "corners": regex.compile(r"「[^「」\n]*」|『[^『』\n]*』"),
}
"""The styles that a language record may name under `quotes`."""


def quotes(prose: Prose) -> Iterator[Finding]:
    """Quotation marks in the wrong style for the language, or in two styles in one text."""
    layout, lang = layout_of(prose.text), language(prose)
    wrong = [one for style in lang.quotes.forbidden for one in layout.found(_STYLES[style])]
    if wrong:
        message = say("The quotation marks have the wrong style for {lang}.", lang=prose.lang)
        yield from folded(prose, "quote-style", wrong, message, say("Use {quotes}.", quotes=lang.quotes.show))
        return
    outer = [layout.found(_STYLES[style]) for style in lang.quotes.outer]
    inner = [one for style in lang.quotes.inner for one in layout.found(_STYLES[style])]
    # „…“ inside «…» is a nested quotation.
    loose = [one for one in inner if not any(_is_within(one, places) for places in outer)]
    styles = [places for places in (*outer, loose) if places]
    if len(styles) > 1:
        message = say("The text uses quotation marks of two styles.")
        hint = say("Use {quotes} throughout.", quotes=lang.quotes.show)
        # In a tie, the style that occurs first counts as the usual one.
        rarest = min(styles, key=lambda places: (len(places), -min(places)[0]))
        yield from folded(prose, "quote-style", rarest, message, hint)


def _is_within(one: Offsets, outer: list[Offsets]) -> bool:
    """Whether one of several ranges, in order and apart, holds another range with a character to spare on each side."""
    index = bisect_left(outer, one) - 1
    return index >= 0 and outer[index][0] < one[0] and one[1] < outer[index][1]


_APOSTROPHE = regex.compile(r"(?<=\p{L})['’ʼ](?=\p{L})")
_HYPHEN = regex.compile(r"(?<=[\p{L})»”\"'’*.])[ \t]+(?:-{1,2})[ \t]+(?=[\p{L}«“\"(*])|(?<=[\p{L}\d]) ?--+ ?(?=\p{L})")
_HYPHEN_ZH = regex.compile(r"(?<=[\p{Han}」]) ?--? ?(?=[\p{Han}「])|(?<=[\p{Han}」])(?<!—)—(?!—)(?=[\p{Han}「])")
_DOTS = regex.compile(r"(?<!\.)\.{3}(?!\.)|(?<!…)…+")
_MINUS = regex.compile(r"(?<![\p{Latin}\p{Cyrillic}\d\-−–.,)])[-−–](?=\d)")
_CREDITS = regex.compile(r"©|®|™|\d{4,}")


def apostrophes(prose: Prose) -> Iterator[Finding]:
    """Apostrophes of two kinds in one text."""
    if language(prose).spaced:
        yield from _odd_ones(prose, "apostrophe-style", _APOSTROPHE, say("apostrophe"))


def dots(prose: Prose) -> Iterator[Finding]:
    """Three full stops and ellipsis characters in one text."""
    yield from _odd_ones(prose, "mixed-forms", _DOTS, say("ellipsis"))


def minus_signs(prose: Prose) -> Iterator[Finding]:
    """Hyphens and minus signs before numbers in one text."""
    yield from _odd_ones(prose, "mixed-forms", _MINUS, say("minus sign"))


def _odd_ones(prose: Prose, name: str, pattern: regex.Pattern[str], mark: Message) -> Iterator[Finding]:
    layout = layout_of(prose.text)
    by_form: dict[str, list[Offsets]] = {}
    for match in pattern.finditer(layout.plain):
        by_form.setdefault(match[0][0], []).append(layout.place(*match.span()))
    if len(by_form) < 2:
        return
    usual = max(by_form, key=lambda form: (len(by_form[form]), -by_form[form][0][0]))
    odd = [place for form, places in by_form.items() if form != usual for place in places]
    form = prose.text[min(odd)[0]]
    message = say(
        "The {mark} is U+{code:04X} “{form}” here and U+{usual_code:04X} “{usual}” elsewhere in the text.",
        mark=mark,
        code=ord(form),
        form=form,
        usual_code=ord(usual),
        usual=usual,
    )
    yield from folded(prose, name, odd, message, say("Use one form throughout."))


def dashes(prose: Prose) -> Iterator[Finding]:
    """Hyphens between spaces that should be dashes; in Chinese also dashes of half the length."""
    layout, lang = layout_of(prose.text), language(prose)
    matches = (_HYPHEN if lang.spaced else _HYPHEN_ZH).finditer(layout.plain)
    places = [_mark_only(layout, match) for match in matches if _is_in_sentence(layout, match)]
    if places:
        is_hyphen = prose.text[places[0][0]] == "-"
        message = say("A hyphen is used as a dash.") if is_hyphen else say("A short dash is used as a dash.")
        yield from folded(prose, "hyphen-for-dash", places, message, say("Write {dash}.", dash=lang.dash))


def _mark_only(layout: Layout, match: regex.Match[str]) -> Offsets:
    """The place of a mark without surrounding spaces."""
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    return layout.place(start, start + len(match[0].strip()))


@lru_cache(maxsize=8)
def _credits(layout: Layout) -> frozenset[int]:
    """The indices of the lines that name copyrights or years."""
    return frozenset(line.index for line in layout.filled if _CREDITS.search(line.text))


def _is_in_sentence(layout: Layout, match: regex.Match[str]) -> bool:
    """Whether the match is outside tables, addresses and ranges of Roman numerals (XVIII - XIX)."""
    line = layout.line_at(layout.at[match.start()])
    around = layout.plain[max(0, match.start() - 1) : match.start()] + layout.plain[match.end() : match.end() + 1]
    return not (line.table or line.skip or line.index in _credits(layout) or regex.fullmatch(r"[IVX]{2}", around))


_WORD = regex.compile(r"(?<![\p{L}-])\p{L}+(?![\p{L}-])")
# Shorter words combine to other words by chance ("to day").
_SHORTEST_HALF = 4


def two_spellings(prose: Prose) -> Iterator[Finding]:
    """Words with both British and American spelling, or written both as one word and as two."""
    lang = language(prose)
    if not lang.variants:
        return
    layout = layout_of(prose.text)
    places: dict[str, list[Offsets]] = {}
    for match in _WORD.finditer(layout.plain):
        places.setdefault(match[0].lower(), []).append(layout.place(*match.span()))
    for one, other in sorted(_pairs(Counter({word: len(found) for word, found in places.items()}), lang)):
        odd, usual = sorted((one, other), key=lambda word: (len(places[word]), -places[word][0][0]))
        yield from _say(prose, odd, usual, places[odd])
    yield from _joined(prose, layout.plain, places, lang.lemmatiser)


def _say(prose: Prose, odd: str, usual: str, places: list[Offsets]) -> Iterator[Finding]:
    message = say("“{odd}” is spelled “{usual}” elsewhere in the text.", odd=odd, usual=usual)
    yield from folded(prose, "mixed-forms", places, message, say("Use one spelling throughout."))


@cache
def _ways(language: Language) -> tuple[tuple[Pattern, str], ...]:
    """The ways to spell that the language record lists: a pattern, and what another way writes for it."""
    return tuple((regex.compile(one), other) for one, other in language.variants)


def _pairs(words: Counter[str], language: Language) -> Iterator[tuple[str, str]]:
    for word in words:
        for pattern, way in _ways(language):
            other = pattern.sub(way, word)
            if other != word and other in words and is_word(other, language.lemmatiser):
                yield word, other


def _joined(prose: Prose, plain: str, places: dict[str, list[Offsets]], lang: str) -> Iterator[Finding]:
    found = list(_WORD.finditer(plain))
    pairs: Counter[tuple[str, str]] = Counter()
    for one, other in pairwise(found):
        if min(len(one[0]), len(other[0])) >= _SHORTEST_HALF and plain[one.end() : other.start()] == " ":
            pairs[one[0].lower(), other[0].lower()] += 1
    for one_word, other_word in pairs:
        if one_word + other_word in places and not is_word(one_word + other_word, lang):
            usual = f"{one_word} {other_word}"
            yield from _say(prose, one_word + other_word, usual, places[one_word + other_word])
