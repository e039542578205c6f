"""The lexicons of a game, made with the page: to read texts takes long in a browser."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rulespec.base.project import current, find, known_games, of
from rulespec.games.rulebook import description_of, texts_of
from rulespec.play.table.lexicon import Lexicon, lexicon_of
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.rules.describe.terms import Noun

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.games.api import Spec

FOLDER = "words"
"""The folder of the lexicons in the archive, beside that of the specs."""


class Prepared(NamedTuple):
    """A lexicon with what the page shows besides: what the steps of each rule do, and the texts of rulings, by id."""

    lexicon: Lexicon
    does: dict[str, list[str]]
    rulings: dict[str, str]


def lexicons(spec: Spec) -> dict[str, dict[str, Any]]:
    """The lexicon of each language as JSON data, with what `Prepared` adds."""
    games = list(_games(spec))
    texts = texts_of(spec)
    return {lang: asdict(lexicon_of(spec, lang, *games)) | _added(spec, text) for lang, text in texts.items()}


def _games(spec: Spec) -> Iterator[Ruleset]:
    """Every number of players, with the answers to rulings and with each other option of one ruling: what the spec
    says is in one of these games."""
    for players in spec.players:
        yield spec.game(players, engine="interpreter")
        for ruling in spec.model.rulings.values():
            for option in ruling.options[1:]:
                yield spec.game(players, {ruling.id: option}, "interpreter")


def _added(spec: Spec, text: Any) -> dict[str, Any]:
    return {"does": _does(spec, text.lang), "rulings": {id_: one.text.text for id_, one in text.rulings.items()}}


def _does(spec: Spec, lang: str) -> dict[str, list[str]]:
    """What the steps of each rule do, in a language with descriptions."""
    from rulespec.text.rules.describe.description import body

    if lang not in languages():
        return {}
    description = description_of(spec, lang)
    return {one.rule: list(body(description, one)) for one in description.rules()}


def known_languages(game: str) -> list[str]:
    """The languages of the lexicons of a game in the archive."""
    return list(_read(game))


def prepared(game: str, lang: str) -> Prepared:
    """The lexicon of a game that is nearest to a language; an empty one for a game without texts."""
    found = _read(game)
    one = found.get(nearest(lang, found), {})
    given = {field.name: one[field.name] for field in fields(Lexicon) if field.name in one}
    given["nouns"] = {name: Noun(**noun) for name, noun in given.get("nouns", {}).items()}
    return Prepared(Lexicon(**given), one.get("does", {}), one.get("rulings", {}))


def _read(game: str) -> dict[str, Any]:
    """The lexicons of a game in the archive; none for a game without texts, and outside of the page."""
    file = Path(FOLDER, f"{game}.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def nearest(lang: str, known: Any) -> str:
    """The known language that is the same, or has the same first part as `zh` has of `zh-Hant`; "" for none."""
    tags = list(known)
    same = (tag for tag in tags if tag.split("-")[0] == lang.split("-")[0])
    return lang if lang in tags else next(same, "")


def with_texts() -> list[str]:
    """The games of the page that have texts."""
    return [game for game in games() if of(find(game)).texts(game).is_dir()]


def first(texts: Container[str]) -> str:
    """The game that Python begins with before its memory is kept: the first one of the project among those with
    `texts`; "" without one."""
    return next((game for game in known_games() if game in texts), "")


def games() -> list[str]:
    """The games of the page: those of the project, or the packaged ones outside of a project, with its gallery."""
    return sorted({*current().games(), *current().gallery.games()})
