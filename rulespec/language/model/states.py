"""Reads `states:`, the facts that the rule text must state, as typed expressions over the sealed model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from rulespec.base.messages import Message, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import spec as m
from rulespec.language.model.constants import settings
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.language.model.reader import FAILED, Reader
from rulespec.language.model.step import Step, inside
from rulespec.language.model.steps.table import Auction, Criterion, Draft, Move, Place, Rank, Repeat
from rulespec.language.model.typed import Const, Domain, If, TExpr, Value, constant, walk
from rulespec.language.model.types import BOOL, CARD, NONE, integer

T = TypeVar("T")

ITS: Mapping[str, Callable[[Step], TExpr | None]] = {
    "limit": lambda step: step.limit if isinstance(step, Place) else None,
    "draws": lambda step: step.draws if isinstance(step, Draft) else None,
    "places": lambda step: _number(len(step.places)) if isinstance(step, Draft) else None,
    "opening": lambda step: step.opening if isinstance(step, Auction) else None,
    "raise": lambda step: step.increment if isinstance(step, Auction) else None,
    "cap": lambda step: step.cap if isinstance(step, Auction) else None,
    "amount": lambda step: step.amount if isinstance(step, Move) and step.how in ("top", "bottom", "random") else None,
    "at_most": lambda step: step.at_most if isinstance(step, Repeat) else None,
}
"""The numbers of a step that a fact can refer to, by their key in the spec."""


def read(reader: Reader, spec: m.Spec, node: Node | None) -> dict[str, tuple[m.Fact, ...]]:
    """The facts of every rule and ruling that has any, by id. Broken facts are left out after a finding."""
    found: dict[str, tuple[m.Fact, ...]] = {}
    for key, value in entries(node) if isinstance(node, MapNode) else ():
        known = [*spec.rules, *spec.rulings]
        if key.text not in known:
            reader.report("unknown-name", say("There is no rule `{key}`.", key=key.text), key, suggest(key.text, known))
        facts = (reader.attempt(_fact, _Facts(reader, spec, key.text), item) for item in items(value))
        found[key.text] = tuple(fact for fact in facts if fact is not None)
    return found


def _fact(facts: _Facts, item: Node) -> m.Fact | None:
    node = mapping(item)
    key, value = next(((k, v) for k, v in entries(node) if k.text in _KINDS), (None, None))
    if key is None or value is None:
        raise Broken
    return _KINDS[key.text](facts, value, node)


class _Facts:
    """Reads the facts of one rule."""

    def __init__(self, reader: Reader, spec: m.Spec, rule: str) -> None:
        self.reader, self.spec, self.rule = reader, spec, rule

    def value(self, node: Node, fact: MapNode) -> m.Fact | None:
        over: tuple[str, Domain] | None = None
        scope: Locals = {}
        for key, value in entries(fact.get("for")):
            domain = self.reader.domain(value, {})
            over = (key.text, domain) if domain is not None else None
            # A variable without a type: its uses are not reported, as its domain has been.
            scope = {key.text: domain.type if domain is not None else None}
        return self._amount(self.reader.fixed(node, scope, None, tuple(scope)), fact, over)

    def its(self, node: Node, fact: MapNode) -> m.Fact | None:
        key = text(node)
        if key not in ITS:  # the schema reports it
            raise Broken
        at = scalar(fact.get("at")) if fact.get("at") else None
        rule = at.text if at is not None else self.rule
        steps = [own for step in self.spec.steps() if step.rule == rule for own in _own(step)]
        values = [found for step in steps if (found := ITS[key](step)) is not None]
        if len(values) != 1:
            message = (
                say("The rule `{rule}` has no `{key}`, or several.", rule=rule, key=key)
                if values
                else say("The rule `{rule}` has no `{key}`.", rule=rule, key=key)
            )
            self.reader.report("unknown-name", message, node, say("Name the rule that has it with `at:`."))
            return None
        if not constant(values[0]):
            message = say("The `{key}` of `{rule}` changes during a game.", key=key, rule=rule)
            self.reader.report(
                "not-constant", message, node, say("State a number that is known before the game begins.")
            )
            return None
        return self._amount(values[0], fact)

    def start(self, node: Node, fact: MapNode) -> m.Fact | None:
        value = self._one_of(node, self.spec.values, say("There is no value `{name}`."))
        if value is None or value.start is None or not constant(value.start):
            if value is not None:
                self.reader.report(
                    "not-a-value", say("`{value}` has no `start` that a text could state.", value=value.name), node
                )
            return None
        return self._amount(value.start, fact, declared=value.name)

    def range(self, node: Node, fact: MapNode) -> m.Fact | None:
        ranges = self._ranges(fact.get("where"))
        if ranges is None:
            return None
        name = self._one_of(
            node,
            {name: name for name in ranges},
            say("There is no value, field of the cards or enum with a range `{name}`."),
        )
        return m.Bounds(fact.span, self._optional(fact), *ranges[name], name) if name else None

    def _ranges(self, where: Node | None) -> dict[str, tuple[str, str]] | None:
        """The bounds of a value, a field or an enum, as they are written; None after a finding."""
        if where is not None:
            condition = self.reader.fixed(where, {"card": CARD}, BOOL, free=("card",))
            return dict(self._on_cards(condition)) if condition is not FAILED else None
        spec = self.spec
        enums = {e.name: (e.members[0], e.members[-1]) for e in spec.enums.values()}
        numbers = {**spec.deck.declared, **{value.name: value.type for value in spec.values.values()}}
        return {**{n: (str(t.low), str(t.high)) for n, t in numbers.items() if t.kind == "int"}, **enums}

    def _on_cards(self, condition: TExpr) -> Iterator[tuple[str, tuple[str, str]]]:
        """The values of fields on the cards that meet a condition."""
        deck, setting = self.spec.deck, settings(self.spec)[0]
        chosen = [card for card in range(len(deck.cards)) if setting.value(condition, {}, card)]
        for column, (name, type_) in enumerate(deck.fields.items()):
            held = [found for card in chosen if (found := deck.cards[card][column]) != NONE]
            if held and type_.kind in ("int", "enum"):
                yield name, (self.spec.member(type_, min(held)), self.spec.member(type_, max(held)))

    def which(self, node: Node, fact: MapNode) -> m.Fact | None:
        name = self._one_of(
            node, {name: name for name in self.spec.deck.fields}, say("There is no field of the cards `{name}`.")
        )
        condition = self.reader.fixed(fact.get("where"), {"card": CARD}, BOOL, free=("card",))
        return (
            None if name is None or condition is FAILED else m.Which(fact.span, self._optional(fact), name, condition)
        )

    def signs(self, node: Node, fact: MapNode) -> m.Fact | None:
        spec = self.spec
        table = self._one_of(fact.get("by") or node, spec.tables, say("There is no table `{name}`."))
        if table is None:
            return None
        known = {name: name for name, type_ in spec.deck.fields.items() if (type_.required(),) == table.by}
        names = [
            self._one_of(item, known, say("There is no field of the cards that the table is by `{name}`."))
            for item in items(node)
        ]
        condition = self.reader.fixed(fact.get("where"), {"card": CARD}, BOOL, free=("card",))
        if not all(names) or condition is FAILED:
            return None
        columns = [spec.deck.column(name) for name in names if name]
        setting = settings(spec)[0]
        cards = (held for card, held in enumerate(spec.deck.cards) if setting.value(condition, {}, card))
        faces = (tuple(table.rows[held[c],] for c in columns if held[c] != NONE) for held in cards)
        return m.Signs(fact.span, self._optional(fact), frozenset(faces))

    def printed(self, node: Node, fact: MapNode) -> m.Fact | None:
        return self._cards(node, fact, False)

    def in_play(self, node: Node, fact: MapNode) -> m.Fact | None:
        return self._cards(node, fact, True)

    def _cards(self, node: Node, fact: MapNode, in_play: bool) -> m.Fact | None:
        condition = self.reader.fixed(node, {"card": CARD}, BOOL, free=("card",))
        if condition is FAILED:
            return None
        return m.CardCount(node.span, self._optional(fact), condition, in_play, self._of(fact))

    def count(self, node: Node, fact: MapNode) -> m.Fact | None:
        if isinstance(node, Scalar):
            name = self._one_of(node, {name: name for name in self.spec.enums}, say("There is no enum `{name}`."))
            return None if name is None else m.MemberCount(node.span, self._optional(fact), name, self._of(fact))
        names = {name: name for name in (*self.spec.rules, *self.spec.zones, *self.spec.values)}
        known = [self._one_of(item, names, say("There is no rule, zone or value `{name}`.")) for item in items(node)]
        parts = tuple(name for name in known if name is not None)
        return m.PartCount(node.span, self._optional(fact), parts, self._of(fact)) if len(parts) == len(known) else None

    def order(self, node: Node, fact: MapNode) -> m.Fact | None:
        if text(node) in self.spec.enums:
            members = self.spec.enums[text(node)].members
            return m.Order(node.span, self._optional(fact), tuple(f"{text(node)}.{member}" for member in members))
        chain = next((s.chain for s in self.spec.steps() if isinstance(s, Rank) and s.rule == self.rule), ())
        if text(node) == "tie_breaks" and chain:
            return m.Order(node.span, self._optional(fact), tuple(self._compared(chain)))
        message = say("`{node}` must be an enum, or the key of a ranking at `{rule}`.", node=text(node), rule=self.rule)
        self.reader.report("unknown-name", message, node, suggest(text(node), [*self.spec.enums, "tie_breaks"]))
        return None

    def _compared(self, chain: tuple[Criterion, ...]) -> Iterator[str]:
        """The values that the criteria of a chain compare, in order."""
        for criterion in chain:
            # A criterion that only another option brings in is not part of the order that the text states.
            here = any(one.present(criterion.only_if) for one in settings(self.spec))
            if criterion.by is not None and here:
                # The branch of a conditional that applies with the chosen options; the first if that is not known
                node = criterion.by
                while isinstance(node, If):
                    settled = not constant(node.condition) or settings(self.spec)[-1].value(node.condition)
                    node = node.then if settled else node.otherwise
                yield from [part.name for part in walk(node) if isinstance(part, Value)][:1]
            yield from self._compared(criterion.inner)

    def component(self, node: Node, fact: MapNode) -> m.Fact | None:
        count = self._one_of(node, self.spec.components, say("There is no component `{name}`."))
        return None if count is None else m.Amount(fact.span, self._optional(fact), _number(count), None, text(node))

    def terms(self, node: Node, fact: MapNode) -> m.Fact | None:
        named = tuple((text(item), item.span) for item in items(node))
        return m.StatedTerms(
            node.span, self._optional(fact), tuple(name for name, _ in named), tuple(s for _, s in named)
        )

    def about(self, node: Node, fact: MapNode) -> m.Fact | None:
        return m.About(node.span, True, self._names(node))

    def unsaid(self, node: Node, fact: MapNode) -> m.Fact | None:
        return m.Unsaid(node.span, True, self._names(node))

    def _names(self, node: Node) -> tuple[str, ...]:
        """The names in a list, of anything that the spec declares; unknown ones are left out after a finding."""
        known = {name: name for name in declared(self.spec)}
        found = (self._one_of(item, known, say("There is no name `{name}`.")) for item in items(node))
        return tuple(name for name in found if name)

    def _amount(
        self, value: TExpr, fact: MapNode, over: tuple[str, Domain] | None = None, declared: str = ""
    ) -> m.Fact | None:
        of = self._of(fact)
        return None if value is FAILED else m.Amount(fact.span, self._optional(fact), value, over, of, declared)

    def _of(self, fact: MapNode) -> str:
        return text(fact.get("of")) if fact.get("of") else ""

    def _optional(self, fact: MapNode) -> bool:
        return bool(scalar(fact.get("optional")).value) if fact.get("optional") else False

    def _one_of(self, node: Node, known: Mapping[str, T], unknown: Message) -> T | None:
        if text(node) not in known:
            self.reader.report(
                "unknown-name",
                say(unknown, name=text(node)),
                node,
                suggest(text(node), known),
            )
        return known.get(text(node))


_KINDS: Mapping[str, Callable[[_Facts, Node, MapNode], m.Fact | None]] = {
    name: getattr(_Facts, name)
    for name in (
        *(
            "value",
            "its",
            "start",
            "range",
            "which",
            "signs",
            "printed",
            "in_play",
            "count",
            "component",
        ),
        *("order", "terms", "about", "unsaid"),
    )
}


def declared(spec: m.Spec) -> Iterator[str]:
    """Every name that a fact can refer to. Members of enums are written `enum.member`."""
    yield from (*spec.rules, *spec.rulings, *spec.zones, *spec.values, *spec.tables, *spec.deck.declared)
    yield from (*spec.enums, *spec.components)
    yield from (f"{enum.name}.{member}" for enum in spec.enums.values() for member in enum.members)


def _own(step: Step) -> Iterator[Step]:
    """A step and the steps inside it, without those of other rules."""
    yield step
    for inner in inside(step):
        if not inner.rule:
            yield from _own(inner)


def _number(value: int) -> TExpr:
    return Const(integer(value, value), value)
