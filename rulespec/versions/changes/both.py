"""Both versions of a spec: their parts, the names that became others, and which parts differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.model.spec import Spec, Table
from rulespec.proofs.meaning.canonical import Form, Name, Part, Parts, is_note, is_step, without_rules
from rulespec.proofs.meaning.differences import normal_form
from rulespec.proofs.meaning.digest import parts_of
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
            self._users[name, new] = tuple(rules if new else (self.names.of(("rule", each))[1] for each in rules))
        return self._users[name, new]

    @cached_property
    def _users(self) -> dict[tuple[Name, bool], tuple[str, ...]]:
        return {}


def _sorted(form: Form) -> list[str]:
    return sorted(map(repr, form)) if isinstance(form, list) else [repr(form)]


def in_any_order(form: Form) -> Form:
    """A form in which the steps of each sequence are sorted, so that only their order is lost."""
    if not isinstance(form, list):
        return form
    inner = [in_any_order(item) for item in form]
    return sorted(inner, key=repr) if all(map(is_step, inner)) else inner


def written(source: Source, span: Span) -> str:
    """The value at a span in one line, without comments; a key with its value."""
    found = _at(source).get(span)
    if isinstance(found, tuple):
        return _entry(*found)
    return _inline(found) if found is not None else " ".join(source.text[span.start : span.end].split())


@dataclass(frozen=True)
class Piece:
    """A part of a declaration that one version has, in one line, and its place."""

    text: str
    span: Span


def differing(old: Source, was: Span, new: Source, now: Span) -> tuple[list[Piece], list[Piece]]:
    """The smallest parts in which the values at two spans differ, before and after."""
    before, after = _at(old).get(was), _at(new).get(now)
    if before is None or after is None or isinstance(before, tuple) or isinstance(after, tuple):
        return [Piece(written(old, was), was)], [Piece(written(new, now), now)]
    found = list(_in_values(before, after))
    return [one for one, _ in found if one is not None], [other for _, other in found if other is not None]


_Pair = tuple[Piece | None, Piece | None]


def _differing(before: Node, after: Node, key: str = "") -> Iterator[_Pair]:
    """The parts that differ. Rules inside have changes of their own."""
    same_rule = _id(before) is not None and _id(before) == _id(after)
    if not same_rule and _inline(before) != _inline(after):
        yield from _in_values(before, after, key)


def _id(node: Node) -> str | None:
    id_ = node.get("id") if isinstance(node, MapNode) else None
    return id_.text if isinstance(id_, Scalar) else None


def _in_values(before: Node, after: Node, key: str = "") -> Iterator[_Pair]:
    if isinstance(before, MapNode) and isinstance(after, MapNode):
        yield from _in_mappings(before, after)
    elif isinstance(before, Sequence) and isinstance(after, Sequence):
        yield from _in_lists(before, after)
    else:
        yield _piece(before, key), _piece(after, key)


def _in_mappings(before: MapNode, after: MapNode) -> Iterator[_Pair]:
    was, now = ({key.text: value for key, value in node.entries} for node in (before, after))
    for key in dict.fromkeys((*was, *now)):
        if key in was and key in now:
            yield from _differing(was[key], now[key], key)
        else:
            yield _piece(was.get(key), key), _piece(now.get(key), key)


def _in_lists(before: Sequence, after: Sequence) -> Iterator[_Pair]:
    was, now = ([_inline(one) for one in node.items] for node in (before, after))
    if sorted(was) == sorted(now) and not any(map(_id, before.items)):
        yield from _moved(before, after, [one != other for one, other in zip(was, now, strict=True)])
        return
    # Without `autojunk`, which ignores frequent items in lists of 200 or more.
    for same, i, j, k, m in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if same == "replace" and j - i == m - k:
            for one, other in zip(before.items[i:j], after.items[k:m], strict=True):
                yield from _differing(one, other)
        elif same != "equal":
            yield from ((_piece(one), None) for one in before.items[i:j])
            yield from ((None, _piece(one)) for one in after.items[k:m])


def _moved(before: Sequence, after: Sequence, differ: list[bool]) -> Iterator[_Pair]:
    """The items of lists in another order, from the first place that differs to the last."""
    start, end = differ.index(True), len(differ) - differ[::-1].index(True)
    for one, other in zip(before.items[start:end], after.items[start:end], strict=True):
        yield _piece(one), _piece(other)


def _piece(node: Node | None, key: str = "") -> Piece | None:
    if node is None:
        return None
    return Piece(f"{key}: {_inline(node)}" if key else _inline(node), node.span)


def _inline(node: Node) -> str:
    if isinstance(node, Sequence):
        return f"[{', '.join(map(_inline, node.items))}]"
    if isinstance(node, MapNode):
        return f"{{{', '.join(_entry(key, value) for key, value in node.entries)}}}"
    return " ".join(node.source.text[node.span.start : node.span.end].split())


def _entry(key: Scalar, value: Node) -> str:
    return f"{_inline(key)}: {_inline(value)}"


@lru_cache(maxsize=4)
def _at(source: Source) -> Mapping[Span, Node | tuple[Scalar, Node]]:
    """The node at every span; at the span of a key the key with its value."""
    root, _ = parse(source)
    found: dict[Span, Node | tuple[Scalar, Node]] = {}
    waiting: list[Node] = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        found[node.span] = node
        if isinstance(node, MapNode):
            found |= {key.span: (key, value) for key, value in node.entries}
            waiting += [value for _, value in node.entries]
        elif isinstance(node, Sequence):
            waiting += node.items
    return found
