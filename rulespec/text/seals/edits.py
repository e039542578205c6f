"""Findings about texts that were edited since they were confirmed, or whose source was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import regex

from rulespec.base.diagnostics import Finding, Related, Span, finding, related
from rulespec.base.messages import Message, say
from rulespec.base.pages.sheet import Line, compared
from rulespec.base.project import shown
from rulespec.base.wording import words
from rulespec.text.judging.parallel import side_by_side
from rulespec.text.reading.revision import Edit, Revised, edited
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules.book import Book
from rulespec.text.seals.since import Kept, Parts, is_edited, is_source_edited, source_then


@dataclass(frozen=True)
class Changed:
    """A sentence that has changed, and the place of the text that it concerns."""

    revised: Revised
    span: Span


def own_changes(passage: Passage, lang: str, kept: Kept) -> list[Changed] | None:
    """The sentences of a text that have changed since it was confirmed; None if what it was then is not kept."""
    was = kept(lang).get(passage.seal.words)
    if was is None:
        return None
    return [Changed(one, one.new.span if one.new is not None else passage.key) for one in edited(was, passage, lang)]


def source_changes(
    passage: Passage, lang: str, source: Translation, book: Book | None, kept: Kept
) -> list[Changed] | None:
    """The sentences of its source that have changed since a text was compared with it, each with the sentence of the
    text that most likely follows; None if what the source was then is not kept."""
    there, was = source.passages.get(passage.id), source_then(passage, source, kept)
    if was is None or there is None:
        return None
    pairs = list(_pairs(passage, lang, was, source.lang, book))
    return [Changed(one, _follows(one, passage, was, pairs)) for one in edited(was, there, source.lang)]


def lines(changed: Iterable[Changed], was: str, now: str) -> Iterator[Line]:
    """The sentences that were and those that are, labelled by `was` and `now`."""
    for one in changed:
        before, after = ([each.text] if each is not None else [] for each in (one.revised.old, one.revised.new))
        yield from compared(before, after, was, now)


def check(
    translation: Translation, passage: Passage, source: Translation | None, book: Book | None, kept: Kept
) -> Iterator[Finding]:
    """The findings for a text that was edited since it was confirmed, and for one whose source was: at most one each,
    at the first change, with the others as related places."""
    lang = translation.lang
    if is_edited(passage):
        own = own_changes(passage, lang, kept)
        whole = (
            say("This text has changed since it was confirmed, and what it was then is not kept.")
            if own is None
            else say("This text is divided otherwise since it was confirmed.")
        )
        hint = say("Compare the text with its rule, then run `ftk text status --confirm`.")
        places = [(_change(one.revised, _OWN), one.span) for one in own or ()] or [(whole, passage.key)]
        yield _said("text-edited", passage, lang, places, hint)
    if source is not None and is_source_edited(passage, source):
        there = source.passages.get(passage.id)
        changed = source_changes(passage, lang, source, book, kept) or []
        whole = (
            say("The text in {lang} that this one was made from is gone.", lang=source.lang)
            if there is None
            else say("The text in {lang} has changed since this one was compared with it.", lang=source.lang)
        )
        hint = say("Bring the text up to date, then run `ftk text status --confirm`.")
        places = [(_change(one.revised, _OF_SOURCE, lang=source.lang), one.span) for one in changed]
        places = places or [(whole, passage.key)]
        yield _said("source-edited", passage, lang, places, hint, _there(there, source.lang, changed))


def _said(
    name: str,
    passage: Passage,
    lang: str,
    places: list[tuple[Message, Span]],
    hint: Message,
    beside: Iterable[Related] = (),
) -> Finding:
    (message, span), *others = places
    elsewhere = (related(said, passage.source, at) for said, at in others)
    here = (replace(one, path=shown(one.path)) for one in (*elsewhere, *beside))
    return finding(name, message, passage.source, span, hint, passage.id, lang, related=tuple(here))


_OWN = {
    Edit.CHANGED: say("Changed since this text was confirmed: “{was}” is now “{now}”."),
    Edit.REMOVED: say("Gone since this text was confirmed: “{text}”"),
    Edit.MOVED: say("Moved since this text was confirmed: “{text}”"),
    Edit.ADDED: say("New since this text was confirmed: “{text}”"),
}
_OF_SOURCE = {
    Edit.CHANGED: say("The text in {lang} has changed here: “{was}” is now “{now}”."),
    Edit.REMOVED: say("The text in {lang} no longer says this: “{text}”"),
    Edit.MOVED: say("The text in {lang} says this in another place: “{text}”"),
    Edit.ADDED: say("The text in {lang} says more: “{text}”"),
}


def _change(one: Revised, messages: Mapping[Edit, Message], **lang: str) -> Message:
    if one.kind is Edit.CHANGED and one.old is not None and one.new is not None:
        was, now = change(one.old.text, one.new.text)
        return say(messages[one.kind], was=was, now=now, **lang)
    sentence = one.new or one.old
    return say(messages[one.kind], text=sentence.text if sentence is not None else "", **lang)


def _there(passage: Passage | None, lang: str, changed: Iterable[Changed]) -> Iterator[Related]:
    """The first change in the source, or its text."""
    if passage is not None:
        place = next((one.revised.new.span for one in changed if one.revised.new is not None), passage.text.span)
        yield related(say("The text in {lang}.", lang=lang), passage.source, place)


# --- where a translation follows its source ---------------------------------------------------------------------------


def _pairs(passage: Passage, lang: str, was: Parts, other: str, book: Book | None) -> Iterator[tuple[Span, str]]:
    """The sentences of a text with the words of those of its source as it was confirmed."""
    if book is not None and len(was) > 1:
        for mine, theirs in side_by_side(book.read(passage.text.text, lang), book.read(was[1], other)):
            yield passage.text.value_span(mine.start, mine.end), words(theirs.text[theirs.start : theirs.end])


def _follows(one: Revised, passage: Passage, was: Parts, pairs: Iterable[tuple[Span, str]]) -> Span:
    """The place of a text that most likely follows a change of its source: the sentence beside the old one, the title
    for the title, or the whole text."""
    if one.old is not None:
        if one.old.text == was[0] and passage.heading is not None:
            return passage.heading.span
        # `in`, because a pair may join several sentences.
        found = next((span for span, said in pairs if one.old.words in said), None)
        if found is not None:
            return found
    return passage.key


# --- the sources of a file --------------------------------------------------------------------------------------------


def wrong_source(translation: Translation, others: Iterable[Translation]) -> Iterator[Finding]:
    """The finding about a `source:` that is no other text, or leads back to the translation."""
    place, made_from = translation.made_from_place, translation.made_from
    if place is None:
        return
    known = {one.lang: one.made_from for one in others if one.lang != translation.lang}
    if made_from == translation.lang:
        message = say("A text is no translation of itself.")
        hint = say("Name the language that it was translated from, or delete `source:`.")
    elif made_from not in known:
        message = say("The game has no text in {lang} that this one can be made from.", lang=made_from)
        hint = say("Correct `source:`, or add that text.")
    elif translation.lang in _chain(made_from, known):
        message = say("The text in {lang} is a translation of this one, so this one is none of it.", lang=made_from)
        hint = say("Delete `source:` in the text that was written first.")
    else:
        return
    yield finding("wrong-source", message, translation.source, place, hint, lang=translation.lang)


def _chain(lang: str, known: dict[str, str]) -> Iterator[str]:
    """The languages that a text was made from, one after the other."""
    # No more steps than there are texts: others may be made from each other, in a cycle.
    for _ in known:
        lang = known.get(lang, "")
        yield lang


_TOKEN = regex.compile(r"\p{Han}|[^\W\p{Han}]+|\s+|[^\s\w]")
_BESIDE = 6
"""How many tokens (words, Chinese characters, spaces, signs) are shown on each side of what differs."""


def change(was: str, now: str) -> tuple[str, str]:
    """The parts of two sentences from the first to the last word that differs, with some words on both sides.

    "…" stands for the rest.
    """
    ours, theirs = _TOKEN.findall(was), _TOKEN.findall(now)
    steps = [one for one in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes() if one[0] != "equal"]
    if not steps:
        return was, now
    (_, a, _, c, _), (_, _, b, _, d) = steps[0], steps[-1]
    return _part(ours, a, b), _part(theirs, c, d)


def _part(tokens: list[str], start: int, end: int) -> str:
    first, last = max(0, start - _BESIDE), min(len(tokens), end + _BESIDE)
    # An ellipsis that saves a word or two hides more than it spares.
    first, last = first if first > _BESIDE else 0, last if last < len(tokens) - _BESIDE else len(tokens)
    return f"{'…' * bool(first)}{''.join(tokens[first:last]).strip()}{'…' * (last < len(tokens))}"
