"""The game of a command: loads its spec, sets the players and rulings, or ends the command with a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from ftk_cli import failure, inputs
from ftk_cli.language import localized
from ftk_cli.output import note
from rulespec.base.diagnostics import Report
from rulespec.base.messages import NOTHING, Message, counted, reason, say, sentences
from rulespec.base.project import playable_games

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source
    from rulespec.engine.states.game import Game
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Spec as Model


def load(name: str, deck_name: str | None = None, variant: str = "") -> Spec:
    """The spec of a name, with the cards of a deck and the overlays of a variant if they are named.

    Ends the command with the findings if the spec has errors or cannot be read.
    """
    return sealed(spec_source(name, variant), deck_file(deck_name))


def sealed(source: Source, deck: Source | None = None) -> Spec:
    """The spec in a text, with the cards of a deck. Ends the command with the findings if there are errors."""
    from rulespec.games.api import SpecError, loads

    try:
        return loads(source, deck)
    except SpecError as error:
        _end(error.diagnostics)


def spec_source(name: str, variant: str = "") -> Source:
    """The text of the spec of a name, with the overlays of a variant.

    Ends the command if it cannot be read, is a deck, or if the variant does not fit.
    """
    from rulespec.editing.file_kinds import kind_of

    source = _readable(name)
    if (kind := kind_of(source)) is not None and kind.name == "deck":
        hint = say("Name the game it is for, and then --deck {name}.", name=name)
        raise failure.Failure(say("{name} is a deck: it has cards of a game, but no rules.", name=name), hint)
    return in_variant(source, variant) if variant else source


def in_variant(base: Source, variant: str) -> Source:
    """The spec in a variant. Ends the command if it has none of that id, or if an overlay does not fit."""
    from rulespec.language.overlay.stack import VariantError, with_variant

    try:
        source, findings = with_variant(base, variant)
    except VariantError as error:
        raise click.UsageError(reason(error)) from None
    return source if source is not None else _end(findings)


def deck_file(name: str | None) -> Source | None:
    """The text of the deck of a name, None without a name. Ends the command if it cannot be read."""
    return None if name is None else _readable(name, deck=True)


def own_cards(name: str) -> Source:
    """The text of the deck of a name. Ends the command if it cannot be read or is not a valid deck."""
    from rulespec.language.formats.current import document

    source = _readable(name, deck=True)
    _, findings = document(source, "deck")
    return source if all(one.severity != "error" for one in findings) else _end(findings)


def remark(
    model: Model, cards: Iterable[int], quiet: bool, title: str = "", of: Callable[[Message], str] = localized
) -> None:
    """Prints a note with the number of these cards that are reconstructed: no source prints them. `of` puts it into a
    language."""
    every = set(cards)
    doubtful = [entry for entry in model.deck.rows if entry.status == "reconstructed"]
    doubtful = [entry for entry in doubtful if not every.isdisjoint(entry.cards)]
    number = sum(len(every.intersection(entry.cards)) for entry in doubtful)
    if number and not quiet:
        named = dict.fromkeys(source for entry in doubtful for source in entry.sources)
        where = say(" (from {sources})", sources=[say(source) for source in named]) if named else NOTHING
        said = counted(
            "{number} of {all} cards is reconstructed{where}: no source prints what they show.",
            "{number} of {all} cards are reconstructed{where}: no source prints what they show.",
            number,
            all=len(every),
            where=where,
        )
        click.echo(f"{title}{': ' * bool(title)}{of(said)}", err=True)


def make(spec: Spec, players: int | None, rulings: Mapping[str, str], engine: str = "auto", many: bool = False) -> Game:
    """The game of a spec in one setting, on an engine that suits one game, or many.

    Raises UsageError for a number of players or a ruling that the game does not have.
    """
    try:
        return spec.game(players, rulings, engine_here(engine, many))
    except ValueError as error:
        raise click.UsageError(failure.sentence(error)) from None


def engine_here(engine: str, many: bool = False) -> str:
    """The engine for a request. For `auto` it is the interpreter unless many games are played: it needs no
    compilation."""
    from rulespec.engine.backend.engines.table import ENGINES

    if engine == "native" and (missing := ENGINES["native"].missing):
        note(sentences(failure.sentence(missing), say("Compiled Python plays instead.")))
        return "compiled"
    return "interpreter" if engine == "auto" and not many else engine


def _readable(name: str, deck: bool = False) -> Source:
    """The text of a name. Ends the command if it cannot be read or has findings."""
    source, findings = inputs.read(name)
    if source is None and inputs.unreadable(findings):
        raise inputs.refused(findings) if deck else not_found(name, findings)
    if source is None or findings:
        _end(findings)
    return source


class Unsound(failure.Failure):
    """A file has findings, so that it cannot be used. Its message is the first error; all findings are shown."""

    exit_code = failure.FINDINGS

    def __init__(self, report: Report) -> None:
        self._report = report
        first = (*report.errors, *report.findings)[0]
        super().__init__(f"{first.place}: {first.message}", f"Run: ftk check {first.path}")

    def show(self, file: object = None) -> None:
        from ftk_cli.report import FORMATS
        from ftk_cli.report.batch import Batch, Look

        batch = Batch(self._report, tuple(sorted({found.path for found in self._report.findings})))
        click.echo(FORMATS["text"](batch, Look.of(None, error=True)), err=True, nl=False)


def _end(findings: Iterable[Finding]) -> NoReturn:
    raise Unsound(Report.of(findings))


def not_found(name: str, findings: Sequence[Finding]) -> failure.Failure:
    """The failure of a command that cannot read the spec of a name, with the game that is meant or all games."""
    from rulespec.games.api import with_meant

    found = findings[0]
    if found.name != "file-not-found" or ":" in name:
        return inputs.refused(findings)
    meant = with_meant(found, name)
    known = say("Name a spec file or a game: {games}.", games=tuple(playable_games()))
    return inputs.refused([meant]) if meant != found else failure.Failure(found.message, known)
