"""The rulebook for one number of players, or for all: its sections in the order of play, its rulings and its index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from urllib.parse import quote

from rulespec.language.model.constants import Setting
from rulespec.text.languages.registry import find
from rulespec.text.output.edition import Edition
from rulespec.text.output.render.index import Entry, index
from rulespec.text.output.render.order import rules_in_order
from rulespec.text.output.render.sections import RuleSection
from rulespec.text.output.render.since import Since
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
