"""The description of a game: the sentences of every rule, and the definitions that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rulespec.base.characters import capital, visible
from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import counted, say
from rulespec.language.model.phrase import Gate, Phrase, Proposition, number
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import defined, propositions, related, rule_before, with_asides
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find
from rulespec.text.rules.describe.grammar import grammar_in, grammar_of
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.lines import Line, lines_of, ruling_text, sentence
from rulespec.text.rules.describe.naming import Naming, Style, naming_in, style_of
from rulespec.text.rules.describe.plain import table_of
from rulespec.text.rules.describe.terms import Names, is_word, nouns_of


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
        # The rows of a table as one proposition; other definitions as they are.
        stated = defined(self.spec, self.players)[name]
        alike = len({(one.conditions, one.ruling) for one in stated}) == 1
        rows = [one.act for one in stated if one.act.constructor == "table_row"]
        found = [replace(stated[0], act=table_of(rows))] if alike and 1 < len(rows) == len(stated) else stated
        loops = [one.within[0] for one in found if one.within]
        style = self._style((*(one for one in found), *(replace(found[0], act=loop) for loop in loops[:1])))
        if loops:
            yield Line(sentence(style, loops[0]), 0)
        yield from lines_of(found, style, self.spec)


def _inside(stated: Iterable[Proposition]) -> Iterator[Proposition]:
    """What a rule does, without the conditions that stand where the rule is applied inside another one."""
    for one in stated:
        outer = [gate for gate in one.around if gate.gate is Gate.CONDITION and gate.rule not in ("", one.rule)]
        around = tuple(gate for gate in one.around if gate not in outer)
        yield replace(one, around=around) if outer else one


def markdown(description: Description, rules: Iterable[Described], whole: bool = True) -> str:
    """Rules as Markdown: a heading for each, with its id. A whole game has its title, aim and rulings as well."""
    parts = [f"# {description.game or description.spec.title}", *description.aim()] if whole else []
    for rule in rules:
        heading = f"## {rule.title} (`{rule.rule}`)" if rule.rule else f"## {rule.title}"
        parts += [heading, *paragraphs(description, rule)]
    known = description.spec.rulings.values() if whole else ()
    rulings = [f"- {description.ruling(one.id, one.options[0])}" for one in known]
    parts += [f"## {description.say.grammar.labels['rulings']}", "\n".join(rulings)] if rulings else []
    return visible("\n\n".join(parts)) + "\n"


def plain(description: Description, rules: Iterable[Described], whole: bool = True) -> str:
    """Rules as plain text: the id and the title, then the sentences. A whole game begins with its aim."""
    blocks = [*description.aim()] if whole else []
    for rule in rules:
        head = f"{rule.rule}: {rule.title}" if rule.rule else rule.title
        blocks.append("\n".join([head, *(f"  {line}" for line in body(description, rule))]))
    return visible("\n\n".join(blocks)) + "\n"


def body(description: Description, rule: Described) -> list[str]:
    """The lines of a rule and its definitions, indented by depth."""
    found = items(rule.lines).split("\n")
    if rule.definitions:
        found += [description.say.grammar.labels["definitions"], *items(rule.definitions).split("\n")]
    return found


def paragraphs(description: Description, rule: Described) -> Iterator[str]:
    """A rule and its definitions as paragraphs and lists in Markdown."""
    yield items(rule.lines)
    if rule.definitions:
        yield description.say.grammar.labels["definitions"]
        yield items(rule.definitions)


def items(lines: Iterable[Line]) -> str:
    """Lines as a nested list in Markdown."""
    return "\n".join(f"{'  ' * line.depth}- {line.text}" for line in lines)


def as_json(rules: Iterable[Described]) -> list[dict[str, Any]]:
    """Rules as JSON: their sentences, and their propositions as trees."""
    return [
        {
            "rule": rule.rule,
            "title": rule.title,
            "sentences": [{"text": line.text, "depth": line.depth} for line in rule.lines],
            "definitions": [{"text": line.text, "depth": line.depth} for line in rule.definitions],
            "propositions": [_proposition(one) for one in rule.stated],
        }
        for rule in rules
    ]


def _proposition(one: Proposition) -> dict[str, Any]:
    found: dict[str, Any] = {"act": _tree(one.act)}
    if one.conditions:
        found["if"] = [_tree(phrase) for phrase in one.conditions]
    if one.within:
        found["within"] = [_tree(phrase) for phrase in one.within]
    if one.ruling is not None:
        found["ruling"] = {one.ruling[0]: one.ruling[1]}
    return found


def _tree(phrase: Phrase) -> dict[str, Any]:
    """A phrase as JSON: its constructor with what it names, counts and consists of."""
    found: dict[str, Any] = {"is": phrase.constructor}
    if phrase.name:
        found["name"] = phrase.name
    if phrase.kind:
        found["kind"] = phrase.kind
    if phrase.amount:
        known = phrase.number
        found["amount"] = known if known is not None else {str(count): value for count, value in phrase.amount}
    if phrase.parts:
        found["parts"] = [_tree(part) for part in phrase.parts]
    return found


_SHOWN = 8
"""The most names in one message."""


@dataclass(frozen=True)
class _Asked(Names):
    """Names that remember the forms that were wanted and are not there: the cases by name, "" for the noun itself."""

    missed: dict[str, dict[str, None]] = field(default_factory=dict)

    def form(self, name: str, case: str) -> str | None:
        found = super().form(name, case)
        if found is None or (name not in self.nouns and is_word(found)):
            self.missed.setdefault(name, {})[case if name in self.nouns else ""] = None
        return found


@dataclass(frozen=True)
class _Written(Description):
    """A description that is written with names that remember."""

    asked: _Asked | None = None

    @property
    def say(self) -> Linearizer:
        assert self.asked is not None
        return Linearizer(self.asked, grammar_of(self.lang))


def lacking_nouns(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """For each language with a grammar, what its sentences about the game lack, with the first sentence that does."""
    for lang in glossary.languages():
        if lang != LANGUAGE_OF_SPECS and grammar_in(find(lang)) is not None:
            names = _Asked(spec, lang, nouns_of(glossary, lang))
            sentences = list(_sentences(names))
            if names.missed:
                lacking = names.term(next(iter(names.missed)))
                yield _finding(glossary, names, next((text for text in sentences if lacking in text), ""))


def _sentences(names: _Asked) -> Iterator[str]:
    """What rules do, and what is reported of each zone and value with a title."""
    spec, say = names.spec, Style(Linearizer(names, grammar_of(names.lang)))
    for rule in _Written(spec, names.lang, asked=names).rules():
        yield from (line.text for line in (*rule.lines, *rule.definitions))
    for name in (name for name, zone in spec.zones.items() if zone.title):
        zone = Phrase("thing", name=name)
        yield sentence(say, Phrase("moves_unseen", (zone, zone, number(2)), kind="several"))
        yield sentence(say, Phrase("reshuffled", (zone,)))
    for name in (name for name, value in spec.values.items() if value.title and value.start is not None):
        yield sentence(say, Phrase("now", (Phrase("thing", name=name), number(1)), kind="number"))


def _finding(glossary: Glossary, names: _Asked, example: str) -> Finding:
    shown = [
        say("`{name}` ({cases})", name=name, cases=forms) if (forms := list(filter(None, cases))) else f"`{name}`"
        for name, cases in list(names.missed.items())[:_SHOWN]
    ]
    listed = {"lang": names.lang, "nouns": shown, "sentence": example}
    message = say("Sentences in {lang} lack {nouns}: “{sentence}”", **listed)
    if more := len(names.missed) - len(shown):
        message = counted(
            "Sentences in {lang} lack {nouns} and {number} more: “{sentence}”",
            "Sentences in {lang} lack {nouns} and {number} more: “{sentence}”",
            more,
            **listed,
        )
    hint = say("Add a term, or its forms under `cases`. Without them a sentence is stiff, or in English.")
    by_name = {concept.names: concept.key for concept in glossary.concepts.values()}
    place = next((by_name[name] for name in names.missed if name in by_name), glossary.place)
    return finding("noun-lacking", message, glossary.source, place, hint, lang=names.lang)
