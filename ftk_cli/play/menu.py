"""The menu of legal actions: their keys and texts, and the action that typed input selects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.messages import Message, say
from rulespec.play.table.choice import Choice
from rulespec.play.table.finding import Found, find

MANY = 6
"""So many choices that differ in a number only are one line, and the number itself is typed."""

# Short forms of commands.
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

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.rules = {row.action: row.rule for row in choice.rows}
        self.amounts = _amounts(choice)
        taken = set(self.amounts.actions.values()) if self.amounts else set()
        rest = {row.action: row.words for row in choice.rows if row.action not in taken}
        keys = _letters(rest, self.amounts) if self.amounts else {a: str(n) for n, a in enumerate(rest, 1)}
        self.entries = [Entry(keys[action], rest[action], action) for action in rest]

    def find(self, typed: str) -> Found:
        """The action that typed input selects: by its key, an amount or words."""
        text = " ".join(typed.casefold().split())
        for entry in self.entries:
            if text in (entry.key, entry.words.casefold()):
                return Found(entry.action)
        number = re.fullmatch(r"(\D*?) ?(\d{1,12})", text)
        if number and self.amounts and self.amounts.words.casefold().startswith(number[1]):
            return self._amount(self.amounts, int(number[2]))
        found = find(self.choice, typed)
        if text.isdecimal() and found.action is None and found.choice is None:
            most = len(self.entries)
            return Found(
                message=say("There is no choice {text}: type a number from 1 to {most}.", text=text, most=most)
            )
        return found if found.action is not None else Found(None, found.choice, self._hint(found))

    def _amount(self, amounts: Amounts, number: int) -> Found:
        wrong = say("{number} is not possible; it can be {amounts}.", number=number, amounts=str(amounts))
        return Found(amounts.actions[number]) if number in amounts.actions else Found(message=wrong)

    def _hint(self, found: Found) -> Message:
        if found.choice is not None:
            return say("{message} Type more of it, or its key.", message=found.message)
        example = self.example()
        return say("There is no such choice. Type {example}, or ? to see what you know, h for help.", example=example)

    def example(self) -> Message:
        """An example of valid input."""
        if self.amounts:
            return say("a number ({amounts})", amounts=str(self.amounts))
        most = len(self.entries)
        return say("a number from 1 to {most}", most=most) if most > 1 else say("{number}", number=1)

    def same_rule(self) -> str:
        """The id of the rule if all choices have the same, else ""."""
        rules = set(self.rules.values())
        return next(iter(rules)) if len(rules) == 1 else ""


def _amounts(choice: Choice) -> Amounts | None:
    """The one group of many choices that differ in a number only."""
    groups: dict[tuple[str, str, str], dict[int, int]] = {}
    for row in choice.rows:
        # The number that is all that an action picks; "" if it picks anything else
        picked = row.parts[0].elements if len(row.parts) == 1 else ()
        number = picked[0] if len(picked) == 1 and picked[0].isdecimal() else ""
        if number:
            before, _, after = row.words.rpartition(number)
            groups.setdefault((row.rule, before, after), {})[int(number)] = row.action
    many = [(key[1].strip(), actions) for key, actions in groups.items() if len(actions) >= MANY]
    return Amounts(*many[0]) if len(many) == 1 else None


def _letters(words: Mapping[int, str], amounts: Amounts | None) -> dict[int, str]:
    """A letter as the key of each choice that is not an amount, because numbers select amounts."""
    free = [
        c
        for c in "abcdefghijklmnopqrstuvwxyz"
        # A letter that begins the words of an amount may be the start of typing one.
        if c not in _TAKEN and not (amounts and amounts.words.casefold().startswith(c))
    ]
    keys = {}
    for action, text in words.items():
        key = next((c for c in text.casefold() if c in free), free[0] if free else text)
        free = [c for c in free if c != key]
        keys[action] = key
    return keys
