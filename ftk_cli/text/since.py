"""`ftk text render --since`: what has changed in a rulebook since an earlier version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ftk_cli import failure, versions

if TYPE_CHECKING:
    from rulespec.text.render import Rulebook, Since


def since(name: str, rulebook: Rulebook) -> Since:
    """The changes since a version: the number of a release, or any name of a spec. Ends the command if that version or
    its text cannot be had."""
    from rulespec import changes
    from rulespec.project import is_release

    new = rulebook.setting.spec
    if new.variant:
        raise click.UsageError("--since and --variant exclude each other: versions are those of the game itself.")
    old = versions.model(f"{new.id}@{name}" if is_release(name) else name)
    if old.id != new.id:
        raise click.UsageError(f"{name} is {old.id}, not {new.id}: name a version of one game.")
    text = versions.text(old, rulebook.lang)
    if text is None:
        raise failure.Failure(f"{name} has no rule text in {rulebook.lang}.", "Run: ftk text status")
    found, words = changes.compare(old, new), versions.words(old, new, rulebook.lang)
    errata = changes.Errata(found, words, changes.errata_texts(found, text, rulebook.translation))
    return changes.since(rulebook, text, errata, "" if is_release(name.rpartition("@")[2]) else name)
