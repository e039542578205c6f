"""Near matches: words that differ from a term in one letter, usually misspellings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from rulespec.text.glossary.concepts import Status
from rulespec.text.glossary.matcher import Pattern, Piece, Word
from rulespec.text.glossary.tokens import Joint, Token, is_known, keys_of, read
from rulespec.text.languages.dictionaries import edits
from rulespec.text.languages.han import converted
from rulespec.text.languages.quantity.patterns import numerals_of
from rulespec.text.languages.registry import depends, find

_SHORTEST = 5
"""The least letters of a word in which one letter may differ. Shorter words have too many neighbours."""

_SURE = 3
"""The level of a language from which a word that its dictionary has can be a misspelling of another."""

_DISTINCTIVE = 4
"""The least letters of a matching word that identifies the term. Words such as "for" occur everywhere."""

_STEM = 4
"""The least letters at their start that two words of one stem have in common."""

_SHORTEST_HAN = 4
"""The least characters of a term in which one may differ. Most words have two, so short ones differ by intent."""


class NearMatch(NamedTuple):
    """`text[start:end]` is `found`, a near match of `term` of `concept`."""

    start: int
    end: int
    found: str
    term: str
    concept: str


class NearMatches:
    """Finds near matches of terms in texts of one language (a BCP 47 tag)."""

    def __init__(self, patterns: Iterable[Pattern], lang: str) -> None:
        self.lang = lang
        self.language = find(lang)
        self._phrases: dict[str, list[tuple[int, Pattern]]] = defaultdict(list)
        self._single: list[Pattern] = []
        self._seen: dict[str, Pattern | None] = {}
        for pattern in patterns:
            piece = pattern.pieces[0]
            is_right = pattern.status in (Status.PREFERRED, Status.ALLOWED) and len(pattern.pieces) == 1
            if not is_right or (not self.language.spaced and len(piece) < _SHORTEST_HAN):
                continue
            if len(piece) == 1:
                self._single.append(pattern)
                continue
            # Only one word may differ, so one of the first two matches.
            for place, word in enumerate(piece[:2]):
                for key in word.keys:
                    self._phrases[key].append((place, pattern))

    def find(self, text: str, taken: Iterable[tuple[int, int]]) -> Iterator[NearMatch]:
        """The near matches in a text, in order. Words in the `taken` spans, which are terms, cannot be misspelled."""
        tokens = read(text, self.lang)
        covered = set(_covered(tokens, taken))
        misspelt = [*self._in_phrases(tokens, covered)]
        if self.language.spaced:
            misspelt.extend(self._alone(tokens, covered))
        last = 0
        for first, after, pattern in sorted(misspelt, key=lambda one: (one[0], -one[1])):
            start, end = tokens[first].start, tokens[after - 1].end
            if start >= last:
                yield NearMatch(start, end, text[start:end], pattern.term, pattern.concept)
                last = end

    def _in_phrases(self, tokens: list[Token], covered: set[int]) -> Iterator[tuple[int, int, Pattern]]:
        whole: set[int] = set()
        misspelt: list[tuple[int, int, Pattern]] = []
        for first, after, pattern in self._candidates(tokens):
            wrong = _wrong(tokens[first:after], pattern.pieces[0])
            if not wrong:
                # The term matches, even if a longer term counts here: its words are not misspelled.
                whole.update(range(first, after))
            elif self._is_misspelt(tokens[first:after], pattern.pieces[0], wrong, covered):
                misspelt.append((first, after, pattern))
        yield from (one for one in misspelt if not whole.issuperset(range(*one[:2])))

    def _candidates(self, tokens: list[Token]) -> Iterator[tuple[int, int, Pattern]]:
        """Adjacent words, as many as a term has, of which one matches one of its first two words."""
        tried: set[tuple[int, int]] = set()
        for at, token in enumerate(tokens):
            for key in token.keys:
                for place, pattern in self._phrases.get(key, ()):
                    first, after = at - place, at - place + len(pattern.pieces[0])
                    if first >= 0 and after <= len(tokens) and (first, id(pattern)) not in tried:
                        tried.add((first, id(pattern)))
                        if all(token.joint == Joint.NEXT for token in tokens[first + 1 : after]):
                            yield first, after, pattern

    def _is_misspelt(self, tokens: list[Token], piece: Piece, wrong: list[int], covered: set[int]) -> bool:
        """Whether exactly one word differs from the term, and by one letter."""
        if len(wrong) != 1 or tokens[wrong[0]].start in covered or _is_number(piece[wrong[0]].raw, self.lang):
            return False
        if not self.language.spaced:
            rest = [token.start for place, token in enumerate(tokens) if place != wrong[0]]
            if covered.issuperset(rest):
                return False  # the rest are terms, so the character is a word: 以升级板块, to upgrade a tile
            return _sound_alike(tokens[wrong[0]].raw, piece[wrong[0]].raw)
        found = tokens[wrong[0]].raw
        known = is_known(found, self.lang)
        if known and self.language.level < _SURE:
            return False  # nobody has looked which words of this language are taken for each other
        if known and found[:_STEM] == piece[wrong[0]].raw[:_STEM]:
            return False  # another word of the same stem, such as a diminutive
        distinctive = any(len(word.raw) >= _DISTINCTIVE for place, word in enumerate(piece) if place != wrong[0])
        return (distinctive or not known) and _near(found, piece[wrong[0]], self.lang, known)

    def _alone(self, tokens: list[Token], covered: set[int]) -> Iterator[tuple[int, int, Pattern]]:
        for at, token in enumerate(tokens):
            # One letter less, because a letter may be missing.
            if len(token.raw) < _SHORTEST - 1 or token.start in covered or _known(token, self.lang):
                continue
            pattern = self._nearest(token.raw)
            if pattern is not None:
                yield at, at + 1, pattern

    def _nearest(self, raw: str) -> Pattern | None:
        """The first term of one word that is one letter away from a word; words that come again are looked up."""
        if raw not in self._seen:
            near = (one for one in self._single if _near(raw, one.pieces[0][0], self.lang, known=False))
            self._seen[raw] = next(near, None)
        return self._seen[raw]


def _covered(tokens: list[Token], taken: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Where the words begin that lie in one of the passages, which are sorted by their start."""
    last, spans = -1, iter(taken)
    following = next(spans, None)
    for token in tokens:
        while following is not None and following[0] <= token.start:
            last = max(last, following[1])
            following = next(spans, None)
        if token.start < last:
            yield token.start


def _wrong(tokens: list[Token], piece: Piece) -> list[int]:
    """The indices of the words that differ from those of a term."""
    return [place for place, word in enumerate(piece) if word.keys.isdisjoint(tokens[place].keys)]


def _known(token: Token, lang: str) -> bool:
    return any(is_known(key, lang) for key in token.keys if not key.startswith("~"))


# --- one character ---------------------------------------------------------------------------------------------------

_SAME_SOUND = 10
"""The largest distance of characters of one sound in GB 2312, which sorts them by sound."""
# Level 1 of GB 2312; level 2, behind it, is sorted by radical.
_ROWS, _COLUMNS = range(0xB0, 0xD8), 94


def _sound_alike(one: str, other: str) -> bool:
    """Whether two Chinese characters sound alike, so that typing confuses them.

    Another character usually changes the meaning on purpose; misspellings have the same sound. GB 2312 sorts common
    characters by sound, so characters that sound alike are close together.
    """
    places = _place(one), _place(other)
    return None not in places and abs((places[0] or 0) - (places[1] or 0)) <= _SAME_SOUND


@lru_cache(maxsize=4096)
def _place(sign: str) -> int | None:
    """The position of the simplified form of a character in GB 2312; None if it is not a common character."""
    try:
        row, column = converted(sign, "t2s").encode("gb2312")
    except (UnicodeEncodeError, ValueError):  # not in GB 2312, or not one character of two bytes
        return None
    return row * _COLUMNS + column if row in _ROWS else None


# --- one letter ------------------------------------------------------------------------------------------------------


def _near(found: str, word: Word, lang: str, known: bool) -> bool:
    """Whether `found` is one letter away from a form of a word. The last letter of a `known` word does not count: it
    only inflects it."""
    from rapidfuzz.distance import DamerauLevenshtein

    if (not found.isalpha() and "'" not in found) or _is_number(found, lang):
        return False
    # A fast test before `_edits`, which makes hundreds of words. It is wide, because a form of the word may have
    # another ending.
    farthest = max(2, len(word.raw) // 2)
    if DamerauLevenshtein.distance(found, word.raw, score_cutoff=farthest) > farthest:
        return False
    return any(
        _is_form(form, word, lang)
        and not (known and form[-1] != found[-1])
        and not _alternate(form, found, find(lang).alternating)
        for form in _edits(found, lang)
    )


def _is_number(word: str, lang: str) -> bool:
    """Whether a word is a number. A different number than that of a term is a wrong fact, not a misspelling."""
    return numerals_of(find(lang)).lexicon.word(word) is not None


def _alternate(one: str, other: str, alternating: tuple[str, ...]) -> bool:
    """Whether two words differ only in sounds at their start that alternate: увесь and весь, імення and ймення."""
    for sounds in alternating:
        if {one[:1], other[:1]} == set(sounds) and one[1:] == other[1:]:
            return True
        long, short = sorted((one, other), key=len, reverse=True)
        if long[1:] == short and long[0] in sounds and short[0] in sounds:
            return True
    return False


def _is_form(form: str, word: Word, lang: str) -> bool:
    if len(form) < _SHORTEST:
        return False
    return form == word.raw or (is_known(form, lang) and not word.keys.isdisjoint(keys_of(form, lang)))


@depends
@lru_cache(maxsize=256)
def _edits(word: str, lang: str) -> frozenset[str]:
    """All words that result from a word by one insertion, deletion, exchange or swap of letters."""
    return frozenset(other for other, _ in edits(word, find(lang).alphabet))
