"""The localiser's desk at the page: the texts of a game in one language, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftk_cli.page import titles
from ftk_cli.page.lexicon import with_texts
from rulespec.base.project import find, of
from rulespec.base.source import Source
from rulespec.base.source import read as read_source
from rulespec.games.api import load
from rulespec.games.rulebook import book_of
from rulespec.play.table.words import Words
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.reading.translation import as_read, read
from rulespec.text.review.kept import read as read_review

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.editing.desk import Desk
    from rulespec.editing.reviewing import ReviewedText
    from rulespec.games.api import Spec
    from rulespec.text.reading.translation import Translation
    from rulespec.text.review.kept import Review
    from rulespec.text.review.states import Compared


class Opened:
    """The desk that is open with its file as it was opened or saved, and the review of its texts, also as it was."""

    def __init__(self, spec: Spec, desk: Desk, review: Review | None = None) -> None:
        self.spec, self.desk, self.before = spec, desk, desk.source.text
        self.review, self.unusable = _review(spec, desk, review)
        self.reviewed_before = self.review

    def reviewed(self) -> ReviewedText:
        """The texts as they are now, with their review. Raises ValueError if the review cannot be used."""
        if self.review is None:
            raise ValueError(self.unusable)
        return _beside(self.spec, self.desk, self.review)

    @property
    def is_changed(self) -> bool:
        """Whether the texts or the review differ from what was opened or saved."""
        return self.desk.source.text != self.before or self.review != self.reviewed_before


def _beside(spec: Spec, desk: Desk, review: Review | None) -> ReviewedText:
    from rulespec.editing.reviewing import of_texts

    translation, _ = read(desk.source)
    assert translation is not None, "a desk has been made of it"
    return of_texts(translation, book_of(spec), desk.others.values(), review)


def _review(spec: Spec, desk: Desk, review: Review | None) -> tuple[Review | None, str]:
    """The review of the texts, that of the project unless one is given; or None, and why it cannot be used."""
    from rulespec.editing.reviewing import Unusable

    try:
        return _beside(spec, desk, review).review, ""
    except Unusable as error:
        return None, error.message


_OPENED: list[Opened] = []
"""The desk that is open: one or none."""


def _opened() -> Opened:
    if not _OPENED:
        raise ValueError("no texts have been opened")
    return _OPENED[-1]


def games(lang: str) -> list[dict[str, Any]]:
    """The games with texts, their titles, and the languages of the texts."""
    found = []
    for game in with_texts():
        langs = sorted(file.stem for file in of(find(game)).texts(game).glob("*.yaml"))
        if langs:
            found.append({"id": game, "title": titles.of_game(game, lang), "langs": langs})
    return found


def read_text(name: str, lang: str) -> None:
    """Reads the texts of a game in a language, so that `open_` finds them read: the page shows how far it is."""
    source, _ = read_source(str(_path(name, lang)))
    if source is not None:
        as_read(source)


def open_(name: str, lang: str) -> dict[str, Any]:
    """Opens the texts of a game in a language; those that are open stay as they are. Raises ValueError."""
    if _OPENED and (_opened().spec.id, _opened().desk.lang) == (name, lang):
        return overview()
    path = _path(name, lang)
    source, _ = read_source(str(path))
    if source is None:
        raise ValueError(f"{path.name} cannot be read")
    return _begin(name, source)


def opened(text: str) -> dict[str, Any]:
    """Opens a file of the reader, such as one that was saved before: texts, or a review of texts. Raises ValueError."""
    from rulespec.editing.file_kinds import kind_of

    given, review = Source("file", text), None
    kind = kind_of(given)
    if kind is not None and kind.name == "review":
        review, wrong = read_review(given)
        if review is None or review.text:
            raise ValueError(str(wrong[0].message) if wrong else "a review of a raw text belongs to the terminal")
        source, wrong = read_source(str(_path(review.game, review.lang)))
        if source is None:
            raise ValueError(str(wrong[0].message))
        return _begin(review.game, source, review)
    translation, findings = read(given)
    if translation is None:
        raise ValueError(str(findings[0].message))
    path = _path(translation.game, translation.lang)
    return _begin(translation.game, Source(str(path), text))


def _path(game: str, lang: str) -> Path:
    return of(find(game)).texts(game) / f"{lang}.yaml"


def _begin(game: str, source: Source, review: Review | None = None) -> dict[str, Any]:
    from rulespec.editing.desk import Desk

    spec = load(game)
    _OPENED[:] = [Opened(spec, Desk(spec, source), review)]
    return overview()


def close() -> None:
    """Leaves the texts, with what was not saved of them."""
    _OPENED.clear()


def saved(review: bool = False) -> dict[str, Any]:
    """Says that the file, or the review, has been saved as it is now."""
    one = _opened()
    if review:
        one.reviewed_before = one.review
    else:
        one.before = one.desk.source.text
    return overview()


def overview() -> dict[str, Any]:
    """Every rule and ruling with the state of its text, and what its review says if there is any."""
    one = _opened()
    read = {}
    if one.review is not None and one.review.passages:
        read = {each.present.rule: each.state.value for each in one.reviewed().compared}
    source = _source(one.desk)
    titles_there = {id_: text.title for id_, text in source.passages.items()} if source is not None else {}
    return {
        "id": one.spec.id,
        "game": one.desk.title,
        "lang": one.desk.lang,
        "source": source.lang if source is not None else "",
        "players": list(one.spec.players),
        "entries": [
            asdict(entry) | {"review": read.get(entry.id, ""), "source_title": titles_there.get(entry.id, "")}
            for entry in one.desk.entries()
        ],
        "changed": one.is_changed,
        "reviewed": bool(read),
    }


def _source(desk: Desk) -> Translation | None:
    """The text that the open one is made from; None if that is not known or there is none."""
    translation, _ = read(desk.source)
    assert translation is not None, "a desk has been made of it"
    return desk.others.get(translation.made_from or LANGUAGE_OF_SPECS)


def unit(id: str, lang: str, players: int | None = None) -> dict[str, Any]:
    """A text with what it must state for a number of players, and its findings in the language of the reader."""
    desk = _opened().desk
    return {**asdict(desk.unit(id, players)), "findings": _shown(desk.findings(id), lang), "review": _reviewed(id)}


def _reviewed(id: str) -> dict[str, Any] | None:
    """What reviewers say about a text, and the rules that it may be compared with; None for a text that is missing."""
    one = _opened()
    if one.review is None:
        return {"unusable": one.unusable}
    text = one.reviewed()
    found = _passage(text, id)
    if found is None:
        return None
    every = one.spec.model.rules
    rules = dict.fromkeys((*found.present.rules, *every))
    return {
        "state": found.state.value,
        "changed": list(found.changed),
        "said": [asdict(said) | {"is_open": said.is_open} for said in text.said(found)],
        "disagreed": text.disagreed(found),
        "rules": [{"id": rule, "title": every[rule].title if rule in every else ""} for rule in rules],
    }


def _passage(text: ReviewedText, id: str) -> Compared | None:
    return next((one for one in text.compared if one.present.rule == id), None)


def judge(id: str, by: str, kind: str, lang: str, words: str = "", rule: str = "", why: str = "") -> dict[str, Any]:
    """Keeps what a person says about a text: it is right, or a remark of a kind. Raises ValueError in a language."""
    one = _opened()
    text = one.reviewed()
    found = _passage(text, id)
    if found is None:
        raise ValueError(f"there is no text of {id} yet")
    number, today = found.present.number, date.today().isoformat()
    with _refusals(lang):
        if kind == "right":
            text = text.answered(number, by, today, ())
        else:
            text = text.added(number, by, today, text.remark(number, words, rule, kind, why))
    one.review = text.review
    return overview()


def decline(number: int, by: str, why: str, lang: str) -> dict[str, Any]:
    """Declines a remark of another reviewer by its number. Raises ValueError in a language."""
    one = _opened()
    with _refusals(lang):
        one.review = one.reviewed().declined(number, by, date.today().isoformat(), why).review
    return overview()


@contextmanager
def _refusals(lang: str) -> Iterator[None]:
    """Turns what cannot be kept into words of a language."""
    from rulespec.editing.reviewing import Unusable

    try:
        yield
    except Unusable as error:
        raise ValueError(Words(lang).of(error.message)) from None


def review_file() -> dict[str, str]:
    """The file of the review as it is now, to be saved in the folder of the project that `folder` names."""
    text = _opened().reviewed()
    return {"name": text.path.name, "folder": f"specs/reviews/{text.review.game}", "text": text.written()}


def check(id: str, lang: str, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The findings about a text as it is being written, by unit id; nothing is kept."""
    return _shown(_opened().desk.findings(id, texts), lang)


def keep(texts: Mapping[str, str]) -> dict[str, Any]:
    """Keeps texts as they were written, by unit id. Raises ValueError if the file cannot hold it."""
    source, found = _opened().desk.written(texts)
    return _replaced(source, found)


def confirm(id: str) -> dict[str, Any]:
    """Marks a text as compared with its rule."""
    return _replaced(*_opened().desk.confirmed(id))


def ignore(id: str, code: str, reason: str) -> dict[str, Any]:
    """Ignores the findings of a kind about a text, with a comment that gives the reason."""
    return _replaced(*_opened().desk.ignoring(id, code, reason))


def _replaced(source: Any, found: list[Finding]) -> dict[str, Any]:
    from rulespec.editing.desk import Desk

    if found:
        raise ValueError(str(found[0].message))
    one = _opened()
    one.desk = Desk(one.spec, source, one.desk.others)
    return overview()


def moment(id: str, players: int | None = None) -> dict[str, Any] | None:
    """A moment of a game at which a rule applies, in the language of the texts."""
    from rulespec.play.table.moments import moment

    one = _opened()
    found = moment(one.spec, id, one.desk.lang, players) if id in one.spec.model.rules else None
    return None if found is None else asdict(found)


def file() -> dict[str, str]:
    """The file as it is now, to be saved."""
    source = _opened().desk.source
    return {"name": Path(source.path).name, "text": source.text}


def exported(format: str) -> dict[str, str]:
    """The texts for a translation tool: PO or XLIFF 2.0."""
    from rulespec.text.output.exchange.po import to_po
    from rulespec.text.output.exchange.xliff_2 import to_xliff_2

    one = _opened()
    translation, _ = read(one.desk.source)
    assert translation is not None, "a desk has been made of it"
    written = {"po": to_po, "xliff": to_xliff_2}[format]
    text = written(translation, one.spec.model, _source(one.desk), work=one.desk.work())
    return {"name": f"{one.spec.id}-{one.desk.lang}.{format}", "text": text}


def imported(name: str, text: str, lang: str) -> dict[str, Any]:
    """Takes over the texts of a file from a translation tool; what is wrong with it is shown."""
    from rulespec.text.output.exchange.po import from_po
    from rulespec.text.output.exchange.xliff import from_xliff

    one = _opened()
    entries, unreadable = (from_po if name.endswith(".po") else from_xliff)(Source(name, text))
    if entries is None:
        raise ValueError(str(unreadable[0].message))
    written, found = one.desk.imported(entries)
    shown = _replaced(written, [])
    return {**shown, "findings": _shown((*unreadable, *found), lang)}


def _shown(found: Any, lang: str) -> list[dict[str, Any]]:
    return [one.in_language(lang).to_dict() for one in found]


CALLS: Mapping[str, Callable[..., Any]] = {
    "desk.read": read_text,
    "desk.open": open_,
    "desk.opened": opened,
    "desk.close": close,
    "desk.saved": saved,
    "desk.unit": unit,
    "desk.check": check,
    "desk.keep": keep,
    "desk.confirm": confirm,
    "desk.ignore": ignore,
    "desk.moment": moment,
    "desk.judge": judge,
    "desk.decline": decline,
    "desk.file": file,
    "desk.review_file": review_file,
    "desk.export": exported,
    "desk.import": imported,
}
