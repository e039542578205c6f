"""`ftk release`: keeps the present version of a game as a released one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, inputs, options, versions
from ftk_cli.check import examine
from ftk_cli.output import replace_all
from rulespec.base.diagnostics import Report
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
        hint = f"Copy it first: ftk new NAME --from {spec.id}"
        raise failure.Failure(f"{spec.model.title} is packaged with ftk: it cannot be released here.", hint)
    if not is_release(spec.model.version):
        message = f"A release has a version of three numbers of at most 18 digits; this is {spec.model.version[:60]}."
        raise failure.Failure(message, "Write `version` like `1.0.0`.")
    project = of(path)
    target = project.history(spec.id) / f"{spec.model.version}.yaml"
    if target.exists():
        message = (
            f"Version {spec.model.version} of {spec.model.title} is already released ({inputs.shown(str(target))})."
        )
        raise failure.Failure(message, "Raise `version` in the spec.")
    if earlier := project.releases(spec.id):
        _risen(str(earlier[-1]), spec)
    names = inputs.of_games((inputs.shown(str(path)),), specs=True)
    if not anyway and (errors := examine(names, quiet=quiet).report.errors):
        click.echo(f"{spec.model.title} has errors, so it is not released. With --anyway it is.", err=True)
        raise games.Unsound(Report.of(errors))
    texts = texts_of(spec)
    kept = {target: spec.model.source.text}
    kept |= {
        target.with_suffix("") / f"{lang}{versions.TEXT_OF_RELEASE}": one.source.text for lang, one in texts.items()
    }
    replace_all({str(path): text for path, text in kept.items()})
    if not quiet:
        number = f"{len(texts)} text{'s' * (len(texts) != 1)}"
        click.echo(f"{inputs.shown(str(target))}: version {spec.model.version} with {number} is released.", err=True)


def _risen(last: str, spec: Spec) -> None:
    """Ends the command if the version is too low for the changes since the last release."""
    from rulespec.versions.changes.compare import compare
    from rulespec.versions.changes.version import bump

    was = versions.model(inputs.shown(last))
    changes = compare(was, spec.model)
    rise = bump(was.version, spec.model.version, changes.impact)
    if not rise.enough:
        message = f"The version is {spec.model.version}; since {was.version} it must rise to {rise.least} at least."
        raise failure.Failure(message, f"Run: ftk diff {spec.id}@{was.version} {spec.id}")
