"""Tables: one entry for every player count, member of an enum or number of a range, or for each combination of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import prod

from rulespec.base.messages import all_of, counted, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.model.declarations import Table
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.language.model.reader import FAILED, Reader
from rulespec.language.model.typed import Const
from rulespec.language.model.types import Type, describe, integer, join
from rulespec.language.model.written import written_value

MOST_ROWS = 10_000
"""Entries of a table, at most: tables are constants in generated source. The shipped games need 20."""

Indices = tuple[int, ...]


def table(reader: Reader, key: Scalar, node: Node) -> Table:
    """The sealed table. Its entries are plain values, so only enums and rulings must be known."""
    written = items(mapping(node).get("by"))
    if not written:
        raise Broken
    by = tuple(_index(reader, node) for node in written)
    if prod(map(reader.names.extent, by)) > MOST_ROWS:
        message = say("This table has more entries than the {most_rows:,} that are allowed.", most_rows=MOST_ROWS)
        reader.refuse("too-wide", message, scalar(written[0]))
    before = len(reader.findings)
    if left_over := _left_over(reader, by, node):
        message = say("The table `{key}` has entries that the variant has no place for.", key=key.text)
        patch = f"tables: {{{key.text}: {_flow(left_over)}}}"
        hint = say("Take them out under `change` in the overlay: `{patch}`.", patch=patch)
        reader.refuse("out-of-range", message, key, hint)
    rows, type_ = _joined(reader, _rows(reader, by, node, ()))
    if len(reader.findings) > before or type_ is None:
        raise Broken
    missing = [indices for indices in product(*(_places(reader, type_) for type_ in by)) if indices not in rows]
    if missing:
        words = [", ".join(_word(reader, *each) for each in zip(by, at, strict=True)) for at in missing[:5]]
        listed = (" · " if len(by) > 1 else ", ").join(words)
        more = counted(" and {number} more", " and {number} more", len(missing) - 5) if len(missing) > 5 else ""
        gap = say("The table `{key}` has no entry for {listed}{more}.", key=key.text, listed=listed, more=more)
        reader.report("table-gap", gap, key, say("Add it, also where it is 0."))
    counts = frozenset(at for at, item in enumerate(written) if text(item) == "players")
    return Table(key.text, by, rows, type_, counts, key.span)


def _index(reader: Reader, node: Node) -> Type:
    if text(node) == "players":
        if reader.names.players is None:
            raise Broken
        return integer(reader.names.players[0], reader.names.players[-1])
    by = reader.type(node)
    if by is None:
        raise Broken
    if by.kind not in ("int", "enum") or by.optional:
        message = say("`by` must be `players`, an enum or a range, not {by}.", by=describe(by))
        reader.refuse("type-mismatch", message, scalar(node))
    return by


LeftOver = dict[str, "LeftOver"]


def _left_over(reader: Reader, by: tuple[Type, ...], node: Node) -> LeftOver:
    """The entries of a game for player counts, members or numbers that a variant of it does not have, by their keys."""
    found: LeftOver = {}
    is_of_game = reader.source.variant and isinstance(node, MapNode)
    for key, value in entries(node) if is_of_game else ():
        is_of_game = reader.source.located(key.span)[0] == reader.source.path
        fits = _fits(reader, by[0], key.text) or key.text == "by" or not is_of_game
        below = _left_over(reader, by[1:], value) if fits and len(by) > 1 else {}
        if not fits or below:
            found[key.text] = below
    return found


def _fits(reader: Reader, type_: Type, key: str) -> bool:
    if type_.kind == "enum":
        return key in reader.names.members_of(type_)
    return not _NUMBER.fullmatch(key) or type_.low <= int(key) <= type_.high


_NUMBER = re.compile(r"-?[0-9]{1,11}")


def _flow(left_over: LeftOver) -> str:
    """A patch that takes entries out, in flow style."""
    return "{" + ", ".join(f"{key}: {_flow(below) if below else 'null'}" for key, below in left_over.items()) + "}"


def _rows(reader: Reader, by: tuple[Type, ...], node: Node, outer: Indices) -> Iterator[tuple[Indices, Node]]:
    """Every entry with its indices; `outer` are those of the rows around."""
    seen: set[int] = set()
    for at, key, value in _entries(reader, by[len(outer)], node):
        if at is None or (not outer and key is not None and key.text == "by"):
            continue
        if at in seen and key is not None:
            reader.report("name-taken", say("This table has two entries for {key}.", key=key.text), key)
        seen.add(at)
        indices = (*outer, at)
        nested = isinstance(value, MapNode | Sequence)
        if len(indices) == len(by) and not nested:
            yield indices, value
        elif len(indices) < len(by) and nested:
            yield from _rows(reader, by, value, indices)
        else:
            named = all_of([_called(each) for each in by])
            if len(by) == 1:
                message, hint = (
                    say("This table has one index, {indices}, so an entry is a single value.", indices=named),
                    say("Write one value."),
                )
            else:
                message = say(
                    "This table has {number} indices, {indices}, so a row is a mapping or a list for the last one.",
                    number=len(by),
                    indices=named,
                )
                hint = say(
                    "Nest {number} levels: an entry for each {first}, and in it one for each {second}.",
                    number=len(by),
                    first=_called(by[0]),
                    second=_called(by[1]),
                )
            reader.report("wrong-index", message, value, hint)


def _entries(reader: Reader, by: Type, node: Node) -> Iterator[tuple[int | None, Scalar | None, Node]]:
    """The entries of a mapping, or of a list in the order of the index."""
    if isinstance(node, Sequence):
        most = reader.names.extent(by)
        if len(node.items) > most:
            message = say(
                "This list has {number} entries, but there are only {most} for {by}.",
                number=len(node.items),
                most=most,
                by=_called(by),
            )
            reader.report("out-of-range", message, node.items[most])
        yield from ((by.low + at, None, item) for at, item in enumerate(node.items[:most]))
        return
    for key, value in entries(node):
        yield (None if key.text == "by" else written_value(reader, by, key.text, key)), key, value


def _called(by: Type) -> str:
    return f"`{by}`"


def _joined(reader: Reader, found: Iterator[tuple[Indices, Node]]) -> tuple[dict[Indices, int], Type | None]:
    """The entries as stored values, and the type that holds them all."""
    rows: dict[Indices, int] = {}
    joined: Type | None = None
    for indices, node in found:
        cell = plain(reader, scalar(node))
        if cell is None:
            continue
        wider = join(joined, cell.type) if joined is not None else cell.type
        if wider is None and joined is not None:
            message = say(
                "This is {type}, but the entries before it are {joined}.",
                type=describe(cell.type),
                joined=describe(joined),
            )
            reader.report("type-mismatch", message, node)
        rows[indices], joined = cell.value, wider or joined
    return rows, joined


def plain(reader: Reader, node: Scalar) -> Const | None:
    """A number, a truth value or a member as an entry; None after a finding."""
    before = len(reader.findings)
    found = reader.expr(node, {})
    if isinstance(found, Const) and found is not FAILED and found.type.kind != "none":
        return found
    if len(reader.findings) == before and not reader.names.incomplete:
        hint = say("Declare a computed value under `values:`.")
        reader.report("not-constant", say("An entry of a table must be a plain number or name."), node, hint)
    return None


def _places(reader: Reader, type_: Type) -> range:
    return range(type_.low, type_.low + reader.names.extent(type_))


def _word(reader: Reader, type_: Type, at: int) -> str:
    members = reader.names.members_of(type_)
    return members[at] if members else str(at)
