"""`ftk text diff`: compares the texts of a game, rule by rule."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, inputs, options
from ftk_cli.language import localized
from ftk_cli.output import emit, to_json
from ftk_cli.report.batch import Look
from ftk_cli.report.display import folded, harmless, left
from ftk_cli.report.text import NOUNS
from ftk_cli.text import revision
from ftk_cli.text.languages import matching, the_one
from rulespec.base.diagnostics import Report
from rulespec.base.messages import all_of, chained, counted, say, sentences
from rulespec.base.project import current, spec_for
from rulespec.base.source import Source
from rulespec.text.output.diff.result import to_dict

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.games.api import Spec
    from rulespec.text.output.diff.compare import LabelledText
    from rulespec.text.output.diff.result import Diff, RuleDiff, Side
    from rulespec.text.reading.translation import Translation


@click.command()
@click.argument("texts", nargs=-1, metavar="LANG LANG [LANG]... | OLD NEW")
@options.variant
@click.option("--spec", "game", metavar="SPEC", help="The game (default: all that have these languages).")
@click.option("--rule", "rules", multiple=True, metavar="ID", help="Show this rule or ruling only; may be repeated.")
@click.option("--lang", metavar="LANG", help="Compare two versions of the text in this language.")
@click.option("--only-differences", is_flag=True, help="Leave out rules without any difference or finding.")
@options.format_("text", "json", "html")
@options.output
@options.fail_on
@options.no_notes
@options.verbose
def diff(
    texts: tuple[str, ...],
    variant: str,
    game: str | None,
    rules: tuple[str, ...],
    lang: str | None,
    only_differences: bool,
    format_: str,
    output: str | None,
    fail_on: str,
    verbose: bool,
) -> None:
    """Compare the texts of a game in several languages, rule by rule.

    A LANG is a language such as uk or zh-Hant, a shorter tag such as zh, or a translation file. The text format shows
    only rules that differ; json and html contain every rule of one game with its facts, numbers, terms and findings. A
    difference is not an error: only findings of the checker count for the exit status.

    With --lang, OLD and NEW are two versions of a game or of its text: files, ids of games, REV:PATH for a file in a
    git revision, or GAME@VERSION. The output has the sentences that were added, deleted, changed or moved, each with
    the changes of the spec that ask for it, and the rules that changed while their texts did not.

    \b
    Exit status: 0 nothing wrong, 1 findings at or above --fail-on, 3 a text could not be read.

    \b
    Examples:
      ftk text diff uk en --spec fortheking
      ftk text diff uk zh en --format html --output diff.html
      ftk text diff uk draft.yaml --rule esteem.bid --rule end.winner
      ftk text diff HEAD:specs/fortheking.yaml fortheking --lang uk
    """
    if lang is not None:
        revision.show(texts, variant, lang, format_, output)
        return
    _check_names(texts)
    known = [game] if game else _games_of(texts)
    if len(known) > 1 and (format_ != "text" or rules):
        said = say("{texts} are languages of {games}: say which with --spec.", texts=all_of(texts), games=tuple(known))
        raise click.UsageError(said)
    compared = [_compared(texts, one, variant) for one in known]
    results = [result.only(_known(rules, result), only_differences) for result in compared]
    if format_ == "html":
        from rulespec.text.output.diff.page import html

        emit(html(results[0]), output)
    elif format_ == "json":
        emit(to_json(to_dict(results[0])), output)
    else:
        emit("\n".join(_table(result, output) for result in results), output)
    worst = Report.of([found for result in results for found in result.every_finding]).worst()
    if worst is not None and worst >= fail_on:
        raise click.exceptions.Exit(failure.FINDINGS)


def _check_names(texts: Sequence[str]) -> None:
    """Raises UsageError for a single text, and for one that is named twice."""
    if len(texts) < 2:
        raise click.UsageError(say("Name at least two texts, such as `ftk text diff uk en --spec fortheking`."))
    if twice := [name for name, number in Counter(texts).items() if number > 1]:
        raise click.UsageError(say("{text} is named twice: a text is not compared with itself.", text=twice[0]))


def _compared(texts: Sequence[str], game: str, variant: str) -> Diff:
    """The texts of one game compared. Ends the command where one of them cannot be had."""
    from rulespec.games.rulebook import book_of
    from rulespec.text.output.diff.compare import diff as compare

    files = {name: _file(name) for name in texts if _is_file(name)}
    spec = games.load(game, variant=variant)
    book = book_of(spec)
    labelled = list(_labelled(texts, files, spec))
    return compare(spec.model, book.glossary if book is not None else None, labelled)


def _labelled(texts: Sequence[str], files: Mapping[str, Translation], spec: Spec) -> Iterator[LabelledText]:
    """The texts with what the checker finds in them, each under a label of its own."""
    from rulespec.games.rulebook import check_translation
    from rulespec.text.output.diff.compare import LabelledText

    known = _own_texts(spec)
    labels: set[str] = set()
    for name in texts:
        missing = say("{title} has no rule text in {lang}.", title=spec.model.title, lang=name)
        translation = files[name] if name in files else known[the_one(name, known, missing)]
        if translation.game != spec.id:
            raise failure.Failure(
                say("{name} is a text of {game}, not of {id}.", name=name, game=translation.game, id=spec.id),
                say("Correct --spec."),
            )
        label = translation.lang if translation.lang not in labels else f"{translation.lang} ({PurePath(name).name})"
        if label in labels or (label != translation.lang and name not in files):
            raise click.UsageError(say("The text in {lang} is named twice.", lang=translation.lang))
        labels.add(label)
        own = spec.model.variant and name not in files
        found = _in_variant(spec, translation) if own else check_translation(translation.source).findings
        yield LabelledText(label, translation, found)


def _in_variant(spec: Spec, translation: Translation) -> tuple[Finding, ...]:
    """The findings about the texts of a variant, at their paths in the project."""
    from rulespec.games.rulebook import check_variant_texts

    found = check_variant_texts(spec, translation.lang).findings
    return tuple(replace(one, path=os.path.abspath(one.path)) for one in found)


def _own_texts(spec: Spec) -> dict[str, Translation]:
    """The texts of a game; the paths in their findings are relative to the current directory."""
    from rulespec.games.rulebook import texts_of

    own = texts_of(spec)
    if spec.model.variant:  # joined from two files
        return own
    sources = {lang: Source(inputs.shown(one.source.path), one.source.text) for lang, one in own.items()}
    return {lang: revision.readable(source) for lang, source in sources.items()}


def _is_file(name: str) -> bool:
    return name == inputs.STDIN or "." in name or "/" in name or "\\" in name


def _file(name: str) -> Translation:
    """The translation in a file. Ends the command if it cannot be read."""
    source, findings = inputs.read(name)
    if source is None:
        raise inputs.refused(findings)
    return revision.readable(source)


def _games_of(texts: Sequence[str]) -> list[str]:
    """The games that have all these texts, or the game of the first file. Ends the command if there is none."""
    if file := next((_file(name) for name in texts if _is_file(name)), None):
        return [spec_for(file.game, file.source.path)]
    project = current()
    files = {game: project.texts(game).glob("*.yaml") for game in project.games()}
    there = {game: sorted(path.stem for path in paths) for game, paths in files.items()}
    able = [game for game, tags in there.items() if all(matching(lang, tags) for lang in texts)]
    if able:
        return able
    has = [say("{game} has {languages}", game=game, languages=tags) for game, tags in there.items()]
    raise failure.Failure(
        say("No game has rule text in {languages} at once.", languages=all_of(texts)),
        say("{sentence}.", sentence=chained(say("{first}; {second}"), has)),
    )


def _known(wanted: Sequence[str], result: Diff) -> frozenset[str] | None:
    """The ids of the rules to show, None for all. Raises UsageError for one that the game does not have."""
    ids = [rule.id for rule in result.rules]
    for id_ in wanted:
        if id_ not in ids:
            said = say("{game} has no rule or ruling `{name}`.", game=result.title, name=id_)
            raise click.UsageError(sentences(said, failure.did_you_mean(id_, ids)))
    return frozenset(wanted) or None


_WIDEST = 120


def _table(result: Diff, output: str | None) -> str:
    """The rules that differ, with what each text lacks and adds, and what the checker finds."""
    room = min(Look.of(output).width, _WIDEST)
    lines = [f"{result.title} {result.version}: {' · '.join(result.langs)}", ""]
    for label in result.unread:
        unread = say("The glossary has no terms in the language of {text}: only its numbers are compared.", text=label)
        lines += [localized(unread), ""]
    for rule in result.rules:
        lines += [*_rule_lines(rule, result.langs, room), ""] if rule.notable else []
    lines += [line for found in result.findings for line in _cells(0, "", *_found(found), room)]
    return "\n".join([*lines, localized(_summary(result))]) + "\n"


def _rule_lines(rule: RuleDiff, langs: Sequence[str], room: int) -> Iterator[str]:
    yield from folded(f"{rule.id}  {harmless(rule.title)}", room)
    first = max(len(label) for label in langs)
    for side in rule.sides:
        label = side.column.label
        for head, items in _side_rows(rule, side):
            yield from _cells(first, label, head, items, room)
            label = ""


def _side_rows(rule: RuleDiff, side: Side) -> Iterator[tuple[str, list[str]]]:
    """The table rows of one text of a rule: a heading and its items."""
    if side.text is None:
        yield _LACKS, [say("the whole text")]
    others = len(rule.sides) - 1
    if lacks := [_there(_name(one.what, one.number), one.others, others) for one in side.lacks]:
        yield _LACKS, lacks
    adds = [_not_there(one.what, one.others, others) for one in side.adds]
    numbers = [
        (say("number {number} “{text}”", number=str(one), text=one.text), one.not_in) for one in side.added_numbers
    ]
    adds += [_not_there(what, not_in, others) for what, not_in in numbers]
    if adds:
        yield _ADDS, adds
    for placed in side.findings:
        yield _found(placed.finding)


def _found(found: Finding) -> tuple[str, list[str]]:
    severity = _SEVERITIES[str(found.severity)]
    return found.code, [
        say("{severity} at {place}: {message}", severity=severity, place=found.place, message=found.message)
    ]


_SEVERITIES = {"error": say("error"), "warning": say("warning"), "info": say("info")}


def _name(what: str, number: bool) -> str:
    return say("number {number}", number=what) if number else what


def _there(what: str, labels: Sequence[str], others: int) -> str:
    """What is in other texts, which are named where it is not all of them."""
    return say("{what} (in {texts})", what=what, texts=tuple(labels)) if len(labels) < others else what


def _not_there(what: str, labels: Sequence[str], others: int) -> str:
    """What is not in other texts, which are named where it is not all of them."""
    return say("{what} (not in {texts})", what=what, texts=tuple(labels)) if len(labels) < others else what


_LACKS, _ADDS = say("lacks"), say("adds")


def _cells(first: int, label: str, head: str, items: list[str], room: int) -> Iterator[str]:
    """A row of the table; what is too long for its last column goes on below."""
    before = f"  {label:<{first}}  {left(localized(head), 6)} "
    text = localized(say("{items}", items=[harmless(localized(one)) for one in items]))
    for line in folded(text, room - len(before)):
        yield before + line
        before = " " * len(before)


def _summary(result: Diff) -> str:
    counts = result.summary()
    found = [noun(counts[kind]) for kind, noun in NOUNS.items() if counts[kind]]
    rules = counted("{number} rule", "{number} rules", counts["rules"])
    differing = counted("{number} of {rules} differs", "{number} of {rules} differ", counts["differing"], rules=rules)
    wrong = say("{counts}", counts=found) if found else say("the checker finds nothing wrong")
    return say("{differing}; {wrong}.", differing=differing, wrong=wrong)
