"""The localiser's desk at the page: the texts of a game in one language, one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftk_cli.page import titles

if TYPE_CHECKING:
    from rulespec import Finding, Source, Spec
    from rulespec.desk import Desk


class Opened:
    """The desk that is open, and its file as it was opened or saved."""

    def __init__(self, spec: Spec, desk: Desk) -> None:
        self.spec, self.desk, self.before = spec, desk, desk.source.text


_OPENED: list[Opened] = []
"""The desk that is open: one or none."""


def _opened() -> Opened:
    if not _OPENED:
        raise ValueError("no texts have been opened")
    return _OPENED[-1]


def games(lang: str) -> list[dict[str, Any]]:
    """The games with texts, their titles, and the languages of the texts."""
    from rulespec.project import find, of, playable_games

    found = []
    for game in playable_games():
        langs = sorted(file.stem for file in (of(find(game)).translations / game).glob("*.yaml"))
        if langs:
            found.append({"id": game, "title": titles.of_game(game, lang), "langs": langs})
    return found


def open_(name: str, lang: str) -> dict[str, Any]:
    """Opens the texts of a game in a language; those that are open stay as they are. Raises ValueError."""
    from rulespec import read_source

    if _OPENED and (_opened().spec.id, _opened().desk.lang) == (name, lang):
        return overview()
    path = _path(name, lang)
    source, _ = read_source(str(path))
    if source is None:
        raise ValueError(f"{path.name} cannot be read")
    return _begin(name, source)


def opened(text: str) -> dict[str, Any]:
    """Opens a file of the reader, such as one that was saved before. Raises ValueError."""
    from rulespec import Source
    from rulespec.text import read

    translation, findings = read(Source("file", text))
    if translation is None:
        raise ValueError(str(findings[0].message))
    path = _path(translation.game, translation.lang)
    return _begin(translation.game, Source(str(path), text))


def _path(game: str, lang: str) -> Path:
    from rulespec.project import find, of

    return of(find(game)).translations / game / f"{lang}.yaml"


def _begin(game: str, source: Source) -> dict[str, Any]:
    from rulespec import load
    from rulespec.desk import Desk

    spec = load(game)
    _OPENED[:] = [Opened(spec, Desk(spec, source))]
    return overview()


def close() -> None:
    """Leaves the texts, with what was not saved of them."""
    _OPENED.clear()


def saved() -> dict[str, Any]:
    """Says that the file has been saved as it is now."""
    one = _opened()
    one.before = one.desk.source.text
    return overview()


def overview() -> dict[str, Any]:
    """Every rule and ruling with the state of its text."""
    one = _opened()
    return {
        "id": one.spec.id,
        "game": one.desk.title,
        "lang": one.desk.lang,
        "players": list(one.spec.players),
        "entries": [asdict(entry) for entry in one.desk.entries()],
        "changed": one.desk.source.text != one.before,
    }


def unit(id: str, lang: str, players: int | None = None) -> dict[str, Any]:
    """A text with what it must state for a number of players, and its findings in the language of the reader."""
    desk = _opened().desk
    return {**asdict(desk.unit(id, players)), "findings": _shown(desk.findings(id), lang)}


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
    from rulespec.desk import Desk

    if found:
        raise ValueError(str(found[0].message))
    one = _opened()
    one.desk = Desk(one.spec, source, one.desk.others)
    return overview()


def moment(id: str, players: int | None = None) -> dict[str, Any] | None:
    """A moment of a game at which a rule applies, in the language of the texts."""
    from rulespec.table import moment

    one = _opened()
    found = moment(one.spec, id, one.desk.lang, players) if id in one.spec.model.rules else None
    return None if found is None else asdict(found)


def file() -> dict[str, str]:
    """The file as it is now, to be saved."""
    source = _opened().desk.source
    return {"name": Path(source.path).name, "text": source.text}


def exported(format: str) -> dict[str, str]:
    """The texts for a translation tool: PO or XLIFF 2.0."""
    from rulespec.text import LANGUAGE_OF_SPECS, read
    from rulespec.text.exchange import to_po, to_xliff_2

    one = _opened()
    translation, _ = read(one.desk.source)
    assert translation is not None, "a desk has been made of it"
    written = {"po": to_po, "xliff": to_xliff_2}[format]
    reference = one.desk.others.get(translation.made_from or LANGUAGE_OF_SPECS)
    text = written(translation, one.spec.model, reference, work=one.desk.work())
    return {"name": f"{one.spec.id}-{one.desk.lang}.{format}", "text": text}


def imported(name: str, text: str, lang: str) -> dict[str, Any]:
    """Takes over the texts of a file from a translation tool; what is wrong with it is shown."""
    from rulespec import Source
    from rulespec.text.exchange import from_po, from_xliff

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
    "desk.games": games,
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
    "desk.file": file,
    "desk.export": exported,
    "desk.import": imported,
}
