"""Variables in sentences: “each player”, then “that player”; a letter only where two of a kind meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations

from rulespec.language.model.phrase import Gate, Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.constructors import CONSTRUCTORS, DEFINING
from rulespec.proofs.meaning.rules import defined, propositions
from rulespec.text.glossary.check import names_of
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.plain import listed, plain, variable_of

Variable = tuple[str, str]
"""The kind and the name of a variable."""

_SETS = ("pick_exactly", "pick_up_to", "pick_between")
_CHOICES = tuple(
    name
    for name, row in CONSTRUCTORS.items()
    if row.parts[:1] == ("by",) and name.startswith(("may_", "must_", "choose"))
)
"""The constructors of what a player may or must choose."""
_REFER = ("drawn_for_some", "drawn_for_none")
"""The constructors whose variable has been bound before."""
_BIND = {"rank": (0,), "award": (0, 2), "argument": (0,)}
"""The constructors that bind other parts than a first one that is called a variable."""


@dataclass(frozen=True)
class Naming:
    """How variables are called in the sentences of one rule or one definition.

    `letters` are the names of those that need one, `sets` the variables of several things. `own` are the names of
    variables that the language has words for, `fixed` names that no clause can have. The loops in `uncounted` count to
    a number which nothing mentions. With `secret`, each player chooses.
    """

    own: Collection[str] = ()
    fixed: frozenset[str] = frozenset()
    letters: Mapping[Variable, str] = field(default_factory=dict)
    sets: Collection[Variable] = ()
    secret: bool = False
    uncounted: Collection[Phrase] = ()

    def __call__(self, phrase: Phrase) -> Phrase:
        """A phrase as a sentence says it."""
        short = plain(phrase, self.fixed)
        if phrase in self.uncounted and short.constructor == "each_count":
            short = Phrase("each_times", short.parts[1:])
        return listed(self._said(short))

    def _said(self, phrase: Phrase) -> Phrase:
        if phrase.constructor == "variable":
            return self._referred(phrase)
        if phrase.constructor == "argument" and self._binding(phrase.parts[0]).constructor == "unnamed":
            return self._said(phrase.parts[1])  # the only one of its kind
        bound = _bound(phrase)
        heads = (0,) if self.secret and phrase.constructor in _CHOICES else _heads(phrase)
        parts = (
            self._binding(part) if at in bound else self._head(part) if at in heads else self._said(part)
            for at, part in enumerate(phrase.parts)
        )
        return replace(phrase, parts=tuple(parts))

    def _referred(self, variable: Phrase, unnamed: str = "that") -> Phrase:
        key = _key(variable)
        if self.is_own(variable) or variable.kind == "bool":
            return variable
        if key in self.letters:
            return replace(variable, name=self.letters[key])
        if unnamed == "that" and key in self.sets:
            return _noun("those", variable)
        return _noun(unnamed, variable)

    def _binding(self, thing: Phrase) -> Phrase:
        """What is bound: “each player”, or a kind of cards."""
        if thing.constructor == "variable":
            return self._referred(thing, "unnamed")
        variable = self._referred(variable_of(thing), "unnamed")
        return replace(thing, parts=(variable,) if variable.constructor == "variable" else ())

    def _head(self, phrase: Phrase) -> Phrase:
        """What is defined, for each thing that has it."""
        if phrase.constructor == "variable":
            return _noun("each_one", phrase) if phrase.name == "owner" else self._referred(phrase, "each_one")
        return replace(phrase, parts=tuple(map(self._head, phrase.parts)))

    def is_own(self, variable: Phrase) -> bool:
        """Whether the language has a word for a variable."""
        return variable.name in self.own


def naming_of(sentences: Sequence[Sequence[Phrase]], known: Naming) -> Naming:
    """How variables are called in sentences of a language; each is an act with its conditions."""
    said = [[plain(phrase, known.fixed) for phrase in sentence] for sentence in sentences]
    found = _Meetings(known)
    lasting: dict[Variable, list[int]] = defaultdict(list)
    for at, sentence in enumerate(said):
        for variable in set().union(*map(found.mentioned, sentence)):
            lasting[variable].append(at)
    for one, other in combinations(lasting, 2):
        first, second = lasting[one], lasting[other]
        if one[0] == other[0] and first[0] <= second[-1] and second[0] <= first[-1]:
            found.named |= {one, other}
    every = [part for sentence in said for phrase in sentence for part in phrase.walk()]
    sets = {_key(part.parts[0]) for part in every if part.constructor in _SETS}
    secret = any(sentence[0].constructor in ("secret_choice", "secret_all") for sentence in said)
    return replace(known, letters=_letters(sorted(found.named)), sets=sets, secret=secret)


@dataclass
class _Meetings:
    """The variables that meet another one of their kind in a phrase."""

    naming: Naming
    named: set[Variable] = field(default_factory=set)

    def mentioned(self, phrase: Phrase) -> set[Variable]:
        """The variables that a phrase mentions and does not bind within itself."""
        if phrase.constructor == "variable":
            return set() if self.naming.is_own(phrase) or phrase.kind == "bool" else {_key(phrase)}
        over = [part for part in phrase.parts if part.constructor == "over"]
        if phrase.constructor == "over":
            return self._within(phrase.parts[0], phrase.parts[1], phrase.parts[2:])
        if over:
            thing, domain, *given = over[0].parts
            return self._within(thing, domain, [*given, *(part for part in phrase.parts if part is not over[0])])
        if phrase.constructor in _ALONE:
            return self._within(phrase.parts[0], Phrase("members"), phrase.parts[1:])
        return set().union(*map(self.mentioned, phrase.parts))

    def _within(self, thing: Phrase, domain: Phrase, scope: Iterable[Phrase]) -> set[Variable]:
        own = _key(variable_of(thing))
        found: set[Variable] = set().union(*map(self.mentioned, scope))
        others = {one for one in found if one[0] == own[0] and one != own}
        if own in found and others:
            self.named |= {own, *others}
        return (found - {own}) | self.mentioned(domain)


_ALONE = ("transfer_each",)
"""Acts whose variable is for themselves alone."""


def _bound(phrase: Phrase) -> Collection[int]:
    """The parts of a phrase that bind variables."""
    if phrase.constructor in _BIND:
        return _BIND[phrase.constructor]
    if phrase.constructor == "procedure_is":
        return range(1, len(phrase.parts))
    names = CONSTRUCTORS[phrase.constructor].parts
    binds = phrase.constructor not in (*_REFER, "kind_card")
    return [at for at, name in enumerate(names) if name == "variable" and at < len(phrase.parts) and binds]


def _heads(phrase: Phrase) -> Collection[int]:
    """The parts of a definition that are defined for each thing."""
    if phrase.constructor == "returns":
        return (0,)
    if phrase.constructor not in DEFINING or phrase.constructor == "removed_cards":
        return ()
    if phrase.constructor == "conserved":
        return range(len(phrase.parts))
    names = CONSTRUCTORS[phrase.constructor].parts
    return [at for at, name in enumerate(names) if at == 0 or name == "viewer"]


def _key(variable: Phrase) -> Variable:
    return variable.kind, variable.name


def _noun(made: str, variable: Phrase) -> Phrase:
    """A word for the kind of a variable."""
    return Phrase(made, (), variable.kind, kind=variable.kind)


def _letters(named: Iterable[Variable]) -> dict[Variable, str]:
    """A letter for each variable: the first of its name that no other has, or else the name."""
    found: dict[Variable, str] = {}
    for variable in named:
        known = found.values()
        found[variable] = next((one for one in variable[1] if one.isalpha() and one not in known), variable[1])
    return found


def uncounted(loops: Iterable[tuple[Phrase, Iterable[Phrase]]]) -> Iterator[Phrase]:
    """The loops that count to a number which nothing inside mentions; each loop stands with a phrase inside it."""
    mentioned: dict[Phrase, bool] = {}
    for loop, inside in loops:
        if loop.constructor == "each_count":
            uses = any(part == loop.parts[0] for phrase in inside for part in phrase.walk())
            mentioned[loop] = mentioned.get(loop, False) or uses
    yield from (loop for loop, uses in mentioned.items() if not uses)


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
