"""The manifest of a spec updated from a list of cards, in its text: rows that stay keep their layout and comments.

A row of the manifest stands for groups of equal cards. A group whose number changes changes its row; a group that is
gone gives its place to the most similar one that is new; what is left of the new ones is added at the end. The text
is read again before it is returned: it has the cards wanted, and everything else in it is as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, at, plain
from rulespec.language.document.nodes import Sequence as ListNode
from rulespec.language.document.patches import Patch, end_of_line, is_flow, line_break, patched
from rulespec.language.model import spec as m
from rulespec.language.model.build import build
from rulespec.language.model.manifest import MOST_CARDS
from rulespec.language.model.types import NONE, Type

__all__ = ["Group", "Numbers", "WithErrors", "groups_of", "in_ranges", "silent", "updated", "words_of"]

MOST_DIFFERENT = 2
"""Contents in which a group may differ from the one that it takes the place of."""


@dataclass(frozen=True)
class Group:
    """Equal cards: the content of each field as a spec writes it ("" if absent), their status and their sources."""

    values: tuple[str, ...]
    status: str = "printed"
    sources: tuple[str, ...] = ()

    def differs(self, other: Group) -> int:
        """In how many contents two groups differ."""
        mine, theirs = ((*one.values, one.status, one.sources) for one in (self, other))
        return sum(here != there for here, there in zip(mine, theirs, strict=True))


class WithErrors(ValueError):
    """Raised for cards with which the spec has errors, so that it cannot be read again; `after` is its text."""

    def __init__(self, after: Source) -> None:
        super().__init__(say("The spec has errors with these cards."))
        self.after = after


Numbers = dict[Group, int]
"""How many cards of each group there are, in order."""


def groups_of(spec: m.Spec, row: m.ManifestRow, kept: Collection[int] | None = None) -> Numbers:
    """The groups that a row of the manifest stands for, of all its cards or of those that are kept."""
    cards = Counter(spec.deck.cards[card] for card in row.cards if kept is None or card in kept)
    types = spec.deck.fields.values()
    return {
        Group(tuple(_word(spec, type_, value) for type_, value in zip(types, card, strict=True)), *_origin(row)): number
        for card, number in cards.items()
    }


def _origin(row: m.ManifestRow) -> tuple[str, tuple[str, ...]]:
    return row.status, row.sources


def _word(spec: m.Spec, type_: Type, value: int) -> str:
    if value == NONE:
        return ""
    if type_.kind == "bool":
        return "true" if value else "false"
    return str(value) if type_.kind == "int" else spec.member(type_, value)


def updated(spec: m.Spec, wanted: Mapping[Group, int], unsaid: Collection[str] = ()) -> Source:
    """The spec with these cards. `unsaid` is what their list says nothing of, of `status` and `sources`: each row
    keeps its own. Raises WithErrors if the spec has errors with the cards, and ValueError if it cannot be changed."""
    plans = [_Plan(row, groups_of(spec, row)) for row in spec.deck.rows]
    # The numbers of the groups that there are; `new` has those of the others.
    have = Counter[Group]()
    for plan in plans:
        for group, number in plan.before.items():
            have[silent(group, unsaid)] += number
    more = {group: wanted.get(group, 0) - number for group, number in have.items()}
    for plan in plans:
        for group, number in plan.before.items():
            known = silent(group, unsaid)
            plan.after[group] = max(0, number + more[known])
            more[known] += number - plan.after[group]
    new = {group: number for group, number in wanted.items() if group not in have}
    # The most similar new group, if it is similar enough, takes the place of one that is gone.
    for each in plans:
        for gone in [group for group, number in each.after.items() if not number and each.before[group]]:
            taking = {silent(group, unsaid, gone): group for group in new}
            closest = min(taking, key=gone.differs, default=None)
            if closest is not None and gone.differs(closest) <= MOST_DIFFERENT:
                each.after = {closest if one == gone else one: number for one, number in each.after.items()}
                each.after[closest] = new.pop(taking[closest])
    text = _Text(spec)
    for number, plan in enumerate(plans):
        text.change(plan, new if number == len(plans) - 1 else {})
    after = Source(spec.source.path, text.patched())
    planned = Counter(new)
    for plan in plans:
        planned.update(plan.left)
    _prove(spec, after, planned)
    return after


def _prove(spec: m.Spec, after: Source, wanted: Mapping[Group, int]) -> None:
    """Reads a changed spec again: it must have exactly the cards wanted, and everything else as before."""
    root, _ = parse(after)
    if root is not None and _beside_rows(root) == _beside_rows(parse(spec.source)[0]):
        made, _ = build(root, after)
        if made is None:
            raise WithErrors(after)
        found = Counter[Group]()
        for row in made.deck.rows:
            found.update(groups_of(made, row))
        if found == wanted:
            return
    message = say("The manifest is written in a way that cannot be changed without changing something else.")
    raise ValueError(message)


def _beside_rows(root: Node | None) -> Any:
    """Everything in a spec but the rows of its manifest."""
    content = plain(root) if root is not None else {}
    return content | {"cards": {key: value for key, value in content["cards"].items() if key != "manifest"}}


def silent(group: Group, unsaid: Collection[str], like: Group | None = None) -> Group:
    """A group with the status and the sources of another where its list does not say them; by default, of none."""
    return replace(group, **{name: getattr(like or Group(()), name) for name in unsaid})


@dataclass
class _Plan:
    """A row with its groups now, and as they are to be."""

    row: m.ManifestRow
    before: Numbers
    after: Numbers = field(default_factory=dict)

    @property
    def left(self) -> Numbers:
        return {group: number for group, number in self.after.items() if number}


def _merged(groups: Numbers, sets: Sequence[bool]) -> list[tuple[Group, int]]:
    """Groups in a row with the same number and all contents but one: as one, with a list of these contents."""
    rows: list[tuple[Group, int]] = []
    for group, number in groups.items():
        last, same = rows[-1] if rows else (group, 0)
        others = [at for at, (here, there) in enumerate(zip(last.values, group.values, strict=True)) if here != there]
        if same == number and len(others) == 1 and not sets[others[0]] and _may_join(last, group, others[0]):
            rows[-1] = replace(last, values=_joined(last.values, group.values, others[0])), number
        else:
            rows.append((group, number))
    return rows


def _may_join(last: Group, group: Group, at: int) -> bool:
    origin = last.status == group.status and last.sources == group.sources
    listed = any(word.startswith("[") for place, word in enumerate(last.values) if place != at)
    return origin and not listed and bool(last.values[at]) and bool(group.values[at])


def _joined(listed: tuple[str, ...], values: tuple[str, ...], at: int) -> tuple[str, ...]:
    words = f"[{listed[at].strip('[]')}, {values[at]}]"
    return (*listed[:at], words, *listed[at + 1 :])


def in_ranges(spec: m.Spec, type_: Type, words: Sequence[str], shortest: int) -> Iterator[str]:
    """Contents with a range for as many in order as are enough for one."""
    order = [_order(spec, type_, word) for word in words]
    start = 0
    for end in range(1, len(words) + 1):
        if end == len(words) or order[end] != order[end - 1] + 1:
            if end - start >= shortest:
                yield f"{words[start]}..{words[end - 1]}"
            else:
                yield from words[start:end]
            start = end


def _order(spec: m.Spec, type_: Type, word: str) -> int:
    if type_.kind == "bool":
        return 2 * (word == "true")  # no range
    if type_.kind == "int":
        return int(word) if INTEGER.fullmatch(word) else _UNKNOWN
    members = spec.enums[type_.name].members
    return members.index(word) if word in members else _UNKNOWN


def words_of(spec: m.Spec, type_: Type, values: object) -> list[str]:
    """The contents that a value, a range, the name of an enum, or a list of these stands for. What has no meaning stays
    as it is written."""
    if isinstance(values, list):
        return [word for one in values for word in words_of(spec, type_, one)]
    if isinstance(values, bool) or type_.kind == "bool":
        return [str(values).lower()]
    members = spec.enums[type_.name].members if type_.kind == "enum" else ()
    if values == type_.name and values not in members:
        return [*members]
    first, dots, last = str(values).partition("..")
    last = last if dots else first
    if {first, last} <= {*members}:
        return [*members[members.index(first) : members.index(last) + 1]]
    if type_.kind == "int" and all(INTEGER.fullmatch(end) for end in (first, last)):
        # A billion numbers are no cards: one more than there may be is enough to be refused.
        return [*map(str, range(int(first), int(last) + 1)[: MOST_CARDS + 1])]
    return [str(values)]


INTEGER = re.compile(r"-?[0-9]{1,15}")
_UNKNOWN = -(1 << 62)
"""The place in their order of all contents that have none: no two are next to each other."""
_GAP = r"(?:\s|#[^\r\n]*)*"
_COMMA, _DASH = re.compile(_GAP + ","), re.compile(_GAP + "-")
"""From the end of a row to the sign between it and the next one, past comments."""


class _Text:
    """The text of a spec with the changes of its rows."""

    def __init__(self, spec: m.Spec) -> None:
        self._spec, self._source = spec, spec.source
        self._sets = {name for name, type_ in spec.deck.fields.items() if type_.kind == "set"}
        root, _ = parse(spec.source)
        manifest = at(root, ["cards", "manifest"]) if root is not None else None
        assert isinstance(manifest, ListNode)
        self._start = manifest.span.start
        self._nodes = {item.span: item for item in manifest.items if isinstance(item, MapNode)}
        self._in_brackets = is_flow(spec.source, manifest)
        self._kept: MapNode | None = None
        self._patches: list[Patch] = []
        self._line_end = line_break(spec.source)

    def change(self, plan: _Plan, new: Numbers) -> None:
        """Changes a row, and adds new rows behind it. Rows are changed from first to last."""
        node, empty = self._nodes[plan.row.span], MapNode(plan.row.span, (), self._source)
        added = [self._written(empty, group, number) for group, number in new.items()]
        if plan.after != plan.before:
            added = [*self._changed(node, plan), *added]
            if (added and not plan.left) or len(added) > len(new):
                self._patch(node.span.start, node.span.end, added.pop(0))
            elif not plan.left:
                text, start, end = self._source.text, node.span.start, node.span.end
                if self._in_brackets:
                    return self._delete_in_brackets(start, end)
                first, last = (self._source.position(place).line for place in (self._dash(node), end))
                below = self._source.line_start(last + 1) if last < self._source.line_count else len(text)
                return self._patch(self._source.line_start(first), below, "")
        if self._in_brackets:
            self._patch(node.span.end, node.span.end, "".join(f", {row}" for row in added))
        else:
            indent = " " * (self._source.position(self._dash(node)).column - 1)
            self._add_lines(node.span.end, indent, [f"- {row}" for row in added])
        self._kept = node

    def _changed(self, node: MapNode, plan: _Plan) -> list[str]:
        """The rows that take the place of a changed one; none if it is gone, or changed where it is."""
        if plan.row.reads:
            raise ValueError(
                say("The copies of a row are read from `{table}`: change them there.", table=plan.row.reads)
            )
        left = plan.left
        if [*left] == [*plan.before] and len({*left.values()}) == 1 and len({*plan.before.values()}) == 1:
            rows: list[tuple[Group | None, int]] = [(None, next(iter(left.values())))]
        else:
            rows = [*_merged(left, [name in self._sets for name in tuple(self._spec.deck.fields)])]
        if len(rows) == 1 and self._edited(node, dict(self._contents(node, *rows[0]))):
            return []
        return [self._written(node, group, number) for group, number in rows]

    def _edited(self, node: MapNode, contents: dict[str, str]) -> bool:
        """Changes the contents of a row where they are written, so that its comments stay. False if some must go."""
        if node.get("copies") is not None:
            # A number that is written stays written, even where 1 could be left out.
            contents.setdefault("copies", "1")
        if not {key for key, _ in node.items()} <= {*contents}:
            return False
        for key, value in node.items():
            if contents[key] != self._same(value):
                self._patch(value.span.start, value.span.end, contents[key])
        more = [f"{key}: {written}" for key, written in contents.items() if node.get(key) is None]
        last = node.entries[-1][1].span.end
        if is_flow(self._source, node):
            self._patch(last, last, "".join(f", {entry}" for entry in more))
        else:
            self._add_lines(last, " " * (self._source.position(node.span.start).column - 1), more)
        return True

    def _add_lines(self, behind: int, indent: str, lines: Sequence[str]) -> None:
        """Adds lines below the one with an offset."""
        end = end_of_line(self._source, behind)
        self._patch(end, end, "".join(f"{self._line_end}{indent}{line}" for line in lines))

    def _dash(self, node: MapNode) -> int:
        """The offset of the dash of a row."""
        before = [span.end for span in self._nodes if span.end <= node.span.start]
        found = _DASH.match(self._source.text, max(before, default=self._start))
        return found.end() - 1 if found else node.span.start

    def _delete_in_brackets(self, start: int, end: int) -> None:
        """Deletes a row with its comma, or without one with the comma of the last row that stays."""
        text = self._source.text
        if comma := _COMMA.match(text, end):
            self._patch(start, end, "")
            space = text[comma.end() : comma.end() + 1] == " "
            self._patch(comma.end() - 1, comma.end() + space, "")
        elif self._kept is not None and (comma := _COMMA.match(text, self._kept.span.end)):
            together = text[comma.end() : start].isspace()
            self._patch(comma.end() - 1, start if together else comma.end(), "")
            self._patch(start, end, "")

    def _written(self, node: MapNode, group: Group | None, number: int) -> str:
        """A row: the contents of a group, or those of the node if it is None, with a number of copies."""
        contents = dict(self._contents(node, group, number))
        known = [key for key, _ in node.items()]
        order = [*(key for key in known if key in contents), *(key for key in contents if key not in known)]
        return "{" + ", ".join(f"{key}: {contents[key]}" for key in order) + "}"

    def _contents(self, node: MapNode, group: Group | None, number: int) -> Iterator[tuple[str, str]]:
        if group is None:
            yield from ((key, self._same(value)) for key, value in node.items() if key != "copies")
        else:
            # The fields of a group as a row writes them. What a node of the row says already stays as it is.
            words = dict(zip(self._spec.deck.fields, group.values, strict=True))
            for name, columns in self._spec.deck.together(tuple(words)):
                if name in self._spec.deck.per_member:
                    found = self._of_members(self._spec.deck.per_member[name], [words[column] for column in columns])
                    yield from ((name, self._still(node.get(name), written)) for name, written in found)
                elif words[name]:
                    yield name, self._content(name, words[name], node.get(name))
            if group.status != "printed" or node.get("status") is not None:
                yield "status", self._still(node.get("status"), group.status)
            if group.sources:
                yield "source", self._still(node.get("source"), f"[{', '.join(group.sources)}]")
        if number > 1:
            yield "copies", str(number)

    def _of_members(self, field: m.PerMember, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        """A field with a value for each member: a mapping of those that must be written."""
        members, plain = self._spec.enums[field.enum].members, ("0", "false") if field.unwritten == 0 else ()
        pairs = [(member, word) for member, word in zip(members, words, strict=True) if word and word not in plain]
        if pairs or not field.type.optional:
            yield field.name, f"{{{', '.join(f'{member}: {word}' for member, word in pairs)}}}"

    def _content(self, name: str, word: str, node: Node | None) -> str:
        """The contents of a field, one or a list. They are written as they are if they mean this, and with ranges for
        three numbers or more in order, or where the row has a range."""
        if name in self._sets:
            return self._still(node, f"[{', '.join(word.split())}]")
        words, type_ = word.strip("[]").split(", "), self._spec.deck.fields[name]
        written = self._same(node) if node is not None else ""
        if node is not None and words_of(self._spec, type_, plain(node)) == words:
            return written
        shortest = 2 if ".." in written else 3 if type_.kind == "int" else len(words) + 1
        parts = [*in_ranges(self._spec, type_, words, shortest)]
        return f"[{', '.join(parts)}]" if len(parts) > 1 else parts[0]

    def _still(self, node: Node | None, written: str) -> str:
        """What is written in a node if it means this, else this."""
        if node is None:
            return written
        value = plain(node)
        if isinstance(value, dict):
            means, _ = parse(Source("", written))
            return self._same(node) if means is not None and value == plain(means) else written
        words = value if isinstance(value, list) else [value]
        shown = ["true" if one is True else "false" if one is False else str(one) for one in words]
        same = shown == (written[1:-1].split(", ") if written.startswith("[") else [written])
        return self._same(node) if same else written

    def _same(self, node: Node) -> str:
        return self._source.text[node.span.start : node.span.end]

    def _patch(self, start: int, end: int, text: str) -> None:
        self._patches.append(Patch(Span(start, end), text))

    def patched(self) -> str:
        return patched(self._source.text, self._patches)
