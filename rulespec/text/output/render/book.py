"""The rulebook for one number of players, or for all: its sections in the order of play, its rulings and its index."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape, unescape
from types import MappingProxyType
from urllib.parse import quote

from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Body, Note, Run, Step
from rulespec.language.model.step import inside
from rulespec.text.glossary.finder import Mention, finder
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find, labels_of
from rulespec.text.output.edition import Edition
from rulespec.text.output.render.blocks import Since
from rulespec.text.output.render.index import Entry, RuleSection, index
from rulespec.text.reading.clauses import paragraphs, passages
from rulespec.text.reading.translation import Translation
from rulespec.text.rules.book import Book


@dataclass(frozen=True)
class Picture:
    """A picture beside a rule: SVG, its width in millimetres, and what it shows in words, "" for the game; `copies` is
    the number under it if there are several."""

    svg: str
    width: float
    alt: str = ""
    copies: int = 0

    @property
    def address(self) -> str:
        """The picture as an address with its content, for a page."""
        return f"data:image/svg+xml,{quote(self.svg)}"


@dataclass(frozen=True)
class Rulebook:
    """The rules that are in the game in a setting, as a translation words them.

    A `book` adds an index of its terms, `with_rulings` the texts of the rulings whose default option the setting uses,
    `examples` worked examples to the rules, `since` marks of what has changed since an earlier version, and `pictures`
    pictures of what rules are about, by their ids, and one under the title, by "", which a PDF and a page have.
    `for_all` keeps the rules and sentences for all numbers of players.
    """

    translation: Translation
    setting: Setting
    book: Book | None = None
    with_rulings: bool = False
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    since: Since = field(default_factory=Since)
    pictures: Mapping[str, tuple[Picture, ...]] = field(default_factory=dict)
    for_all: bool = False

    @property
    def lang(self) -> str:
        return self.translation.lang

    @cached_property
    def sections(self) -> list[RuleSection]:
        return list(sections(self.translation, self.setting, self.examples, self.for_all))

    @cached_property
    def rulings(self) -> list[tuple[str, str]]:
        """The ids and texts of the rulings, none unless they are asked for."""
        return list(_rulings(self.translation, self.setting, self.for_all)) if self.with_rulings else []

    @property
    def players(self) -> str:
        """The number of people who play, or the least and the most of them."""
        spec = self.setting.spec
        every = [
            number - len(spec.idle(number)) for number in (spec.players if self.for_all else [self.setting.players])
        ]
        return f"{every[0]}–{every[-1]}" if len(every) > 1 else str(every[0])

    @cached_property
    def index(self) -> list[Entry]:
        """The index of terms, empty without a glossary."""
        return index(self.book, self.lang, self.sections) if self.book is not None else []


def sections(
    translation: Translation,
    setting: Setting,
    examples: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    for_all: bool = False,
) -> Iterator[RuleSection]:
    """The rules that are in the game in this setting, or with any number of players `for_all`, and whose texts concern
    it, in the order of play, each with its `examples`."""
    around: list[int] = []
    for id_, depth in _rules_for_all(setting) if for_all else rules_in_order(setting):
        passage = translation.rules.get(id_)
        if passage is None:
            continue
        text = passage.text.text if for_all else for_players(passage.text.text, translation.lang, setting)
        if text.strip() or not passage.text.text.strip():  # a text may be about other numbers of players only
            around = [*(level for level in around if level < depth), depth]  # rules around it may have no text
            yield RuleSection(id_, passage.title, text, len(around), examples.get(id_, ()))


def _rules_for_all(setting: Setting) -> list[tuple[str, int]]:
    """The rules with any number of players: each after the one that it follows where it is in the game."""
    found: dict[str, int] = {}
    order: list[str] = []
    for players in setting.spec.players:
        before = 0
        for id_, depth in rules_in_order(replace(setting, players=players)):
            if id_ not in found:
                order.insert(before, id_)
                found[id_] = depth
            before = order.index(id_) + 1
    return [(id_, found[id_]) for id_ in order]


def for_players(text: str, lang: str, setting: Setting) -> str:
    """What a text says for the number of players of a setting."""
    return Edition(text, find(lang), setting.spec.players, setting.players).reduced()


def _rulings(translation: Translation, setting: Setting, for_all: bool) -> Iterator[tuple[str, str]]:
    """The ids and texts of the rulings with their default option, which is the one that their texts state."""
    for id_ in setting.spec.rulings:
        passage = translation.rulings.get(id_)
        if passage is not None and setting.chosen[id_] == 0:
            text = passage.text.text if for_all else for_players(passage.text.text, translation.lang, setting)
            if text.strip():
                yield id_, text


@dataclass(frozen=True)
class Other:
    """What a text says for some other numbers of players and not for that of the rulebook, as Markdown."""

    players: tuple[int, ...]
    text: str


def others(rulebook: Rulebook) -> dict[str, tuple[Other, ...]]:
    """What each rule of a rulebook says for other numbers of players; rules that say nothing else are left out."""
    found = {section.id: tuple(_of(rulebook, section.id, section.text)) for section in rulebook.sections}
    return {id_: several for id_, several in found.items() if several}


def _of(rulebook: Rulebook, id_: str, own: str) -> Iterator[Other]:
    whole, lang = rulebook.translation.rules[id_].text.text, rulebook.lang
    here, said = set(_sentences(own, lang)), dict[str, tuple[int, ...]]()
    for players in rulebook.setting.spec.players:
        there = _sentences(for_players(whole, lang, replace(rulebook.setting, players=players)), lang)
        text = "\n".join(one for one in there if one not in here)
        said[text] = (*said.get(text, ()), players)
    yield from (Other(players, text) for text, players in said.items() if text)


def _sentences(text: str, lang: str) -> list[str]:
    return [text[one.start : one.end] for one in passages(text, find(lang), 0, len(text))]


DIGITS = "0123456789"


@dataclass(frozen=True)
class Label:
    """Words of a rulebook. `lang` and `direction` are those of the words where the language of the rulebook has none,
    and "" otherwise."""

    text: str
    lang: str = ""
    direction: str = ""


def labels(rulebook: Rulebook) -> dict[str, Label]:
    """The labels of a rulebook by their keys, with its number of players and the version that it is compared with."""
    own, other = find(rulebook.lang).labels, find(LANGUAGE_OF_SPECS)
    version, players = rulebook.since.version, rulebook.players
    made = {}
    for key, words in labels_of(rulebook.lang).items():
        if key in own:
            made[key] = Label(words.format(n=written(players, digits(rulebook)), version=version))
        else:
            made[key] = Label(words.format(n=players, version=version), other.tag, other.direction)
    return made


def digits(rulebook: Rulebook) -> str:
    """The ten digits, from nought, that a rulebook has most of; those of ASCII if it has none.

    Digits of full width are no others: they number things in running text, not its parts.
    """
    texts = [text for section in rulebook.sections for text in (section.title, *section.parts)]
    signs = unicodedata.normalize("NFKC", "".join((*texts, *(text for _, text in rulebook.rulings))))
    # For each digit the code of the nought of its kind.
    found = Counter(ord(sign) - unicodedata.decimal(sign) for sign in signs if sign.isdecimal())
    ((zero, _),) = found.most_common(1) or [(ord("0"), 0)]
    return "".join(chr(zero + value) for value in range(10))


def written(number: str, ten: str) -> str:
    """A number in other digits."""
    return number.translate(str.maketrans(DIGITS, ten))


def rules_in_order(setting: Setting) -> Iterator[tuple[str, int]]:
    """The id and depth of each rule in the game in this setting, once. The depth counts the rule and those around it.

    A procedure is a chapter of its own. It follows the chapter that runs it first, so that its rules come before those
    of later play. A procedure that is not run in this setting has no chapter.
    """
    seen: set[str] = set()
    for id_, depth in _chapters(setting, set()):
        if id_ and id_ not in seen:
            seen.add(id_)
            yield id_, depth


def _chapters(setting: Setting, run: set[str]) -> Iterator[tuple[str, int]]:
    spec = setting.spec
    # Cards are left out before anything is done with them, but after a list of what is in the box.
    first = next((i for i, step in enumerate(spec.setup) if not isinstance(step, Note)), len(spec.setup))
    yield from _chapter(setting, spec.setup[:first], 0, run)
    yield spec.deck.leave_out_rule, 1
    for step in (*spec.setup[first:], *spec.play):
        yield from _chapter(setting, (step,), 0, run)


def _chapter(setting: Setting, body: Body, depth: int, run: set[str]) -> Iterator[tuple[str, int]]:
    """The rules of a body, then the chapters of the procedures it runs, except those in `run`, which have one."""
    steps = list(_present(setting, body, depth))
    yield from ((step.rule, level) for step, level in steps)
    for step, _ in steps:
        if isinstance(step, Run) and step.procedure not in run:
            run.add(step.procedure)
            procedure = setting.spec.procedures[step.procedure]
            yield procedure.rule, 1
            yield from _chapter(setting, procedure.body, int(bool(procedure.rule)), run)


def _present(setting: Setting, body: Body, depth: int) -> Iterator[tuple[Step, int]]:
    """The steps in the game in this setting, in the order of the file, with their depth."""
    for step in sorted(body, key=lambda step: step.span.start):
        if setting.present(step.only_if):
            level = depth + bool(step.rule)
            yield step, level
            yield from _present(setting, inside(step), level)


_TAG = re.compile(r"(<[^>]*>)")


@dataclass(frozen=True)
class Definition:
    """A term, what it is, and the section that explains it."""

    id: str
    term: str
    text: str
    section: RuleSection


def definitions(rulebook: Rulebook) -> dict[str, Definition]:
    """The definitions of the terms of the index, by concept: the note of the glossary in its own language, in others
    the paragraph with the term in the section that explains it."""
    noted = find(rulebook.lang).tag == LANGUAGE_OF_SPECS
    found = {}
    for entry in rulebook.index:
        id_, section = entry.concept.id, entry.section
        text = entry.concept.note if noted and entry.concept.note else _paragraph(rulebook, id_, section.text)
        found[id_] = Definition(id_, entry.term, text, section)
    return found


def _paragraph(rulebook: Rulebook, concept: str, text: str) -> str:
    """The first paragraph of a text with a term of a concept, else its first one."""
    assert rulebook.book is not None
    named = finder(rulebook.book.glossary, rulebook.lang).find(text)
    place = next((one.start for one in named if one.concept == concept), 0)
    return next((text[one.start : one.end] for one in paragraphs(text) if place < one.end), "")


def marked_terms(
    html: str, rulebook: Rulebook, known: Mapping[str, Definition], mark: Callable[[Definition, str], str]
) -> str:
    """The HTML of a text in which the first mention of each known term is what `mark` makes of its HTML."""
    if rulebook.book is None:
        return html
    find_in, left = finder(rulebook.book.glossary, rulebook.lang).find, dict(known)
    parts = _TAG.split(html)
    for at in range(0, len(parts), 2):  # every other one is a tag
        text = unescape(parts[at])
        parts[at] = "".join(_marked(text, _first(find_in(text), left), mark))
    return "".join(parts)


def _first(mentions: list[Mention], left: dict[str, Definition]) -> Iterator[tuple[Mention, Definition]]:
    """The mentions of terms that are left, each of which is then left no more."""
    for mention in mentions:
        if mention.status.is_term and (found := left.pop(mention.concept, None)) is not None:
            yield mention, found


def _marked(
    text: str, found: Iterator[tuple[Mention, Definition]], mark: Callable[[Definition, str], str]
) -> Iterator[str]:
    at = 0
    for mention, definition in found:
        if mention.start >= at:
            yield escape(text[at : mention.start], quote=False)
            yield mark(definition, escape(text[mention.start : mention.end], quote=False))
            at = mention.end
    yield escape(text[at:], quote=False)
