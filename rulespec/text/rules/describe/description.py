"""The description of a game: the sentences of every rule, and the definitions that they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import defined, propositions, related, with_asides
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.rules.describe.grammar import grammar_of
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.lines import Line, lines_of, ruling_text, sentence
from rulespec.text.rules.describe.terms import Names, nouns_of


@dataclass(frozen=True)
class Described:
    """A rule in words: what it states, as `own` lines, and the same `lines` with asides, such as rules inside it.

    `definitions` are the sentences about values, tables, zones and procedures that it uses first. `stated` are its
    propositions, in the order of the lines.
    """

    rule: str
    title: str
    lines: tuple[Line, ...]
    own: tuple[Line, ...]
    definitions: tuple[Line, ...]
    stated: tuple[Proposition, ...]

    @property
    def sentences(self) -> list[str]:
        """The sentences of the rule, without its definitions and asides."""
        return [line.text for line in self.own]


@dataclass(frozen=True)
class Description:
    """Describes the rules of a spec in a language.

    Terms come from the glossary, titles of rules from `titles`; without them from the spec. `answers` are the texts of
    rulings in that language, each of which gives the first option; questions are written in the language of specs.
    `game` is the title of the game there.
    `players` limits the description to one number of players. With `whole`, a sentence with a name that the language
    lacks is in English. Raises ValueError if the language has no grammar of descriptions.
    """

    spec: Spec
    lang: str
    glossary: Glossary | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    players: int | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    game: str = ""
    whole: bool = False

    def __post_init__(self) -> None:
        # Raises at once for a language without a grammar, not at the first sentence.
        grammar_of(self.lang)

    @property
    def say(self) -> Linearizer:
        whole = self.whole and self.lang != LANGUAGE_OF_SPECS
        names = Names(self.spec, self.lang, nouns_of(self.glossary, self.lang), self.titles, whole)
        return Linearizer(names, grammar_of(self.lang), instead=self._english if whole else None)

    @property
    def _english(self) -> Linearizer:
        nouns = nouns_of(self.glossary, LANGUAGE_OF_SPECS)
        return Linearizer(Names(self.spec, LANGUAGE_OF_SPECS, nouns), grammar_of(LANGUAGE_OF_SPECS))

    def rule(self, rule: str) -> Described:
        """One rule, with all definitions that it needs."""
        return self._described(rule, set())

    def rules(self) -> Iterator[Described]:
        """All rules with steps, in the order of the spec; each definition stands with the first that uses it."""
        known = set[str]()
        stated = with_asides(self.spec, self.players)
        for rule in (*(rule for rule in self.spec.rules if rule in stated), *([""] if "" in stated else [])):
            yield self._described(rule, known)

    def ruling(self, ruling: str, option: str) -> str:
        """A ruling with one of its options, as a sentence.

        In another language than that of specs it is the text of the ruling, or without one the option alone.
        """
        if self.lang == LANGUAGE_OF_SPECS:
            return ruling_text(self.say, self.spec, "ruling", ruling, option)
        answered = ruling in self.answers and option == self.spec.rulings[ruling].options[0]
        frame = "ruling_text" if answered else "ruling_chosen"
        return ruling_text(self.say, self.spec, frame, ruling, option, " ".join(self.answers.get(ruling, "").split()))

    def sentence(self, one: Proposition) -> str:
        """One proposition with its conditions, without the loops and choices around it."""
        return sentence(self.say, one.act, one.conditions)

    def _described(self, rule: str, known: set[str]) -> Described:
        stated = propositions(self.spec, self.players).get(rule, ())
        return Described(
            rule,
            self.say.names.title(rule) if rule else self.say.grammar.labels["outside"],
            tuple(lines_of(with_asides(self.spec, self.players).get(rule, ()), self.say, self.spec)),
            tuple(lines_of(stated, self.say, self.spec)),
            tuple(self._definitions(stated, known)),
            stated,
        )

    def _definitions(self, stated: Sequence[Proposition], known: set[str]) -> Iterator[Line]:
        for ruling in dict.fromkeys(one.ruling[0] for one in stated if one.ruling is not None):
            if ruling not in known:
                known.add(ruling)
                yield Line(self.ruling(ruling, self.spec.rulings[ruling].options[0]), 0)
        found = related(self.spec, stated, self.players)
        for name in defined(self.spec, self.players):
            if name in found and name not in known:
                known.add(name)
                yield from self._definition(name)

    def _definition(self, name: str) -> Iterator[Line]:
        found = defined(self.spec, self.players)[name]
        loops = [one.within[0] for one in found if one.within]
        if loops:
            yield Line(sentence(self.say, loops[0]), 0)
        yield from lines_of(found, self.say, self.spec)
