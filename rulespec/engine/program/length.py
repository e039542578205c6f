"""Bounds on the decisions and draws of a game, proved from the bounds of its loops.

They count the longest way through the steps, so a game may be much shorter. What a loop does where it is left, or where
the play ends, counts once. The checker has proved that each `repeat`
has at most `at_most` rounds, or moves a card or a token in every round to where no move of the loop brings it back
from: then the rounds are at most the cards, times the zones that the loop moves cards to, and the tokens, times their
places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.bounds import Bounds
from rulespec.language.model.constants import Setting
from rulespec.language.model.step import row_of
from rulespec.language.model.ways import NOTHING, Point, Ways, steps

Weigh = Callable[["Lengths", Any], int]
_Within = Callable[["Lengths", Any], Ways]


class Lengths:
    """The most that the ways through a step can weigh: `weights` says what steps themselves weigh."""

    def __init__(self, setting: Setting, weights: Mapping[type[m.Step], Weigh]) -> None:
        self.setting, self.players, self.cards = setting, setting.players, len(setting.cards)
        self._bounds, self._weights = Bounds(setting), weights
        self._known: dict[m.Step, Ways] = {}

    def game(self) -> int:
        """The most that a whole game can weigh."""
        return self.body(self.setting.spec.setup + self.setting.spec.play).longest

    def body(self, body: m.Body) -> Ways:
        return reduce(Ways.then, map(self.of, body), NOTHING)

    def any(self, body: m.Body) -> Ways:
        """The ways through one of the steps."""
        return reduce(Ways.either, map(self.of, body)) if body else NOTHING

    def of(self, step: m.Step) -> Ways:
        if step not in self._known:
            own = steps(self._weights.get(type(step), _nothing)(self, step))
            present = self.setting.present(step.only_if)
            inside = row_of(_INSIDE, step) or Lengths._others
            self._known[step] = own.then(inside(self, step)) if present else NOTHING
        return self._known[step]

    def most(self, number: t.TExpr) -> int:
        """The largest number that an expression can be, at least 0."""
        return max(0, self._bounds.type(number, {}).high)

    def _others(self, step: m.Step) -> Ways:
        return self.body(tuple(m.inside(step)))

    def _if(self, step: m.If) -> Ways:
        return self.body(step.then).either(self.body(step.otherwise))

    def _decide(self, step: m.Decide) -> Ways:
        return self.any(step.rows).either(self.body(step.otherwise or ()))

    def _leave(self, step: m.Leave) -> Ways:
        return steps(0, step.loop)

    def _end(self, step: m.End) -> Ways:
        return steps(0, Point.PLAY)

    def _repeat(self, step: m.Repeat) -> Ways:
        rounds = self.body(step.body).times(self._rounds(step)).either(NOTHING)
        return rounds.loop({"", step.rule}, self.body(step.then or ()))

    def _rounds(self, step: m.Repeat) -> int:
        if step.at_most is not None:
            return self.most(step.at_most)
        targets = {name for body in step.body for name in self._targets(body)}
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

    def _each(self, step: m.Each) -> Ways:
        rounds = self.body(step.body).times(self._extent(step.domain)).either(NOTHING)
        return rounds.loop({step.rule} - {""}, NOTHING)

    def _extent(self, domain: t.Domain) -> int:
        """The largest number of elements of a domain."""
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

    def _choose(self, step: m.Choose) -> Ways:
        """Without a legal action it passes, or leaves the loop."""
        passed = {"skip": NOTHING, "leave": steps(0, "")}.get(step.none)
        return self.any(step.options) if passed is None else self.any(step.options).either(passed)

    def _run(self, step: m.Run) -> Ways:
        return self.body(self.setting.spec.procedures[step.procedure].body)

    def _secret(self, step: m.Secret) -> Ways:
        return self.any(step.options).times(self.players).either(NOTHING).then(self.body(step.then))

    def _draft(self, step: m.Draft) -> Ways:
        return self.any(step.places).times(self.most(step.draws)).either(NOTHING)

    def _auction(self, step: m.Auction) -> Ways:
        """Each player can win once without being able to pay."""
        ended = self.body(step.pays).then(self.body(step.takes)).either(self.body(step.nobody))
        return self.body(step.before).then(self.body(step.cannot_pay).times(self.players).either(NOTHING)).then(ended)


_INSIDE: Mapping[type[m.Step], _Within] = {
    m.If: Lengths._if,
    m.Decide: Lengths._decide,
    m.Repeat: Lengths._repeat,
    m.Each: Lengths._each,
    m.Leave: Lengths._leave,
    m.End: Lengths._end,
    m.Choose: Lengths._choose,
    m.Run: Lengths._run,
    m.Secret: Lengths._secret,
    m.Draft: Lengths._draft,
    m.Auction: Lengths._auction,
}
"""What is inside the steps whose parts are not taken one after the other."""


def _nothing(lengths: Lengths, step: m.Step) -> int:
    return 0


def _bids(lengths: Lengths, step: m.Auction) -> int:
    """Each bid is higher than the one before it and at most the cap, and each player passes once; that again for each
    winner who cannot pay."""
    return lengths.players * (max(0, lengths.setting.value(step.cap)) + lengths.players)


def _drawn(lengths: Lengths, step: m.Move) -> int:
    return min(lengths.cards, lengths.most(step.amount)) if step.how == "random" and step.amount is not None else 0


_DECISIONS: Mapping[type[m.Step], Weigh] = {
    m.Choose: lambda lengths, step: 1,
    m.Secret: lambda lengths, step: lengths.players,
    m.Draft: lambda lengths, step: lengths.most(step.draws),
    m.Auction: _bids,
}
_DRAWS: Mapping[type[m.Step], Weigh] = {
    m.Random: lambda lengths, step: 1,
    m.Shuffle: lambda lengths, step: max(0, lengths.cards - 1),
    m.Move: _drawn,
}


def most_decisions(setting: Setting) -> int:
    """The most decisions of players in one game; players who decide at once are counted one by one."""
    return Lengths(setting, _DECISIONS).game()


def most_draws(setting: Setting) -> int:
    """The most draws in one game: one for each random number and card, all cards but one of a shuffle."""
    return Lengths(setting, _DRAWS).game()
