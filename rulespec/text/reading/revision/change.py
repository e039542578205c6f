"""The words in which two versions of a sentence differ."""

from __future__ import annotations

from difflib import SequenceMatcher

import regex

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
