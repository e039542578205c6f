"""What the rules of a game do, as propositions derived from the sealed model."""

from rulespec.language.model.phrase import Around, Constructor, Gate, Phrase, Proposition
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.proofs.meaning.digest import digest, digests, remainder_rule
from rulespec.proofs.meaning.rules import answering, by_default, defined, names, propositions, related, with_asides

__all__ = [
    "CONSTRUCTORS",
    "Around",
    "Constructor",
    "Gate",
    "Phrase",
    "Proposition",
    "answering",
    "by_default",
    "defined",
    "digest",
    "digests",
    "names",
    "propositions",
    "related",
    "remainder_rule",
    "with_asides",
]
