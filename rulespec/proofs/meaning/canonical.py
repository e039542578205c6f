"""The canonical form of a spec, part by part: every rule, declaration and procedure as nested lists of plain texts.

Two specs with the same canonical form play alike. It holds what a program is made of: names, numbers, members by
name, and the order of steps. It leaves out spans, and what is only displayed: titles, notes, questions, the words of
options, sources, totals, components and `states`. Variables are replaced with their type and depth, so their names do
not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, TypeAlias

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.columns import as_entry, of_table
from rulespec.language.model.sight import Sight, Viewers
from rulespec.language.model.step import inside
from rulespec.language.model.steps.fields import ADDED, DISPLAYED, GATE, VARIABLE
from rulespec.language.model.substitution import written_out
from rulespec.language.model.types import NONE, PLAYER, Type, enum

Form: TypeAlias = "str | int | list[Form]"
Name = tuple[str, str]
"""The kind of a part (rule, value, zone, table, enum, field, ruling, procedure) and its name."""
Scope = Mapping[str, str]
"""The canonical name of every variable in scope."""


@dataclass
class Part:
    """The canonical form of one part, and the other parts that it names. Rules inside it are parts of their own."""

    form: list[Form] = field(default_factory=list)
    uses: set[Name] = field(default_factory=set)


@dataclass(frozen=True)
class Parts:
    """Every part of a spec by name, and for every ruling the forms that depend on it directly."""

    of: Mapping[Name, Part]
    depending: Mapping[str, list[Form]]


def parts(spec: m.Spec, remainder: str) -> Parts:
    """The parts of a spec. Steps outside all rules, and their order, belong to the rule `remainder`."""
    found = _Reader(spec)
    found.read(remainder)
    return Parts(found.parts, found.depending)


STEPS = frozenset({"rule", *(one.__name__ for one in m.Step.__subclasses__())})
"""The heads of forms of steps; a step with a rule of its own has that rule as its form."""


def is_step(form: Form) -> bool:
    """Whether a form is that of a step."""
    return isinstance(form, list) and bool(form) and isinstance(form[0], str) and form[0] in STEPS


def is_note(part: Part) -> bool:
    """Whether a rule has no steps, so that only players read it."""
    return all(isinstance(one, list) and one[:1] == [m.Note.__name__] for one in part.form)


def rules_in(form: Form) -> Iterator[str]:
    """The ids of the rules inside a form."""
    if (id_ := _rule(form)) is not None:
        yield id_
    elif isinstance(form, list):
        for item in form:
            yield from rules_in(item)


def without_rules(form: Form, rules: Set[str]) -> Form:
    """A form without the rules of these ids inside it."""
    if not isinstance(form, list):
        return form
    return [without_rules(item, rules) for item in form if _rule(item) not in rules]


def _rule(form: Form) -> str | None:
    """The id of the rule that a form stands for, None for any other form."""
    is_rule = isinstance(form, list) and len(form) == 2 and form[0] == "rule" and isinstance(form[1], str)
    return form[1] if is_rule else None  # type: ignore[index, return-value]


def reached(parts: Mapping[Name, Part], part: Part) -> set[Name]:
    """All parts that a part names, directly or through others."""
    found: set[Name] = set()
    new = set(part.uses)
    while new:
        found |= new
        new = {name for one in new for name in parts[one].uses} - found
    return found


_GENERAL: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("span", "rule", "core", "type", "counter"), (DISPLAYED,)),
    **{"only_if": (GATE,), "variable": (VARIABLE,)},
}
"""What the fields of all steps and expressions are in the form. `rule` gives a step a form of its own; types follow
from the declarations, except where `_Reader` writes them, the `core` steps of a step from its other fields; the
`counter` of positions is the value that they define. What the fields of a construct are is declared with them."""


@cache
def _form_fields(kind: type) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The fields of a class that are part of its form, each with what it is there."""
    known = ((one.name, one.metadata.get("form") or _GENERAL.get(one.name, ())) for one in fields(kind))
    return tuple((name, form) for name, form in known if DISPLAYED not in form)


_ASKED_FOR = frozenset({"opposite", "clockwise"})
"""Functions of directions whose tables are parts only where something names them."""

_NAMES: Mapping[type, tuple[str, str]] = {
    t.Value: ("value", "name"),
    t.Table: ("table", "name"),
    t.ZoneRef: ("zone", "name"),
    t.CardField: ("field", "field"),
    t.Ruling: ("ruling", "id"),
}
"""The kind of part that a node names, and the attribute with the name."""


def _binds(node: object) -> Iterator[tuple[str, Type]]:
    """The variables that a node binds."""
    if isinstance(node, t.Fold):
        return iter([(node.variable, node.domain.type)])
    return node.binds() if isinstance(node, m.Step) else iter(())


def _bound(scope: Scope, new: Iterator[tuple[str, Type]]) -> Scope:
    """The scope with more variables, each called by its type and its depth among the variables of this type."""
    inner = dict(scope)
    for name, type_ in new:
        label = type_.name or type_.kind
        depths = (int(depth) for kind, _, depth in (known.partition("#") for known in inner.values()) if kind == label)
        # One more than the deepest: a variable may hide another one of its name, which is then missing in the scope.
        inner[name] = f"{label}#{max(depths, default=-1) + 1}"
    return inner


class _Reader:
    """Reads the parts of a spec. `part` is the part being read, `asked` the rulings in the expression being read."""

    def __init__(self, spec: m.Spec) -> None:
        self.spec = spec
        self.parts: dict[Name, Part] = {("rule", id_): Part() for id_ in spec.rules}
        self.depending: dict[str, list[Form]] = {id_: [] for id_ in spec.rulings}
        self.part = Part()
        self.asked: set[str] = set()

    def read(self, remainder: str) -> None:
        spec = self.spec
        self._part("rule", remainder, lambda: [self.form(spec.setup, {}), self.form(spec.play, {})])
        if spec.deck.leave_out is not None:
            rule, left_out = spec.deck.leave_out_rule or remainder, spec.deck.leave_out
            self._declared("rule", rule, lambda: ["leave_out", self.form(left_out, {})])
        for procedure in spec.procedures.values():
            name = ("rule", procedure.rule) if procedure.rule else ("procedure", procedure.name)
            self._part(*name, lambda: self._procedure(procedure))  # noqa: B023  # called at once
        for section, form in _DECLARED.items():
            for name_, declared in getattr(spec, section).items():
                if of_table(name_, spec.deck) is not None or (section == "tables" and self._is_asked_for(declared)):
                    continue  # the field is read below, the table where it is named
                self._declared(section.removesuffix("s"), name_, lambda: form(self, declared))  # noqa: B023
        for name_, type_ in spec.deck.declared.items():
            self._declared("field", name_, lambda: [*self._members_of(name_), self._type(type_)])  # noqa: B023
        for named in sorted({name for part in self.parts.values() for name in part.uses}):
            self.parts.setdefault(named, Part())  # at the end, because digests depend on the order of parts

    def _part(self, kind: str, name: str, read: Callable[[], list[Form]]) -> None:
        """Adds to a part what `read` returns, and the names that it meets."""
        outer, self.part = self.part, self.parts.setdefault((kind, name), Part())
        self.part.form += read()
        self.part = outer

    def _declared(self, kind: str, name: str, read: Callable[[], list[Form]]) -> None:
        """Reads a declaration, which depends as a whole on the rulings in it."""
        self.asked = set()
        # A rule may have a form already, when `leave_out` is read for it: only what is new depends on these rulings.
        before = len(self.parts[kind, name].form) if (kind, name) in self.parts else 0
        self._part(kind, name, read)
        self._depends(self.asked, [kind, name, *self.parts[kind, name].form[before:]])

    def _depends(self, rulings: set[str], form: Form) -> None:
        for id_ in rulings:
            self.depending[id_].append(form)

    # nodes

    def form(self, node: object, scope: Scope) -> Form:
        if isinstance(node, m.Step):
            return self._step(node, scope)
        if isinstance(node, tuple):
            return [self.form(item, scope) for item in node]
        if isinstance(node, t.Local):
            return scope.get(node.name, node.name)
        if isinstance(node, t.Let):
            return self.form(written_out(node), scope)
        if isinstance(node, t.Const):
            return self._constant(node.type, node.value)
        if isinstance(node, t.Part):
            return self._expression(node, scope)
        return "" if node is None else node if isinstance(node, str | int) else str(node)

    def _expression(self, node: t.Part, scope: Scope) -> Form:
        node = as_entry(node, self.spec.deck) if isinstance(node, t.CardField) else node
        if type(node) in _NAMES:
            kind, attribute = _NAMES[type(node)]
            name = getattr(node, attribute)
            field = of_table(name, self.spec.deck)
            self._use(*(("field", field.name) if field is not None else (kind, name)))
        around = [self._type(node.type)] if isinstance(node, t.Members) else []
        return [type(node).__name__, *around, *(form for _, form in self._fields(node, scope))]

    def _fields(self, node: object, scope: Scope) -> Iterator[tuple[str, Form]]:
        """The forms of the fields of a node, in which the variables that it binds are in scope."""
        inner = _bound(scope, _binds(node))
        for name, part in _form_fields(type(node)):  # type: ignore[arg-type]  # mypy finds no hash of classes
            value = getattr(node, name)
            if not (value in (None, "", ()) and ADDED in part):
                form = self.form(_unnamed(value) if VARIABLE in part else value, inner)
                yield name, _alone(form) if name in _INDICES else form

    def _step(self, step: m.Step, scope: Scope) -> Form:
        if not step.rule:
            return self._own(step, scope)
        self._part("rule", step.rule, lambda: [self._own(step, scope)])
        return ["rule", step.rule]

    def _own(self, step: m.Step, scope: Scope) -> Form:
        # The rulings of this step are counted apart from those of the step around it.
        outer, self.asked = self.asked, set()
        if isinstance(step, m.Run):
            return self._run(step, scope)
        if isinstance(step, m.Auction):
            self._again(step, scope)
        form: list[Form] = [type(step).__name__]
        gates = {name for name, part in _form_fields(type(step)) if GATE in part}  # type: ignore[arg-type]
        whole: set[str] = set()
        for name, value in self._fields(step, scope):
            form.append(value)
            whole |= self.asked if name in gates else set()
            self._depends(self.asked - whole, [type(step).__name__, name, value])
            self.asked = set()
        self._depends(whole, form)
        self.asked = outer
        return form

    def _again(self, step: m.Auction, scope: Scope) -> None:
        """Who bids first again also belongs to the rule about bids that cannot be paid, where it is written."""
        inner = _bound(scope, step.binds())
        for unpaid in step.cannot_pay:
            if unpaid.rule:
                self._part("rule", unpaid.rule, lambda: [self.form(step.again_from, inner)])
        # The field is read once more with the others of the auction, where its rulings count.
        self.asked = set()

    def _run(self, step: m.Run, scope: Scope) -> Form:
        rule = self.spec.procedures[step.procedure].rule
        if not rule:
            self._use("procedure", step.procedure)
        outer, self.asked = self.asked, set()
        # Sorted by name, as parameters are: the order in which they are written has no effect.
        arguments: list[Form] = [[name, self.form(value, scope)] for name, value in sorted(step.arguments)]
        only_if = self.form(step.only_if, scope)
        form: Form = ["Run", rule or step.procedure, only_if, arguments]
        self._depends(self.asked, form)
        self.asked = outer
        return form

    def _is_asked_for(self, table: m.Table) -> bool:
        """Whether a table of a board is a part only where something names it: texts were confirmed without it."""
        name = table.name.partition("(")[0]
        return table.computed and (name in self.spec.enums or name in _ASKED_FOR or name.startswith("on "))

    def _use(self, kind: str, name: str) -> None:
        self.part.uses.add((kind, name))
        if kind == "ruling":
            self.asked.add(name)

    def _type(self, type_: Type) -> Form:
        if type_.kind in ("enum", "set") and ":" not in type_.name:
            self._use("enum", type_.name)
        return str(type_)

    def _constant(self, type_: Type, value: int) -> Form:
        if value == NONE:
            return "none"
        # Called for the enum, which the part uses by this member.
        self._type(type_)
        return f"{type_.name}.{self.spec.member(type_, value)}"

    # declarations

    def _members_of(self, field: str) -> list[Form]:
        """The enum for each of whose members a field has a value."""
        per = self.spec.deck.per_member.get(field)
        return [self._type(enum(per.enum))] if per is not None else []

    def _procedure(self, procedure: m.Procedure) -> list[Form]:
        parameters = sorted(procedure.parameters, key=lambda index: index.name)
        head: list[Form] = [[index.name, self._type(index.type)] for index in parameters]
        if procedure.moment is None:
            return [head, self.form(procedure.body, {})]
        for row in (one for table in procedure.body for one in inside(table)):
            if isinstance(row, m.MemberEffect):
                self._part("rule", row.rule, lambda: [self._effect(procedure.name, row)])  # noqa: B023  # called at once
        return [head]

    def _effect(self, moment: str, row: m.MemberEffect) -> Form:
        """The effect of a member at a moment. It belongs to the rule of the member, so others may come and go."""
        return ["MemberEffect", moment, self.form(row.body, {})]

    def _value(self, value: m.StoredValue) -> list[Form]:
        """A title makes a value public, so whether it has one is part of the form."""
        scope = _bound({}, ((index.name, index.type) for index in value.per))
        indices: list[Form] = [self._type(index.type) for index in value.per]
        declared: Form = self._type(value.type) if value.definition is None else "derived"
        declared = "tokens" if value.stock else declared  # their bounds follow from the starts
        declared = [declared, "bounded"] if value.bounded else declared
        rest = [self.form(value.start, scope), self.form(value.definition, scope), bool(value.title)]
        return [indices, declared, *rest, *([] if value.sight.public else self._sight(value.sight, scope))]

    def _zone(self, zone: m.Zone) -> list[Form]:
        per = _alone([self._type(type_) for type_ in zone.per])
        scope = _bound({}, zip(zone.names, zone.per, strict=True))
        holds = zone.holds.value if isinstance(zone.holds, t.Const) else self.form(zone.holds, {})
        order: Form = [zone.ordered, holds] if zone.holds is not None else zone.ordered
        return [per, order, *self._sight(zone.sight, scope)]

    def _sight(self, sight: Sight, scope: Scope) -> list[Form]:
        """The condition on the setting, and who sees it if it holds and if not."""
        return [
            self.form(sight.condition, {}),
            *(self._viewers(way, scope) for way in (sight.viewers, sight.otherwise)),
        ]

    def _viewers(self, viewers: Viewers, scope: Scope) -> Form:
        if viewers.where is None:
            return viewers.group
        return [viewers.group, self.form(viewers.where, _bound(scope, iter([(viewers.viewer, PLAYER)])))]

    def _table(self, table: m.Table) -> list[Form]:
        # Which squares are neighbours is declared with the board, and no other form says it.
        if table.computed and not table.name.startswith("near("):
            return []  # it follows from the names of squares, rows and directions
        rows: list[Form] = [
            [_alone([*map(self._constant, table.by, keys)]), self._constant(table.type, cell)]
            for keys, cell in sorted(table.rows.items())
        ]
        return [_alone([*map(self._type, table.by)]), *rows]


_DECLARED: Mapping[str, Callable[[_Reader, Any], list[Form]]] = {
    "values": _Reader._value,
    "zones": _Reader._zone,
    "tables": _Reader._table,
    "enums": lambda reader, enum: [list(enum.members), reader.form(enum.in_play, {enum.name: "member"})],
    "rulings": lambda reader, ruling: [*ruling.options],
}
"""The sections of a spec, each with what reads one declaration of it."""


_INDICES = {"indices"}
"""Fields with indices: none is written as nothing, and a single one as itself."""


def _alone(form: Form) -> Form:
    if isinstance(form, list) and len(form) < 2:
        return form[0] if form else ""
    return form


def _unnamed(value: object) -> object:
    """The value of a field with variables, without their names."""
    if isinstance(value, str):
        return ""
    return tuple(map(_unnamed, value)) if isinstance(value, tuple) else value
