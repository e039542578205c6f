"""Explicit chance nodes: every draw waits for an outcome, whose probability is known, as in OpenSpiel.

The interpreter runs such a game up to each instruction that needs a draw, a `DrawPoint`. A shuffle of a zone that
nobody can look into draws nothing yet: `unordered` counts its cards, from the bottom, whose order is open, and each is
drawn when the program takes it from the top or reads the order. So orders without consequences have no nodes.
Cards of the same face are one outcome, with their summed probability, unless values of cards distinguish them.
"""

from __future__ import annotations

from typing import Any, Self

from rulespec.engine.interpreter.running import NONE_ASKED, STOP, DecisionCode, StartPosition, StateError
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.draw_points import DrawPoint, most_outcomes, rules_of
from rulespec.engine.states.openspiel import CHANCE
from rulespec.engine.states.state import State


class ExplicitState(State):
    """A game whose draws are chosen with `apply_action`, as the actions of the player CHANCE.

    `point` is the draw that is open, `left` what it has still to draw; `unordered` as above, by zone. Histories, saved
    states and copies hold the outcomes. The seed has no meaning.
    """

    __slots__ = ("left", "point", "rules", "unordered")

    def __init__(self, game: Ruleset, record: bool, position: StartPosition | None = None) -> None:
        # All before `super`, which plays up to the first decision and so may stop at a draw.
        self.rules, self.left = rules_of(game), 0
        self.point: DrawPoint | None = None
        self.unordered: dict[int, int] = {}
        super().__init__(game, 0, record, position)

    @classmethod
    def begin(cls, game: Ruleset, seed: int, record: bool, position: StartPosition | None) -> Self:
        return cls(game, record, position)

    def _code(self, record: bool) -> DecisionCode:
        return self.rules.code.decisions(record)

    # running

    def go_on(self, place: int) -> None:
        points = self.rules.points
        while place >= 0:
            point = points.get(place)
            if point is None:
                place = self.code.run[place](self)
            else:
                point.arrive(self)
                place = self._drawn(point)
        # Invariants are checked at decisions; a draw may stop in the middle of a rule.
        if self.point is None and self.reported is not None:
            for check in self.code.checks:
                check(self)

    def _drawn(self, point: DrawPoint) -> int:
        """Where the game goes on after a draw; STOP if it has more than one outcome. Others need no node."""
        while weights := point.weights(self):
            if len(weights) > 1:
                self.point, self.legal, self.player, self.asked = point, [], CHANCE, NONE_ASKED
                return STOP
            point.settle(self, *weights)
        return point.leave(self)

    def apply_action(self, action: int, player: int | None = None) -> None:
        if self.point is None:
            super().apply_action(action, player)
            return
        if player not in (None, CHANCE):
            raise StateError(f"seat {player} does not decide now: this is a chance node")
        if action not in self.legal_actions():
            raise self._refused(action, self.legal_actions())
        point, self.point = self.point, None
        self.choices.append((CHANCE, action))
        point.settle(self, action)
        self.go_on(self._drawn(point))

    # the decision

    def is_terminal(self) -> bool:
        return self.point is None and super().is_terminal()

    def is_chance_node(self) -> bool:
        return self.point is not None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.point is None:
            return super().chance_outcomes()
        weights = self.point.weights(self)
        total = sum(weights.values())
        return [(outcome, weights[outcome] / total) for outcome in sorted(weights)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        if self.point is None:
            return super().legal_actions(player)
        return sorted(self.point.weights(self)) if player in (None, CHANCE) else []

    def _num_actions(self) -> int:
        return most_outcomes(self.game) if self.point is not None else super()._num_actions()

    def action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return super().action_to_string(player, action)
        if self.point is None or action not in self.legal_actions():
            raise StateError(f"{action} is no outcome of chance now")
        return self.point.words(self, action)

    # copies

    def _copy_to(self, copy: State) -> None:
        super()._copy_to(copy)
        assert isinstance(copy, ExplicitState)
        copy.rules, copy.point, copy.left, copy.unordered = self.rules, self.point, self.left, {**self.unordered}

    def _blank(self, seed: int) -> State:
        state = object.__new__(ExplicitState)
        state.rules, state.point, state.left, state.unordered = self.rules, self.point, self.left, {**self.unordered}
        return state

    def _list_again(self) -> None:
        if self.point is None:
            super()._list_again()

    def snapshot(self) -> dict[str, Any]:
        return super().snapshot() | {"unordered": [list(one) for one in sorted(self.unordered.items())]}

    def saved_head(self) -> dict[str, Any]:
        return super().saved_head() | {"chance": "explicit"}
