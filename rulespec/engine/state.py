"""A game in progress, in OpenSpiel's words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulespec.engine import events
from rulespec.engine.closures import STOP, Event
from rulespec.engine.random import Generator, stream
from rulespec.model.types import LIMIT, NONE

if TYPE_CHECKING:
    from rulespec.engine.game import Game
    from rulespec.engine.knowledge import Knowledge

TERMINAL = -4
"""What `current_player` gives at the end of a game, as in OpenSpiel."""


class StateError(ValueError):
    """A call that does not fit the state: an action that is not legal, a text that is no state of this game."""


@dataclass(frozen=True)
class StartPosition:
    """A position set up by hand instead of dealt: where in the rules, what values hold, which cards lie where.

    `values` maps register numbers, `zones` zone numbers to cards, bottom to top; all other cards lie in `rest`.
    """

    at: str
    values: Mapping[int, int]
    zones: Mapping[int, tuple[int, ...]]
    rest: int


class State:
    """All of a game in progress: registers, zones of cards, the place in the program, the random generator.

    `r`, `z`, `pc` and `generator` are all there is to go on from; `events` is what happened so far (see events.py),
    kept only where the state records, `known` what players who observed it have learned from them, and `choices` what
    was chosen, by player and action. Where several decide at once, `asked` holds what each may choose and `decided`
    what was chosen so far; nobody sees either before the last has chosen.
    """

    __slots__ = (
        "asked",
        "choices",
        "code",
        "decided",
        "draw",
        "events",
        "game",
        "generator",
        "known",
        "legal",
        "pc",
        "player",
        "position",
        "r",
        "seed",
        "z",
    )

    def __init__(self, game: Game, seed: int, record: bool, position: StartPosition | None = None) -> None:
        program = game.program
        self.game, self.seed, self.position = game, seed, position
        self.code = game.code(record)
        self.generator = Generator(stream(seed))
        self.draw = self.generator.below
        self.r = [*program.start, *[0] * program.scratch]
        self.z: list[list[int]] = [[] for _ in program.zones]
        self.choices: list[tuple[int, int]] = []
        self.events: list[Event] | None = [] if record else None
        self.legal: list[int] = []
        self.asked: dict[int, list[int]] = {}
        self.decided: dict[int, int] = {}
        self.known: dict[int, Knowledge] = {}
        self.player = STOP
        self.pc = 0
        self._set_up(program.cards, position)
        self.go_on(self.pc)

    def _set_up(self, cards: tuple[int, ...], position: StartPosition | None) -> None:
        if position is None:
            if self.z:
                self.z[self.game.program.start_zone].extend(cards)
            return
        for slot, value in position.values.items():
            self.r[slot] = value
        placed = {c for group in position.zones.values() for c in group}
        for number, group in position.zones.items():
            self.z[number].extend(group)
        if cards:
            self.z[position.rest].extend(c for c in cards if c not in placed)
        if position.at not in self.game.program.entries:
            raise StateError(f"no rule `{position.at}` is in this game, or not under these rulings")
        self.pc = self.game.program.entries[position.at]

    # running

    def go_on(self, place: int) -> None:
        """Runs the program from a place until somebody must decide or the game is over."""
        code = self.code.run
        while place >= 0:
            place = code[place](self)
        if self.events is not None:
            for check in self.game.always:
                check(self)

    def emit(self, event: Event) -> None:
        if self.events is not None:
            self.events.append(event)

    def apply_action(self, action: int, player: int | None = None) -> None:
        """Carries out a legal action of the current player and everything that follows from it.

        Where several decide at once, `player` says whose action it is; what follows waits for the last of them.
        Raises StateError where the action is not legal now; the state is then unchanged.
        """
        if self.asked:
            self._decide(action, player)
            return
        if player is not None and player != self.player and not self.is_terminal():
            raise StateError(f"player {player} does not decide now, player {self.player} does (counted from 0)")
        if action not in self.legal:
            raise self._refused(action, self.legal)
        self.choices.append((self.player, action))
        self._carry_out(action)

    def _carry_out(self, action: int) -> None:
        self.go_on(self.code.take[self.pc](self, action))

    def apply_actions(self, actions: Mapping[int, int]) -> None:
        """The actions of several players who decide at once, by player. Raises StateError like `apply_action`."""
        for player, action in actions.items():
            if action not in self.legal_actions(player):
                raise self._refused(action, self.legal_actions(player))
        for player, action in actions.items():
            self.apply_action(action, player)

    def _refused(self, action: int, legal: list[int]) -> StateError:
        what = "the game is over" if self.is_terminal() else f"it is not among the {len(legal)} legal ones"
        return StateError(f"action {action} cannot be taken: {what}")

    def _decide(self, action: int, player: int | None) -> None:
        """Keeps one player's secret choice; the last one sets off all of them, in the order of the seats."""
        waiting = [p for p in self.asked if p not in self.decided]
        if player is None and len(waiting) == 1:
            player = waiting[0]
        if player is None:
            raise StateError("several players decide at once here: say whose action it is")
        if action not in self.legal_actions(player):
            raise self._refused(action, self.legal_actions(player))
        # The dictionary is replaced, not changed: clones made before go on sharing the old one.
        self.decided = {**self.decided, player: action}
        if len(self.decided) == len(self.asked):
            self._reveal()

    def _reveal(self) -> None:
        decided, self.decided, self.asked = self.decided, {}, {}
        taken: set[int] = set()
        for player in sorted(decided):
            chosen, option, bind = self.game.secret_option(self.pc, player, decided[player])
            self.choices.append((player, decided[player]))
            self.emit(("choice", option.rule, player, decided[player]))
            bind(self, decided[player], taken)
            self.r[chosen.slot] = chosen.number
        self.go_on(self.pc + 1)

    # OpenSpiel's questions

    def current_player(self) -> int:
        """The seat (from 0) of whoever decides, SIMULTANEOUS where several do at once, or TERMINAL."""
        return TERMINAL if self.is_terminal() else self.player

    def is_terminal(self) -> bool:
        return not self.legal and not self.asked

    def deciders(self) -> list[int]:
        """The players who have still to decide now: one as a rule, several where they decide at once, or none."""
        if self.asked:
            return [player for player in self.asked if player not in self.decided]
        return [self.player] if self.legal else []

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of a player (by default the current one), rising; none for whoever is not asked."""
        if self.asked:
            return list(self.asked[player]) if player in self.asked and player not in self.decided else []
        return self.legal[:] if player is None or player == self.player else []

    def action_to_string(self, player: int, action: int) -> str:
        """An action in words. Raises StateError for a number outside the action space."""
        return self.game.action_to_string(action)

    def why(self, action: int) -> str:
        """The id of the rule that gives this action, where it is legal the one that would apply now."""
        if action in self.legal:
            return self.game.program.rules[self.game.option(self.pc, action)[0].rule]
        return self.game.rule_of_action(action)

    def history(self) -> list[int]:
        """The actions taken so far, in order; `choices` has the players with them."""
        return [action for _, action in self.choices]

    def returns(self) -> list[float]:
        """1 for the winner, 0 for the others; who shares a win shares the 1. All 0 before the end."""
        ranks = self.ranking()
        winners = ranks.count(1)
        return [1.0 / winners if rank == 1 else 0.0 for rank in ranks]

    def ranking(self) -> list[int]:
        """The place of every player, 1 for the winner; players may share one. All 0 before the end."""
        ranking = self.game.program.ranking
        if ranking is None or not self.is_terminal():
            return [0] * self.game.players
        return self.r[ranking.ranks : ranking.ranks + self.game.players]

    def scores(self) -> list[int]:
        """What the ranking goes by first, for every player (victory points, say); 0 for none, and before the end."""
        ranking = self.game.program.ranking
        if ranking is None or not self.is_terminal():
            return [0] * self.game.players
        base = ranking.keys[0].base
        return [0 if score in (NONE, LIMIT) else score for score in self.r[base : base + self.game.players]]

    def value(self, name: str, *index: int) -> int | None:
        """A stored value by name; an index is a seat or an enum member's number, from 0. None where it is absent.

        Raises StateError where there is no such stored value.
        """
        found = self.r[self.game.address(name, index)]
        return None if found == NONE else found

    def zone(self, name: str, index: int = 0) -> list[int]:
        """The cards in a zone, bottom to top, as indices into the manifest. Raises StateError for an unknown zone."""
        return list(self.z[self.game.zone_number(name, index)])

    def observation_string(self, player: int) -> str:
        """All that a player knows now, as lines of text; it depends on nothing they cannot know.

        Raises StateError for a seat there is not, and where the state keeps no events.
        """
        self._observed_by(player)
        return events.observation(self, player)

    def information_state_string(self, player: int) -> str:
        """All that a player has seen and done since the beginning, as lines; raises like `observation_string`."""
        self._observed_by(player)
        return events.information_state(self, player)

    def _observed_by(self, player: int) -> None:
        if player not in range(self.game.players):
            raise StateError(f"there is no player {player}; players count from 0 to {self.game.players - 1}")
        if self.events is None:
            raise StateError("this state keeps no events, so nobody can observe it; make it with record=True")

    def explain_result(self) -> list[str]:
        """The end of the game in words: who got what with how much, which tie-break decided. Empty before the end."""
        return events.explain_result(self)

    def broken_invariants(self) -> list[str]:
        """The ids of the invariants that did not hold so far."""
        return [self.game.spec.invariants[e[2]].id for e in self.events or () if e[0] == "broken"]

    def fired(self) -> set[str]:
        """The ids of the rules that have applied so far."""
        rules = self.game.program.rules
        return {rules[e[1]] for e in self.events or () if e[1] > 0}

    def clone(self) -> State:
        """An independent copy that goes on exactly as this one would."""
        copy = object.__new__(State)
        self._clone_history(copy)
        copy.code, copy.generator = self.code, Generator(self.generator.state)
        copy.draw = copy.generator.below
        copy.r, copy.z = self.r[:], [cards[:] for cards in self.z]
        copy.events = self.events[:] if self.events is not None else None
        return copy

    def _clone_history(self, copy: State) -> None:
        """Gives a copy all but registers, zones, the random generator and events."""
        copy.game, copy.seed, copy.position = self.game, self.seed, self.position
        copy.choices, copy.legal = self.choices[:], self.legal
        copy.player, copy.pc, copy.asked, copy.decided = self.player, self.pc, self.asked, self.decided
        for known in self.known.values():
            known.shared = True
        copy.known = dict(self.known)

    # serialising

    def snapshot(self) -> dict[str, Any]:
        """The state as plain numbers, without scratch registers."""
        registers = self.r[: len(self.game.program.start)]
        return {
            "registers": registers,
            "zones": [c[:] for c in self.z],
            "place": self.pc,
            "random": self.generator.state,
        }

    def to_json(self) -> str:
        """The state as JSON: what leads to it (seed and choices), and the state itself to check against."""
        if self.position is not None:
            raise StateError("a position set up by hand has no history to write down")
        head = self.game.identity() | {"seed": self.seed, "history": [list(choice) for choice in self.choices]}
        secret = {"decided": [[player, action] for player, action in self.decided.items()]} if self.decided else {}
        return json.dumps(head | secret | {"state": self.snapshot()})
