"""Roles of a text against the moves of its rule: the same places, the reverse, or nothing to compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.base.messages import say
from rulespec.text.checks.roles.claims import MoveClaim, move_claims
from rulespec.text.checks.roles.finding import RoleContradiction
from rulespec.text.checks.roles.lexicon import Role
from rulespec.text.checks.roles.people import people_contradictions
from rulespec.text.checks.roles.said import Said, SaidOfZone
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book


def role_contradictions(reading: Reading, rule: str, book: Book) -> Iterator[RoleContradiction]:
    """The roles in the text of a rule that the rule excludes. Of two possible readings the one that agrees wins."""
    claims = move_claims(book.spec, rule)
    whole = Said(reading, book)
    said = whole.zones if claims else ()
    for each in said:
        claim = _reversed(each, claims) or _swapped(each, said, claims) or _instead(each, said, claims)
        if claim is not None:
            instead = say("cards go there") if each.role is Role.SOURCE else say("cards come from there")
            yield RoleContradiction(each.words, instead, claim.proposition)
            continue
        for kind in each.kinds:
            claim = _misplaced(each, kind, said, claims)
            if claim is not None:
                no_such = (
                    say("no {cards} comes from there") if each.role is Role.SOURCE else say("no {cards} goes there")
                )
                instead = say(no_such, cards=book.term(book.concepts[kind], reading.language.tag))
                yield RoleContradiction(each.words, instead, claim.proposition)
    yield from people_contradictions(whole, rule)


def _end(claim: MoveClaim, role: Role) -> str:
    """The zone that has a role in a move."""
    return claim.source if role is Role.SOURCE else claim.target


_OPPOSITE = {Role.SOURCE: Role.TARGET, Role.TARGET: Role.SOURCE}


def _reversed(said: SaidOfZone, claims: Sequence[MoveClaim]) -> MoveClaim | None:
    """The move of the rule in which a zone has only the opposite role, in this rule and all near it."""
    if any(_end(claim, said.role) == said.zone for claim in claims):
        return None
    return next((claim for claim in claims if _end(claim, _OPPOSITE[said.role]) == said.zone), None)


def _swapped(one: SaidOfZone, said: Sequence[SaidOfZone], claims: Sequence[MoveClaim]) -> MoveClaim | None:
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


def _instead(one: SaidOfZone, said: Sequence[SaidOfZone], claims: Sequence[MoveClaim]) -> MoveClaim | None:
    """The move of the rule itself in which a zone has only the opposite role, if the text never states the move."""
    own = [claim for claim in claims if claim.own]
    if any(_end(claim, one.role) == one.zone for claim in claims if claim.distance <= 1):
        return None
    stated = {(each.zone, each.role) for each in said if each is not one}
    if any((claim.source, Role.SOURCE) in stated or (claim.target, Role.TARGET) in stated for claim in own):
        return None
    return next((claim for claim in own if _end(claim, _OPPOSITE[one.role]) == one.zone), None)


def _states(said: Sequence[SaidOfZone], claim: MoveClaim) -> bool:
    """Whether a text says that cards come from the source of a move or go to its target."""
    return any(each.zone == _end(claim, each.role) for each in said)


def _misplaced(one: SaidOfZone, kind: str, said: Sequence[SaidOfZone], claims: Sequence[MoveClaim]) -> MoveClaim | None:
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
