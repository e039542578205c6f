"""The manifest of a spec updated from a list of cards, in its text: rows that stay keep their layout and comments.

A row of the manifest stands for groups of equal cards. A group whose number changes changes its row; a group that is
gone gives its place to the most similar one that is new; what is left of the new ones is added at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulespec.document import Mapping as MapNode
from rulespec.document import Node, at, parse, plain
from rulespec.document import Sequence as ListNode
from rulespec.messages import say
from rulespec.model import spec as m
from rulespec.model.types import NONE, Type
from rulespec.source import Source

__all__ = ["Group", "groups_of", "updated"]

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


Numbers = dict[Group, int]
"""How many cards of each group there are, in order."""


def groups_of(spec: m.Spec, row: m.ManifestRow) -> Numbers:
    """The groups that a row of the manifest stands for."""
    cards = Counter(spec.deck.cards[card] for card in row.cards)
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


def updated(spec: m.Spec, wanted: Mapping[Group, int]) -> Source:
    """The spec with these cards. Raises ValueError if a row cannot be changed: its copies are read from elsewhere."""
    plans = [_Plan(row, groups_of(spec, row)) for row in spec.deck.rows]
    new = _numbers(plans, wanted)
    _replace(plans, new)
    text = _Text(spec)
    for plan in reversed(plans):
        if plan.after != plan.before:
            text.change(plan)
    text.append(new, spec.deck.rows[-1])
    return Source(spec.source.path, text.patched())


@dataclass
class _Plan:
    """A row with its groups now, and as they are to be."""

    row: m.ManifestRow
    before: Numbers
    after: Numbers = field(default_factory=dict)

    @property
    def left(self) -> Numbers:
        return {group: number for group, number in self.after.items() if number}


def _numbers(plans: Sequence[_Plan], wanted: Mapping[Group, int]) -> Numbers:
    """Sets the numbers of the groups that there are. Returns those that are new."""
    have = Counter[Group]()
    for plan in plans:
        have.update(plan.before)
    more = {group: wanted.get(group, 0) - number for group, number in have.items()}
    for plan in plans:
        for group, number in plan.before.items():
            plan.after[group] = max(0, number + more[group])
            more[group] += number - plan.after[group]
    return {group: number for group, number in wanted.items() if group not in have}


def _replace(plans: Sequence[_Plan], new: Numbers) -> None:
    """Gives the place of each group that is gone to the most similar new one, if it is similar enough."""
    for plan in plans:
        for gone in [group for group, number in plan.after.items() if not number and plan.before[group]]:
            closest = min(new, key=gone.differs, default=None)
            if closest is not None and gone.differs(closest) <= MOST_DIFFERENT:
                plan.after = {closest if one == gone else one: number for one, number in plan.after.items()}
                plan.after[closest] = new.pop(closest)


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


class _Text:
    """The text of a spec with the changes of its rows."""

    def __init__(self, spec: m.Spec) -> None:
        self._source, self._fields = spec.source, tuple(spec.deck.fields)
        self._sets = {name for name, type_ in spec.deck.fields.items() if type_.kind == "set"}
        root, _ = parse(spec.source)
        manifest = at(root, ["cards", "manifest"]) if root is not None else None
        assert isinstance(manifest, ListNode)
        self._nodes = {item.span: item for item in manifest.items if isinstance(item, MapNode)}
        self._in_brackets = spec.source.text[manifest.span.start] == "["
        self._patches: list[tuple[int, int, str]] = []

    def change(self, plan: _Plan) -> None:
        if plan.row.reads:
            raise ValueError(
                say("The copies of a row are read from `{table}`: change them there.", table=plan.row.reads)
            )
        node, left = self._nodes[plan.row.span], plan.left
        if not left:
            self._delete(node)
        elif [*left] == [*plan.before] and len({*left.values()}) == 1 and len({*plan.before.values()}) == 1:
            self._put(node, [self._written(node, None, next(iter(left.values())))])
        else:
            rows = _merged(left, [name in self._sets for name in self._fields])
            self._put(node, [self._written(node, group, number) for group, number in rows])

    def _put(self, node: MapNode, rows: Sequence[str]) -> None:
        first, *others = rows
        self._patches.append((node.span.start, node.span.end, first))
        self._insert(node, others)

    def append(self, new: Numbers, last: m.ManifestRow) -> None:
        empty = MapNode(last.span, (), self._source)
        self._insert(empty, [self._written(empty, group, number) for group, number in new.items()])

    def _insert(self, node: MapNode, rows: Sequence[str]) -> None:
        """Adds rows behind one."""
        if self._in_brackets:
            self._patches.append((node.span.end, node.span.end, "".join(f", {row}" for row in rows)))
            return
        start = self._source.line_start(self._source.position(node.span.start).line)
        indent = self._source.text[start : node.span.start].partition("-")[0]
        last = self._source.position(node.span.end).line
        end = self._source.line_start(last) + len(self._source.line(last).rstrip("\r"))
        self._patches.append((end, end, "".join(f"\n{indent}- {row}" for row in rows)))

    def _delete(self, node: MapNode) -> None:
        text, start, end = self._source.text, node.span.start, node.span.end
        if self._in_brackets:
            if text[end : end + 1] == ",":
                end += 1 + (text[end + 1 : end + 2] == " ")
            else:
                start = text.rindex(",", 0, start) if "," in text[:start] else start
            self._patches.append((start, end, ""))
            return
        first, last = (self._source.position(place).line for place in (start, end))
        below = self._source.line_start(last + 1) if last < self._source.line_count else len(text)
        self._patches.append((self._source.line_start(first), below, ""))

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
            for name, word in zip(self._fields, group.values, strict=True):
                if word:
                    yield (
                        name,
                        self._kept(node.get(name), f"[{', '.join(word.split())}]" if name in self._sets else word),
                    )
            if group.status != "printed" or node.get("status") is not None:
                yield "status", self._kept(node.get("status"), group.status)
            if group.sources:
                yield "source", self._kept(node.get("source"), f"[{', '.join(group.sources)}]")
        if number > 1:
            yield "copies", str(number)

    def _kept(self, node: Node | None, written: str) -> str:
        """What is written in a node if it means this, else this."""
        if node is None:
            return written
        value = plain(node)
        words = value if isinstance(value, list) else [value]
        shown = ["true" if one is True else "false" if one is False else str(one) for one in words]
        same = shown == (written[1:-1].split(", ") if written.startswith("[") else [written])
        return self._same(node) if same else written

    def _same(self, node: Node) -> str:
        return self._source.text[node.span.start : node.span.end]

    def patched(self) -> str:
        text = self._source.text
        for start, end, new in sorted(self._patches, key=lambda patch: patch[:2], reverse=True):
            text = text[:start] + new + text[end:]
        return text
