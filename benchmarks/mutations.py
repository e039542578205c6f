"""Mutation operators for rule texts: they insert mistakes that the checker should find.

    for mutant in mutants(workshop, "uk", "number"):
        workshop.finds(mutant)

An operator makes one kind of mistake. It skips changes that leave the text correct; comments give the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import opencc
import regex
from contrast_swaps import swaps
from mutation_numerals import series, written
from mutation_workshop import Mutant, Workshop

from rulespec.text.glossary.concepts import Status
from rulespec.text.glossary.finder import Mention
from rulespec.text.judging.contradictions import names_thing
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.registry import LANGUAGES
from rulespec.text.reading.clauses import sentences
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Passage
from rulespec.text.rules import facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import Sequence


def mutants(shop: Workshop, lang: str, operator: str) -> Iterator[Mutant]:
    """The mutants that an operator makes of a text, without duplicates within a passage."""
    for passage in shop.texts[lang].passages.values():
        text = passage.text.text
        seen: set[str | None] = {text}
        # The random numbers depend on the passage, so that changes elsewhere do not affect its mutants.
        page = Page(shop, lang, passage, Random(f"{passage.id} {lang} {operator}"))
        for edits in OPERATORS[operator](page):
            changed = _edited(text, edits) if edits is not None else None
            if changed not in seen:
                seen.add(changed)
                yield Mutant(lang, passage.id, operator, changed, _shown(text, edits))


# --- edits ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edit:
    """Replaces `text[start:end]` with `new`."""

    start: int
    end: int
    new: str


Edits = tuple[Edit, ...]


@dataclass(frozen=True)
class Page:
    """The input of an operator."""

    shop: Workshop
    lang: str
    passage: Passage
    chance: Random

    @property
    def text(self) -> str:
        return self.passage.text.text

    @property
    def reading(self) -> Reading:
        return self.shop.book.read(self.text, self.lang)


def _edited(text: str, edits: Edits) -> str:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def _shown(text: str, edits: Edits | None) -> str:
    if not edits:
        return "the whole entry"
    first = min(edits, key=lambda edit: edit.start)
    before, after = text[max(0, first.start - 25) : first.start], text[first.end : first.end + 25]
    more = f" ({len(edits)} places)" if len(edits) > 1 else ""
    return f"…{before}[{text[first.start : first.end]} → {first.new}]{after}…{more}".replace("\n", "⏎")


# --- numbers ----------------------------------------------------------------------------------------------------------

_NUMERAL = regex.compile(r"\d+|[一二三四五六七八九十兩两]+|[\p{L}’']+")
_CHANGED = frozenset({Kind.CARDINAL, Kind.SIGNED, Kind.RANGE})


def _numbers(page: Page) -> Iterator[tuple[Quantity, regex.Match[str]]]:
    for quantity in page.reading.quantities:
        if quantity.kind in _CHANGED:
            for found in _NUMERAL.finditer(page.text, quantity.start, quantity.end):
                yield quantity, found


def one_more(page: Page) -> Iterator[Edits]:
    """Raises each number by one."""
    for _, found in _numbers(page):
        word, known = found[0], series(found[0], page.lang)
        if word.isdecimal():
            yield (Edit(*found.span(), str(int(word) + 1)),)
        elif known is not None and known[1] + 1 < len(known[0]):
            yield (Edit(*found.span(), written(known[1] + 2, word, known[0])),)


def another_number(page: Page) -> Iterator[Edits]:
    """Changes each number to every other one up to 20, in digits or words as in the text."""
    for _, found in _numbers(page):
        word, known = found[0], series(found[0], page.lang)
        if word.isdecimal():
            yield (Edit(*found.span(), str(_other(page, range(1, 21), int(word)))),)
        elif known is not None:
            row, at = known
            some = [value for value in range(1, len(row) + 1) if row[value - 1] != "-"]
            yield (Edit(*found.span(), written(_other(page, some, at + 1), word, row)),)


def _other(page: Page, among: Iterable[int], value: int) -> int:
    return page.chance.choice([other for other in among if other not in (value, value + 1)])


_SIGNS = "+-−–"


def sign(page: Page) -> Iterator[Edits]:
    """Swaps plus and minus, in the form that the text uses."""
    signed = [q for q in page.reading.quantities if q.kind == Kind.SIGNED and page.text[q.start] in _SIGNS]
    minus = next((page.text[q.start] for q in signed if page.text[q.start] != "+"), "−")
    for quantity in signed:
        new = minus if page.text[quantity.start] == "+" else "+"
        yield (Edit(quantity.start, quantity.start + 1, new),)


# --- what is left out -------------------------------------------------------------------------------------------------


def entry(page: Page) -> Iterator[None]:
    """Drops the whole entry."""
    yield None


_BLOCK = re.compile(r"(?:- )?(?:(?!\n- |\n[^\S\n]*\n)[\s\S])+")


def sentence(page: Page) -> Iterator[Edits]:
    """Drops one sentence, list item or row, unless it is the whole text; `entry` does that."""
    for block in _BLOCK.finditer(page.text):
        for span in sentences(page.text, LANGUAGES[page.lang], *block.span()):
            if (page.text[: span.start] + page.text[span.end :]).strip():
                yield (Edit(span.start, span.end, ""),)


_MARKS = regex.compile(r"\*\*|[()\[\]（）「」『』«»“”„]")


def mark(page: Page) -> Iterator[Edits]:
    """Drops one mark of a pair."""
    for found in _MARKS.finditer(page.text):
        yield (Edit(*found.span(), ""),)


# --- terms ------------------------------------------------------------------------------------------------------------

# Zones that texts describe by an action ("gold being paid") rather than by a name that could be confused.
_DEEDS = frozenset({"take_effect", "pay_gold", "pay_cards", "look_secretly"})


def _sort(book: Book, concept: str) -> str:
    """The sort of a concept, "" if it has none. Concepts of one sort can be confused."""
    return "" if concept in _DEEDS else book.sort(concept)


def _swaps(page: Page) -> Iterator[tuple[tuple[Mention, ...], str]]:
    """The mentions of each concept with a sort, and the terms of the other concepts of that sort."""
    book = page.shop.book
    sorts = {concept: kind for concept in book.glossary.concepts if (kind := _sort(book, concept))}
    for concept, every in page.reading.places.items():
        mentions = tuple(m for m in every if m.status != Status.CUE and m.concept == concept)
        for other in _like(concept, sorts) if mentions else ():
            terms = book.glossary.concepts[other].terms.get(page.lang)
            if terms is not None and terms.preferred is not None:
                yield mentions, terms.preferred.text


def _like(concept: str, sorts: Mapping[str, str]) -> list[str]:
    return [other for other, kind in sorts.items() if other != concept and kind == sorts.get(concept)]


def term(page: Page) -> Iterator[Edits]:
    """Replaces all mentions of a concept with the term of another concept of its sort."""
    for mentions, new in _swaps(page):
        yield tuple(Edit(m.start, m.end, new) for m in mentions)


def one_term(page: Page) -> Iterator[Edits]:
    """Replaces the first of several mentions with the term of another concept of its sort."""
    for mentions, new in _swaps(page):
        if len(mentions) > 1:
            yield (Edit(mentions[0].start, mentions[0].end, new),)


# --- order ------------------------------------------------------------------------------------------------------------

_ITEM = re.compile(r"(?m)^- (.+?)([;.。；]?)$")
_APART = re.compile(r"[.。;；:：]\s|\n\s*\n|\n- ")


def order(page: Page) -> Iterator[Edits]:
    """Swaps two adjacent items of an enumeration whose order the spec states.

    A list whose order is not stated, such as the offices on the board, stays correct in any order.
    """
    book = page.shop.book
    for fact in facts.of_rule(book.spec, page.passage.id):
        if isinstance(fact.content, Sequence):
            wanted = frozenset(book.concepts[name] for name in fact.content.names if name in book.concepts)
            # Only members of one enum are listed next to each other; other concepts are spread over the text.
            yield from _neighbours(page, [m for m in page.reading.mentions if m.concept in wanted])
            yield from _items(page, wanted)


def _neighbours(page: Page, listed: list[Mention]) -> Iterator[Edits]:
    for one, two in pairwise(listed):
        between = page.text[one.end : two.start]
        if one.concept != two.concept and len(between) < 45 and not _APART.search(between):
            yield (
                Edit(one.start, one.end, page.text[two.start : two.end]),
                Edit(two.start, two.end, page.text[one.start : one.end]),
            )


def _items(page: Page, wanted: frozenset[str]) -> Iterator[Edits]:
    found = [m for m in _ITEM.finditer(page.text) if wanted & page.reading.part(*m.span()).places.keys()]
    for one, two in pairwise(found):
        yield Edit(*one.span(1), two[1]), Edit(*two.span(1), one[1])


# --- letters ----------------------------------------------------------------------------------------------------------

_LATIN, _CYRILLIC = "aceiopxyABCEHIKMOPTX", "асеіорхуАВСЕНІКМОРТХ"
_TWINS = {**dict(zip(_LATIN, _CYRILLIC, strict=True)), **dict(zip(_CYRILLIC, _LATIN, strict=True))}
# 采 and 并 are also correct in Traditional texts, for example in 采用.
_VARIANTS = frozenset("采并")
_WORD = regex.compile(r"[\p{Latin}\p{Cyrillic}]+|\p{Han}+")


def letter(page: Page) -> Iterator[Edits]:
    """Replaces one letter of each word with a look-alike; in Chinese one character with that of the other script."""
    for found in _WORD.finditer(page.text):
        twins = {i: twin for i, char in enumerate(found[0], found.start()) if (twin := _twin(char, page.lang))}
        if twins:
            at = page.chance.choice(sorted(twins))
            yield (Edit(at, at + 1, twins[at]),)


@cache
def _twin(char: str, lang: str) -> str:
    if not regex.match(r"\p{Han}", char):
        return _TWINS.get(char, "")
    other: str = _converter("s2t" if lang == "zh-Hans" else "t2s").convert(char)
    return other if other != char and other not in _VARIANTS else ""


@cache
def _converter(config: str) -> Any:
    return opencc.OpenCC(config)


def contrast(page: Page) -> Iterator[Edits | None]:
    """Another value of a contrast: right for left, fewest for most. What names a thing of the game stays."""
    text, book = page.passage.text.text, page.shop.book
    reading = book.read(text, page.lang)
    names = {(c.start, c.end) for c in reading.contrasts if names_thing(c, book)}
    for swap in swaps(text, reading.language):
        if swap.text is not None and (swap.contrast.start, swap.contrast.end) not in names:
            end = swap.contrast.end - len(text)
            yield (Edit(swap.contrast.start, swap.contrast.end, swap.text[swap.contrast.start : end or None]),)


OPERATORS: Mapping[str, Callable[[Page], Iterator[Edits | None]]] = {
    "number": one_more,
    "other number": another_number,
    "sign": sign,
    "rule": entry,
    "sentence": sentence,
    "term": term,
    "one term": one_term,
    "order": order,
    "letter": letter,
    "mark": mark,
    "contrast": contrast,
}
"""All operators, in the order of the report."""
