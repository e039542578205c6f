"""The name at a place: what it means, where it is declared and used, and a new name for it."""

from __future__ import annotations

import logging
from asyncio import CancelledError
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ftk_cli import inputs
from ftk_cli.lsp.convert import uri_of
from ftk_cli.lsp.session import Session
from rulespec.base.failure import Refusal
from rulespec.base.project import is_packaged
from rulespec.base.source import from_bytes as source_from_bytes
from rulespec.base.source import read as read_source
from rulespec.editing.editors.cells import spreadsheet_at
from rulespec.editing.file_kinds import spec_of
from rulespec.language.cards_from import spreadsheet_of

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.editing.editors.names import Declared
    from rulespec.editing.renaming.sheet import SheetChange

REQUEST_FAILED = -32803
"""The code of an answer that says why a request cannot be met; the editor shows the message."""


async def hover(session: Session, params: Any) -> Any:
    from rulespec.editing.editors.hover import hover

    source, offset = session.at(params)
    spec = session.spec(source)
    found = await session.work(lambda: hover(source, offset, spec))
    if found is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0])
    return lsp.Hover(content, session.texts.range(source, found[1]))


def definition(session: Session, params: Any) -> Any:
    if path := spreadsheet_at(*session.at(params)):
        begin = lsp.Position(0, 0)
        return lsp.Location(uri_of(path), lsp.Range(begin, begin))
    found = _declared(session, params)
    return None if found is None else session.location(found.spec, found.target.span)


def references(session: Session, params: Any) -> Any:
    from rulespec.editing.editors.names import references

    found = _declared(session, params)
    places = references(found, session.opened()) if found is not None else ()
    return [session.location(one.source, one.span) for one in places]


def renamed(session: Session, params: Any) -> Any:
    """The name at a place and where it stands, before a new name is typed; None if there is none to change."""
    source, _ = session.at(params)
    found = _declared(session, params)
    return found and lsp.PrepareRenamePlaceholder(session.texts.range(source, found.span), found.target.name)


def rename(session: Session, params: Any) -> Any:
    """The changes of `ftk rename`, which checks that the game stays the same. Files must be saved."""
    from rulespec.editing.renaming.plan import plan

    found = _declared(session, params)
    if found is None:
        raise _refused("There is no name here that can be changed.")
    if is_packaged(found.spec.path):
        raise _refused(f"{found.spec.path} is packaged with ftk and read-only. Copy the game into a project first.")
    unsaved = [one.path for one in session.opened() if _is_about(one, found.spec) and not _is_saved(one)]
    if unsaved:
        raise _refused(f"Save {', '.join(unsaved)} first: a rename changes all files of the game.")
    try:
        made = plan(found.spec.path, found.target.full, params.new_name, found.target.kind)
    except Refusal as refused:
        raise _refused(f"{refused} {refused.hint}".strip()) from None
    changes = {uri_of(one.path): session.texts.edits(one.path, one.before, one.after) for one in made.files}
    if made.sheet is not None:
        changes |= _of_sheet(session, made.sheet, f"ftk rename {made.target.full} {made.new} {found.spec.path} --write")
    return lsp.WorkspaceEdit(changes=changes)


def _of_sheet(session: Session, change: SheetChange, command: str) -> dict[str, Any]:
    """The changes of a spreadsheet in CSV. Raises an error for another one, with the command that changes it."""
    texts = [source_from_bytes(content, change.path)[0] for content in (change.before, change.after)]
    before, after = (text.text if text is not None else None for text in texts)
    if before is None or after is None:
        raise _refused(f"The name is also in {change.path}, which an editor cannot change. Run: {command}")
    return {uri_of(change.path): session.texts.edits(change.path, before, after)}


def _declared(session: Session, params: Any) -> Declared | None:
    from rulespec.editing.editors.names import declared

    source, offset = session.at(params)
    return declared(source, offset, session.spec(source))


def _refused(why: str) -> Exception:
    error: Exception = JsonRpcException(why, REQUEST_FAILED)
    return error


def is_failure(record: logging.LogRecord) -> bool:
    """Whether a record of the log is about more than a refused request, which the editor shows, or one that the end of
    the server cuts off."""
    error = record.exc_info[1] if record.exc_info else None
    is_refused = isinstance(error, JsonRpcException) and error.code == REQUEST_FAILED
    return not (is_refused or isinstance(error, CancelledError))


def _is_about(source: Source, spec: Source) -> bool:
    """Whether a file is a spec, about it, or the spreadsheet with its cards."""
    return source.path in (spec.path, spreadsheet_of(spec)) or inputs.shown(spec_of(source)) == spec.path


def _is_saved(source: Source) -> bool:
    kept, _ = read_source(source.path)
    return kept is not None and kept.text == source.text
