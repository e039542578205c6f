"""`ftk release`: keeps the present version of a game as a released one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, inputs, options, versions
from ftk_cli.check import examine
from ftk_cli.output import note, replace_all
from rulespec.base.diagnostics import Report
from rulespec.base.messages import counted, say
from rulespec.base.project import is_packaged, is_release, of

if TYPE_CHECKING:
    from rulespec.games.api import Spec


@click.command()
@click.argument("game")
@click.option("--anyway", is_flag=True, help="Release it although its scenarios, texts or variants have errors.")
@options.quiet
@options.verbose
def release(game: str, anyway: bool, quiet: bool, verbose: bool) -> None:
    """Keep the present version of a game, with its texts, in specs/history/GAME.

    It needs a game without errors, failing scenarios among them, and a version that is not released yet and has risen
    as far as the changes since the last release demand. `ftk errata GAME --history` lists the changes of all releases;
    GAME@VERSION names one.

    \b
    Examples:
      ftk release fortheking
      ftk diff fortheking@1.0.0 fortheking
    """
    from rulespec.games.rulebook import texts_of

    spec = games.load(game)
    path = spec.model.source.path
    if is_packaged(path):
        hint = say("Copy it first: ftk new NAME --from {id}", id=spec.id)
        raise failure.Failure(
            say("{title} is packaged with ftk: it cannot be released here.", title=spec.model.title), hint
        )
    if not is_release(spec.model.version):
        message = say(
            "A release has a version of three numbers of at most 18 digits; this is {version}.",
            version=spec.model.version[:60],
        )
        raise failure.Failure(message, say("Write `version` like `1.0.0`."))
    project = of(path)
    target = project.history(spec.id) / f"{spec.model.version}.yaml"
    if target.exists():
        message = say(
            "Version {version} of {title} is already released ({target}).",
            version=spec.model.version,
            title=spec.model.title,
            target=inputs.shown(str(target)),
        )
        raise failure.Failure(message, say("Raise `version` in the spec."))
    if earlier := project.releases(spec.id):
        _risen(str(earlier[-1]), spec)
    names = inputs.of_games((inputs.shown(str(path)),), specs=True)
    if not anyway and (errors := examine(names, quiet=quiet).report.errors):
        note(say("{title} has errors, so it is not released. With --anyway it is.", title=spec.model.title))
        raise games.Unsound(Report.of(errors))
    texts = texts_of(spec)
    kept = {target: spec.model.source.text}
    kept |= {
        target.with_suffix("") / f"{lang}{versions.TEXT_OF_RELEASE}": one.source.text for lang, one in texts.items()
    }
    replace_all({str(path): text for path, text in kept.items()})
    if not quiet:
        note(
            counted(
                "{path}: version {version} with {number} text is released.",
                "{path}: version {version} with {number} texts is released.",
                len(texts),
                path=inputs.shown(str(target)),
                version=spec.model.version,
            )
        )


def _risen(last: str, spec: Spec) -> None:
    """Ends the command if the version is too low for the changes since the last release."""
    from rulespec.versions.changes.change import bump
    from rulespec.versions.changes.compare import compare

    was = versions.model(inputs.shown(last))
    changes = compare(was, spec.model)
    rise = bump(was.version, spec.model.version, changes.impact)
    if not rise.enough:
        message = say(
            "The version is {version}; since {before} it must rise to {least} at least.",
            version=spec.model.version,
            before=was.version,
            least=rise.least,
        )
        raise failure.Failure(message, say("Run: ftk diff {id}@{version} {id}", id=spec.id, version=was.version))
