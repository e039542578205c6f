"""Confirmations: what a text was last compared with, so that a changed rule makes its text stale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulespec.language.model.spec import Spec
from rulespec.proofs import meaning
from rulespec.proofs.meaning import Proposition, by_default, defined, names, ownership, propositions, related
from rulespec.text.reading.seal import Seal
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules import derived, facts
from rulespec.text.rules.claims import own
from rulespec.text.rules.content import Fact
from rulespec.text.rules.subjects import outer, within

DIGITS = 4
"""The hexadecimal digits that a statement has in a confirmation. A rule has up to 40 statements: with 16 bits a changed
one looks like one of them in less than one case of 1,500, and then only the sentence is not named."""

_NOW, _BEFORE = "2-", "1-"
"""What the rules of seals begin with: the number that says how their digests are made."""


@dataclass(frozen=True)
class Changes:
    """What has changed since a text was confirmed: whether its facts have, the statements that are new, and whether
    some are gone. Definitions of names count as new only if no step is."""

    facts: bool
    new: tuple[Proposition, ...]
    gone: bool


def confirmation(spec: Spec, id_: str) -> str:
    """What the seal of a text says of a rule or ruling that it agrees with today.

    The number of the kind of digests, two digests, of the facts under `states:` and of what the rule does, then a short
    one for each of its statements. Raises KeyError for an unknown id.
    """
    said = "".join(dict.fromkeys(map(_digest, statements(spec, id_))))
    return f"{_NOW}{_both(spec, id_)}-{said}" if said else f"{_NOW}{_both(spec, id_)}"


def does(spec: Spec, id_: str) -> str:
    """The digest of what a rule or ruling does, wherever it stands: its `confirmation` without the statements.

    Raises KeyError for an unknown id.
    """
    return f"{_NOW}{_both(spec, id_)}"


def renewed(translation: Translation, spec: Spec, versions: Iterable[Spec]) -> Translation:
    """The translation with present confirmations in place of those of format 1, whose digests were made otherwise.

    Such a text counts as confirmed with the version of the spec whose digests it has. If none has them, it is stale if
    its rule was another one in any of the `versions` that are kept; else it counts as confirmed with the spec.
    """
    if not any(one.confirmed.startswith(_BEFORE) for one in translation.passages.values()):
        return translation
    every = (spec, *versions)
    rules, rulings = (
        {id_: replace(one, seal=_renewed(one, every)) for id_, one in texts.items()}
        for texts in (translation.rules, translation.rulings)
    )
    return replace(translation, rules=rules, rulings=rulings)


def _renewed(passage: Passage, every: Iterable[Spec]) -> Seal:
    known = [one for one in every if passage.id in one.rules or passage.id in one.rulings]
    if not passage.confirmed.startswith(_BEFORE) or not known:
        return passage.seal
    now = f"{_NOW}{passage.confirmed.removeprefix(_BEFORE)}"
    same = (one for one in known if confirmation(one, passage.id) == now)
    others = (one for one in known if _both(one, passage.id) != _both(known[0], passage.id))
    was = next(same, None) or next(others, known[0])
    return replace(passage.seal, rule=confirmation(was, passage.id))


def is_stale(confirmed: str, spec: Spec, id_: str, versions: Iterable[Spec] = ()) -> bool:
    """Whether a rule or ruling has changed since its text was confirmed; False for a text that was never confirmed.

    What it does counts, and the declarations that belong to it. If the version that the text was confirmed with is
    among the `versions`, they are compared with it; else what it did is known only by the digests of its statements.
    """
    if is_unchanged(confirmed, spec, id_):
        return False
    old = version_of(confirmed, id_, versions)
    if old is not None:
        return bool(_new_facts(old, spec, id_)) or ownership.changed(old, spec, id_)
    known_facts, known = _known(confirmed)
    mine, every = (list(dict.fromkeys(map(_digest, some))) for some in (own(spec, id_), statements(spec, id_)))
    # Own statements come first. The definitions behind them may be others, but if there are fewer, one is gone.
    same = id_ in spec.rules and bool(known) and known[: len(mine)] == mine and len(known) <= len(every)
    return not same or known_facts != facts.digest(spec, id_)


def is_unchanged(confirmed: str, spec: Spec, id_: str) -> bool:
    """Whether nothing of a rule or ruling, nor of what its steps name, has changed since its text was confirmed; True
    for a text that was never confirmed."""
    # Only the two digests: not the number before them, nor the statements behind them.
    return not confirmed or "-".join(confirmed.split("-")[1:3]) == _both(spec, id_)


def version_of(confirmed: str, id_: str, versions: Iterable[Spec]) -> Spec | None:
    """The version that the text of a rule or ruling was confirmed with; None if it is not among the versions."""
    known = (one for one in versions if id_ in one.rules or id_ in one.rulings)
    return next((one for one in known if confirmation(one, id_) == confirmed), None) if confirmed else None


def _new_facts(old: Spec, new: Spec, id_: str) -> list[Fact]:
    """The facts under `states:` that a text must give now."""
    known = {fact.content for fact in facts.listed(old, id_)}
    return [fact for fact in facts.listed(new, id_) if not fact.optional and fact.content not in known]


def _known(confirmed: str) -> tuple[str, list[str]]:
    """The digest of the facts in a confirmation, and those of the statements, the rule's own first."""
    known_facts, _, said = confirmed.removeprefix(_NOW).partition("-")
    said = said.partition("-")[2]
    return known_facts, [said[at : at + DIGITS] for at in range(0, len(said), DIGITS)]


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


def stated(spec: Spec, id_: str) -> tuple[Proposition, ...]:
    """The statements that the text of a rule or ruling may make: its own, those of the rules inside it and of the rule
    around it, in the order of the spec, the definitions behind its own, and those of the names that `states:` lists."""
    mine = (*own(spec, id_), *(by_default(spec, id_) if id_ in spec.rulings else ()))
    rules = sorted({*within(spec, id_), *outer(spec, id_)[:1]}, key=lambda rule: spec.rules[rule].span.start)
    near = (one for other in rules for one in propositions(spec).get(other, ()))
    listed = {name: defined(spec)[name] for name in derived.listed(spec, id_) if name in defined(spec)}
    behind = (one for group in {**related(spec, mine), **listed}.values() for one in group)
    return tuple(dict.fromkeys((*mine, *near, *behind)))


def _both(spec: Spec, id_: str) -> str:
    return f"{facts.digest(spec, id_)}-{meaning.digest(spec, id_)}"


def _digest(one: Proposition) -> str:
    """The digest of a statement, which does not depend on where in the spec it is."""
    said = f"{one} within {' & '.join(map(str, one.within))} ruling {one.ruling}"
    return hashlib.sha256(said.encode()).hexdigest()[:DIGITS]
