"""The action space: which option and rule an action belongs to, and its words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from rulespec.base.messages import Message, say
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.program import ir
from rulespec.engine.program.sets import digits
from rulespec.engine.rules.naming import Names


class ActionSpace:
    """The actions of a program, numbered from 0 to `size - 1`. An option owns one number per combination of picks."""

    def __init__(self, program: ir.Program, names: Names) -> None:
        self.size = program.actions
        self._program, self._names = program, names
        self._starts = [option.first for option in program.options]

    def option(self, action: int) -> ir.Option:
        """The option an action belongs to. Raises StateError for a number outside the action space."""
        return self._program.options[self.option_number(action)]

    def option_number(self, action: int) -> int:
        """The number of the option an action belongs to. Raises StateError for a number outside the action space."""
        if not 0 <= action < self.size:
            raise StateError(f"there is no action {action}: actions are 0 to {self.size - 1}")
        return bisect_right(self._starts, action) - 1

    def rule(self, action: int) -> str:
        """The id of the rule that offers an action."""
        return self._program.rules[self.option(action).rule]

    def title(self, action: int) -> str:
        """The title of an action's rule: the kind of action, without what is picked."""
        rule = self.rule(action)
        return self._names.spec.rules[rule].title if rule else "chooses"

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The titles of all actions, each once."""
        return tuple(sorted({self.title(option.first) for option in self._program.options if option.size}))

    def picks(self, action: int) -> dict[str, str]:
        """The variables of an action and what they stand for, in words."""
        return {
            name: ", ".join(word if number == 1 else f"{word} x{number}" for word, number in _numbers(words))
            for name, words in self.elements(action).items()
        }

    def elements(self, action: int) -> dict[str, list[str]]:
        """The variables of an action and the words of what they stand for: one word each, of a set one for each
        element."""
        option = self.option(action)
        found: dict[str, list[str]] = {}
        for pick, digit in zip(option.picks, digits(option)(action - option.first), strict=True):
            # The elements of a set are picked in falling order (see program/sets.py), and named in rising order.
            found.setdefault(pick.name, []).insert(0, self.word(pick, digit))
        return found

    def parts(self, action: int) -> list[tuple[ir.Pick, int]]:
        """The picks of an action, the elements of a set one by one, each with what it stands for: a card face, a member
        or a number."""
        option = self.option(action)
        digits_of = digits(option)(action - option.first)
        return [(pick, digit + least(pick)) for pick, digit in zip(option.picks, digits_of, strict=True)]

    def word(self, pick: ir.Pick, digit: int) -> str:
        """What a pick stands for where it has a digit in the number of an action."""
        if pick.type.kind == "card":
            return self._names.face_names[digit]
        return self._names.word(pick.type, digit + least(pick))

    def sees(self, viewer: int | None, player: int, action: int) -> bool:
        """Whether a viewer (None: an observer of everything) sees which action a player takes. Others see only what its
        picks change."""
        seen = self.option(action).seen
        return viewer is None or viewer == player or not seen or bool(seen[player] >> viewer & 1)

    def notices(self, viewer: int | None, player: int, action: int) -> bool:
        """Whether a viewer sees that a player takes an action."""
        return self.option(action).noticed or self.sees(viewer, player, action)

    def says(self, option: ir.Option) -> str:
        """The words of an option, with the names of its picks in braces."""
        return option.says or self._program.rules[option.rule]

    def words(self, action: int) -> str:
        """An action in the words of its option."""
        words = self.says(self.option(action))
        for name, value in self.picks(action).items():
            words = words.replace("{" + name + "}", value)
        return words

    def said(self, action: int) -> Message:
        """An action in the words of its option, as a message whose values are the names of its picks."""
        says, picks = self.says(self.option(action)), self.elements(action)
        players = {pick.name for pick in self.option(action).picks if pick.type.kind == "player"}
        named = {
            name: [_player(word) for word in words] if name in players else [_named(*one) for one in _numbers(words)]
            for name, words in picks.items()
        }
        return say(_as_template(says, named), **named) if named else say(says)


def least(pick: ir.Pick) -> int:
    """What a pick stands for where its digit is 0."""
    return pick.domain.least if isinstance(pick.domain, ir.Span) else 0


def _as_template(says: str, named: Iterable[str]) -> str:
    """The words of an option as a template of a message: braces around anything but the names of picks are text."""
    parts = re.split("|".join(rf"(\{{{re.escape(name)}\}})" for name in named), says)
    known = {f"{{{name}}}" for name in named}
    return "".join(
        part if part in known else part.replace("{", "{{").replace("}", "}}") for part in parts if part is not None
    )


def _player(word: str) -> Message:
    """A player as a message, from the notation `player 2`."""
    return say("player {number}", number=int(word.rpartition(" ")[2]))


def _named(word: str, number: int) -> Message:
    """The same for one element, as a message: its name can be translated."""
    return say(word) if number == 1 else say("{name} x{number}", name=say(word), number=number)


def _numbers(words: list[str]) -> Iterable[tuple[str, int]]:
    """Each word once, with its number."""
    if len(words) == 1:  # nearly always; counting takes longer than all else here
        return ((words[0], 1),)
    return Counter(words).items()
