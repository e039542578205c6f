"""Writes a glossary as canonical YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from rulespec.language.document.scalars import resolve
from rulespec.text.glossary.concepts import IDS, Concept, Glossary, Term, Terms

_WIDTH = 120
"""That of the canonical layout of YAML files, `rulespec.language.layout.WIDTH`."""
_PLAIN = re.compile(r"[^\W\d_](?:[\w .'’ʼ/-]*[\w.'’ʼ/])?")
# YAML 1.1 parsers read these as booleans.
_OLDER = frozenset(("y", "n", "yes", "no", "on", "off"))
_LISTS = ("allowed", "forbidden", "vague", "cues", "forms")
# `json.dumps` leaves these as they are. Some are line breaks to YAML 1.1, and none can be seen.
_INVISIBLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def to_yaml(glossary: Glossary) -> str:
    """The glossary as canonical YAML: keys in a fixed order, concepts and terms in their order."""
    lines = ["glossary: 1", f"game: {_scalar(glossary.game)}", "concepts:"]
    for concept in glossary.concepts.values():
        body = [*_concept(concept)]
        lines += [f"  {_scalar(concept.id)}:", *body] if body else [f"  {_scalar(concept.id)}: {{}}"]
    return "\n".join(lines) + "\n"


def _concept(concept: Concept) -> Iterator[str]:
    for key, value in concept.properties.items():
        if value:
            ids = f"[{', '.join(map(_scalar, value.split()))}]" if key in IDS else ""
            yield f"    {key}: {ids or (value if key == 'one_term' else _scalar(value))}"
    for lang, terms in concept.terms.items():
        entries = [*_entries(terms)]
        line = f"    {lang}: {{{', '.join(entries)}}}"
        yield from [line] if len(line) <= _WIDTH else [f"    {lang}:", *(f"      {entry}" for entry in entries)]


def _entries(terms: Terms) -> Iterator[str]:
    if terms.preferred is not None:
        yield f"preferred: {_scalar(terms.preferred.text)}"
    for key in _LISTS:
        listed: tuple[Term, ...] = getattr(terms, key)
        if listed:
            yield f"{key}: [{', '.join(_scalar(term.text) for term in listed)}]"
    if terms.counted:
        yield f"counted: {_forms(terms.counted)}"
    if terms.label is not None:
        yield f"label: {_scalar(terms.label.text)}"
    if terms.gender is not None:
        yield f"gender: {_scalar(terms.gender.text)}"
    if terms.cases:
        yield f"cases: {_forms(terms.cases)}"
    if terms.becomes is not None:
        yield f"becomes: {_scalar(terms.becomes.text)}"


def _forms(forms: Mapping[str, Term]) -> str:
    return f"{{{', '.join(f'{key}: {_scalar(term.text)}' for key, term in forms.items())}}}"


def _scalar(text: str) -> str:
    # A text has no quotes only if every YAML parser reads it as a text.
    plain = _PLAIN.fullmatch(text) and isinstance(resolve(text), str) and text.lower() not in _OLDER
    if plain:
        return text
    # A string of JSON is a double-quoted scalar of YAML.
    return _INVISIBLE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text, ensure_ascii=False))
