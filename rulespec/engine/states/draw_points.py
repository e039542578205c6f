"""The instructions that need draws before they can be carried out, and the outcomes of each draw: see chance.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Protocol

from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.interpreter.evaluate import domain, evaluator
from rulespec.engine.interpreter.running import DecisionCode, RunningState
from rulespec.engine.program import ir
from rulespec.engine.rules.ruleset import Ruleset


class DrawingState(RunningState, Protocol):
    """The parts of a state that draw points read and write: `left` is what the open draw has still to draw, `unordered`
    the number of cards whose order is open, by zone."""

    game: Ruleset
    code: DecisionCode
    left: int
    unordered: dict[int, int]


class ChanceRules:
    """What all states of a game with explicit chance nodes share: interpreted code, and the places that need draws."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game
        self.code = ProgramCode(game.setting, game.program, game.setup_only, "interpreter")
        # The outcome that each card is: the number of its face among those in the game, or of the card itself if
        # the game keeps values of cards, by which cards of one face differ
        own = any(i.type.kind == "card" for v in game.spec.values.values() if v.start is not None for i in v.per)
        kinds = {card: card if own else game.program.faces[card] for card in game.program.cards}
        numbers = {kind: number for number, kind in enumerate(sorted(set(kinds.values())))}
        self.outcome_of = {card: numbers[kind] for card, kind in kinds.items()}
        self.orders_read = frozenset(zone for i in game.program.code for zone in _orders_read(i, game.program))
        self.points = {place: point for place, i in enumerate(game.program.code) if (point := self._point(place, i))}

    def _point(self, place: int, i: ir.Instruction) -> DrawPoint | None:
        make = _POINTS.get(type(i))
        if make is not None and (point := make(self, place, i)) is not None:
            return point
        return _Reading(self, place, i) if _orders_read(i, self.game.program) else None

    def has_order(self, zone: int) -> bool:
        """Whether it may matter which of several cards with one face leaves a zone."""
        return self.game.ordered[zone] or zone in self.orders_read


@lru_cache(maxsize=32)
def rules_of(game: Ruleset) -> ChanceRules:
    """The chance rules of a game, made once."""
    return ChanceRules(game)


def _orders_read(i: ir.Instruction, program: ir.Program) -> frozenset[int]:
    """The zones whose order an instruction may read. Checks are left out: they hold in every game."""
    if isinstance(i, ir.Check):
        return frozenset()
    read = {zone for node in ir.walk(i) if (at := _reads(node)) is not None for zone in ir.may_name(at, program.zones)}
    found = ir.Role.FOUND | ir.Role.TAKEN if isinstance(i, ir.Move) and i.how in ("card", "every") else ir.Role.FOUND
    return frozenset(read.union(*(ir.may_name(zone, program.zones) for zone in ir.zones_of(i, found))))


def _reads(node: object) -> ir.Expr | None:
    """The zone whose order a node of an expression reads, or whose cards a player picks from."""
    if isinstance(node, ir.Card):
        return node.zone
    if isinstance(node, ir.Fold) and node.function == "first" and isinstance(node.domain, ir.Cards):
        return node.domain.zone
    return node.domain.zone if isinstance(node, ir.Pick) and isinstance(node.domain, ir.Cards) else None


class DrawPoint:
    """An instruction that needs draws before it can be carried out. `weights` are the outcomes of the next draw, with
    the number of equally probable cases of each; none if there is nothing left to draw."""

    def __init__(self, rules: ChanceRules, place: int, i: Any) -> None:
        self.rules, self.place = rules, place

    def arrive(self, s: DrawingState) -> None:
        """Begins to draw."""

    def weights(self, s: DrawingState) -> Mapping[int, int]:
        raise NotImplementedError

    def settle(self, s: DrawingState, outcome: int) -> None:
        raise NotImplementedError

    def leave(self, s: DrawingState) -> int:
        """Carries the instruction out, and returns the next place."""
        return s.code.run[self.place](s)

    def words(self, s: DrawingState, outcome: int) -> str:
        """An outcome in words."""
        raise NotImplementedError


class _Reading(DrawPoint):
    """An instruction that reads the order of zones: what it reads of open orders is drawn, from the top down."""

    def __init__(self, rules: ChanceRules, place: int, i: Any) -> None:
        super().__init__(rules, place, i)
        self.read = sorted(_orders_read(i, rules.game.program))

    def needs(self, s: DrawingState) -> Iterator[tuple[int, int]]:
        """The zones that are read, each with the lowest position."""
        return ((zone, 0) for zone in self.read)

    def _open(self, s: DrawingState) -> int:
        """The first zone with an order to be drawn further, -1 if there is none."""
        # One open card has one order.
        return next((zone for zone, low in self.needs(s) if s.unordered.get(zone, 0) > max(low, 1)), -1)

    def weights(self, s: DrawingState) -> Mapping[int, int]:
        zone = self._open(s)
        return Counter(map(self.rules.outcome_of.__getitem__, s.z[zone][: s.unordered[zone]])) if zone >= 0 else {}

    def settle(self, s: DrawingState, outcome: int) -> None:
        zone = self._open(s)
        cards, last = s.z[zone], s.unordered[zone] - 1
        cards.insert(last, cards.pop(self._position(cards, outcome)))
        s.unordered[zone] = last

    def _position(self, cards: list[int], outcome: int) -> int:
        return next(at for at, card in enumerate(cards) if self.rules.outcome_of[card] == outcome)

    def words(self, s: DrawingState, outcome: int) -> str:
        zone = self._open(s)
        card = s.z[zone][self._position(s.z[zone], outcome)]
        return f"{self._name(card)} at place {s.unordered[zone]} of {s.game.zone_name(zone)}"

    def _name(self, card: int) -> str:
        outcome, name = self.rules.outcome_of, self.rules.game.card_name(card)
        alike = sorted(c for c in outcome if self.rules.game.program.faces[c] == self.rules.game.program.faces[card])
        return f"{name} ({alike.index(card) + 1})" if outcome[alike[0]] != outcome[alike[-1]] else name


class _TopMove(_Reading):
    """A move from the top, which needs the order of these cards."""

    def __init__(self, rules: ChanceRules, place: int, i: ir.Move) -> None:
        super().__init__(rules, place, i)
        assert i.amount is not None
        self._source, self._amount = evaluator(i.source), evaluator(i.amount)

    def needs(self, s: DrawingState) -> Iterator[tuple[int, int]]:
        yield from super().needs(s)
        zone = self._source(s.r, s.z)
        yield zone, len(s.z[zone]) - self._amount(s.r, s.z)


class _Sunk(_Reading):
    """A card that goes below others, which needs the order of these."""

    def __init__(self, rules: ChanceRules, place: int, i: ir.Sink) -> None:
        super().__init__(rules, place, i)
        self._zone, self._below = evaluator(i.zone), evaluator(i.position)

    def needs(self, s: DrawingState) -> Iterator[tuple[int, int]]:
        yield from super().needs(s)
        yield self._zone(s.r, s.z), self._below(s.r, s.z)


class _Shuffled(_Reading):
    """A shuffle. Its order is drawn now if players see it."""

    def __init__(self, rules: ChanceRules, place: int, i: ir.Shuffle) -> None:
        super().__init__(rules, place, i)
        self._zone, self._rule = evaluator(i.zone), i.rule

    def arrive(self, s: DrawingState) -> None:
        zone = self._zone(s.r, s.z)
        # The order before has no meaning any more, so that positions that differ only in it become the same.
        s.z[zone].sort()
        s.unordered[zone] = len(s.z[zone])

    def needs(self, s: DrawingState) -> Iterator[tuple[int, int]]:
        zone = self._zone(s.r, s.z)
        # The order of a shuffled zone may be drawn later if nobody looks into it, and nothing else depends on it that
        # the program does not evaluate.
        seen = self.rules.game.viewers.of_zone[zone]
        if seen.always or seen.sometimes or self.rules.game.viewers.changing:
            yield zone, 0

    def leave(self, s: DrawingState) -> int:
        zone = self._zone(s.r, s.z)
        s.emit(("shuffle", self._rule, zone, *s.z[zone]))
        return self.place + 1


class _RandomMove(_Reading):
    """A move of random cards, one after the other."""

    def __init__(self, rules: ChanceRules, place: int, i: ir.Move) -> None:
        super().__init__(rules, place, i)
        assert i.amount is not None
        self._amount, self._rule = evaluator(i.amount), i.rule
        self._source, self._target = evaluator(i.source), evaluator(i.target)

    def arrive(self, s: DrawingState) -> None:
        s.left = min(self._amount(s.r, s.z), len(s.z[self._source(s.r, s.z)]))

    def needs(self, s: DrawingState) -> Iterator[tuple[int, int]]:
        yield from super().needs(s)
        yield self._source(s.r, s.z), 0

    def weights(self, s: DrawingState) -> Mapping[int, int]:
        if order := super().weights(s):
            return order
        return Counter(self._outcome(s, at) for at in range(len(self._cards(s)))) if s.left else {}

    def _cards(self, s: DrawingState) -> list[int]:
        return s.z[self._source(s.r, s.z)]

    def _outcome(self, s: DrawingState, position: int) -> int:
        """What it is to draw the card at a position: its face, or the position where that may matter."""
        if self.rules.has_order(self._source(s.r, s.z)):
            return position
        return self.rules.outcome_of[self._cards(s)[position]]

    def settle(self, s: DrawingState, outcome: int) -> None:
        if self._open(s) >= 0:
            super().settle(s, outcome)
            return
        a, b = self._source(s.r, s.z), self._target(s.r, s.z)
        position = next(at for at in range(len(s.z[a])) if self._outcome(s, at) == outcome)
        card = s.z[a].pop(position)
        s.z[b].append(card)
        s.emit(("move", self._rule, card, a, position, b))
        s.left -= 1

    def leave(self, s: DrawingState) -> int:
        return self.place + 1

    def words(self, s: DrawingState, outcome: int) -> str:
        if self._open(s) >= 0:
            return super().words(s, outcome)
        position = next(at for at in range(len(self._cards(s))) if self._outcome(s, at) == outcome)
        place = f" at place {position + 1}" if self.rules.has_order(self._source(s.r, s.z)) else ""
        return f"{self._name(self._cards(s)[position])}{place} from {s.game.zone_name(self._source(s.r, s.z))}"


class _RandomNumber(_Reading):
    """A random element of a domain. An outcome is its position among all that the domain may hold."""

    def __init__(self, rules: ChanceRules, place: int, i: ir.Draw) -> None:
        super().__init__(rules, place, i)
        self._elements, self._all = domain(i.domain), _possible(i.domain)
        self._draw = i

    def arrive(self, s: DrawingState) -> None:
        s.left = 1

    def weights(self, s: DrawingState) -> Mapping[int, int]:
        if order := super().weights(s):
            return order
        return Counter(map(self._all.index, self._elements(s.r, s.z))) if s.left else {}

    def settle(self, s: DrawingState, outcome: int) -> None:
        if self._open(s) >= 0:
            super().settle(s, outcome)
            return
        i, s.left = self._draw, 0
        s.r[i.slot] = self._all[outcome]
        s.emit(("random", i.rule, self.place, s.r[i.slot], s.r[i.viewers] if i.viewers >= 0 else -1))

    def leave(self, s: DrawingState) -> int:
        return self.place + 1

    def words(self, s: DrawingState, outcome: int) -> str:
        if self._open(s) >= 0:
            return super().words(s, outcome)
        return f"{self._draw.name} {s.game.names.word(self._draw.type, self._all[outcome])}"


def _possible(elements: ir.Items | ir.Ring | ir.Span) -> range | tuple[int, ...]:
    """All that a domain may hold."""
    return range(elements.least, elements.most + 1) if isinstance(elements, ir.Span) else elements.values


def _move(rules: ChanceRules, place: int, i: ir.Move) -> DrawPoint | None:
    kinds: Mapping[str, Callable[..., DrawPoint]] = {"top": _TopMove, "random": _RandomMove}
    return kinds[i.how](rules, place, i) if i.how in kinds else None


_POINTS: Mapping[type[ir.Instruction], Callable[..., DrawPoint | None]] = {
    ir.Shuffle: _Shuffled,
    ir.Sink: _Sunk,
    ir.Move: _move,
    ir.Draw: _RandomNumber,
}
"""The instructions that need draws of their own."""


def most_outcomes(game: Ruleset) -> int:
    """The most outcomes that a chance node of a game can have; 0 for a game without chance."""
    rules, sizes = rules_of(game), [0]
    for i in game.program.code:
        if isinstance(i, ir.Draw):
            sizes.append(len(_possible(i.domain)))
        elif isinstance(i, ir.Shuffle) or (isinstance(i, ir.Move) and i.how == "random"):
            sizes.append(1 + max(rules.outcome_of.values(), default=-1))
        if isinstance(i, ir.Move) and i.how == "random":
            ordered = any(rules.has_order(zone) for zone in ir.may_name(i.source, game.program.zones))
            sizes.append(len(game.program.cards) if ordered else 0)
    return max(sizes)
