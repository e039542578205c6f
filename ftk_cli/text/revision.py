"""`ftk text diff OLD NEW --lang LANG`: what changed between two versions of a text, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, versions
from ftk_cli.output import emit, to_json
from ftk_cli.text.languages import matching
from rulespec.base.messages import chained, say
from rulespec.base.pages.sheet import html, text
from rulespec.editing.file_kinds import kind_of
from rulespec.text.reading.translation import read

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.language.model.spec import Spec
    from rulespec.text.reading.translation import Translation


def show(names: Sequence[str], variant: str, lang: str, format_: str, output: str | None) -> None:
    """Prints the sentences that differ between two versions. Ends the command if one of them cannot be had."""
    from rulespec.versions.changes.compare import compare
    from rulespec.versions.changes.errata import renamed_rules
    from rulespec.versions.changes.text_diff import Asked, TextDiff

    names = [*names, *names] if variant and len(names) == 1 else names
    if len(names) != 2:
        raise click.UsageError(
            say("With --lang name two versions, such as `ftk text diff HEAD:specs/kingme.yaml kingme`.")
        )
    (was, before), (now, after) = (_version(name, lang, of) for name, of in zip(names, ("", variant), strict=True))
    if before.game != after.game or before.lang != after.lang:
        what = (
            say("{name} is {game} in {lang}", name=name, game=one.game, lang=one.lang)
            for name, one in zip(names, (before, after), strict=True)
        )
        both = chained(say("{first}; {second}"), list(what))
        raise click.UsageError(say("{both}: name two versions of one text.", both=both))
    changes = compare(was, now)
    words = versions.words(was, now, after.lang)
    found = TextDiff(before, after, words, Asked(changes), renamed_rules(changes))
    if format_ == "json":
        emit(to_json(found.to_dict()), output)
    else:
        emit({"text": text, "html": html}[format_](found.sheet()), output)


def _version(name: str, lang: str, variant: str) -> tuple[Spec, Translation]:
    """A spec, perhaps in a variant, and its text in a language: `name` is the spec or the text."""
    source, findings = inputs.read(name)
    if source is None:
        raise inputs.refused(findings, say("Name a spec, a game, or a translation."))
    kind = kind_of(source)
    if kind is not None and kind.name == "translation":
        if variant:
            raise click.UsageError(say("{name} is a text: with --variant name the game.", name=name))
        return _of_text(source, lang)
    spec = versions.model(name, variant)
    found = versions.text(spec, versions.text_language(spec, lang))
    if found is None:
        raise failure.Failure(
            say("{name} has no rule text in {lang}.", name=name, lang=lang), say("Run: ftk text status")
        )
    return spec, found


def _of_text(source: Source, lang: str) -> tuple[Spec, Translation]:
    """A translation with the spec in the same folder or revision."""
    found = readable(source)
    if not matching(lang, [found.lang]):
        raise click.UsageError(
            say("{path} is in {found}, not in {wanted}.", path=source.path, found=found.lang, wanted=lang)
        )
    return versions.model(versions.spec_beside(source.path, found.game)), found


def readable(source: Source) -> Translation:
    """The translation in a file. Ends the command if it cannot be read."""
    translation, findings = read(source)
    if translation is None:
        raise inputs.refused(findings, say("Run: ftk text check {path}", path=source.path))
    return translation
