"""`ftk rulings`: the questions that a rulebook leaves open, and the chosen options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import games, options
from ftk_cli.language import localized
from ftk_cli.output import emit, to_json
from ftk_cli.report.display import left, width
from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec.language.model.spec import Ruling


@click.command()
@options.spec
@options.variant
@options.format_("text", "json")
@options.output
@options.no_notes
@options.verbose
def rulings(spec: str, variant: str, format_: str, output: str | None, verbose: bool) -> None:
    """List every question that the rulebook leaves open: the chosen answer, the other options, the silent rulebooks.

    --ruling ID=ANSWER chooses another option for a game.

    \b
    Examples:
      ftk rulings fortheking
      ftk play fortheking --ruling overbid=forbidden
    """
    found = games.load(spec, variant=variant).model
    every = list(found.rulings.values())
    if format_ == "json":
        emit(
            to_json({"game": found.id, "version": found.version, "rulings": [_data(ruling) for ruling in every]}),
            output,
        )
    elif not every:
        emit(say("The rulebook of {game} leaves no question open.", game=found.title), output)
    else:
        emit("\n".join(line for ruling in every for line in (*lines(ruling), "")), output)


def lines(ruling: Ruling) -> Iterator[str]:
    """The lines that describe a ruling."""
    yield ruling.id
    yield f"  {ruling.question}"
    said = [(say("answer:"), ruling.options[:1]), (say("or:"), ruling.options[1:]), (say("silent:"), ruling.silent)]
    named = [(localized(label), ", ".join(names)) for label, names in said if names]
    wide = max(width(label) for label, _ in named) + 2
    yield from (f"  {left(label, wide)}{names}" for label, names in named)


def _data(ruling: Ruling) -> dict[str, Any]:
    return {
        "id": ruling.id,
        "question": ruling.question,
        "answer": ruling.options[0],
        "or": list(ruling.options[1:]),
        "silent": list(ruling.silent),
    }
