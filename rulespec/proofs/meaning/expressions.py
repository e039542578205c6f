"""Phrases of expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulespec.language.model import typed as t
from rulespec.language.model.columns import as_entry, of_table
from rulespec.language.model.constants import Setting
from rulespec.language.model.phrase import Phrase, Rows, number
from rulespec.language.model.spec import Spec, Zone
from rulespec.language.model.substitution import written_out
from rulespec.language.model.typed import Domain, TExpr, ZoneRef, constant
from rulespec.language.model.types import NONE, Type

_COMPARISONS = {">": "more", "<": "less", ">=": "at_least", "<=": "at_most"}
_ORDERED = {">": "after", "<": "before", ">=": "not_before", "<=": "not_after"}
_OPPOSITE = {
    **{"true": "false", "false": "true"},
    **{"more": "at_most", "at_most": "more", "less": "at_least", "at_least": "less"},
    **{"after": "not_after", "not_after": "after", "before": "not_before", "not_before": "before"},
    **{"is": "is_not", "is_not": "is", "holds": "fails", "fails": "holds", "empty": "occupied", "occupied": "empty"},
    **{"contains": "lacks", "lacks": "contains", "present": "absent", "absent": "present"},
    **{"is_kind": "is_not_kind", "is_not_kind": "is_kind"},
}
_AMOUNTS = {
    **{"%": "remainder", "neg": "negative", "abs": "absolute", "min": "smaller", "max": "larger"},
    **{"clamp": "bounded", "??": "or_else", "seat": "seat", "seat_of": "seat_number", "-": "minus"},
    "ordinal": "ordinal",
}
_JOINED = {"+": "plus", "*": "times", "and": "all_of", "or": "any_of"}
_LISTS = {"near": "near", "step": "ahead", "row": "on_row"}
_OF_BOARDS = {"step": "square_at", "opposite": "opposite_way", "clockwise": "way_clockwise"}
"""The constructors of tables of boards; others are called as the enum of their entries."""
_FRACTIONS = {2: "half", 3: "third"}
TESTS = {*_OPPOSITE, "not", "all_of", "any_of", "exists", "for_all"}
"""The constructors of tests, which are true or false."""
_EXTREMES = {("min", False): "lowest", ("max", False): "highest", ("min", True): "earliest", ("max", True): "latest"}


@dataclass(frozen=True)
class Wording:
    """Makes phrases of expressions, in the settings in which a part of the game is present.

    What is constant is replaced by its value: a number by players, a member, the branch of a condition.
    """

    spec: Spec
    among: Sequence[Setting]

    def __call__(self, node: TExpr) -> Phrase:
        """The phrase of an expression."""
        folded = self._folded(node)
        return folded if folded is not None else _WORDINGS[type(node)](self, node)

    def decided(self, node: TExpr) -> bool | None:
        """The truth of a condition that is the same in all settings, else None."""
        if not constant(node):
            return None
        truths = {bool(one.value(node)) for one in self.among}
        return truths.pop() if len(truths) == 1 else None

    def zone(self, zone: ZoneRef) -> Phrase:
        """The phrase of a zone, with its owner and other indices."""
        return Phrase("zone", owner_first(self.spec.zones[zone.name], [*map(self, zone.indices)]), zone.name)

    def ordered(self, zone: ZoneRef) -> bool:
        """Whether the cards of a zone form a stack."""
        return self.spec.zones[zone.name].ordered

    def variable(self, name: str, type_: Type) -> Phrase:
        """The phrase of a variable."""
        return Phrase("variable", (), name, kind=kind_of(type_))

    def value(self, name: str, arguments: Iterable[TExpr] = ()) -> Phrase:
        """The phrase of a value of the game."""
        return Phrase("value", tuple(map(self, arguments)), name, kind=kind_of(self.spec.values[name].type))

    def place(self, place: t.Value) -> Phrase:
        """The phrase of a value as a place of tokens, without their kind."""
        indices = place.arguments if self.spec.values[place.name].kind is None else place.arguments[:-1]
        return replace(self.value(place.name, indices), kind="place")

    def domain(self, domain: Domain) -> Phrase:
        """The phrase of a domain."""
        if isinstance(domain, t.Cards):
            return Phrase("cards_in", (self.zone(domain.zone),))
        if isinstance(domain, t.Chosen):
            return Phrase("chosen_from", (self(domain.picked),))
        if isinstance(domain, t.Listed):
            called = domain.item.name.partition("(")[0]
            named = called.partition(" ")[2]
            return Phrase(_LISTS.get(called, "in_line"), tuple(map(self, domain.item.indices[:-1])), named)
        if isinstance(domain, t.Range):
            return Phrase("numbers", (self(domain.low), self(domain.high)))
        return Phrase("players") if domain.type.kind == "player" else Phrase("members", name=domain.type.name)

    def over(self, variable: str, domain: Domain, condition: TExpr | None) -> Phrase:
        """The phrase of the elements of a domain that meet a condition."""
        named = self.variable(variable, domain.type)
        parts = () if condition is None or self.decided(condition) else (self(condition),)
        return Phrase("over", (named, self.domain(domain), *parts))

    def negated(self, node: TExpr) -> Phrase:
        """The phrase of the opposite of a condition."""
        return opposite(self(node))

    def constant(self, type_: Type, value: int) -> Phrase | None:
        """The phrase of a stored value of a type; None for a set."""
        if value == NONE:
            return Phrase("nothing")
        if type_.kind == "int":
            return number(value)
        if type_.kind == "bool":
            return Phrase("true" if value else "false")
        if type_.kind == "player":
            return Phrase("seat", (number(value + 1),))
        return Phrase("member", name=f"{type_.name}.{self.spec.member(type_, value)}") if type_.kind == "enum" else None

    def _folded(self, node: TExpr) -> Phrase | None:
        # The number of players is said by its name, not as a list of all numbers.
        if not constant(node) or isinstance(node, t.Players):
            return None
        values = {one.players: one.value(node) for one in self.among}
        if node.type.kind == "int" and NONE not in values.values():
            return Phrase("number", amount=_rows(values))
        return self.constant(node.type, values.popitem()[1]) if len(set(values.values())) == 1 else None


def owner_first(zone: Zone, indices: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The indices of a zone: its owner, then the others in order."""
    own = zone.owned_by or 0
    return (*indices[own : own + 1], *indices[:own], *indices[own + 1 :])


def kind_of(type_: Type) -> str:
    """The kind of a variable or a value: `number`, the name of an enum, `player`, `card` or `bool`; for a picked set,
    that of its elements."""
    if type_.of is not None:
        return kind_of(type_.of)
    return {"int": "number", "enum": type_.name, "set": type_.name}.get(type_.kind, type_.kind)


def _rows(values: Mapping[int, int]) -> Rows:
    if len(set(values.values())) == 1:
        return ((0, next(iter(values.values()))),)
    return tuple(sorted(values.items()))


def opposite(phrase: Phrase) -> Phrase:
    """The negation of a test, by the opposite constructor if there is one."""
    if phrase.constructor in _OPPOSITE:
        return Phrase(_OPPOSITE[phrase.constructor], phrase.parts)
    if phrase.constructor == "not":
        return phrase.parts[0]
    if phrase.constructor in ("all_of", "any_of"):
        joined = "any_of" if phrase.constructor == "all_of" else "all_of"
        return Phrase(joined, tuple(opposite(part) for part in phrase.parts))
    return Phrase("not", (phrase,))


def tested(phrase: Phrase) -> tuple[int, int] | None:
    """The two numbers between which a condition decides; None for any other phrase."""
    if phrase.constructor != "conditional":
        return None
    then, otherwise = (part.number for part in phrase.parts[1:])
    return (then, otherwise) if then is not None and otherwise is not None and then != otherwise else None


def _op(say: Wording, node: t.Op) -> Phrase:
    name = node.operator
    if name in ("==", "!="):
        what, value = map(say, node.arguments)
        if value.constructor in ("true", "false"):
            held = what if what.constructor in TESTS else Phrase("holds", (what,))
            return held if (value.constructor == "true") == (node.operator == "==") else opposite(held)
        if value.constructor == "nothing":
            return Phrase("absent" if node.operator == "==" else "present", (what,))
        if what.constructor == "size" and value.number == 0:
            return Phrase("empty" if node.operator == "==" else "occupied", what.parts)
        named = "is" if node.operator == "==" else "is_not"
        if value.constructor == "member" and what.constructor == "field" and _only_field(say.spec, what):
            return Phrase(f"{named}_kind", (*what.parts, value))
        return Phrase(named, (what, value))
    if name in _COMPARISONS:
        what, than = map(say, node.arguments)
        if what.constructor == "size" and (node.operator, than.number) in ((">", 0), (">=", 1)):
            return Phrase("occupied", what.parts)
        names = _ORDERED if node.arguments[0].type.kind == "enum" else _COMPARISONS
        return Phrase(names[node.operator], (what, than))
    if name == "not":
        return say.negated(node.arguments[0])
    if name == "//":
        what, by = map(say, node.arguments)
        fraction = _FRACTIONS.get(by.number or 0)
        return Phrase(fraction, (what,)) if fraction is not None else Phrase("divided", (what, by))
    if name == "has":
        return Phrase("contains", tuple(map(say, node.arguments)))
    if name in _JOINED:
        return _joined(_JOINED[name], [say(argument) for argument in node.arguments])
    return Phrase(_AMOUNTS[name], tuple(map(say, node.arguments)))


def _joined(name: str, parts: Sequence[Phrase]) -> Phrase:
    """A sum, product or junction: inner ones of the same kind are merged, and neutral parts left out."""
    flat = [inner for part in parts for inner in (part.parts if part.constructor == name else (part,))]
    neutral, decisive = _ABSORBED[name]
    if decisive in flat:
        return decisive
    kept = [part for part in flat if part != neutral] or [neutral]
    return kept[0] if len(kept) == 1 else Phrase(name, tuple(kept))


_TRUE, _FALSE = Phrase("true"), Phrase("false")
_ABSORBED = {
    "all_of": (_TRUE, _FALSE),
    "any_of": (_FALSE, _TRUE),
    "plus": (number(0), None),
    "times": (number(1), number(0)),
}
"""For each junction, the part that changes nothing, and the one that decides it."""


def _only_field(spec: Spec, field: Phrase) -> bool:
    """Whether no other field of cards has the type of a field: its members say which field is meant."""
    return [name for name, type_ in spec.deck.fields.items() if kind_of(type_) == field.kind] == [field.name]


def _if(say: Wording, node: t.If) -> Phrase:
    decided = say.decided(node.condition)
    if decided is not None:
        return say(node.then if decided else node.otherwise)
    return Phrase("conditional", (say(node.condition), say(node.then), say(node.otherwise)))


_FOLDS = {
    **{"count": "count", "any": "exists", "all": "for_all", "first": "first_of"},
    **{"highest": "with_highest", "lowest": "with_lowest", "longest_run": "longest_run"},
}


def _fold(say: Wording, node: t.Fold) -> Phrase:
    if node.variable == t.ON_ROW and isinstance(node.domain, t.Listed) and isinstance(node.condition, t.Op):
        return Phrase("contains", (say(node.domain.item.indices[0]), say(node.condition.arguments[1])))
    if (found := t.lying(node)) is not None:
        return Phrase("contains", (say.zone(found[1]), say(found[0])))
    if (found := t.where(node)) is not None:
        parts = (say(found[0]), Phrase("zone", (), found[1].name))
        return Phrase("where_lies", parts, kind=kind_of(node.type))
    test = node.condition if node.function == "all" and node.body is None else None  # all(x in … if test)
    over = say.over(node.variable, node.domain, node.condition if test is None else None)
    inner = test if node.body is None else node.body
    body = () if inner is None else (say(inner),)
    if node.function in ("min", "max"):
        ordered = node.body is not None and node.body.type.kind == "enum"
        return Phrase(_EXTREMES[node.function, ordered], (*body, over))
    if node.function == "sum":
        return Phrase("sum", (*body, over))
    return Phrase(_FOLDS[node.function], (over, *body))


def _value(say: Wording, node: t.Value) -> Phrase:
    named = say.value(node.name, node.arguments)
    return Phrase("holds", (named,)) if node.type.kind == "bool" else named


def _local(say: Wording, node: t.Local) -> Phrase:
    named = say.variable(node.name, node.type)
    return Phrase("holds", (named,)) if node.type.kind == "bool" else named


def _field(say: Wording, node: t.CardField) -> Phrase:
    entry = as_entry(node, say.spec.deck)
    if isinstance(entry, t.Table):
        return _table(say, entry)
    return _shown(node, Phrase("field", (say(node.card),), node.field, kind=kind_of(node.type)))


def _shown(node: t.CardField | t.Table, named: Phrase) -> Phrase:
    return Phrase("holds", (named,)) if node.type.kind == "bool" else named


def _nth_card(say: Wording, node: t.NthCard) -> Phrase:
    zone, counted = say.zone(node.zone), say(node.number)
    if not say.ordered(node.zone):
        return Phrase("card_in", (zone,))
    if counted == number(1):
        return Phrase(f"{node.end}_card", (zone,))
    return Phrase(f"nth_from_{node.end}", (counted, zone))


def _repeated(say: Wording, node: t.Repeated) -> Phrase:
    values = (next(one for one in t.walk(part) if isinstance(one, t.Value)) for part in node.contents)
    return Phrase("repeated", tuple(say.value(one.name) for one in values))


def _table(say: Wording, node: t.Table) -> Phrase:
    """An entry of a table. Boards have one of the squares some steps away, cards one of what they have for members."""
    indices = tuple(map(say, node.indices))
    if (field := of_table(node.name, say.spec.deck)) is not None:
        return _shown(node, Phrase("field", indices, field.name, kind=kind_of(node.type)))
    if "(" not in node.name:
        return Phrase("table", indices, node.name)
    named = "square_on" if node.indices[0].type.kind == "int" else "way_between"
    return Phrase(_OF_BOARDS.get(node.name.partition("(")[0], named), indices)


def _const(say: Wording, node: t.Const) -> Phrase:
    assert node.type.kind in ("int", "none"), "the settings fold every other constant"
    return Phrase("nothing") if node.value == NONE else number(node.value)


_WORDINGS: Mapping[type, Callable[[Wording, Any], Phrase]] = {
    t.Const: _const,
    t.Players: lambda say, node: Phrase("player_count"),
    t.Local: _local,
    t.Ruling: lambda say, node: Phrase("value", name=node.id),
    t.Value: _value,
    t.Table: _table,
    t.CardField: _field,
    t.TopCard: lambda say, node: Phrase("top_card" if say.ordered(node.zone) else "card_in", (say.zone(node.zone),)),
    t.NthCard: _nth_card,
    t.ZoneSize: lambda say, node: Phrase("size", (say.zone(node.zone),)),
    t.Repeated: _repeated,
    t.Op: _op,
    t.If: _if,
    t.Let: lambda say, node: say(written_out(node)),
    t.Fold: _fold,
    t.Seat: lambda say, node: Phrase("left_neighbour" if node.step > 0 else "right_neighbour", (say(node.player),)),
}
