"""What stands between the words and lines of a file: colours of names, hints, and lines to follow or to run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ftk_cli.lsp.convert import uri_of
from ftk_cli.lsp.session import Session
from rulespec.base.findings.catalog import text_in
from rulespec.base.messages import Message, say, sentences
from rulespec.editing.file_kinds import spec_of

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.editing.editors.lenses import Lens
    from rulespec.editing.editors.uses import Token
    from rulespec.games.scenario.runner import CaseResult

SHOW, RUN, PLAY = "ftk.showReferences", "ftk.runScenario", "ftk.play"
"""The commands of lenses: the editor shows places, the server runs a case, the editor runs a program in a terminal."""

TOKENS = {
    "rule": lsp.SemanticTokenTypes.Function,
    "procedure": lsp.SemanticTokenTypes.Method,
    "function": lsp.SemanticTokenTypes.Macro,
    "zone": lsp.SemanticTokenTypes.Struct,
    "value": lsp.SemanticTokenTypes.Variable,
    "table": lsp.SemanticTokenTypes.Namespace,
    "field": lsp.SemanticTokenTypes.Property,
    "parameter": lsp.SemanticTokenTypes.Parameter,
    "enum": lsp.SemanticTokenTypes.Enum,
    "member": lsp.SemanticTokenTypes.EnumMember,
    "answer": lsp.SemanticTokenTypes.EnumMember,
    "ruling": lsp.SemanticTokenTypes.Interface,
}
LEGEND = lsp.SemanticTokensLegend(
    list(dict.fromkeys(one.value for one in TOKENS.values())), [lsp.SemanticTokenModifiers.Declaration.value]
)


async def tokens(session: Session, params: Any) -> Any:
    from rulespec.editing.editors.uses import tokens

    source = await session.checked(params.text_document.uri)
    spec = session.spec(source)
    found = await session.work(lambda: tokens(source, spec))
    return lsp.SemanticTokens(list(_encoded(session, source, found)))


def _encoded(session: Session, source: Source, found: tuple[Token, ...]) -> Iterator[int]:
    """Five numbers for each token: lines and columns since the one before, its length, its kind and modifiers."""
    line, column = 0, 0
    for token in found:
        placed = session.texts.range(source, token.span)
        start, end = placed.start, placed.end
        if start.line == end.line:  # no name goes over a line break
            yield start.line - line
            yield start.character - (column if start.line == line else 0)
            yield end.character - start.character
            yield LEGEND.token_types.index(TOKENS[token.kind].value)
            yield int(token.declares)
            line, column = start.line, start.character


async def hints(session: Session, params: Any) -> Any:
    from rulespec.editing.editors.hints import hints

    source = await session.checked(params.text_document.uri)
    spec = session.spec(source)
    found = await session.work(lambda: hints(source, spec))
    placed = ((session.texts.position(source, source.position(one.offset)), one) for one in found)
    wanted = range(params.range.start.line, params.range.end.line + 1)
    return [lsp.InlayHint(at, one.text, tooltip=one.means) for at, one in placed if at.line in wanted]


async def lenses(session: Session, params: Any) -> Any:
    from rulespec.editing.editors.lenses import lenses

    source = await session.checked(params.text_document.uri)
    spec, opened = session.spec(source), session.opened()
    found = await session.work(lambda: lenses(source, spec, opened))
    return [_lens(session, source, one) for one in found]


def _lens(session: Session, source: Source, lens: Lens) -> Any:
    place, uri = session.texts.range(source, lens.span), uri_of(source.path)
    if lens.case:
        command = lsp.Command(lens.title, RUN, arguments=[uri, lens.case])
    elif lens.play:
        command = lsp.Command(lens.title, PLAY, arguments=[[sys.executable, "-m", "ftk_cli", "play", *lens.play]])
    else:
        places = [session.location(one.source, one.span) for one in lens.places]
        command = lsp.Command(lens.title, SHOW if places else "", arguments=[uri, place.start, places])
    return lsp.CodeLens(place, command)


def runner(session: Session) -> Callable[[str, str], Any]:
    """The command that plays a case of a file as it is in the editor, and shows how it ends."""

    async def run(uri: str, case: str) -> Any:
        source = await session.checked(uri)
        spec = session.spec(source)
        done = await session.work(lambda: _result(source, spec, case))
        passed, message = done is not None and done.passed, text_in(_words(case, done), session.lang)
        kind = lsp.MessageType.Info if passed else lsp.MessageType.Warning
        session.server.window_show_message(lsp.ShowMessageParams(kind, message))
        return {"case": case, "path": source.path, "passed": passed, "message": message}

    return run


def _result(source: Source, spec: Source | None, case: str) -> CaseResult | None:
    from rulespec.games.api import SpecError, load, loads
    from rulespec.games.scenario.runner import results

    try:
        game = loads(spec) if spec is not None else load(spec_of(source))
    except SpecError:
        return None
    return results([source], [case], game).get(case)


def _words(case: str, done: CaseResult | None) -> Message:
    if done is None:
        return say("{case} cannot be played: see the findings of its file and of its spec.", case=case)
    if done.passed:
        return say("{case} passed.", case=case)
    failed = [say("line {line}: {message}", line=one.start.line, message=one.message) for one in done.findings]
    return sentences(say("{case} failed.", case=case), *failed)
