"""Roles of a text against the moves of its rule: the same places, the reverse, or nothing to compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.diagnostics import Span
from rulespec.meaning import Proposition
from rulespec.text import describe
from rulespec.text.book import Book
from rulespec.text.clauses import Clause, clauses
from rulespec.text.glossary import Mention, finder, tokens
from rulespec.text.reading import Reading
from rulespec.text.roles.claims import MoveClaim, move_claims
from rulespec.text.roles.lexicon import Role
from rulespec.text.roles.reader import Placed, read_places


@dataclass(frozen=True)
class RoleContradiction:
    """Words of the text with a role that the rule excludes, and the proposition that excludes it.

    `kind` is the concept of the kind of card that does not go there; "" if cards of any kind go the other way.
    """

    words: Span
    role: Role
    proposition: Proposition
    kind: str = ""


def by_spec(found: RoleContradiction, lang: str, book: Book) -> str:
    """What the spec says instead, with its sentence if the language has descriptions."""
    if found.kind:
        way = "comes from there" if found.role is Role.SOURCE else "goes there"
        instead = f"by the spec no {book.term(found.kind, lang)} {way}"
    else:
        instead = f"by the spec cards {'go there' if found.role is Role.SOURCE else 'come from there'}"
    if lang not in describe.languages():
        return f"{instead}."
    return f"{instead}: {describe.Description(book.spec, lang, book.glossary).sentence(found.proposition)}"


@dataclass(frozen=True)
class _Said:
    """What a text says of a zone: cards come from it or go there, in a clause; `kinds` are those just before it."""

    zone: str
    role: Role
    words: Span
    sentence: Span
    kinds: tuple[str, ...]
    mention: Mention


def role_contradictions(reading: Reading, rule: str, book: Book) -> Iterator[RoleContradiction]:
    """The roles in the text of a rule that the rule excludes. Of two possible readings the one that agrees wins."""
    claims = move_claims(book.spec, rule)
    if not claims:
        return
    said = _Text(reading, book).said
    for each in said:
        claim = _reversed(each, claims) or _swapped(each, said, claims) or _instead(each, said, claims)
        if claim is not None:
            yield RoleContradiction(each.words, each.role, claim.proposition)
            continue
        for kind in each.kinds:
            claim = _misplaced(each, kind, said, claims)
            if claim is not None:
                yield RoleContradiction(each.words, each.role, claim.proposition, book.concepts[kind])


def _end(claim: MoveClaim, role: Role) -> str:
    """The zone that has a role in a move."""
    return claim.source if role is Role.SOURCE else claim.target


_OPPOSITE = {Role.SOURCE: Role.TARGET, Role.TARGET: Role.SOURCE}


def _reversed(said: _Said, claims: Sequence[MoveClaim]) -> MoveClaim | None:
    """The move of the rule in which a zone has only the opposite role, in this rule and all near it."""
    if any(_end(claim, said.role) == said.zone for claim in claims):
        return None
    return next((claim for claim in claims if _end(claim, _OPPOSITE[said.role]) == said.zone), None)


def _swapped(one: _Said, said: Sequence[_Said], claims: Sequence[MoveClaim]) -> MoveClaim | None:
    """The move of the rule itself that a sentence states in reverse, if the text never states it as it is."""
    if one.role is not Role.SOURCE:
        return None
    own = [claim for claim in claims if claim.own]
    for other in said:
        if other.role is Role.TARGET and other.sentence == one.sentence and other.zone != one.zone:
            straight = any((claim.source, claim.target) == (one.zone, other.zone) for claim in own)
            claim = next((c for c in own if (c.source, c.target) == (other.zone, one.zone)), None)
            if claim is not None and not straight and not _states(said, claim):
                return claim
    return None


def _instead(one: _Said, said: Sequence[_Said], claims: Sequence[MoveClaim]) -> MoveClaim | None:
    """The move of the rule itself in which a zone has only the opposite role, if the text never states the move."""
    own = [claim for claim in claims if claim.own]
    if any(_end(claim, one.role) == one.zone for claim in claims if claim.distance <= 1):
        return None
    stated = {(each.zone, each.role) for each in said if each is not one}
    if any((claim.source, Role.SOURCE) in stated or (claim.target, Role.TARGET) in stated for claim in own):
        return None
    return next((claim for claim in own if _end(claim, _OPPOSITE[one.role]) == one.zone), None)


def _states(said: Sequence[_Said], claim: MoveClaim) -> bool:
    """Whether a text says that cards come from the source of a move or go to its target."""
    return any(each.zone == _end(claim, each.role) for each in said)


def _misplaced(one: _Said, kind: str, said: Sequence[_Said], claims: Sequence[MoveClaim]) -> MoveClaim | None:
    """The move of the rule itself that has other kinds of card at a zone, if nothing of it moves this kind there."""
    own = [claim for claim in claims if claim.own and _end(claim, one.role) == one.zone]
    if not own or not all(claim.excludes(kind) for claim in own):
        return None
    agreeing = any(
        each.zone == one.zone and each.role is one.role and other != kind and not all(c.excludes(other) for c in own)
        for each in said
        for other in each.kinds
    )
    return None if agreeing else own[0]


# --- what a text says ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Text:
    reading: Reading
    book: Book

    @cached_property
    def said(self) -> tuple[_Said, ...]:
        """What the text says of each zone that has a role, in clauses without negation."""
        zones = [m for m in self._terms if self._zone(m)]
        spans = [self._core(m) for m in zones]
        read = read_places(self.reading.text, self.reading.language, spans)
        found = (self._said(mention, placed) for mention, placed in zip(zones, read, strict=True))
        return tuple(each for each in found if each is not None)

    @cached_property
    def _terms(self) -> tuple[Mention, ...]:
        inside = self.reading.mentions_from(self.reading.start, self.reading.end)
        return tuple(m for m in inside if m.status.is_term)

    def _core(self, mention: Mention) -> Span:
        """The term at the end of a mention without the verb and the preposition before it: “return to the box”."""
        starts = [word.start for word in tokens.read(self._text(mention), self.reading.language.tag)]
        known = finder(self.book.glossary, self.reading.language.tag)
        for start in reversed(starts[1:]):
            inner = known.find(self._text(mention)[start:])
            if any(m.start == 0 and m.concept == mention.concept and m.status.is_term for m in inner):
                return Span(mention.start + start, mention.end)
        return Span(mention.start, mention.end)

    def _text(self, mention: Mention) -> str:
        return self.reading.text[mention.start : mention.end]

    def _zone(self, mention: Mention) -> str:
        name = self.book.glossary.concepts[mention.concept].names
        return name if name in self.book.spec.zones else ""

    def _said(self, mention: Mention, placed: Placed) -> _Said | None:
        clause = self._clause(placed)
        if placed.role is Role.NEITHER or clause is None or self._is_denied(clause):
            return None
        kinds = tuple(self._kinds(mention, clause))
        return _Said(self._zone(mention), placed.role, placed.words, clause.sentence, kinds, mention)

    @cached_property
    def _clauses(self) -> tuple[Clause, ...]:
        return tuple(clauses(self.reading.text, self.reading.language, self.reading.start, self.reading.end))

    def _clause(self, placed: Placed) -> Clause | None:
        return next((one for one in self._clauses if one.start <= placed.start < one.end), None)

    def _is_denied(self, clause: Clause) -> bool:
        """Whether a clause says that something is not so, or must not be."""
        found = self.reading.contrasts_from(clause.start, clause.end)
        return any(each.negated or (each.family, each.value) in _DENIALS for each in found)

    def _kinds(self, zone: Mention, clause: Clause) -> Iterator[str]:
        """The kinds of card in the last list of kinds before a zone, in its part of the sentence."""
        start = max(clause.sentence.start, *(self.reading.text.rfind(mark, 0, zone.start) + 1 for mark in _PARTS))
        before = [m for m in self._terms if start <= m.start and m.end <= zone.start and self._kind(m)]
        last: Mention | None = None
        for mention in reversed(before):
            between = self.reading.text[mention.end : last.start] if last else ""
            if last is not None and not self.reading.language.joint.fullmatch(between) and not self._either(between):
                return
            yield self._kind(mention)
            last = mention

    def _either(self, between: str) -> bool:
        pattern = self.reading.language.either
        return pattern is not None and pattern.fullmatch(between) is not None

    def _kind(self, mention: Mention) -> str:
        """The kind of card that a mention names, such as `kind.king`; "" for other mentions."""
        name = self.book.glossary.concepts[mention.concept].names
        return name if self.book.is_component(mention.concept) and "." in name else ""


_PARTS = (";", "；", ".", "。", "!", "！", "?", "？")
_DENIALS = {("truth", "not"), ("modality", "may_not"), ("quantity", "none")}
