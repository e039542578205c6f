"""Folds repeated findings: one finding per cause, which lists the other places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import NOTHING, Message, counted, sentences
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find
from rulespec.text.reading.prose import Prose

Offsets = tuple[int, int]

# More line numbers would make the message longer than two lines of a terminal.
_MOST_LINES = 8


def folded(
    prose: Prose, name: str, places: Iterable[Offsets], message: Message, hint: Message = NOTHING
) -> Iterator[Finding]:
    """One finding at the first place (offsets in the text). Its message lists the lines of the other places."""
    found = sorted(set(places))
    if found:
        message = sentences(message, _others(prose, found[1:])) if found[1:] else message
        yield prose.say(name, message, *found[0], hint)


def _others(prose: Prose, places: list[Offsets]) -> Message:
    numbers = [prose.source.position(prose.place(*place).start).line for place in places]
    lines = sorted(set(numbers))
    shown = counted("line {lines}", "lines {lines}", len(lines), lines=lines[:_MOST_LINES])
    if more := len(lines[_MOST_LINES:]):
        shown = counted("{lines} and {number} further line", "{lines} and {number} further lines", more, lines=shown)
    return counted("{number} more: {lines}.", "{number} more: {lines}.", len(places), lines=shown)


def language(prose: Prose) -> Language:
    """The language of a text; one without data if there is no record of it, so that its checks find nothing."""
    return find(prose.lang)
