"""Changes in the words of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rulespec.base.findings.catalog import catalog_of
from rulespec.text.languages.data import mapping, read_data
from rulespec.text.languages.han import in_form
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, depends, find
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.naming import Style, naming_in, naming_of
from rulespec.versions.changes.change import DECLARED, KINDS, LEVELS, Card, Change, Impact, Side


@dataclass(frozen=True)
class Words:
    """Says changes in a language: `old` and `new` describe the two versions."""

    old: Description
    new: Description

    @property
    def phrases(self) -> Phrases:
        return phrases_of(self.new.lang)

    def before(self, change: Change) -> list[str]:
        """What held and is not said in the same words now."""
        return self._sides(change)[0]

    def after(self, change: Change) -> list[str]:
        """What holds and was not said in the same words."""
        return self._sides(change)[1]

    def _sides(self, change: Change) -> tuple[list[str], list[str]]:
        before, after = _sentences(change, change.before, self.old), _sentences(change, change.after, self.new)
        return [one for one in before if one not in after], [one for one in after if one not in before]

    def examples(self, change: Change) -> list[str]:
        """Positions in which both versions differ: what holds there, what was and what is."""
        known = naming_in(self.new.say)
        found = []
        for one in change.examples:
            say = Style(self.new.say, naming_of([(*one.when, one.before, one.after)], known))
            conditions = self.new.say.grammar.joined([say(phrase) for phrase in one.when], "conditions")
            filled = {"conditions": conditions, "before": say(one.before), "after": say(one.after)}
            found.append(self.phrases.say("example", **filled))
        return found

    def kind(self, change: Change) -> str:
        """What kind of change it is."""
        return self.phrases.kinds[change.kind]

    def title(self, change: Change) -> str:
        """What changed: the title of a rule, the term of a declared name, or the face of a card."""
        by = self.new if change.after != Side() else self.old
        if change.face:
            return _card(change.face, by)
        if change.name in ("game", "cards"):
            return self.phrases.phrases[change.name]
        if change.kind.partition("-")[0] not in DECLARED and change.name in by.spec.rules:
            return by.say.names.title(change.name)
        return _name(change.name, by)


def _name(name: str, description: Description) -> str:
    """The term or title of a name of a spec; the name itself without one."""
    names = description.say.names
    return names.term(name) if names.is_worded(name) else name


def _card(card: Card, description: Description) -> str:
    """What a card shows in words: the term of a member alone, every other content after its field."""
    spec = description.spec
    shown = []
    for field, content in card:
        type_ = spec.deck.declared.get(field)
        member = f"{type_.name}.{content}" if type_ is not None else ""
        if member and description.say.names.is_worded(member):
            shown.append(description.say.names.term(member))
        else:
            shown.append(f"{_name(field, description)} {content}")
    return _listed(shown, description)


def _listed(items: Sequence[str], description: Description) -> str:
    return phrases_of(description.lang).phrases["separator"].join(items)


def _sentences(change: Change, side: Side, description: Description) -> list[str]:
    if side.stated:
        return [description.sentence(one) for one in side.stated]
    if not side.text:
        return []
    for kinds, say in _SAYS.items():
        if change.kind in kinds:
            return say(change, side, description)
    return [side.text]


def _cards(change: Change, side: Side, description: Description) -> list[str]:
    said = (f"{copies} × {_card(card, description)}" for copies, card in side.cards)
    return ["; ".join(said)]


def _answers(change: Change, side: Side, description: Description) -> list[str]:
    """Answers to a ruling; each as a sentence if the version has it."""
    known = description.spec.rulings.get(change.name)
    options = side.text.split(", ")
    if known is None or not set(options) <= set(known.options):
        return [side.text]
    return [description.ruling(change.name, option) for option in options]


def _members(change: Change, side: Side, description: Description) -> list[str]:
    """The members of an enum."""
    named = ((one, f"{change.name}.{one}") for one in side.text.split(", "))
    names = description.say.names
    said = [names.term(full) if names.is_worded(full) else one for one, full in named]
    return [_listed(said, description)]


def _order(change: Change, side: Side, description: Description) -> list[str]:
    """The order of rules by their titles, of anything else as it is written."""
    rules = side.text.split(", ")
    if not set(rules) <= set(description.spec.rules):
        return [side.text]
    return [_listed([description.say.names.title(rule) for rule in rules], description)]


_SAYS: dict[tuple[str, ...], Callable[[Change, Side, Description], list[str]]] = {
    ("cards-changed",): _cards,
    ("order-changed",): _order,
    ("answer-changed", "answer-added", "answer-removed"): _answers,
    tuple(f"enum-{what}" for what in ("added", "removed", "changed")): _members,
}
"""How the texts of some kinds of changes are said in a language; others stand as the spec has them."""


PHRASES = (
    *("separator", "same", "variant", "enough", "rise", "line", "at", "before", "now", "game", "cards"),
    "example",
    *("touched", "nothing", "spec", "texts", "scenarios", "logs", "rulings", "because"),
    *("log_start", "log_lost", "log_differs"),
    *("text_added", "text_removed", "text_changed", "text_moved", "text_same", "text_waiting", "text_unasked"),
)
"""The sentences of reports about changes; words in braces are filled in."""

ERRATA = (
    *("title", "breaking", "play", "text", "game", "cards"),
    *("old", "new", "added", "removed", "moved", "none", "history", "version", "unreleased", "first", "reworded"),
)
"""The headings and labels of errata sheets."""

FINDINGS = (
    *("text-missing", "text-extra", "text-stale", "fact-missing", "fact-contradicted", "order-contradicted"),
    *("number-unaccounted", "term-missing", "example-unproved", "wrong-total", "broken-invariant", "other"),
)
"""The findings that follow from changes most often, by name. They have headings in languages other than that of their
messages."""

NOUNS = ("change",)
"""The nouns that are counted, by plural category."""


@dataclass(frozen=True)
class Phrases:
    """The words of a language for changes."""

    lang: str
    kinds: Mapping[str, str]
    impacts: Mapping[str, str]
    levels: Mapping[str, str]
    phrases: Mapping[str, str]
    errata: Mapping[str, str]
    findings: Mapping[str, str]
    nouns: Mapping[str, Mapping[str, str]]

    def impact(self, impact: Impact) -> str:
        return self.impacts[str(impact)]

    def counted(self, number: int, noun: str) -> str:
        """A number with a noun in the right form."""
        return self.nouns[noun][find(self.lang).plural(number)].format(n=number)

    def heading(self, finding: str) -> str:
        """What a finding is in a few words, by its name; "" in the language of its message."""
        return self.findings.get(finding, self.findings.get("other", ""))

    def say(self, phrase: str, **filled: object) -> str:
        return self.phrases[phrase].format_map(filled)


def phrases_of(lang: str) -> Phrases:
    """The words of a language for changes, or those of the language of specs if it has none.

    Raises ValueError with the file and the key if the data is invalid.
    """
    language = find(lang)
    try:
        return phrases_in(language) or phrases_of(LANGUAGE_OF_SPECS)
    except ValueError:
        if not language.digest:
            raise
        return phrases_of(LANGUAGE_OF_SPECS)  # the check of the file of the project says what is wrong with it


@depends
@lru_cache(maxsize=16)
def phrases_in(language: Language) -> Phrases | None:
    """The words that a language itself has for changes; None if it has none. Raises ValueError like `phrases_of`."""
    path = language.file("changes.yaml")
    return _read(path, language) if path is not None else None


def _read(path: Path, language: Language) -> Phrases:
    keys = KEYS if language.tag == LANGUAGE_OF_SPECS else KEYS | {"findings": FINDINGS}
    given = read_data(path.name, language, {*keys, "nouns"})
    translated = _translated(language)
    parts: dict[str, Mapping[str, str]] = {"findings": {}}
    for key, names in keys.items():
        own = mapping(given.get(key, {}), f"{path}: {key}")
        parts[key] = _complete({**translated.get(key, {}), **own}, names, f"{path}: {key}")
    nouns = _complete(given.get("nouns"), NOUNS, f"{path}: nouns")
    return Phrases(language.tag, **parts, nouns={noun: mapping(forms, str(path)) for noun, forms in nouns.items()})


def _translated(language: Language) -> Mapping[str, Mapping[str, str]]:
    """The kinds and impacts in the words of findings, which name them as well, if these are in the language."""
    catalog = catalog_of(language.tag.partition("-")[0])
    if catalog is None:
        return {}
    english = phrases_of(LANGUAGE_OF_SPECS)
    both = {"kinds": english.kinds, "impacts": english.impacts}
    return {
        key: {name: in_form(catalog.template(text), language.han_form) for name, text in words.items()}
        for key, words in both.items()
    }


KEYS = {
    "kinds": tuple(KINDS),
    "impacts": tuple(map(str, Impact)),
    "levels": LEVELS,
    "phrases": PHRASES,
    "errata": ERRATA,
}


def _complete(value: object, names: tuple[str, ...], where: str) -> Mapping[str, str]:
    """A mapping with exactly these keys. Raises ValueError."""
    found = mapping(value, where, set(names))
    for name in names:
        if name not in found:
            raise ValueError(f"{where}: the key `{name}` is missing")
    return found
