"""The menu of legal actions: their keys and texts, and the action that typed input selects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespec import State

MANY = 6
"""So many choices that differ in a number only are one line, and the number itself is typed."""

_TAKEN = "?hqw"


@dataclass(frozen=True)
class Entry:
    """One choice: its key, its text and its action."""

    key: str
    words: str
    action: int


@dataclass(frozen=True)
class Amounts:
    """Choices that differ in a number only: the text before the number, and the action for each number."""

    words: str
    actions: Mapping[int, int]

    def __str__(self) -> str:
        return ", ".join(f"{low}–{high}" if low < high else str(low) for low, high in self._runs())

    def _runs(self) -> Iterator[tuple[int, int]]:
        numbers = sorted(self.actions)
        first = numbers[0]
        for number, after in zip(numbers, [*numbers[1:], None], strict=True):
            if after != number + 1:
                yield first, number
                first = after if after is not None else number


class Menu:
    """The choices of the player to act."""

    def __init__(self, state: State, seat: int) -> None:
        self.rules = {action: state.why(action) for action in state.legal_actions(seat)}
        words = {action: state.action_to_string(seat, action) for action in self.rules}
        self.amounts = _amounts(state, words)
        rest = {a: w for a, w in words.items() if self.amounts is None or a not in self.amounts.actions.values()}
        keys = _letters(rest, self.amounts) if self.amounts else {a: str(n) for n, a in enumerate(rest, 1)}
        self.entries = [Entry(keys[action], rest[action], action) for action in rest]

    def find(self, typed: str) -> tuple[int | None, str]:
        """The action that typed input selects, or None and a message."""
        text = " ".join(typed.casefold().split())
        for entry in self.entries:
            if text in (entry.key, entry.words.casefold()):
                return entry.action, ""
        number = re.fullmatch(r"(\D*?) ?(\d{1,12})", text)
        if number and self.amounts and self.amounts.words.casefold().startswith(number[1]):
            return self._amount(self.amounts, int(number[2]))
        if text.isdecimal():
            return None, f"There is no choice {text}: type a number from 1 to {len(self.entries)}."
        return self._by_words(text)

    def _amount(self, amounts: Amounts, number: int) -> tuple[int | None, str]:
        action = amounts.actions.get(number)
        return action, "" if action is not None else f"{number} is not possible; it can be {amounts}."

    def _by_words(self, text: str) -> tuple[int | None, str]:
        close = self._close(text)
        if len(close) == 1:
            return close[0].action, ""
        if close:
            several = ", ".join(entry.words for entry in close[:6])
            return None, f"That could mean several: {several}. Type more of it, or its key."
        return None, f"There is no such choice. Type {self.example()}, or ? to see what you know, h for help."

    def _close(self, text: str) -> list[Entry]:
        """The choices that contain the text, else each of its words, else beginnings of words. What stands between
        commas may be typed in any order, as the elements of a set."""
        typed, parts = text.split(), [part.strip() for part in text.split(",")]
        words = [(entry, entry.words.casefold().split()) for entry in self.entries]
        return (
            [entry for entry in self.entries if text and all(part in entry.words.casefold() for part in parts)]
            or [entry for entry, said in words if typed and all(word in said for word in typed)]
            or [entry for entry, said in words if typed and all(any(s.startswith(w) for s in said) for w in typed)]
        )

    def example(self) -> str:
        """An example of valid input."""
        if self.amounts:
            return f"a number ({self.amounts})"
        return f"a number from 1 to {len(self.entries)}" if len(self.entries) > 1 else "1"

    def same_rule(self) -> str:
        """The id of the rule if all choices have the same, else ""."""
        rules = set(self.rules.values())
        return next(iter(rules)) if len(rules) == 1 else ""


def _amounts(state: State, words: Mapping[int, str]) -> Amounts | None:
    """The one group of many choices that differ in a number only."""
    groups: dict[tuple[str, str, str], dict[int, int]] = {}
    for action, text in words.items():
        picks = list(state.game.picks_of(action).values())
        if len(picks) == 1 and picks[0].isdecimal():
            before, _, after = text.rpartition(picks[0])
            groups.setdefault((state.why(action), before, after), {})[int(picks[0])] = action
    many = [(key[1].strip(), actions) for key, actions in groups.items() if len(actions) >= MANY]
    return Amounts(*many[0]) if len(many) == 1 else None


def _letters(words: Mapping[int, str], amounts: Amounts | None) -> dict[int, str]:
    """A letter as the key of each choice that is not an amount, because numbers select amounts."""
    free = [
        c
        for c in "abcdefghijklmnopqrstuvwxyz"
        if c not in _TAKEN and not (amounts and amounts.words.casefold().startswith(c))
    ]
    keys = {}
    for action, text in words.items():
        key = next((c for c in text.casefold() if c in free), free[0] if free else text)
        free = [c for c in free if c != key]
        keys[action] = key
    return keys
