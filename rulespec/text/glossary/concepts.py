"""The glossary of a game: concepts and their terms in each language, with spans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Report, Span
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.formats.current import document
from rulespec.text.languages.registry import find, outdated, unknown, use
from rulespec.text.languages.tags import parents


class Status(StrEnum):
    """The status of a phrase for a concept, by precedence."""

    PREFERRED = "preferred"
    ALLOWED = "allowed"
    FORM = "form"
    FORBIDDEN = "forbidden"
    VAGUE = "vague"
    CUE = "cue"
    LABEL = "label"

    @property
    def is_term(self) -> bool:
        """Whether the phrase names the concept, correctly or not. Cues and vague phrases only indicate it, and a label
        is for descriptions."""
        return self not in (Status.VAGUE, Status.CUE, Status.LABEL)


@dataclass(frozen=True)
class Term:
    """A phrase as written, with its span. Terms with the same text are equal."""

    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True)
class Terms:
    """The terms of one concept in one language. `preferred` is the term that translations use, or None.

    `counted` are the forms of the preferred term after a number, by its plural category; they count as forms.
    `vague` are phrases that leave the ruling `asks` of the concept open. `label` is the noun that generated
    sentences use instead of the preferred term, such as a verb; `cases` are the forms that this noun, or the preferred
    term, has in them, by the cases of the language, with indices of a value or zone in braces; `gender` is what other
    words agree with; `becomes` is the whole sentence that a change of the value is reported with. Texts are not
    searched for any of these.
    """

    preferred: Term | None = None
    allowed: tuple[Term, ...] = ()
    forbidden: tuple[Term, ...] = ()
    cues: tuple[Term, ...] = ()
    forms: tuple[Term, ...] = ()
    vague: tuple[Term, ...] = ()
    label: Term | None = None
    counted: Mapping[str, Term] = field(default_factory=dict)
    cases: Mapping[str, Term] = field(default_factory=dict)
    gender: Term | None = None
    becomes: Term | None = None

    def each(self) -> Iterator[tuple[Status, Term]]:
        """All phrases with their status, in the order of Status."""
        yield from ((Status.PREFERRED, term) for term in (self.preferred,) if term is not None)
        yield from ((Status.ALLOWED, term) for term in self.allowed)
        known = {term.text for term in (self.preferred, *self.allowed) if term is not None}
        forms = (term for term in dict.fromkeys((*self.forms, *self.counted.values())) if term.text not in known)
        yield from ((Status.FORM, term) for term in (forms if self.counted else self.forms))
        yield from ((Status.FORBIDDEN, term) for term in self.forbidden)
        yield from ((Status.VAGUE, term) for term in self.vague)
        yield from ((Status.CUE, term) for term in self.cues)
        yield from ((Status.LABEL, term) for term in (self.label,) if term is not None)


class ByLanguage(dict[str, Terms]):
    """Terms by the tag of their language. A regional tag without terms of its own has those of the tag above it."""

    def __missing__(self, lang: str) -> Terms:
        return dict.__getitem__(self, self._heir(lang))

    def __contains__(self, lang: object) -> bool:
        return dict.__contains__(self, lang) or bool(self._heir(str(lang)))

    def get(self, lang: str, otherwise: Any = None) -> Any:
        return dict.get(self, lang if dict.__contains__(self, lang) else self._heir(lang), otherwise)

    def _heir(self, lang: str) -> str:
        return next((tag for tag in parents(lang) if dict.__contains__(self, tag)), "")


@dataclass(frozen=True)
class Concept:
    """A thing or action of the game that has terms.

    `names` is its name in the spec and `defined_by` the rule that introduces it, each "" if not given.
    `one_term`: texts use one term for it, as for a card or a zone. Actions may be worded freely.
    `sort`: concepts of one sort can be confused, such as `facing` for face up and face down. "" if the name in the spec
    implies the sort. `asks` is the ruling that its vague phrases leave open unless the same sentence mentions a concept
    of `settled_by` (ids); "" if there are none. `key` is the span of its id, the other spans are those of the values,
    `settled_spans` one for each id.
    """

    id: str
    names: str
    defined_by: str
    note: str
    terms: Mapping[str, Terms]
    key: Span = field(compare=False)
    names_span: Span = field(default=Span(0, 0), compare=False)
    defined_span: Span = field(default=Span(0, 0), compare=False)
    one_term: bool = False
    sort: str = ""
    asks: str = ""
    settled_by: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    asks_span: Span = field(default=Span(0, 0), compare=False)
    settled_spans: tuple[Span, ...] = field(default=(), compare=False)
    any_of_spans: tuple[Span, ...] = field(default=(), compare=False)

    @property
    def is_label(self) -> bool:
        """Whether the concept only gives a name of the spec a label: no text can mention it."""
        statuses = {status for terms in self.terms.values() for status, _ in terms.each()}
        return statuses == {Status.LABEL} and not self.any_of

    @property
    def properties(self) -> Mapping[str, str]:
        """The properties of the concept as texts for a table: ids separated by spaces, "true" or ""."""
        return {
            "names": self.names,
            "defined_by": self.defined_by,
            "note": self.note,
            "one_term": self.one_term * "true",
            "sort": self.sort,
            "asks": self.asks,
            "settled_by": " ".join(self.settled_by),
            "any_of": " ".join(self.any_of),
        }


PROPERTIES = ("names", "defined_by", "note", "one_term", "sort", "asks", "settled_by", "any_of")
"""The keys of a concept except its languages, in canonical order."""

IDS = ("settled_by", "any_of")
"""Those whose value is a list of concept ids."""


@dataclass(frozen=True)
class Glossary:
    """All concepts of a game, by id. Equality ignores spans."""

    game: str
    concepts: Mapping[str, Concept]
    source: Source = field(repr=False, compare=False)
    place: Span = field(default=Span(0, 0), compare=False)
    """The span of `game:`, used for findings about the whole glossary."""

    # Mappings have no hash; a glossary is the key of caches, which compare concepts only where this is equal.
    def __hash__(self) -> int:
        return hash((self.game, tuple(self.concepts)))

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """For each concept, the concepts that are mentioned whenever it is (`any_of`)."""
        found: dict[str, tuple[str, ...]] = {}
        for concept in self.concepts.values():
            for member in concept.any_of:
                found[member] = (*found.get(member, ()), concept.id)
        return found

    @cached_property
    def player(self) -> str:
        """The concept of players, "" if there is none."""
        every = (concept.id for concept in self.concepts.values() if "player" in (concept.names, concept.id))
        return next(every, "")

    @cached_property
    def words(self) -> str:
        """All ids, properties and phrases, without comments of the file."""
        every = (one for concept in self.concepts.values() for one in (concept.id, *concept.properties.values()))
        languages = (terms for concept in self.concepts.values() for terms in concept.terms.values())
        return "\n".join((*every, *(term.text for terms in languages for _, term in terms.each())))

    def languages(self) -> tuple[str, ...]:
        """The languages in which at least one concept has terms."""
        used = {lang for concept in self.concepts.values() for lang in concept.terms}
        return tuple(sorted(used))


def read(source: Source) -> tuple[Glossary | None, list[Finding]]:
    """The glossary in a file, or None with findings. Never raises for bad input."""
    # First of all: which tags are known, and what they mean, depends on the project.
    use(project.languages_for(source.path))
    root, found = document(source, "glossary")
    concepts = root.get("concepts") if isinstance(root, MapNode) else None
    if not isinstance(root, MapNode) or not isinstance(concepts, MapNode) or not Report.of(found).ok:
        return None, found
    source = root.source
    # One finding for each tag that is no language, at its first use.
    if strangers := list(unknown(key, source) for key in _languages(concepts) if not find(key.text).is_known):
        return None, [*found, *strangers]
    found += (one for key in _languages(concepts) for one in outdated(key, source))
    by_id = {key.text: _concept(key, value) for key, value in concepts.entries if isinstance(value, MapNode)}
    game = root.get("game")
    return Glossary(_text(game), by_id, source, game.span if game else Span(0, 0)), found


def _languages(concepts: MapNode) -> list[Scalar]:
    """The first use of each key for the terms of a language, in order."""
    keys = (key for _, value in concepts.entries if isinstance(value, MapNode) for key, _ in value.entries)
    # Reversed, so that the first of equal keys is the one that stays.
    first = {key.text: key for key in reversed([*keys]) if key.text not in PROPERTIES}
    return sorted(first.values(), key=lambda key: key.span.start)


def _concept(key: Scalar, node: MapNode) -> Concept:
    listed = {key.text: below for key, below in node.entries if key.text not in PROPERTIES}
    each = {lang: _terms(below) for lang, below in sorted(listed.items()) if isinstance(below, MapNode)}
    names, defined_by, asks = node.get("names"), node.get("defined_by"), node.get("asks")
    one_term, settled_by, any_of = node.get("one_term"), _list(node.get("settled_by")), _list(node.get("any_of"))
    return Concept(
        id=key.text,
        names=_text(names),
        defined_by=_text(defined_by),
        note=_text(node.get("note")).strip(),
        terms=ByLanguage({lang: terms for lang, terms in each.items() if any(terms.each())}),
        key=key.span,
        names_span=names.span if names else key.span,
        defined_span=defined_by.span if defined_by else key.span,
        one_term=isinstance(one_term, Scalar) and one_term.value is True,
        sort=_text(node.get("sort")),
        asks=_text(asks),
        settled_by=tuple(item.text for item in settled_by),
        any_of=tuple(item.text for item in any_of),
        asks_span=asks.span if asks else key.span,
        settled_spans=tuple(item.span for item in settled_by),
        any_of_spans=tuple(item.span for item in any_of),
    )


def _terms(node: MapNode) -> Terms:
    return Terms(
        preferred=_term(node.get("preferred")),
        allowed=_list(node.get("allowed")),
        forbidden=_list(node.get("forbidden")),
        cues=_list(node.get("cues")),
        forms=_list(node.get("forms")),
        vague=_list(node.get("vague")),
        label=_term(node.get("label")),
        counted=_forms(node.get("counted")),
        cases=_forms(node.get("cases")),
        gender=_term(node.get("gender")),
        becomes=_term(node.get("becomes")),
    )


def _term(node: Node | None) -> Term | None:
    return Term(node.text, node.span) if isinstance(node, Scalar) else None


def _forms(node: Node | None) -> Mapping[str, Term]:
    entries = node.entries if isinstance(node, MapNode) else ()
    return {key.text: Term(value.text, value.span) for key, value in entries if isinstance(value, Scalar)}


def _list(node: Node | None) -> tuple[Term, ...]:
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(Term(item.text, item.span) for item in items if isinstance(item, Scalar))


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
