"""Loads and checks specs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from rulespec.base.diagnostics import Finding, Related, Report, finding
from rulespec.base.messages import Message, all_of, counted, player_count, say, sentences
from rulespec.base.project import find, playable_games, released, spec_for
from rulespec.base.source import Reading, Source, from_text, read
from rulespec.engine.backend.engines.table import AUTO
from rulespec.engine.interpreter.running import Event
from rulespec.engine.knowledge.results import bounded
from rulespec.engine.rules.claims import counterexample
from rulespec.engine.rules.naming import ContentNames
from rulespec.engine.states.game import Game, setting
from rulespec.engine.states.playout import random_game
from rulespec.language.cards_from import with_cards
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.document.text_checks import half_quoted
from rulespec.language.formats.current import current
from rulespec.language.formats.table import FORMATS
from rulespec.language.model import spec as model
from rulespec.language.model.build import build
from rulespec.language.model.constants import Setting
from rulespec.language.model.names import suggest
from rulespec.language.model.reader import whole
from rulespec.language.overlay.deck import with_deck
from rulespec.language.overlay.file import Overlay, read_overlay
from rulespec.language.overlay.stack import base_of, is_overlay, stacked, unsound, with_variant
from rulespec.language.schema.validate import validated
from rulespec.proofs import checks
from rulespec.proofs.checks import claims, locations

MOST_CHOICES = 10_000
"""The most random choices in a setup. Setups of real games have a few dozen; a setup that loops stops here."""

DeckFile: TypeAlias = "str | Path | Source"
"""A deck: its path, or its text."""


class SpecError(ValueError):
    """Raised when a spec with errors is loaded. `diagnostics` has the findings."""

    def __init__(self, report: Report) -> None:
        first = report.errors[0]
        more = f" (and {len(report.errors) - 1} more)" if len(report.errors) > 1 else ""
        hint = f" {first.hint}" if first.name == "file-not-found" else ""
        super().__init__(f"{first.place}: {first.message}{hint}{more}")
        self.diagnostics, self._report = report.findings, report

    def __reduce__(self) -> tuple[Any, ...]:
        return SpecError, (self._report,)  # also from another process


@dataclass(frozen=True)
class Spec:
    """A spec without errors: its sealed model, and the report of its checks, which has no errors."""

    model: model.Spec
    report: Report

    def __repr__(self) -> str:
        return f"<Spec {self.id} {self.model.version}>"

    @property
    def id(self) -> str:
        return self.model.id

    @property
    def players(self) -> range:
        """The player counts the game is for."""
        return self.model.players

    def game(self, players: int | None = None, rulings: Mapping[str, str] | None = None, engine: str = AUTO) -> Game:
        """The game set up for a number of players (by default the fewest) and rulings by name, run by an engine: one of
        auto, interpreter, compiled, native. `auto` is whichever costs least for what is played.

        Raises ValueError for a player count, a ruling or an option that the game does not have, and for an engine that
        is not installed.
        """
        return Game(setting(self.model, players, rulings), engine=engine)


def load(name: str | Path, deck: DeckFile | None = None, variant: str = "") -> Spec:
    """The spec at a path or of a game id, with the cards of a deck if given, and with the overlay of a variant.

    `variant` is the id of one of its variants, or several joined by `+`. An overlay may be given as the path itself.

    Raises SpecError, which has all findings, if the spec has errors or cannot be read, or if the deck or the overlay
    does not fit; ValueError for a variant that the game does not have.
    """
    return _loaded(*_examine(*_in_variant(*read_named(name), variant), deck))


def read_named(name: str | Path) -> Reading:
    """The text of a file or of the spec of a game id, and the findings about it. Never raises for a bad file."""
    source, found = read(find(name))
    return source, [with_meant(one, str(name)) for one in found]


def with_meant(found: Finding, name: str) -> Finding:
    """The finding that no file has this name, with the game or the releases that are meant; any other as it is."""
    if found.name != "file-not-found":
        return found
    games, release = playable_games(), released(name)
    if release is None or release[0] not in games:
        return replace(found, hint=suggest(name, games) or found.hint)
    game, versions = release
    hint = say("None is. Release one with: ftk release {game}", game=game)
    if versions:
        hint = say("Released are: {versions}.", versions=", ".join(versions))
    return replace(found, message=say("There is no release {name}.", name=name), hint=hint)


def loads(text: str | Source, deck: DeckFile | None = None, variant: str = "") -> Spec:
    """The spec in a text. Raises SpecError and ValueError like `load`."""
    reading = (text, []) if isinstance(text, Source) else from_text(text)
    return _loaded(*_examine(*_in_variant(*reading, variant), deck))


def _in_variant(source: Source | None, found: list[Finding], variant: str) -> tuple[Source | None, list[Finding]]:
    """The reading of a spec, with the overlays of a variant if one is named."""
    if source is None or not variant:
        return source, found
    joined, more = with_variant(source, variant)
    return joined, [*found, *more]


def check_spec(
    source: Source, deck: DeckFile | None = None, rulings: Mapping[str, str] | None = None, variant: str = ""
) -> Report:
    """Everything wrong with a spec, with the cards of a deck if given, with these options of its rulings, and with the
    overlay of a variant.

    Never raises for bad input; raises ValueError for a ruling, an option or a variant that the spec does not have.
    """
    return _proven(*_examine(*_in_variant(source, [], variant), deck, rulings or {}))


def check_overlay(source: Source, deck: DeckFile | None = None, rulings: Mapping[str, str] | None = None) -> Report:
    """Everything wrong with an overlay, alone and merged into its game. Findings of the game alone are left out.

    The spec is searched as `spec_for` does. Never raises for bad input; raises ValueError like `check_spec`.
    """
    overlay, _ = read_overlay(source)
    joined, found = stacked(source)
    if overlay is None or joined is None:
        return Report.of(found)
    before = check_spec(joined.files[0])
    if not before.ok:
        return Report.of(found, [unsound(overlay, before.errors[0].path)])
    known = {(one.name, one.message, one.path) for one in _of_variant(before.findings, joined)}
    after = check_spec(joined, deck, rulings).findings
    new = (one for one in after if (one.name, one.message, one.path) not in known)
    return Report.of(found, (_at_its_edit(one, overlay) if one.path == joined.path else one for one in new))


_SETTLED = ("always-same", "always-true", "never-true", "never-in-game", "row-never-applies")
"""What is no mistake in a game of which a variant has other numbers of players: conditions on their number."""


def _players(source: Source) -> str:
    """The numbers of players of a game, as they are written."""
    root, _ = parse(source)
    game = root.get("game") if isinstance(root, MapNode) else None
    players = game.get("players") if isinstance(game, MapNode) else None
    return players.text if isinstance(players, Scalar) else ""


def _at_its_edit(found: Finding, overlay: Overlay) -> Finding:
    """A finding at a place of the game, which alone is right: at the edit of the overlay that it is about, else that of
    the number of players, else the first one."""
    edits = sorted(overlay.edits, key=lambda edit: (edit.name != found.rule, edit.section != "game"))
    place = edits[0].key if edits else overlay.base
    path, start, end = place.source.located(place.span)
    beside = Related(say("This place of the game does not fit."), found.path, found.start, found.end)
    hint = sentences(found.hint, say("Correct it in the overlay, not in the game."))
    return replace(found, path=path, start=start, end=end, hint=hint, related=(*found.related, beside))


def _of_variant(found: Iterable[Finding], source: Source) -> Iterator[Finding]:
    """Findings about a spec. Those of a variant at places in the game name it, because the game alone may be right."""
    settled = _SETTLED if source.variant and _players(source) != _players(source.files[0]) else ()
    for one in found:
        if source.variant and one.path == source.path:
            if one.name in settled:
                continue
            words = say("In the variant `{variant}`: {message}", variant=source.variant, message=one.message)
            one = replace(one, message=words)
        yield one


def condition_text(spec: model.Spec, rule: model.Rule) -> str:
    """The condition `only_if` of a rule as it is written in the spec."""
    return locations.text(spec, rule.span, "only_if")


def weight_texts(spec: model.Spec, rule: str) -> Iterator[tuple[str, str]]:
    """The options of a rule that have weights, hints for bots: what an option says, and its weight as it is written in
    the spec. Options of the rules inside it are theirs."""
    for option in spec.weights:
        if locations.rule_around(spec, option.span) == rule:
            yield option.says, locations.text(spec, option.span, "weight")


def check_deck(source: Source) -> Report:
    """Everything wrong with a deck, alone and together with its game.

    The spec is searched as `spec_for` does; its own findings are left out. Never raises for bad input.
    """
    deck, found = read_overlay(source, "deck")
    base, unreadable = base_of(deck) if deck is not None else (None, [])
    if deck is None or base is None:
        return Report.of(found, unreadable)
    _, before = _examine(base, unreadable)
    if not before.ok:
        return Report.of(found, [unsound(deck, before.errors[0].path)])
    _, after = _examine(base, unreadable, source)
    return Report(tuple(one for one in after.findings if one not in before.findings))


def model_for(game: str, source: Source, variant: str = "") -> tuple[model.Spec | None, Report]:
    """The model of the game that another file is about, in a variant if one is named, and the findings of its spec.

    The model is None if it cannot be built. With errors in totals only it is built, so that texts can be checked.
    Raises VariantError for a variant that the game does not have.
    """
    stage = _stage_of(spec_for(game, source.path), variant)
    return stage.built, stage.report


def _stage_as_read(source: Source) -> _Stage:
    """A spec, examined once for itself, its texts, its scenarios and its variants."""
    joined, found = with_cards(source)  # the cards of its spreadsheet may have changed since it was examined
    return _examined_once(joined, tuple(found))


@lru_cache(maxsize=8)
def _examined_once(source: Source | None, found: tuple[Finding, ...]) -> _Stage:
    return _judged(_built_once(source, found))


@lru_cache(maxsize=8)
def _built_once(source: Source | None, found: tuple[Finding, ...]) -> _Stage:
    return _of_text(source, list(found))


def model_of(source: Source) -> tuple[model.Spec | None, Report]:
    """The model of a spec, as far as it can be built despite errors, and everything found in it but failing claims."""
    stage = _stage_as_read(source)
    return stage.built, stage.report


def built(source: Source) -> tuple[model.Spec | None, Report]:
    """The model of a spec, and the findings about its syntax, names and types. The checks of play are left out, so a
    spec in the middle of a change has a model, too."""
    stage = _alone(source, [])
    return stage.built, stage.report


def is_sound(path: str) -> bool:
    """Whether the spec at a path can be read and has no errors."""
    return _stage_of(path).report.ok


def _stage_of(path: str, variant: str = "") -> _Stage:
    """The stage of a spec that several files depend on; it is checked once, until its text changes."""
    source, found = _in_variant(*read(path), variant)
    return _stage_as_read(source) if source is not None and not found else _judged(_alone(source, found))


@dataclass(frozen=True)
class _Stage:
    """A spec between two steps of checking: its model if it could be built, and the findings so far."""

    built: model.Spec | None
    report: Report

    @property
    def sealed(self) -> model.Spec | None:
        """The model if there are no errors, else None."""
        return self.built if self.report.ok else None


def _examine(
    source: Source | None,
    found: list[Finding],
    deck: DeckFile | None = None,
    rulings: Mapping[str, str] = MappingProxyType({}),
) -> tuple[model.Spec | None, Report]:
    # Only a spec by itself is examined once: with a deck, rulings or an overlay, more than its text counts.
    if source is not None and not (found or deck is not None or rulings or is_overlay(source)):
        stage = _stage_as_read(source)
    else:
        stage = _alone(source, found)
        stage = _judged(stage if deck is None else _joined(stage, deck), rulings)
    return stage.sealed, stage.report


def _loaded(sealed: model.Spec | None, report: Report) -> Spec:
    if sealed is None:
        raise SpecError(report)
    return Spec(sealed, report)


def _alone(source: Source | None, found: list[Finding]) -> _Stage:
    """A spec after the checks of its syntax, shape, names and types, which is built once for all who need it."""
    if source is not None:
        source, more = stacked(source) if is_overlay(source) else with_cards(source)
        found = [*found, *more]
    return _built_once(source, tuple(found))


def _of_text(source: Source | None, found: list[Finding]) -> _Stage:
    """A spec with all its cards, after the same checks; None if it cannot be read."""
    if source is None:
        return _Stage(None, Report.of(found))
    now, more = current(source, "spec")
    if now is None:
        return _Stage(None, Report.of(found, more))
    source = now
    root, syntax = parse(source)
    found = [*found, *more, *syntax]
    if root is None:
        return _Stage(None, Report.of(found))
    root, shape = validated(root, source, FORMATS["spec"].schema)
    if root is None:
        return _Stage(None, Report.of(found, shape))
    built, meaning = build(root, source)
    report = Report.of(found, _of_variant([*shape, *meaning, *_half_quoted(root, [*shape, *meaning])], source))
    return _Stage(built if whole(report.findings) else None, report)


def _half_quoted(root: Node, found: list[Finding]) -> Iterator[Finding]:
    """Texts with one typographic quote. Where there is an expression, its own finding says so."""
    known = {(one.path, one.start.line) for one in found}
    return (one for one in half_quoted(root) if (one.path, one.start.line) not in known)


def _joined(stage: _Stage, file: DeckFile) -> _Stage:
    """A spec with the cards of a deck. They are joined only if neither has errors."""
    source, unreadable = (file, []) if isinstance(file, Source) else read(file)
    deck, found = read_overlay(source, "deck") if source is not None else (None, [])
    found = [*stage.report.findings, *unreadable, *found]
    if deck is None or stage.sealed is None:
        return _Stage(None, Report.of(found))
    joined, misfits = with_deck(stage.sealed, deck)
    together = _of_text(joined, [*found, *misfits])
    if together.built is None:
        return together
    # Neither text contains a control character, so no other two texts have the same digest.
    digest = sha256(f"{stage.sealed.source.text}\0{deck.source.text}".encode()).hexdigest()
    return replace(together, built=replace(together.built, digest=digest))


def _judged(stage: _Stage, rulings: Mapping[str, str] = MappingProxyType({})) -> _Stage:
    """The stage with the findings of the checks. Each check runs only if those before it found no error."""
    built, report = stage.built, stage.report
    for check in (checks.run, partial(broken_invariants, rulings=rulings)):
        if built is not None and whole(report.findings):
            report = Report.of(report.findings, _of_variant(check(built), built.source))
    return _Stage(built if whole(report.findings) else None, report)


def _proven(sealed: model.Spec | None, report: Report) -> Report:
    """The report with failing claims. Evaluating them takes seconds, so loading a spec does not do it."""
    if sealed is None:
        return report
    return Report.of(report.findings, _of_variant(failing_claims(sealed), sealed.source))


def broken_invariants(sealed: model.Spec, rulings: Mapping[str, str] = MappingProxyType({})) -> Iterator[Finding]:
    """Sets the game up for every player count, with options of rulings, and evaluates every invariant of the setup."""
    broken: dict[int, list[Message]] = {}
    stopped: dict[tuple[int, int, int], list[Message]] = {}
    for players in sealed.players:
        who = player_count(players)
        for event in _of_setup(setting(sealed, players, rulings)):
            if event[0] == "broken":
                _, _, number, *sides = event
                found = (
                    say("{players} ({left} against {right})", players=who, left=sides[0], right=sides[1])
                    if sides
                    else who
                )
                broken.setdefault(number, []).append(found)
            elif event[0] == "stopped":
                stopped.setdefault(event[1:], []).append(who)
    for (rule, number, thing), counts in stopped.items():
        yield _stopped(sealed, rule, number, counts) if thing < 0 else _beyond(sealed, thing, number, counts)
    for number, counts in broken.items():
        invariant = sealed.invariants[number]
        message = say("The invariant `{invariant}` does not hold with {counts}.", invariant=invariant.id, counts=counts)
        hint = say("Compare the card list, what is left out and what is removed with the rulebook.")
        yield finding("broken-invariant", message, sealed.source, invariant.span, hint)


def _stopped(sealed: model.Spec, rule: int, rounds: int, counts: list[Message]) -> Finding:
    """The finding that a loop of the setup has had all its rounds; `rule` counts the rules from 1, -1 for none."""
    id_ = list(sealed.rules)[rule - 1] if rule > 0 else ""
    message = counted(
        "With {counts}, a loop of the setup does not end in {number} round.",
        "With {counts}, a loop of the setup does not end in {number} rounds.",
        rounds,
        counts=counts,
    )
    hint = say("Raise `at_most`, or say under its `then` what happens.")
    place = locations.at(sealed, sealed.rules[id_].span if id_ else None, "id" if id_ else "setup")
    return finding("bound-reached", message, sealed.source, place, hint, id_)


def _beyond(sealed: model.Spec, thing: int, number: int, counts: list[Message]) -> Finding:
    """The finding that the setup moves more cards to a zone than it holds, or sets a value beyond its bounds."""
    declared = bounded(sealed, thing)
    message = counted(
        "With {counts}, the setup moves more than {number} card to `{zone}`.",
        "With {counts}, the setup moves more than {number} cards to `{zone}`.",
        number,
        counts=counts,
        zone=declared.name,
    )
    hint = say("Move fewer cards there, or raise `holds`.")
    if isinstance(declared, model.StoredValue):
        bounds = say("{low} to {high}", low=declared.type.low, high=declared.type.high)
        message = say(
            "With {counts}, the setup sets `{declared}` to {number}, outside of {bounds}.",
            counts=counts,
            declared=declared.name,
            number=number,
            bounds=bounds,
        )
        hint = say("Correct the step, or give the value a wider range.")
    return finding("bound-reached", message, sealed.source, declared.span, hint)


def _of_setup(wanted: Setting) -> Iterator[Event]:
    """The events of a setup, in which every choice is made at random.

    An invariant that must always hold is not evaluated at the end of the setup, which is no decision point: the first
    steps of play may still establish it.
    """
    sealed = wanted.spec
    *_, state = islice(random_game(Game(wanted, setup_only=True), 0), MOST_CHOICES + 1)
    over = False
    for event in state.events or ():
        over = over or event[0] == "setup"
        if not (over and event[0] == "broken" and sealed.invariants[event[2]].at == "always"):
            yield event


def failing_claims(sealed: model.Spec) -> Iterator[Finding]:
    """One finding for each claim that fails, with the first counterexample of all combinations of values."""
    for claim in sealed.claims:
        for one in claims.settings(sealed, claim) or ():
            found = counterexample(one, claim)
            if found is not None:
                yield _failing(one, claim, found)
                break


def _failing(one: Setting, claim: model.Claim, found: Mapping[int, int]) -> Finding:
    sealed = one.spec
    chosen = {id_: sealed.rulings[id_].options[one.chosen[id_]] for id_ in claims.rulings(sealed, claim)}
    answers = [say("`{ruling}` is {option}", ruling=id_, option=option) for id_, option in chosen.items()]
    enum, type_ = sealed.values[claim.over].per[0].type, sealed.values[claim.over].type
    names = ContentNames(sealed)
    values = ", ".join(f"{names.notation(enum, m)} {names.notation(type_, c)}" for m, c in found.items())
    when = all_of([*answers, say("`{value}` is {content}", value=claim.over, content=values)])
    message = say("The claim `{claim}` does not hold when {when}.", claim=claim.id, when=when)
    if claims.by_players(sealed, claim):
        who = say("with {players}", players=player_count(one.players))
        message = say("The claim `{claim}` does not hold {who} when {when}.", claim=claim.id, who=who, when=when)
    hint = say("Narrow `given`, or close the gap in the rules.")
    return finding("claim-fails", message, sealed.source, claim.span, hint)
