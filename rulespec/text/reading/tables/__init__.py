"""Tables by player count, in any layout: lists, Markdown tables, columns or running text."""

from rulespec.text.reading.tables.counts import player_counts
from rulespec.text.reading.tables.lines import rows
from rulespec.text.reading.tables.row import COUNTED, Table, TableRow

__all__ = ["COUNTED", "Table", "TableRow", "player_counts", "rows"]
