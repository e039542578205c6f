"""The vocabulary of a scenario: resolves the names of players, rules, actions, zones, values and cards in a game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property

from rulespec.base.diagnostics import Span
from rulespec.base.messages import Message, all_of, any_of, counted, quoted, say
from rulespec.engine.interpreter.evaluate import evaluator
from rulespec.engine.program import ir
from rulespec.engine.program.expressions import ExpressionLowering
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.model import typed
from rulespec.language.model.types import NONE, Type

_REFERENCE = re.compile(r"([A-Za-z_]\w*)(?:\[(.*)\])?")
_PICK = re.compile(r"\{\w+\}")
"""The place of a pick in the words of an option."""
_COPIES = re.compile(r"(.+?) x([1-9]\d?)")
Read = Callable[[State], int]
_MOST_LISTED = 8
"""Names in a sentence: about two lines of a terminal."""
_LONGEST_NAME = 200
"""Characters of an unknown name that are compared with the known ones: the comparison takes quadratic time."""


class Misfit(Exception):
    """Raised for a name that does not fit the game: the name of the finding, its message, span and hint."""

    def __init__(self, name: str, message: Message, span: Span, hint: Message) -> None:
        super().__init__(message)
        self.name, self.message, self.span, self.hint = name, message, span, hint


def either(names: Iterable[str]) -> str:
    """A few names in a sentence, with “or”; the end of a long list is only counted."""
    return any_of(_few(quoted(list(names)))) or say("none")


def each(names: Iterable[str]) -> str:
    """A few names in a sentence, with “and”; the end of a long list is only counted."""
    return all_of(_few(quoted(list(names)))) or say("none")


def _few(names: list[str]) -> list[str]:
    more = len(names) - _MOST_LISTED + 1
    return [*names[:-more], counted("{number} more", "{number} more", more)] if more > 1 else names


def near(word: str, known: Iterable[str]) -> Message:
    """A hint for an unknown name: the closest known one, or all of them."""
    names = list(known)
    found = get_close_matches(word[:_LONGEST_NAME], names, n=1)
    return say("Did you mean `{name}`?", name=found[0]) if found else say("Known: {names}.", names=each(names))


def scalar(node: Node) -> Scalar:
    """A node that the schema requires to be a scalar."""
    assert isinstance(node, Scalar)
    return node


def whole(node: Node | None, otherwise: int = 0) -> int:
    """The whole number of a node; `otherwise` if there is none."""
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else otherwise


def items(node: Node) -> list[Scalar]:
    """The scalars of a node that the schema requires to be a list of scalars, or a single one."""
    return [scalar(item) for item in node.items] if isinstance(node, Sequence) else [scalar(node)]


class Vocabulary:
    """Resolves the names that the cases of one game use. Methods raise Misfit for a name that the game lacks."""

    def __init__(self, game: Game) -> None:
        self.game, self.spec, self.program = game, game.spec, game.program

    # players, rules, actions

    def player(self, node: Scalar) -> int:
        """The seat, counted from 0, of `player 2` or `2`."""
        number = node.text.removeprefix("player ")
        if number.isdecimal() and 1 <= int(number) <= self.game.players:
            return int(number) - 1
        hint = say("Players are `player 1` to `player {players}`.", players=self.game.players)
        raise Misfit("scenario-unknown-name", say("Unknown player: `{node}`.", node=node.text), node.span, hint)

    def rule(self, node: Scalar) -> str:
        """A rule of the spec by its id."""
        if node.text not in self.spec.rules:
            raise _unknown("rule", node, self.spec.rules)
        return node.text

    def action(self, node: Scalar) -> str:
        """An action in words. Raises Misfit if the game has no such action: it could never be legal."""
        if not any(node.text in self._actions(option) for option in self._options_like(node.text)):
            raise _unknown("action", node, sorted(frozenset().union(*map(self._actions, self.program.options))))
        return node.text

    def _options_like(self, words: str) -> Iterator[ir.Option]:
        """The options that may have these words. The others are not worded: some have thousands of actions."""
        for option in self.program.options:
            parts = (re.escape(part) for part in _PICK.split(self.game.actions.says(option)))
            if re.fullmatch(".*".join(parts), words, re.DOTALL):
                yield option

    def _actions(self, option: ir.Option) -> frozenset[str]:
        """The actions of an option, in words."""
        if option.first not in self._worded:
            numbers = range(option.first, option.first + option.size)
            self._worded[option.first] = frozenset(map(self.game.action_to_string, numbers))
        return self._worded[option.first]

    @cached_property
    def _worded(self) -> dict[int, frozenset[str]]:
        return {}

    # zones and values

    def zone(self, node: Scalar) -> int:
        """The number of the zone `deck` or `hand[2]`."""
        name, indices = _reference(node)
        if name not in self.spec.zones:
            raise _unknown("zone", node, self.spec.zones)
        return self.program.zone(name, *self._indices(node, name, indices, self.spec.zones[name].per))

    def is_pile(self, zone: int) -> bool:
        """Whether the cards in a zone have an order."""
        return self.spec.zones[self.program.zones[zone][0]].ordered

    def stored(self, node: Scalar) -> tuple[int, Type]:
        """The register of a stored value such as `esteem[military]`, and its type."""
        name, index = self._value(node)
        if name not in self.program.value_base:
            message = say("`{name}` cannot be given: it is derived from other values.", name=name)
            raise Misfit(
                "scenario-bad-value", message, node.span, say("Give the values and cards that it is derived from.")
            )
        return self.game.names.address(name, index), self.spec.values[name].type

    def reader(self, node: Scalar) -> tuple[Read, Type]:
        """The function that returns a value, stored or derived, of a state; and its type."""
        name, index = self._value(node)
        declared = self.spec.values[name]
        types = [found.type for found in declared.per]
        arguments = tuple(typed.Const(t, i) for t, i in zip(types, index, strict=True))
        lowering = self._lowering
        read = evaluator(lowering.expr(typed.Value(declared.type, name, arguments), {}))
        # Scratch registers count from the end, so those that other readers allocate later do not move these.
        size, scratch = len(self.program.start), [0] * len(lowering.scratch)
        return lambda state: int(read([*state.r[:size], *scratch], state.z)), declared.type

    @cached_property
    def _lowering(self) -> ExpressionLowering:
        return ExpressionLowering(self.game.setting)

    def _value(self, node: Scalar) -> tuple[str, list[int]]:
        name, indices = _reference(node)
        if name not in self.spec.values:
            raise _unknown("value", node, self.spec.values)
        return name, self._indices(node, name, indices, [index.type for index in self.spec.values[name].per])

    def _indices(self, node: Scalar, name: str, given: list[str], wanted: Collection[Type]) -> list[int]:
        if len(given) == len(wanted):
            return [self.number(text, type_, node) for text, type_ in zip(given, wanted, strict=True)]
        names = self.game.names
        first = ("1" if type_.kind == "player" else names.notation(type_, type_.low) for type_ in wanted)
        example = ", ".join(first)
        kinds = all_of([say("player") if type_.kind == "player" else str(type_) for type_ in wanted])
        hint = (
            say("Write it like `{name}[{example}]`.", name=name, example=example)
            if wanted
            else say("Write `{better}`.", better=name)
        )
        message = (
            say("There is one `{name}` for each {kinds}.", name=name, kinds=kinds)
            if wanted
            else say("There is only one `{name}`.", name=name)
        )
        raise Misfit("scenario-unknown-name", message, node.span, hint)

    # contents of values

    def content(self, node: Scalar, type_: Type) -> int:
        """The number that a content is stored as: `6`, `player 1`, `military`, `true`, `none`."""
        return self.number(node.text, type_, node)

    def number(self, text: str, type_: Type, node: Scalar) -> int:
        """The number that a text of a type is stored as."""
        if type_.optional and text == "none":
            return NONE
        found = self._readings(type_).get(text.removeprefix("player ") if type_.kind == "player" else text)
        if found is None:
            message = say("`{text}` is not {expected}.", text=text, expected=self._called(type_))
            raise Misfit("scenario-bad-value", message, node.span, say("Write {type}.", type=self._choices(type_)))
        return found

    def _readings(self, type_: Type) -> dict[str, int]:
        if type_.kind == "card":
            # Reversed, so that a name of several cards stands for the first of them.
            return {self.game.card_name(card): card for card in reversed(self.program.cards)}
        if type_.kind == "int":
            return {str(number): number for number in range(type_.low, type_.high + 1)}
        if type_.kind == "bool":
            return {"true": 1, "false": 0}
        if type_.kind == "player":
            return {str(seat + 1): seat for seat in range(self.game.players)}
        return {self.game.names.notation(type_, member): member for member in self.game.setting.in_play(type_.name)}

    def _called(self, type_: Type) -> str:
        kinds = {
            "int": say("a number from {low} to {high}", low=type_.low, high=type_.high),
            "bool": say("true or false"),
            "player": say("a player of this case"),
            "card": say("a card's name"),
        }
        return kinds.get(type_.kind, say("a member of `{type}` in play", type=type_.name))

    def _choices(self, type_: Type) -> str:
        if type_.kind == "int":
            return self._called(type_)
        before = "player " if type_.kind == "player" else ""
        return either([before + name for name in self._readings(type_)] + ["none"] * type_.optional)

    def word(self, number: int, type_: Type) -> str:
        """A stored number as scenarios write it."""
        return self.game.names.notation(type_, number)

    # cards

    @cached_property
    def copies(self) -> Counter[int]:
        """The number of cards of each face in this game."""
        return Counter(self.program.faces[card] for card in self.program.cards)

    def faces(self, node: Node) -> Counter[int]:
        """The faces of a list of cards such as `[gold 2 x3, diplomacy A]`."""
        found: Counter[int] = Counter()
        for item in items(node):
            face, copies = self._card(item)
            found[face] += copies
        return found

    def listed(self, node: Node) -> list[tuple[int, Scalar]]:
        """Like `faces`, but card by card, each with its node."""
        return [(face, item) for item in items(node) for face, copies in [self._card(item)] for _ in range(copies)]

    def _card(self, node: Scalar) -> tuple[int, int]:
        several = _COPIES.fullmatch(node.text)
        wanted, copies = (several[1], int(several[2])) if several else (node.text, 1)
        return self._face(wanted, node), copies

    def _face(self, wanted: str, node: Scalar) -> int:
        names = {self.game.names.face_names[face]: face for face in self.copies}
        if wanted in names:
            return names[wanted]
        fitting = [name for name in names if not Counter(wanted.split()) - Counter(name.split())]
        if len(fitting) == 1:
            return names[fitting[0]]
        if fitting:
            message, hint = (
                say("Ambiguous card: `{wanted}` can be {names}.", wanted=wanted, names=either(fitting)),
                say("Add words of the card's name."),
            )
        else:
            message, hint = say("Unknown card: `{wanted}`.", wanted=wanted), self._similar(wanted)
        raise Misfit("scenario-unclear-card", message, node.span, hint)

    def _similar(self, wanted: str) -> Message:
        """A hint for an unknown card: cards with some of its words, or why the card is not in this game."""
        asked, names = set(wanted.split()), self.game.names.face_names
        if any(asked <= set(name.split()) for name in names):
            return say(
                "The card is left out with {players} players; use another card or another number of players.",
                players=self.game.players,
            )
        there = [names[face] for face in sorted(self.copies)]
        return near(wanted, [name for name in there if asked & set(name.split())] or there)

    def cards(self, faces: Counter[int]) -> str:
        """Faces in a sentence."""
        known = self.game.names.face_names
        names = [known[face] + (f" x{n}" if n > 1 else "") for face, n in sorted(faces.items()) if n > 0]
        if len(names) > _MOST_NAMED:
            more = len(names) - _MOST_NAMED
            return counted("{cards} and {number} more", "{cards} and {number} more", more, cards=names[:_MOST_NAMED])
        return say("{cards}", cards=names) if names else say("nothing")


_MOST_NAMED = 12
"""Cards listed in a message: about three lines of a terminal."""


def _unknown(what: str, node: Scalar, known: Iterable[str]) -> Misfit:
    name = _reference(node)[0] if what in ("zone", "value") else node.text
    return Misfit("scenario-unknown-name", say(_UNKNOWN[what], name=name), node.span, near(name, known))


_UNKNOWN = {
    "rule": say("Unknown rule: `{name}`."),
    "action": say("Unknown action: `{name}`."),
    "zone": say("Unknown zone: `{name}`."),
    "value": say("Unknown value: `{name}`."),
}


def _reference(node: Scalar) -> tuple[str, list[str]]:
    found = _REFERENCE.fullmatch(node.text)
    if found is None:
        return node.text, []
    return found[1], [part.strip() for part in found[2].split(",")] if found[2] is not None else []
