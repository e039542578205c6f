"""What may be chosen: an option's legal actions, and the variables an action stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import prod
from typing import NamedTuple

from rulespec.engine import ir
from rulespec.engine.evaluate import Evaluate, Registers, Zones, domain, evaluator
from rulespec.engine.running import RunningState

Enumerate = Callable[[Registers, Zones, list[int]], None]
Bind = Callable[[RunningState, int, set[int]], None]


def legal(option: ir.Option, program: ir.Program) -> Enumerate:
    """The function that adds an option's legal actions to a list, in rising order."""
    first, condition = option.first, evaluator(option.condition) if option.condition is not None else None
    if not option.picks:
        return _single(first, condition)
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
    """Picks are tried one inside the other, those first that most conditions are about; each part of the condition is
    asked as soon as all it is about is picked, so that what cannot be is not gone into."""
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
        r[slot] = 0  # what a variable was while trying is no part of the state

    def combinations(r: Registers, z: Zones, actions: list[int]) -> None:
        if all(condition(r, z) for condition in guard):
            found: set[int] = set()
            collect(r, z, 0, option.first, found)
            actions.extend(sorted(found))

    return combinations


Level = tuple[int, Callable[[Registers, Zones], Iterable[int]], Callable[[int], int], int, list[Evaluate]]


def _arranged(option: ir.Option, program: ir.Program) -> tuple[list[Evaluate], list[Level]]:
    """See `arranged`; with everything as a function."""
    guard, levels = arranged(option)
    return [evaluator(condition) for condition in guard], [
        (pick.slot, domain(pick.domain), number_of(pick, program), stride, [evaluator(c) for c in conditions])
        for pick, stride, conditions in levels
    ]


def arranged(option: ir.Option) -> tuple[list[ir.Expr], list[tuple[ir.Pick, int, list[ir.Expr]]]]:
    """The parts of the condition that are about no pick, and the picks in the order in which to try them: the pick, how
    much it counts for, and what can be asked once it is picked."""
    strides = {pick.slot: prod(later.size for later in option.picks[i + 1 :]) for i, pick in enumerate(option.picks)}
    parts = [(_about(part, strides), part) for part in conjuncts(option.condition)]
    order = sorted(option.picks, key=lambda pick: -sum(about == {pick.slot} for about, _ in parts))
    levels = []
    known: set[int] = set()
    for pick in order:
        before, known = known, known | {pick.slot}
        ready = [condition for about, condition in parts if about <= known and not about <= before]
        levels.append((pick, strides[pick.slot], ready))
    return [condition for about, condition in parts if not about], levels


def conjuncts(condition: ir.Expr | None) -> Iterator[ir.Expr]:
    """The parts of a condition that must all hold."""
    if isinstance(condition, ir.Operation) and condition.operator == "and":
        for argument in condition.arguments:
            yield from conjuncts(argument)
    elif condition is not None:
        yield condition


def _about(condition: ir.Expr, slots: Mapping[int, int]) -> set[int]:
    """The picks a condition is about."""
    return {node.slot for node in ir.walk(condition) if isinstance(node, ir.Register) and node.slot in slots}


def number_of(pick: ir.Pick, program: ir.Program) -> Callable[[int], int]:
    """How a picked value counts within its actions."""
    if pick.type.kind == "card":
        return program.faces.__getitem__
    if isinstance(pick.domain, ir.Span):
        least = pick.domain.least
        return lambda value: value - least
    return lambda value: value


def chooser(option: ir.Option, program: ir.Program) -> Bind:
    """The function that binds the variables of an option for one of its (legal) actions.

    Of cards with the same face it takes one that is not among those `taken` by others who choose at the same time, as
    long as there is one, and adds it to them.
    """
    condition = evaluator(option.condition) if option.condition is not None else None
    picks = [(p.slot, _bearer(p, program), p.size) for p in reversed(option.picks)]

    def choose(s: RunningState, action: int, taken: set[int]) -> None:
        number = action - option.first
        cards = []
        for slot, bearer, size in picks:
            number, digit = divmod(number, size)
            if callable(bearer):
                bearers = bearer(s, digit)
                cards.append((slot, sorted(bearers, key=taken.__contains__)))
            else:
                s.r[slot] = digit + bearer
        _settle(s, cards, condition)
        taken.update(s.r[slot] for slot, _ in cards)

    return choose


def _bearer(pick: ir.Pick, program: ir.Program) -> int | Callable[[RunningState, int], list[int]]:
    """An offset for numbers; for cards the function that gives the cards in the domain that show a face."""
    if pick.type.kind == "card":
        elements, faces = domain(pick.domain), program.faces
        return lambda s, face: [c for c in elements(s.r, s.z) if faces[c] == face]
    return pick.domain.least if isinstance(pick.domain, ir.Span) else 0


def _settle(s: RunningState, cards: list[tuple[int, list[int]]], condition: Evaluate | None) -> None:
    """Of cards that show the same face takes the first that the condition allows."""
    if not cards:
        return
    slot, bearers = cards[0]
    for card in bearers:
        s.r[slot] = card
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
