"""The versions of a game that a command compares: files, ids of games, or files in git revisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ftk_cli import failure, games, inputs
from ftk_cli.text.languages import the_one

if TYPE_CHECKING:
    from rulespec import Source
    from rulespec.changes import Words
    from rulespec.model import Spec


def model(name: str, variant: str = "") -> Spec:
    """The model of a spec; errors in play do not matter. Ends the command if it cannot be built."""
    from rulespec import built

    source = spec_source(name)
    source = games.in_variant(source, variant) if variant else source
    found, report = built(source)
    if found is None:
        raise inputs.refused(report.findings, f"Run: ftk check {name}")
    return found


def spec_source(name: str) -> Source:
    """The text of a spec. Ends the command if it cannot be read or is a file of another kind."""
    from rulespec import kind_of

    source, findings = inputs.read(name)
    if source is None:
        raise games.not_found(name, findings)
    kind = kind_of(source)
    if kind is not None and kind.name not in ("spec", "overlay"):
        raise failure.Failure(f"{name} is a {kind.name} file, not a spec.", "Name a spec or a game.")
    return source


def words(was: Spec, now: Spec, lang: str | None) -> Words:
    """The words of a language, with the terms of the project of the new version or of the current one."""
    from rulespec import described
    from rulespec.changes import Words
    from rulespec.text import LANGUAGE_OF_SPECS
    from rulespec.text.describe import languages

    tag = the_one(lang or LANGUAGE_OF_SPECS, languages(), f"Rules cannot be described in {lang}.")
    beside = home(now)
    return Words(described(was, tag, beside), described(now, tag, beside))


def home(spec: Spec) -> str:
    """The path of the spec whose texts, glossary and scenarios belong to a version: its own if there are any, else that
    of the game in the current project."""
    from rulespec.project import of, spec_for

    own = spec.source.path
    return own if of(own).glossary(spec.id).is_file() else spec_for(spec.id, own)
