"""The versions of a game that a command compares: files, ids of games, or files in git revisions."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from ftk_cli import failure, games, inputs
from ftk_cli.text import languages
from ftk_cli.text.languages import described_in, matching
from rulespec.base.messages import say
from rulespec.base.project import of, spec_for

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.language.model.spec import Spec
    from rulespec.text.reading.translation import Translation
    from rulespec.versions.changes.words import Words

TEXT_OF_RELEASE = ".text"
"""The ending of the texts of a release: they are no files of the project, and are not checked with the present spec."""


def model(name: str, variant: str = "") -> Spec:
    """The model of a spec; errors in play do not matter. Ends the command if it cannot be built."""
    from rulespec.games.api import built

    source = spec_source(name)
    source = games.in_variant(source, variant) if variant else source
    found, report = built(source)
    if found is None:
        raise inputs.refused(report.findings, say("Run: ftk check {path}", path=name))
    return found


def spec_source(name: str) -> Source:
    """The text of a spec. Ends the command if it cannot be read or is a file of another kind."""
    from rulespec.editing.file_kinds import kind_of

    source, findings = inputs.read(name)
    if source is None:
        raise games.not_found(name, findings)
    kind = kind_of(source)
    if kind is not None and kind.name not in ("spec", "overlay"):
        raise failure.Failure(
            say("{name} is a {kind} file, not a spec.", name=name, kind=kind.name), say("Name a spec or a game.")
        )
    return source


def words(was: Spec, now: Spec, lang: str | None) -> Words:
    """The words of a language, with the terms of the project of the new version or of the current one."""
    from rulespec.games.rulebook import book_at, described
    from rulespec.versions.changes.words import Words

    beside = home(now)
    tag = described_in(text_language(now, lang), book_at(now, beside))
    return Words(described(was, tag, beside), described(now, tag, beside))


def of_reader(spec: Spec) -> str:
    """The language of the reader, if the game has words in it; else that of specs."""
    from rulespec.games.rulebook import book_at

    return languages.of_reader(book_at(spec, home(spec)))


def text_language(spec: Spec, lang: str | None) -> str:
    """The language of the texts of a game that is wanted (default: that of specs): as it was typed without one."""
    from rulespec.games.rulebook import texts_at
    from rulespec.text.languages.registry import LANGUAGE_OF_SPECS

    own = matching(lang or LANGUAGE_OF_SPECS, texts_at(home(spec), spec.id))
    return own[0] if len(own) == 1 else lang or LANGUAGE_OF_SPECS


def text(spec: Spec, lang: str) -> Translation | None:
    """The text of a version in a language: next to it, in its git revision or in its release; else that of the project
    that it belongs to. That of a variant is joined from its own and those of the game. None if there is none."""
    from rulespec.games.rulebook import texts_at
    from rulespec.text.reading.translation import read

    path = spec.source.path
    if spec.variant:
        return texts_at(home(spec), spec.id, spec.variant).get(lang)
    for name in _beside(path, spec.id, lang):
        source, _ = inputs.read(name)
        if source is not None:
            return read(source)[0]
    return None if inputs.is_revision(path) else texts_at(home(spec), spec.id).get(lang)


def _beside(path: str, game: str, lang: str) -> list[str]:
    """Where the text of a spec at a path may be, from the likeliest."""
    before, colon, file = path.rpartition(":") if inputs.is_revision(path) else ("", "", path)
    folder, name = PurePath(file).parent, PurePath(file).stem
    places = (folder / "translations" / game / f"{lang}.yaml", folder / name / f"{lang}{TEXT_OF_RELEASE}")
    return [f"{before}{colon}{place.as_posix()}" for place in places]


def spec_beside(path: str, game: str) -> str:
    """The name of the spec of a translation: in the same git revision, its release, or its project."""
    before, colon, file = path.rpartition(":") if inputs.is_revision(path) else ("", "", path)
    if PurePath(file).suffix == TEXT_OF_RELEASE:
        return f"{before}{colon}{PurePath(file).parent.as_posix()}.yaml"
    if colon:
        return f"{before}{colon}{(PurePath(file).parents[2] / f'{game}.yaml').as_posix()}"
    return inputs.shown(spec_for(game, path))


def history(name: str) -> tuple[list[str], bool]:
    """The released versions of a game, from the first, then the present one if it is another one; and whether it is.

    Ends the command if there is no release.
    """
    now = model(name)
    releases = [inputs.shown(str(path)) for path in of(home(now)).releases(now.id)]
    if not releases:
        raise failure.Failure(
            say("{title} has no released version.", title=now.title), say("Run: ftk release {id}", id=now.id)
        )
    last = model(releases[-1])
    unreleased = last.digest != now.digest
    return [*releases, *([name] if unreleased else [])], unreleased


def home(spec: Spec) -> str:
    """The path of the spec whose texts, glossary and scenarios belong to a version: its own if there are any, else that
    of the game in the current project."""
    own = spec.source.path
    return own if of(own).glossary(spec.id).is_file() else spec_for(spec.id, own)
