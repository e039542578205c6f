"""Builds a glossary from the entries of an imported file, one entry per term."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulespec.base.characters import STEERING
from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, any_of, say
from rulespec.base.source import Source
from rulespec.language.document.scalars import resolve
from rulespec.text.glossary.concepts import IDS, PROPERTIES, Concept, Glossary, Status, Term, Terms
from rulespec.text.languages.registry import nearest

_ID = re.compile(r"[a-z][a-z0-9_]*")
_CONTROL = re.compile(f"[\t\n\ud800-\udfff]|{STEERING.pattern}")
_LISTS = {
    Status.ALLOWED: "allowed",
    Status.FORBIDDEN: "forbidden",
    Status.VAGUE: "vague",
    Status.CUE: "cues",
    Status.FORM: "forms",
}
_SINGLE = {Status.PREFERRED: say("preferred term"), Status.LABEL: say("label")}


@dataclass(frozen=True)
class Entry:
    """One term at `place`, or the properties of a concept if `term` is empty.

    `properties` are texts by their keys (see `Concept.properties`).
    """

    concept: str
    place: Span
    properties: Mapping[str, str] = field(default_factory=dict)
    lang: str = ""
    status: str = ""
    term: str = ""


def collect(entries: Iterable[Entry], game: str, source: Source) -> tuple[str, list[Finding]]:
    """The glossary of the entries as YAML, and the findings of invalid entries, which are left out."""
    gathered = _Gathered(source)
    for entry in entries:
        gathered.take(entry)
    if not gathered.concepts and not gathered.findings:
        gathered.say(
            "terms-unreadable", say("The file has no terms."), Span(0, 0), say("Check that this is the right file.")
        )
    return to_yaml(gathered.glossary(game)), gathered.findings


@dataclass
class _Half:
    """A concept under construction."""

    place: Span
    said: dict[str, str] = field(default_factory=dict)
    terms: dict[str, dict[Status, list[Term]]] = field(default_factory=dict)


class _Gathered:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Finding] = []
        self.concepts: dict[str, _Half] = {}

    def say(self, name: str, message: Message, place: Span, hint: Message) -> None:
        self.findings.append(finding(name, message, self.source, place, hint))

    def take(self, entry: Entry) -> None:
        if not _ID.fullmatch(entry.concept):
            what = (
                say("`{concept}` cannot be the id of a concept.", concept=entry.concept)
                if entry.concept
                else say("The concept is missing.")
            )
            self._refuse(entry, what, say("An id has small letters, digits and underscores and begins with a letter."))
            return
        half = self.concepts.setdefault(entry.concept, _Half(entry.place))
        for key in PROPERTIES:
            self._property(half, entry, key, _tidy(key, entry.properties.get(key, "")))
        if entry.term or entry.lang or entry.status:
            self._term(half, entry)

    def _refuse(self, entry: Entry, message: Message, hint: Message) -> None:
        self.say("terms-entry", message, entry.place, hint)

    def _property(self, half: _Half, entry: Entry, key: str, value: str) -> None:
        if _CONTROL.search(value.replace("\n", "").replace("\t", "") if key == "note" else value):
            self._refuse(
                entry, say("The text under `{key}` has an invisible control character.", key=key), say("Delete it.")
            )
        elif key == "one_term" and value not in ("", "true", "false"):
            self._refuse(
                entry, say("`{value}` is not a value of `one_term`.", value=value), say("Write true or false.")
            )
        elif key in IDS and not all(_ID.fullmatch(id_) for id_ in value.split()):
            self._refuse(entry, say("`{value}` are not ids of concepts.", value=value), say("Separate ids by spaces."))
        elif value and half.said.setdefault(key, value) != value:
            message = say("`{concept}` already has another text under `{key}`.", concept=entry.concept, key=key)
            self._refuse(entry, message, say("Make them equal, or keep only the first."))

    def _term(self, half: _Half, entry: Entry) -> None:
        lang, status, text = nearest(entry.lang), entry.status.strip().lower(), entry.term.strip()
        if not lang:
            self._refuse(
                entry,
                say("`{lang}` is not a language of glossaries.", lang=entry.lang),
                say("Write a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`."),
            )
        # A list: until Python 3.12, `in` raises TypeError for a text and an enum.
        elif status not in list(Status):
            self._refuse(
                entry,
                say("`{status}` is not the status of a term.", status=entry.status),
                say("Write {names}.", names=any_of(tuple(Status))),
            )
        elif not text or _CONTROL.search(text):
            what = (
                say("The term has a line break or another invisible sign in it.")
                if text
                else say("The term is missing.")
            )
            self._refuse(entry, what, say("Write the words of the term on one line."))
        else:
            self._add(half, entry, lang, Status(status), Term(text, entry.place))

    def _add(self, half: _Half, entry: Entry, lang: str, status: Status, term: Term) -> None:
        listed = half.terms.setdefault(lang, {}).setdefault(status, [])
        if status in _SINGLE and listed:
            message = say(
                "`{concept}` already has the {single} `{listed}` in {lang}.",
                concept=entry.concept,
                single=_SINGLE[status],
                listed=listed[0].text,
                lang=lang,
            )
            self._refuse(entry, message, say("Change the status of one of them to allowed."))
        else:
            listed.append(term)

    def glossary(self, game: str) -> Glossary:
        return Glossary(game, {id_: _concept(id_, half) for id_, half in self.concepts.items()}, self.source)


def _concept(id_: str, half: _Half) -> Concept:
    by_lang = {lang: _terms(half.terms[lang]) for lang in sorted(half.terms)}
    names, defined_by, note, one_term, sort, asks, settled_by, any_of = (half.said.get(key, "") for key in PROPERTIES)
    return Concept(
        id_,
        names,
        defined_by,
        note,
        by_lang,
        half.place,
        one_term=one_term == "true",
        sort=sort,
        asks=asks,
        settled_by=tuple(settled_by.split()),
        any_of=tuple(any_of.split()),
    )


def _tidy(key: str, value: str) -> str:
    # Spreadsheets write TRUE, and manual input may contain two spaces.
    if key == "one_term":
        return value.strip().lower()
    return " ".join(value.split()) if key in IDS else value.strip()


def _terms(listed: dict[Status, list[Term]]) -> Terms:
    lists: dict[str, Any] = {name: tuple(listed.get(status, ())) for status, name in _LISTS.items()}
    preferred, label = (next(iter(listed.get(status, ())), None) for status in _SINGLE)
    return Terms(preferred=preferred, label=label, **lists)


_WIDTH = 120
"""That of the canonical layout of YAML files, `rulespec.language.layout.WIDTH`."""
_PLAIN = re.compile(r"[^\W\d_](?:[\w .'’ʼ/-]*[\w.'’ʼ/])?")
# YAML 1.1 parsers read these as booleans.
_OLDER = frozenset(("y", "n", "yes", "no", "on", "off"))
_LISTED = ("allowed", "forbidden", "vague", "cues", "forms")
# `json.dumps` leaves these as they are. Some are line breaks to YAML 1.1, and none can be seen.
_INVISIBLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def to_yaml(glossary: Glossary) -> str:
    """The glossary as canonical YAML: keys in a fixed order, concepts and terms in their order."""
    lines = ["glossary: 1", f"game: {_scalar(glossary.game)}", "concepts:"]
    for concept in glossary.concepts.values():
        body = [*_lines_of(concept)]
        lines += [f"  {_scalar(concept.id)}:", *body] if body else [f"  {_scalar(concept.id)}: {{}}"]
    return "\n".join(lines) + "\n"


def _lines_of(concept: Concept) -> Iterator[str]:
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
    for key in _LISTED:
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
