"""The words of a game in each of its languages, made with the page: to read texts takes long in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec import Spec

FOLDER = "words"
"""The folder of the lexicons in the archive, beside that of the specs."""

Lexicon = dict[str, Any]
"""`title`; `names`: what the spec calls things, in the words of the language; `rules` by id: the `title`, the `text`
and what the rule `does`; the texts of `rulings` by id."""


def lexicons(spec: Spec) -> dict[str, Lexicon]:
    """The lexicon of each language."""
    from rulespec import texts_of

    return {lang: _lexicon(spec, text) for lang, text in texts_of(spec).items()}


def _lexicon(spec: Spec, text: Any) -> Lexicon:
    does = _does(spec, text.lang)
    return {
        "title": text.title,
        "names": _names(spec, text.lang),
        "rules": {
            id_: {"title": one.title, "text": one.text.text.strip(), "does": does.get(id_, [])}
            for id_, one in text.rules.items()
        },
        "rulings": {id_: one.text.text for id_, one in text.rulings.items()},
    }


def _names(spec: Spec, lang: str) -> dict[str, str]:
    """The names for all numbers of players; none in the language of specs, whose own names are more exact."""
    from rulespec.table import WordsIn
    from rulespec.text import LANGUAGE_OF_SPECS

    if lang == LANGUAGE_OF_SPECS:
        return {}
    games = (spec.game(players, engine="interpreter") for players in spec.players)
    return {english: own for game in games for english, own in WordsIn(spec, game, lang).names.items()}


def _does(spec: Spec, lang: str) -> dict[str, list[str]]:
    """What the steps of each rule do, in a language with descriptions."""
    from rulespec import description_of
    from rulespec.text.describe import body, languages

    if lang not in languages():
        return {}
    description = description_of(spec, lang)
    return {one.rule: list(body(description, one)) for one in description.rules()}


def kept(game: str) -> dict[str, Lexicon]:
    """The lexicons of a game in the archive; none for a game without texts, and outside of the page."""
    file = Path(FOLDER, f"{game}.json")
    found: dict[str, Lexicon] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def nearest(lang: str, known: Any) -> str:
    """The known language that is the same, or has the same first part as `zh` has of `zh-Hant`; "" for none."""
    tags = list(known)
    same = (tag for tag in tags if tag.split("-")[0] == lang.split("-")[0])
    return lang if lang in tags else next(same, "")
