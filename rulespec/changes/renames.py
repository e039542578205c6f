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
        return replace(phrase, parts=parts, name=self._plain(phrase.name), kind=self._plain(phrase.kind))

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
        of_ruling = ("ruling", enum) in self.names
        return self._known.get(enum, enum) + dot + member if of_ruling or ("enum", enum) in self.names else name

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
    """Members of an enum, and answers to a ruling, with another name at the same place, if there are as many."""
    for kind, section, attribute in (("enum", "enums", "members"), ("ruling", "rulings", "options")):
        for name, declared in getattr(old, section).items():
            other = known.of((kind, name))[1]
            was, now = getattr(declared, attribute), getattr(getattr(new, section).get(other), attribute, ())
            if len(was) == len(now):
                yield from _replaced(name, was, other, now, known)


def _replaced(
    name: str, was: tuple[str, ...], other: str, now: tuple[str, ...], known: Renames
) -> Iterator[tuple[Name, str]]:
    for one, another in zip(was, now, strict=True):
        key = ("member", f"{name}.{one}")
        if one != another and one not in now and another not in was and key not in known.names:
            yield key, f"{other}.{another}"
