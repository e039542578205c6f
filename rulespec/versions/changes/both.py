"""Both versions of a spec: their parts, the names that became others, and which parts differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulespec.language.model.spec import Spec, Table
from rulespec.proofs.meaning.canonical import Form, Name, Part, Parts, is_note, is_step, without_rules
from rulespec.proofs.meaning.digest import parts_of
from rulespec.proofs.meaning.normal import normal_form
from rulespec.versions.changes.renames import Renames, renames

OfKind = tuple[list[str], list[str], list[tuple[str, str]]]
"""Names that are gone, names that are new, and pairs of old and new names."""


def _named(parts: Mapping[Name, Part], kind: str) -> Iterator[str]:
    """The names of the parts of a kind. A table without a form is of a board, and is there only if it is used."""
    return (name for (of, name), part in parts.items() if of == kind and (part.form or kind != "table"))


@dataclass(frozen=True)
class Both:
    """Both versions, their parts, and the names that became others."""

    old: Spec
    new: Spec
    same: frozenset[str] = frozenset()
    """Invariants and claims that say the same in other words."""

    @cached_property
    def before(self) -> Parts:
        return parts_of(self.old)

    @cached_property
    def after(self) -> Parts:
        return parts_of(self.new)

    @cached_property
    def names(self) -> Renames:
        return renames(self.old, self.new, self.before, self.after)

    def of_kind(self, kind: str) -> OfKind:
        """The names of a kind that are gone, those that are new, and the pairs of names in both."""
        if kind not in self._kinds:
            self._kinds[kind] = self._of_kind(kind)
        return self._kinds[kind]

    @cached_property
    def _kinds(self) -> dict[str, OfKind]:
        return {}

    def _of_kind(self, kind: str) -> OfKind:
        was, now = ([*_named(of.of, kind)] for of in (self.before, self.after))
        pairs = [(name, self.names.of((kind, name))[1]) for name in was]
        kept = [(name, other) for name, other in pairs if other in now]
        there = {other for _, other in kept}
        return [n for n in was if self.names.of((kind, n))[1] not in now], [n for n in now if n not in there], kept

    def form(self, name: Name) -> Form:
        """The form of a part of the old version, in the names of the new one."""
        return self.names.part(name, self.before.of[name].form)

    def differ(self, kind: str, name: str, other: str) -> bool:
        was, now = self.form((kind, name)), self.after.of[kind, other].form
        if was == now or normal_form(was) == normal_form(now):
            return False
        return kind != "table" or self._tables_differ(self.old.tables[name], self.new.tables[other], was, now)

    def _tables_differ(self, old: Table, new: Table, was: Form, now: Form) -> bool:
        """Whether tables differ in a row. Their order is that of an enum; rows for numbers of players that only one
        version has follow from these numbers."""
        if not (old.by_players and new.by_players):
            return _sorted(was) != _sorted(now)
        shared = [n for n in self.old.players if n in self.new.players]
        return [old.rows[n,] for n in shared] != [new.rows[n,] for n in shared]

    @cached_property
    def children(self) -> tuple[frozenset[str], frozenset[str]]:
        """The rules that are gone and those that are new."""
        gone, added, _ = self.of_kind("rule")
        return frozenset(gone), frozenset(added)

    @cached_property
    def notes(self) -> frozenset[str]:
        """The rules without steps, which only players read, in the new version."""
        rules = (name for kind, name in self.after.of if kind == "rule")
        return frozenset(name for name in rules if is_note(self.after.of["rule", name]))

    def own(self, name: str, other: str) -> tuple[Form, Form]:
        """The forms of a rule in both versions without the rules in it that the other version does not have."""
        gone, added = self.children
        return without_rules(self.form(("rule", name)), gone), without_rules(self.after.of["rule", other].form, added)

    def users(self, name: Name, new: bool) -> tuple[str, ...]:
        """The rules that name a part, directly or through other parts, in the names of the new version.

        A ruling that decides who sees a zone does not concern the rules about this zone.
        """
        if (name, new) not in self._users:
            self._users[name, new] = self._using(name, new)
        return self._users[name, new]

    @cached_property
    def _users(self) -> dict[tuple[Name, bool], tuple[str, ...]]:
        return {}

    def _using(self, name: Name, new: bool) -> tuple[str, ...]:
        of = (self.after if new else self.before).of
        reached, waiting = {name}, [name]
        while waiting:
            one = waiting.pop()
            using = [each for each, part in of.items() if one in part.uses and each not in reached]
            more = [each for each in using if (one[0], each[0]) != ("ruling", "zone")]
            reached.update(more)
            # The search ends at rules: those that only contain such a rule are not concerned.
            waiting += [each for each in more if each[0] != "rule"]
        rules = [each for kind, each in of if kind == "rule" and (kind, each) in reached]
        return tuple(rules if new else (self.names.of(("rule", each))[1] for each in rules))


def _sorted(form: Form) -> list[str]:
    return sorted(map(repr, form)) if isinstance(form, list) else [repr(form)]


def in_any_order(form: Form) -> Form:
    """A form in which the steps of each sequence are sorted, so that only their order is lost."""
    if not isinstance(form, list):
        return form
    inner = [in_any_order(item) for item in form]
    return sorted(inner, key=repr) if all(map(is_step, inner)) else inner
