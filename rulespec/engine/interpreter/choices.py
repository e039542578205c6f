"""Choices: enumerates the legal actions of an option, and binds the variables that an action stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import NamedTuple

from rulespec.engine.interpreter.evaluate import Evaluate, Registers, Zones, domain, evaluator
from rulespec.engine.interpreter.running import RunningState
from rulespec.engine.program import ir
from rulespec.engine.program.sets import digits

Enumerate = Callable[[Registers, Zones, list[int]], None]
Bind = Callable[[RunningState, int, set[int]], None]


def legal(option: ir.Option, program: ir.Program) -> Enumerate:
    """The function that appends the legal actions of an option to a list, in rising order."""
    first, condition = option.first, evaluator(option.condition) if option.condition is not None else None
    if not option.picks:
        return _single(first, condition)
    # An unconditional number, such as a bid, needs no test of each value: its actions are a range.
    if len(option.picks) == 1 and condition is None and isinstance(span := option.picks[0].domain, ir.Span):
        low, high, base = evaluator(span.low), evaluator(span.high), first - span.least

        def interval(r: Registers, z: Zones, actions: list[int]) -> None:
            actions.extend(range(base + low(r, z), base + high(r, z) + 1))

        return interval
    return _combinations(option, program)


def _single(action: int, condition: Evaluate | None) -> Enumerate:
    def single(r: Registers, z: Zones, actions: list[int]) -> None:
        if condition is None or condition(r, z):
            actions.append(action)

    return single


def _combinations(option: ir.Option, program: ir.Program) -> Enumerate:
    """Nested loops over the picks, starting with the one that most conditions constrain.

    Each part of the condition is evaluated as soon as the picks it reads are bound, to prune combinations early.
    """
    guard, picks = _arranged(option, program)
    last = len(picks) - 1

    def collect(r: Registers, z: Zones, depth: int, base: int, found: set[int]) -> None:
        slot, elements, number, stride, conditions = picks[depth]
        for element in elements(r, z):
            r[slot] = element
            for condition in conditions:
                if not condition(r, z):
                    break
            else:
                action = base + number(element) * stride
                if depth < last:
                    collect(r, z, depth + 1, action, found)
                else:
                    found.add(action)
        r[slot] = 0  # so that the enumeration leaves no trace in the state

    def combinations(r: Registers, z: Zones, actions: list[int]) -> None:
        if all(condition(r, z) for condition in guard):
            # A set: cards with the same face are one action.
            found: set[int] = set()
            collect(r, z, 0, option.first, found)
            actions.extend(sorted(found))

    return combinations


Level = tuple[int, Callable[[Registers, Zones], Iterable[int]], Callable[[int], int], int, list[Evaluate]]


def _arranged(option: ir.Option, program: ir.Program) -> tuple[list[Evaluate], list[Level]]:
    """Like `arranged`, with a closure in place of each expression."""
    guard, levels = arranged(option)
    return [evaluator(condition) for condition in guard], [
        (pick.slot, domain(pick.domain), number_of(pick, program), stride, [evaluator(c) for c in conditions])
        for pick, stride, conditions in levels
    ]


PickLoop = tuple[ir.Pick, int, list[ir.Expr]]
"""A pick, its stride in the action number, and the parts of the condition that can be evaluated once it is bound."""


def arranged(option: ir.Option) -> tuple[list[ir.Expr], list[PickLoop]]:
    """The parts of the condition that read no pick, and the picks in loop order: those first that the domains of others
    depend on."""
    strides = {pick.slot: prod(later.size for later in option.picks[i + 1 :]) for i, pick in enumerate(option.picks)}
    parts = [(_reads(part, strides), part) for part in conjuncts(option.condition)]
    order = sorted(option.picks, key=lambda pick: -sum(about == {pick.slot} for about, _ in parts))
    levels = []
    known: set[int] = set()
    while order:
        # A domain may read picks before it, so the first pick whose domain is known comes next, not simply the first.
        pick = next(pick for pick in order if _reads(pick.domain, strides) <= known)
        order.remove(pick)
        before, known = known, known | {pick.slot}
        ready = [condition for about, condition in parts if about <= known and not about <= before]
        levels.append((pick, strides[pick.slot], ready))
    return [condition for about, condition in parts if not about], levels


def conjuncts(condition: ir.Expr | None) -> Iterator[ir.Expr]:
    """The conjuncts of a condition: the parts that must all hold."""
    if isinstance(condition, ir.Operation) and condition.operator == "and":
        for argument in condition.arguments:
            yield from conjuncts(argument)
    elif condition is not None:
        yield condition


def _reads(part: ir.Expr | ir.Domain, slots: Mapping[int, int]) -> set[int]:
    """The slots of the picks that a condition or a domain reads. What is tried relies on all other conditions."""
    if isinstance(part, ir.Try):
        return set(slots)
    return {node.slot for node in ir.walk(part) if isinstance(node, ir.Register) and node.slot in slots}


def number_of(pick: ir.Pick, program: ir.Program) -> Callable[[int], int]:
    """The function from a picked value to its digit in the action number."""
    if pick.ranks:
        added, single = pick.ranks, number_of(replace(pick, ranks=()), program)
        return lambda value: added[single(value)]
    if pick.type.kind == "card":
        return program.faces.__getitem__
    if isinstance(pick.domain, ir.Span):
        least = pick.domain.least
        return lambda value: value - least
    return lambda value: value


def chooser(option: ir.Option, program: ir.Program) -> Bind:
    """The function that binds the variables of an option for one of its legal actions.

    Of several cards with the same face, it prefers one that is not in `taken`, the cards bound by players who chose at
    the same time. It adds the card to `taken`.
    """
    condition = evaluator(option.condition) if option.condition is not None else None
    picks, decoded = [(p.slot, _decoder(p, program)) for p in reversed(option.picks)], digits(option)

    def choose(s: RunningState, action: int, taken: set[int]) -> None:
        faces = []
        for (slot, decode), digit in zip(picks, reversed(decoded(action - option.first)), strict=True):
            if callable(decode):
                faces.append((slot, decode, digit))
            else:
                s.r[slot] = digit + decode
        # What cards are picked from may depend on the other picks.
        cards = [(slot, sorted(decode(s, face), key=taken.__contains__)) for slot, decode, face in faces]
        _settle(s, cards, condition)
        taken.update(s.r[slot] for slot, _ in cards)

    return choose


def _decoder(pick: ir.Pick, program: ir.Program) -> int | Callable[[RunningState, int], list[int]]:
    """For cards, the function that returns the cards of the domain with a face; for others, the offset of a digit."""
    if pick.type.kind == "card":
        elements, faces = domain(pick.domain), program.faces
        return lambda s, face: [c for c in elements(s.r, s.z) if faces[c] == face]
    return pick.domain.least if isinstance(pick.domain, ir.Span) else 0


def _settle(s: RunningState, cards: list[tuple[int, list[int]]], condition: Evaluate | None) -> None:
    """Binds each card variable to the first card with its face that satisfies the condition."""
    if not cards:
        return
    slot, candidates = cards[0]
    for card in candidates:
        s.r[slot] = card
        # The condition is tested with all cards bound: it may relate them, and cards of a face may hold other values.
        _settle(s, cards[1:], condition)
        if condition is None or condition(s.r, s.z):
            return


class Chosen(NamedTuple):
    """Where a secret choice is recorded: the register, and the number of the option to write there."""

    slot: int
    number: int


class DecisionPoints:
    """The options of every decision point of a program with the functions that bind their variables, made once each."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._options: dict[int, list[tuple[int, ir.Option, Bind]]] = {}
        self._secret: dict[tuple[int, int], list[tuple[Chosen, ir.Option, Bind]]] = {}

    def option(self, place: int, action: int) -> tuple[ir.Option, Bind]:
        """The option that an action belongs to at a `Choose`, and the function that binds its variables."""
        options = self._options.get(place)
        if options is None:
            choose = self._program.code[place]
            assert isinstance(choose, ir.Choose)
            options = [(o.first + o.size, o, chooser(o, self._program)) for o in choose.options]
            self._options[place] = options
        return next((option, bind) for end, option, bind in options if option.first <= action < end)

    def secret_option(self, place: int, player: int, action: int) -> tuple[Chosen, ir.Option, Bind]:
        """The same at a `Secret` for one player, and where to record the option."""
        found = self._secret.get((place, player))
        if found is None:
            found = self._secret[place, player] = list(self._asked(place, player))
        return next(entry for entry in found if entry[1].first <= action < entry[1].first + entry[1].size)

    def _asked(self, place: int, player: int) -> Iterator[tuple[Chosen, ir.Option, Bind]]:
        secret = self._program.code[place]
        assert isinstance(secret, ir.Secret)
        asking = next(a for a in secret.askings if a.player == player)
        for number, option in enumerate(asking.options):
            yield Chosen(asking.chosen, number), option, chooser(option, self._program)
