"""Writes imported terms into a glossary file. Everything else in the file stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping
from rulespec.language.document.patches import Patch, after, column, line_break, patched
from rulespec.text.glossary.concepts import Concept, Glossary, Terms, read
from rulespec.text.glossary.entries import to_yaml

_SAID = tuple(part.name for part in fields(Concept) if part.compare and part.name not in ("id", "terms"))
"""The keys of a concept that do not depend on the language."""
_HEADER = 3
"""The number of lines before the first concept of a canonical glossary."""


def merge(source: Source, came: Source) -> tuple[str, list[Finding]]:
    """The text of a glossary file merged with another glossary, and findings. Never raises.

    The terms of a concept in a language replace the existing ones. Concepts, languages and notes that the other
    glossary lacks are kept, so it may be incomplete.
    """
    old, unreadable = read(source)
    new, broken = read(came)
    if old is None or new is None:
        return source.text, unreadable or broken
    wanted = {**old.concepts, **{id_: _joined(old.concepts.get(id_), c) for id_, c in new.concepts.items()}}
    result = patched(source.text, list(_edits(source, old, wanted)))
    again, _ = read(Source(source.path, result))
    if again != Glossary(old.game, wanted, source):
        message = say("The terms cannot be written without changing other terms of the file.")
        hint = say("Write every concept and every language on a line of its own, then import again.")
        return source.text, [finding("exchange-unwritable", message, source, Span(0, 0), hint)]
    return result, []


def _joined(old: Concept | None, new: Concept) -> Concept:
    if old is None:
        return new
    said = {key: getattr(new, key) or getattr(old, key) for key in _SAID}
    terms = {lang: _with_forms(old.terms.get(lang), terms) for lang, terms in new.terms.items()}
    return replace(old, terms={**old.terms, **terms}, **said)


def _with_forms(old: Terms | None, new: Terms) -> Terms:
    """New terms with what an imported file cannot say: the noun in its cases, and the counted forms of the old ones,
    which it has among the other forms."""
    if old is None:
        return new
    counted = {term.text for term in old.counted.values()} - {term.text for term in old.forms}
    forms = tuple(term for term in new.forms if term.text not in counted)
    return replace(new, forms=forms, counted=old.counted, cases=old.cases, gender=old.gender, becomes=old.becomes)


def _edits(source: Source, old: Glossary, wanted: dict[str, Concept]) -> Iterator[Patch]:
    root, _ = parse(source)
    concepts = root.get("concepts") if isinstance(root, Mapping) else None
    assert isinstance(concepts, Mapping), "a glossary has been read from it"
    for id_, concept in wanted.items():
        there = concepts.get(id_)
        if id_ in old.concepts and isinstance(there, Mapping):
            yield from _changes(source, concepts, there, old.concepts[id_], concept)
    fresh = [concept for id_, concept in wanted.items() if id_ not in old.concepts]
    depth = column(source, concepts.entries[0][0]) if concepts.entries else 2
    # `to_yaml` indents a concept by 2 and its keys by 4.
    lines = [" " * depth + line[2:] for concept in fresh for line in _lines(concept)]
    if lines:
        yield _below(source, concepts, lines)


def _changes(source: Source, around: Mapping, there: Mapping, old: Concept, new: Concept) -> Iterator[Patch]:
    """The edits of one concept: its changed keys with their values."""
    bare = Concept(new.id, "", "", "", {}, new.key)
    parts = {key: replace(bare, **{key: getattr(new, key)}) for key in _SAID if getattr(new, key) != getattr(old, key)}
    parts |= {lang: replace(bare, terms={lang: t}) for lang, t in new.terms.items() if old.terms.get(lang) != t}
    deeper = column(source, there.entries[0][0]) if there.entries else column(source, around.entries[0][0]) + 2
    added: list[str] = []
    for key, part in parts.items():
        lines = [" " * deeper + line[4:] for line in _lines(part)[1:]]
        before = there.key(key)
        if before is None:
            added += lines
        else:
            span = Span(before.span.start, next(value.span for known, value in there.entries if known is before).end)
            # The first line begins where its key was, which is indented already.
            yield Patch(span, line_break(source).join(lines).lstrip(" "))
    if added:
        yield _below(source, there, added)


def _below(source: Source, mapping: Mapping, lines: list[str]) -> Patch:
    return Patch(after(source, mapping), "".join(line_break(source) + line for line in lines))


def _lines(concept: Concept) -> list[str]:
    """The canonical lines of a concept, starting with its id."""
    return to_yaml(Glossary("any", {concept.id: concept}, Source("", ""))).splitlines()[_HEADER:]
