"""The language server: answers the requests of an editor with what `rulespec.editing.editors` finds."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ftk_cli.lsp import between, files, names, texts
from ftk_cli.lsp.session import Session
from rulespec import __version__

FEATURES: dict[str, Callable[[Session, Any], Any]] = {
    lsp.INITIALIZE: Session.begun,
    lsp.INITIALIZED: Session.ready,
    lsp.TEXT_DOCUMENT_DID_OPEN: Session.opened_file,
    lsp.TEXT_DOCUMENT_DID_CHANGE: Session.changed,
    lsp.TEXT_DOCUMENT_DID_SAVE: Session.saved,
    lsp.TEXT_DOCUMENT_DID_CLOSE: Session.closed,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: Session.saved,
    lsp.TEXT_DOCUMENT_HOVER: names.hover,
    lsp.TEXT_DOCUMENT_DEFINITION: names.definition,
    lsp.TEXT_DOCUMENT_REFERENCES: names.references,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: names.renamed,
    lsp.TEXT_DOCUMENT_RENAME: names.rename,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: files.symbols,
    lsp.WORKSPACE_SYMBOL: files.project_symbols,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: files.folding,
    lsp.TEXT_DOCUMENT_COMPLETION: files.completion,
    lsp.TEXT_DOCUMENT_CODE_ACTION: files.actions,
    lsp.TEXT_DOCUMENT_FORMATTING: files.formatting,
    lsp.TEXT_DOCUMENT_INLAY_HINT: between.hints,
    lsp.TEXT_DOCUMENT_CODE_LENS: between.lenses,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: between.tokens,
}
"""Every request and notice that the server answers, by its method."""

OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: between.LEGEND,
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=[".", " ", "{", "[", "(", '"']),
}
"""What the server says about a method when it begins."""

COMMANDS: dict[str, Callable[[Session], Any]] = {between.RUN: between.runner, texts.SHOW: texts.shower}
"""The commands that the server carries out. Each is made for a session: pygls reads the types of its arguments."""


def server() -> Any:
    """A server with all features, which has not been started."""
    for log in ("pygls.protocol.json_rpc", "asyncio"):
        logging.getLogger(log).addFilter(names.is_failure)
    made = LanguageServer("ftk", __version__)
    session = Session(made)
    for method, answer in FEATURES.items():
        made.feature(method, OPTIONS.get(method))(partial(answer, session))
    for name, made_for in COMMANDS.items():
        made.command(name)(made_for(session))
    return made
