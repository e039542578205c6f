"""`ftk text import`: writes translators' files and publishers' raw texts into files of rule text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, inputs, options
from ftk_cli.output import emit, note
from ftk_cli.text.files import save, show
from ftk_cli.text.languages import in_glossary
from rulespec.base.diagnostics import Report
from rulespec.base.messages import Message, counted, say, sentences
from rulespec.base.project import find, of, spec_for
from rulespec.base.source import Source
from rulespec.editing.file_kinds import kind_of
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.table import from_csv
from rulespec.text.glossary.tbx import from_tbx
from rulespec.text.languages.registry import find as find_language
from rulespec.text.output.exchange.glossary_edit import merge

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.games.api import Spec
    from rulespec.text.output.exchange.units import Entries

_ID = re.compile(r"[a-z][a-z0-9_]*")
_TAG = re.compile(r"[A-Za-z0-9-]{1,35}")
_SHOWN = 5
_FOLLOWS = "/source"
"""What a change is called by which a text follows its source again."""


@dataclass(frozen=True)
class Change:
    """The change of a file by an import. `path` is "" for a new text, which is printed unless --output is given. `kept`
    are the changes of the folder `versions` that go with it."""

    path: str
    before: str
    after: str
    changed: tuple[str, ...]
    kept: Mapping[Path, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class _Wanted:
    """The options of the command, and the kind of the file."""

    kind: str
    spec: str | None
    lang: str | None
    into: str | None
    variant: str


@click.command("import")
@click.argument("file")
@click.option("--spec", metavar="SPEC", help="The game, for terms and raw texts, which do not name it.")
@click.option("--lang", metavar="LANG", help="The language of a raw text, such as en, uk or zh-Hant.")
@options.variant
@click.option("--into", metavar="FILE", help="The translation or glossary to change (default: the one of the game).")
@click.option(
    "--output", metavar="FILE", callback=options.held, help="Write the result here and do not change the file itself."
)
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--keep-going", is_flag=True, help="Import the texts without errors, despite other errors.")
@options.quiet
@options.verbose
def import_(
    file: str,
    spec: str | None,
    lang: str | None,
    variant: str,
    into: str | None,
    output: str | None,
    dry_run: bool,
    keep_going: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Import the file of a translation tool into the rule text of a game.

    A PO or XLIFF file goes into the translation of its game and language, a CSV or TBX file into the glossary of
    --spec; only changed texts are written. A publisher's raw text (with --lang and --spec) becomes the draft of a
    translation, with each sentence under the rule that it most likely states. A language that the game has no text in
    gets a file, with the words of the source where the translation is empty. If there is an error, nothing is written.
    With --variant a PO or XLIFF file goes into the texts of that variant.
    A text whose source has changed follows it again once its marks are gone; nothing is confirmed by an import.
    With --keep-going the texts without errors are written, and the exit status is still 1.

    \b
    Exit status: 0 done (or nothing to do), 1 errors in the file, 3 something could not be read or written.

    \b
    Examples:
      ftk text import uk.po --dry-run
      ftk text import uk.po
      ftk text import terms.csv --spec fortheking
      ftk text import rulebook.txt --lang uk --spec fortheking --output draft.yaml
    """
    source = _read(file)
    wanted = _Wanted(_kind(source, lang), spec, lang, into, variant)
    if variant and wanted.kind not in ("po", "xliff"):
        raise click.UsageError(say("--variant takes PO and XLIFF files: a glossary and a raw text belong to the game."))
    change, found = _KINDS[wanted.kind](source, wanted)
    wrong = _say(found, source)
    blocked = wrong and not keep_going
    if dry_run:
        emit(_difference(change), output) if not blocked else None
    elif not blocked:
        _write(change, output)
    if not quiet:
        note(_summary(change, output, blocked, dry_run, verbose))
    if wrong:
        raise click.exceptions.Exit(failure.FINDINGS)


# --- what comes in ----------------------------------------------------------------------------------------------------


def _read(name: str) -> Source:
    """The text of a name. Ends the command if there is none."""
    source, found = inputs.read(name)
    if source is not None:
        kind = kind_of(source)
        if kind is not None and kind.key:
            hint = say(
                "Import takes PO, XLIFF, CSV, TBX and raw rulebooks. To check this file: ftk check {name}", name=name
            )
            raise failure.Failure(
                say("{name} is already a file of rulespec (`{key}:`).", name=name, key=kind.key), hint
            )
        return source
    if inputs.unreadable(found):
        raise inputs.refused(found)
    show(found)
    raise click.exceptions.Exit(failure.FINDINGS)


def _kind(source: Source, lang: str | None) -> str:
    """The kind of a file by its content or its name; any other text is a raw rulebook. Raises Failure if unclear."""
    kind = kind_of(source)
    if kind is not None and kind.name in _KINDS:
        return kind.name
    if Path(source.path).suffix.lower() in inputs.RAW or lang is not None:
        return "raw"
    hint = say("Name it .po, .xlf, .csv or .tbx; a raw rulebook needs --lang and --spec.")
    raise failure.Failure(say("{path} is of no known kind.", path=source.path), hint)


# --- rule text --------------------------------------------------------------------------------------------------------


def _translation(source: Source, wanted: _Wanted) -> tuple[Change, list[Finding]]:
    from rulespec.games.confirmed import keeping_beside, words_of
    from rulespec.games.rulebook import texts_of
    from rulespec.text.output.exchange.edit import apply
    from rulespec.text.output.exchange.po import from_po
    from rulespec.text.output.exchange.xliff import from_xliff
    from rulespec.text.reading.translation import read, source_of

    entries, found = (from_po if wanted.kind == "po" else from_xliff)(source)
    if entries is None:
        return Change(wanted.into or "", "", "", ()), found
    spec = _game(entries.game, wanted)
    new = None if wanted.into else _begun(spec, entries)
    target = new or _file(wanted.into or _translation_path(spec, entries))
    translation, _ = read(target)
    made_from = source_of(translation) if translation is not None else None
    there = [one for one in (made_from, *texts_of(spec).values()) if one is not None]
    after, more = apply(target, entries, spec.model, made_from, words_of(spec.model), there)
    changed = tuple(_changed_texts(target, after))
    follows = any(id_.endswith(_FOLLOWS) for id_ in changed)
    kept = keeping_beside(Source(target.path, after), spec.model) if follows else {}
    return Change(target.path, "" if new else target.text, after, changed, kept), [*found, *more]


def _begun(spec: Spec, entries: Entries) -> Source | None:
    """A new file for a language that the game has no text in; None if it has one, or none to translate from."""
    from rulespec.games.rulebook import begun_text, texts_of
    from rulespec.text.output.exchange.edit import same_language

    language = find_language(entries.lang)
    if any(same_language(entries.lang, lang) for lang in texts_of(spec)) or not language.is_known:
        return None
    text = begun_text(spec, language.tag)
    if text is None or Path(text.source.path).exists():
        return None
    return Source(inputs.shown(text.source.path), text.source.text)


def _game(game: str, wanted: _Wanted) -> Spec:
    """The spec of the game of a file. Raises Failure if there is none."""
    path = wanted.spec or (spec_for(game, wanted.into) if wanted.into and _ID.fullmatch(game) else game)
    if not wanted.spec and not (_ID.fullmatch(game) and Path(find(path)).is_file()):
        raise failure.Failure(
            say("The file is for the game `{game}`, which is not known here.", game=game), say("Name its --spec.")
        )
    return games.load(path, variant=wanted.variant)


def _translation_path(spec: Spec, entries: Entries) -> str:
    """The path of the translation of a game into the language of some texts. Raises Failure if there is none."""
    from rulespec.games.rulebook import texts_of
    from rulespec.text.output.exchange.edit import same_language

    known, variant = texts_of(spec), spec.model.variant
    folder = of(spec.model.source.path).texts(spec.id, variant)
    if variant:  # a language may have the texts of the game alone
        known = {lang: one for lang, one in known.items() if one.variant}
    for lang, translation in known.items():
        if same_language(entries.lang, lang):
            return inputs.shown(translation.source.path)
    path = folder / f"{entries.lang}.yaml"
    if _TAG.fullmatch(entries.lang) and path.is_file():
        return inputs.shown(str(path))
    there = say("Name it with --into.")
    if known:
        there = say("There is one in {languages}; name another file with --into.", languages=tuple(known))
    raise failure.Failure(say("{title} has no rule text in {lang}.", title=spec.model.title, lang=entries.lang), there)


def _file(path: str) -> Source:
    """The file to change. Ends the command if it cannot be read."""
    from rulespec.base.source import read

    source, found = read(path)
    if source is None and inputs.unreadable(found):
        raise inputs.refused(found)
    if source is None or found:
        show(found)
        raise click.exceptions.Exit(failure.FINDINGS)
    return source


def _changed_texts(target: Source, after: str) -> Iterator[str]:
    """The ids of the texts that differ, and of the passages whose status differs, or that follow their source again."""
    from rulespec.text.output.exchange.units import passages, texts
    from rulespec.text.reading.translation import read

    old, new = read(target)[0], read(Source(target.path, after))[0]
    if old is None or new is None:
        return
    before, now = texts(old), texts(new)
    yield from (id_ for id_, text in now.items() if before.get(id_) != text)
    was = passages(old)
    yield from (f"{key}/status" for key, one in passages(new).items() if key in was and was[key].status != one.status)
    yield from (key + _FOLLOWS for key, one in passages(new).items() if key in was and was[key].seal != one.seal)


# --- terms ------------------------------------------------------------------------------------------------------------


def _glossary(source: Source, wanted: _Wanted) -> tuple[Change, list[Finding]]:
    target = _file(wanted.into) if wanted.into else _own_glossary(wanted)
    known, broken = read_glossary(target) if target.text else (None, [])
    if broken:
        return Change(target.path, target.text, target.text, ()), broken
    game = known.game if known else games.load(wanted.spec or "").id
    text, found = (from_csv if wanted.kind == "csv" else from_tbx)(source, game)
    came = Source(source.path, text)
    if read_glossary(came)[0] is None:  # no term of it can be used
        return Change(target.path, target.text, target.text, ()), found
    after, more = merge(target, came) if known else (text, [])
    return Change(target.path, target.text, after, tuple(_changed_terms(target, after))), [*found, *more]


def _own_glossary(wanted: _Wanted) -> Source:
    """The glossary of the game, empty if it has none yet. Raises Failure."""
    if not wanted.spec:
        raise click.UsageError(say("Terms belong to a game: say which with --spec, or name its glossary with --into."))
    spec = games.load(wanted.spec)
    path = of(spec.model.source.path).glossary(spec.id)
    return _file(inputs.shown(str(path))) if path.is_file() else Source(inputs.shown(str(path)), "")


def _changed_terms(target: Source, after: str) -> Iterator[str]:
    old, new = read_glossary(target)[0], read_glossary(Source(target.path, after))[0]
    before = old.concepts if old is not None else {}
    yield from (id_ for id_, concept in new.concepts.items() if before.get(id_) != concept) if new is not None else ()


# --- raw texts --------------------------------------------------------------------------------------------------------


def _raw(source: Source, wanted: _Wanted) -> tuple[Change, list[Finding]]:
    """The draft of a translation. Raises Failure or UsageError if the game or language is unknown."""
    from rulespec.games.rulebook import book_of, texts_of
    from rulespec.text.raw.alignment import align, is_of_game
    from rulespec.text.raw.check import check as check_raw
    from rulespec.text.raw.draft import draft

    if not (wanted.lang and wanted.spec) or wanted.into:
        missing = "--lang" if not wanted.lang else "--spec"
        of_its_own = say("A raw text becomes a file of its own: name it with --output, not --into.")
        needs = say("A raw text needs --lang and --spec; {missing} is missing.", missing=missing)
        taken = say("{path} is taken for a raw rulebook.", path=source.path)
        raise click.UsageError(sentences(taken, of_its_own if wanted.into else needs))
    spec = games.load(wanted.spec)
    lang, book = in_glossary(spec, wanted.lang), book_of(spec)
    assert book is not None, "a glossary has the language"
    own = texts_of(spec).get(lang)
    alignment = align(source.text, lang, book, own)
    if not is_of_game(alignment):
        return Change("", "", "", ()), list(check_raw(source, lang, book, own))
    text = draft(alignment, own)
    return Change("", "", text, tuple(_drafted(text))), []


def _drafted(text: str) -> Iterator[str]:
    from rulespec.text.reading.translation import read

    made, _ = read(Source("", text))
    yield from (f"rules/{id_}" for id_ in made.rules) if made is not None else ()


_KINDS: dict[str, Callable[[Source, _Wanted], tuple[Change, list[Finding]]]] = {
    "po": _translation,
    "xliff": _translation,
    "csv": _glossary,
    "tbx": _glossary,
    "raw": _raw,
}


# --- what goes out ----------------------------------------------------------------------------------------------------


def _say(found: list[Finding], source: Source) -> bool:
    """Prints the findings; whether there are errors."""
    if found:
        show(found, source)
    return not Report.of(found).ok


def _difference(change: Change) -> str:
    if not change.path:
        return change.after
    before, after = (text.splitlines(keepends=True) for text in (change.before, change.after))
    lines = unified_diff(before, after, change.path, change.path)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _write(change: Change, output: str | None) -> None:
    """Writes the result if it differs from the file."""
    if output is not None or not change.path:
        emit(change.after, output, data=True) if change.after else None
    else:
        save(change.path, change.before, change.after, change.kept)


def _summary(change: Change, output: str | None, blocked: bool, dry_run: bool, verbose: bool) -> str:
    """A sentence that describes the result."""
    if blocked:
        again = say("Correct the file, or use --keep-going.") if change.after != change.before else ""
        return sentences(say("Nothing was changed."), again)
    where = (output or change.path) if output != "-" else ""
    if not change.changed:
        return say("{where}: nothing to change.", where=where or say("The text"))
    some = change.changed if verbose else change.changed[:_SHOWN]
    left = len(change.changed) - len(some)
    shown = say("{names} and {left} more (see -v)", names=some, left=left) if left else say("{names}", names=some)
    is_text = "/" in change.changed[0] or change.changed[0] == "title"
    done = _would_change if dry_run else _in_draft if not change.path else _changed
    said = done(is_text, len(change.changed), shown)
    return say("{where}: {done}", where=where, done=said) if where else said


def _would_change(is_text: bool, number: int, names: str) -> Message:
    if is_text:
        return counted(
            "{number} text would change: {names}.", "{number} texts would change: {names}.", number, names=names
        )
    return counted(
        "{number} concept would change: {names}.", "{number} concepts would change: {names}.", number, names=names
    )


def _in_draft(is_text: bool, number: int, names: str) -> Message:
    return counted("{number} text drafted: {names}.", "{number} texts drafted: {names}.", number, names=names)


def _changed(is_text: bool, number: int, names: str) -> Message:
    if is_text:
        return counted("{number} text changed: {names}.", "{number} texts changed: {names}.", number, names=names)
    return counted("{number} concept changed: {names}.", "{number} concepts changed: {names}.", number, names=names)
