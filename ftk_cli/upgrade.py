"""`ftk upgrade`: lifts files of older formats to the present ones, and logs to the present version of their game."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, options
from ftk_cli.language import localized
from ftk_cli.output import Rewritten, change_files, differences, note
from ftk_cli.replay import spec_of_log
from rulespec.base.failure import SimulationError
from rulespec.base.messages import Message, counted, reason, say
from rulespec.base.project import is_kept
from rulespec.editing.file_kinds import kind_of, spec_of
from rulespec.editing.lift.before import damage, digests_of, head_of, number_of
from rulespec.editing.lift.logs import NotLifted, kept_version, lifted, lifted_state
from rulespec.engine.states.log import LogError
from rulespec.games.api import SpecError, load
from rulespec.language.formats.current import changes
from rulespec.language.formats.table import FORMATS
from rulespec.play.simulate.former import lifted_run

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.editing.file_kinds import FileKind
    from rulespec.editing.lift.logs import Lifted
    from rulespec.games.api import Spec
    from rulespec.language.formats.table import Format

EXITS = {"not_lifted": failure.FINDINGS, "newer": failure.NOT_DONE, "failed": failure.NOT_DONE}
_RUN = "run.json"
_GAMES = (".jsonl", ".json")
"""The file name endings of logs and of saved states."""


@dataclass(frozen=True)
class Played:
    """What logs were played with: a spec in place of the game that they name, and a deck file."""

    spec: str | None
    deck: str | None


@dataclass(frozen=True)
class Outcome:
    """What becomes of a file: it is lifted (`after` is its new content) or stays as it is, for a reason.

    `game` is the path of the spec that a YAML file is about, `lift` the format and the number that it is lifted from.
    `texts` are the new contents of the files of a run by their paths, `gone` its files that are deleted.
    """

    path: str
    status: str
    message: str
    line: int | None = None
    column: int | None = None
    before: str = ""
    after: str | None = None
    hint: str = ""
    game: str = ""
    lift: tuple[Format, int] | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    gone: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = "".join(f":{number}" for number in (self.line, self.column) if number is not None)
        said = f"{self.path}{place}: {localized(self.message)}"
        return f"{said}\n  {localized(self.hint)}" if self.hint else said


_KINDS = {
    "spec": say("a spec"),
    "overlay": say("an overlay"),
    "scenario": say("a scenario"),
    "deck": say("a deck"),
    "translation": say("a translation"),
    "glossary": say("a glossary"),
    "language": say("a language"),
    "log": say("a log"),
    "state": say("a state"),
    "review": say("a review"),
    "looks": say("a looks"),
}
"""The kinds of files with a format of ours."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--spec", "spec_name", metavar="SPEC", help="The spec to lift logs to (default: the game a log names).")
@options.deck
@options.changes_files(help="Write the files. Without it, the differences are shown.")
def upgrade(
    paths: tuple[str, ...],
    spec_name: str | None,
    deck: str | None,
    write: bool,
    format_: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Lift files of older formats to the present ones, and logs and saved games to the present version of their game.

    A PATH is a file, a folder, a folder with a run of `ftk simulate`, or the id of a game. A game or its spec stands
    for its spec, texts, glossary, scenarios, variants and decks: either all of them are lifted, or none. The same seeds
    give the same games as before, and comments and layout stay. Released versions stay as players have them.

    A log or a saved game of an older version is lifted if only names have changed, or if its version of the spec is
    kept (specs/history) and each of its moves is still legal under its words. What cannot be lifted is named with the
    decision at which it stops, and left as it is.

    \b
    Exit status: 1 if a log cannot be lifted, 3 if a file is damaged, of no known game, or of a newer format than this
    ftk reads.

    \b
    Examples:
      ftk upgrade specs games
      ftk upgrade river --write
      ftk upgrade games/*.jsonl --write
    """
    named = dict.fromkeys(one for path in paths for one in _files(path))
    found = [*_all_or_none([_outcome(path, Played(spec_name, deck), path in paths) for path in named])]
    texts: dict[str, str | None] = {path: text for one in found for path, text in _texts(one)}
    texts |= {path: None for one in found for path in one.gone}
    data = {"files": [_data(one) for one in found]}
    said = "" if quiet else "".join(f"{one}\n" for one in _shown(found, verbose))
    said += "" if write else "".join(differences(_rewritten(found)))
    change_files(texts, data, said, write=write, format_=format_, output=output)
    if not quiet and format_ == "text":
        _remark(found, bool(texts), write)
    if status := max((EXITS.get(one.status, 0) for one in found), default=0):
        raise click.exceptions.Exit(status)


def _texts(one: Outcome) -> Iterator[tuple[str, str]]:
    """The new contents of an outcome, by path."""
    if one.after is not None:
        yield one.path, one.after
    yield from one.texts.items()


def _rewritten(found: Iterable[Outcome]) -> Iterator[Rewritten]:
    """The YAML files that are lifted. Logs and runs are many lines of data, of which the messages say enough."""
    yield from (Rewritten(one.path, one.before, one.after) for one in found if one.lift and one.after is not None)


def _shown(found: Sequence[Outcome], verbose: bool) -> Iterator[Outcome]:
    """The outcomes to print: files that stay as they are only if nothing else was found, or with -v."""
    changed = [one for one in found if one.status not in ("newest", "other")]
    yield from found if verbose or not changed or len(found) == 1 else changed


def _remark(found: Iterable[Outcome], are_texts: bool, written: bool) -> None:
    """Says once what the lifts change, and how to write them."""
    steps = {f"{one.lift[0].key}: {one.lift[1]}": one.lift for one in found if one.lift is not None}
    for before, (format_, number) in sorted(steps.items()):
        said = " ".join(map(localized, changes(format_, number)))
        note(f"{before} → {format_.number}: {said}")
    if are_texts and not written:
        note(say("Nothing is written yet. Write the files with: --write"))


def _files(name: str) -> Iterator[str]:
    """The files of a name: of a game all that belongs to it, of a folder its YAML files, logs, saved states and runs.

    Raises Failure for a folder without any.
    """
    if not os.path.isdir(name):
        yield from inputs.of_games([name], specs=True)
        return
    if Path(name, _RUN).is_file():
        yield name
        return
    files = [*inputs.folder_files(name), *(path for path in inputs.folder_files(name, _GAMES) if not _in_run(path))]
    runs = sorted(str(path.parent) for path in Path(name).rglob(_RUN))
    if not files and not runs:
        raise failure.Failure(
            say("There are no YAML files, logs or runs in {name}.", name=name), say("Name a folder with specs or logs.")
        )
    yield from (*files, *runs)


def _in_run(path: str) -> bool:
    return Path(path).with_name(_RUN).is_file()


def _all_or_none(found: Sequence[Outcome]) -> Iterator[Outcome]:
    """The outcomes, but no file of a game is lifted if another one of it cannot be."""
    broken = {one.game: one for one in found if one.game and one.status in ("failed", "newer")}
    for one in found:
        if one.game in broken and one.lift is not None:
            said = say("not lifted, because {path} cannot be.", path=broken[one.game].path)
            yield replace(one, status="failed", message=said, after=None, lift=None)
        else:
            yield one


def _outcome(path: str, played: Played, named: bool) -> Outcome:
    """What becomes of a file. A file that cannot be used is an outcome too, so that the others are not lost."""
    if os.path.isdir(path):
        return _run(path, played.deck)
    source, findings = inputs.read(path)
    if source is None:
        found = findings[0]
        at = inputs.start(found)
        line, column = (at.line, at.column) if at is not None else (None, None)
        return Outcome(path, "failed", found.message, line, column, hint=found.hint)
    try:
        return _of_kind(path, source, played, named)
    except failure.Failure as stopped:
        return Outcome(path, "failed", stopped.message, hint=stopped.hint)


def _of_kind(path: str, source: Source, played: Played, named: bool) -> Outcome:
    kind = kind_of(source)
    damaged = damage(source, kind)
    if damaged is not None:
        line, message = damaged
        game = _game(source, kind) if kind is not None and kind.key else ""
        return Outcome(
            path, "failed", message, line, hint=say("Bring it back from a copy; it stays as it is."), game=game
        )
    if kind is None:
        return Outcome(path, "failed" if named else "other", say("no file that ftk knows."))
    format_ = FORMATS.get(kind.name)
    if format_ is None:
        return Outcome(path, "newest", say("a {kind} file, whose format is not ours.", kind=kind.name))
    number = number_of(source, kind)
    if number is not None and number > format_.number:
        message = say(
            "{kind} of format {number}, and this ftk reads up to {newest}: install a newer ftk.",
            kind=_KINDS[kind.name],
            number=number,
            newest=format_.number,
        )
        return Outcome(path, "newer", message, game=_game(source, kind) if kind.key else "")
    if kind.key:
        return _yaml(path, source, kind, format_, number)
    return _saved(path, source.text, kind, played)


def _game(source: Source, kind: FileKind) -> str:
    """The path of the spec of a YAML file."""
    return os.path.abspath(source.path if kind.name == "spec" else spec_of(source))


def _yaml(path: str, source: Source, kind: FileKind, format_: Format, number: int | None) -> Outcome:
    from rulespec.editing.lift.files import lifted_file

    game = _game(source, kind)
    if number is None:
        message = say(
            "the number of its format, `{key}`, is none: write `{line}`.", key=format_.key, line=format_.first_line
        )
        return Outcome(path, "failed", message, game=game)
    if number == format_.number:
        return Outcome(
            path,
            "newest",
            say("{kind} of format {number}, the newest.", kind=_KINDS[kind.name], number=number),
            game=game,
        )
    if is_kept(path):
        return Outcome(
            path, "newest", say("a released version of format {number}, which stays as players have it.", number=number)
        )
    after, findings = lifted_file(source, kind.name)
    if findings:
        return Outcome(path, "failed", findings[0].message, hint=findings[0].hint, game=game)
    message = say("{kind} of format {before} → {now}.", kind=_KINDS[kind.name], before=number, now=format_.number)
    return Outcome(path, "lifted", message, before=source.text, after=after, game=game, lift=(format_, number))


# --- logs, saved states and runs -------------------------------------------------------------------------------------


def _saved(path: str, text: str, kind: FileKind, played: Played) -> Outcome:
    lift = lifted if kind.name == "log" else lifted_state
    try:
        head = head_of(text)
    except LogError as error:
        return Outcome(path, "failed", f"{error}.", error.line)
    spec = spec_of_log(head, played.spec, played.deck)
    present = (spec.model.version, spec.model.digest, FORMATS["log"].number)
    if (head.get("version"), head.get("digest"), head["log"]) == present:
        game = {"title": spec.model.title, "version": spec.model.version}
        return Outcome(
            path, "newest", say("{kind} of {title} {version}, the present version.", kind=_KINDS[kind.name], **game)
        )
    try:
        found = lift(text, spec, _kept(spec, head, played.deck))
    except NotLifted as stopped:
        hint = "" if played.deck else say("If it was played with the cards of a deck, name its file with --deck.")
        return Outcome(
            path, "not_lifted", say("cannot be lifted: {reason}.", reason=reason(stopped)), stopped.line, hint=hint
        )
    except (LogError, ValueError) as error:
        return Outcome(
            path, "not_lifted", say("cannot be lifted: {reason}.", reason=reason(error)), getattr(error, "line", None)
        )
    message = say("{before} → {now}: {found}.", before=head.get("version"), now=spec.model.version, found=_said(found))
    return Outcome(path, "lifted", message, after=found.text)


def _kept(spec: Spec, head: Mapping[str, object], deck: str | None) -> Spec | None:
    """The version that a log was played with, if it is kept and can still be played."""
    path = kept_version(spec.model, str(head.get("digest")), str(head.get("version")))
    try:
        return load(path, deck) if path is not None else None
    except SpecError:
        return None


def _said(found: Lifted) -> Message:
    if not found.moves:
        return (
            say("the same game, every line agrees") if found.lines else say("the same game, its cards lie as they did")
        )
    moves = say("every move is legal under its words, with the same numbers")
    if found.other_numbers:
        moves = say("every move is legal under its words, {number} with another number", number=found.other_numbers)
    result = say("the result is the same") if found.same_result else say("the result is another one")
    return say("{first}; {second}", first=moves, second=result)


def _run(path: str, deck: str | None) -> Outcome:
    """What becomes of the folder of a run: its games stay if the spec has only been lifted since."""
    try:
        digests = digests_of(Path(path), deck)
        found = lifted_run(Path(path), digests)
    except SimulationError as error:
        return Outcome(path, "failed", reason(error), hint=error.hint)
    if found is None:
        return Outcome(path, "newest", say("a run of the present format, which is left to the version that it is of."))
    texts = {str(file): text for file, text in found.texts.items()}
    chunks = len(texts) - 1
    message = counted(
        "a run of format {format}: {number} chunk of games kept.",
        "a run of format {format}: {number} chunks of games kept.",
        chunks,
        format=found.found,
    )
    if not digests:
        message = counted(
            "a run of format {format}: {number} chunk of games kept, of another text of the spec than the present one.",
            "a run of format {format}: {number} chunks of games kept, "
            "of another text of the spec than the present one.",
            chunks,
            format=found.found,
        )
    return Outcome(path, "lifted", message, texts=texts, gone=tuple(map(str, found.gone)))


def _data(one: Outcome) -> dict[str, object]:
    shown = ("path", "status", "message", "hint", "line", "column")
    return {name: getattr(one, name) for name in shown}
