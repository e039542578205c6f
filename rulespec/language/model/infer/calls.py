"""Function calls, and folds over a domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from rulespec.base.messages import counted, say
from rulespec.language.expr import tree
from rulespec.language.model import typed as t
from rulespec.language.model.folds import FOLDS, LONGEST_RUN, Body, Folded, FoldRow
from rulespec.language.model.infer.squares import Squares, beside
from rulespec.language.model.names import suggest
from rulespec.language.model.operators import OPERATORS, Notation
from rulespec.language.model.types import CARD, PLAYER, Type, describe, integer


class Calls(Squares):
    def call(self, node: tree.Call, expected: Type | None) -> t.TExpr | None:
        if not self.well_called(node):
            return None
        form = FORMS.get(node.function)
        if form is None and node.function not in OPERATORS:
            return self.member(node)
        return form.typed(self, node) if form else self.applied(OPERATORS[node.function], node, node.arguments)

    def well_called(self, node: tree.Call) -> bool:
        """Whether a function exists and has the right number of arguments."""
        given, fold = len(node.arguments), FOLDS.get(node.function)
        # Made at each call, so that a row that is added to the table counts at once.
        functions = {row.name: row for row in OPERATORS.values() if row.notation is Notation.CALL}
        row = functions.get(node.function)
        form = FORMS.get(node.function) or (_Form(Calls.member, 2, 2) if self._makes(node.function) else None)
        if row is None and form is None:
            if fold is not None:
                self._form(node, fold)
                return False
            hint = suggest(node.function, [*functions, *FORMS, *FOLDS, *filter(self._makes, self.names.enums)])
            self.fail("unknown-function", say("There is no function `{function}`.", function=node.function), node, hint)
            return False
        if row is None:
            assert form is not None
            least, most = form.least, form.most
        else:
            least, most = len(row.takes), given if row.open_ended else len(row.takes)
        if given < least or given > most:
            open_ended = row is not None and row.open_ended
            wanted = (
                say("{least} or {most} arguments", least=least, most=most)
                if least < most
                else counted("{number} argument", "{number} arguments", least)
            )
            wanted = (
                counted("at least {number} argument", "at least {number} arguments", least) if open_ended else wanted
            )
            self.fail(
                "wrong-arguments",
                say("`{function}` takes {wanted}, not {given}.", function=node.function, wanted=wanted, given=given),
                node,
            )
            return False
        return True

    def _makes(self, name: str) -> bool:
        """Whether the name of an enum is a function that gives a member: of a grid, or of directions."""
        board = self.names.boards.get(name)
        return name in self.names.ways or (board is not None and bool(board.places))

    def _form(self, node: tree.Call | tree.Fold, row: FoldRow) -> None:
        message = say("`{row}` goes through a domain and is written `{form}`.", row=row.name, form=row.form)
        self.fail("wrong-arguments", message, node, say("Write `{better}`.", better=row.form))

    def _size(self, node: tree.Call) -> t.TExpr | None:
        named = node.arguments[0]
        if isinstance(named, tree.Name) and (picked := self.picked(named)) is not None:
            number = integer(picked.picked.type.low, picked.picked.type.high)
            return t.Fold(number, "count", _ELEMENT, picked, None, None)
        zone = self.zone(node.arguments[0])
        return (
            t.ZoneSize(integer(0, self.names.room(zone.name)), zone) if zone and self.names.cards is not None else None
        )

    def _top(self, node: tree.Call) -> t.TExpr | None:
        return self._nth(node, "top")

    def _bottom(self, node: tree.Call) -> t.TExpr | None:
        return self._nth(node, "bottom")

    def _nth(self, node: tree.Call, end: str) -> t.TExpr | None:
        """A card of a zone, counted from one end; the first if there is no number."""
        zone = self.zone(node.arguments[0])
        # The same node as for the zone alone, so that facts about one of them hold for the other.
        if len(node.arguments) == 1 and end == "top":
            return t.TopCard(CARD.maybe(), zone) if zone else None
        number = self.number(node.arguments[1]) if len(node.arguments) > 1 else t.Const(integer(1, 1), 1)
        if zone is None or number is None:
            return None
        if number.type.low < 1:
            message = say("This can be {low}, but places in a zone are counted from 1.", low=number.type.low)
            self.fail("out-of-range", message, node.arguments[1], say("Limit it: `max(1, …)`."))
            return None
        return t.NthCard(CARD.maybe(), zone, number, end)

    def _left_of(self, node: tree.Call) -> t.TExpr | None:
        return self._neighbour(node, 1)

    def _right_of(self, node: tree.Call) -> t.TExpr | None:
        return self._neighbour(node, -1)

    def _neighbour(self, node: tree.Call, step: int) -> t.TExpr | None:
        player = self.of_kind("player", node.arguments[0])
        return t.Seat(PLAYER, player, step) if player is not None and self.names.players is not None else None

    # folds

    def fold(self, node: tree.Fold, expected: Type | None) -> t.TExpr | None:
        row = FOLDS.get(node.function)
        if row is None:
            hint = suggest(node.function, FOLDS)
            self.fail(
                "unknown-function", say("`{function}` cannot go through a domain.", function=node.function), node, hint
            )
            return None
        domain = self.domain(node.domain)
        name, type_ = node.variable.name, domain.type if domain else None
        if name not in self.locals and isinstance(node.domain, tree.Name) and node.domain.name == name:
            inner = replace(self, locals={**self.locals, name: type_})
        else:
            inner = self._naming(node.variable, type_)
        inner = replace(inner, facts={**inner.facts, **beside(self.names, node.variable.name, domain)})
        condition = inner.of_kind("bool", node.condition) if node.condition else None
        body = inner.where(condition).typed(node.body, expected) if node.body else None
        if domain is None or (node.condition and condition is None) or (node.body and body is None):
            return None
        type_ = self._fold_type(row, node, domain, condition, body)
        return t.Fold(type_, node.function, node.variable.name, domain, condition, body) if type_ else None

    def _naming(self, variable: tree.Name, type_: Type | None) -> Calls:
        """What types expressions in which a new variable is in scope."""
        taken, new = self.names.clash(variable.name, self.locals)
        if taken and new:
            self.fail(
                "name-taken",
                say("`{name}` is already {what}.", name=variable.name, what=taken),
                variable,
                say("Choose another name."),
            )
        free = (*self.free, variable.name) if self.free is not None else None
        return replace(self, locals={**self.locals, variable.name: None if taken else type_}, free=free)

    def let(self, node: tree.Let, expected: Type | None) -> t.TExpr | None:
        value = self.typed(node.value)
        nameable = value is not None and self._nameable(value, node.value)
        inner = self._naming(node.variable, value.type if value is not None and nameable else None)
        body = inner.typed(node.body, expected)
        if value is None or body is None or inner.locals[node.variable.name] is None:
            return None
        return t.Let(body.type, node.variable.name, value, body)

    def _nameable(self, value: t.TExpr, node: tree.Expr) -> bool:
        """Whether a name can stand for a value."""
        if value.type.kind not in _UNNAMEABLE:
            return True
        what, hint = _UNNAMEABLE[value.type.kind]
        self.fail("type-mismatch", say("`let` cannot name {what}.", what=what), node, hint)
        return False

    def _fold_type(
        self, row: FoldRow, node: tree.Fold, domain: t.Domain, condition: t.TExpr | None, body: t.TExpr | None
    ) -> Type | None:
        if isinstance(domain, t.Cards) and self.names.cards is None:
            return None
        without = row.body is not Body.TEST and (body is None) != (row.body is Body.NOTHING)
        if without or node.by != (row.body is Body.KEY):
            self._form(node, row)
            return None
        if row.ordered and not self._in_a_row(row, node, domain):
            return None
        if body is not None and node.body is not None and not self._body_fits(row, body, node.body):
            return None
        certain = condition is None and _never_empty(domain)
        return row.type(Folded(domain.type, self.names.most(domain), body.type if body else None, certain))

    def _in_a_row(self, row: FoldRow, node: tree.Fold, domain: t.Domain) -> bool:
        """Whether a domain has an order of its own, and is not too long for a fold that goes by it."""
        if not isinstance(domain, t.Members | t.Range | t.Listed):
            message = say("`{row}` goes through an enum, the players or a range.", row=row.name)
            hint = say("Ask for each member whether there is such a card: `r in … if any(c in … if c.… == r)`.")
            self.fail("wrong-domain", message, node.domain, hint)
            return False
        if self.names.most(domain) > LONGEST_RUN:
            message = say(
                "`{row}` goes through {domain} elements, more than {longest_run}.",
                row=row.name,
                domain=self.names.most(domain),
                longest_run=LONGEST_RUN,
            )
            self.fail("too-wide", message, node.domain, say("Narrow the types of its ends."))
            return False
        return True

    def _body_fits(self, row: FoldRow, body: t.TExpr, node: tree.Expr) -> bool:
        if row.body is Body.TEST:
            return self.required(body, "bool", node) is not None
        if body.type.kind in row.kinds:
            return True
        hint = say("Name a field or value with numbers, or count with `count(…)`.")
        self.fail(
            "type-mismatch",
            say(
                "This is {type}, but `{row}` takes {wanted}.",
                type=describe(body.type),
                row=row.name,
                wanted=(say("numbers") if row.kinds == ("int",) else say("numbers or members of an enum")),
            ),
            node,
            hint,
        )
        return False


_ELEMENT = "element"
"""The variable of the fold that counts the elements of a set; nothing refers to it."""


_UNNAMEABLE = {
    "none": (say("`none`"), say("Write `none` where it is used.")),
    "several": (say("a picked set"), say("Use the name under which it was picked.")),
}
"""The kinds of values that no `let` of an expression can name, in words, each with a hint."""


def _never_empty(domain: t.Domain) -> bool:
    if isinstance(domain, t.Range):
        return domain.low.type.high <= domain.high.type.low
    if isinstance(domain, t.Chosen):
        return domain.picked.type.low > 0
    if isinstance(domain, t.Listed):
        return domain.count.type.low > 0
    return isinstance(domain, t.Members)


class _Form(NamedTuple):
    """A function with a typed node of its own: what reads a call, and the most and the least arguments."""

    typed: Callable[[Calls, tree.Call], t.TExpr | None]
    most: int = 1
    least: int = 1


FORMS: dict[str, _Form] = {
    "size": _Form(Calls._size),
    "top": _Form(Calls._top, 2),
    "bottom": _Form(Calls._bottom, 2),
    "left_of": _Form(Calls._left_of),
    "right_of": _Form(Calls._right_of),
    "where": _Form(Calls.where_lies, 2, 2),
    "step": _Form(Calls.step, 3, 2),
    "opposite": _Form(Calls.opposite),
    "clockwise": _Form(Calls.clockwise, 2, 2),
    "near": _Form(Calls.no_list),
    "ray": _Form(Calls.no_list, 2, 2),
}
"""Functions with a typed node of their own, for zones, for neighbours and for boards."""
