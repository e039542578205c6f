"""Titles of games and of their variants in a language, read without their specs: to load all of these takes long."""

from __future__ import annotations

import re
from pathlib import Path

from ftk_cli.page.lexicon import nearest
from rulespec.base.project import find, of, overlay_for


def of_game(game: str, lang: str) -> str:
    """The title of a game in the nearest language that it has texts in, else that of its spec."""
    path = Path(find(game))
    return _in_texts(of(path).texts(game), lang) or _in(path) or game


def language_of(game: str, lang: str) -> str:
    """The language of that title, "" if it is that of the spec."""
    return _nearest_in(of(find(game)).texts(game), lang)


def in_variant(game: str, variant: str, lang: str) -> str:
    """The title of a game in a variant: that of its texts, else both titles."""
    return _whole(game, variant, lang) or f"{of_game(game, lang)}: {of_variant(game, variant, lang)}"


def of_variant(game: str, variant: str, lang: str) -> str:
    """The title of a variant without that of its game, from its texts, else from its overlay."""
    whole = _whole(game, variant, lang)
    if not whole:
        overlay = overlay_for(game, variant, find(game))
        return (_in(Path(overlay)) if overlay else "") or variant
    own = whole.removeprefix(of_game(game, lang)).lstrip(" :：—–-")
    return own[:1].upper() + own[1:] or whole


def _whole(game: str, variant: str, lang: str) -> str:
    return _in_texts(of(find(game)).texts(game, variant), lang)


def _in_texts(folder: Path, lang: str) -> str:
    text = _nearest_in(folder, lang)
    return _in(folder / f"{text}.yaml") if text else ""


def _nearest_in(folder: Path, lang: str) -> str:
    return nearest(lang, sorted(file.stem for file in folder.glob("*.yaml")))


def _in(file: Path) -> str:
    """The first title in a file: that of its game or variant."""
    found = re.search(
        r"\btitle: *(?:\"([^\"]*)\"|'([^']*)'|([^,}\n]*))", file.read_text(encoding="utf-8", errors="replace")
    )
    return next((one for one in found.groups() if one), "").strip() if found else ""
