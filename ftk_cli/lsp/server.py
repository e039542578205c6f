"""The language server: answers the requests of an editor with what `rulespec.editing` finds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from ftk_cli import inputs
from ftk_cli.failure import Failure
from ftk_cli.lsp.convert import Texts, path_of, uri_of
from ftk_cli.settings import settings

if TYPE_CHECKING:
    from rulespec import Finding, Source
    from rulespec.editing import Declared

PAUSE = 0.15
"""Seconds without a keystroke after which a file is checked."""

KINDS = {
    "key": lsp.CompletionItemKind.Property,
    "choice": lsp.CompletionItemKind.EnumMember,
    "member": lsp.CompletionItemKind.EnumMember,
    "enum": lsp.CompletionItemKind.Enum,
    "zone": lsp.CompletionItemKind.Folder,
    "value": lsp.CompletionItemKind.Variable,
    "field": lsp.CompletionItemKind.Field,
    "function": lsp.CompletionItemKind.Function,
    "rule": lsp.CompletionItemKind.Reference,
}


REQUEST_FAILED = -32803
"""The code of an answer that says why a request cannot be met; the editor shows the message."""


class Session:
    """The files that an editor has open, as it has them."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.found: dict[str, tuple[int | None, list[Finding]]] = {}
        """The version of each file that was checked last, with its findings."""

    @property
    def texts(self) -> Texts:
        return Texts(self.server.workspace.position_codec)

    def source(self, uri: str) -> Source:
        from rulespec import Source

        text = self.server.workspace.get_text_document(uri).source
        return Source(path_of(uri), text.removeprefix("\ufeff"))

    def opened(self) -> list[Source]:
        return [self.source(uri) for uri in self._uris()]

    def _uris(self) -> list[str]:
        """The open files. The keys of pygls are without escapes."""
        return [document.uri for document in self.server.workspace.text_documents.values()]

    def spec(self, source: Source) -> Source | None:
        """The spec of a file as it is in the editor; None if it is not open there."""
        from rulespec import spec_of

        path = inputs.shown(spec_of(source))
        return next((one for one in self.opened() if one.path == path), None)

    # findings

    async def check(self, uri: str) -> None:
        """Publishes the findings of a file, unless it changes or is closed meanwhile."""
        await asyncio.sleep(PAUSE)
        before = self._version(uri)
        if before is None:
            return
        source = self.source(uri)
        found = await asyncio.get_running_loop().run_in_executor(None, _findings, source)
        if self._version(uri) == before:
            self.found[uri] = *before, found
            shown = [self.texts.diagnostic(source, one) for one in found]
            self.server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, diagnostics=shown, version=before[0])
            )

    def _version(self, uri: str) -> tuple[int | None] | None:
        """The version of an open file."""
        return (self.server.workspace.get_text_document(uri).version,) if uri in self._uris() else None

    def _last_findings(self, uri: str) -> list[Finding]:
        """The findings of a file as it is now. An editor asks for actions wherever the cursor goes."""
        version, found = self.found.get(uri, (None, []))
        return found if self._version(uri) == (version,) else _findings(self.source(uri))

    async def changed(self, params: Any) -> None:
        await self.check(params.text_document.uri)

    async def saved(self, params: Any) -> None:
        """Checks every open file: what is saved may be their spec."""
        await asyncio.gather(*(self.check(uri) for uri in self._uris()))

    def closed(self, params: Any) -> None:
        self.found.pop(params.text_document.uri, None)
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=params.text_document.uri, diagnostics=[])
        )

    # the name at a place

    def _at(self, params: Any) -> tuple[Source, int]:
        source = self.source(params.text_document.uri)
        return source, self.texts.offset(source, params.position)

    def _declared(self, params: Any) -> Declared | None:
        from rulespec.editing import declared

        source, offset = self._at(params)
        return declared(source, offset, self.spec(source))

    def hover(self, params: Any) -> Any:
        from rulespec.editing import hover

        source, offset = self._at(params)
        found = hover(source, offset, self.spec(source))
        if found is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0])
        return lsp.Hover(content, self.texts.range(source, found[1]))

    def definition(self, params: Any) -> Any:
        found = self._declared(params)
        return None if found is None else self._location(found.spec, found.target.span)

    def references(self, params: Any) -> Any:
        from rulespec.editing import references

        found = self._declared(params)
        places = references(found, self.opened()) if found is not None else ()
        return [self._location(one.source, one.span) for one in places]

    def _location(self, source: Source, span: Any) -> Any:
        return lsp.Location(uri_of(source.path), self.texts.range(source, span))

    def rename(self, params: Any) -> Any:
        """The changes of `ftk rename`, which checks that the game stays the same. Files must be saved."""
        from rulespec.project import is_packaged
        from rulespec.renaming import Refusal, plan

        found = self._declared(params)
        if found is None:
            raise _refused("There is no name here that can be changed.")
        if is_packaged(found.spec.path):
            raise _refused(f"{found.spec.path} is packaged with ftk and read-only. Copy the game into a project first.")
        unsaved = [one.path for one in self.opened() if _is_about(one, found.spec.path) and not _is_saved(one)]
        if unsaved:
            raise _refused(f"Save {', '.join(unsaved)} first: a rename changes all files of the game.")
        try:
            made = plan(found.spec.path, found.target.full, params.new_name, found.target.kind)
        except Refusal as refused:
            raise _refused(f"{refused} {refused.hint}".strip()) from None
        return lsp.WorkspaceEdit(changes={uri_of(one.path): [_whole(one.before, one.after)] for one in made.files})

    # the file

    def symbols(self, params: Any) -> Any:
        from rulespec.editing import outline

        source = self.source(params.text_document.uri)
        return [self.texts.symbol(source, entry) for entry in outline(source)]

    def folding(self, params: Any) -> Any:
        from rulespec.editing import folds

        return [lsp.FoldingRange(first - 1, last - 1) for first, last in folds(self.source(params.text_document.uri))]

    def completion(self, params: Any) -> Any:
        from rulespec.editing import proposals

        source, offset = self._at(params)
        found = proposals(source, offset, self.spec(source))
        return [lsp.CompletionItem(one.text, kind=KINDS.get(one.kind), detail=one.detail or one.kind) for one in found]

    def actions(self, params: Any) -> Any:
        from rulespec.fixes import FIXES, patch_of

        source = self.source(params.text_document.uri)
        here = range(params.range.start.line + 1, params.range.end.line + 2)
        found = []
        for one in self._last_findings(params.text_document.uri):
            patch = patch_of(source, one) if one.start.line in here else None
            if patch is not None:
                edit = lsp.TextEdit(self.texts.range(source, patch.span), patch.text)
                words = f"{FIXES[one.name].does.capitalize()}: {patch.text}" if patch.text else FIXES[one.name].does
                found.append(_action(words, params.text_document.uri, edit, self.texts.diagnostic(source, one)))
        return found

    def formatting(self, params: Any) -> Any:
        from rulespec.layout import Refusal, formatted

        source = self.source(params.text_document.uri)
        try:
            after = formatted(source).text
        except Refusal:
            return []  # its findings say what is wrong
        return [_whole(source.text, after)] if after != source.text else []


def _findings(source: Source) -> list[Finding]:
    """The findings of a file that its project does not ignore."""
    from rulespec import check_source, kind_of

    if kind_of(source) is None:
        return []
    report = check_source(source)
    with suppress(Failure):  # `ftk check` says what is wrong with the settings
        report = settings(Path(source.path).parent).applied(report)
    return [one for one in report.findings if one.path == source.path]


def _refused(why: str) -> Exception:
    error: Exception = JsonRpcException(why, REQUEST_FAILED)
    return error


def _is_about(source: Source, spec: str) -> bool:
    from rulespec import spec_of

    return source.path == spec or inputs.shown(spec_of(source)) == spec


def _is_saved(source: Source) -> bool:
    from rulespec import read_source

    kept, _ = read_source(source.path)
    return kept is not None and kept.text == source.text


def _whole(before: str | None, after: str) -> Any:
    """The edit that replaces a whole file."""
    lines = (before or "").count("\n") + 1
    return lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(lines, 0)), after)


def _action(words: str, uri: str, edit: Any, diagnostic: Any) -> Any:
    title = words if len(words) <= 80 else f"{words[:79]}…"
    change = lsp.WorkspaceEdit(changes={uri: [edit]})
    return lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[diagnostic], edit=change)


FEATURES: dict[str, Callable[[Session, Any], Any]] = {
    lsp.TEXT_DOCUMENT_DID_OPEN: Session.changed,
    lsp.TEXT_DOCUMENT_DID_CHANGE: Session.changed,
    lsp.TEXT_DOCUMENT_DID_SAVE: Session.saved,
    lsp.TEXT_DOCUMENT_DID_CLOSE: Session.closed,
    lsp.TEXT_DOCUMENT_HOVER: Session.hover,
    lsp.TEXT_DOCUMENT_DEFINITION: Session.definition,
    lsp.TEXT_DOCUMENT_REFERENCES: Session.references,
    lsp.TEXT_DOCUMENT_RENAME: Session.rename,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Session.symbols,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: Session.folding,
    lsp.TEXT_DOCUMENT_COMPLETION: Session.completion,
    lsp.TEXT_DOCUMENT_CODE_ACTION: Session.actions,
    lsp.TEXT_DOCUMENT_FORMATTING: Session.formatting,
}
"""Every request and notice that the server answers, by its method."""


def server() -> Any:
    """A server with all features, which has not been started."""
    from rulespec import __version__

    made = LanguageServer("ftk", __version__)
    session = Session(made)
    for method, answer in FEATURES.items():
        made.feature(method)(partial(answer, session))
    return made
