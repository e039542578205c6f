"""Bounds on the decisions and draws of a game, proved from the bounds of its loops.

They count the longest way through the steps, so a game may be much shorter. What a loop does where it is left, or where
the play ends, counts once. The checker has proved that each `repeat`
has at most `at_most` rounds, or moves a card or a token in every round to where no move of the loop brings it back
from: then the rounds are at most the cards, times the zones that the loop moves cards to, and the tokens, times their
places.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Literal

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.bounds import Bounds
from rulespec.language.model.constants import Setting
from rulespec.language.model.ways import NOTHING, Exit, Point, Ways, steps


class Lengths:
    """The ways through every step in one setting, each computed once, by what is counted along them."""

    skipped: tuple[Exit, ...] = (Point.END,)

    def __init__(self, setting: Setting, counted: Literal["decisions", "draws"]) -> None:
        self.setting, self.players, self.cards = setting, setting.players, len(setting.cards)
        self._bounds, self._counted = Bounds(setting), counted
        self._known: dict[m.Step, Ways] = {}

    def game(self) -> int:
        """The most that is counted in a whole game."""
        return self.body(self.setting.spec.setup + self.setting.spec.play).longest

    def of(self, step: m.Step) -> Ways:
        """The ways through a step."""
        if step not in self._known:
            self._known[step] = step.flow(self) if self.setting.present(step.only_if) else NOTHING
        return self._known[step]

    # what is counted (`Count`)

    def body(self, body: m.Body) -> Ways:
        return reduce(Ways.then, map(self.of, body), NOTHING)

    def any(self, body: m.Body) -> Ways:
        return reduce(Ways.either, map(self.of, body)) if body else NOTHING

    def procedure(self, name: str) -> Ways:
        return self.body(self.setting.spec.procedures[name].body)

    def most(self, number: t.TExpr) -> int:
        return max(0, self._bounds.type(number, {}).high)

    def work(self, number: int, end: Exit = Point.END) -> Ways:
        return steps(0, end)

    def decisions(self, number: int) -> Ways:
        return steps(number if self._counted == "decisions" else 0)

    def draws(self, number: int) -> Ways:
        return steps(number if self._counted == "draws" else 0)

    def choice(self, ways: Ways, *passes: Exit) -> Ways:
        return reduce(Ways.either, (steps(0, end) for end in passes), ways)

    def perhaps(self, ways: Ways) -> Ways:
        return ways.either(NOTHING)

    def rounds(self, loop: m.Repeat) -> int:
        if loop.at_most is not None:
            return self.most(loop.at_most)
        targets = {name for body in loop.body for name in self._targets(body)}
        return sum(map(self._pieces, targets)) or self.cards

    def _pieces(self, target: str) -> int:
        """The cards or tokens that can go to a zone or to a place of a stock."""
        place = self.setting.spec.values.get(target)
        if place is None:
            return self.cards
        # A place has room for all tokens of a kind.
        return place.type.high * (self.setting.extent(place.kind) if place.kind is not None else 1)

    def _targets(self, step: m.Step) -> Iterator[str]:
        """The zones that a step moves cards to, and the places where it moves tokens."""
        for inner in m.nested(step):
            yield from (flow.target.name for flow in inner.flows())
            yield from (target.name for _, target in inner.tokens())
            if isinstance(inner, m.Run):
                for below in self.setting.spec.procedures[inner.procedure].body:
                    yield from self._targets(below)

    def extent(self, domain: t.Domain) -> int:
        if isinstance(domain, t.Cards):
            holds = self.setting.spec.zones[domain.zone.name].holds
            return min(self.cards, self.setting.value(holds)) if holds is not None else self.cards
        if isinstance(domain, t.Chosen):
            return domain.picked.type.high
        if isinstance(domain, t.Listed):
            return self.most(domain.count)
        if isinstance(domain, t.Members) and domain.type.kind == "enum":
            return len(self.setting.in_play(domain.type.name))
        return self.setting.extent(domain.type)


def most_decisions(setting: Setting) -> int:
    """The most decisions of players in one game; players who decide at once are counted one by one."""
    return Lengths(setting, "decisions").game()


def most_draws(setting: Setting) -> int:
    """The most draws in one game: one for each random number and card, all cards but one of a shuffle."""
    return Lengths(setting, "draws").game()
