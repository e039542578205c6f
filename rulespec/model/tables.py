"""Tables: one entry for every player count, member of an enum, or number of a range."""

from __future__ import annotations

from rulespec.document import Node, Scalar
from rulespec.model.nodes import Broken, entries, mapping, scalar, text
from rulespec.model.reader import FAILED, Reader
from rulespec.model.spec import Table
from rulespec.model.typed import Const
from rulespec.model.types import Type, describe, integer, join
from rulespec.model.written import written_value

MOST_ROWS = 10_000
"""Entries of a table, at most: tables are constants in generated source. The shipped games need 20."""


def table(reader: Reader, key: Scalar, node: Node) -> Table:
    """The sealed table. Its entries are plain values, so only enums and rulings must be known."""
    inner = mapping(node)
    by = _by(reader, inner.get("by"))
    before = len(reader.findings)
    rows, type_ = _rows(reader, by, node)
    if len(reader.findings) > before or type_ is None:
        raise Broken
    _gaps(reader, key, by, rows)
    return Table(key.text, by, rows, type_, text(inner.get("by")) == "players", key.span)


def _by(reader: Reader, node: Node | None) -> Type:
    if text(node) == "players":
        if reader.names.players is None:
            raise Broken
        return integer(reader.names.players[0], reader.names.players[-1])
    by = reader.type(node)
    if by is None:
        raise Broken
    if by.kind not in ("int", "enum") or by.optional:
        message = f"`by` must be `players`, an enum or a range, not {describe(by)}"
        reader.report("type-mismatch", message, scalar(node))
        raise Broken
    if reader.names.extent(by) > MOST_ROWS:
        reader.report(
            "too-wide", f"this range has more numbers than the {MOST_ROWS:,} entries of a table", scalar(node)
        )
        raise Broken
    return by


def _rows(reader: Reader, by: Type, node: Node) -> tuple[dict[int, int], Type | None]:
    rows: dict[int, int] = {}
    joined: Type | None = None
    for key, value in entries(node):
        if key.text == "by":
            continue
        at = written_value(reader, by, key.text, key)
        cell = _cell(reader, scalar(value))
        if at is None or cell is None:
            continue
        if at in rows:
            reader.report("name-taken", f"this table has two entries for {key.text}", key)
        wider = join(joined, cell.type) if joined is not None else cell.type
        if wider is None and joined is not None:
            message = f"this is {describe(cell.type)}, but the entries before it are {describe(joined)}"
            reader.report("type-mismatch", message, value)
        rows[at], joined = cell.value, wider or joined
    return rows, joined


def _cell(reader: Reader, node: Scalar) -> Const | None:
    before = len(reader.findings)
    found = reader.expr(node, {})
    if isinstance(found, Const) and found is not FAILED and found.type.kind != "none":
        return found
    if len(reader.findings) == before and not reader.names.incomplete:
        hint = "Declare a computed value under `values:`."
        reader.report("not-constant", "an entry of a table must be a plain number or name", node, hint)
    return None


def _gaps(reader: Reader, key: Scalar, by: Type, rows: dict[int, int]) -> None:
    members = reader.names.members_of(by)
    wanted = range(by.low, by.high + 1) if by.kind == "int" else range(len(members))
    missing = [members[i] if members else str(i) for i in wanted if i not in rows]
    if missing:
        listed = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        reader.report(
            "table-gap", f"the table `{key.text}` has no entry for {listed}", key, "Add it, also where it is 0."
        )
