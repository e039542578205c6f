"""Confirmations: what a text was last compared with, so that a changed rule makes its text stale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning import ownership
from rulespec.proofs.meaning.digest import digest as digest_meaning
from rulespec.proofs.meaning.rules import defined, names
from rulespec.text.reading.seal import Seal
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules import facts
from rulespec.text.rules.claims import own

DIGITS = 4
"""The hexadecimal digits that a statement has in a confirmation. A rule has up to 40 statements: with 16 bits a changed
one looks like one of them in less than one case of 1,500, and then only the sentence is not named."""

_DIGESTS = {"1": 2, "2": 2, "3": 3}
"""How many digests of a rule a seal has, by the number that it begins with: 2 lacks what is around the rule and belongs
to it, and the digests of 1 were made otherwise. Seals of today begin with 3."""


@dataclass(frozen=True)
class Changes:
    """What has changed since a text was confirmed: whether its facts have, the statements that are new, and whether
    some are gone. Definitions of names count as new only if no step is."""

    facts: bool
    new: tuple[Proposition, ...]
    gone: bool


def confirmation(spec: Spec, id_: str) -> str:
    """What the seal of a text says of a rule or ruling that it agrees with today.

    The number of the kind of seals; three digests, of the facts under `states:`, of what the rule does, and of what is
    around it and belongs to it; then a short one for each of its statements. Raises KeyError for an unknown id.
    """
    said = "".join(dict.fromkeys(map(_digest, statements(spec, id_))))
    return f"{does(spec, id_)}-{said}" if said else does(spec, id_)


def does(spec: Spec, id_: str) -> str:
    """The digests of what a rule or ruling does and of what belongs to it: its `confirmation` without the statements.

    Raises KeyError for an unknown id.
    """
    return f"3-{facts.digest(spec, id_)}-{digest_meaning(spec, id_)}-{ownership.belonging(spec, id_)}"


def agree(was: str, now: str) -> bool:
    """Whether earlier digests of what a rule does, those of a seal with its statements or those that `does` gave, are
    the present ones."""
    number, *known = was.split("-")
    digests = _DIGESTS.get(number, 0)
    return digests > 0 and known[:digests] == now.split("-")[1 : digests + 1]


def renewed(translation: Translation, spec: Spec, versions: Iterable[Spec]) -> Translation:
    """The translation with present confirmations in place of those of formats 1 and 2.

    Such a text counts as confirmed with the first version of the spec that has its digests, among those that are kept
    before the present one. If none has them, a text of format 1, whose digests were made otherwise, is stale if its
    rule was another one in any of the `versions`; else it counts as confirmed with the spec.
    """
    if all(one.confirmed[:1] in ("", "3") for one in translation.passages.values()):
        return translation
    every = (*versions, spec)
    rules, rulings = (
        {id_: replace(one, seal=_renewed(one, every)) for id_, one in texts.items()}
        for texts in (translation.rules, translation.rulings)
    )
    return replace(translation, rules=rules, rulings=rulings)


def _renewed(passage: Passage, every: Sequence[Spec]) -> Seal:
    known = [one for one in every if passage.id in one.rules or passage.id in one.rulings]
    if passage.confirmed[:1] in ("", "3") or not known:
        return passage.seal
    was = next((one for one in known if is_unchanged(passage.confirmed, one, passage.id)), None)
    if was is None and passage.confirmed.startswith("1"):
        now = known[-1]
        was = next((one for one in known if does(one, passage.id) != does(now, passage.id)), now)
    return replace(passage.seal, rule=confirmation(was, passage.id)) if was is not None else passage.seal


def is_stale(confirmed: str, spec: Spec, id_: str, versions: Iterable[Spec] = ()) -> bool:
    """Whether a rule or ruling has changed since its text was confirmed; False for a text that was never confirmed.

    If the version that the text was confirmed with is among the `versions`, it is compared with the spec, and each
    change counts at the rules that it belongs to. Else every text is stale whose digests have changed.
    """
    if is_unchanged(confirmed, spec, id_):
        return False
    old = version_of(confirmed, id_, versions)
    return old is None or any(id_ in group for group in due(old, spec))


def is_unchanged(confirmed: str, spec: Spec, id_: str) -> bool:
    """Whether nothing of a rule or ruling, of what its steps name, nor of what belongs to it has changed since its text
    was confirmed; True for a text that was never confirmed."""
    return not confirmed or agree(confirmed, does(spec, id_))


def version_of(confirmed: str, id_: str, versions: Iterable[Spec]) -> Spec | None:
    """The version that the text of a rule or ruling was confirmed with; None if it is not among the versions."""
    known = (one for one in versions if id_ in one.rules or id_ in one.rulings)
    return next((one for one in known if confirmation(one, id_) == confirmed), None) if confirmed else None


@lru_cache(maxsize=8)
def due(old: Spec, new: Spec) -> tuple[ownership.Group, ...]:
    """The rules and rulings of both versions whose texts are due, grouped by what has changed.

    Cards and numbers of players belong to the rules that have facts of them.
    """
    parts = dict(ownership.due(old, new))
    both = old.rules.keys() | old.rulings.keys()
    counted = [id_ for id_ in (*new.rules, *new.rulings) if id_ in both and _has_new_facts(old, new, id_)]
    other = {id_ for name, group in parts.items() if name != ownership.GAME for id_ in group}
    if ownership.GAME in parts and (of_cards := tuple(id_ for id_ in counted if id_ not in other)):
        parts[ownership.GAME] = of_cards
    known = {id_ for group in parts.values() for id_ in group}
    return tuple(dict.fromkeys((*parts.values(), *((id_,) for id_ in counted if id_ not in known))))


def _has_new_facts(old: Spec, new: Spec, id_: str) -> bool:
    """Whether there are facts under `states:` that a text must give now."""
    known = {fact.content for fact in facts.listed(old, id_)}
    return any(not fact.optional and fact.content not in known for fact in facts.listed(new, id_))


def _known(confirmed: str) -> tuple[str, list[str]]:
    """The digest of the facts in a confirmation, and those of the statements, the rule's own first."""
    number, *digests = confirmed.split("-")
    said = "".join(digests[_DIGESTS[number] :])
    return digests[0], [said[at : at + DIGITS] for at in range(0, len(said), DIGITS)]


def changes(confirmed: str, spec: Spec, id_: str) -> Changes:
    """What has changed since a stale text was confirmed."""
    known_facts, said = _known(confirmed)
    known = set(said)
    now = {_digest(one): one for one in statements(spec, id_)}
    new = [one for digest, one in now.items() if digest not in known]
    steps = [one for one in new if not one.definition]
    return Changes(known_facts != facts.digest(spec, id_), tuple(steps or new), bool(known - now.keys()))


def statements(spec: Spec, id_: str) -> Iterator[Proposition]:
    """The propositions of a rule, or those that the other answers of a ruling bring in, and the definitions of their
    names."""
    stated = own(spec, id_)
    yield from stated
    known = defined(spec)
    for name in dict.fromkeys(name for one in stated for name in names(one)):
        yield from known.get(name, ())


def _digest(one: Proposition) -> str:
    """The digest of a statement, which does not depend on where in the spec it is."""
    said = f"{one} within {' & '.join(map(str, one.within))} ruling {one.ruling}"
    return hashlib.sha256(said.encode()).hexdigest()[:DIGITS]
