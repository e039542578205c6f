"""`ftk diff`: what changed in a game between two versions of its spec."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure, inputs, options
from ftk_cli.output import emit, to_json
from ftk_cli.text.languages import the_one

if TYPE_CHECKING:
    from rulespec.changes import Approval, Changes, Words
    from rulespec.model import Spec


@click.command(short_help="Show what changed in a game between two specs.")
@click.argument("old")
@click.argument("new")
@click.option("--lang", metavar="LANG", help="The language, such as en, uk or zh-Hant (default: that of specs).")
@click.option("--check", is_flag=True, help="Fail unless the version has risen as the changes demand.")
@click.option("--approvals", metavar="FILE", help="Changes that need no higher version, by fingerprint (YAML).")
@options.format_("text", "json", "markdown", "github")
@options.output
@options.no_notes
@options.verbose
def diff(
    old: str,
    new: str,
    lang: str | None,
    check: bool,
    approvals: str | None,
    format_: str,
    output: str | None,
    verbose: bool,
) -> None:
    """Show what changed in a game: not in the file, but in what it does.

    OLD and NEW are files, ids of games, `-`, or REV:PATH for a file in a git revision. Order, layout and comments
    are no changes. Each change has an impact: breaking (old games become illegal or mean something else), play (the
    same moves, another outcome), text (what players read) or data (what is known about components).

    \b
    Exit status: 0, or with --check 1 if the version must rise further.

    \b
    Examples:
      ftk diff HEAD:specs/fortheking.yaml specs/fortheking.yaml
      ftk diff HEAD~3:specs/kingme.yaml kingme --lang uk --format markdown
      ftk diff main:specs/fortheking.yaml fortheking --check --approvals approvals.yaml
    """
    from rulespec.changes import compare

    was, now = _built(old), _built(new)
    if was.id != now.id and check:
        raise click.UsageError(f"{old} is {was.id}, {new} is {now.id}: versions of one game can be checked.")
    changes = compare(was, now)
    emit(_written(changes, _words(was, now, lang), format_), output)
    if check:
        _check(changes, approvals)


def _built(name: str) -> Spec:
    """The model of a spec; errors in play do not matter. Ends the command if it cannot be built."""
    from rulespec import built

    source, findings = inputs.read(name)
    if source is None:
        raise inputs.refused(findings)
    model, report = built(source)
    if model is None:
        raise inputs.refused(report.findings, f"Run: ftk check {name}")
    return model


def _words(was: Spec, now: Spec, lang: str | None) -> Words:
    """The words of a language, with the terms of the project of the new version or of the current one."""
    from rulespec import described
    from rulespec.changes import Words
    from rulespec.project import of, spec_for
    from rulespec.text import LANGUAGE_OF_SPECS
    from rulespec.text.describe import languages

    tag = the_one(lang or LANGUAGE_OF_SPECS, languages(), f"Rules cannot be described in {lang}.")
    own = now.source.path
    beside = own if of(own).glossary(now.id).is_file() else spec_for(now.id, own)
    return Words(described(was, tag, beside), described(now, tag, beside))


def _written(changes: Changes, words: Words, format_: str) -> str:
    from rulespec.changes import to_dict
    from rulespec.changes.document import github, markdown, plain

    if format_ == "json":
        return to_json(to_dict(changes, words))
    return {"text": plain, "markdown": markdown, "github": github}[format_](changes, words)


def _check(changes: Changes, path: str | None) -> None:
    """Ends the command with a message if the version has not risen enough for the changes that are not approved."""
    from rulespec.changes import Impact, approved, bump

    known = {one.fingerprint: one for one in _approvals(path)} if path is not None else {}
    today = datetime.date.today()
    counted = [one.impact for one in changes.every if not approved(one, known, today)]
    rise = bump(changes.old.version, changes.new.version, max(counted, default=Impact.NONE))
    if not rise.enough:
        wanted = f"The version must rise to {rise.least} at least ({rise.needed})"
        click.echo(f"{wanted}; it is {changes.new.version}.", err=True)
        raise click.exceptions.Exit(failure.FINDINGS)


def _approvals(path: str) -> list[Approval]:
    import yaml

    from rulespec.changes import approvals

    source, findings = inputs.read(path)
    if source is None:
        raise inputs.refused(findings)
    try:
        data: Any = yaml.safe_load(source.text)
        return list(approvals(data))
    except (ValueError, yaml.YAMLError) as error:
        reason = str(error).partition("\n")[0]
        raise failure.Failure(
            f"{path} is no list of approvals: {reason}.", "See `ftk diff` in docs/commands.md."
        ) from None
