"""The description of a game: the sentences of every rule, and the definitions that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulespec.base.characters import capital
from rulespec.base.diagnostics import Span
from rulespec.language.model.phrase import Gate, Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import defined, propositions, related, rule_before, with_asides
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.rules.describe.grammar import grammar_of
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.lines import Line, lines_of, ruling_text, sentence
from rulespec.text.rules.describe.naming import Naming
from rulespec.text.rules.describe.plain import table_of
from rulespec.text.rules.describe.style import Style, naming_in, style_of
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
        english = replace(self, lang=LANGUAGE_OF_SPECS, titles={}).say if whole else None
        return Linearizer(names, grammar_of(self.lang), instead=english)

    def rule(self, rule: str) -> Described:
        """One rule, with all definitions that it needs."""
        return self._described(rule, set())

    def rules(self) -> Iterator[Described]:
        """All rules with steps, in the order of the spec; each definition stands with the first that uses it."""
        known = set[str]()
        stated = with_asides(self.spec, self.players)
        for rule in (*(rule for rule in self.spec.rules if rule in stated), *([""] if "" in stated else [])):
            yield self._described(rule, known)

    def aim(self) -> Iterator[str]:
        """How the game ends and who wins, in one sentence; none without a ranking."""
        every = ((rule, one) for rule, some in propositions(self.spec, self.players).items() for one in some)
        ranking = next(((rule, one.span) for rule, one in every if one.act.constructor == "rank"), None)
        first = next((one for rule, one in every if one.act.constructor.startswith("best_")), None)
        if ranking is not None and first is not None:
            yield self.say.written(lambda say: self._aim(say, first, *ranking))

    def _aim(self, say: Linearizer, first: Proposition, rule: str, ranking: Span) -> str:
        style = Style(say, self._style([first]).naming)
        titles = {"rule": rule, "last": rule_before(self.spec, ranking)}
        shown = {name: style(Phrase("procedure", name=one)) for name, one in titles.items() if one}
        shown["best"] = style(first.act)
        return capital(say.grammar.frames["aim"].fill(lambda slot: shown.get(slot.part)) or "")

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
        return sentence(self._style([one]), one.act, one.conditions)

    def _style(self, stated: Iterable[Proposition]) -> Style:
        return style_of(self.say, stated, self._naming)

    @cached_property
    def _naming(self) -> Naming:
        return naming_in(self.say)

    def _described(self, rule: str, known: set[str]) -> Described:
        stated = propositions(self.spec, self.players).get(rule, ())
        every = tuple(_inside(with_asides(self.spec, self.players).get(rule, ())))
        style = self._style(every)
        return Described(
            rule,
            self.say.names.title(rule) if rule else self.say.grammar.labels["outside"],
            tuple(lines_of(every, style, self.spec)),
            tuple(lines_of(stated, self._style(stated), self.spec)),
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
        found = _as_table(defined(self.spec, self.players)[name])
        loops = [one.within[0] for one in found if one.within]
        style = self._style((*(one for one in found), *(replace(found[0], act=loop) for loop in loops[:1])))
        if loops:
            yield Line(sentence(style, loops[0]), 0)
        yield from lines_of(found, style, self.spec)


def _as_table(stated: Sequence[Proposition]) -> Sequence[Proposition]:
    """The rows of a table as one proposition; other definitions as they are."""
    alike = len({(one.conditions, one.ruling) for one in stated}) == 1
    rows = [one.act for one in stated if one.act.constructor == "table_row"]
    return [replace(stated[0], act=table_of(rows))] if alike and 1 < len(rows) == len(stated) else stated


def _inside(stated: Iterable[Proposition]) -> Iterator[Proposition]:
    """What a rule does, without the conditions that stand where the rule is applied inside another one."""
    for one in stated:
        outer = [gate for gate in one.around if gate.gate is Gate.CONDITION and gate.rule not in ("", one.rule)]
        around = tuple(gate for gate in one.around if gate not in outer)
        yield replace(one, around=around) if outer else one
