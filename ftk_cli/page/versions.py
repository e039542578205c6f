"""Both versions of a game at the page: the spec as it is edited, and the last release of it.

Without a release it is compared with the spec as it was opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftk_cli.page.lexicon import nearest
from ftk_cli.page.workbench import opened
from rulespec.base.project import find, of, shown
from rulespec.base.source import Source
from rulespec.base.source import read as read_source
from rulespec.games.api import SpecError, built
from rulespec.games.rulebook import texts_at

if TYPE_CHECKING:
    from rulespec.language.model.spec import Spec
    from rulespec.versions.changes.words import Words


def changes(game: str, lang: str) -> dict[str, Any]:
    """What changed in a game, as `ftk diff --format json` says it, with the sentence above the list, what each change
    is to players, the release that is compared, "" without one, and the numbers of players that both versions have.

    Raises SpecError for a spec that cannot be read.
    """
    from rulespec.versions.changes.compare import compare
    from rulespec.versions.changes.document import head, to_dict

    (was, release), now = before(game), after(game)
    found, words = compare(was, now), words_of(was, now, lang)
    said = to_dict(found, words)
    both = [count for count in now.players if count in was.players]
    listed = zip(said["changes"], found.every, strict=True)
    every = [{**change, "effect": words.phrases.impact(one.impact)} for change, one in listed]
    return {**said, "head": head(found, words), "release": release, "players": both, "changes": every}


def before(game: str) -> tuple[Spec, str]:
    """The version that the edited one is compared with, and its number if it is a release."""
    path = Path(find(game))
    releases = of(path).releases(game)
    kept = read_source(shown(str(releases[-1])))[0] if releases else None
    return (_built(kept), releases[-1].stem) if kept is not None else (_built(opened(path)), "")


def after(game: str) -> Spec:
    """The spec as it is edited."""
    path = Path(find(game))
    return _built(Source(shown(str(path)), path.read_text(encoding="utf-8")))


def words_of(was: Spec, now: Spec, lang: str) -> Words:
    """The words of the nearest language that the game has texts in."""
    from ftk_cli import versions

    return versions.words(was, now, text_language(now, lang) or lang)


def text_language(spec: Spec, lang: str) -> str:
    """The nearest language that the game has texts in, "" without any."""
    return nearest(lang, texts_at(spec.source.path, spec.id))


def _built(source: Source) -> Spec:
    model, report = built(source)
    if model is None:
        raise SpecError(report)
    return model


CALLS: Mapping[str, Callable[..., Any]] = {"changes": changes}
