"""Finds and checks the rule text of a game: its translations, its glossary, and publishers' raw texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from rulespec import examples, project, text
from rulespec.api import Spec, model_for
from rulespec.diagnostics import Finding, Report, Span, finding
from rulespec.document import parse
from rulespec.model import spec as model
from rulespec.model.build import build
from rulespec.model.constants import Setting
from rulespec.model.names import suggest
from rulespec.source import Source, read
from rulespec.text import Book, Translation, glossary, raw
from rulespec.text.describe import Description
from rulespec.text.typography import Spelling


def texts_of(spec: Spec) -> dict[str, Translation]:
    """The readable rule texts of a game by language, from the folder `translations` next to its spec."""
    return _texts(spec.model)


def texts_at(spec: str, game: str) -> dict[str, Translation]:
    """The readable rule texts of the game whose spec is at a path, by language. The spec itself is not read."""
    return text.translations(project.of(spec).translations, game)


def book_of(spec: Spec) -> Book | None:
    """A game with its glossary, from the folder `glossaries` next to its spec; None if it cannot be read."""
    return book_at(spec.model)


def examples_of(spec: Spec, lang: str, setting: Setting) -> Mapping[str, tuple[str, ...]]:
    """The worked examples of our text in a language, by rule, that the engine has just proved for a setting.

    Raises KeyError if there is no text in that language.
    """
    return examples.proved(texts_of(spec)[lang], spec, setting)


def description_of(spec: Spec, lang: str, players: int | None = None) -> Description:
    """A description of the rules of a game in a language, with the terms of its glossary, and the titles and rulings of
    its text.

    Raises ValueError if rules cannot be described in that language.
    """
    return described(spec.model, lang, spec.model.source.path, players)


def described(sealed: model.Spec, lang: str, beside: str, players: int | None = None) -> Description:
    """Like `description_of` for any model, such as an old version, with the texts next to the spec at `beside`.

    Raises ValueError if rules cannot be described in that language.
    """
    book, translation = book_at(sealed, beside), texts_at(beside, sealed.id).get(lang)
    titles = {} if translation is None else {id_: one.title for id_, one in translation.rules.items()}
    answers = {} if translation is None else dict(_answers(translation, sealed))
    known = book.glossary if book is not None else None
    title = "" if translation is None else translation.title
    return Description(sealed, lang, known, titles, players, answers, title)


def _answers(translation: Translation, sealed: model.Spec) -> Iterator[tuple[str, str]]:
    """The texts of rulings that state the answers of this version of a spec."""
    for id_, one in translation.rulings.items():
        if id_ in sealed.rulings and not text.is_stale(one.confirmed, sealed, id_):
            yield id_, one.text.text


def check_translation(source: Source) -> Report:
    """Everything wrong with a translation, compared with its spec, its glossary and the other languages.

    The spec is searched as `spec_for` does. Never raises for bad input.
    """
    translation, found = text.read(source)
    if translation is None:
        return Report.of(found)
    spec, report = model_for(translation.game, source)
    if spec is None:
        return Report.of(found, [_no_game(translation.game, source, report)])
    return text_findings(translation, spec, report, found)


def text_findings(translation: Translation, spec: model.Spec, report: Report, found: Iterable[Finding] = ()) -> Report:
    """Everything wrong with what a translation says about a spec, whose own findings are in `report`; and `found`.

    The glossary, the other languages and the scenarios are those next to the spec.
    """
    wrong = text.check(translation, spec, book_at(spec), _texts(spec).values(), versions_of(spec))
    unproved = examples.check(translation, Spec(spec, report)) if not report.errors else ()
    return text.without_ignored(Report.of(found, wrong, unproved), translation.source)


def check_glossary(source: Source) -> Report:
    """Everything wrong with a glossary, compared with its spec. Never raises for bad input."""
    known, found = glossary.read(source)
    if known is None:
        return Report.of(found)
    spec, report = model_for(known.game, source)
    if spec is None:
        return Report.of(found, [_no_game(known.game, source, report)])
    wrong = (*glossary.check(known, spec), *text.unknown_concepts(known, spec))
    return text.without_ignored(Report.of(found, wrong), source)


def check_raw(
    source: Source, lang: str, spec: Spec, spelling: Spelling | None = None, players: int | None = None
) -> Report:
    """Everything wrong with a publisher's raw text of a game in a language (a BCP 47 tag). Never raises for bad input.

    `spelling` is a dictionary (see `rulespec.text.typography.spelling_of`); without one only likely slips are found.
    `players` is given for a rulebook for one number of players.

    Raises ValueError if the game has no glossary in that language or is not for that number of players.
    """
    book = _book_in(spec, lang)
    found = raw.check(source, lang, book, texts_of(spec).get(lang), spelling, players)
    return text.without_ignored(Report.of(found), source)


def _book_in(spec: Spec, lang: str) -> Book:
    book = book_of(spec)
    if book is None or lang not in book.glossary.languages():
        raise ValueError(f"The game `{spec.id}` has no glossary in {lang}, so terms in a raw text cannot be found.")
    return book


def _texts(sealed: model.Spec) -> dict[str, Translation]:
    return texts_at(sealed.source.path, sealed.id)


def versions_of(sealed: model.Spec) -> Iterable[model.Spec]:
    """The versions of a spec that its texts were confirmed with, from the folder `versions` next to it.

    They are read when they are iterated over: most texts are confirmed with the spec as it is.
    """
    return _Versions(sealed)


@dataclass(frozen=True)
class _Versions(Iterable[model.Spec]):
    spec: model.Spec

    def __iter__(self) -> Iterator[model.Spec]:
        for path in sorted(project.of(self.spec.source.path).versions(self.spec.id).glob(f"*{_VERSION}")):
            source, _ = read(str(path))
            known = _version_as_read(source) if source is not None else None
            if known is not None:
                yield known


@lru_cache(maxsize=8)
def _version_as_read(source: Source) -> model.Spec | None:
    """The model of a version. It was sound when it was kept, so it is not checked again."""
    document, _ = parse(source)
    return build(document, source)[0] if document is not None else None


def version_path(sealed: model.Spec) -> Path:
    """Where the present version of a spec is kept when a text is confirmed with it."""
    return project.of(sealed.source.path).versions(sealed.id) / f"{sealed.digest[:_DIGITS]}{_VERSION}"


_VERSION = ".spec"
"""The ending of a version: it is no YAML file of the project, and is not checked with the others."""

_DIGITS = 12
"""The digits of the digest of a spec that name a version."""


def book_at(sealed: model.Spec, beside: str = "") -> Book | None:
    """A sealed spec with the glossary of its project, or of the spec at the path `beside`; None without a glossary."""
    source, _ = read(project.of(beside or sealed.source.path).glossary(sealed.id))
    return _book_as_read(_Sealed(sealed), source) if source is not None else None


@dataclass(frozen=True)
class _Sealed:
    """A spec as the key of a cache: two specs are equal if their paths and digests are."""

    spec: model.Spec = field(compare=False)
    digest: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", f"{self.spec.source.path} {self.spec.digest}")


@lru_cache(maxsize=8)
def _book_as_read(sealed: _Sealed, source: Source) -> Book | None:
    """A spec with its glossary, built once for several texts until the spec or the glossary changes."""
    known, _ = glossary.read(source)
    return Book(sealed.spec, known) if known is not None and known.game == sealed.spec.id else None


def _no_game(game: str, source: Source, report: Report) -> Finding:
    first = report.errors[0]
    message = f"There is no sound spec for the game `{game}`: {first.message}"
    hint = suggest(game, project.playable_games()) or f"Run `ftk check {first.path}` and put it right first."
    return finding("text-no-game", message, source, Span(0, 0), hint)
