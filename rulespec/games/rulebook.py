"""Finds and checks the rule text of a game: its translations, its glossary, and publishers' raw texts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Report, Severity, Span, finding
from rulespec.base.messages import Message, reason, say
from rulespec.base.project import JOINT
from rulespec.base.source import Source, read
from rulespec.base.worklist import SINCE
from rulespec.games import api, examples
from rulespec.games.api import DeckFile, Spec, loads, model_for
from rulespec.games.confirmed import versions_of, words_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.model import spec as model
from rulespec.language.model.constants import Setting
from rulespec.language.model.names import suggest
from rulespec.language.overlay.stack import VariantError, stacked
from rulespec.text.checks.check import beside_others, one_for_each
from rulespec.text.checks.check import check as check_text
from rulespec.text.checks.typography.spelling import Spelling
from rulespec.text.glossary.check import check as check_glossary_
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.output.begun import begun as begun_text_
from rulespec.text.output.begun import nearest_of
from rulespec.text.raw.alignment import Covered, coverage
from rulespec.text.reading.ignores import not_ignored, without_ignored
from rulespec.text.reading.translation import Passage, Translation, translations
from rulespec.text.reading.translation import read as read_text
from rulespec.text.review import kept as kept_reviews
from rulespec.text.review.answer import remark_findings
from rulespec.text.review.kept import ENDING, Review, path_of
from rulespec.text.review.question import Asking, asked, nowhere
from rulespec.text.review.states import Present, State, compare, counts, fresh, is_of, passages_of
from rulespec.text.review.states import texts_of as texts_in
from rulespec.text.rules.book import Book, unknown_concepts
from rulespec.text.rules.describe.description import Description, lacking_nouns
from rulespec.text.rules.on_cards import filled_translation
from rulespec.text.seals.confirmation import is_stale, renewed
from rulespec.text.seals.since import translated


def texts_of(spec: Spec) -> dict[str, Translation]:
    """The readable rule texts of a game by language, from the folder `translations` next to its spec."""
    return _texts(spec.model)


def texts_at(spec: str, game: str, variant: str = "") -> dict[str, Translation]:
    """The readable rule texts of the game whose spec is at a path, by language. The spec itself is not read.

    Texts of a variant, from the folder `translations/GAME/VARIANT`, take the place of those of the game.
    """
    home = project.of(spec)
    found = translations(home.texts(game))
    for id_ in filter(None, variant.split(JOINT)):
        own = translations(home.texts(game, id_))
        found |= {lang: one.over(found[lang]) if lang in found else one for lang, one in own.items()}
    return found


def begun_text(spec: Spec, lang: str) -> Translation | None:
    """The text of a game in a language that it has none in, as it begins: the words of the nearest language, to be
    translated. It is written nowhere. None for a variant, and without any text to translate from."""
    known = texts_of(spec)
    if not known or spec.model.variant:
        return None
    path = project.of(spec.model.source.path).texts(spec.id) / f"{lang}.yaml"
    return read_text(begun_text_(lang, known[nearest_of(lang, known)], str(path)))[0]


def book_of(spec: Spec) -> Book | None:
    """A game with its glossary, from the folder `glossaries` next to its spec; None if it cannot be read."""
    return book_at(spec.model)


def examples_of(spec: Spec, lang: str, setting: Setting) -> Mapping[str, tuple[str, ...]]:
    """The worked examples of our text in a language, by rule, that the engine has just proved for a setting.

    Raises KeyError if there is no text in that language.
    """
    proved = examples.proved(texts_of(spec)[lang], spec, setting)
    return {rule: tuple(one.text.text for one in found) for rule, found in proved.items()}


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
    return Description(sealed, lang, known, titles, players, answers, title, whole=True)


def _answers(translation: Translation, sealed: model.Spec) -> Iterator[tuple[str, str]]:
    """The texts of rulings that state the answers of this version of a spec."""
    versions = versions_of(sealed)
    for id_, one in renewed(translation, sealed, versions).rulings.items():
        if id_ in sealed.rulings and not is_stale(one.confirmed, sealed, id_, versions):
            yield id_, one.text.text


def check_translation(source: Source) -> Report:
    """Everything wrong with a translation, compared with its spec, its glossary and the other languages.

    The spec is searched as `spec_for` does. Never raises for bad input.
    """
    translation, found = read_text(source)
    if translation is None:
        return Report.of(found)
    if (unsaid := _variant_unsaid(translation)) is not None:
        return Report.of(found, [unsaid])
    try:
        spec, report = model_for(translation.game, source, translation.variant)
    except VariantError as error:
        hint = say("Correct `variant:`, or add the overlay.")
        return Report.of(found, [_no_game_at("variant", reason(error), source, hint)])
    if spec is None:
        return Report.of(found, [no_game(translation.game, source, report)])
    if translation.variant:
        # An editor asks by the path that it has opened the file with.
        every = _in_variant(translation, spec, report)
        return Report.of(found, (one if one.path == source.path else _shown(one) for one in every))
    said = text_findings(translation, spec, report, found).findings
    kept = _review_of(translation, spec, None, said).report.findings if path_of(source.path).is_file() else ()
    return Report.of(said, kept)


def _variant_unsaid(translation: Translation) -> Finding | None:
    """The finding for a text in the folder of a variant that does not name it: as a text of the game it would lack all
    other rules."""
    source = translation.source
    folder = Path(source.path).absolute().parent
    if translation.variant or folder.parent.name != translation.game:
        return None
    if folder.name not in project.known_variants(translation.game, source.path):
        return None
    message = say("This is the folder of the variant `{variant}`, which the text does not name.", variant=folder.name)
    return _no_game_at("game", message, source, say("Write `variant: {variant}` below `game:`.", variant=folder.name))


def check_variant_texts(spec: Spec, lang: str = "") -> Report:
    """What is wrong with the texts of a variant in a language (default: in all): with its own texts, and with those
    sentences of the game that do not hold in the variant and have no text of its own."""
    texts = [one for one in texts_of(spec).values() if lang in ("", one.lang)]
    return Report.of(_shown(found) for one in texts for found in _in_variant(one, spec.model, spec.report))


def check_overlay(source: Source, deck: DeckFile | None = None, rulings: Mapping[str, str] | None = None) -> Report:
    """Everything wrong with an overlay, and with the texts of its game in the variant, raising what the former raises.

    With a deck or other options, the texts of the game are about another one.
    """
    report = api.check_overlay(source, deck, rulings)
    return report if not report.ok or deck is not None or rulings else Report.of(report.findings, _texts_beside(source))


def _texts_beside(overlay: Source) -> Iterable[Finding]:
    """What of the texts of a game does not hold in the variant of a sound overlay.

    A language with texts of the variant is left out: they are a file, which is checked beside those of the game.
    """
    joined, _ = stacked(overlay)
    if joined is None:
        return ()
    spec, (below, _, id_) = loads(joined), joined.variant.rpartition(JOINT)
    own = project.of(joined.path).translations / spec.id / id_
    others = (one for lang, one in texts_of(spec).items() if not (own / f"{lang}.yaml").is_file())
    found = (_shown(one) for said in others for one in _in_variant(said, spec.model, spec.report))
    # What does not hold in the variant that this one builds on is found there.
    known = check_variant_texts(loads(joined.files[0], variant=below)).findings if below else ()
    places = {(one.name, one.path, one.start) for one in known}
    new = [one for one in found if (one.name, one.path, one.start) not in places]
    # What the texts of that variant say is right there.
    game, stacked_on = (texts_at(joined.path, spec.id, one).values() for one in ("", below))
    beside = {project.shown(one.source.path) for one in stacked_on} - {project.shown(one.source.path) for one in game}
    return (_named(one, joined.variant) if one.path in beside else one for one in new)


def _in_variant(own: Translation, spec: model.Spec, report: Report) -> Iterator[Finding]:
    """The findings about the texts of a variant, joined with those of the game."""
    base = texts_at(spec.source.path, spec.id).get(own.lang)
    joined = (own.over(base) if base is not None else own).without(_removed(spec))
    found = single_findings(joined, spec, report, _to_compare(joined, base, spec)).findings
    ours = [one for one in found if base is not None and one.path == base.source.path]
    said = [one for one in found if one not in ours]
    # A text of the game was confirmed with the game: for the variant, being stale says nothing about it.
    ours = [one for one in ours if one.name not in _SINCE]
    said += _no_longer_true(base, spec, ours) if base is not None and ours else ()
    yield from one_for_each(said, joined)


def _shown(found: Finding) -> Finding:
    """The finding with paths as they are shown."""
    beside = (replace(other, path=project.shown(other.path)) for other in found.related)
    return replace(found, path=project.shown(found.path), related=tuple(beside))


_SINCE = (*SINCE, "wrong-source")
"""What is said of a text beside its own game only."""


def _to_compare(joined: Translation, base: Translation | None, spec: model.Spec) -> Iterator[Translation]:
    """The other languages, without texts of the game for those rules that have a text of the variant in any language:
    they say what the game does."""
    own = {id_ for id_, one in joined.passages.items() if base is None or one.source != base.source}
    game, every = texts_at(spec.source.path, spec.id), _texts(spec)
    for lang, other in every.items():
        known = game[lang].source if lang in game else None
        own |= {id_ for id_, one in other.passages.items() if one.source != known}
    for lang, other in every.items():
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
    alone = single_findings(base, game, report, only=only).findings if game is not None else ()
    known = {(one.name, one.start, one.message) for one in alone}
    left = without_ignored(Report.of(ours), base.source, parse(base.source)[0]).findings
    for one in left:
        if (one.name, one.start, one.message) not in known and not one.name.startswith("ignore-"):
            yield _named(one, spec.variant)


def _named(found: Finding, variant: str) -> Finding:
    """A finding about a text that is right without the variant."""
    message = say("In the variant `{variant}`: {message}", variant=variant, message=found.message)
    hint = say("Write a text of `{rule}` for the variant.", rule=found.rule)
    return replace(found, message=message, hint=hint if found.rule else found.hint)


def text_findings(translation: Translation, spec: model.Spec, report: Report, found: Iterable[Finding] = ()) -> Report:
    """Everything wrong with what a translation says about a spec, whose own findings are in `report`; and `found`.
    There is one finding for each sentence, list or table.

    The glossary, the other languages and the scenarios are those next to the spec.
    """
    return Report.of(one_for_each(single_findings(translation, spec, report, found=found).findings, translation))


def single_findings(
    translation: Translation,
    spec: model.Spec,
    report: Report,
    others: Iterable[Translation] | None = None,
    found: Iterable[Finding] = (),
    only: Container[str] | None = None,
) -> Report:
    """The findings of `text_findings`, each by itself. `others` are the texts in all languages, by default those next
    to the spec. Of single texts only those of some rules and rulings are checked, if `only` names them."""
    book, source = book_at(spec), translation.source
    beside = tuple(_texts(spec).values() if others is None else others)
    wrong = check_text(translation, spec, book, beside, versions_of(spec), only, words_of(spec))
    unusable = _unusable(translation, spec) if book is None else ()
    unproved = examples.check(translated(translation, beside), Spec(spec, report)) if not report.errors else ()
    return without_ignored(Report.of(found, wrong, unusable, unproved), source, parse(source)[0])


def _unusable(translation: Translation, spec: model.Spec) -> Iterator[Finding]:
    """The finding that the game has a glossary that cannot be read, so that nothing in a text is held to it."""
    error = _error_of_glossary(spec)
    if error is not None:
        path = project.shown(error.path)
        message = say("The glossary {path} cannot be used: {message}", path=path, message=error.message)
        hint = say("Run `ftk check {path}` and put it right first.", path=path)
        yield finding("glossary-unusable", message, translation.source, translation.place, hint, "", translation.lang)


def _error_of_glossary(spec: model.Spec) -> Finding | None:
    """The first error of the glossary of a game, if it cannot be read."""
    path = project.of(spec.source.path).glossary(spec.id)
    source, found = read(path) if Path(path).is_file() else (None, [])
    known, more = read_glossary(source) if source is not None else (None, [])
    return next((one for one in (*found, *more) if one.severity is Severity.ERROR), None) if known is None else None


_NOUNS_LACK_TOO = ("glossary-name-unknown", "term-missing")
"""What is wrong with a glossary when sentences lack a noun as well: what is put right first."""


def check_glossary(source: Source) -> Report:
    """Everything wrong with a glossary, compared with its spec. Never raises for bad input."""
    known, found = read_glossary(source)
    if known is None:
        return Report.of(found)
    spec, report = model_for(known.game, source)
    if spec is None:
        return Report.of(found, [no_game(known.game, source, report)])
    wrong = [*check_glossary_(known, spec), *unknown_concepts(known, spec)]
    if not any(one.name in _NOUNS_LACK_TOO for one in wrong):
        wrong += lacking_nouns(known, spec)
    return without_ignored(Report.of(found, wrong), source, parse(source)[0])


def check_raw(
    source: Source,
    lang: str,
    spec: Spec,
    spelling: Spelling | None = None,
    players: int | None = None,
    reviewer: Reviewer | Asking | None = None,
) -> Report:
    """Everything wrong with a publisher's raw text of a game in a language (a BCP 47 tag). Never raises for bad input.

    `spelling` is a dictionary (`rulespec.text.checks.typography.spelling_of`); without one only likely slips are found.
    `players` is given for a rulebook for one number of players. The remarks of a review that is kept beside the text
    are findings as well. `reviewer` is asked about the passages that no reviewer has read as they are now; questions
    and answers are data for JSON, see `rulespec.text.review`. It is not asked about a text of another game.

    Raises ValueError if the game has no glossary in that language or is not for that number of players.
    """
    return review_raw(source, lang, spec, spelling, players, reviewer).report


@dataclass(frozen=True)
class Reviewed:
    """What is wrong with a text, and how many of its passages have each state: `read`, `changed`, `rule-changed` and
    `unread`. There are none if the text has no review and no reviewer is asked. `rules` says which rules a raw text
    states; it is empty for a text of another game."""

    report: Report
    passages: Mapping[State, int] = field(default_factory=dict)
    rules: Sequence[Covered] = ()


def review_raw(
    source: Source,
    lang: str,
    spec: Spec,
    spelling: Spelling | None = None,
    players: int | None = None,
    reviewer: Reviewer | Asking | None = None,
) -> Reviewed:
    """Like `check_raw`, with what of the text is read."""
    from rulespec.text.raw.check import align_source
    from rulespec.text.raw.check import check as check_raw_

    book, own = _book_in(spec, lang), texts_of(spec).get(lang)
    aligned = align_source(source, lang, book, own, players)
    found = list(check_raw_(source, lang, book, own, spelling, players, aligned))
    passages: Mapping[State, int] = {}
    path = path_of(source.path)
    of_game = not any(one.name == "other-game" for one in found)
    if (reviewer is not None or path.is_file()) and of_game:
        whole = aligned if players is None else align_source(source, lang, book, own)
        present = passages_of(source, lang, whole, book.spec)
        name = path.name.removesuffix(ENDING)
        more, passages = _reviewed(source, name, lang, present, book, own, players, reviewer, found)
        found += more
    report = without_ignored(Report.of(beside_others(one, spec.model) for one in found), source)
    return Reviewed(report, passages, tuple(coverage(aligned, source)) if of_game else ())


Reviewer: TypeAlias = Callable[[dict[str, Any]], Any]
"""Answers a question about passages: `{"read": [{"passage", "remarks": [{"words", "rule", "kind", "why"}]}]}`. Both are
data for JSON; `rulespec.text.review.question` makes the question."""


def review_translation(
    source: Source, reviewer: Reviewer | Asking | None = None, known: Iterable[Finding] = ()
) -> Reviewed:
    """The remarks about a translation: those of its kept review and those of a reviewer, who is asked about the texts
    that nobody has read as they are. Remarks at words that the `known` findings contradict are left out.

    There are none if the translation, its spec or its glossary cannot be read, which `check_translation` reports, and
    for translations of variants, which are not reviewed.
    """
    translation, _ = read_text(source)
    spec = model_for(translation.game, source)[0] if translation is not None and not translation.variant else None
    if translation is None or spec is None:
        return Reviewed(Report.of())
    return _review_of(translation, spec, reviewer, known)


def _review_of(
    translation: Translation, spec: model.Spec, reviewer: Reviewer | Asking | None, known: Iterable[Finding]
) -> Reviewed:
    """Like `review_translation`, for a translation that has been read."""
    book, source = book_at(spec), translation.source
    if book is None:
        return Reviewed(Report.of())
    mine = [one for one in known if one.path == source.path]
    present = texts_in(translation, spec)
    found, passages = _reviewed(source, "", translation.lang, present, book, None, None, reviewer, mine)
    return Reviewed(Report.of(not_ignored(found, source)), passages)


def _reviewed(
    source: Source,
    name: str,
    lang: str,
    present: Sequence[Present],
    book: Book,
    own: Translation | None,
    players: int | None,
    reviewer: Reviewer | Asking | None,
    known: Iterable[Finding],
) -> tuple[list[Finding], Mapping[State, int]]:
    """The findings of the kept review of a text, which may be asked about first, and the states of its passages."""
    kept, found = kept_review(source, lang, present, book.spec)
    asking = reviewer if reviewer is None or isinstance(reviewer, Asking) else _one_by_one(reviewer)
    compared = compare(kept, present, book.spec)
    # What cannot be read may be all the work of a person: it is never written over.
    if asking is not None and present and not (found and asking.keep is not nowhere):
        begun = replace(kept, text=name) if kept is not None else fresh(book.spec.id, lang, name, book.spec)
        kept, unusable = asked(asking, begun, compared, book, own, players)
        found += unusable
        compared = compare(kept, present, book.spec)
    return [*found, *remark_findings(compared, lang, known)], counts(compared)


def kept_review(
    source: Source, lang: str, present: Sequence[Present], spec: model.Spec
) -> tuple[Review | None, list[Finding]]:
    """The review that is kept of a text with these passages, None without one; and the finding about one that cannot be
    used, because it is damaged or of another text."""
    path = path_of(source.path)
    kept, wrong = read(str(path)) if path.is_file() else (None, [])
    if kept is None and not wrong:
        return None, []
    review, more = kept_reviews.read(kept) if kept is not None else (None, [])
    errors = [one for one in (*wrong, *more) if one.severity is Severity.ERROR]
    if review is None or errors:
        place = say("line {line}: {message}", line=errors[0].start.line, message=errors[0].message)
        reason = say("it cannot be read ({place})", place=place)
    elif (review.game, review.lang) != (spec.id, lang):
        reason = say("it is of a text of {game} in {lang}", game=review.game, lang=review.lang)
    elif not is_of(review, present):
        reason = say("hardly any of its passages is in this text")
    else:
        return review, []
    message = say("The review {path} is not used: {reason}.", path=project.shown(str(path)), reason=reason)
    hint = say("Correct it (`ftk check {path}`), or move it away.", path=project.shown(str(path)))
    return None, [finding("review-unusable", message, source, Span(0, 0), hint, "", lang)]


def _one_by_one(reviewer: Reviewer) -> Asking:
    """A reviewer that is asked one question after the other, and whose answers are not kept."""
    return Asking(lambda questions: ((at, reviewer(one)) for at, one in enumerate(questions)))


def check_review(source: Source) -> Report:
    """Everything wrong with a kept review by itself, and that its game has a sound spec. Never raises for bad input."""
    review, found = kept_reviews.read(source)
    spec, report = model_for(review.game, source) if review is not None else (None, Report.of())
    if review is not None and spec is None:
        found.append(no_game(review.game, source, report))
    return Report.of(found)


def _book_in(spec: Spec, lang: str) -> Book:
    book = book_of(spec)
    if book is None and (error := _error_of_glossary(spec.model)) is not None:
        raise ValueError(f"The glossary {project.shown(error.path)} cannot be used: {error.message}")
    if book is None or lang not in book.glossary.languages():
        raise ValueError(f"The game `{spec.id}` has no glossary in {lang}, so terms in a raw text cannot be found.")
    return book


def _texts(sealed: model.Spec) -> dict[str, Translation]:
    written = texts_at(sealed.source.path, sealed.id, sealed.variant)
    found = {lang: filled_translation(one, sealed) for lang, one in written.items()}
    return {lang: one.without(_removed(sealed)) for lang, one in found.items()} if sealed.variant else found


def _removed(sealed: model.Spec) -> Callable[[Passage], bool]:
    """Whether a text of the game is about a rule that a variant does not have."""
    folder = str(project.of(sealed.source.path).texts(sealed.id))
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
    return read_glossary(source)[0]


def no_game(game: str, source: Source, report: Report) -> Finding:
    """The finding for a file whose game has no sound spec; `report` is that of the spec."""
    first = report.errors[0]
    message = say("There is no sound spec for the game `{game}`: {message}", game=game, message=first.message)
    if first.name == "file-not-found":
        message = say("There is no spec for the game `{game}`.", game=game)
    hint = suggest(game, project.playable_games()) or say(
        "Run `ftk check {path}` and put it right first.", path=first.path
    )
    return _no_game_at("game", message, source, hint)


def _no_game_at(key: str, message: Message, source: Source, hint: Message) -> Finding:
    """The finding for a file without its game, at a key of the file."""
    root, _ = parse(source)
    named = root.get(key) if isinstance(root, MapNode) else None
    return finding("text-no-game", message, source, named.span if named is not None else Span(0, 0), hint)
