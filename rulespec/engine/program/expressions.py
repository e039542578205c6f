"""Lowers expressions of a sealed spec, and lays out its registers and zones. Folds constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from itertools import product
from math import prod

from rulespec.engine.program import ir, positions
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, Scope, choice, operation
from rulespec.engine.program.sets import Element, elements, unrolled
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.folds import FOLDS, Body, Gain
from rulespec.language.model.narrowing import relies
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.types import ABSENT as NOTHING
from rulespec.language.model.types import BOOL, NONE, Type

_BEST = "the highest or lowest"
"""The name of what a fold that chooses an element compares with; no variable can have it."""


def _chain(node: t.TExpr) -> Iterator[t.TExpr]:
    """The operands of a chain of one operator, such as `a and b and c`."""
    operands: list[t.TExpr] = []
    at = node
    while isinstance(at, t.Op) and isinstance(node, t.Op) and at.operator == node.operator:
        at, last = at.arguments
        operands.append(last)
    yield from (at, *reversed(operands))


def _around(bound: Sequence[tuple[int, ir.Expr]], body: ir.Expr) -> ir.Expr:
    """An expression with scratch registers set before it."""
    for slot, argument in reversed(bound):
        body = ir.Bind(slot, argument, body)
    return body


class ExpressionLowering:
    """Lowers expressions to the registers and zones of a program, which it lays out."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.spec, self.players = setting, setting.spec, setting.players
        self.start: list[int] = []
        self.scratch: list[int] = []
        self._entries: dict[str, tuple[int, ...]] = {}
        self._starts: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.zones: list[tuple[str, tuple[int, ...]]] = []
        self.zone_base: dict[str, int] = {}
        for zone in self.spec.zones.values():
            self.zone_base[zone.name] = len(self.zones)
            self.zones += [(zone.name, indices) for indices in product(*map(self.setting.places, zone.per))]
        self.value_base: dict[str, int] = {}
        for value in self.spec.values.values():
            if value.start is not None:
                self.value_base[value.name] = len(self.start)
                self.start += self.setting.starts(value)
        # After all stored values, whose registers positions of scenarios name.
        self.remembered = {
            value.definition: positions.lay_out(self, value.definition)
            for value in self.spec.values.values()
            if isinstance(value.definition, t.Repeated)
        }
        fields = self.spec.deck.fields
        self.columns = {name: tuple(card[i] for card in self.spec.deck.cards) for i, name in enumerate(fields)}

    def allocate(self, size: int = 1, start: int = 0) -> int:
        """Allocates registers that are part of the state. Returns the first one."""
        self.start += [start] * size
        return len(self.start) - size

    def temporary(self) -> int:
        """Allocates a scratch register. Scratch registers follow all others and count from the end: -1 is the last."""
        self.scratch.append(0)
        return -len(self.scratch)

    # expressions

    def expr(self, node: t.TExpr, scope: Scope) -> ir.Expr:
        return getattr(self, "_" + type(node).__name__.lower())(node, scope)  # type: ignore[no-any-return]

    def _const(self, node: t.Const, scope: Scope) -> ir.Expr:
        return ir.Const(node.value)

    def _players(self, node: t.Players, scope: Scope) -> ir.Expr:
        return ir.Const(self.players)

    def _ruling(self, node: t.Ruling, scope: Scope) -> ir.Expr:
        return ir.Const(self.setting.chosen[node.id])

    def _local(self, node: t.Local, scope: Scope) -> ir.Expr:
        return scope[node.name]

    def _value(self, node: t.Value, scope: Scope) -> ir.Expr:
        declared = self.spec.values[node.name]
        arguments = [self.expr(a, scope) for a in node.arguments]
        if any(argument.type.optional for argument in node.arguments):
            return self._maybe_nowhere(node, arguments)
        if declared.definition is None:
            return self.cell(declared, arguments)
        inner, bound = self._given(declared, arguments)
        return _around(bound, self.expr(declared.definition, inner))

    def _maybe_nowhere(self, node: t.Value, arguments: list[ir.Expr]) -> ir.Expr:
        """A value of squares that may be absent; then it is absent."""
        declared = self.spec.values[node.name]
        inner, bound = self._given(declared, arguments)
        there: ir.Expr = ONE
        for index, argument in zip(declared.per, node.arguments, strict=True):
            if argument.type.optional:
                there = operation("and", there, operation("!=", inner[index.name], ABSENT))
        if declared.definition is not None:
            value = self.expr(declared.definition, inner)
        else:
            value = self.cell(declared, [inner[index.name] for index in declared.per])
        return _around(bound, choice(there, value, ABSENT))

    def _given(self, declared: m.StoredValue, arguments: list[ir.Expr]) -> tuple[Scope, list[tuple[int, ir.Expr]]]:
        """The arguments by the names of the indices, and the scratch registers that hold those that are computed."""
        bound: list[tuple[int, ir.Expr]] = []
        inner: dict[str, ir.Expr] = {}
        for index, argument in zip(declared.per, arguments, strict=True):
            if not isinstance(argument, ir.Const | ir.Register):
                bound.append((self.temporary(), argument))
                argument = ir.Register(bound[-1][0])
            inner[index.name] = argument
        return inner, bound

    def cell(self, declared: m.StoredValue, arguments: list[ir.Expr]) -> ir.Expr:
        base, index = self.address(declared, arguments)
        return (
            ir.Register(base + index.value)
            if isinstance(index, ir.Const)
            else ir.Element(base, index, self.setting.cells(declared))
        )

    def address(self, declared: m.StoredValue, arguments: list[ir.Expr]) -> tuple[int, ir.Expr]:
        """The base register of a value, and the offset of a cell."""
        return self.value_base[declared.name], self.offset([index.type for index in declared.per], arguments)

    def offset(self, indices: Sequence[Type], arguments: Sequence[ir.Expr]) -> ir.Expr:
        """The number of a place: its indices in row-major order, each counted from the first that its type has."""
        offset: ir.Expr = ZERO
        for position, (type_, argument) in enumerate(zip(indices, arguments, strict=True)):
            stride = prod(self.setting.extent(later) for later in indices[position + 1 :])
            argument = operation("-", argument, ir.Const(type_.low))
            step = argument if stride == 1 else operation("*", argument, ir.Const(stride))
            offset = operation("+", offset, step)
        return offset

    def titled_values(self) -> Iterator[ir.TitledValue]:
        """Every titled value, cell by cell; those of cards are part of the card labels (see `Names.card_label`)."""
        for value in self.spec.values.values():
            if any(index.type.kind == "card" for index in value.per):
                continue
            in_play = [frozenset(self.elements(index.type)) for index in value.per]
            for cell, indices in enumerate(product(*(self.setting.places(i.type) for i in value.per))):
                if value.title and all(at in there for at, there in zip(indices, in_play, strict=True)):
                    arguments = tuple(t.Const(i.type, at) for i, at in zip(value.per, indices, strict=True))
                    expression = self.expr(t.Value(value.type, value.name, arguments), {})
                    reads = self.reads(expression)
                    remembers = any(reads.registers.intersection(one.slots) for one in self.remembered.values())
                    yield ir.TitledValue(value.name, cell, expression, reads, remembers)

    def reads(self, expression: object) -> ir.Reads:
        """What expressions may read."""
        zones: set[int] = set()
        registers: set[int] = set()
        for node in ir.walk(expression):
            if isinstance(node, ir.Size | ir.Card | ir.Cards):
                zones.update(ir.may_name(node.zone, self.zones))
            elif isinstance(node, ir.Register):
                registers.add(node.slot)
            elif isinstance(node, ir.Element):
                registers.update(range(node.base, node.base + node.size))
        return ir.Reads(frozenset(zones), frozenset(registers))

    def _table(self, node: t.Table, scope: Scope) -> ir.Expr:
        table = self.spec.tables[node.name]
        if table.by[0].kind == "card" or (len(table.by) > 1 and node.indices[0].type.optional):
            return self._entry_of_row(table, node, scope)
        index = self.offset(table.by, [self.expr(index, scope) for index in node.indices])
        if table.name not in self._entries:
            self._entries[table.name] = tuple(table.rows[at] for at in product(*map(self.setting.places, table.by)))
        cells = self._entries[table.name]
        if isinstance(index, ir.Const):
            # A step that never runs with this index is lowered too.
            return ir.Const(cells[index.value]) if 0 <= index.value < len(cells) else ABSENT
        return ir.Lookup(cells, index, any(one.type.optional for one in node.indices))

    def _entry_of_row(self, table: m.Table, node: t.Table, scope: Scope) -> ir.Expr:
        """An entry of a table with two indices, the first of which is a card or may be absent."""
        (first, last), maybe = (self.expr(index, scope) for index in node.indices), node.indices[0].type.optional
        # The different rows of a table, one behind the other, and where that of each first index starts. Cards
        # with the same face have the same row, so a program does not distinguish them by it.
        if table.name not in self._starts:
            lines, places = (self.setting.places(index) for index in table.by)
            rows = [tuple(table.rows[line, place] for place in places) for line in lines]
            starts = {row: number * len(places) for number, row in enumerate(dict.fromkeys(rows))}
            self._starts[table.name] = (
                tuple(cell for row in starts for cell in row),
                tuple(map(starts.__getitem__, rows)),
            )
        cells, start = self._starts[table.name]
        if isinstance(last, ir.Const):
            return ir.Lookup(tuple(cells[at + last.value] for at in start), first, maybe)
        if not maybe:
            return ir.Lookup(cells, operation("+", ir.Lookup(start, first), last))
        row = ir.Register(self.temporary())
        entry = ir.Lookup(cells, operation("+", row, last))
        return ir.Bind(row.slot, ir.Lookup(start, first, True), choice(operation("!=", row, ABSENT), entry, ABSENT))

    def _cardfield(self, node: t.CardField, scope: Scope) -> ir.Expr:
        return ir.Lookup(self.columns[node.field], self.expr(node.card, scope), node.card.type.optional)

    def _topcard(self, node: t.TopCard, scope: Scope) -> ir.Expr:
        return ir.Card(self.zone(node.zone, scope))

    def _nthcard(self, node: t.NthCard, scope: Scope) -> ir.Expr:
        zone, number = self.zone(node.zone, scope), self.expr(node.number, scope)
        if node.end == "bottom":
            return ir.Card(zone, operation("-", number, ONE))
        slot = self.temporary()
        counted = ir.Register(slot)
        card = ir.Card(zone, operation("-", ir.Size(zone), counted))
        # A number above the size would be a negative position, which engines do not test.
        return ir.Bind(slot, number, choice(operation(">=", ir.Size(zone), counted), card, ABSENT))

    def _zonesize(self, node: t.ZoneSize, scope: Scope) -> ir.Expr:
        return ir.Size(self.zone(node.zone, scope))

    def _repeated(self, node: t.Repeated, scope: Scope) -> ir.Expr:
        return positions.repeated(self, node, self.remembered[node])

    def _op(self, node: t.Op, scope: Scope) -> ir.Expr:
        guards = OPERATORS[node.operator].guards
        if guards is not None:
            return self._junction(node, guards, scope)
        return operation(node.operator, *(self.expr(a, scope) for a in node.arguments))

    def _junction(self, node: t.Op, guards: bool, scope: Scope) -> ir.Expr:
        """A chain of `and` or of `or`. Engines may evaluate its operands in any order, so one that relies on operands
        before it becomes a choice, in which these are evaluated first."""
        found: list[tuple[t.TExpr, ir.Expr]] = []
        for operand in _chain(node):
            value = self.expr(operand, scope)
            if isinstance(value, ir.Const) and bool(value.value) != guards:
                return value
            needed = [one for other, one in found if relies(operand, other, guards)]
            if needed:
                first = reduce(partial(operation, node.operator), needed)
                value = choice(first, value, ZERO) if guards else choice(first, ONE, value)
            found.append((operand, value))
        return reduce(partial(operation, node.operator), (one for _, one in found))

    def _if(self, node: t.If, scope: Scope) -> ir.Expr:
        condition = self.expr(node.condition, scope)
        if isinstance(condition, ir.Const):
            return self.expr(node.then if condition.value else node.otherwise, scope)
        return choice(condition, self.expr(node.then, scope), self.expr(node.otherwise, scope))

    def _let(self, node: t.Let, scope: Scope) -> ir.Expr:
        value = self.expr(node.value, scope)
        if isinstance(value, ir.Const | ir.Register):
            return self.expr(node.body, {**scope, node.variable: value})
        slot = self.temporary()
        return ir.Bind(slot, value, self.expr(node.body, {**scope, node.variable: ir.Register(slot)}))

    def _seat(self, node: t.Seat, scope: Scope) -> ir.Expr:
        return self.around(self.expr(node.player, scope), node.step % self.players)

    def around(self, seat: ir.Expr, steps: int) -> ir.Expr:
        return operation("%", operation("+", seat, ir.Const(steps)), ir.Const(self.players))

    def _fold(self, node: t.Fold, scope: Scope) -> ir.Expr:
        row, slot = FOLDS[node.function], self.temporary()
        if row.parts:
            return self._run_of(node, scope, slot) if row.ordered else self._chosen(node, scope, slot)
        if isinstance(node.domain, t.Chosen):
            found = []
            for held, element in elements(node.domain.picked.name, scope):
                condition, body = self._folded(node, {**scope, node.variable: element})
                counts = operation("and", held, condition) if condition is not None else held
                found.append(Element(element, counts, body))
            fold = unrolled(row.opposite or row.name, found, slot)
        elif isinstance(node.domain, t.Listed):
            fold = self._fold_listed(node, node.domain, slot, scope)
        else:
            condition, body = self._folded(node, {**scope, node.variable: ir.Register(slot)})
            fold = ir.Fold(row.opposite or row.name, slot, self.domain(node.domain, scope), condition, body)
        return operation("not", fold) if row.opposite else fold

    def _chosen(self, node: t.Fold, scope: Scope, slot: int) -> ir.Expr:
        """The first element with the highest or lowest body: that is computed first, then looked for."""
        assert node.body is not None
        extreme, first = FOLDS[node.function].parts
        best = t.Fold(node.body.type.maybe(), extreme, node.variable, node.domain, node.condition, node.body)
        tests: list[t.TExpr] = [node.condition] if node.condition is not None else []
        if node.body.type.optional:
            tests.append(t.Op(BOOL, "!=", (node.body, t.Const(NOTHING, NONE))))
        tests.append(t.Op(BOOL, "==", (node.body, t.Local(best.type, _BEST))))
        condition = reduce(lambda one, other: t.Op(BOOL, "and", (one, other)), tests)
        found = t.Fold(node.type, first, node.variable, node.domain, condition, None)
        return ir.Bind(slot, self.expr(best, scope), self.expr(found, {**scope, _BEST: ir.Register(slot)}))

    def _run_of(self, node: t.Fold, scope: Scope, slot: int) -> ir.Expr:
        """The length of the longest run: each element that counts is a bit, and the run that ends at a bit begins after
        the last one that is missing before it."""
        bits, end, before = (ir.Register(self.temporary()) for _ in range(3))
        domain, begin = self.domain(node.domain, scope), self.temporary()
        place, places = self._placed(domain, ir.Register(slot), ir.Register(begin), node.domain.type)
        number = ir.Register(slot)
        element = self.item(node.domain, number, scope) if isinstance(node.domain, t.Listed) else number
        condition = self.expr(node.condition, {**scope, node.variable: element}) if node.condition else None
        counted = ir.Fold("sum", slot, domain, condition, ir.Lookup(tuple(1 << at for at in range(places)), place))
        missing = operation("not", operation("has", bits, before))
        last = ir.Fold("max", before.slot, ir.Span(ZERO, end, 0, places - 1), missing, before)
        length = operation("-", end, operation("??", last, ir.Const(-1)))
        ends = ir.Items(tuple(range(places)))
        longest = ir.Bind(bits.slot, counted, ir.Fold("max", end.slot, ends, None, length)) if places else ZERO
        if not isinstance(domain, ir.Ring):
            return longest
        return ir.Bind(
            begin, self.position(domain.values, domain.start, self.setting.extent(node.domain.type)), longest
        )

    def _placed(self, domain: ir.Domain, element: ir.Expr, begin: ir.Expr, type_: Type) -> tuple[ir.Expr, int]:
        """The position of an element of a domain, and how many there are; a ring begins at the position `begin`."""
        if isinstance(domain, ir.Span):
            return operation("-", element, ir.Const(domain.least)), domain.most - domain.least + 1
        assert isinstance(domain, ir.Items | ir.Ring)
        place, places = self.position(domain.values, element, self.setting.extent(type_)), ir.Const(len(domain.values))
        if isinstance(domain, ir.Ring):
            place = operation("%", operation("-", place, begin), places)
        return place, places.value

    def _folded(self, node: t.Fold, inner: Scope) -> tuple[ir.Expr | None, ir.Expr | None]:
        """The condition and the body of a fold for the element in scope."""
        row = FOLDS[node.function]
        condition = self.expr(node.condition, inner) if node.condition is not None else None
        body = self.expr(node.body, inner) if node.body is not None else None
        return (self._tested(node, condition, body), None) if row.body is Body.TEST else (condition, body)

    def _tested(self, node: t.Fold, condition: ir.Expr | None, body: ir.Expr | None) -> ir.Expr | None:
        """The condition of `any`: `any(b for x in D if c)` is `any(x in D if c and b)`; `all` is its opposite, with the
        opposite inside."""
        opposite = FOLDS[node.function].opposite
        if body is None:
            return condition if not opposite else operation("not", condition) if condition is not None else ZERO
        inside = operation("not", body) if opposite else body
        if condition is None or node.condition is None or node.body is None:
            return inside
        relied = relies(node.body, node.condition, True)
        return choice(condition, inside, ZERO) if relied else operation("and", condition, inside)

    def _fold_listed(self, node: t.Fold, domain: t.Listed, slot: int, scope: Scope) -> ir.Expr:
        """A fold over the numbers of the squares in a list; `first` gives the square with the first such number."""
        row, item = FOLDS[node.function], self.item(domain, ir.Register(slot), scope)
        condition, body = self._folded(node, {**scope, node.variable: item})
        fold = ir.Fold(row.opposite or row.name, slot, self.domain(domain, scope), condition, body)
        if row.gain is not Gain.ELEMENT:
            return fold
        found = self.temporary()
        square = self.item(domain, ir.Register(found), scope)
        return ir.Bind(found, fold, choice(operation("==", ir.Register(found), ABSENT), ABSENT, square))

    def item(self, domain: t.Listed, number: ir.Expr, scope: Scope) -> ir.Expr:
        """The square with a number in a list."""
        return self.expr(domain.item, {**scope, t.ITEM: number})

    def domain(self, node: t.Domain, scope: Scope) -> ir.Domain:
        if isinstance(node, t.Cards):
            return ir.Cards(self.zone(node.zone, scope))
        if isinstance(node, t.Range):
            low, high = self.expr(node.low, scope), self.expr(node.high, scope)
            # The bounds number the actions of a pick, so they must not depend on where a procedure is inlined.
            least = self.setting.value(node.low) if t.constant(node.low) else node.type.low
            most = self.setting.value(node.high) if t.constant(node.high) else node.type.high
            # An empty range has the size 0; further apart, its bounds would give a negative one.
            return ir.Span(low, high, least, max(least - 1, most))
        if isinstance(node, t.Listed):
            return ir.Span(ONE, self.expr(node.count, scope), 1, max(0, node.count.type.high))
        assert isinstance(node, t.Members), "sets and their elements are lowered where they are picked and used"
        values = self.elements(node.type)
        return ir.Items(values) if node.start is None else ir.Ring(values, self.expr(node.start, scope))

    def elements(self, type_: Type) -> tuple[int, ...]:
        if type_.kind == "card":
            return self.setting.cards
        if type_.kind == "int":
            return tuple(self.setting.places(type_))
        return tuple(range(self.players)) if type_.kind == "player" else self.setting.in_play(type_.name)

    def position(self, values: tuple[int, ...], value: ir.Expr, extent: int) -> ir.Expr:
        """The position of a value below `extent` in a rising list. A missing value counts as the next greater one."""
        if values == tuple(range(extent)):
            return value
        return ir.Lookup(tuple(sum(v < wanted for v in values) % len(values) for wanted in range(extent)), value)

    def zone(self, node: t.ZoneRef, scope: Scope) -> ir.Expr:
        """The number of a zone: its declaration's first, plus an offset (see `ir.may_name`)."""
        return self.zone_at(node, [self.expr(index, scope) for index in node.indices])

    def zone_at(self, node: t.ZoneRef, indices: Sequence[ir.Expr]) -> ir.Expr:
        """The number of a zone with these indices."""
        base = ir.Const(self.zone_base[node.name])
        offset = self.offset(self.spec.zones[node.name].per, indices)
        # The first declaration has the number 0. It is added only where the offset itself is a sum.
        sum_ = isinstance(offset, ir.Operation) and offset.operator == "+"
        return ir.Operation("+", (base, offset)) if sum_ else operation("+", base, offset)
