"""The interpreter: turns every instruction and expression of a program into a function once, then only calls them.

An expression becomes a function of the registers and the zones; an instruction one of the state, giving the next place in
the program, or STOP. This is the definition of what a program does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from rulespec.engine import ir
from rulespec.model.constants import OPERATORS
from rulespec.model.types import NONE

if TYPE_CHECKING:
    from rulespec.engine.state import State

Registers = list[int]
Zones = list[list[int]]
Evaluate = Callable[[Registers, Zones], int]
Execute = Callable[["State"], int]
STOP = -1


def evaluator(node: ir.Expr) -> Evaluate:
    """The function that gives an expression's value."""
    return _EXPRESSIONS[type(node)](node)


def _const(node: ir.Const) -> Evaluate:
    value = node.value
    return lambda r, z: value


def _register(node: ir.Register) -> Evaluate:
    slot = node.slot
    return lambda r, z: r[slot]


def _element(node: ir.Element) -> Evaluate:
    base = node.base
    if isinstance(node.index, ir.Register):
        slot = node.index.slot
        return lambda r, z: r[base + r[slot]]
    index = evaluator(node.index)
    return lambda r, z: r[base + index(r, z)]


def _lookup(node: ir.Lookup) -> Evaluate:
    table, index = node.table, evaluator(node.index)
    if node.maybe:
        return lambda r, z: NONE if (i := index(r, z)) == NONE else table[i]
    if isinstance(node.index, ir.Register):
        slot = node.index.slot
        return lambda r, z: table[r[slot]]
    return lambda r, z: table[index(r, z)]


def _size(node: ir.Size) -> Evaluate:
    if isinstance(node.zone, ir.Const):
        number = node.zone.value
        return lambda r, z: len(z[number])
    zone = evaluator(node.zone)
    return lambda r, z: len(z[zone(r, z)])


def _card(node: ir.Card) -> Evaluate:
    zone = evaluator(node.zone)
    if node.position is None:
        return lambda r, z: cards[-1] if (cards := z[zone(r, z)]) else NONE
    position = evaluator(node.position)
    return lambda r, z: cards[i] if (i := position(r, z)) < len(cards := z[zone(r, z)]) else NONE


def _operation(node: ir.Operation) -> Evaluate:
    special = _BINARY.get(node.operator)
    if special is not None and len(node.arguments) == 2:
        left, right = node.arguments
        if isinstance(right, ir.Const) and node.operator in _WITH_CONSTANT:
            return _WITH_CONSTANT[node.operator](evaluator(left), right.value)
        return special(evaluator(left), evaluator(right))
    apply, arguments = OPERATORS[node.operator], [evaluator(a) for a in node.arguments]
    return lambda r, z: apply(*[a(r, z) for a in arguments])


_WITH_CONSTANT: dict[str, Callable[[Evaluate, int], Evaluate]] = {
    "==": lambda a, c: lambda r, z: a(r, z) == c,
    "!=": lambda a, c: lambda r, z: a(r, z) != c,
    "<": lambda a, c: lambda r, z: a(r, z) < c,
    ">": lambda a, c: lambda r, z: a(r, z) > c,
    "<=": lambda a, c: lambda r, z: a(r, z) <= c,
    ">=": lambda a, c: lambda r, z: a(r, z) >= c,
    "+": lambda a, c: lambda r, z: a(r, z) + c,
    "-": lambda a, c: lambda r, z: a(r, z) - c,
    "%": lambda a, c: lambda r, z: a(r, z) % c,
}
_BINARY: dict[str, Callable[[Evaluate, Evaluate], Evaluate]] = {
    "and": lambda a, b: lambda r, z: a(r, z) and b(r, z),
    "or": lambda a, b: lambda r, z: a(r, z) or b(r, z),
    "==": lambda a, b: lambda r, z: a(r, z) == b(r, z),
    "!=": lambda a, b: lambda r, z: a(r, z) != b(r, z),
    "<": lambda a, b: lambda r, z: a(r, z) < b(r, z),
    ">": lambda a, b: lambda r, z: a(r, z) > b(r, z),
    "<=": lambda a, b: lambda r, z: a(r, z) <= b(r, z),
    ">=": lambda a, b: lambda r, z: a(r, z) >= b(r, z),
    "+": lambda a, b: lambda r, z: a(r, z) + b(r, z),
    "-": lambda a, b: lambda r, z: a(r, z) - b(r, z),
    "??": lambda a, b: lambda r, z: b(r, z) if (v := a(r, z)) == NONE else v,
}
# Comparisons give Python's True and False, which are the numbers 1 and 0; registers get plain numbers (see `_let`).


def _choice(node: ir.Choice) -> Evaluate:
    condition, then, otherwise = evaluator(node.condition), evaluator(node.then), evaluator(node.otherwise)
    return lambda r, z: then(r, z) if condition(r, z) else otherwise(r, z)


def _bind(node: ir.Bind) -> Evaluate:
    slot, value, body = node.slot, evaluator(node.value), evaluator(node.body)

    def bind(r: Registers, z: Zones) -> int:
        r[slot] = value(r, z)
        return body(r, z)

    return bind


def domain(node: ir.Domain) -> Callable[[Registers, Zones], Iterable[int]]:
    """The function that gives the elements of a domain."""
    if isinstance(node, ir.Items):
        values = node.values
        return lambda r, z: values
    if isinstance(node, ir.Cards):
        zone = evaluator(node.zone)
        return lambda r, z: z[zone(r, z)]
    low, high = evaluator(node.low), evaluator(node.high)
    return lambda r, z: range(low(r, z), high(r, z) + 1)


def _fold(node: ir.Fold) -> Evaluate:
    elements, slot = domain(node.domain), node.slot
    condition = evaluator(node.condition) if node.condition is not None else lambda r, z: 1
    body = evaluator(node.body) if node.body is not None else lambda r, z: 0
    return _FOLDS[node.function](elements, slot, condition, body)


def _sum(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        total = 0
        for r[slot] in elements(r, z):
            if condition(r, z) and (value := body(r, z)) != NONE:
                total += value
        return total

    return fold


def _counted(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        total = 0
        for r[slot] in elements(r, z):
            if condition(r, z):
                total += 1
        return total

    return fold


def _any(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        for r[slot] in elements(r, z):
            if condition(r, z):
                return 1
        return 0

    return fold


def _first(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        for element in elements(r, z):
            r[slot] = element
            if condition(r, z):
                return int(element)
        return NONE

    return fold


def _extreme(pick: Callable[..., int]) -> Callable[[Any, int, Evaluate, Evaluate], Evaluate]:
    def build(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
        def fold(r: Registers, z: Zones) -> int:
            found = []
            for r[slot] in elements(r, z):
                if condition(r, z) and (value := body(r, z)) != NONE:
                    found.append(value)
            return pick(found, default=NONE)

        return fold

    return build


_FOLDS: dict[str, Callable[[Any, int, Evaluate, Evaluate], Evaluate]] = {
    "sum": _sum,
    "count": _counted,
    "any": _any,
    "first": _first,
    "min": _extreme(min),
    "max": _extreme(max),
}
_EXPRESSIONS: dict[type, Callable[[Any], Evaluate]] = {
    ir.Const: _const,
    ir.Register: _register,
    ir.Element: _element,
    ir.Lookup: _lookup,
    ir.Size: _size,
    ir.Card: _card,
    ir.Operation: _operation,
    ir.Choice: _choice,
    ir.Bind: _bind,
    ir.Fold: _fold,
}


# Instructions. `record` says whether events are kept; without it whatever only tells of the game is left out.


def link(program: ir.Program, record: bool) -> list[Execute]:
    """The functions of all instructions, by their place in the program."""
    onward = _onward(program.code, record)
    return [_INSTRUCTIONS[type(i)](i, place, onward, record, program) for place, i in enumerate(program.code)]


def _onward(code: tuple[ir.Instruction, ...], record: bool) -> list[int]:
    """For every place the next one where something happens: jumps, and what only tells of the game, are skipped."""
    silent = (ir.Mark, ir.Note, ir.Check, ir.SetupEnds)
    onward = list(range(len(code)))
    for place in reversed(range(len(code))):
        instruction = code[place]
        if isinstance(instruction, ir.Jump) and instruction.target > place:
            onward[place] = onward[instruction.target]
        elif not record and isinstance(instruction, silent):
            onward[place] = onward[place + 1]
    for place, instruction in enumerate(code):
        if isinstance(instruction, ir.Jump):
            onward[place] = onward[instruction.target]
    return onward


Linker = Callable[[Any, int, list[int], bool, ir.Program], Execute]


def _mark(i: ir.Mark, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, rule = onward[place + 1], i.rule

    def execute(s: State) -> int:
        s.tell(("rule", rule))
        return after

    return execute


def _let(i: ir.Let, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, base, expression = onward[place + 1], i.base, evaluator(i.expression)
    if record and i.value:
        return _telling_let(i, after)
    if isinstance(i.index, ir.Const):
        slot = base + i.index.value

        def execute(s: State) -> int:
            s.r[slot] = int(expression(s.r, s.z))
            return after

        return execute
    index = evaluator(i.index)

    def execute_at(s: State) -> int:
        s.r[base + index(s.r, s.z)] = int(expression(s.r, s.z))
        return after

    return execute_at


def _telling_let(i: ir.Let, after: int) -> Execute:
    base, index, expression, name, rule = i.base, evaluator(i.index), evaluator(i.expression), i.value, i.rule

    def execute(s: State) -> int:
        offset, value = index(s.r, s.z), int(expression(s.r, s.z))
        if s.r[base + offset] != value:
            s.r[base + offset] = value
            s.tell(("set", rule, name, offset, value))
        return after

    return execute


def _move(i: ir.Move, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, source, target, rule = onward[place + 1], evaluator(i.source), evaluator(i.target), i.rule
    if i.how == "every" and i.where is None:
        return _move_all(source, target, after, record, rule)
    select = _SELECTIONS[i.how](i)

    def execute(s: State) -> int:
        r, z = s.r, s.z
        a, b = source(r, z), target(r, z)
        for position in select(s, z[a]):
            card = z[a].pop(position)
            z[b].append(card)
            if record:
                s.tell(("move", rule, card, a, position, b))
        return after

    return execute


def _move_all(source: Evaluate, target: Evaluate, after: int, record: bool, rule: int) -> Execute:
    """A whole zone at once is one event: whoever knew what lay there knows that it lies in the other zone now."""

    def execute(s: State) -> int:
        a, b = source(s.r, s.z), target(s.r, s.z)
        cards = s.z[a][:]
        s.z[a].clear()
        s.z[b].extend(cards)
        if record and cards:
            s.tell(("move_all", rule, a, b, *cards))
        return after

    return execute


def _select_card(i: ir.Move) -> Callable[[State, list[int]], Iterable[int]]:
    assert i.amount is not None
    card = evaluator(i.amount)
    return lambda s, cards: (cards.index(c),) if (c := card(s.r, s.z)) in cards else ()


def _select_top(i: ir.Move) -> Callable[[State, list[int]], Iterable[int]]:
    assert i.amount is not None
    amount = evaluator(i.amount)
    return lambda s, cards: range(len(cards) - 1, len(cards) - 1 - min(amount(s.r, s.z), len(cards)), -1)


def _select_random(i: ir.Move) -> Callable[[State, list[int]], Iterable[int]]:
    assert i.amount is not None
    amount = evaluator(i.amount)

    def select(s: State, cards: list[int]) -> Iterable[int]:
        # Lazily: each draw is from the cards that are then still there.
        for _ in range(min(amount(s.r, s.z), len(cards))):
            yield s.draw(len(cards))

    return select


def _select_every(i: ir.Move) -> Callable[[State, list[int]], Iterable[int]]:
    assert i.where is not None
    slot, where = i.slot, evaluator(i.where)

    def select(s: State, cards: list[int]) -> Iterable[int]:
        taken = []
        for position, s.r[slot] in enumerate(cards):
            if where(s.r, s.z):
                taken.append(position - len(taken))
        return taken

    return select


_SELECTIONS: dict[str, Callable[[ir.Move], Callable[[State, list[int]], Iterable[int]]]] = {
    "card": _select_card,
    "top": _select_top,
    "random": _select_random,
    "every": _select_every,
}


def _shuffle(i: ir.Shuffle, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, zone, rule = onward[place + 1], evaluator(i.zone), i.rule

    def execute(s: State) -> int:
        number = zone(s.r, s.z)
        cards = s.z[number]
        draw = s.draw
        for last in range(len(cards) - 1, 0, -1):
            other = draw(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        if record:
            s.tell(("shuffle", rule, number, *cards))
        return after

    return execute


def _draw(i: ir.Draw, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, slot, elements, rule = onward[place + 1], i.slot, domain(i.domain), i.rule

    def execute(s: State) -> int:
        values = list(elements(s.r, s.z))
        s.r[slot] = values[s.draw(len(values))]
        if record:
            s.tell(("random", rule, s.r[slot]))
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
    legal = [_legal(option, program) for option in i.options]

    def execute(s: State) -> int:
        r, z = s.r, s.z
        actions: list[int] = []
        for enumerate_ in legal:
            enumerate_(r, z, actions)
        if not actions:
            return none
        s.pc, s.legal, s.player = place, actions, by(r, z)
        return STOP

    return execute


Enumerate = Callable[[Registers, Zones, list[int]], None]


def _legal(option: ir.Option, program: ir.Program) -> Enumerate:
    """The function that adds an option's legal actions to a list, in rising order."""
    first, condition = option.first, evaluator(option.condition) if option.condition is not None else None
    if not option.picks:
        return _single(first, condition)
    if len(option.picks) == 1 and condition is None and isinstance(span := option.picks[0].domain, ir.Span):
        low, high, base = evaluator(span.low), evaluator(span.high), first - span.least

        def interval(r: Registers, z: Zones, actions: list[int]) -> None:
            actions.extend(range(base + low(r, z), base + high(r, z) + 1))

        return interval
    return _combinations(option, condition, program)


def _single(action: int, condition: Evaluate | None) -> Enumerate:
    def single(r: Registers, z: Zones, actions: list[int]) -> None:
        if condition is None or condition(r, z):
            actions.append(action)

    return single


def _combinations(option: ir.Option, condition: Evaluate | None, program: ir.Program) -> Enumerate:
    picks = [(p.slot, domain(p.domain), number_of(p, program), p.size) for p in option.picks]
    last = len(picks) - 1

    def collect(r: Registers, z: Zones, depth: int, base: int, found: set[int]) -> None:
        slot, elements, number, size = picks[depth]
        for r[slot] in elements(r, z):
            action = base * size + number(r[slot])
            if depth < last:
                collect(r, z, depth + 1, action, found)
            elif condition is None or condition(r, z):
                found.add(action)
        r[slot] = 0  # what a variable was while trying is no part of the state

    def combinations(r: Registers, z: Zones, actions: list[int]) -> None:
        found: set[int] = set()
        collect(r, z, 0, 0, found)
        actions.extend(option.first + action for action in sorted(found))

    return combinations


def number_of(pick: ir.Pick, program: ir.Program) -> Callable[[int], int]:
    """How a picked value counts within its actions."""
    if pick.kind == "card":
        return program.faces.__getitem__
    if isinstance(pick.domain, ir.Span):
        least = pick.domain.least
        return lambda value: value - least
    return lambda value: value


def chooser(option: ir.Option, program: ir.Program) -> Callable[[State, int], None]:
    """The function that binds the variables of an option for one of its (legal) actions."""
    condition = evaluator(option.condition) if option.condition is not None else None
    picks = [(p.slot, _bearer(p, program), p.size) for p in reversed(option.picks)]

    def choose(s: State, action: int) -> None:
        number = action - option.first
        cards = []
        for slot, bearer, size in picks:
            number, digit = divmod(number, size)
            if callable(bearer):
                cards.append((slot, bearer(s, digit)))
            else:
                s.r[slot] = digit + bearer
        _settle(s, cards, condition)

    return choose


def _bearer(pick: ir.Pick, program: ir.Program) -> int | Callable[[State, int], list[int]]:
    """An offset for numbers; for cards the function that gives the cards in the domain that show a face."""
    if pick.kind == "card":
        elements, faces = domain(pick.domain), program.faces
        return lambda s, face: [c for c in elements(s.r, s.z) if faces[c] == face]
    return pick.domain.least if isinstance(pick.domain, ir.Span) else 0


def _settle(s: State, cards: list[tuple[int, list[int]]], condition: Evaluate | None) -> None:
    """Of cards that show the same face takes the first that the condition allows."""
    if not cards:
        return
    slot, bearers = cards[0]
    for s.r[slot] in bearers:
        _settle(s, cards[1:], condition)
        if condition is None or condition(s.r, s.z):
            return


def _note(i: ir.Note, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, rule, telling, players = onward[place + 1], i.rule, i.telling, program.players
    worth = evaluator(telling.worth) if isinstance(telling, ir.Award) and telling.worth is not None else None

    def execute(s: State) -> int:
        r = s.r
        keys = [r[key.base + p] for key in telling.keys for p in range(players)]
        if isinstance(telling, ir.Award):
            entered = [r[telling.candidates + p] for p in range(players)]
            value = int(worth(r, s.z)) if worth is not None else NONE
            s.tell(("award", rule, place, r[telling.subject], r[telling.winner], r[telling.decided], value, *entered, *keys))
        else:
            ranks = [r[telling.ranks + p] for p in range(players)]
            s.tell(("rank", rule, place, r[telling.decided], *ranks, *keys))
        return after

    return execute


def _check(i: ir.Check, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after, holds, number = onward[place + 1], evaluator(i.holds), i.invariant

    def execute(s: State) -> int:
        if not holds(s.r, s.z):
            s.tell(("broken", -1, number))
        return after

    return execute


def _setup_ends(i: ir.SetupEnds, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    after = onward[place + 1]

    def execute(s: State) -> int:
        s.tell(("setup", -1, *(len(cards) for cards in s.z)))
        return after

    return execute


def _end(i: ir.End, place: int, onward: list[int], record: bool, program: ir.Program) -> Execute:
    def execute(s: State) -> int:
        s.pc, s.legal, s.player = place, [], STOP
        return STOP

    return execute


_INSTRUCTIONS: dict[type, Linker] = {
    ir.Mark: _mark,
    ir.Let: _let,
    ir.Move: _move,
    ir.Shuffle: _shuffle,
    ir.Draw: _draw,
    ir.Branch: _branch,
    ir.Jump: _jump,
    ir.Choose: _choose,
    ir.Note: _note,
    ir.Check: _check,
    ir.SetupEnds: _setup_ends,
    ir.End: _end,
}
