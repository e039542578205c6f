"""Prose: text in one language with its position in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rulespec.base.diagnostics import Finding, Related, Span, finding
from rulespec.base.messages import NOTHING, Message
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


def whole(source: Source, lang: str) -> Prose:
    """A whole file as prose."""
    return Prose(source.text, lang, source, Span)
