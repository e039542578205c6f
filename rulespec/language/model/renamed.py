"""Reads `renamed:`, the names that earlier versions had, and translates from them to the present names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.base.messages import say
from rulespec.base.project import version_numbers
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import entries
from rulespec.language.model.reader import Reader
from rulespec.language.model.spec import Rename, Spec

Name = tuple[str, str]
"""A kind and a name. Members of enums and answers to rulings have the kind `member` and stand behind their owner."""

OF_MEMBERS = ("member", "answer")
NOUNS = {
    "enum": say("enum"),
    "member": say("member"),
    "answer": say("answer"),
    "field": say("field"),
    "table": say("table"),
    "zone": say("zone"),
    "value": say("value"),
    "ruling": say("ruling"),
    "rule": say("rule"),
    "procedure": say("procedure"),
}
"""The kinds of names whose former names a spec can list, and what each is called."""
KINDS = tuple(NOUNS)

_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*")


def read(reader: Reader, spec: Spec, node: Node | None) -> tuple[Rename, ...]:
    """The renames that a spec lists. A present name that is not declared is a finding."""
    declared = {kind: tuple(names_of(spec, kind)) for kind in KINDS}
    return tuple(_rows(reader, declared, node))


def _rows(reader: Reader, declared: Mapping[str, tuple[str, ...]], node: Node | None) -> Iterator[Rename]:
    for version, kinds in _entries(node):
        for kind, names in _entries(kinds):
            known = declared.get(kind.text, ())
            for old, new in _entries(names):
                if not isinstance(new, Scalar):
                    continue  # the schema has reported it
                if new.text not in known:
                    message = say(
                        "`{old}` was renamed to `{new}`, but there is no {kind} `{new}`.",
                        old=old.text,
                        new=new.text,
                        kind=NOUNS[kind.text],
                    )
                    hint = suggest(new.text, known) or say("Write its present name, or delete this entry.")
                    reader.report("unknown-name", message, new, hint)
                yield Rename(version.text, kind.text, old.text, new.text)


def _entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    return entries(node) if isinstance(node, MapNode) else iter(())


def names_of(spec: Spec, kind: str) -> Iterable[str]:
    """The declared names of a kind. Members and answers stand behind their owner: `office.military`."""
    if kind == "field":
        return spec.deck.declared
    if kind == "member":
        return (f"{name}.{member}" for name, enum in spec.enums.items() for member in enum.members)
    if kind == "answer":
        return (f"{name}.{option}" for name, ruling in spec.rulings.items() for option in ruling.options)
    section: Mapping[str, object] = getattr(spec, f"{kind}s")
    return section


@dataclass(frozen=True)
class NewNames:
    """The present names of an older version, by kind and old name."""

    names: Mapping[Name, str] = field(default_factory=dict)

    def answer(self, ruling: str, option: str) -> tuple[str, str]:
        """A ruling and one of its answers."""
        name = self.names.get(("ruling", ruling), ruling)
        return name, self.names.get(("member", f"{ruling}.{option}"), f".{option}").partition(".")[2]

    def says(self, old: str, new: str) -> bool:
        """Whether a text as it is written says the same in both versions: their words are the same, or names that
        became the others. Such a text does not show which kind of name stands where."""
        if old == new or not self.names:
            return old == new
        rest = _IDENTIFIER.sub("", old) == _IDENTIFIER.sub("", new)
        words, others = _IDENTIFIER.findall(old), _IDENTIFIER.findall(new)
        return rest and len(words) == len(others) and all(map(self._became, words, others))

    def _became(self, word: str, other: str) -> bool:
        """Whether a word, with or without what it belongs to, can stand for another one now."""
        if word == other or other in self._words.get(word, ()):
            return True
        parts, others = word.split("."), other.split(".")
        same = (a == b or b in self._words.get(a, ()) for a, b in zip(parts, others, strict=False))
        return len(parts) == len(others) > 1 and all(same)

    @cached_property
    def _words(self) -> Mapping[str, set[str]]:
        """What each word of a text may have become; members may stand without their enum."""
        found: dict[str, set[str]] = {}
        for (kind, name), new in self.names.items():
            found.setdefault(name, set()).add(new)
            if kind == "member":
                found.setdefault(name.partition(".")[2], set()).add(new.partition(".")[2])
        return found


NO_NEW_NAMES = NewNames()


def renamed_since(spec: Spec, version: str, digest: str = "") -> NewNames:
    """The names that have changed since a version of a spec; none since the version that has this digest itself.

    Of two entries for one name the one of the older version holds.
    """
    wanted = version_numbers(version)
    if not wanted or digest == spec.digest:
        return NO_NEW_NAMES
    found: dict[Name, str] = {}
    for one in sorted(spec.renamed, key=lambda one: version_numbers(one.version)):
        if version_numbers(one.version) >= wanted:
            found.setdefault(("member" if one.kind in OF_MEMBERS else one.kind, one.old), one.new)
    return NewNames(found)
