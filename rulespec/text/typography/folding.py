"""Folds repeated findings: one finding per cause, which lists the other places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.diagnostics import Finding
from rulespec.text.languages import Language, find
from rulespec.text.prose import Prose

Offsets = tuple[int, int]

# More line numbers would make the message longer than two lines of a terminal.
_MOST_LINES = 8


def folded(prose: Prose, name: str, places: Iterable[Offsets], message: str, hint: str = "") -> Iterator[Finding]:
    """One finding at the first place (offsets in the text). Its message lists the lines of the other places."""
    found = sorted(set(places))
    if found:
        yield prose.say(name, message + _others(prose, found[1:]), *found[0], hint)


def _others(prose: Prose, places: list[Offsets]) -> str:
    if not places:
        return ""
    numbers = [prose.source.position(prose.place(*place).start).line for place in places]
    lines = sorted(set(numbers))
    shown = ", ".join(str(line) for line in lines[:_MOST_LINES])
    rest = f" and {len(lines) - _MOST_LINES} further lines" if len(lines) > _MOST_LINES else ""
    return f" {len(places)} more: line{'s' if len(lines) > 1 else ''} {shown}{rest}."


def language(prose: Prose) -> Language:
    """The language of a text; one without data if there is no record of it, so that its checks find nothing."""
    return find(prose.lang)
