"""What an editor offers for texts that are others than those that were confirmed: to confirm them, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ftk_cli.lsp.convert import uri_of
from ftk_cli.lsp.session import Session
from rulespec.base.messages import say
from rulespec.base.worklist import SINCE

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source

SHOW = "ftk.showChanges"


def actions(session: Session, source: Source, uri: str, found: Iterable[Finding]) -> Iterator[Any]:
    """The actions for the texts that findings of a file say have changed since they were confirmed."""
    from rulespec.text.checks.check import CONTRADICTIONS

    rules = dict.fromkeys(one.rule for one in found if one.lang and one.names & SINCE)
    every = session.last_findings(uri)
    for rule in filter(None, rules):
        about = [session.texts.diagnostic(source, one) for one in every if one.rule == rule and one.names & SINCE]
        title, shown = (session.said(text) for text in _titles(rule))
        command = lsp.Command(shown, SHOW, arguments=[uri, rule])
        yield lsp.CodeAction(shown, kind=lsp.CodeActionKind.QuickFix, diagnostics=about, command=command)
        # A text that contradicts its rule is confirmed with a reason only: `ftk text status --confirm --anyway`.
        if not any(one.rule == rule and one.names.intersection(CONTRADICTIONS) for one in every):
            edit = _confirmed(session, source, rule)
            if edit is not None:
                yield lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, diagnostics=about, edit=edit)


def shower(session: Session) -> Callable[[str, str], Any]:
    """The command that shows what has changed since the text of a rule was confirmed."""

    async def show(uri: str, rule: str) -> Any:
        found = [one.in_language(session.lang) for one in session.last_findings(uri) if one.rule == rule]
        said = [one.message for one in found if one.name in SINCE]
        said += [other.message for one in found for other in one.related if other.name in SINCE]
        message = "\n".join(dict.fromkeys(said))
        session.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, message))
        return {"rule": rule, "message": message}

    return show


def _titles(rule: str) -> tuple[str, str]:
    return say("Confirm the text of `{rule}`", rule=rule), say("Show what changed in `{rule}`", rule=rule)


def _confirmed(session: Session, source: Source, rule: str) -> Any:
    """The edit of the file, and of what is kept, that confirms a text; None if that cannot be."""
    from rulespec.games.confirmed import confirming_in

    made = confirming_in(source, rule)
    if made is None or made.findings:
        return None
    changes: list[Any] = [_edit(session, source.path, source.text, made.source.text)]
    for path, text in made.kept.items():
        there = uri_of(str(path))
        if text is None:
            changes.append(lsp.DeleteFile(there, options=lsp.DeleteFileOptions(ignore_if_not_exists=True)))
            continue
        before = path.read_text(encoding="utf-8") if Path(path).is_file() else None
        if before is None:
            changes.append(lsp.CreateFile(there, options=lsp.CreateFileOptions(ignore_if_exists=True)))
        changes.append(_edit(session, str(path), before, text))
    return lsp.WorkspaceEdit(document_changes=changes)


def _edit(session: Session, path: str, before: str | None, after: str) -> Any:
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(path))
    return lsp.TextDocumentEdit(document, session.texts.edits(path, before, after))
