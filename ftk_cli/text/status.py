"""`ftk text status`: the languages of a game, how complete they are, and which texts are stale or contradicted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure, games, inputs, options
from ftk_cli.language import language as language_of_reader
from ftk_cli.language import localized
from ftk_cli.output import emit, note, to_json
from ftk_cli.report.display import right, width
from ftk_cli.text.confirm import confirmed
from ftk_cli.text.languages import how_to_begin, matching, no_tag, the_one
from rulespec.base.findings.catalog import DEFAULT_LANGUAGE
from rulespec.base.messages import Message, chained, counted, say, sentences
from rulespec.base.project import known_games, of
from rulespec.games.api import model_of
from rulespec.games.confirmed import versions_of
from rulespec.games.rulebook import book_at, kept_review, texts_at
from rulespec.text.checks.check import contradicted
from rulespec.text.languages.registry import find as find_language
from rulespec.text.review.kept import path_of
from rulespec.text.review.states import compare, texts_of
from rulespec.text.seals.confirmation import renewed
from rulespec.text.seals.since import since, source_among, translated, untranslated_ids

if TYPE_CHECKING:
    from rulespec.language.model.spec import Spec as Model
    from rulespec.text.languages.record import Language
    from rulespec.text.reading.translation import Passage, Translation
    from rulespec.text.rules.book import Book

_DRAFT = "draft"
_STATUSES = (_DRAFT, "translated", "reviewed")
_SINCE = ("stale", "edited", "source edited")
_COLUMNS = ("level", "rules", "rulings", "missing", *_STATUSES, "confirmed", *_SINCE, "contradicted")

_REVIEW = {"read": "read", "changed": "changed since", "rule-changed": "rule changed since", "unread": "not read"}
"""The states of texts in a review, and what they are called; the last one has no column."""
_REVIEWED = tuple(_REVIEW.values())[:-1]

_TITLES = {
    "level": say("level"),
    "rules": say("rules"),
    "rulings": say("rulings"),
    "missing": say("missing"),
    "untranslated": say("untranslated"),
    "draft": say("drafts"),
    "translated": say("translated"),
    "reviewed": say("reviewed"),
    "confirmed": say("confirmed"),
    "stale": say("stale"),
    "edited": say("edited"),
    "source edited": say("source edited"),
    "contradicted": say("contradicted"),
    "read": say("read"),
    "changed since": say("changed since"),
    "rule changed since": say("rule changed since"),
    "not read": say("not read"),
}
"""The headings of columns and lists."""

_LEVELS = 3
_UNCHECKED = {
    "contrasts.yaml": ("contrasts", say("contrasts (left or right, most or fewest)")),
    "describe.yaml": ("descriptions", say("sentences of generated descriptions")),
}
"""What is not checked in a language without a file of data: its name in JSON, and in words."""


@dataclass(frozen=True)
class _Game:
    """A game with its texts. `model` is None if the spec has errors that keep it from being built, `book` also without
    a glossary."""

    id: str
    path: str
    model: Model | None
    book: Book | None
    sound: bool
    texts: dict[str, Translation]

    @classmethod
    def of(cls, name: str, variant: str = "") -> _Game:
        """The game of a name. Ends the command if its spec cannot be read."""
        source = games.spec_source(name, variant)
        model, report = model_of(source)
        id_ = model.id if model is not None else Path(source.path).stem
        book = book_at(model) if model is not None else None
        texts = texts_at(source.path, id_, source.variant)
        if model is not None:
            texts = {tag: renewed(one, model, versions_of(model)) for tag, one in texts.items()}
        return cls(id_, source.path, model, book, report.ok, texts)

    @property
    def title(self) -> str:
        """The title in the language of the reader, if there is a text in it."""
        tag = language_of_reader()
        own = matching(tag, self.texts) if tag != DEFAULT_LANGUAGE else []
        return self.texts[own[0]].title if own else self.model.title if self.model is not None else self.id

    @property
    def heading(self) -> str:
        if self.model is None:
            return say("{game}: rules unknown", game=self.id)
        model = self.model
        return say(
            "{game} {version}: {rules}, {rulings}",
            game=self.title,
            version=model.version,
            rules=counted("{number} rule", "{number} rules", len(model.rules)),
            rulings=counted("{number} ruling", "{number} rulings", len(model.rulings)),
        )


@dataclass(frozen=True)
class Progress:
    """How far the text of a game in one language is.

    `level` is that of the language, and `unchecked` what is not checked at it, as names and in words. `untranslated`
    are the texts that are still those of their source. `missing`, `contradicted` and what is another one `since` texts
    were confirmed are ids of rules and rulings, None if the spec cannot be built. Without a glossary `contradicted` is
    None as well. `review` are the ids of the texts in each state of the kept review, None without one, and empty if it
    cannot be used.
    """

    lang: str
    title: str
    path: str
    level: int
    unchecked: dict[str, str]
    rules: int
    rulings: int
    missing: tuple[str, ...] | None
    untranslated: tuple[str, ...]
    statuses: dict[str, int]
    confirmed: int
    since: dict[str, tuple[str, ...] | None]
    contradicted: tuple[str, ...] | None
    review: dict[str, tuple[str, ...]] | None

    @classmethod
    def of(cls, translation: Translation, game: _Game) -> Progress:
        model, book = game.model, game.book
        source, language = source_among(translation, game.texts.values()), find_language(translation.lang)
        passages = translation.passages.values()
        known = [p for p in passages if model is None or p.id in model.rules or p.id in model.rulings]
        ids = {p.id for p in known}
        left = untranslated_ids(translation, source) & ids
        statuses = {status: sum(p.status == status and p.id not in left for p in known) for status in _STATUSES}
        return cls(
            lang=translation.lang,
            title=translation.title,
            path=inputs.shown(translation.source.path),
            level=language.level,
            unchecked=_unchecked(language, book),
            rules=len(translation.rules.keys() & ids),
            rulings=len(translation.rulings.keys() & ids),
            missing=_missing(translation, model),
            untranslated=tuple(p.id for p in known if p.id in left),
            statuses=statuses | {_DRAFT: statuses[_DRAFT] + len(left)},
            confirmed=sum(bool(p.confirmed) for p in known),
            since=_since(known, model, source),
            contradicted=_contradicted(translated(translation, game.texts.values()), book),
            review=_reviewed(translation, book),
        )

    def row(self) -> list[str]:
        counts = (self.level, self.rules, self.rulings, _number(self.missing), *self.statuses.values(), self.confirmed)
        since = map(_number, (*self.since.values(), self.contradicted))
        return [self.lang, *map(str, (*counts, *since))]

    def reviewed(self) -> list[str]:
        """The cells of the columns about the review."""
        known = self.review or {}
        return [str(len(known[what])) if known else "–" for what in _REVIEWED]

    def to_dict(self) -> dict[str, Any]:
        said: dict[str, Any] = {"lang": self.lang, "title": self.title, "path": self.path}
        said |= {"level": self.level, "not_checked": list(self.unchecked)}
        said |= {"rules": self.rules, "rulings": self.rulings, "missing": _listed(self.missing), **self.statuses}
        said |= {"untranslated": list(self.untranslated), "confirmed": self.confirmed}
        said |= {what.replace(" ", "_"): _listed(ids) for what, ids in self.since.items()}
        said |= {"contradicted": _listed(self.contradicted)}
        states = {what.replace(" ", "_"): list(ids) for what, ids in (self.review or {}).items()}
        return said | {"review": states or None}


def _unchecked(language: Language, book: Book | None) -> dict[str, str]:
    """What is not checked in a language of a game: what its data leave out, and terms that the glossary lacks."""
    found: dict[str, str] = dict(said for file, said in _UNCHECKED.items() if language.file(file) is None)
    concepts = book.glossary.concepts.values() if book is not None else ()
    if not any(language.tag in concept.terms for concept in concepts):
        found["terms"] = say("terms (there is no glossary)") if book is None else say("terms (the glossary has none)")
    return found


def _number(ids: tuple[str, ...] | None) -> str:
    return "–" if ids is None else str(len(ids))


def _listed(ids: tuple[str, ...] | None) -> list[str] | None:
    return None if ids is None else list(ids)


def _missing(translation: Translation, model: Model | None) -> tuple[str, ...] | None:
    if model is None:
        return None
    return tuple(id_ for id_ in (*model.rules, *model.rulings) if id_ not in translation.passages)


def _since(
    known: Iterable[Passage], model: Model | None, source: Translation | None
) -> dict[str, tuple[str, ...] | None]:
    """The texts that are stale, edited, or whose source is edited, since they were confirmed."""
    if model is None:
        return dict.fromkeys(_SINCE)

    found = {passage.id: since(passage, model, source, versions_of(model)) for passage in known}
    return {what: tuple(id_ for id_, those in found.items() if what in those) for what in _SINCE}


def _contradicted(translation: Translation, book: Book | None) -> tuple[str, ...] | None:
    if book is None:
        return None

    return contradicted(translation, book)


def _reviewed(translation: Translation, book: Book | None) -> dict[str, tuple[str, ...]] | None:
    """The ids of the texts in each state of the kept review; None without a review, nothing for one of no use."""
    source = translation.source
    if book is None or book.spec.variant or not path_of(source.path).is_file():
        return None
    present = texts_of(translation, book.spec)
    review, unusable = kept_review(source, translation.lang, present, book.spec)
    found = [(one.state, one.present.rule) for one in compare(review, present, book.spec)] if not unusable else []
    return {name: tuple(id_ for is_, id_ in found if is_ == state) for state, name in _REVIEW.items() if found}


@click.command()
@click.argument("spec", required=False)
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@options.variant
@click.option("--lang", metavar="LANG", help="Only this language.")
@click.option("--confirm", is_flag=True, help="Mark these texts (default: all) as compared with their rules.")
@click.option("--anyway", metavar="REASON", help="Confirm texts that contradict their rules, too, for this reason.")
@options.format_("text", "json")
@options.output
@options.quiet
@options.verbose
def status(
    spec: str | None,
    rules: tuple[str, ...],
    variant: str,
    lang: str | None,
    confirm: bool,
    anyway: str | None,
    format_: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Show how complete each language of a game is (default: of all games).

    The level of a language says how much of its texts is checked: 1 of every language numbers, letters and terms, 2
    contrasts as well, 3 what descriptions say as well. A text is a draft, translated or reviewed if its `status` says
    so, and a draft also while it has the words of its source; confirmed if it was compared with its rule;
    stale if the facts or the steps of that rule have changed since; edited if its words have; source edited if those
    of the text that it was translated from (`source:`) have; contradicted if it says what the rule excludes. -v lists
    the texts that are missing, stale, edited or contradicted.

    Where a review is kept (`ftk text review`), more columns say how many texts a reviewer has read as they are, and how
    many have changed since, or have a rule that has. -v lists these as well.

    --confirm marks the texts of a translation, or of the RULEs only, as compared with the present rules and with the
    present text of their source. One that contradicts its rule needs --anyway and a reason, which is written beside it.

    \b
    Examples:
      ftk text status
      ftk text status fortheking --lang uk -v
      ftk text status fortheking --lang uk --confirm
      ftk text status fortheking --lang uk --confirm setup.deck overbid
      ftk text status fortheking --lang uk --confirm overbid --anyway "The publisher has announced an erratum."
    """
    if confirm:
        summary = confirmed(spec, variant, lang, rules, anyway)
        note(summary) if not quiet else None
        return
    if anyway is not None:
        raise click.UsageError(say("--anyway goes with --confirm."))
    if rules:
        raise click.UsageError(say("Rules are named for --confirm only: {rules}.", rules=tuple(rules)))

    if variant and not spec:
        raise click.UsageError(say("--variant needs the game that it is a variant of."))
    every = [_Game.of(game, variant) for game in ([spec] if spec else known_games())]
    found = [(game, _progress(game, lang)) for game in every]
    if not found:
        raise failure.Failure(say("There are no games in specs/."), say("Name a spec."))
    if lang and not any(languages for _, languages in found):
        there = sorted({tag for game, _ in found for tag in game.texts})
        game = found[0][0].id if len(found) == 1 else "GAME"
        known = say("There is rule text in {languages}.", languages=there)
        hint = no_tag(lang) or sentences(known, how_to_begin(game, lang))
        raise failure.Failure(say("There is no rule text in {lang}.", lang=lang), hint)
    if format_ == "json":
        emit(to_json({"version": 1, "games": [_data(game, languages) for game, languages in found]}), output)
    else:
        blocks = ("\n".join(_lines(game, languages, verbose)) for game, languages in found if languages or not lang)
        emit("\n".join(blocks) + "\n", output)
    if not all(game.sound for game, _ in found):
        raise click.exceptions.Exit(failure.FINDINGS)


def _progress(game: _Game, lang: str | None) -> list[Progress]:
    tags = [*game.texts] if lang is None else [the_one(lang, game.texts, "")] if matching(lang, game.texts) else []
    return [Progress.of(game.texts[tag], game) for tag in tags]


def _data(game: _Game, languages: list[Progress]) -> dict[str, Any]:
    model = game.model
    said: dict[str, Any] = {"game": game.id, "version": model and model.version, "title": model and model.title}
    said |= {"rules": model and len(model.rules), "rulings": model and len(model.rulings), "sound": game.sound}
    return said | {"languages": [language.to_dict() for language in languages], "unreadable": _unreadable(game)}


def _lines(game: _Game, languages: list[Progress], verbose: bool) -> Iterator[str]:
    yield localized(game.heading)
    has_review = any(language.review is not None for language in languages)
    columns = (*_COLUMNS, *_REVIEWED) if has_review else _COLUMNS
    if languages:
        yield f"  {'':<8}" + "".join(right(localized(_TITLES[name]), _wide(name)) for name in columns)
    for language in languages:
        tag, *counts = language.row() + (language.reviewed() if has_review else [])
        cells = "".join(f"{cell:>{_wide(name)}}" for name, cell in zip(columns, counts, strict=True))
        yield f"  {tag:<8}{cells}   {language.title}"
        if verbose:
            named = (
                ("missing", language.missing),
                ("untranslated", language.untranslated),
                *language.since.items(),
                ("contradicted", language.contradicted),
                *((what, ids) for what, ids in (language.review or {}).items() if what != "read"),
            )
            yield from (
                f"    {localized(say('{what}: {rules}', what=_TITLES[what], rules=ids))}" for what, ids in named if ids
            )
    yield from (f"  {localized(one)}" for language in languages for one in _notes(language))
    if not languages:
        yield f"  {localized(say('no rule text'))}"
    if not game.sound:
        errors = say("The spec has errors: run `ftk check {path}`.", path=inputs.shown(game.path))
        yield f"  {localized(errors)}"
    broken = (say("{path} cannot be read: run `ftk text check {path}`", path=path) for path in _unreadable(game))
    yield from (f"  {localized(one)}" for one in broken)


def _notes(language: Progress) -> Iterator[Message]:
    """Sentences about the texts that wait to be translated, and about what is not checked."""
    if language.untranslated:
        yield counted(
            "{lang}: {number} text is not translated yet. To list them: ftk text changes {lang}",
            "{lang}: {number} texts are not translated yet. To list them: ftk text changes {lang}",
            len(language.untranslated),
            lang=language.lang,
        )
    if language.review == {}:
        yield say(
            "{lang}: the review is not used. To see why: ftk text check {path}", lang=language.lang, path=language.path
        )
    if language.unchecked:
        yield say(
            "{lang}: level {level} of {levels}. Not checked: {left}.",
            lang=language.lang,
            level=language.level,
            levels=_LEVELS,
            left=chained(say("{first}; {second}"), [*language.unchecked.values()]),
        )


def _wide(name: str) -> int:
    return width(localized(_TITLES[name])) + 2


def _unreadable(game: _Game) -> list[str]:
    """The files of the game's translations that are broken."""
    folder = of(game.path).texts(game.id)
    texts = game.texts.values()  # those of a variant are joined with those of the game
    sources = (source for text in texts for source in (text.source, *(one.source for one in text.passages.values())))
    sound = {Path(source.path) for source in sources}
    return [inputs.shown(str(path)) for path in sorted(folder.glob("*.yaml")) if path not in sound]
