"""`effect`: what the members of an enum do, such as the cards of a game that are played for what is printed on them.

The enum declares the moments at which its members do something, and the parameters that their steps need. All effects
of a moment form one procedure, a decision table with a row for each member that does something then. So a step that
carries out an effect is a run of this procedure.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from typing import ClassVar

from rulespec.base.messages import NOTHING, Message, counted, quoted, say
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.model import declarations as m
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.names import suggest
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.nodes import Broken, entries, items, mapping, named
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import FAILED, Reader
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.decide import Decide, DecisionRow, what_happens
from rulespec.language.model.steps.reading import Common, Effects, StepReader, signature
from rulespec.language.model.steps.run import PARAMETERS, Run, arguments, said
from rulespec.language.model.typed import CardField, Const, Local, Op, TExpr
from rulespec.language.model.typed import Table as Entry
from rulespec.language.model.types import BOOL, NONE, Type, enum, integer

UNNAMED = "effect"
"""What the only moment of an enum is called that does not name it."""


def declared(reader: Reader, key: Scalar, node: Node) -> Effects | None:
    """What an enum declares about the effects of its members; None for an enum without effects."""
    found = node.get("effect") if isinstance(node, Mapping) and node.get("members") is not None else None
    if found is None or reader.names.enums[key.text] is None:
        return None
    inner = mapping(found)
    moments = dict(_moments(reader, key.text, inner)) or {UNNAMED: node.key("effect") or node}  # type: ignore[union-attr]
    return Effects(key.text, moments, signature(reader, inner))


def _moments(reader: Reader, owner: str, node: Mapping) -> Iterator[tuple[str, Node]]:
    seen: set[str] = set()
    for item in map(named, items(node.get("when"))):
        # A moment shares the names behind `OWNER.` with the rules of members and with attributes.
        taken = say("a moment") if item.text in seen else _part(reader, owner, item.text)
        if taken:
            message = say("`{name}` is already {what}.", name=item.text, what=taken)
            reader.report("name-taken", message, item, say("Choose another name."))
        seen.add(item.text)
        yield item.text, item


def _part(reader: Reader, owner: str, name: str) -> Message:
    """What a name means already among the parts of an enum; empty for a free one."""
    if name in reader.names.members_of(enum(owner)):
        return say("a member of `{owner}`", owner=owner)
    attribute = f"{owner}.{name}" in reader.names.tables
    return say("an attribute of `{owner}`", owner=owner) if attribute else NOTHING


# --- the effects of all members ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Member:
    """A member with its effect, the rule that it is, or "", and what is certain in its steps."""

    value: Const
    node: Mapping
    effect: Node
    rule: str
    facts: Facts


def procedures(node: Node, effects: Effects, tables: Table[str, m.Table], steps: StepReader) -> list[m.Procedure]:
    """The effects of the members of an enum, one procedure for each moment."""
    every = entries(mapping(node).get("members"))
    read = [steps.reader.attempt(_read, steps, effects, tables, key, mapping(member)) for key, member in every]
    members = [member for member in read if member is not None]
    return [_procedure(steps, effects, moment, members) for moment in effects.moments]


def _procedure(steps: StepReader, effects: Effects, moment: str, members: list[_Member]) -> m.Procedure:
    """What the members do at a moment."""
    name, span = effects.procedure(moment), effects.moments[moment].span
    with steps.inside_procedure(name):
        found = (steps.reader.attempt(_row, steps, effects, moment, member) for member in members)
        rows = tuple(row for row in found if row is not None)
    given = (m.Index(parameter, type_) for parameter, type_ in effects.given.items() if type_ is not None)
    body = (Decide(hit="first", rows=rows, otherwise=(), span=span),) if rows else ()
    shown = moment if len(effects.moments) > 1 else ""
    return m.Procedure(name, "", (m.Index(effects.enum, enum(effects.enum)), *given), body, span, shown)


def _row(steps: StepReader, effects: Effects, moment: str, member: _Member) -> MemberEffect | None:
    """What a member does at a moment; None if that is nothing."""
    found = _at(effects, member.effect, moment)
    if found is None or isinstance(found, Scalar):
        return None
    when = Op(BOOL, "==", (Local(member.value.type, effects.enum), member.value))
    with steps.reader.given(member.facts):
        body = steps.body(found, effects.given)
    return MemberEffect(when=when, body=body, rule=member.rule, span=member.node.span)


def _at(effects: Effects, effect: Node, moment: str) -> Node | None:
    """What happens at a moment: steps, or `none`. None if the effect does not say it."""
    return effect.get(moment) if len(effects.moments) > 1 and isinstance(effect, Mapping) else effect


def _read(steps: StepReader, effects: Effects, tables: Table[str, m.Table], key: Scalar, node: Mapping) -> _Member:
    """Reads a member without its steps. All its effects together are one rule."""
    effect, own, rule = node.get("effect"), enum(effects.enum), ""
    if effect is None:
        raise Broken  # reported by the schema
    if len(effects.moments) > 1 and isinstance(effect, Mapping):
        missing = [moment for moment in effects.moments if effect.get(moment) is None]
        if missing:
            message = counted(
                "The effect of `{member}` does not say what happens at this moment: {moments}.",
                "The effect of `{member}` does not say what happens at these moments: {moments}.",
                len(missing),
                member=key.text,
                moments=", ".join(missing),
            )
            hint = say("Add `{moment}: …` with its steps, or `{moment}: none`.", moment=missing[0])
            steps.reader.report("open-question", message, node.key("effect") or key, hint)
        for moment, _ in entries(effect):
            if moment.text not in effects.moments:
                _unknown_moment(steps.reader, effects, moment)
    if not all(isinstance(_at(effects, effect, moment), Scalar | None) for moment in effects.moments):
        rule = f"{effects.enum}.{key.text}"
        steps.rule(rule, key, node, key.text.replace("_", " "))
    value = Const(own, steps.reader.names.members_of(own).index(key.text))
    return _Member(value, node, effect, rule, dict(_attributes(tables, value)))


def _unknown_moment(reader: Reader, effects: Effects, place: Scalar) -> None:
    message = say("The effects of `{owner}` have no moment `{moment}`.", owner=effects.enum, moment=place.text)
    hint = suggest(place.text, effects.moments) or say("Its moments are {names}.", names=", ".join(effects.moments))
    if UNNAMED in effects.moments:
        hint = say("Delete it: there is only one moment.")
    reader.report("unknown-name", message, place, hint)


def _attributes(tables: Table[str, m.Table], member: Const) -> Iterator[tuple[TExpr, Type]]:
    """The attributes that a member has: what others lack is certain in its own effect."""
    for name, table in tables.items():
        if name.startswith(f"{member.type.name}.") and table.by == (member.type,):
            entry = table.entry((member.value,))
            if entry != NONE:
                exact = integer(entry, entry) if table.type.kind == "int" else table.type.required()
                yield Entry(table.type, name, (member,)), exact


@dataclass(frozen=True, kw_only=True, eq=False)
class MemberEffect(DecisionRow, key="effect", once=False, followed=True):
    """The effect of one member of an enum at a moment. Its rule is that of the member, for all moments together."""

    def stated(self, index: int, hit: str, scene: Scene) -> Iterator[Proposition]:
        """What the member does, by its own rule; the moment is said if the enum has several."""
        around = scene.alone()
        yield from (around.fact(self.span, moment) for moment in scene.within)
        yield from what_happens(self, scene, self.span)


@dataclass(frozen=True, kw_only=True, eq=False)
class Effect(Run, key="effect", once=True, followed=False):
    """Carries out the effect of a member, the first argument: `procedure` has those of all members at a moment."""

    procedure: str
    of: ClassVar = fields.key("of", "expression")
    when: ClassVar = fields.key("when", "name", optional=True)
    arguments: tuple[tuple[str, TExpr], ...] = fields.custom("with", PARAMETERS, optional=True)
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("effect", "member arguments*"),
        constructor("effect_when", "member procedure arguments*"),
        constructor("moment", "procedure"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Effect:
        """The effect of a member, or of a card whose only enum with effects it is."""
        inner = mapping(node.get("effect"))
        place = named(inner.get("of"))
        member = _member(steps, place, steps.reader.expr(place, scope), inner.get("when"))
        effects = steps.effects[member.type.name]
        name = effects.procedure(_moment(steps.reader, effects, inner, place))
        steps.call(name, place)
        given = arguments(steps, inner, place, effects.given, "effect", scope)
        return cls(procedure=name, arguments=((effects.enum, member), *given), **common)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        procedure = scene.spec.procedures[self.procedure]
        (_, effect), *given = self.arguments
        # The card whose effect it is, if its cards have only one; else the member
        enums = {one.parameters[0].type for one in scene.spec.procedures.values() if one.moment is not None}
        single = sum(type_.required() in enums for type_ in scene.spec.deck.fields.values()) == 1
        member = scene.say(effect.card if isinstance(effect, CardField) and single else effect)
        parts = tuple(said(tuple(given), self, scene))
        if procedure.moment:
            moment = Phrase("procedure", name=procedure.name)
            yield scene.fact(self.span, Phrase("effect_when", (member, moment, *parts)))
        else:
            yield scene.fact(self.span, Phrase("effect", (member, *parts)))


def _member(steps: StepReader, place: Scalar, found: TExpr, when: Node | None) -> TExpr:
    """The member whose effect is meant. Raises Broken after a finding."""
    if found is FAILED:
        raise Broken
    found = _of_card(steps, place, found, when) if found.type.kind == "card" else found
    if found.type.kind != "enum" or found.type.name not in steps.effects:
        if steps.reader.names.broken:
            raise Broken  # perhaps the declaration of the effects
        hint = say("Name a card, or a member of an enum with effects: {names}.", names=quoted(list(steps.effects)))
        if not steps.effects:
            hint = say("Declare the moments in an enum: `effect: {when: played, with: {p: player}}`.")
        steps.reader.refuse("type-mismatch", say("`{of}` has no effects.", of=place.text), place, hint)
    if found.type.optional:
        hint = say("Put the step under an `if:` that it is not `none`.")
        steps.reader.refuse("may-be-absent", say("This may be absent."), place, hint)
    return found


def _of_card(steps: StepReader, place: Scalar, card: TExpr, when: Node | None) -> TExpr:
    """The only field of a card with effects, at a moment if it is named."""
    fields = {name: type_ for name, type_ in steps.reader.names.fields.items() if type_ is not None}
    fitting = {name: type_ for name, type_ in fields.items() if type_.kind == "enum" and type_.name in steps.effects}
    if len(fitting) > 1 and when is not None:
        fitting = {
            n: one for n, one in fitting.items() if named(when).text in steps.effects[one.name].moments
        } or fitting
    if len(fitting) > 1:
        message = say("Several fields of a card have effects: {names}.", names=quoted(list(fitting)))
        hint = say("Write which one: `{of}.{field}`.", of=place.text, field=next(iter(fitting)))
        steps.reader.refuse("unclear-name", message, place, hint)
    for name, type_ in fitting.items():
        field = CardField(type_.maybe() if card.type.optional else type_, card, name)
        narrower = steps.reader.facts.get(field)
        return replace(field, type=narrower) if narrower is not None else field
    return card


def _moment(reader: Reader, effects: Effects, node: Mapping, place: Scalar) -> str:
    """The moment of a step. Raises Broken after a finding."""
    when = node.get("when")
    if when is None and len(effects.moments) == 1:
        return next(iter(effects.moments))
    if when is None:
        message = say(
            "The effects of `{owner}` have several moments: {names}.",
            owner=effects.enum,
            names=", ".join(effects.moments),
        )
        reader.refuse("open-question", message, place, say("Add `when:` with one of them."))
    if named(when).text not in effects.moments:
        _unknown_moment(reader, effects, named(when))
        raise Broken
    return named(when).text
