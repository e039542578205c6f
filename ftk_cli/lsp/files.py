"""A file as a whole: its outline, folding and layout, completion, fixes, and the names of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ftk_cli.lsp import texts
from ftk_cli.lsp.session import Session
from rulespec.editing.editors.outline import folds, outline
from rulespec.language.layout import Refusal, formatted

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source

PROPOSED = {
    "key": lsp.CompletionItemKind.Property,
    "choice": lsp.CompletionItemKind.EnumMember,
    "member": lsp.CompletionItemKind.EnumMember,
    "enum": lsp.CompletionItemKind.Enum,
    "zone": lsp.CompletionItemKind.Folder,
    "value": lsp.CompletionItemKind.Variable,
    "variable": lsp.CompletionItemKind.Variable,
    "field": lsp.CompletionItemKind.Field,
    "function": lsp.CompletionItemKind.Function,
    "rule": lsp.CompletionItemKind.Reference,
    "word": lsp.CompletionItemKind.Text,
}

SYMBOLS = {
    "enum": lsp.SymbolKind.Enum,
    "member": lsp.SymbolKind.EnumMember,
    "answer": lsp.SymbolKind.EnumMember,
    "zone": lsp.SymbolKind.Array,
    "value": lsp.SymbolKind.Variable,
    "field": lsp.SymbolKind.Field,
    "table": lsp.SymbolKind.Object,
    "rule": lsp.SymbolKind.Function,
    "procedure": lsp.SymbolKind.Method,
    "case": lsp.SymbolKind.Event,
    "concept": lsp.SymbolKind.String,
}


async def symbols(session: Session, params: Any) -> Any:
    source = await session.checked(params.text_document.uri)
    return [session.texts.symbol(source, entry) for entry in outline(source)]


async def project_symbols(session: Session, params: Any) -> Any:
    from rulespec.editing.editors.symbols import symbols

    opened = session.opened()
    found = await session.work(lambda: symbols(params.query, opened))
    return [
        lsp.WorkspaceSymbol(
            location=session.location(one.source, one.span),
            name=one.name,
            kind=SYMBOLS.get(one.kind, lsp.SymbolKind.Key),
            container_name=one.inside,
        )
        for one in found
    ]


async def folding(session: Session, params: Any) -> Any:
    lines = folds(await session.checked(params.text_document.uri))
    return [lsp.FoldingRange(first - 1, last - 1) for first, last in lines]


def completion(session: Session, params: Any) -> Any:
    from rulespec.editing.editors.completion import proposals, typed_before

    source, offset = session.at(params)
    # The names of the last check: a word that is half written is none, and nothing is read again for it.
    found = proposals(source, offset, session.spec(source, checked=True))
    return [
        lsp.CompletionItem(
            one.text,
            kind=PROPOSED.get(one.kind),
            detail=one.detail or one.kind,
            text_edit=lsp.TextEdit(session.texts.range(source, typed_before(source, offset, one)), one.text),
        )
        for one in found
    ]


async def actions(session: Session, params: Any) -> Any:
    source = await session.checked(params.text_document.uri)
    here = range(params.range.start.line + 1, params.range.end.line + 2)
    found = [one for one in session.last_findings(params.text_document.uri) if one.start.line in here]
    made = (_action(session, source, params.text_document.uri, one) for one in found)
    of_texts = texts.actions(session, source, params.text_document.uri, found)
    return [*(one for one in made if one is not None), *of_texts]


def _action(session: Session, source: Source, uri: str, found: Finding) -> Any:
    """The fix of a finding; None if it has none."""
    from rulespec.editing.fixes import FIXES, patch_of

    patch = patch_of(source, found)
    if patch is None:
        return None
    edit = lsp.TextEdit(session.texts.range(source, patch.span), patch.text)
    does = FIXES[found.name].does.capitalize()
    words = f"{does}: {patch.text}" if patch.text and "\n" not in patch.text else does
    title = words if len(words) <= 80 else f"{words[:79]}…"
    change = lsp.WorkspaceEdit(changes={uri: [edit]})
    about = session.texts.diagnostic(source, found)
    return lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[about], edit=change)


def formatting(session: Session, params: Any) -> Any:
    source = session.source(params.text_document.uri)
    try:
        after = formatted(source).text
    except Refusal:
        return []  # its findings say what is wrong
    return session.texts.edits(source.path, source.text, after)
