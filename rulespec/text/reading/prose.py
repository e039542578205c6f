"""Prose: text in one language with its position in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from rulespec.base.diagnostics import Finding, Related, Span, finding
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.source import Source


@dataclass(frozen=True)
class Prose:
    """A text in one language (a BCP 47 tag); `place` maps offsets in it to a span of its file.

    `rule` is the id of the rule it states, "" if unknown.
    """

    text: str
    lang: str
    source: Source = field(repr=False)
    place: Callable[[int, int], Span] = field(repr=False)
    rule: str = ""

    def say(
        self,
        name: str,
        message: Message,
        start: int,
        end: int,
        hint: Message = NOTHING,
        related: Iterable[Related] = (),
    ) -> Finding:
        """A finding about `text[start:end]`."""
        span = self.place(start, end)
        return finding(name, message, self.source, span, hint, self.rule, self.lang, related)


Remark: TypeAlias = tuple[str, Message, int, int, Message]
"""What `Prose.say` was called with, for a finding without other places."""


@dataclass(frozen=True)
class _Recording(Prose):
    """A prose that also records what is said about it, and each place in the file that a check asks for."""

    said: list[Remark] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)

    def say(
        self,
        name: str,
        message: Message,
        start: int,
        end: int,
        hint: Message = NOTHING,
        related: Iterable[Related] = (),
    ) -> Finding:
        related = tuple(related)
        self.said.append((name, message, start, end, hint))
        self.asked.extend(start for _ in related)
        return finding(name, message, self.source, Span(start, end), hint, self.rule, self.lang, related)


def remarks(check: Callable[[Prose], Iterable[Finding]], prose: Prose) -> tuple[Remark, ...] | None:
    """What a check says about a text, wherever the text stands: `prose.say(*remark)` is the finding.

    None if it asks where a place is in the file, or names another place: what it says then holds only there.
    """
    asked: list[int] = []

    def place(start: int, end: int) -> Span:
        asked.append(start)
        return prose.place(start, end)

    recording = _Recording(prose.text, prose.lang, prose.source, place, prose.rule, asked=asked)
    for _ in check(recording):
        pass
    return None if asked else tuple(recording.said)


def says_instead(said: str, value: str, instead: Message) -> Message:
    """The message that a text says something instead of something else; `value` is how it was read, "" for as it is."""
    if value:
        return say("The text says “{said}” ({value}); by the spec {instead}", said=said, value=value, instead=instead)
    return say("The text says “{said}”; by the spec {instead}", said=said, instead=instead)


def whole(source: Source, lang: str) -> Prose:
    """A whole file as prose."""
    return Prose(source.text, lang, source, Span)
