"""Closure compilation, the interpreter: every instruction of a program becomes a function of the state.

Each function returns the place of the next instruction, or STOP if a player must decide or the game is over. With
evaluate.py and choices.py, this module defines what a program does; all other engines are tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from rulespec.engine.interpreter.choices import legal
from rulespec.engine.interpreter.evaluate import Evaluate, domain, evaluator
from rulespec.engine.interpreter.random import shuffle
from rulespec.engine.interpreter.running import NONE_ASKED, SIMULTANEOUS, STOP, Execute, RunningState
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE


class Closures(dict[int, Execute]):
    """The functions of instructions, by place, each made when the game first comes there.

    Without `record`, instructions that only emit events are skipped.
    """

    def __init__(self, program: ir.Program, record: bool, known: Mapping[int, Execute] = MappingProxyType({})) -> None:
        super().__init__(known)
        self._program, self._record = program, record

    @cached_property
    def _follows(self) -> list[int]:
        return onward(self._program.code, ir.EventOnly if self._record else ())

    def __missing__(self, place: int) -> Execute:
        self[place] = compile_closure(self._program, place, self._follows, self._record)
        return self[place]


def compile_closure(program: ir.Program, place: int, follows: list[int], record: bool) -> Execute:
    """The function of the instruction at a place; `follows` is what `onward` returns."""
    instruction = program.code[place]
    return INSTRUCTIONS[type(instruction)](instruction, place, follows, record, program)


Kinds: TypeAlias = type[ir.Instruction] | tuple[type[ir.Instruction], ...]


def onward(code: tuple[ir.Instruction, ...], emitting: Kinds) -> list[int]:
    """For every place, the first one from there on that is neither a jump nor an instruction that only emits an event
    of another kind than `emitting`."""
    return [_next(code, place, emitting) for place in range(len(code))]


def _next(code: tuple[ir.Instruction, ...], place: int, emitting: Kinds) -> int:
    passed = set()
    # A loop in which nothing runs is a circle of jumps; `passed` ends the search there.
    while place not in passed and isinstance(i := code[place], ir.Jump | ir.EventOnly) and not isinstance(i, emitting):
        passed.add(place)
        (place,) = ir.ways(i, place)
    return place


Compile = Callable[[Any, int, list[int], bool, ir.Program], Execute]


def _mark(i: ir.Mark, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, rule = onward[place + 1], i.rule

    def execute(s: RunningState) -> int:
        s.emit(("rule", rule))
        return after

    return execute


def _let(i: ir.Let, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, base, expression = onward[place + 1], i.base, evaluator(i.expression)
    if record and i.value:
        return _let_with_event(i, after)
    if isinstance(i.index, ir.Const):
        slot = base + i.index.value

        def execute(s: RunningState) -> int:
            s.r[slot] = int(expression(s.r, s.z))
            return after

        return execute
    index = evaluator(i.index)

    def execute_at(s: RunningState) -> int:
        s.r[base + index(s.r, s.z)] = int(expression(s.r, s.z))
        return after

    return execute_at


def _let_with_event(i: ir.Let, after: int) -> Execute:
    base, index, expression, name, rule = i.base, evaluator(i.index), evaluator(i.expression), i.value, i.rule

    def execute(s: RunningState) -> int:
        offset, value = index(s.r, s.z), int(expression(s.r, s.z))
        # To set a value to what it holds is no event; `_given` in knowledge/possible_worlds.py relies on it.
        if s.r[base + offset] != value:
            s.r[base + offset] = value
            s.emit(("set", rule, name, offset, value))
        return after

    return execute


def _move(i: ir.Move, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, source, target, rule = onward[place + 1], evaluator(i.source), evaluator(i.target), i.rule
    if i.how == "every" and i.where is None:
        return _move_all(source, target, after, record, rule)
    select = _SELECTIONS[i.how](i)

    def execute(s: RunningState) -> int:
        r, z = s.r, s.z
        a, b = source(r, z), target(r, z)
        for position in select(s, z[a]):
            card = z[a].pop(position)
            z[b].append(card)
            if record:
                s.emit(("move", rule, card, a, position, b))
        return after

    return execute


def _move_all(source: Evaluate, target: Evaluate, after: int, record: bool, rule: int) -> Execute:
    """Moves a whole zone as one event: players who know cards in it know that they are in the other zone now."""

    def execute(s: RunningState) -> int:
        a, b = source(s.r, s.z), target(s.r, s.z)
        if a == b:
            return after
        cards = s.z[a][:]
        s.z[a].clear()
        s.z[b].extend(cards)
        if record and cards:
            s.emit(("move_all", rule, a, b, *cards))
        return after

    return execute


def _select_card(i: ir.Move) -> Callable[[RunningState, list[int]], Iterable[int]]:
    assert i.amount is not None
    card = evaluator(i.amount)
    return lambda s, cards: (cards.index(c),) if (c := card(s.r, s.z)) in cards else ()


def _select_top(i: ir.Move) -> Callable[[RunningState, list[int]], Iterable[int]]:
    assert i.amount is not None
    amount = evaluator(i.amount)
    # Each position is that of the last card when its turn comes, as the ones above have left.
    return lambda s, cards: range(len(cards) - 1, len(cards) - 1 - min(amount(s.r, s.z), len(cards)), -1)


def _select_random(i: ir.Move) -> Callable[[RunningState, list[int]], Iterable[int]]:
    assert i.amount is not None
    amount = evaluator(i.amount)

    def select(s: RunningState, cards: list[int]) -> Iterable[int]:
        # A generator: each draw is from the cards that are left then.
        for _ in range(min(amount(s.r, s.z), len(cards))):
            yield s.draw(len(cards))

    return select


def _select_every(i: ir.Move) -> Callable[[RunningState, list[int]], Iterable[int]]:
    assert i.where is not None
    slot, where = i.slot, evaluator(i.where)

    def select(s: RunningState, cards: list[int]) -> Iterable[int]:
        taken: list[int] = []
        for position, card in enumerate(cards):
            s.r[slot] = card
            if where(s.r, s.z):
                # The cards taken before are gone when this one moves, so it lies that much lower.
                taken.append(position - len(taken))
        return taken

    return select


_SELECTIONS: dict[str, Callable[[ir.Move], Callable[[RunningState, list[int]], Iterable[int]]]] = {
    "card": _select_card,
    "top": _select_top,
    "random": _select_random,
    "every": _select_every,
}


def _show(i: ir.Show, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, zone, rule = onward[place + 1], evaluator(i.zone), i.rule

    def execute(s: RunningState) -> int:
        there, card = zone(s.r, s.z), s.r[i.card]
        s.emit(("show", rule, card, there, s.z[there].index(card), s.r[i.to], s.r[i.number]))
        return after

    return execute


def _shuffle(i: ir.Shuffle, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, zone, rule = onward[place + 1], evaluator(i.zone), i.rule

    def execute(s: RunningState) -> int:
        number = zone(s.r, s.z)
        shuffle(s.z[number], s.draw)
        if record:
            s.emit(("shuffle", rule, number, *s.z[number]))
        return after

    return execute


def _sink(i: ir.Sink, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, zone, position, rule = onward[place + 1], evaluator(i.zone), evaluator(i.position), i.rule

    def execute(s: RunningState) -> int:
        number, at = zone(s.r, s.z), position(s.r, s.z)
        s.z[number].insert(at, s.z[number].pop())
        if record:
            s.emit(("sink", rule, number, at))
        return after

    return execute


def _draw(i: ir.Draw, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, slot, elements, rule, viewers = onward[place + 1], i.slot, domain(i.domain), i.rule, i.viewers

    def execute(s: RunningState) -> int:
        values = list(elements(s.r, s.z))
        s.r[slot] = values[s.draw(len(values))]
        if record:
            s.emit(("random", rule, place, s.r[slot], s.r[viewers] if viewers >= 0 else -1))
        return after

    return execute


def _branch(i: ir.Branch, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, target, condition = onward[place + 1], onward[i.target], evaluator(i.condition)
    return lambda s: after if condition(s.r, s.z) else target


def _jump(i: ir.Jump, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    target = onward[i.target]
    return lambda s: target


def _choose(i: ir.Choose, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    by, none = evaluator(i.by), onward[i.none]
    enumerations = [legal(option, program) for option in i.options]

    def execute(s: RunningState) -> int:
        r, z = s.r, s.z
        actions: list[int] = []
        for add in enumerations:
            add(r, z, actions)
        if not actions:
            return none
        s.pc, s.legal, s.player, s.asked = place, actions, by(r, z), NONE_ASKED
        return STOP

    return execute


def _secret(i: ir.Secret, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after = onward[place + 1]
    askings = [(a.player, evaluator(a.asked), [legal(o, program) for o in a.options], a.chosen) for a in i.askings]

    def execute(s: RunningState) -> int:
        r, z = s.r, s.z
        waiting: dict[int, list[int]] = {}
        for player, asked, enumerations, chosen in askings:
            # The register may hold the option of an earlier round.
            r[chosen] = NONE
            actions: list[int] = []
            if asked(r, z):
                for add in enumerations:
                    add(r, z, actions)
            if actions:
                waiting[player] = actions
        if not waiting:
            return after
        s.pc, s.legal, s.player, s.asked = place, [], SIMULTANEOUS, waiting
        return STOP

    return execute


def _note(i: ir.Note, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, rule, report, players = onward[place + 1], i.rule, i.report, program.players
    worth = evaluator(report.worth) if isinstance(report, ir.Award) and report.worth is not None else None

    def execute(s: RunningState) -> int:
        r = s.r
        if isinstance(report, ir.Bound):
            s.emit(("stopped", rule, r[report.number], report.thing))
            return after
        keys = [r[key.base + p] for key in report.keys for p in range(players)]
        if isinstance(report, ir.Award):
            entered = [r[report.candidates + p] for p in range(players)]
            value = int(worth(r, s.z)) if worth is not None else NONE
            s.emit(
                (
                    "award",
                    rule,
                    place,
                    r[report.subject],
                    r[report.winner],
                    r[report.decided],
                    value,
                    *entered,
                    *keys,
                )
            )
        else:
            ranks = [r[report.ranks + p] for p in range(players)]
            s.emit(("rank", rule, place, r[report.decided], *ranks, *keys))
        return after

    return execute


def _check(i: ir.Check, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, check = onward[place + 1], checker(i)

    def execute(s: RunningState) -> int:
        check(s)
        return after

    return execute


def checker(i: ir.Check) -> Callable[[RunningState], None]:
    """The function that evaluates an invariant, and emits an event the first time it does not hold."""
    holds, sides, number = evaluator(i.holds), [evaluator(side) for side in i.sides], i.invariant

    def check(s: RunningState) -> None:
        if not holds(s.r, s.z):
            broken(s, number, *(int(side(s.r, s.z)) for side in sides))

    return check


def broken(s: RunningState, invariant: int, *sides: int) -> None:
    """Emits the event of an invariant that does not hold, unless the events have it already."""
    if not any(e[0] == "broken" and e[2] == invariant for e in s.events or ()):
        s.emit(("broken", -1, invariant, *sides))


def _setup_ends(i: ir.SetupEnds, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after = onward[place + 1]

    def execute(s: RunningState) -> int:
        s.emit(("setup", -1, *(len(cards) for cards in s.z)))
        return after

    return execute


def _end(i: ir.End, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    def execute(s: RunningState) -> int:
        s.pc, s.legal, s.player, s.asked = place, [], STOP, NONE_ASKED
        return STOP

    return execute


INSTRUCTIONS: dict[type, Compile] = {
    ir.Mark: _mark,
    ir.Let: _let,
    ir.Move: _move,
    ir.Show: _show,
    ir.Shuffle: _shuffle,
    ir.Sink: _sink,
    ir.Draw: _draw,
    ir.Branch: _branch,
    ir.Jump: _jump,
    ir.Choose: _choose,
    ir.Secret: _secret,
    ir.Note: _note,
    ir.Check: _check,
    ir.SetupEnds: _setup_ends,
    ir.End: _end,
}
