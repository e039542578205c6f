"""The sentences in which two versions of a translation differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property

import regex

from rulespec.base.diagnostics import Span
from rulespec.base.wording import words
from rulespec.text.languages.registry import find
from rulespec.text.reading.clauses import passages
from rulespec.text.reading.translation import Passage, Translation


class Edit(StrEnum):
    """What became of a sentence."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True)
class Sentence:
    """A sentence of a rule without its list mark and its emphasis, and its place in the file."""

    rule: str
    text: str
    span: Span

    @cached_property
    def words(self) -> str:
        """Its words: two sentences with the same ones do not differ."""
        return words(self.text)


@dataclass(frozen=True)
class Revised:
    """A sentence that is new, gone, changed or moved; `old` or `new` is None where there is none."""

    kind: Edit
    old: Sentence | None = None
    new: Sentence | None = None

    @property
    def rule(self) -> str:
        """The rule or ruling that it concerns, by its id in the new version if the sentence is there."""
        one = self.new or self.old
        assert one is not None
        return one.rule


def revised(old: Translation, new: Translation, names: Mapping[str, str] | None = None) -> list[Revised]:
    """The sentences that differ, in the order of the new text; those of texts that are gone come last.

    Titles count as sentences, and worked examples belong to the texts of their rules. `names` are the new ids of rules
    with other ids.
    """
    back = {now: was for was, now in (names or {}).items()}
    found: list[Revised] = []
    taken = set()
    for id_, passage in new.passages.items():
        was = old.passages.get(back.get(id_, id_))
        taken.add(was.id if was is not None else "")
        ours = list(_sentences(was, old.lang)) if was is not None else []
        found += _differing(ours, list(_sentences(passage, new.lang)))
    for id_, passage in old.passages.items():
        if id_ not in taken:
            found += (Revised(Edit.REMOVED, one) for one in _sentences(passage, old.lang))
    return list(_with_moves(found))


def edited(was: Iterable[str], passage: Passage, lang: str) -> list[Revised]:
    """The sentences of a text that differ from those of an earlier version, given as its title, its text and those of
    its worked examples. The old ones have no place. One that takes the place of another is a changed one, however much
    of it is new."""
    ours = [replace(one, span=Span(0, 0)) for part in was for one in _of_text(part, passage.id, lang)]
    return list(_with_moves(list(_differing(ours, list(_sentences(passage, lang)), in_place=True))))


_MARK = regex.compile(r"^(?:[-*+•·–—|]\s*|\d{1,2}[.)、]\s*)+|\*\*|__|[|\s]+$")


def _sentences(passage: Passage, lang: str) -> Iterator[Sentence]:
    heading, text = passage.heading, passage.written
    if heading is not None and heading.text:
        yield Sentence(passage.id, heading.text, heading.span)
    for part in (text, *(example.text for example in passage.examples)):
        for one in _of_text(part.text, passage.id, lang):
            yield replace(one, span=part.value_span(one.span.start, one.span.end))


def _of_text(text: str, rule: str, lang: str) -> Iterator[Sentence]:
    """The sentences of a text, at their places in it."""
    for span in passages(text, find(lang), 0, len(text)):
        if said := bare(text[span.start : span.end]):
            yield Sentence(rule, said, span)


def bare(text: str) -> str:
    """A sentence in one line, without its list mark and its emphasis."""
    return " ".join(_MARK.sub("", text.strip()).split())


def _differing(old: Sequence[Sentence], new: Sequence[Sentence], in_place: bool = False) -> Iterator[Revised]:
    """The sentences of one rule that differ; those that take the place of others are changed if they are alike, or
    `in_place` if they are as many."""
    ours, theirs = ([one.words for one in some] for some in (old, new))
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if in_place and kind == "replace" and b - a == d - c:
            yield from (Revised(Edit.CHANGED, was, now) for was, now in zip(old[a:b], new[c:d], strict=True))
        elif kind != "equal":
            yield from _replaced(list(old[a:b]), list(new[c:d]))


def _replaced(old: list[Sentence], new: list[Sentence]) -> Iterator[Revised]:
    for one in new:
        same = max(old, key=lambda was: likeness(was.text, one.text), default=None)
        if same is not None and likeness(same.text, one.text) >= ALIKE:
            # Versions of sentences keep their order: none of those before this one can be a version of a later
            # sentence.
            before, old = old[: old.index(same)], old[old.index(same) + 1 :]
            yield from (Revised(Edit.REMOVED, gone) for gone in before)
            yield Revised(Edit.CHANGED, same, one)
        else:
            yield Revised(Edit.ADDED, new=one)
    yield from (Revised(Edit.REMOVED, gone) for gone in old)


ALIKE = 0.5
"""Sentences that share at least this part of their words are versions of one sentence. Translations of a rule that was
rewritten share a third; corrections of a number or a term share four fifths."""

_TOKEN = regex.compile(r"\p{Han}|[^\W\p{Han}]+|[^\s\w]")


def likeness(one: str, other: str) -> float:
    """The part of the words of two sentences that they share, in their order; Chinese characters count as words."""
    ours, theirs = (_TOKEN.findall(text) for text in (one, other))
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio()


def _with_moves(found: Sequence[Revised]) -> Iterator[Revised]:
    """The differences, in which a sentence that is gone in one place and new in another has moved."""
    gone: dict[str, list[Revised]] = {}
    for one in found:
        if one.kind is Edit.REMOVED and one.old is not None:
            gone.setdefault(one.old.text, []).append(one)
    moved: list[Revised] = []
    joined: list[Revised] = []
    for one in found:
        there = gone.get(one.new.text) if one.kind is Edit.ADDED and one.new is not None else None
        if there:
            was = there.pop(0)
            moved.append(was)
            joined.append(replace(one, kind=Edit.MOVED, old=was.old))
        else:
            joined.append(one)
    # By identity: one sentence may be gone in several places, with equal entries.
    left = {id(one) for one in moved}
    return (one for one in joined if id(one) not in left)
