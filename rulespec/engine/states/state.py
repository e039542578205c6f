"""A game in progress, with the method names of OpenSpiel."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from rulespec.base.messages import Message
from rulespec.engine.backend.engines.tiers import Tier
from rulespec.engine.backend.runtime.digest import bits_of
from rulespec.engine.interpreter.evaluate import evaluator
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.interpreter.running import STOP, DecisionCode, Event, StartPosition, StateError, WrongStart
from rulespec.engine.knowledge import observation, results, tensors
from rulespec.engine.knowledge.hidden_zones import Knowledge
from rulespec.engine.knowledge.observation import View
from rulespec.engine.knowledge.observer import Observer
from rulespec.engine.knowledge.possible_worlds import Position, unknown
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.openspiel import OpenSpielMethods
from rulespec.language.model.types import LIMIT, NONE

if TYPE_CHECKING:
    from rulespec.engine.states.native import Memory

TERMINAL = -4
"""What `current_player` returns at the end of a game, as in OpenSpiel."""


MOST_WORLDS = 1000
"""Possible worlds that are tried until the same players decide in one."""


class State(OpenSpielMethods):
    """A game in progress: registers, zones of cards, the decision point, the random generator.

    `r`, `z`, `pc` and `generator` determine how the game goes on. `events` holds what happened so far (see events.py)
    if the state records it, `known` what each player who observed the state knows from it, and `choices` the player and
    action of every choice. While several players decide at once, `asked` holds the legal actions of each and `decided`
    the actions chosen so far; both are hidden from the players until the last of them has chosen.

    Python runs a state, in lists, until machine code does, in `memory` (see native.py); then `r`, `z` and `generator`
    read that memory. `reported` are the events that Python has emitted. `tier` counts what Python does for the state,
    and says when machine code takes over; it is None where that may not.
    """

    __slots__ = (
        "asked",
        "choices",
        "code",
        "decided",
        "draw",
        "frame",
        "game",
        "generator",
        "known",
        "legal",
        "memory",
        "pc",
        "player",
        "position",
        "r",
        "reported",
        "seed",
        "tier",
        "z",
    )

    PYTHON_FRAME = bytearray(72)
    """The `frame` of every state that Python runs: native_methods.py writes it."""

    def __init__(self, game: Ruleset, seed: int, record: bool, position: StartPosition | None = None) -> None:
        program = game.program
        self.game, self.seed, self.position = game, seed, position
        self.code = self._code(record)
        self.memory: Memory | None = None
        self.frame = self.PYTHON_FRAME
        self.tier: Tier | None = None
        self.generator = Generator(stream(seed))
        self.draw = self.generator.below
        self.r = [*program.start, *[0] * program.scratch]
        self.z: list[list[int]] = [[] for _ in program.zones]
        self.choices: list[tuple[int, int]] = []
        self.reported: list[Event] | None = [] if record else None
        self.legal: list[int] = []
        self.asked: dict[int, list[int]] = {}
        self.decided: dict[int, int] = {}
        self.known: dict[int, Observer] = {}
        self.player = STOP
        self.pc = 0
        self._set_up(program.cards, position)
        self.go_on(self.pc)

    @classmethod
    def begin(cls, game: Ruleset, seed: int, record: bool, position: StartPosition | None) -> Self:
        state: Self = game.new_state(seed, record, position)
        return state

    @property
    def records(self) -> bool:
        return self.reported is not None

    @property
    def events(self) -> list[Event] | None:
        """What happened so far; None if the state does not record it."""
        return self.reported if self.memory is None or self.reported is None else self.memory.events(self)

    def _code(self, record: bool) -> DecisionCode:
        return self.game.code.decisions(record)

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
        self._start_at(position.at)

    def _start_at(self, rule: str) -> None:
        """Goes to a rule in a position set up by hand. Raises WrongStart if a condition around it does not hold."""
        program = self.game.program
        self.pc = program.entries[rule]
        for slot, expression in program.named[rule]:
            self.r[slot] = int(evaluator(expression)(self.r, self.z))
        for (about, type_), expression in zip(self.game.spec.rules[rule].assumes, program.assumed[rule], strict=True):
            found = int(evaluator(expression)(self.r, self.z))
            if not type_.contains(found):
                raise WrongStart(rule, about, type_, found)

    # running

    def go_on(self, place: int) -> None:
        """Runs the program from a place up to the next decision or the end of the game."""
        code = self.code.run
        while place >= 0:
            place = code[place](self)
        if self.reported is not None:
            for check in self.code.checks:
                check(self)

    def emit(self, event: Event) -> None:
        """Appends an event if the state records events."""
        if self.reported is not None:
            self.reported.append(event)

    def apply_action(self, action: int, player: int | None = None) -> None:
        """Carries out a legal action of the current player and everything that follows from it.

        While several players decide at once, `player` says whose action it is; what follows waits for the last of them.
        Raises StateError if the action is not legal now; the state is then unchanged.
        """
        if self.asked:
            self._decide(action, player)
            return
        if player is not None and player != self.player and not self.is_terminal():
            raise StateError(f"seat {player} does not decide now: seat {self.player} does (seats count from 0)")
        if action not in self.legal:
            raise self._refused(action, self.legal)
        if self.tier is not None:
            self._count(1)
        self.choices.append((self.player, action))
        if self.memory is None:
            self.go_on(self.code.take[self.pc](self, action))
        else:
            self.memory.act(self, action)

    def _count(self, decisions: int) -> None:
        """Counts decisions. Machine code takes over if it is time, and there."""
        tier = self.tier
        assert tier is not None
        tier.left -= decisions
        if tier.left < 0 and (take_over := tier.machine_code()) is not None:
            take_over(self)

    def apply_actions(self, actions: Mapping[int, int]) -> None:
        """Carries out the actions of several players who decide at once, by player. Raises like `apply_action`."""
        for player, action in actions.items():
            if action not in self.legal_actions(player):
                raise self._refused(action, self.legal_actions(player))
        for player, action in actions.items():
            self.apply_action(action, player)

    def _refused(self, action: int, legal: list[int]) -> StateError:
        why = "the game is over" if self.is_terminal() else f"it is not among the {len(legal)} legal actions"
        return StateError(f"action {action} cannot be taken: {why}")

    def _decide(self, action: int, player: int | None) -> None:
        """Records one player's secret choice. The last one reveals them all, in the order of the seats."""
        waiting = [p for p in self.asked if p not in self.decided]
        if player is None and len(waiting) == 1:
            player = waiting[0]
        if player is None:
            raise StateError("several players decide at once: pass the player whose action it is")
        if action not in self.legal_actions(player):
            raise self._refused(action, self.legal_actions(player))
        # The dictionary is replaced, not changed: clones share it.
        self.decided = {**self.decided, player: action}
        if len(self.decided) == len(self.asked):
            self._reveal()

    def _reveal(self) -> None:
        if self.tier is not None:
            self._count(len(self.decided))
        decided, self.decided, self.asked = self.decided, {}, {}
        if self.memory is not None:
            self.choices += sorted(decided.items())
            self.memory.reveal(self, decided)
            return
        taken: set[int] = set()
        for player in sorted(decided):
            chosen, option, bind = self.game.code.points.secret_option(self.pc, player, decided[player])
            self.choices.append((player, decided[player]))
            self.emit(("choice", option.rule, player, decided[player]))
            bind(self, decided[player], taken)
            self.r[chosen.slot] = chosen.number
        self.go_on(self.pc + 1)

    # the decision

    def current_player(self) -> int:
        """The seat (from 0) that decides, SIMULTANEOUS if several do at once, or TERMINAL."""
        return TERMINAL if self.is_terminal() else self.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.legal and not self.asked

    def deciders(self) -> list[int]:
        """The seats that have still to decide: usually one, several while they decide at once, none at the end."""
        if self.asked:
            return [player for player in self.asked if player not in self.decided]
        return [self.player] if self.legal else []

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of a player (by default the current one), rising; none for a player not to decide."""
        if self.asked:
            return list(self.asked[player]) if player in self.asked and player not in self.decided else []
        return self.legal[:] if player is None or player == self.player else []

    def action_to_string(self, player: int, action: int) -> str:
        """An action in words. Raises StateError for a number outside the action space."""
        return self.game.action_to_string(action)

    def why(self, action: int) -> str:
        """The id of the rule that offers this action: if it is legal, the rule that would apply now."""
        if action in self.legal:
            return self.game.program.rules[self.game.code.points.option(self.pc, action)[0].rule]
        return self.game.rule_of_action(action)

    def history(self) -> list[int]:
        """The actions taken so far, in order; `choices` pairs them with their players."""
        return [action for _, action in self.choices]

    # the result

    def returns(self) -> list[float]:
        """What the game is worth to each player: as its `rank` step says, else 1 for the winner and 0 for the others.

        Winners who share the win share the 1. All 0 before the end, and if the game stops at a bound.
        """
        ranks, registers = self.ranking(), self.game.program.returns
        # The registers of returns are set by the ranking, which a stopped game never reaches.
        if registers and any(ranks):
            return [float(self.r[slot]) for slot in registers]
        winners = ranks.count(1)
        return [1.0 / winners if rank == 1 else 0.0 for rank in ranks]

    def ranking(self) -> list[int]:
        """The place of every player, 1 for the winner; players may share one. All 0 before the end, and if the game
        stops at a bound that it must not reach."""
        ranking = self.game.program.ranking
        if ranking is None or not self.is_terminal():
            return [0] * self.game.players
        return list(self.r[ranking.ranks : ranking.ranks + self.game.players])

    def scores(self) -> list[int]:
        """The first criterion of the ranking for every player, such as points; 0 if absent, and before the end."""
        ranking = self.game.program.ranking
        if ranking is None or not self.is_terminal():
            return [0] * self.game.players
        base = ranking.keys[0].base
        return [0 if score in (NONE, LIMIT) else score for score in self.r[base : base + self.game.players]]

    def explain_result(self) -> list[Message]:
        """The end of the game in words, line by line: every award, the ranking, which criterion broke each tie.

        Empty before the end, and if the state keeps no events.
        """
        return results.explain_result(self.game, self.events or ()) if self.is_terminal() else []

    # values, zones and what players observe

    def value(self, name: str, *index: int) -> int | None:
        """A stored value by name, None if it is absent. An index is a seat or the number of an enum member, from 0.

        Raises StateError if there is no such stored value.
        """
        found = self.r[self.game.names.address(name, index)]
        return None if found == NONE else found

    def zone(self, name: str, *index: int) -> list[int]:
        """The cards in a zone, bottom to top, as indices into the manifest. Raises StateError for an unknown zone."""
        return list(self.z[self.game.names.zone_number(name, *index)])

    def view(self, player: int | None = None) -> View:
        """What a player may know now, by default the player to act; it depends on nothing they cannot know.

        Raises StateError for a seat that the game does not have, without a seat where no single player is to act, and
        if the state keeps no events.
        """
        if player is None:
            player = self._to_act()
        if self.tier is not None:
            self.tier.left -= 1
        return View(self, player, self.observer(player))

    def observation_string(self, player: int | None = None) -> str:
        """Everything a player knows now, as lines of text. Raises like `view`."""
        player, memory = self._to_act() if player is None else player, self.memory
        if memory is None or self.game.names.on_cards or (views := memory.views(self, player)) is None:
            return observation.observation(self.view(player))
        unnoticed = self.pc in self.game.program.unnoticed
        turn = observation.turn_line(tuple(observation.deciders(self, player)), self.is_terminal(), unnoticed)
        return views.text(memory.own, player, turn)

    def information_state_string(self, player: int | None = None) -> str:
        """What a player has observed and done since the beginning, and what they know now, as lines. Raises like
        `view`."""
        player = self._to_act() if player is None else player
        history = observation.history(self.observer(player))
        return "\n".join(filter(None, (history, self.observation_string(player))))

    def information_state_key(self, player: int | None = None) -> bytes:
        """16 bytes that stand for what a player has observed and done since the beginning. Raises like `view`."""
        player, memory = self._to_act() if player is None else player, self.memory
        if memory is None or (views := memory.views(self, player)) is None:
            return self.view(player).key()
        digest = views.digest(memory.block, player)
        return observation.key(digest, player, self._deciding(player), self.pc, self.decided)

    def observation_tensor(self, player: int | None = None) -> array[float]:
        """Everything a player knows now, as numbers: see `Game.observation_parts`. Raises like `view`."""
        player, memory = self._to_act() if player is None else player, self.memory
        if memory is None or (views := memory.views(self, player)) is None:
            return tensors.observation(self.game, self.view(player))
        return views.observation(memory.own, player, self._deciding(player))

    def information_state_tensor(self, player: int | None = None) -> array[float]:
        """The observation and the latest choices: see `Game.information_state_parts`. Raises like `view`."""
        player, memory = self._to_act() if player is None else player, self.memory
        if memory is None or (views := memory.views(self, player)) is None:
            return tensors.information_state(self.game, self.view(player), self.choices)
        return views.information_state(memory.own, player, self._deciding(player))

    def _deciding(self, player: int) -> int:
        """A bit for every seat that a player sees decide (see `View.deciders`)."""
        return bits_of(observation.deciders(self, player))

    def resample_from_infostate(self, player: int, seed: int) -> State:
        """A state that is possible as far as a player knows, with the same information state: see possible_worlds.py.
        The same seed gives the same state. Raises like `view`."""
        draws, possible = Generator(stream(seed)), unknown(self, player)
        for _ in range(MOST_WORLDS):
            state = self._in_world(possible.world(draws), player, draws.below(2**32 - 1))
            if (state.pc, state.player, [*state.asked]) == (self.pc, self.player, [*self.asked]):
                return state
        raise StateError(f"in none of {MOST_WORLDS} possible worlds do the same players decide")

    def _in_world(self, world: Position, player: int, seed: int) -> State:
        """This state with other registers and zones, and with other draws from now on. What others have chosen in
        secret is not kept: they choose again."""
        state = self._blank(seed)
        self._clone_history(state)
        state.position = StartPosition("", dict(enumerate(world.r)), dict(enumerate(map(tuple, world.z))), 0)
        state.code, state.memory, state.tier = self._code(self.records), None, None
        state.frame = self.PYTHON_FRAME
        state.generator = Generator(stream(seed))
        state.draw = state.generator.below
        # No copy: each world is drawn for one state.
        state.r, state.z = [*world.r, *[0] * self.game.program.scratch], world.z
        state.reported = [] if self.records else None
        state.choices = [*self._choices_seen_by(player)]
        state.known = {player: self.observer(player).placed(state.position)}
        state.decided = {p: action for p, action in self.decided.items() if p == player}
        state._list_again()
        if self.memory is not None:
            self.memory.take_over(state)
        return state

    def _choices_seen_by(self, viewer: int) -> Iterator[tuple[int, int]]:
        """The choices as a player saw them: -1 in place of an action that they did not see."""
        actions = self.game.actions
        for player, action in self.choices:
            known = player >= 0 and action >= 0
            if not known or actions.notices(viewer, player, action):
                yield player, action if known and actions.sees(viewer, player, action) else -1

    def _blank(self, seed: int) -> State:
        """A state to be filled."""
        return object.__new__(State)

    def _list_again(self) -> None:
        """Lists the legal actions of the open decision."""
        if not self.is_terminal():
            self.go_on(self.pc)

    def knowledge(self, player: int) -> Knowledge:
        """What a player knows of hidden zones. Raises like `view`."""
        knowledge = self.observer(player).knowledge
        assert knowledge is not None
        return knowledge

    def observer(self, player: int) -> Observer:
        """A player after all events so far. Raises like `view`."""
        if player not in range(self.game.players):
            raise StateError(f"there is no seat {player}: seats are 0 to {self.game.players - 1}")
        if self.events is None:
            raise StateError("this state keeps no events, so it cannot be observed: make it with record=True")
        events = self.events
        known = self.known.get(player) or Observer(self.game, player, self.position)
        self.known[player] = known = known.learn(events)
        return known

    def broken_invariants(self) -> list[str]:
        """The ids of the invariants that did not hold so far."""
        return [self.game.spec.invariants[e[2]].id for e in self.events or () if e[0] == "broken"]

    def stopped(self) -> str:
        """The bound that the game must not reach and has reached, in words; empty if there is none."""
        return next((results.bound_words(self.game, e) for e in self.events or () if e[0] == "stopped"), "")

    def fired(self) -> set[str]:
        """The ids of the rules that have applied so far."""
        rules = self.game.program.rules
        return {rules[e[1]] for e in self.events or () if e[1] > 0}

    # copies

    def clone(self) -> Self:
        """An independent copy that goes on exactly as this one would."""
        copy = object.__new__(type(self))
        self._copy_to(copy)
        return copy

    def _copy_to(self, copy: State) -> None:
        self._clone_history(copy)
        if self.memory is not None:
            copy.reported = self.reported
            self.memory.copy().run(copy)
            return
        copy.memory, copy.tier, copy.code, copy.generator = None, self.tier, self.code, Generator(self.generator.state)
        copy.frame, copy.draw = self.PYTHON_FRAME, copy.generator.below
        copy.r, copy.z = self.r[:], [cards[:] for cards in self.z]
        copy.reported = self.reported[:] if self.reported is not None else None

    def _clone_history(self, copy: State) -> None:
        """Copies everything but registers, zones, the random generator and events."""
        copy.game, copy.seed, copy.position = self.game, self.seed, self.position
        # `legal`, `asked` and `decided` are replaced and never changed, so copies may share them.
        copy.choices, copy.legal = self.choices[:], self.legal
        copy.player, copy.pc, copy.asked, copy.decided = self.player, self.pc, self.asked, self.decided
        for known in self.known.values():
            known.shared = True
        copy.known = dict(self.known)

    def snapshot(self) -> dict[str, Any]:
        """The state as plain numbers, without scratch registers."""
        return {
            "registers": list(self.r[: len(self.game.program.start)]),
            "zones": [c[:] for c in self.z],
            "place": self.pc,
            "random": self.generator.state,
        }

    def saved_head(self) -> dict[str, Any]:
        """What says, in a saved state or a log, which game it is and where its chance comes from."""
        return self.game.identity() | {"seed": self.seed}

    def to_json(self) -> str:
        """The state as JSON: the seed and the choices that lead to it, and its numbers to verify them.

        Raises StateError for a game from a position set up by hand.
        """
        if self.position is not None:
            raise StateError("a game from a position set up by hand cannot be saved: no seed leads to it")
        head = self.saved_head() | {"history": [list(choice) for choice in self.choices]}
        secret = {"decided": [[player, action] for player, action in self.decided.items()]} if self.decided else {}
        return json.dumps(head | secret | {"state": self.snapshot()})
