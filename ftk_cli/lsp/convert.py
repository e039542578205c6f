"""Positions, findings and names as the Language Server Protocol has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from rulespec.base.project import shown
from rulespec.base.source import Source
from rulespec.base.source import read as read_source
from rulespec.editing.editors.edits import edits

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding, Position, Related, Span
    from rulespec.editing.editors.outline import Entry

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}


class Texts:
    """Converts places of texts. The protocol counts columns in units that the editor chooses, from 0.

    The editor also counts the byte order mark of a `marked` file, which the text of a source does not have.
    """

    def __init__(self, codec: Any, marked: frozenset[str] = frozenset(), lang: str = "") -> None:
        self._codec = codec
        self._marked = marked
        self._lang = lang

    def offset(self, source: Source, at: Any) -> int:
        """The offset of a position; one beyond the text or its line counts as the nearest one inside."""
        if at.line >= source.line_count:
            return len(source.text)
        start, line = source.line_start(at.line + 1), source.line(at.line + 1)
        units = at.character - self._before(source, at.line)
        fitting = (n for n in range(len(line) + 1) if self._codec.client_num_units(line[:n]) >= units)
        return start + next(fitting, len(line))

    def position(self, source: Source, at: Position) -> Any:
        line = source.line(at.line) if at.line <= source.line_count else ""
        units = self._codec.client_num_units(line[: at.column - 1])
        return lsp.Position(at.line - 1, units + self._before(source, at.line - 1))

    def _before(self, source: Source, line: int) -> int:
        """The units before a line of the source in that of the editor."""
        return int(line == 0 and source.path in self._marked)

    def range(self, source: Source, span: Span) -> Any:
        ends = (self.position(source, source.position(at)) for at in (span.start, span.end))
        return lsp.Range(*ends)

    def edits(self, path: str, before: str | None, after: str) -> list[Any]:
        """The edits that make a text of a file another one; None is that of a new file."""
        if not before:  # the end is beyond the text, which an editor may show as an empty line
            return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(1, 0)), after)]
        source = Source(path, before)
        return [lsp.TextEdit(self.range(source, one.span), one.text) for one in edits(source.text, after)]

    def diagnostic(self, source: Source, found: Finding) -> Any:
        """A finding in the language of the editor, with its hint, under its code."""
        found = found.in_language(self._lang)
        return lsp.Diagnostic(
            range=lsp.Range(self.position(source, found.start), self.position(source, found.end)),
            message=f"{found.message}\n{found.hint}".rstrip(),
            severity=SEVERITIES[found.severity],
            code=found.code,
            source="ftk",
            related_information=[self._related(source, one) for one in found.related],
        )

    def _related(self, source: Source, other: Related) -> Any:
        """Another place of a finding, in its file or in another one. That in a workbook is a cell."""
        if other.start.cell:
            begin = lsp.Position(0, 0)
            location = lsp.Location(uri_of(other.path), lsp.Range(begin, begin))
            return lsp.DiagnosticRelatedInformation(location, f"{other.start.cell}: {other.message}")
        file = source if other.path == source.path else read_source(other.path)[0] or source
        place = lsp.Range(self.position(file, other.start), self.position(file, other.end))
        return lsp.DiagnosticRelatedInformation(lsp.Location(uri_of(other.path), place), other.message)

    def symbol(self, source: Source, entry: Entry, depth: int = 0) -> Any:
        """A part of the outline with the parts inside."""
        return lsp.DocumentSymbol(
            name=entry.name or "?",
            detail=entry.detail,
            kind=lsp.SymbolKind.Function if depth else lsp.SymbolKind.Namespace,
            range=self.range(source, entry.span),
            selection_range=self.range(source, entry.name_span),
            children=[self.symbol(source, one, depth + 1) for one in entry.inside],
        )


def path_of(uri: str) -> str:
    """The path of a file, relative to the current directory if it is inside."""
    return shown(to_fs_path(uri) or uri)


def uri_of(path: str) -> str:
    return from_fs_path(str(Path(path).absolute())) or path
