"""A game set up from a sealed spec: player count and rulings fixed, ready to be played any number of times."""

from __future__ import annotations

import json
import secrets
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulespec.engine import ir, link, random
from rulespec.engine.program import compile_program
from rulespec.engine.state import Position, State, StateError
from rulespec.model.constants import Setting
from rulespec.model.spec import Spec
from rulespec.model.types import NONE

Bind = Callable[[State, int], None]


class Game:
    """One setting of a spec. Make it with `spec.game(...)`; it is never changed and may be shared."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.spec: Spec = setting.spec
        self.players = setting.players
        self.program = compile_program(setting)
        self._code: dict[bool, list[link.Execute]] = {}
        self._options: dict[int, list[tuple[int, ir.Option, Bind]]] = {}
        self._starts = [o.first for o in self.program.options]

    # making states

    def new_initial_state(self, seed: int | None = None, record: bool = True) -> State:
        """A new game. The same seed gives the same draws; without one a fresh seed is taken (see `state.seed`).

        `record=False` keeps no events: faster, but nothing can be observed, explained or logged.
        """
        return State(self, secrets.randbits(48) if seed is None else seed, record)

    def state_at(self, position: Position, seed: int = 0) -> State:
        """A game from a position set up by hand."""
        return State(self, seed, True, position)

    def state_from_json(self, text: str) -> State:
        """The state that `State.to_json` wrote down; it goes on exactly as the first one would.

        Raises StateError where the text is none, belongs to another game, or no longer leads to the same state.
        """
        data = _checked(text, self.identity())
        state = self.new_initial_state(data["seed"])
        for action in data["history"]:
            state.apply_action(action)
        if state.snapshot() != data["state"]:
            raise StateError("this state was written with another version of the rules: its choices lead elsewhere now")
        return state

    def identity(self) -> dict[str, Any]:
        """What names this setting in logs and states."""
        answers = {id_: ruling.answers[self.setting.answers[id_]] for id_, ruling in self.spec.rulings.items()}
        return {
            "format": 1,
            "game": self.spec.id,
            "version": self.spec.version,
            "digest": self.spec.digest,
            "players": self.players,
            "rulings": answers,
        }

    # for states

    def code(self, record: bool) -> list[link.Execute]:
        if record not in self._code:
            self._code[record] = link.link(self.program, record)
        return self._code[record]

    def stream(self, seed: int) -> int:
        return random.stream(seed)

    def option(self, place: int, action: int) -> tuple[ir.Option, Bind]:
        """The option an action belongs to at a choice of the program, and the function that binds its variables."""
        options = self._options.get(place)
        if options is None:
            choose = self.program.code[place]
            assert isinstance(choose, ir.Choose)
            options = [(o.first + o.size, o, link.chooser(o, self.program)) for o in choose.options]
            self._options[place] = options
        return next((option, bind) for end, option, bind in options if option.first <= action < end)

    # action space

    def num_distinct_actions(self) -> int:
        """Actions are the numbers from 0 up to this one."""
        return self.program.actions

    def num_players(self) -> int:
        return self.players

    def _option_of(self, action: int) -> ir.Option:
        if not 0 <= action < self.program.actions:
            raise StateError(f"there is no action {action}; the action space ends at {self.program.actions - 1}")
        return self.program.options[bisect_right(self._starts, action) - 1]

    def rule_of_action(self, action: int) -> str:
        """The id of the rule that gives an action."""
        return self.program.rules[self._option_of(action).rule]

    def picks_of(self, action: int) -> dict[str, str]:
        """The variables of an action and what they stand for, in words."""
        option = self._option_of(action)
        number, found = action - option.first, {}
        for pick in reversed(option.picks):
            number, digit = divmod(number, pick.size)
            least = pick.domain.least if isinstance(pick.domain, ir.Span) else 0
            found[pick.name] = self.face_name(digit) if pick.kind == "card" else self.word(pick.kind, pick.enum, digit + least)
        return dict(reversed(found.items()))

    def action_to_string(self, action: int) -> str:
        """An action in words, from the option's own."""
        option = self._option_of(action)
        words = option.says or self.program.rules[option.rule]
        for name, value in self.picks_of(action).items():
            words = words.replace("{" + name + "}", value)
        return words

    # names

    @cached_property
    def face_names(self) -> tuple[str, ...]:
        """The name of every card face: its fields in words."""
        return tuple(self._face(card) for card in self.spec.deck.first_of_face)

    def _face(self, card: int) -> str:
        deck = self.spec.deck
        types, values = list(deck.fields.items()), deck.cards[card]
        parts = [self.word(types[i][1].kind, types[i][1].name, values[i]) for i in map(list(deck.fields).index, deck.face)]
        return " ".join(part for part in parts if part)

    def face_name(self, face: int) -> str:
        return self.face_names[face]

    def card_name(self, card: int) -> str:
        """A card in words, as its face shows it."""
        return self.face_names[self.program.faces[card]]

    def word(self, kind: str, enum: str, value: int) -> str:
        """A stored value in words; nothing for what is absent."""
        if value == NONE:
            return ""
        if kind == "enum":
            answers = self.spec.rulings[enum.removeprefix("ruling:")].answers if enum.startswith("ruling:") else ()
            return (answers or self.spec.enums[enum].members)[value]
        if kind == "bool":
            return "yes" if value else "no"
        return f"player {value + 1}" if kind == "player" else str(value)

    def zone_name(self, zone: int) -> str:
        """A zone in words, with its owner."""
        name, index = self.program.zones[zone]
        declared = self.spec.zones[name]
        if index is None or declared.per is None:
            return declared.title
        return f"{declared.title} of {self.word(declared.per.kind, declared.per.name, index)}"

    def address(self, name: str, index: Sequence[int]) -> int:
        """The register of a stored value."""
        declared = self.spec.values[name]
        offset = 0
        for at, wanted in zip(index, declared.per, strict=True):
            extent = self.players if wanted.type.kind == "player" else len(self.spec.enums[wanted.type.name].members)
            if not 0 <= at < extent:
                raise StateError(f"`{name}` has no index {at}")
            offset = offset * extent + at
        return self.program.value_base[name] + offset


def setting(spec: Spec, players: int | None = None, rulings: Mapping[str, str] | None = None) -> Setting:
    """The setting for a number of players (by default the smallest) and rulings by name.

    Raises ValueError, in words for people, for a player count, ruling or answer the game does not have.
    """
    count = spec.players.start if players is None else players
    if count not in spec.players:
        raise ValueError(f"{spec.title} is for {spec.players.start} to {spec.players[-1]} players, not {count}")
    answers = dict.fromkeys(spec.rulings, 0)
    for id_, answer in (rulings or {}).items():
        if id_ not in spec.rulings:
            raise ValueError(f"there is no ruling `{id_}`; there are {', '.join(spec.rulings) or 'none'}")
        if answer not in spec.rulings[id_].answers:
            raise ValueError(f"the answers to `{id_}` are {', '.join(spec.rulings[id_].answers)}, not `{answer}`")
        answers[id_] = spec.rulings[id_].answers.index(answer)
    return Setting(spec, count, answers)


def _checked(text: str, identity: Mapping[str, Any]) -> dict[str, Any]:
    """The parsed text of a state of this very game."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise StateError(f"this is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise StateError("this is no state of a game")
    for key, value in identity.items():
        if data.get(key) != value:
            raise StateError(f"this state belongs to another game: its {key} is {data.get(key)!r}, not {value!r}")
    history, seed = data.get("history"), data.get("seed")
    if not isinstance(seed, int) or not isinstance(history, list) or not all(isinstance(a, int) for a in history):
        raise StateError("this state lacks its seed or its history")
    return data
