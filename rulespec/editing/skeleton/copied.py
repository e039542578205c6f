"""The plan of a new game: the files of a skeleton or of another game, with another id. Nothing is written."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Report, Severity
from rulespec.base.failure import Refusal
from rulespec.base.messages import say
from rulespec.base.project import Project
from rulespec.base.source import Source, read
from rulespec.base.spreadsheet.reading import from_bytes
from rulespec.editing.file_kinds import check_source
from rulespec.editing.skeleton import edits
from rulespec.editing.skeleton.edits import Identity, players_as_text
from rulespec.games.api import built
from rulespec.games.confirmed import keeping
from rulespec.games.rulebook import described, texts_at
from rulespec.language.cards_from import spreadsheet_of, with_cards
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.output.begun import begun, nearest_of
from rulespec.text.output.exchange.edit import confirm
from rulespec.text.output.exchange.units import passages
from rulespec.text.reading.translation import Passage, Seal, Translation
from rulespec.text.reading.translation import read as read_translation
from rulespec.text.seals.confirmation import confirmation, is_stale
from rulespec.text.seals.since import beside, is_edited, source_among

SKELETON = Path(__file__).parent / "games" / "skeleton.yaml"

_ID = re.compile(r"[a-z][a-z0-9_]{0,99}")  # it is the name of files


@dataclass(frozen=True)
class NewFile:
    """A file of a new game: its path, its text, and what it holds, in a few words. `data` has what is no text."""

    path: str
    text: str
    holds: str
    data: bytes = b""

    @property
    def content(self) -> str | bytes:
        return self.data or self.text


@dataclass(frozen=True)
class NewGame:
    """A new game with its files; `confirmed` is the number of its confirmed texts.

    `drafts` are the languages whose texts are still those in another one, with that one.
    """

    id: str
    files: tuple[NewFile, ...]
    confirmed: int
    drafts: Mapping[str, str]


def suggested(name: str) -> str:
    """The id most like a name, "" if there is none: `My Game` becomes `my_game`."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    id_ = "_".join(words).lstrip("0123456789_")
    return id_ if _ID.fullmatch(id_) else ""


def languages_of(spec: str = "") -> tuple[str, ...]:
    """The languages in which the game at a path has texts, by default the skeleton."""
    source = _source(spec)
    return tuple(texts_at(source.path, _id(source)))


def new_game(
    id_: str,
    into: Project,
    title: str = "",
    languages: tuple[str, ...] | None = None,
    players: range | None = None,
    spec: str = "",
) -> NewGame:
    """The plan of a game in a project, copied from the spec at a path, by default from the skeleton.

    The texts are copied in these languages; by default in all of the other game, and of the skeleton in the language
    of specs. What is confirmed there is confirmed here. In a language that the other game has no texts in they are
    drafts with the words of the nearest language, whose texts come along; if it has no texts at all, with those of
    descriptions of its rules. All files are checked together; raises Refusal if one has a finding, if the id is not
    valid, or if a file is already there.
    """
    _refuse_names(id_, title)
    source = _source(spec)
    known = texts_at(source.path, _id(source))
    chosen = tuple(languages if languages is not None else known if spec else (LANGUAGE_OF_SPECS,))
    known = known if known or not chosen else {LANGUAGE_OF_SPECS: _described(source)}
    drafts = {lang: nearest_of(lang, known) for lang in chosen if lang not in known}
    copied = tuple(dict.fromkeys((*(lang for lang in chosen if lang in known), *drafts.values())))
    new = Identity(id_, title or id_.replace("_", " ").capitalize(), players, copied)
    made = _Copy(source, into, new, {lang: known[lang] for lang in copied}, drafts).made()
    there = [file.path for file in made.files if Path(file.path).exists()]
    if there or into.spec(made.id).exists():
        hint = say("Choose another name, or delete the files of that game.")
        raise Refusal(say("{there} is already there, and nothing is overwritten.", there=project.shown(there[0])), hint)
    _refuse_findings(made, into, new)
    return made


def _refuse_names(id_: str, title: str) -> None:
    if not _ID.fullmatch(id_):
        message = say(
            "`{id}` is not the id of a game: it has at most 100 small letters, digits and `_`, "
            "and begins with a letter.",
            id=id_,
        )
        near = suggested(id_)
        raise Refusal(
            message, say("Write `{near}`, and the name that players read in --title.", near=near) if near else ""
        )
    if len(title.splitlines()) > 1:
        raise Refusal(say("The title has several lines; players read it in one."), say("Write it on one line."))


def _source(spec: str) -> Source:
    source, found = read(spec or str(SKELETON))
    if source is None:
        raise Refusal(found[0].message, found[0].hint)
    return source


def _id(source: Source) -> str:
    return Path(source.path).stem


def _described(source: Source) -> Translation:
    """The text of a game without any: the descriptions of its rules."""
    from rulespec.text.rules.describe.facts import as_translation

    sealed, report = built(source)
    if sealed is None:
        raise Refusal(report.errors[0].message, report.errors[0].hint)
    made, found = read_translation(as_translation(described(sealed, LANGUAGE_OF_SPECS, source.path)))
    if made is None:
        raise Refusal(found[0].message, found[0].hint)
    return made


@dataclass(frozen=True)
class _Copy:
    """The files of a game at `source`, in another project and under another identity. `drafts` are the languages whose
    texts are begun with those of another one, with that one."""

    source: Source
    into: Project
    new: Identity
    texts: Mapping[str, Translation]
    drafts: Mapping[str, str]

    def made(self) -> NewGame:
        spec, cards = Source(str(self.into.spec(self.new.id)), edits.spec(self.source, self.new)), [*self._cards()]
        whole, found = with_cards(spec, lambda path, name, wanted: from_bytes(cards[0].data, path, name, wanted))
        now, report = built(whole) if whole is not None else (None, Report.of(found))
        if now is None or not report.ok:
            place = f"{Path(spec.path).name}:{report.errors[0].start.line}"
            raise _mistake(report.errors[0], place, self.new)
        texts = {lang: self._translation(lang, one, now) for lang, one in self.texts.items()}
        copied = {lang: file for lang, (file, _) in texts.items()}
        begun = (self._draft(lang, copied[source]) for lang, source in self.drafts.items())
        files = (NewFile(spec.path, spec.text, say("the rules")), *cards, *self._beside(), *copied.values(), *begun)
        confirmed = sum(number for _, number in texts.values())
        kept = self._kept(now, (file for file, _ in texts.values())) if confirmed else ()
        return NewGame(self.new.id, (*files, *kept), confirmed, self.drafts)

    def _kept(self, now: Spec, texts: Iterable[NewFile]) -> Iterator[NewFile]:
        """The rules and the words that the texts are confirmed with."""
        read = (read_translation(Source(one.path, one.text))[0] for one in texts)
        for path, text in keeping(now, [one for one in read if one is not None]).items():
            said = (
                say("the words that were confirmed")
                if path.suffix == project.WORDS
                else say("the rules that the texts were confirmed with")
            )
            yield NewFile(str(path), text or "", said)

    def _cards(self) -> Iterator[NewFile]:
        """The spreadsheet with the cards, if there is one."""
        if path := spreadsheet_of(self.source):
            target = self.into.folder / edits.sheet_name(path, self.new)
            yield NewFile(str(target), "", say("the cards"), Path(path).read_bytes())

    def _beside(self) -> Iterator[NewFile]:
        """The scenarios and the glossary."""
        was, here = project.of(self.source.path), _id(self.source)
        for path in sorted(was.scenarios_of(here).glob("*.y*ml")):
            target = self.into.scenarios_of(self.new.id) / path.name
            yield NewFile(str(target), edits.scenarios(_source(str(path)), self.new), say("worked examples"))
        if was.glossary(here).is_file():
            terms = edits.glossary(_source(str(was.glossary(here))), self.new, self.drafts)
            yield NewFile(str(self.into.glossary(self.new.id)), terms, say("the terms of the texts"))

    def _draft(self, lang: str, copied: NewFile) -> NewFile:
        """The text in a language that the other game has none in."""
        source, found = read_translation(Source(copied.path, copied.text))
        if source is None:
            raise Refusal(found[0].message, found[0].hint)
        path = self.into.texts(self.new.id) / f"{lang}.yaml"
        said = say("the rule text in {lang}: a draft in {source}", lang=lang, source=source.lang)
        return NewFile(str(path), begun(lang, source, str(path)).text, said)

    def _translation(self, lang: str, old: Translation, now: Spec) -> tuple[NewFile, int]:
        """The text in a language, and the number of its confirmed passages."""
        path = self.into.texts(self.new.id) / f"{lang}.yaml"
        source = Source(str(path), edits.translation(old.source, self.new))
        made, found = read_translation(source)
        if made is None:
            raise Refusal(say("{path}: {message}", path=old.source.path, message=found[0].message), found[0].hint)
        was = None if Path(self.source.path) == SKELETON else built(self.source)[0]
        before = old.passages
        values = {
            key: str(self._sealed(made, one, now))
            for key, one in passages(made).items()
            if was is None
            or (one.confirmed and not (is_edited(before[one.id]) or is_stale(one.confirmed, was, one.id)))
        }
        text, _ = confirm(source, values)
        said = say("the rule text in {lang}: descriptions of the rules", lang=lang)
        if Path(old.source.path).exists():
            said = say("the rule text in {lang}", lang=lang)
        return NewFile(source.path, text, said), len(values)

    def _sealed(self, made: Translation, passage: Passage, now: Spec) -> Seal:
        """The seal of a text; one of the skeleton is beside its source for the first time."""
        seal = replace(passage.seal, rule=confirmation(now, passage.id), words=passage.words)
        source = source_among(made, self.texts.values())
        if source is None or seal.source:
            return seal
        lang, words = beside(passage.id, source)
        return replace(seal, lang=lang, source=words)


def _refuse_findings(made: NewGame, into: Project, new: Identity) -> None:
    """Raises Refusal if a file of the game has an error or a warning, as they stand together in a folder."""
    with tempfile.TemporaryDirectory(prefix="ftk-new-") as folder:
        paths = {file: Path(folder) / Path(file.path).relative_to(into.folder) for file in made.files}
        for file, path in paths.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data or file.text.encode("utf-8"))
        for file, path in paths.items():
            if path.suffix == ".yaml" and (found := _serious(Source(str(path), file.text))):
                raise _mistake(found[0], f"{path.relative_to(folder)}:{found[0].start.line}", new)


def _serious(source: Source) -> list[Finding]:
    return [one for one in check_source(source).findings if one.severity != Severity.INFO]


def _mistake(found: Finding, place: str, new: Identity) -> Refusal:
    if new.players is None:
        return Refusal(
            say("The copy has a mistake at {place}: {message}", place=place, message=found.message), found.hint
        )
    message = say(
        "The copy does not work for {players} players: {place}: {message}",
        players=players_as_text(new.players),
        place=place,
        message=found.message,
    )
    return Refusal(message, say("Choose other numbers of players, or another game with --from."))
