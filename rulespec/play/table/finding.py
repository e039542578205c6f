"""The action that typed words mean: words in any order, or beginnings of words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rulespec.base.messages import NOTHING, Message, say
from rulespec.play.table.choice import Choice, Row

SHOWN = 6
"""So many actions are named when typed words can mean several."""

_WORD = re.compile(r"[^\s,;:()·]+")


@dataclass(frozen=True)
class Found:
    """What typed words mean: one action; or several, as a choice between them; or none. `message` says so."""

    action: int | None = None
    choice: Choice | None = None
    message: Message = NOTHING


def find(choice: Choice, typed: str) -> Found:
    """The action that typed words mean. A word may be cut short; a number may not."""
    text = " ".join(typed.casefold().split())
    rows = _meant(choice, text)
    if len(rows) == 1:
        return Found(rows[0].action)
    if not rows:
        return Found(message=say("There is no such choice."))
    several = [row.words for row in rows[:SHOWN]]
    return Found(None, choice.among(rows), say("That could mean several: {several}.", several=several))


def _meant(choice: Choice, text: str) -> list[Row]:
    """The actions whose words are the text; else those that contain what stands between commas; else those with all of
    its words, of which the last resort is a beginning."""
    if not text:
        return []
    parts = [part.strip() for part in text.split(",")]
    return (
        [row for row in choice.rows if row.words.casefold() == text]
        or [row for row in choice.rows if all(_contains(row.words.casefold(), part) for part in parts)]
        or _by_words(choice.rows, _WORD.findall(text))
    )


def _contains(words: str, part: str) -> bool:
    """Whether words contain a part that does not begin or end within a number."""
    before, after = r"(?<!\d)" * part[:1].isdigit(), r"(?!\d)" * part[-1:].isdigit()
    return re.search(before + re.escape(part) + after, words) is not None


def _by_words(rows: Iterable[Row], typed: list[str]) -> list[Row]:
    """Each typed word narrows the actions down: to those that have it in their words, else to those whose rule has it,
    else to those with a word that begins with it."""
    left = list(rows)
    for word in sorted(typed, key=len, reverse=True) if typed else ():
        left = _with_word(left, word)
    return left if typed else []


def _with_word(rows: list[Row], word: str) -> list[Row]:
    own = [(row, _WORD.findall(row.words.casefold())) for row in rows]
    also = [(row, _WORD.findall(row.also.casefold())) for row in rows]
    exact = [row for row, words in own if word in words] or [row for row, words in also if word in words]
    if exact or word.isdecimal():
        return exact
    return [row for row, words in own if any(w.startswith(word) for w in words)] or [
        row for row, words in also if any(w.startswith(word) for w in words)
    ]
