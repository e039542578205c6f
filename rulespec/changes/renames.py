"""Names that became others: declarations and members with the same content under another name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulespec.meaning import Phrase, Proposition
from rulespec.meaning.canonical import Form, Name, Parts
from rulespec.model.spec import Rule, Spec, StoredValue, Zone

_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*")


@dataclass(frozen=True)
class Renames:
    """The new names of an old version, by kind and old name; members of an enum have the kind `member`."""

    names: Mapping[Name, str] = field(default_factory=dict)

    def of(self, name: Name) -> Name:
        """A name of the old version in the new one."""
        return name[0], self.names.get(name, name[1])

    def form(self, form: Form) -> Form:
        """A form of the old version with the names of the new one."""
        if isinstance(form, list):
            return [self.form(item) for item in form]
        return self.text(form) if isinstance(form, str) else form

    def part(self, name: Name, form: Form) -> Form:
        """The form of a part of the old version; that of an enum lists its members without the enum."""
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
        return replace(phrase, parts=parts, name=self._plain(phrase.name), kind=self._plain(phrase.kind))

    def proposition(self, one: Proposition) -> Proposition:
        """A proposition of the old version with the names of the new one."""
        if not self.names:
            return one
        conditions, within = (tuple(map(self.phrase, some)) for some in (one.conditions, one.within))
        rule = self.of(("rule", one.rule))[1]
        return replace(one, rule=rule, act=self.phrase(one.act), conditions=conditions, within=within)

    def loose(self, text: str) -> str:
        """A text with the names of the new version, in which members may stand without their enum."""
        bare = {
            old.partition(".")[2]: new.partition(".")[2] for (kind, old), new in self.names.items() if kind == "member"
        }
        return _IDENTIFIER.sub(lambda match: bare.get(match[0], self._plain(match[0])), text)

    def _plain(self, name: str) -> str:
        if name in self._known:
            return self._known[name]
        enum, dot, member = name.partition(".")
        return self._known.get(enum, enum) + dot + member if ("enum", enum) in self.names else name

    @property
    def _known(self) -> Mapping[str, str]:
        return {name: new for (_, name), new in self.names.items()}


def renames(old: Spec, new: Spec, before: Parts, after: Parts) -> Renames:
    """The names that became others. They are searched until none is found: content has names."""
    found: dict[Name, str] = {}
    while more := dict(_more(old, new, before, after, Renames(found))):
        found |= more
    return Renames(found)


def _more(old: Spec, new: Spec, before: Parts, after: Parts, known: Renames) -> Iterator[tuple[Name, str]]:
    gone = [name for name in before.of if known.of(name) not in after.of]
    taken = {known.of(name) for name in before.of}
    added = [name for name in after.of if name not in taken]
    for name in gone:
        same = [one for one in added if one[0] == name[0] and _alike(name, one, old, new, before, after, known)]
        if len(same) == 1 or (same and _titles(name, old) & _titles(same[0], new)):
            added.remove(same[0])
            yield name, same[0][1]
    yield from _members(old, new, known)


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


def _column(spec: Spec, field_: str, names: Renames) -> list[str]:
    type_, at = spec.deck.fields[field_], spec.deck.column(field_)
    say: Callable[[int], str] = lambda value: names.text(f"{type_.name}.{spec.member(type_, value)}")  # noqa: E731
    return sorted("" if card[at] < 0 else say(card[at]) for card in spec.deck.cards)


def _members(old: Spec, new: Spec, known: Renames) -> Iterator[tuple[Name, str]]:
    """Members of an enum that has as many as before, with another name at the same place."""
    for name, enum in old.enums.items():
        other = new.enums.get(known.of(("enum", name))[1])
        if other is None or len(other.members) != len(enum.members):
            continue
        for was, now in zip(enum.members, other.members, strict=True):
            if was != now and was not in other.members and now not in enum.members:
                key = ("member", f"{name}.{was}")
                if key not in known.names:
                    yield key, f"{other.name}.{now}"
