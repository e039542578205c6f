"""`ftk diff`: what changed in a game between two versions of its spec."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import diff_play, failure, inputs, options, versions
from ftk_cli.output import emit, note, to_json
from rulespec.base.diagnostics import Span
from rulespec.base.messages import reason, say
from rulespec.versions.changes.change import Impact, bump

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.versions.changes.approvals import Approval
    from rulespec.versions.changes.change import Change
    from rulespec.versions.changes.compare import Changes
    from rulespec.versions.changes.touched import Touched
    from rulespec.versions.changes.words import Words
    from rulespec.versions.simulated import Simulation


@click.command()
@click.argument("old")
@click.argument("new", required=False)
@options.variant
@click.option("--lang", metavar="LANG", help="The language, such as en, uk or zh-Hant (default: yours).")
@click.option("--check", is_flag=True, help="Fail unless the version has risen as the changes demand.")
@click.option("--approvals", metavar="FILE", help="Changes that need no higher version, by fingerprint (YAML).")
@click.option("--touches", is_flag=True, help="Also list the texts, scenarios and rulings that must follow (slow).")
@click.option("--logs", multiple=True, metavar="PATH", help="Also list logs that no longer replay; may be repeated.")
@diff_play.option
@options.format_("text", "json", "markdown", "html", "github")
@options.output
@options.no_notes
@options.verbose
def diff(
    old: str,
    new: str | None,
    variant: str,
    lang: str | None,
    check: bool,
    approvals: str | None,
    touches: bool,
    logs: tuple[str, ...],
    play: diff_play.Wanted | None,
    format_: str,
    output: str | None,
    verbose: bool,
) -> None:
    """Show what changed in a game: not in the file, but in what it does.

    OLD and NEW are files, ids of games, `-`, or REV:PATH for a file in a git revision. Order, layout and comments
    are no changes. Each change has an impact: breaking (old games become illegal or mean something else), play (the
    same moves, another outcome), text (what players read) or data (what is known about components).

    With --variant NEW is read in that variant. Without NEW it is OLD in that variant: how the variant differs.

    With --play, both versions are also simulated with the same seeds: wins, points and length side by side, and how
    certain each change is.

    \b
    Exit status: 0, or with --check 1 if the version must rise further.

    \b
    Examples:
      ftk diff HEAD:specs/fortheking.yaml specs/fortheking.yaml
      ftk diff HEAD~3:specs/kingme.yaml kingme --lang uk --format markdown
      ftk diff main:specs/fortheking.yaml fortheking --check --approvals approvals.yaml
      ftk diff HEAD:specs/fortheking.yaml fortheking --touches --logs games/
      ftk diff fortheking --variant more_gold
      ftk diff HEAD:specs/kingme.yaml kingme --play --players 4 --games 20000
    """
    from rulespec.versions.changes.compare import compare

    if new is None and not variant:
        raise click.UsageError(say("Name the NEW spec, or a variant of OLD with --variant."))
    new = old if new is None else new
    was, now = versions.model(old), versions.model(new, variant)
    if was.id != now.id and check:
        raise click.UsageError(
            say(
                "{old} is {was}, {new} is {now}: versions of one game can be checked.",
                old=old,
                was=was.id,
                new=new,
                now=now.id,
            )
        )
    if was.id != now.id and not failure.is_quiet():
        names = {"old": old, "was": was.id, "new": new, "now": now.id}
        note(say("{old} is {was}, {new} is {now}: these are different games.", **names))
    changes = compare(was, now)
    found = _touched(changes, logs) if touches or logs else None
    played = None if play is None else diff_play.played(was, now, play)
    shown = lang or (None if format_ == "json" else versions.of_reader(now))
    emit(_written(changes, versions.words(was, now, shown), found, played, format_, output), output)
    if check:
        _check(changes, approvals)


def _touched(changes: Changes, logs: Sequence[str]) -> Touched:
    """What the changes touch in the project of the game; `logs` are files, or folders with files that end in .jsonl."""
    from rulespec.versions.changes.touched import touched

    home = versions.home(changes.new)
    if not failure.is_quiet():
        note(say("Checking texts and scenarios on the new version …"))
    found = touched(changes, home, [_log(path) for path in _files(logs)], inputs.shown)
    for path in found.strange:
        note(say("{path}: not counted, as it does not replay on {old} either.", path=path, old=changes.old.source.path))
    return found


def _files(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        folder = Path(name)
        yield from (str(path) for path in sorted(folder.rglob("*.jsonl"))) if folder.is_dir() else [name]


def _log(path: str) -> Source:
    from rulespec.editing.file_kinds import kind_of
    from rulespec.editing.lift.before import damage

    source = inputs.source(path)
    kind = kind_of(source)
    if kind is None or kind.name != "log":
        raise failure.Failure(
            say("{path} is no log of a game.", path=path), say("Name logs that `ftk play --log FILE` has written.")
        )
    if damaged := damage(source, kind):
        raise failure.Failure(
            say("{path}:{line}: {message}", path=path, line=damaged[0], message=damaged[1]),
            say("Bring it back from a copy, or leave it out."),
        )
    return source


def _written(
    changes: Changes,
    words: Words,
    found: Touched | None,
    played: Simulation | None,
    format_: str,
    output: str | None,
) -> str:
    from rulespec.versions.changes.document import html, markdown, plain, to_dict

    if format_ == "json":
        return to_json(to_dict(changes, words, found) | ({} if played is None else {"play": played.to_dict()}))
    if format_ == "github":
        return "".join(f"{_command(one, changes, words)}\n" for one in changes.every)
    in_play = [] if played is None else [*played.sections(words.new.lang, not failure.is_quiet())]
    if format_ == "text":
        return plain(changes, words, found) + "".join([*_reworded(changes, words), *diff_play.lines(in_play, output)])
    return {"markdown": markdown, "html": html}[format_](changes, words, found, in_play)


def _reworded(changes: Changes, words: Words) -> Iterator[str]:
    """The texts of the new version that say the same in other words than those of the old one, by language."""
    from rulespec.games.rulebook import texts_at
    from rulespec.versions.changes.errata import Errata
    from rulespec.versions.changes.errata import texts as errata_texts

    listed = []
    for lang in texts_at(versions.home(changes.new), changes.new.id) if not changes.new.variant else ():
        old, new = versions.text(changes.old, lang), versions.text(changes.new, lang)
        if old is not None and new is not None and old.source.text != new.source.text:
            errata = Errata(changes, words, errata_texts(changes, old, new))
            titles = [f"{one.title} (`{one.anchor}`)" for part in errata.reworded() for one in part.entries]
            listed += [f"  {lang}: {', '.join(titles)}\n"] if titles else []
    if listed:
        yield f"\n{words.phrases.errata['reworded']}\n"
        yield from listed


_LEVELS = {"breaking": "error", "play": "warning"}


def _command(one: Change, changes: Changes, words: Words) -> str:
    from ftk_cli.report.github import workflow_command

    side, spec = (one.after, changes.new) if one.after.span is not None else (one.before, changes.old)
    path, start, _ = spec.source.located(side.span or Span(0, 0))
    places = {"file": path, "line": start.line, "col": start.column, "title": words.kind(one)}
    said = " / ".join(words.after(one) or words.before(one))
    level = _LEVELS.get(str(one.impact), "notice")
    return workflow_command(level, places, f"{words.phrases.impact(one.impact)}: {words.title(one)}: {said}")


def _check(changes: Changes, path: str | None) -> None:
    """Ends the command with a message if the version has not risen enough for the changes that are not approved."""
    from rulespec.versions.changes.approvals import approved

    known = {one.fingerprint: one for one in _approvals(path)} if path is not None else {}
    today = datetime.date.today()
    counted = [one.impact for one in changes.every if not approved(one, known, today)]
    rise = bump(changes.old.version, changes.new.version, max(counted, default=Impact.NONE))
    if not rise.enough:
        note(
            say(
                "The version must rise to {least} at least ({kind}); it is {version}.",
                least=rise.least,
                kind=rise.needed,
                version=changes.new.version,
            )
        )
        raise click.exceptions.Exit(failure.FINDINGS)


def _approvals(path: str) -> list[Approval]:
    from rulespec.versions.changes.approvals import ApprovalError, approvals

    source = inputs.source(path)
    try:
        return approvals(source)
    except ApprovalError as error:
        hint = say("See `ftk diff` in docs/commands/versions.md.")
        raise failure.Failure(
            say("{path} is no list of approvals: {reason}.", path=path, reason=reason(error)), hint
        ) from None
