"""What an editor shows about the word at a place, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.editing.editors.cells import about_spreadsheet, spreadsheet_at
from rulespec.editing.editors.functions import FUNCTIONS
from rulespec.editing.editors.names import PROSE, Declared, declared, references
from rulespec.editing.editors.pieces import readable
from rulespec.editing.editors.places import Place, place_at
from rulespec.editing.editors.schemas import keys_at, schema_of
from rulespec.games.api import model_of, weight_texts
from rulespec.games.rulebook import texts_at
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.rules.describe.description import Description, items
from rulespec.text.rules.describe.grammar import grammar_of


def hover(source: Source, offset: int, spec: Source | None = None) -> tuple[str, Span] | None:
    """What is known about the word at an offset, and the span of it; None if that is nothing."""
    root = readable(source)
    place = place_at(root, offset) if root is not None else None
    if place is None:
        return None
    if spreadsheet_at(source, offset):
        about = about_spreadsheet(source)
        return (about, place.node.span) if about else None
    name = declared(source, offset, spec)
    if name is not None:
        return "\n\n".join(_about(name)), place.node.span
    if found := next(_calls(place, offset), None):
        return found
    schema = schema_of(source)
    means = keys_at(schema, place.around).get(place.node.text, "") if place.is_key and schema else ""
    means = f"**{place.node.text}**: {means}" if means else ""
    return (means, place.node.span) if means else None


def _calls(place: Place, offset: int) -> Iterator[tuple[str, Span]]:
    """The function of expressions at an offset."""
    for call in re.finditer(r"[a-z_]+(?=\()", place.node.text if place.key not in PROSE else ""):
        span = place.node.value_span(*call.span())
        if span.start <= offset <= span.end and call[0] in FUNCTIONS:
            yield FUNCTIONS[call[0]], span


def _about(name: Declared) -> Iterator[str]:
    """The declaration of a name, what its rule is called, does and says in each language, and how often it is used."""
    target, spec = name.target, name.spec
    yield f"**{target.full}** ({target.kind})"
    start = spec.position(target.span.start)
    if target.kind in ("rule", "ruling"):
        yield from _of_rule(name)
    else:
        yield f"```yaml\n{spec.line(start.line).strip()}\n```"
    used = list(references(name))
    files = len({one.source.path for one in used})
    places = f"{len(used)} place{'s' * (len(used) != 1)}"
    yield f"{places} in {files} file{'s' * (files != 1)}; declared at {spec.path}:{start.line}"


def _of_rule(name: Declared) -> Iterator[str]:
    model, id_ = model_of(name.spec)[0], name.target.name
    if model is None:
        return
    if id_ in model.rules and model.rules[id_].title != id_:
        yield model.rules[id_].title
    if id_ in model.rules and (lines := Description(model, LANGUAGE_OF_SPECS).rule(id_).lines):
        yield items(lines)
    if weights := list(weight_texts(model, id_)):
        hint = grammar_of(LANGUAGE_OF_SPECS).labels["weight"]
        yield "\n".join(f"- {hint.format(option=option, weight=weight)}" for option, weight in weights)
    for lang, translation in texts_at(name.spec.path, model.id).items():
        passage = translation.passages.get(id_)
        if passage is not None:
            yield f"{lang}: {passage.text.text.strip()}"
