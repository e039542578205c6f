"""`ftk check`: everything wrong with specs, scenarios and decks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, inputs, options
from ftk_cli.output import emit

if TYPE_CHECKING:
    from ftk_cli.report import Batch
    from rulespec.diagnostics import Finding
    from rulespec.source import Source


@click.command(short_help="Find everything wrong with specs, scenarios, decks, texts.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@options.deck
@options.format_("text", "json", "sarif", "github", "junit")
@options.output
@options.fail_on
@options.quiet
@options.verbose
def check(
    paths: tuple[str, ...],
    deck: str | None,
    format_: str,
    output: str | None,
    fail_on: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Find everything wrong with specs, scenarios, decks and rule text.

    A PATH is a file, a folder, the id of a game, `-` for standard input, or REV:PATH for a file in a git revision.
    Without any, all of specs/ is checked, in the nearest folder
    upward that has one; else the games packaged with ftk. Scenarios are run: one that fails is an error.
    A deck is checked in its game; with --deck alone, only that is done.

    \b
    Exit status: 0 nothing wrong, 1 findings at or above --fail-on, 3 something could not be read.

    \b
    Examples:
      ftk check
      ftk check specs/fortheking.yaml --fail-on warning
      ftk check HEAD~1:specs/fortheking.yaml
      ftk check specs/keyflower_king.yaml --deck my_cards.yaml
      ftk check specs --format sarif --output ftk.sarif
    """
    from ftk_cli.report import FORMATS, Look

    batch = examine(paths or ((deck,) if deck else ()), games.deck_file(deck) if paths else None)
    emit(FORMATS[format_](batch, Look.of(output, quiet, verbose)), output)
    inputs.conclude(batch, fail_on)


def examine(paths: Iterable[str], deck: Source | None = None) -> Batch:
    """Checks every file that paths stand for, all that comes with ftk where there are none; with the cards of a deck.

    Raises Failure where there is nothing to check.
    """
    from ftk_cli.report import Batch, Sources
    from rulespec import Report

    sources = Sources()
    sources.add(deck)
    found: list[Finding] = []
    checked: list[str] = []
    scenarios: list[str] = []
    named = list(inputs.expand(paths)) or inputs.default_files()
    for name, itself in named:
        source, findings = inputs.read(name)
        if source is not None and not itself and not kind(source):
            continue  # a folder may hold YAML of other tools
        sources.add(source)
        checked.append(source.path if source is not None else name)
        found += findings
        if source is not None and kind(source) == "scenario" and os.path.isfile(name):
            scenarios.append(source.path)
        elif source is not None:
            found += _findings(source, deck)
    if not checked:
        raise failure.Failure(
            "There is no spec, scenario or deck here, so nothing was checked.", "A spec begins with `rulespec: 1`."
        )
    return Batch(Report.of(found, _scenario_findings(scenarios, deck)), tuple(checked), sources)


def _scenario_findings(paths: list[str], deck: Source | None) -> Iterable[Finding]:
    """What is wrong in files of scenarios. They are run: one that fails contradicts its spec."""
    if not paths:
        return ()
    from rulespec import scenario

    # All together, so that each spec is loaded once and an id that stands in two files is found.
    return [found for outcome in scenario.run_all(paths, deck=deck) for found in outcome.findings]


def kind(source: Source) -> str:
    """What a file is by the key that says so: rulespec, scenario, deck, or nothing where it has none of them."""
    from rulespec.document import Mapping, parse

    # Nearly every file says it at the start of a line; only a file that does not is parsed to find out.
    plain = inputs.kind_of(source.text)
    root = None if plain else parse(source)[0]
    keys = [key for key, _ in root.items()] if isinstance(root, Mapping) else [plain]
    return next((key for key in keys if key in inputs.KINDS), "")


def _findings(source: Source, deck: Source | None) -> Iterable[Finding]:
    from rulespec.api import check_deck, check_source
    from rulespec.rulebook import check_glossary, check_translation

    found = kind(source)
    if found == "scenario":
        from rulespec import scenario

        return scenario.run_source(source, deck=deck).findings
    if found == "deck":
        return check_deck(source).findings
    if found == "translation":
        return check_translation(source).findings
    if found == "glossary":
        return check_glossary(source).findings
    stranger = None if found else _stranger(source)
    return check_source(source, deck).findings if stranger is None else [stranger]


def _stranger(source: Source) -> Finding | None:
    """What to say of a mapping that says nowhere what it is; None for other YAML, which the checks tell more about."""
    from rulespec.diagnostics import finding
    from rulespec.document import Mapping, parse

    root, _ = parse(source)
    if not isinstance(root, Mapping) or not root.entries:
        return None
    keys = ", ".join(f"`{key}`" for key in inputs.KINDS)
    message = f"This file does not say what it is: it has none of the keys {keys}."
    return finding(
        "missing-key",
        message,
        source,
        root.entries[0][0].span,
        "Begin a spec with `rulespec: 1`, scenarios with `scenario: 1`, a deck with `deck: 1`.",
    )
