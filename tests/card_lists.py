"""Lists of cards as tests read them: from bytes, without errors."""

from __future__ import annotations

from rulespec.base.spreadsheet.reading import from_bytes
from rulespec.base.spreadsheet.sheet import Sheet
from rulespec.editing.card_table import CardTable, table_of
from rulespec.games.api import Spec


def sheet_of(data: bytes) -> Sheet:
    sheet, findings = from_bytes(data, "cards")
    assert sheet is not None and not findings
    return sheet


def table_in(spec: Spec, data: bytes) -> CardTable:
    """The cards of a list for a spec."""
    table, findings = table_of(spec.model, sheet_of(data), {})
    assert not [found for found in findings if found.severity == "error"], findings
    return table
