"""The new version of a spec with the old expressions where both are equal for all values: what is left has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from rulespec.engine.rules.claims import counterexample
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.phrase import Phrase, number
from rulespec.language.model.sight import Sight, Viewers
from rulespec.language.model.spec import Claim, Spec
from rulespec.language.model.types import BOOL, CARD, PLAYER, Type
from rulespec.proofs.checks import claims
from rulespec.proofs.meaning.canonical import Name
from rulespec.proofs.meaning.digest import remainder_rule
from rulespec.proofs.meaning.expressions import Wording
from rulespec.versions.changes.proofs import Example, Prover
from rulespec.versions.changes.renames import Renames
from rulespec.versions.changes.translation import Scope, Translation, Untranslatable, key

MOST_EXAMPLES = 3
"""Examples of one part, at most: one for each expression of it."""

_WRITTEN_TO = frozenset({"target", "gives"})
"""Fields with a place that a step writes to, not a value that it reads."""
_EXPRESSIONS = (t.Typed, t.Range, t.Members, t.Cards, t.Listed, t.ZoneRef)


@dataclass(frozen=True)
class Settled:
    """The new version with the old expressions where both are equal, and positions in which the others differ.

    `same` are the invariants and claims that say the same in other words.
    """

    spec: m.Spec
    examples: Mapping[Name, tuple[Example, ...]]
    same: frozenset[str]


def settled(old: m.Spec, new: m.Spec, names: Renames) -> Settled:
    """Compares every expression of the new version with the one at the same place in the old version."""
    found = _Settling(old, new, names)
    spec = found.whole()
    return Settled(spec, {name: tuple(some) for name, some in found.examples.items()}, frozenset(found.same))


@dataclass
class _Settling:
    """The comparison. `part` is the rule or the declaration that is compared."""

    old: m.Spec
    new: m.Spec
    names: Renames
    examples: dict[Name, list[Example]] = field(default_factory=dict)
    same: set[str] = field(default_factory=set)
    part: Name = ("", "")

    def __post_init__(self) -> None:
        self.prover = Prover(self.new)
        self.translate = Translation(self.old, self.new, self.names)
        self.rules = {self.names.of(("rule", one.rule))[1]: one for one in self.old.steps() if one.rule}

    def whole(self) -> m.Spec:
        """The new version with the old expressions; the same object if there are none."""
        old, new, rest = self.old, self.new, ("rule", remainder_rule(self.new))
        changed: dict[str, Any] = {"procedures": self._procedures()}
        for name in ("setup", "play"):
            self.part = rest
            changed[name] = self._value(getattr(old, name), getattr(new, name), {})
        changed["values"] = self._declared("value", ("start", "definition", "sight"))
        changed["zones"] = self._declared("zone", ("sight",))
        changed["enums"] = self._declared("enum", ("in_play",))
        self.part = ("rule", new.deck.leave_out_rule) if new.deck.leave_out_rule else rest
        left_out = self._value(old.deck.leave_out, new.deck.leave_out, {"card": t.Local(CARD, "card")})
        changed["deck"] = new.deck if left_out is new.deck.leave_out else replace(new.deck, leave_out=left_out)
        self._proved()
        self._tables()
        # By identity, as everywhere here: what keeps its expressions is returned as the same object.
        same = all(getattr(new, name) is value for name, value in changed.items())
        return new if same else replace(new, **changed)

    # declarations

    def _declared(self, kind: str, attributes: tuple[str, ...]) -> Mapping[str, Any]:
        section: Mapping[str, Any] = getattr(self.new, f"{kind}s")
        found = dict(section)
        for name, other in self._pairs(kind):
            was, now = getattr(self.old, f"{kind}s")[name], section[other]
            self.part, scope = (kind, other), self._indices(was, now)
            values = {each: self._value(getattr(was, each), getattr(now, each), scope) for each in attributes}
            if any(values[each] is not getattr(now, each) for each in attributes):
                found[other] = replace(now, **values)
        return section if all(found[name] is one for name, one in section.items()) else found

    def _pairs(self, kind: str) -> Iterator[tuple[str, str]]:
        there = getattr(self.new, f"{kind}s")
        pairs = ((name, self.names.of((kind, name))[1]) for name in getattr(self.old, f"{kind}s"))
        return (pair for pair in pairs if pair[1] in there)

    def _indices(self, was: Any, now: Any) -> Scope:
        """The names of the indices of a value, and of the member in a condition of an enum."""
        if isinstance(now, m.Enum):
            return {was.name: t.Local(Type("enum", now.name), now.name)}
        if len(was.per) != len(now.per):
            return {}
        if isinstance(now, m.Zone):
            return {a: t.Local(b, name) for a, b, name in zip(was.names, now.per, now.names, strict=True)}
        return {a.name: t.Local(b.type, b.name) for a, b in zip(was.per, now.per, strict=True)}

    def _procedures(self) -> Mapping[str, m.Procedure]:
        was = {self.names.of(("rule", one.rule))[1]: one for one in self.old.procedures.values() if one.rule}
        was |= {self.names.of(("procedure", one.name))[1]: one for one in self.old.procedures.values() if not one.rule}
        found = {name: self._procedure(was.get(one.rule or name), one) for name, one in self.new.procedures.items()}
        same = all(found[name] is one for name, one in self.new.procedures.items())
        return self.new.procedures if same else found

    def _procedure(self, was: m.Procedure | None, now: m.Procedure) -> m.Procedure:
        self.part = ("rule", now.rule) if now.rule else ("procedure", now.name)
        theirs = {one.name: one.type for one in now.parameters}
        common = [one.name for one in was.parameters if one.name in theirs] if was else []
        scope = {name: t.Local(theirs[name], name) for name in common}
        body = self._value(was.body if was else None, now.body, scope)
        return now if body is now.body else replace(now, body=body)

    def _proved(self) -> None:
        """Invariants and claims: those that hold in the same positions are the same."""
        olds: list[Any] = [*self.old.invariants, *self.old.claims]
        was = {one.id: one for one in olds}
        now: list[Any] = [*self.new.invariants, *self.new.claims]
        for one in now:
            before, self.part = was.get(one.id), ("invariant", one.id)
            if before is not None and type(before) is type(one) and self._holds_alike(before, one):
                self.same.add(one.id)

    def _holds_alike(self, was: Any, now: Any) -> bool:
        parts = [(getattr(was, name), getattr(now, name)) for name in ("given", "holds") if hasattr(now, name)]
        rest = [(getattr(was, name), getattr(now, name)) for name in ("at", "over") if hasattr(now, name)]
        if not all(self.names.says(before, after) for before, after in rest):
            return False
        try:
            moved = [self.translate(before, {}) for before, _ in parts]
        except Untranslatable:
            return False
        left = [self.prover.settled(before, after) for before, (_, after) in zip(moved, parts, strict=True)]
        if key(tuple(left)) == key(tuple(moved)):
            return True
        if isinstance(now, m.Invariant):
            self._show(self.prover.example(moved[0], left[0]))
            return False
        verdict = compared(self.new, now, moved[0], moved[1])
        self._show(verdict if isinstance(verdict, Example) else None)
        return verdict is None

    def _tables(self) -> None:
        """A row of each table that has another value now."""
        for name, other in self._pairs("table"):
            was, now = self.old.tables[name], self.new.tables[other]
            if was.by == now.by and was.type.kind == now.type.kind == "int" and was.counts == now.counts:
                rows = (row for row in now.rows if was.rows.get(row, now.rows[row]) != now.rows[row])
                # One row is enough: `_show` fills `examples`, which ends the loop.
                for row in takewhile(lambda _: ("table", other) not in self.examples, rows):  # noqa: B023
                    self.part = ("table", other)
                    self._show(self.prover.of_row(now, row, was.rows[row]))

    # steps

    def _value(self, old: Any, new: Any, scope: Scope) -> Any:
        """A field of a step, or a whole step, with what is equal in the old one; `old` is None if there is none."""
        if isinstance(new, m.Step):
            return self._step(old, new, scope)
        if isinstance(new, Sight):
            return self._sight(old, new, scope)
        if isinstance(new, _EXPRESSIONS):
            return new if old is None else self._expression(old, new, scope)
        if isinstance(new, tuple) and any(isinstance(one, (m.Step, tuple, *_EXPRESSIONS)) for one in new):
            parts = tuple(self._value(was, now, scope) for was, now in _side_by_side(old, new))
            return new if all(a is b for a, b in zip(parts, new, strict=True)) else parts
        return new

    def _sight(self, old: Any, new: Sight, scope: Scope) -> Sight:
        if not isinstance(old, Sight):
            return new
        ways = (self._viewers(old.viewers, new.viewers, scope), self._viewers(old.otherwise, new.otherwise, scope))
        found = Sight(*ways, self._value(old.condition, new.condition, scope))
        return new if found == new else found

    def _viewers(self, old: Viewers, new: Viewers, scope: Scope) -> Viewers:
        inner = {**scope, old.viewer: t.Local(PLAYER, new.viewer)}
        return replace(new, where=self._value(old.where, new.where, inner))

    def _step(self, old: Any, new: m.Step, scope: Scope) -> m.Step:
        outer = self.part
        if new.rule:
            # A rule is compared with itself, wherever the old version has it.
            old, self.part = self.rules.get(new.rule), ("rule", new.rule)
        old = old if type(old) is type(new) else None
        inner = _bound(old, new, scope) if old is not None else scope
        changed: dict[str, Any] = {}
        for name, now in m.own_fields(new):
            was = getattr(old, name, None)
            was = _in_order(was, now) if isinstance(new, m.Run) and name == "arguments" else was
            value = now if name in _WRITTEN_TO else self._value(was, now, inner)
            changed |= {name: value} if value is not now else {}
        self.part = outer
        return replace(new, **changed) if changed else new

    # expressions

    def _expression(self, old: Any, new: Any, scope: Scope) -> Any:
        try:
            moved = self.translate(old, scope)
        except Untranslatable:
            return new
        left = self.prover.settled(moved, new)
        if key(left) == key(moved):
            return left
        if isinstance(new, t.Typed) and new.type.kind in ("int", "bool", "enum"):
            self._show(self.prover.example(moved, left))
        return left

    def _show(self, example: Example | None) -> None:
        known = self.examples.setdefault(self.part, [])
        if example is not None and example not in known and len(known) < MOST_EXAMPLES:
            known.append(example)


def _bound(old: m.Step, new: m.Step, scope: Scope) -> Scope:
    """The scope with the variables that a step binds in both versions."""
    pairs = zip(old.binds(), new.binds(), strict=False)
    return {**scope, **{was: t.Local(type_, now) for (was, _), (now, type_) in pairs}}


def _side_by_side(old: Any, new: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """Each item of the new version with the one at its place in the old one: counted from the start, then the end."""
    was = old if isinstance(old, tuple) else ()
    if len(was) == len(new):
        yield from zip(was, new, strict=True)
        return
    start = sum(1 for _ in takewhile(lambda pair: _kind(pair[0]) == _kind(pair[1]), zip(was, new, strict=False)))
    for at, item in enumerate(new):
        back = len(was) - len(new) + at
        yield (was[at] if at < start else was[back] if start <= back < len(was) else None), item


def _in_order(was: Any, now: tuple[tuple[str, Any], ...]) -> Any:
    """The arguments of a procedure in the order of the new version."""
    known = dict(was or ())
    return tuple((name, known.get(name)) for name, _ in now)


def _kind(item: Any) -> Any:
    return (type(item), item.rule) if isinstance(item, m.Step) else type(item)


MOST_WAYS = 200_000
"""Contents tried for both versions of a claim, for one condition, at most: about two seconds."""


def compared(spec: Spec, claim: Claim, given: t.TExpr, holds: t.TExpr) -> Example | str | None:
    """A position in which a condition holds in one version of a claim only; None if there is none.

    `claim` is the new version, `given` and `holds` are the conditions of the old one. A text says why it is not known.
    """
    for was, now in ((given, claim.given), (holds, claim.holds)):
        for before, after, truth in ((was, now, True), (now, was, False)):
            found = _counterexample(spec, replace(claim, given=before, holds=after), truth)
            if found is not None:
                return found
    return None


def _counterexample(spec: Spec, differs: Claim, truth: bool) -> Example | str | None:
    among = claims.settings(spec, differs)
    particular = any(True for _ in claims.general(replace(spec, claims=(differs,))))
    if among is None or particular or len(among) * claims.number_of_ways(spec, differs) > MOST_WAYS:
        return "not proved"
    for setting in among:
        found = counterexample(setting, differs)
        if found is not None:
            return Example(tuple(_when(setting, differs, found)), *_truths(truth))
    return None


def _truths(before: bool) -> tuple[Phrase, Phrase]:
    truth, untruth = Phrase("true"), Phrase("false")
    return (truth, untruth) if before else (untruth, truth)


def _when(setting: Setting, claim: Claim, contents: dict[int, int]) -> Iterator[Phrase]:
    """The position: the number of players if it matters, and the content of the value."""
    spec, value = setting.spec, setting.spec.values[claim.over]
    say = Wording(spec, [setting])
    if claims.by_players(spec, claim):
        yield Phrase("with_players", (number(setting.players),))
    for member, content in contents.items():
        cell = t.Value(value.type, value.name, (t.Const(value.per[0].type, member),))
        yield say(t.Op(BOOL, "==", (cell, t.Const(value.type, content))))
