"""What lifts change in the document of a file, as patches."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.base.wording import digest
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.document.patches import Patch, column, end_of_line, is_flow, line_break

GOES_ON = "{note: The game goes on.}"
"""What a loop did at its bound before it had to say so."""

_BLOCK = "|>"
"""The styles of scalars that end with their last line break."""

_MODELINE = re.compile(r"^[ \t]*#[ \t]*yaml-language-server:.*?\b(?P<key>[a-z]+)-(?P<number>\d+)\.schema\.json", re.M)


def number(source: Source, root: Mapping, key: str, to: int) -> Iterator[Patch]:
    """Writes the number of the format, also in the name of the schema that a comment gives to editors."""
    value = root.get(key)
    if value is not None:
        yield Patch(value.span, str(to))
    else:
        entry = f"{key}: {to}"
        first = root.entries[0][0].span.start
        yield Patch(Span(first, first), f"{entry}, " if is_flow(source, root) else entry + line_break(source))
    for named in _MODELINE.finditer(source.text):
        if named["key"] == key:
            yield Patch(Span(*named.span("number")), str(to))


def bounds(source: Source, root: Mapping) -> Iterator[Patch]:
    """Loops with `at_most` say that the game goes on after so many rounds. An edit of an overlay that removes the bound
    of a loop removes what happens there."""
    for key, step in _entries(root):
        if key.text == "repeat" and isinstance(step, Mapping) and step.get("then") is None:
            bound = step.get("at_most")
            if bound is not None:
                removed = isinstance(bound, Scalar) and bound.value is None
                yield _beside(source, step, "at_most", f"then: {'null' if removed else GOES_ON}")


def also(source: Source, root: Mapping) -> Iterator[Patch]:
    """Facts that a text may repeat from other rules are under `about`, which takes all names of a spec."""
    for key, facts in _entries(root):
        for fact, _ in _entries(facts) if key.text == "states" else ():
            if fact.text == "also":
                yield Patch(fact.span, "about")


_DECLARING = ("enums", "zones", "values", "tables")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLACES = frozenset({"from", "to", "through", "shuffle", "zone"})
"""Keys whose values are zones: a pick with the name of one did not stand there."""


def picks(source: Source, root: Mapping) -> Iterator[Patch]:
    """A pick does not have the name of a declaration that the domain of another pick of its option means: domains know
    the picks before them."""
    declared = {name.text for section in _DECLARING for name, _ in _entries_of(root.get(section))}
    for option in (node for node in _mappings(root) if isinstance(node.get("pick"), Mapping)):
        domains = {
            key.text: {word for one in _scalars(value) for word in _WORD.findall(one.text)}
            for key, value in _entries_of(option.get("pick"))
        }
        for name in declared & domains.keys():
            if any(name in said for other, said in domains.items() if other != name):
                yield from _with_other_pick(option, name, domains)


def _with_other_pick(option: Mapping, name: str, taken: Container[str]) -> Iterator[Patch]:
    """The patches of an option whose pick gets another name: its key, and what refers to it outside of domains."""
    new = f"{name}_"
    while new in taken:
        new += "_"
    for key, _ in _entries_of(option.get("pick")):
        if key.text == name:
            yield Patch(key.span, new)
    for key, value in option.entries:
        if key.text == "says" and isinstance(value, Scalar):
            yield from _replaced(value, re.compile(rf"(?<={{){name}(?=}})"), new)
        elif key.text != "pick":
            for inner, scalar in _keyed(value, key.text, keys=True):
                if inner not in _PLACES and inner not in ("title", "note"):
                    # After `size(` and `in`, and before an index, the name means the declaration.
                    yield from _replaced(scalar, re.compile(rf"(?<!size\()(?<!in )\b{name}\b(?!\[)"), new)


def indices(source: Source, root: Mapping) -> Iterator[Patch]:
    """The index of a stored value with a start does not have the name of a declaration: starts know the index."""
    declared = {name.text for section in _DECLARING for name, _ in _entries_of(root.get(section))} | {"players"}
    declared |= {one.text for _, enum in _entries_of(root.get("enums")) for one in _scalars(enum)}
    for _, value in _entries_of(root.get("values")):
        if isinstance(value, Mapping) and value.get("start") is not None:
            for index, _ in _entries_of(value.get("per")):
                if index.text in declared:
                    yield Patch(index.span, f"{index.text}_")


_IGNORE = re.compile(r"(?m)(?:^|(?<=\s))#[ \t]*(?P<sign>ftk:)[ \t]*ignore\b(?![ \t]+[A-Za-z][\w,-]*[ \t]+\S)")


def remarks(source: Source, root: Mapping) -> Iterator[Patch]:
    """A comment that said `ftk: ignore` without a code and a reason meant nothing."""
    for found in _IGNORE.finditer(source.text):
        yield Patch(Span(*found.span("sign")), "ftk,")


_SAID = (
    (re.compile(r": nobody\b"), ": not awarded"),
    (re.compile(r"\bis level\b"), "is tied"),
    (re.compile(r"\blevel in everything\b"), "tied in every criterion"),
    (re.compile(r"(player \d+) and (?=player \d+ and player \d+)"), r"\1, "),
)
"""Words of awards and rankings, and what they are since format 2 of scenarios and logs."""


def results(source: Source, root: Mapping) -> Iterator[Patch]:
    """Expected results are said in the present words."""
    for expected in (node for key, node in _entries(root) if key.text == "expect"):
        for key, scalar in _keyed(expected, ""):
            if key == "says":
                for pattern, new in _SAID:
                    for found in pattern.finditer(scalar.text):
                        yield Patch(scalar.value_span(*found.span()), found.expand(new))


def confirmations(source: Source, root: Mapping) -> Iterator[Patch]:
    """Confirmations say the format of their digests."""
    for _, seal in _seals(root):
        if not seal.text.startswith(("1-", "2-")):
            yield Patch(Span(seal.offset(0), seal.offset(0)), "1-")


def words(source: Source, root: Mapping) -> Iterator[Patch]:
    """A confirmation holds for the words that the text has now: nothing says what they were before."""
    for passage, seal in _seals(root):
        parts = (passage.get("title"), passage.get("text"), *(one.get("text") for one in _examples(passage)))
        end = seal.offset(len(seal.text))
        yield Patch(Span(end, end), f" words {digest(one.text if isinstance(one, Scalar) else '' for one in parts)}")


def _seals(root: Mapping) -> Iterator[tuple[Mapping, Scalar]]:
    """The texts of a translation that are confirmed, each with its confirmation."""
    for section in ("rules", "rulings"):
        for _, passage in _entries_of(root.get(section)):
            seal = passage.get("confirmed") if isinstance(passage, Mapping) else None
            if isinstance(passage, Mapping) and isinstance(seal, Scalar) and seal.text:
                yield passage, seal


def _examples(passage: Mapping) -> Iterator[Mapping]:
    yield from (one for one in _items(passage.get("examples")) if isinstance(one, Mapping))


def _entries(node: Node) -> Iterator[tuple[Scalar, Node]]:
    """All entries of all mappings in a node."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield key, value
            yield from _entries(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _entries(item)


def _entries_of(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    """The entries of a node that may be no mapping, or missing."""
    return node.entries if isinstance(node, Mapping) else ()


def _mappings(node: Node) -> Iterator[Mapping]:
    """All mappings in a node."""
    if isinstance(node, Mapping):
        yield node
    inside = [value for _, value in node.entries] if isinstance(node, Mapping) else _items(node)
    for one in inside:
        yield from _mappings(one)


def _items(node: Node | None) -> Iterable[Node]:
    return node.items if isinstance(node, Sequence) else ()


def _scalars(node: Node) -> Iterator[Scalar]:
    """All scalars in a node, keys included."""
    for _, scalar in _keyed(node, "", keys=True):
        yield scalar


def _keyed(node: Node, key: str, keys: bool = False) -> Iterator[tuple[str, Scalar]]:
    """All values in a node that are scalars, with the key they stand under; with `keys` also the keys."""
    if isinstance(node, Scalar):
        yield key, node
    for inner, value in _entries_of(node):
        if keys:
            yield key, inner
        yield from _keyed(value, inner.text, keys)
    for item in _items(node):
        yield from _keyed(item, key, keys)


def _replaced(scalar: Scalar, pattern: re.Pattern[str], new: str) -> Iterator[Patch]:
    for found in pattern.finditer(scalar.text):
        yield Patch(scalar.value_span(*found.span()), new)


def _beside(source: Source, mapping: Mapping, name: str, entry: str) -> Patch:
    """Adds an entry to a mapping after the one with a key; before it if its text has line breaks of its own."""
    key, value = next((key, value) for key, value in mapping.entries if key.text == name)
    if is_flow(source, mapping):
        return Patch(Span(value.span.end, value.span.end), f", {entry}")
    indent = line_break(source) + " " * column(source, key)
    if isinstance(value, Scalar) and value.style and value.style in _BLOCK:
        return Patch(Span(key.span.start, key.span.start), entry + indent)
    end = end_of_line(source, value.span.end)
    return Patch(Span(end, end), indent + entry)
