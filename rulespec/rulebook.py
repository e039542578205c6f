"""Finds and checks the rule text of a game: its translations, its glossary, and publishers' raw texts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from rulespec import examples, project, text
from rulespec.api import Spec, model_for
from rulespec.confirmed import versions_of, words_of
from rulespec.diagnostics import Finding, Report, Span, finding
from rulespec.document import Mapping as MapNode
from rulespec.document import parse
from rulespec.messages import reason, say
from rulespec.model import spec as model
from rulespec.model.constants import Setting
from rulespec.model.names import suggest
from rulespec.overlay import JOINT, VariantError
from rulespec.source import Source, read
from rulespec.text import Book, Translation, glossary
from rulespec.text.describe import Description
from rulespec.text.glossary import Glossary
from rulespec.text.merged import merged
from rulespec.text.second_places import with_second_places
from rulespec.text.translation import Passage
from rulespec.text.typography import Spelling
from rulespec.worklist import SINCE


def texts_of(spec: Spec) -> dict[str, Translation]:
    """The readable rule texts of a game by language, from the folder `translations` next to its spec."""
    return _texts(spec.model)


def texts_at(spec: str, game: str, variant: str = "") -> dict[str, Translation]:
    """The readable rule texts of the game whose spec is at a path, by language. The spec itself is not read.

    Texts of a variant, from the folder `translations/GAME/VARIANT`, take the place of those of the game.
    """
    folder = project.of(spec).translations
    found = text.translations(folder, game)
    for id_ in filter(None, variant.split(JOINT)):
        own = text.translations(folder / game, id_)
        found |= {lang: one.over(found[lang]) if lang in found else one for lang, one in own.items()}
    return found


def begun_text(spec: Spec, lang: str) -> Translation | None:
    """The text of a game in a language that it has none in, as it begins: the words of the nearest language, to be
    translated. It is written nowhere. None for a variant, and without any text to translate from."""
    known = texts_of(spec)
    if not known or spec.model.variant:
        return None
    path = project.of(spec.model.source.path).translations / spec.id / f"{lang}.yaml"
    return text.read(text.begun(lang, known[text.nearest_of(lang, known)], str(path)))[0]


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
    book, translation = book_at(sealed, beside), texts_at(beside, sealed.id, sealed.variant).get(lang)
    titles = {} if translation is None else {id_: one.title for id_, one in translation.rules.items()}
    answers = {} if translation is None else dict(_answers(translation, sealed))
    known = book.glossary if book is not None else None
    title = "" if translation is None else translation.title
    return Description(sealed, lang, known, titles, players, answers, title)


def _answers(translation: Translation, sealed: model.Spec) -> Iterator[tuple[str, str]]:
    """The texts of rulings that state the answers of this version of a spec."""
    versions = versions_of(sealed)
    for id_, one in text.renewed(translation, sealed, versions).rulings.items():
        if id_ in sealed.rulings and not text.is_stale(one.confirmed, sealed, id_, versions):
            yield id_, one.text.text


def check_translation(source: Source) -> Report:
    """Everything wrong with a translation, compared with its spec, its glossary and the other languages.

    The spec is searched as `spec_for` does. Never raises for bad input.
    """
    translation, found = text.read(source)
    if translation is None:
        return Report.of(found)
    try:
        spec, report = model_for(translation.game, source, translation.variant)
    except VariantError as error:
        hint = say("Correct `variant:`, or add the overlay.")
        return Report.of(found, [finding("text-no-game", reason(error), source, Span(0, 0), hint)])
    if spec is None:
        return Report.of(found, [_no_game(translation.game, source, report)])
    if translation.variant:
        return Report.of(found, _in_variant(translation, spec, report))
    return Report.of(merged(text_findings(translation, spec, report, found).findings, translation))


def check_variant_texts(spec: Spec, lang: str = "") -> Report:
    """What is wrong with the texts of a variant in a language (default: in all): with its own texts, and with those
    sentences of the game that do not hold in the variant and have no text of its own."""
    texts = {one.lang: one for one in texts_of(spec).values() if lang in ("", one.lang)}
    return Report.of(*(_in_variant(one, spec.model, spec.report) for one in texts.values()))


def _in_variant(own: Translation, spec: model.Spec, report: Report) -> Iterator[Finding]:
    """The findings about the texts of a variant, joined with those of the game."""
    base = texts_at(spec.source.path, spec.id).get(own.lang)
    joined = (own.over(base) if base is not None else own).without(_removed(spec))
    found = _text_findings(joined, spec, report, _to_compare(joined, base, spec)).findings
    ours = [one for one in found if base is not None and one.path == base.source.path]
    said = [one for one in found if one not in ours]
    # A text of the game was confirmed with the game: for the variant, being stale says nothing about it.
    ours = [one for one in ours if one.name not in _SINCE]
    said += _no_longer_true(base, spec, ours) if base is not None and ours else ()
    yield from (replace(one, path=project.shown(one.path)) for one in merged(said, joined))


_SINCE = (*SINCE, "wrong-source")
"""What is said of a text beside its own game only."""


def _to_compare(joined: Translation, base: Translation | None, spec: model.Spec) -> Iterator[Translation]:
    """The other languages, without texts of the game for those rules that have a text of the variant here: they say
    what the game does."""
    own = {id_ for id_, one in joined.passages.items() if base is None or one.source != base.source}
    game = texts_at(spec.source.path, spec.id)
    for lang, other in _texts(spec).items():
        source = game[lang].source if lang in game else None
        yield other.without(_among(own, source))


def _among(ids: set[str], source: Source | None) -> Callable[[Passage], bool]:
    """Whether a text is of one of these rules and in this file."""
    return lambda one: one.id in ids and one.source == source


def _no_longer_true(base: Translation, spec: model.Spec, ours: Iterable[Finding]) -> Iterator[Finding]:
    """The findings about sentences of the game that are none without the variant."""
    ours = list(ours)
    game, report = model_for(spec.id, base.source)
    rules = {one.rule for one in ours}
    only = None if "" in rules else rules
    alone = _text_findings(base, game, report, _texts(game).values(), only=only).findings if game is not None else ()
    known = {(one.name, one.start, one.message) for one in alone}
    left = text.without_ignored(Report.of(ours), base.source, parse(base.source)[0]).findings
    for one in left:
        if (one.name, one.start, one.message) not in known and not one.name.startswith("ignore-"):
            message = f"In the variant `{spec.variant}`: {one.message}"
            hint = f"Write a text of `{one.rule}` for the variant."
            yield replace(one, message=message, hint=hint if one.rule else one.hint)


def text_findings(translation: Translation, spec: model.Spec, report: Report, found: Iterable[Finding] = ()) -> Report:
    """Everything wrong with what a translation says about a spec, whose own findings are in `report`; and `found`.

    The glossary, the other languages and the scenarios are those next to the spec.
    """
    return _text_findings(translation, spec, report, _texts(spec).values(), found)


def _text_findings(
    translation: Translation,
    spec: model.Spec,
    report: Report,
    others: Iterable[Translation],
    found: Iterable[Finding] = (),
    only: Container[str] | None = None,
) -> Report:
    """Like `text_findings`; of single texts only those of some rules and rulings are checked, if `only` names them."""
    book = book_at(spec)
    beside = tuple(others)
    said = text.check(translation, spec, book, beside, versions_of(spec), only, words_of(spec))
    wrong = list(with_second_places(said, spec, beside))
    if book is not None:
        book.readings.keep(translation.lang)
    unproved = examples.check(text.translated(translation, beside), Spec(spec, report)) if not report.errors else ()
    source = translation.source
    return text.without_ignored(Report.of(found, wrong, unproved), source, parse(source)[0])


def check_glossary(source: Source) -> Report:
    """Everything wrong with a glossary, compared with its spec. Never raises for bad input."""
    known, found = glossary.read(source)
    if known is None:
        return Report.of(found)
    spec, report = model_for(known.game, source)
    if spec is None:
        return Report.of(found, [_no_game(known.game, source, report)])
    wrong = (*glossary.check(known, spec), *text.unknown_concepts(known, spec))
    return text.without_ignored(Report.of(found, wrong), source, parse(source)[0])


def check_raw(
    source: Source,
    lang: str,
    spec: Spec,
    spelling: Spelling | None = None,
    players: int | None = None,
    reviewer: Reviewer | None = None,
) -> Report:
    """Everything wrong with a publisher's raw text of a game in a language (a BCP 47 tag). Never raises for bad input.

    `spelling` is a dictionary (see `rulespec.text.typography.spelling_of`); without one only likely slips are found.
    `players` is given for a rulebook for one number of players. `reviewer` answers a question (both are data for JSON,
    see `rulespec.text.review`): its remarks are findings as well. It is not asked about a text of another game.

    Raises ValueError if the game has no glossary in that language or is not for that number of players.
    """
    from rulespec.text import raw, review  # only raw texts need them, and they read XML, too

    book, own = _book_in(spec, lang), texts_of(spec).get(lang)
    found = list(raw.check(source, lang, book, own, spelling, players))
    if reviewer is not None and not any(one.name == "other-game" for one in found):
        answer = reviewer(review.question(source, lang, book, own, players))
        found += review.findings(answer, source, lang, spec.model, found)
    return text.without_ignored(Report.of(with_second_places(found, spec.model)), source)


Reviewer: TypeAlias = Callable[[dict[str, Any]], Any]
"""Answers the question about a text with remarks: `{"remarks": [{"line", "words", "rule", "kind", "why"}]}`."""


def review_translation(source: Source, reviewer: Reviewer, known: Iterable[Finding] = ()) -> Iterator[Finding]:
    """The remarks of a reviewer about a translation, without those at words that the `known` findings are about.

    There are none if the translation, its spec or its glossary cannot be read, which `check_translation` reports, and
    for translations of variants, which are not reviewed.
    """
    from rulespec.text import review

    translation, _ = text.read(source)
    spec = model_for(translation.game, source)[0] if translation is not None and not translation.variant else None
    book = book_at(spec) if spec is not None else None
    if translation is not None and book is not None:
        answer = reviewer(review.question(source, translation.lang, book, None))
        mine = [one for one in known if one.path == source.path]
        yield from text.not_ignored(review.findings(answer, source, translation.lang, book.spec, mine), source)


def _book_in(spec: Spec, lang: str) -> Book:
    book = book_of(spec)
    if book is None or lang not in book.glossary.languages():
        raise ValueError(f"The game `{spec.id}` has no glossary in {lang}, so terms in a raw text cannot be found.")
    return book


def _texts(sealed: model.Spec) -> dict[str, Translation]:
    found = texts_at(sealed.source.path, sealed.id, sealed.variant)
    return {lang: one.without(_removed(sealed)) for lang, one in found.items()} if sealed.variant else found


def _removed(sealed: model.Spec) -> Callable[[Passage], bool]:
    """Whether a text of the game is about a rule that a variant does not have."""
    folder = str(project.of(sealed.source.path).translations / sealed.id)
    known = sealed.rules.keys() | sealed.rulings.keys()
    return lambda one: one.id not in known and str(Path(one.source.path).absolute().parent) == folder


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
    known = _glossary_as_read(source)
    return Book(sealed.spec, known) if known is not None and known.game == sealed.spec.id else None


@lru_cache(maxsize=8)
def _glossary_as_read(source: Source) -> Glossary | None:
    """A glossary, read once for the game and its variants, which share the finders of its terms."""
    return glossary.read(source)[0]


def _no_game(game: str, source: Source, report: Report) -> Finding:
    first = report.errors[0]
    message = say("There is no sound spec for the game `{game}`: {message}", game=game, message=first.message)
    if first.name == "file-not-found":
        message = say("There is no spec for the game `{game}`.", game=game)
    hint = suggest(game, project.playable_games()) or say(
        "Run `ftk check {path}` and put it right first.", path=first.path
    )
    root, _ = parse(source)
    named = root.get("game") if isinstance(root, MapNode) else None
    return finding("text-no-game", message, source, named.span if named is not None else Span(0, 0), hint)
