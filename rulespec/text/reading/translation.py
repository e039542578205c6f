"""A translation file as read: one passage per rule id, with its position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Report, Span
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.base.wording import digest
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.formats.current import document
from rulespec.text.languages.registry import depends, find, outdated, unknown, use
from rulespec.text.reading.placeholders import Filled
from rulespec.text.reading.prose import Prose

PATTERN = re.compile(
    r"(?P<rule>[123](?:-[0-9a-f]{8}){1,3}(?:-(?:[0-9a-f]{4})+)?)"
    r" words (?P<words>[0-9a-f]{8})"
    r"(?: (?P<lang>[a-z]{2,3}(?:-[A-Za-z]+)*) (?P<source>[0-9a-f]{8}))?"
)


@dataclass(frozen=True)
class Seal:
    """What a text was confirmed with, each "" if it was not: the digests of its `rule` (see confirmation.py), of its
    own `words` and of the words of its source (see `rulespec.base.wording`), a text in the language `lang`."""

    rule: str = ""
    words: str = ""
    lang: str = ""
    source: str = ""

    @classmethod
    def of(cls, said: str) -> Seal:
        """The seal that `confirmed:` says; one of nothing for a text that is no seal."""
        found = PATTERN.fullmatch(said)
        return cls(**{key: value or "" for key, value in found.groupdict().items()}) if found else cls()

    def __str__(self) -> str:
        beside = f" {self.lang} {self.source}" if self.source else ""
        return f"{self.rule} words {self.words}{beside}" if self.rule else ""


UNSEALED = Seal()
"""The seal of a text that was never confirmed."""


@dataclass(frozen=True)
class Example:
    """A worked example of a rule: the id of the scenario case that proves it, and its text in Markdown."""

    case: Scalar
    text: Scalar

    def prose(self, lang: str, rule: str) -> Prose:
        """The text as prose, with the position of each character in the file."""
        return Prose(self.text.text, lang, self.text.source, self.text.value_span, rule)


@dataclass(frozen=True)
class Passage:
    """The text of one rule or ruling (rulings have no title). `text` is Markdown; `key` is the span of its id.

    `seal` says what it was last compared with, `status` is its state, "" if absent.
    """

    id: str
    title: str
    text: Scalar
    key: Span
    heading: Scalar | None = None
    seal: Seal = UNSEALED
    status: str = ""
    examples: tuple[Example, ...] = ()

    @property
    def source(self) -> Source:
        """The file of the text."""
        return self.text.source

    @property
    def confirmed(self) -> str:
        """What the rule was when the text was confirmed (see confirmation.py); "" if it never was."""
        return self.seal.rule

    @property
    def written(self) -> Scalar:
        """The text as it stands in the file, with its placeholders."""
        return self.text.written if isinstance(self.text, Filled) else self.text

    @property
    def parts(self) -> tuple[str, ...]:
        """The title, the text and the texts of the worked examples, as they stand in the file."""
        return (self.title, self.written.text, *(one.text.text for one in self.examples))

    @cached_property
    def words(self) -> str:
        """The digest of its words."""
        return digest(self.parts)

    def prose(self, lang: str) -> Prose:
        """The text as prose, with the position of each character in the file."""
        return Prose(self.text.text, lang, self.text.source, self.text.value_span, self.id)


@dataclass(frozen=True)
class Translation:
    """All rule text of a game in one language (a BCP 47 tag); `place` is the span of `rules:`, for missing texts,
    `lang_place` that of the tag.

    That of a `variant` holds texts that differ from those of the game. `over` joins the two. `made_from` is the
    language of the text that it is a translation of, "" if it is of none.
    """

    game: str
    lang: str
    title: str
    rules: Mapping[str, Passage]
    rulings: Mapping[str, Passage]
    place: Span
    lang_place: Span
    source: Source
    variant: str = ""
    made_from: str = ""
    made_from_place: Span | None = None

    def over(self, base: Translation) -> Translation:
        """These texts, and those of the base for all other rules."""
        made_from = self.made_from or base.made_from
        rules, rulings = {**base.rules, **self.rules}, {**base.rulings, **self.rulings}
        return replace(self, rules=rules, rulings=rulings, made_from=made_from)

    def without(self, gone: Callable[[Passage], bool]) -> Translation:
        """The translation without some texts."""
        rules, rulings = (
            {id_: one for id_, one in passages.items() if not gone(one)} for passages in (self.rules, self.rulings)
        )
        return replace(self, rules=rules, rulings=rulings)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of the rules, by id."""
        return {id_: one.title for id_, one in self.rules.items()}

    @cached_property
    def passages(self) -> Mapping[str, Passage]:
        """The texts of rules and rulings, by id."""
        return {**self.rulings, **self.rules}


def read(source: Source) -> tuple[Translation | None, list[Finding]]:
    """The translation in a source, or None with findings if it is not valid. Never raises for bad input."""
    # First of all: which tags are known, and what they mean, depends on the project.
    use(project.languages_for(source.path))
    root, found = document(source, "translation")
    if not isinstance(root, MapNode) or not Report.of(found).ok:
        return None, found
    source, lang, made_from = root.source, root.get("lang"), root.get("source")
    assert isinstance(lang, Scalar)
    if not find(lang.text).is_known:
        return None, [*found, unknown(lang, source)]
    found += outdated(lang, source)
    rules = root.key("rules")
    assert rules is not None
    return (
        Translation(
            game=_text(root.get("game")),
            lang=lang.text,
            title=_text(root.get("title")),
            rules=dict(_passages(root.get("rules"))),
            rulings=dict(_passages(root.get("rulings"))),
            place=rules.span,
            lang_place=lang.span,
            source=source,
            variant=_text(root.get("variant")),
            made_from=_text(made_from),
            made_from_place=made_from.span if made_from is not None else None,
        ),
        found,
    )


def _passages(node: Node | None) -> Iterator[tuple[str, Passage]]:
    for key, value in node.entries if isinstance(node, MapNode) else ():
        assert isinstance(value, MapNode)
        text = value.get("text")
        assert isinstance(text, Scalar)
        heading = value.get("title")
        yield (
            key.text,
            Passage(
                key.text,
                _text(heading),
                text,
                key.span,
                heading if isinstance(heading, Scalar) else None,
                Seal.of(_text(value.get("confirmed"))),
                _text(value.get("status")),
                tuple(_examples(value.get("examples"))),
            ),
        )


def _examples(node: Node | None) -> Iterator[Example]:
    for item in node.items if isinstance(node, Sequence) else ():
        assert isinstance(item, MapNode)
        case, text = item.get("case"), item.get("text")
        assert isinstance(case, Scalar) and isinstance(text, Scalar)
        yield Example(case, text)


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def source_of(translation: Translation) -> Translation | None:
    """The text that a translation was made from, in the same folder; None if it was made from none that can be read."""
    folder = Path(translation.source.path).parent
    beside = translations(folder) if translation.made_from else {}
    return beside.get(translation.made_from) if translation.made_from != translation.lang else None


def translations(folder: Path) -> dict[str, Translation]:
    """The valid translations of a game in its folder, by language; invalid ones are left out."""
    found = {}
    paths = sorted(folder.glob("*.yaml"))
    if paths:
        use(project.languages_for(str(paths[0])))  # clears what was read with other languages
    for path in paths:
        source, _ = read_file(str(path))
        translation = as_read(source) if source is not None else None
        if translation is not None:
            found[translation.lang] = translation
    return found


@depends
@lru_cache(maxsize=256)
def as_read(source: Source) -> Translation | None:
    """A translation, read once for the checks of all texts of its game."""
    return read(source)[0]
