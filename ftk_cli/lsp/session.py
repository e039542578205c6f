"""The files that an editor has open, and their findings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lsprotocol import types as lsp

from ftk_cli import inputs
from ftk_cli.failure import Failure
from ftk_cli.language import language
from ftk_cli.lsp.convert import Texts, path_of, uri_of
from ftk_cli.settings import settings
from rulespec.base.findings.catalog import language_of, text_in
from rulespec.base.source import Source
from rulespec.base.spreadsheet.reading import ENDINGS, read
from rulespec.base.worklist import shown
from rulespec.editing.editors.cells import at_its_name, in_spreadsheet
from rulespec.editing.editors.moved_findings import moved_findings
from rulespec.editing.file_kinds import check_source, kind_of, spec_of

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding

T = TypeVar("T")

PAUSE = 0.3
"""Seconds without a keystroke after which a file is checked. Until then its findings move with its text."""

MARK = "\ufeff"
"""The byte order mark, which an editor may keep at the start of a text."""


class Checked(NamedTuple):
    """A file when it was checked last: its version and text, its findings, and what is shown there: those of its
    workbook, too."""

    version: int | None
    source: Source
    found: list[Finding]
    shown: list[Finding]


class Session:
    """The files that an editor has open, as it has them. Models are built in one thread, one after the other, so that
    what several requests need is built once."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.found: dict[str, Checked] = {}
        self._in_csv: dict[str, tuple[str, list[Any]]] = {}
        """The spreadsheet in CSV of each spec, with its diagnostics: several may have their cards in one."""
        self._checks: dict[str, asyncio.Future[None]] = {}
        self._worker = ThreadPoolExecutor(max_workers=1)
        self.lang = language()
        """The language of the findings: that of the editor, if it says which one."""

    def begun(self, params: Any) -> None:
        self.lang = language_of(params.locale) if params.locale else self.lang

    async def ready(self, params: Any) -> None:
        """Asks the editor for word when a spreadsheet changes, which another program writes."""
        wanted = getattr(self.server.client_capabilities.workspace, "did_change_watched_files", None)
        if getattr(wanted, "dynamic_registration", None):
            patterns = [lsp.FileSystemWatcher(f"**/*{ending}") for ending in ENDINGS]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(patterns)
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            asked = lsp.RegistrationParams([lsp.Registration("spreadsheets", method, options)])
            await self.server.client_register_capability_async(asked)

    @property
    def texts(self) -> Texts:
        documents = self.server.workspace.text_documents.values()
        marked = frozenset(path_of(one.uri) for one in documents if one.source.startswith(MARK))
        return Texts(self.server.workspace.position_codec, marked, self.lang)

    def source(self, uri: str) -> Source:
        text = self.server.workspace.get_text_document(uri).source
        return Source(path_of(uri), text.removeprefix(MARK))

    def said(self, text: str) -> str:
        """A message in the language of the editor."""
        return text_in(text, self.lang)

    def opened(self) -> tuple[Source, ...]:
        return tuple(self.source(uri) for uri in self._uris())

    def _uris(self) -> list[str]:
        """The open files. The keys of pygls are without escapes."""
        return [document.uri for document in self.server.workspace.text_documents.values()]

    def spec(self, source: Source, checked: bool = False) -> Source | None:
        """The spec of a file as it is in the editor, or as it was when `checked`; None if it is not open there."""
        path = inputs.shown(spec_of(source))
        uri = next((uri for uri in self._uris() if path_of(uri) == path), None)
        if uri is None:
            return None
        return self.found[uri].source if checked and uri in self.found else self.source(uri)

    def at(self, params: Any) -> tuple[Source, int]:
        """The file and the offset that a request is about."""
        source = self.source(params.text_document.uri)
        return source, self.texts.offset(source, params.position)

    def location(self, source: Source, span: Any) -> Any:
        return lsp.Location(uri_of(source.path), self.texts.range(source, span))

    # findings

    async def work(self, made: Callable[[], T]) -> T:
        """What a function makes that takes long, while the editor is answered."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, made)

    async def check(self, uri: str, pause: float = 0) -> None:
        """Publishes the findings of a file after a pause, unless it changes or is closed meanwhile."""
        before = self._version(uri)
        await asyncio.sleep(pause)
        if before is None or self._version(uri) != before:
            return
        source = self.source(uri)
        found = await self.work(lambda: findings(source) if self._version(uri) == before else [])
        if self._version(uri) == before:  # it may have changed while the file waited for another one, or was checked
            self._publish(uri, source, before[0], found)

    def _publish(self, uri: str, source: Source, version: int | None, found: list[Finding]) -> None:
        """Publishes the findings of a file, and those of the CSV file with its cards there. An editor shows no
        workbook: what is wrong in its cells is at its name in the spec."""
        own = [one for one in found if one.path == source.path]
        in_sheet = list(in_spreadsheet(source, found))
        sheet = read(in_sheet[0].path)[0] if in_sheet else None
        text = sheet.source if sheet is not None else None
        shown = own if text is not None else [*own, *(at_its_name(source, one) for one in in_sheet)]
        self.found[uri] = Checked(version, source, own, shown)
        self._show(uri, source, version, shown)
        self._publish_csv(uri, text, in_sheet)

    def _show(self, uri: str, source: Source, version: int | None, found: Iterable[Finding]) -> None:
        shown = [self.texts.diagnostic(source, one) for one in found]
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, diagnostics=shown, version=version)
        )

    def _publish_csv(self, uri: str, text: Source | None, found: list[Finding]) -> None:
        """Publishes what a spec finds in its CSV file, with what other specs find there, in place of its last."""
        changed = [self._in_csv.pop(uri, None)]
        if text is not None:
            self._in_csv[uri] = uri_of(text.path), [self.texts.diagnostic(text, one) for one in found]
            changed.append(self._in_csv[uri])
        for there in {one[0] for one in changed if one is not None}:
            every = [one for path, listed in self._in_csv.values() if path == there for one in listed]
            self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(there, every))

    async def checked(self, uri: str) -> Source:
        """A file as it is once its check is over, which has built the model of its game, and nothing more is typed."""
        while (check := self._checks.get(uri)) is not None and not check.done():
            await asyncio.wait([check])
        return self.source(uri)

    def _version(self, uri: str) -> tuple[int | None] | None:
        """The version of an open file."""
        # In a tuple: an editor may give no version, which is not the same as a file that is not open.
        return (self.server.workspace.get_text_document(uri).version,) if uri in self._uris() else None

    def last_findings(self, uri: str) -> list[Finding]:
        """The findings of a file as it is now."""
        last = self.found.get(uri)
        if last is not None and self._version(uri) == (last.version,):
            return last.found
        source = self.source(uri)
        return [one for one in findings(source) if one.path == source.path]

    async def opened_file(self, params: Any) -> None:
        await self._start(params.text_document.uri)

    async def changed(self, params: Any) -> None:
        """Moves the findings of a file with its text, until it is checked."""
        uri = params.text_document.uri
        check, source, last = self._start(uri, PAUSE), self.source(uri), self.found.get(uri)
        kind = kind_of(source)
        if last is not None and kind is not None and kind.schema:
            self._show(uri, source, params.text_document.version, moved_findings(last.source, last.shown, source))
        await check

    async def saved(self, params: Any) -> None:
        """Checks every open file: what is saved may be their spec. What stands between their lines changes with it."""
        await asyncio.gather(*(self._start(uri) for uri in self._uris()))
        self._refresh()

    def _start(self, uri: str, pause: float = 0) -> asyncio.Future[None]:
        self._checks[uri] = asyncio.ensure_future(self.check(uri, pause))
        return self._checks[uri]

    def _refresh(self) -> None:
        """Asks the editor to ask again, if it can be asked to."""
        wanted = self.server.client_capabilities.workspace
        for name in ("code_lens", "inlay_hint", "semantic_tokens"):
            if getattr(getattr(wanted, name, None), "refresh_support", None):
                getattr(self.server, f"workspace_{name}_refresh")(None)

    def closed(self, params: Any) -> None:
        uri = params.text_document.uri
        self.found.pop(uri, None)
        self._checks.pop(uri, None)
        self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=[]))
        self._publish_csv(uri, None, [])


def findings(source: Source) -> list[Finding]:
    """The findings of a file, and of the spreadsheet with its cards, that its project does not ignore."""
    if kind_of(source) is None:
        return []
    report = check_source(source)
    with suppress(Failure):  # `ftk check` says what is wrong with the settings
        report = settings(Path(source.path).parent).applied(report)
    every = [*(one for one in report.findings if one.path == source.path), *in_spreadsheet(source, report.findings)]
    return shown(every)[0]
