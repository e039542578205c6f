"""`ftk text check`: checks rule text and publishers' raw texts against the spec."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import baseline as known
from ftk_cli import failure, games, inputs, options
from ftk_cli.output import emit, replace_all
from ftk_cli.report import FORMATS
from ftk_cli.report.batch import Batch, Look, Sources
from ftk_cli.text.languages import in_glossary, matching, the_one
from rulespec.base.characters import visible
from rulespec.base.diagnostics import Report
from rulespec.base.messages import Message, say
from rulespec.base.project import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulespec.base.diagnostics import Finding
    from rulespec.text.raw.alignment import Covered
    from rulespec.text.review.kept import Review
    from rulespec.text.review.question import Asking
    from rulespec.text.review.states import State

RETRIES = 2
"""How often a call of the reviewer that fails is repeated."""

_OF_REVIEWS = ("reviewer-remark", "remark-unusable", "review-unusable", "passage-changed", "passage-rule-changed")


@dataclass(frozen=True)
class Panel:
    """The program of `--reviewer`, its name if one is given, whether its answers are kept beside each text, and how it
    is called: `jobs` calls side by side, each for at most `timeout` seconds, with limits of `calls` and of `cost`."""

    command: str
    name: str | None
    keep: bool
    jobs: int
    calls: int | None
    cost: float | None
    timeout: float

    def of(self, path: str) -> Asking:
        """How the program is asked about the text at a path."""
        from rulespec.text.review.question import Asking, nowhere

        keep = self._keeper(path) if self.keep else nowhere
        name = self.name or _program(self.command)
        return Asking(self._ask, name, date.today().isoformat(), keep, named=self.name is not None)

    def _ask(self, questions: Sequence[dict[str, Any]]) -> Iterator[tuple[int, Any]]:
        from ftk_cli.text.reviewer import ask_all

        return ask_all(
            self.command,
            questions,
            jobs=self.jobs,
            timeout=self.timeout,
            retries=RETRIES,
            calls=self.calls,
            cost=self.cost,
        )

    def _keeper(self, text: str) -> Callable[[Review], None]:
        """Writes a review beside a text, the whole file in one step."""
        from rulespec.text.review.kept import path_of, write

        path = inputs.shown(str(path_of(text)))
        return lambda review: replace_all({path: write(review)})


def _program(command: str) -> str:
    """The name of the program in a command: that of the script, if one is run by another program."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    script = next((word for word in words if re.search(r"\.(?:py|sh|js|rb|pl)$", word)), None)
    return Path(script or next(iter(words), command) or command).name or command


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--lang", metavar="LANG", help="The language of a raw text, or of the texts to check, such as en or zh.")
@click.option("--spec", "game", metavar="SPEC", help="The game of a raw text, or of the texts to check.")
@options.variant
@known.option
@known.write_option
@click.option("--dictionary", metavar="PATH", help="A hunspell dictionary for raw texts: .dic file or folder.")
@click.option(
    "--players", type=click.IntRange(min=1), metavar="N", help="The number of players that a raw text is for."
)
@click.option(
    "--reviewer",
    metavar="COMMAND",
    help="A program that reads the texts too, such as a script around a language model.",
)
@click.option("--keep", is_flag=True, help="Keep what the reviewer says beside the text, as TEXT.review.yaml.")
@click.option(
    "--reviewer-name",
    metavar="NAME",
    help="The name of the reviewer, who also reads what only others have read.",
)
@click.option(
    "--reviewer-jobs",
    type=click.IntRange(min=1),
    metavar="N",
    default=4,
    show_default=True,
    help="How many calls of the reviewer run side by side.",
)
@click.option("--reviewer-calls", type=click.IntRange(min=1), metavar="N", help="The most calls of the reviewer.")
@click.option(
    "--reviewer-cost",
    type=click.FloatRange(min=0, min_open=True),
    metavar="X",
    help="The most that the answers of the reviewer may cost, as they say.",
)
@click.option(
    "--reviewer-timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    default=600,
    show_default=True,
    help="How long a call of the reviewer may take.",
)
@options.format_("text", "json", "sarif", "github", "junit")
@options.output
@options.fail_on
@options.quiet
@options.verbose
def check(
    paths: tuple[str, ...],
    lang: str | None,
    game: str | None,
    variant: str,
    baseline: str | None,
    write_baseline: str | None,
    dictionary: str | None,
    players: int | None,
    reviewer: str | None,
    reviewer_name: str | None,
    keep: bool,
    reviewer_jobs: int,
    reviewer_calls: int | None,
    reviewer_cost: float | None,
    reviewer_timeout: float,
    format_: str,
    output: str | None,
    fail_on: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Check rule text against the spec: missing facts, contradictions, wrong terms.

    A PATH is a translation, a glossary, a folder of them, or a publisher's raw text (plain text or Markdown, without
    rule ids): that needs --lang and --spec. Without any, all rule text in specs/ is checked, or only that in --lang and
    of --spec.

    A --reviewer is asked about the passages that no reviewer has read as they are now. With --keep, what it says is
    kept, and every later check reports it where neither the passage nor its rules have changed.

    \b
    Exit status: 0 nothing wrong, 1 findings at or above --fail-on, 3 something could not be read.

    \b
    Examples:
      ftk text check
      ftk text check --lang zh
      ftk text check specs/translations/fortheking/uk.yaml
      ftk text check rulebook.txt --lang uk --spec fortheking
      ftk text check rules.md --lang en --spec fortheking --players 3
      ftk text check - --lang zh-Hant --spec fortheking < rulebook.md
      ftk text check rulebook.txt --lang uk --spec fortheking --reviewer ./review.sh --keep
      ftk text check --spec fortheking --variant more_gold
      ftk text check rulebook.txt --lang uk --spec fortheking --write-baseline known.json
    """
    if keep and reviewer is None:
        raise click.UsageError(say("--keep keeps what a reviewer says: name one with --reviewer."))
    if reviewer_name is not None and reviewer is None:
        raise click.UsageError(say("--reviewer-name names a reviewer: add --reviewer."))
    if reviewer_name is not None and (not reviewer_name.strip() or visible(reviewer_name) != reviewer_name):
        raise click.UsageError(say("--reviewer-name is empty or has an invisible character."))
    if keep and inputs.STDIN in paths:
        raise click.UsageError(say("--keep writes a file beside the text: name a file instead of standard input."))
    limits = (reviewer_jobs, reviewer_calls, reviewer_cost, reviewer_timeout)
    asked = Panel(reviewer, reviewer_name, keep, *limits) if reviewer is not None else None
    for_raw = any(option is not None for option in (game, dictionary, players))
    raw = bool(paths) and (for_raw or (lang is not None and _may_be_raw(paths)))
    if raw:
        batch = _raw(paths, lang, game, variant, dictionary, players, asked)
    else:
        batch = _of_variant(paths, lang, game, variant) if variant else _written(paths, lang, game)
        batch = _reviewed(batch, asked)
    batch = known.apply(batch, baseline, write_baseline)
    emit(FORMATS[format_](batch, Look.of(output, quiet, verbose)), output)
    inputs.conclude(batch, fail_on)


def _may_be_raw(paths: tuple[str, ...]) -> bool:
    return not all(os.path.isdir(path) or path.endswith((".yaml", ".yml")) for path in paths)


def _of_variant(paths: tuple[str, ...], lang: str | None, game: str | None, variant: str) -> Batch:
    """The texts of a variant: its own, and those of the game where it has none. Raises UsageError without a game."""
    from rulespec.games.rulebook import check_variant_texts, texts_of

    if paths or game is None:
        raise click.UsageError(say("--variant checks the texts of a variant: name the game with --spec, and no PATH."))
    spec = games.load(game, variant=variant)
    texts = texts_of(spec)
    tags = (
        [the_one(lang, texts, say("{title} has no rule text in {lang}.", title=spec.model.title, lang=lang))]
        if lang
        else list(texts)
    )
    reports = [check_variant_texts(spec, tag) for tag in tags]
    checked = tuple(inputs.shown(texts[tag].source.path) for tag in tags)
    return Batch(Report.of(*(report.findings for report in reports)), checked, Sources())


def _raw(
    paths: tuple[str, ...],
    lang: str | None,
    game: str | None,
    variant: str,
    dictionary: str | None,
    players: int | None,
    reviewer: Panel | None,
) -> Batch:
    """Raw texts of one game in one language. Raises Failure if there is no such game, language or text, or if the
    reviewer does not answer."""
    from rulespec.games.rulebook import review_raw
    from rulespec.text.checks.typography.spelling import spelling_of

    if not (lang and game):
        missing = "--lang" if not lang else "--spec"
        raise click.UsageError(say("A raw text needs --lang and --spec; {missing} is missing.", missing=missing))
    spec = games.load(game, variant=variant)
    if players is not None:
        games.make(spec, players, {})  # refuses a number that the game is not for
    lang = in_glossary(spec, lang)
    spelling = spelling_of(lang, dictionary)
    if dictionary is not None and spelling is None:
        hint = say("It needs the package spylls (pip install 'ftk[spelling]') and an .aff and a .dic file.")
        raise failure.Failure(say("The dictionary {dictionary} cannot be used.", dictionary=dictionary), hint)
    sources = Sources()
    found: list[Finding] = []
    reviewed: Counter[State] = Counter()
    covered: dict[str, Sequence[Covered]] = {}
    for path in paths:
        source, unreadable = inputs.read(path)
        sources.add(source)
        found += unreadable
        if source is not None:
            asking = reviewer.of(source.path) if reviewer is not None else None
            read = review_raw(source, lang, spec, spelling, players, asking)
            found += read.report.findings
            reviewed.update(read.passages)
            covered[source.path] = read.rules
    return Batch(Report.of(found), paths, sources, reviewed=reviewed, covered=covered)


def _written(paths: tuple[str, ...], lang: str | None, game: str | None) -> Batch:
    """Translations and glossaries, those of a game or in a language only if one is named.

    Raises Failure if there are none, or if a raw text is among them.
    """
    from ftk_cli.check import examine

    for path in paths:
        if Path(path).suffix.lower() in inputs.RAW or path == inputs.STDIN:
            inputs.source(path)  # ends the command if it is not there
            hint = say("Run: ftk text check {path} --lang LANG --spec SPEC", path=path)
            raise failure.Failure(say("{path} looks like a raw text: say its language and its game.", path=path), hint)
    found = list(paths or inputs.text_folders(game))
    if lang or game:
        found = [path for path, _ in inputs.expand(found) if _is_wanted(path, lang, game)]
    if not found:
        hint = say("Name a file or folder, or run `ftk text status` to see which texts there are.")
        raise failure.Failure(_nothing(lang, game), hint)
    return examine(found)


def _nothing(lang: str | None, game: str | None) -> Message:
    """That there is no text to check."""
    if lang and game:
        return say("There is no rule text of {game} in {lang} in specs/, so nothing was checked.", game=game, lang=lang)
    if game:
        return say("There is no rule text of {game} in specs/, so nothing was checked.", game=game)
    if lang:
        return say("There is no rule text in {lang} in specs/, so nothing was checked.", lang=lang)
    return say("There is no rule text in specs/, so nothing was checked.")


def _reviewed(batch: Batch, reviewer: Panel | None) -> Batch:
    """The translations of a check with what of them is read, and with the remarks of a reviewer. Raises Failure if the
    reviewer does not answer."""
    from rulespec.games.rulebook import review_translation
    from rulespec.text.review.kept import path_of

    found, reviewed = list(batch.report.findings), Counter[Any]()
    for path in batch.checked:
        source = batch.sources.get(path)
        if source is not None and (reviewer is not None or path_of(source.path).is_file()):
            # The check has reported what is kept; the review reports it again, with what the reviewer says now.
            known = [one for one in found if one.path == source.path and one.name not in _OF_REVIEWS]
            read = review_translation(source, reviewer.of(source.path) if reviewer is not None else None, known)
            if read.passages:
                found = [one for one in found if one.path != source.path or one.name not in _OF_REVIEWS]
                found += read.report.findings
                reviewed.update(read.passages)
    return replace(batch, report=Report.of(found), reviewed=reviewed)


def _is_wanted(path: str, lang: str | None, game: str | None) -> bool:
    """Whether a file is a translation into a language, or a text of a game."""
    from rulespec.editing.file_kinds import spec_of
    from rulespec.text.reading.translation import read

    source, _ = inputs.read(path)
    translation = read(source)[0] if source is not None else None
    if lang is not None and (translation is None or not matching(lang, [translation.lang])):
        return False
    return game is None or (source is not None and _same(spec_of(source), find(game)))


def _same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)
