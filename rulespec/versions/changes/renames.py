"""Names that became others: declarations and members with the same content under another name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.language.model.renamed import OF_MEMBERS, NewNames, names_of, renamed_since
from rulespec.language.model.spec import Rule, Spec, StoredValue, Zone
from rulespec.proofs.meaning.canonical import Form, Name, Parts

_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*")


@dataclass(frozen=True)
class Renames(NewNames):
    """The new names of an old version, and what its forms, phrases and texts are with them."""

    def of(self, name: Name) -> Name:
        """A name of the old version in the new one."""
        return name[0], self.names.get(name) or (self._table(name[1]) if name[0] == "table" else name[1])

    def _table(self, name: str) -> str:
        """The new name of a table: those of attributes and boards begin with, or contain, names of enums."""
        head, bracket, enums = name.partition("(")
        if not bracket:
            return self._plain(name)
        # Called as a board, an enum of directions or a coordinate; others as what they hold, such as `near`.
        said, named = ("on ", head[3:]) if head.startswith("on ") else ("", head)
        named = self._plain(named) if ("enum", named.partition(".")[0]) in self.names else named
        return said + named + bracket + self.text(enums)

    def form(self, form: Form) -> Form:
        """A form of the old version with the names of the new one."""
        if isinstance(form, list):
            named = _NAMED_AT.get(form[0]) if form and isinstance(form[0], str) and len(form) > 1 else None
            inner = [self.form(item) for item in form]
            if named is not None and isinstance(name := form[named[0]], str):
                inner[named[0]] = next((new for kind in named[1] if (new := self.names.get((kind, name)))), name)
            return inner
        return self.text(form) if isinstance(form, str) else form

    def part(self, name: Name, form: Form) -> Form:
        """The form of a part of the old version; enums and rulings list their members without their name."""
        if name[0] == "ruling" and isinstance(form, list):
            return [self._plain(f"{name[1]}.{option}").partition(".")[2] for option in form]
        if name[0] == "enum" and isinstance(form, list) and form and isinstance(form[0], list):
            members = [self._plain(f"{name[1]}.{member}").partition(".")[2] for member in form[0]]
            return [list[Form](members), *map(self.form, form[1:])]
        return self.form(form)

    def text(self, text: str) -> str:
        """A text of names with the names of the new version."""
        return _IDENTIFIER.sub(lambda match: self._plain(match[0]), text) if self.names else text

    def phrase(self, phrase: Phrase) -> Phrase:
        if not self.names:
            return phrase
        parts = tuple(map(self.phrase, phrase.parts))
        own = phrase.constructor if phrase.constructor in ("field", "procedure") else ""
        name = self.of((own, phrase.name))[1] if own else self._plain(phrase.name)
        return replace(phrase, parts=parts, name=name, kind=self._plain(phrase.kind))

    def proposition(self, one: Proposition) -> Proposition:
        """A proposition of the old version with the names of the new one."""
        if not self.names:
            return one
        conditions, within = (tuple(map(self.phrase, some)) for some in (one.conditions, one.within))
        rule = self.of(("rule", one.rule))[1]
        ruling = one.ruling and self._answer(*one.ruling)
        return replace(one, rule=rule, act=self.phrase(one.act), conditions=conditions, within=within, ruling=ruling)

    def _answer(self, ruling: str, option: str) -> tuple[str, str]:
        """An answer of the old version in the names of the new one."""
        name, _, answer = self._plain(f"{ruling}.{option}").partition(".")
        return name, answer

    def all_say(self, old: Iterable[str], new: Iterable[str]) -> bool:
        """Whether texts say the same in both versions, in any order."""
        left = list(new)
        for text in old:
            found = next((other for other in left if self.says(text, other)), None)
            if found is None:
                return False
            left.remove(found)
        return not left

    def _plain(self, name: str) -> str:
        if name in self._known:
            return self._known[name]
        enum, dot, member = name.partition(".")
        if enum == "card":  # the values of a field by card and member
            return enum + dot + self.names.get(("field", member), member)
        of_ruling = ("ruling", enum) in self.names
        return self._known.get(enum, enum) + dot + member if of_ruling or ("enum", enum) in self.names else name

    @cached_property
    def _known(self) -> Mapping[str, str]:
        """The names that share one space. Those of fields, rules and procedures may be the same as one of them."""
        return {name: new for (kind, name), new in self.names.items() if kind not in _OTHER_SPACES}


_OTHER_SPACES = ("field", "rule", "procedure")
_NAMED_AT: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "rule": (1, ("rule",)),
    "Run": (1, ("rule", "procedure")),
    "MemberEffect": (1, ("procedure",)),
    "CardField": (2, ("field",)),
    "Leave": (2, ("rule",)),
}
"""The heads of forms with a name of another space: its place, and the kinds that it may be of."""


def renames(old: Spec, new: Spec, before: Parts, after: Parts) -> Renames:
    """The names that became others: those that the new version lists, and those that stand for the same content now.

    They are searched until none is found, because content has names.
    """
    found = dict(_listed(old, new, before, after))
    while more := dict(_more(old, new, before, after, Renames(found))):
        found |= more
    return Renames(found)


def _listed(old: Spec, new: Spec, before: Parts, after: Parts) -> Iterator[tuple[Name, str]]:
    """The names that the new version lists as renamed, and that each version has under its own name only."""
    was, now = ({*parts.of, *_member_names(spec)} for parts, spec in ((before, old), (after, new)))
    for (kind, name), other in renamed_since(new, old.version, old.digest).names.items():
        if (kind, name) in was and (kind, other) in now and (kind, name) not in now and (kind, other) not in was:
            yield (kind, name), other


def _member_names(spec: Spec) -> Iterator[Name]:
    return (("member", name) for kind in OF_MEMBERS for name in names_of(spec, kind))


def _more(old: Spec, new: Spec, before: Parts, after: Parts, known: Renames) -> Iterator[tuple[Name, str]]:
    gone = [name for name in before.of if known.of(name) not in after.of]
    taken = {known.of(name) for name in before.of}
    added = [name for name in after.of if name not in taken]
    for name in gone:
        same = [one for one in added if one[0] == name[0] and _alike(name, one, old, new, before, after, known)]
        if len(same) == 1 or (same and _titles(name, old) & _titles(same[0], new)):
            added.remove(same[0])
            yield name, same[0][1]
    # Members of an enum, and answers to a ruling, with another name at the same place, if there are as many.
    for kind, section, attribute in (("enum", "enums", "members"), ("ruling", "rulings", "options")):
        for name, declared in getattr(old, section).items():
            other = known.of((kind, name))[1]
            was, now = getattr(declared, attribute), getattr(getattr(new, section).get(other), attribute, ())
            if len(was) == len(now):
                yield from _replaced(name, was, other, now, known)


def _alike(name: Name, other: Name, old: Spec, new: Spec, before: Parts, after: Parts, known: Renames) -> bool:
    """Whether a name that is gone and a new one stand for the same."""
    form = Renames({**known.names, name: other[1]}).part(name, before.of[name].form)
    if form != after.of[other].form:
        return False
    if name[0] == "field":
        return _column(old, name[1], known) == _column(new, other[1], Renames())
    return bool(form) or bool(_titles(name, old) & _titles(other, new))


def _titles(name: Name, spec: Spec) -> set[str]:
    sections: Mapping[str, Mapping[str, Rule | Zone | StoredValue]]
    sections = {"rule": spec.rules, "zone": spec.zones, "value": spec.values}
    declared = sections.get(name[0], {}).get(name[1])
    return {declared.title} - {""} if declared is not None else set()


def _column(spec: Spec, field_: str, names: Renames) -> list[tuple[str, ...]]:
    type_, columns = spec.deck.declared[field_], [*map(spec.deck.column, spec.deck.columns_of(field_))]
    say: Callable[[int], str] = lambda value: names.text(f"{type_.name}.{spec.member(type_, value)}")  # noqa: E731
    return sorted(tuple("" if card[at] < 0 else say(card[at]) for at in columns) for card in spec.deck.cards)


def _replaced(
    name: str, was: tuple[str, ...], other: str, now: tuple[str, ...], known: Renames
) -> Iterator[tuple[Name, str]]:
    for one, another in zip(was, now, strict=True):
        key = ("member", f"{name}.{one}")
        if one != another and one not in now and another not in was and key not in known.names:
            yield key, f"{other}.{another}"
