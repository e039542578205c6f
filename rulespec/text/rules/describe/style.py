"""How the sentences of one rule or definition are written: plain phrases, and variables by their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rulespec.language.model.phrase import Gate, Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import defined, propositions
from rulespec.text.glossary.check import names_of
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.naming import Naming, naming_of, uncounted


@dataclass(frozen=True)
class Style:
    """Writes phrases of one rule or definition as sentences say them."""

    linearizer: Linearizer
    naming: Naming = field(default_factory=Naming)

    def __call__(self, phrase: Phrase, case: str = "") -> str:
        return self.linearizer(self.naming(phrase), case)


def naming_in(say: Linearizer) -> Naming:
    """How a language calls the variables of a spec, before it is known which of them meet. A name with a determiner
    of its own and one that the glossary has a sentence for are in no clause: “your bid”, “a character can move up”.
    Unless it has words for the clause as well."""
    sentences = {
        name for name, noun in say.names.nouns.items() if "holds" in noun.cases and "its_holds" not in noun.cases
    }
    fixed = sentences.union(name for name in names_of(say.names.spec) if say.is_determined(name))
    return Naming(say.grammar.variables, frozenset(fixed), uncounted=_uncounted(say.names.spec))


def style_of(say: Linearizer, stated: Iterable[Proposition], known: Naming) -> Style:
    """The style of sentences about propositions: with letters for the variables that need one among them."""
    return Style(say, naming_of([*map(_sentence, stated)], known))


def _sentence(one: Proposition) -> Sequence[Phrase]:
    """The phrases of a sentence: what happens, and the conditions above it."""
    around = (gate.phrase for gate in one.around if gate.gate is Gate.CONDITION)
    return (one.act, *(one.conditions if one.definition else around))


@lru_cache(maxsize=8)
def _uncounted(spec: Spec) -> frozenset[Phrase]:
    """The loops of a spec whose numbers nothing mentions."""
    every = (one for group in (propositions(spec), defined(spec)) for stated in group.values() for one in stated)
    inside = ((loop, _beside(loop, one)) for one in every for loop in one.within)
    return frozenset(uncounted(inside))


def _beside(loop: Phrase, one: Proposition) -> Sequence[Phrase]:
    """The phrases of a proposition in a loop, without that of the loop."""
    return (one.act, *one.conditions, *(other for other in one.within if other != loop))
