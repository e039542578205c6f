"""What registers may hold, as far as the program says: the numbers that rules can give a value, and which registers
hold cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rulespec.engine.program import ir
from rulespec.engine.rules.ruleset import Ruleset


@lru_cache(maxsize=8)
def given_by_rules(game: Ruleset) -> dict[str, frozenset[int]]:
    """For a value: the numbers that rules can set it to. Empty if they are not constants and draws alone.

    All rules count together: which of them has set a value may follow from something hidden."""
    program, found = game.program, dict[str, frozenset[int]]()
    given = _Given(program)
    for instruction in program.code:
        if isinstance(instruction, ir.Let) and instruction.value:
            new, before = given.by(instruction.expression), found.get(instruction.value)
            found[instruction.value] = (before or new) | new if new and (before is None or before) else frozenset()
    return found


class _Given:
    """The numbers that expressions can be, as far as they are made of constants and draws."""

    def __init__(self, program: ir.Program) -> None:
        self._set: dict[int, list[ir.Expr | ir.Draw]] = {}
        for i in program.code:
            if isinstance(i, ir.Draw):
                self._set.setdefault(i.slot, []).append(i)
            elif isinstance(i, ir.Let) and not i.value:
                self._set.setdefault(i.base, []).append(i.expression)

    def by(self, expression: ir.Expr | ir.Draw, depth: int = 4) -> frozenset[int]:
        """The numbers; empty if they are not known."""
        if isinstance(expression, ir.Const):
            return frozenset({expression.value})
        if isinstance(expression, ir.Draw):
            return _elements(expression.domain)
        parts: Sequence[ir.Expr | ir.Draw] = ()
        if isinstance(expression, ir.Choice):
            parts = expression.then, expression.otherwise
        # The depth ends the search where registers are set from each other.
        elif isinstance(expression, ir.Register) and depth > 0:
            parts = self._set.get(expression.slot, ())
        each = [self.by(part, depth - 1) for part in parts]
        return frozenset().union(*each) if each and all(each) else frozenset()


def _elements(domain_: ir.Domain) -> frozenset[int]:
    if isinstance(domain_, ir.Items | ir.Ring):
        return frozenset(domain_.values)
    if isinstance(domain_, ir.Span) and isinstance(domain_.low, ir.Const) and isinstance(domain_.high, ir.Const):
        return frozenset(range(domain_.low.value, domain_.high.value + 1))
    return frozenset()


@lru_cache(maxsize=8)
def card_registers(game: Ruleset) -> set[int]:
    """The registers that may hold a card: in a possible world, they hold the card that lies in the same place."""
    program, found = game.program, set[int]()
    for value in game.spec.values.values():
        if value.start is not None and value.type.kind == "card":
            base = program.value_base[value.name]
            found.update(range(base, base + game.setting.cells(value)))
    found.update(
        node.slot
        for instruction in program.code
        for node in ir.walk(instruction)
        if isinstance(node, ir.Pick) and node.type.kind == "card"
    )
    lets = [i for i in program.code if isinstance(i, ir.Let)]
    while new := {s for i in lets if _is_card(i.expression, found) for s in range(i.base, i.base + i.size)} - found:
        found |= new
    return found


def _is_card(expression: ir.Expr, registers: set[int]) -> bool:
    """Whether an expression may be a card, if these registers hold cards."""
    if isinstance(expression, ir.Register):
        return expression.slot in registers
    if isinstance(expression, ir.Element):
        return expression.base in registers
    if isinstance(expression, ir.Choice):
        return any(_is_card(one, registers) for one in (expression.then, expression.otherwise))
    if isinstance(expression, ir.Operation):
        return expression.operator == "??" and any(_is_card(one, registers) for one in expression.arguments)
    if isinstance(expression, ir.Bind):
        known = {expression.slot} if _is_card(expression.value, registers) else set()
        return _is_card(expression.body, registers | known)
    if isinstance(expression, ir.Fold) and expression.body is not None:
        elements = {expression.slot} if isinstance(expression.domain, ir.Cards) else set()
        return expression.function in ("first", "min", "max") and _is_card(expression.body, registers | elements)
    return isinstance(expression, ir.Card)


@lru_cache(maxsize=8)
def card_cells(game: Ruleset) -> tuple[tuple[int, ...], ...]:
    """For every card the registers of the values that the game keeps of it, in the same order; empty without any.

    Values between two cards are not among them.
    """
    found: list[list[int]] = [[] for _ in game.program.faces]
    for value in game.spec.values.values():
        if value.start is not None and [index.type.kind for index in value.per].count("card") == 1:
            for cell in range(game.setting.cells(value)):
                (card,) = game.names.cards_of(value.name, cell)
                found[card].append(game.program.value_base[value.name] + cell)
    return tuple(map(tuple, found)) if any(found) else ()
