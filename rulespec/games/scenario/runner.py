"""Runs scenario files: plays the choices of every case from its position or deal, and checks its expectations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Related, Report, Span, finding, related
from rulespec.base.messages import Message, reason, say
from rulespec.base.source import Source, read
from rulespec.engine.interpreter.running import WrongStart
from rulespec.engine.states.state import State
from rulespec.games import api
from rulespec.games.scenario.cases import Case, Choice, Games, read_case
from rulespec.games.scenario.claims import deciding, said
from rulespec.games.scenario.vocabulary import either, near, scalar
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.formats.current import document
from rulespec.language.model.types import describe
from rulespec.language.overlay.stack import VariantError
from rulespec.proofs.checks.unparse import text as unparse


@dataclass(frozen=True)
class CaseResult:
    """The result of a case: its findings, and the ids of the rules that fired. `span` is that of its id.

    `players` and `rulings` are those it is for, `numbers` all numbers in it.
    """

    id: str
    title: str
    span: Span
    findings: tuple[Finding, ...]
    fired: frozenset[str]
    players: int = 0
    rulings: Map[str, str] = field(default_factory=dict)
    numbers: frozenset[int] = frozenset()

    @property
    def passed(self) -> bool:
        """Whether the case has no errors. A case without expectations only has a warning."""
        return not any(found.severity == "error" for found in self.findings)


@dataclass(frozen=True)
class Outcome:
    """The result of a file: all findings in reading order, and the results of the cases that fit the game."""

    path: str
    game: str
    cases: tuple[CaseResult, ...]
    findings: tuple[Finding, ...]
    spec: api.Spec | None = field(default=None, repr=False)

    @property
    def passed(self) -> bool:
        """Whether the file and its cases have no errors."""
        return not any(found.severity == "error" for found in self.findings)

    @property
    def fired(self) -> frozenset[str]:
        """The ids of the rules that fired in any case."""
        return frozenset().union(*(case.fired for case in self.cases))


def run(
    path: str | Path, spec: api.Spec | None = None, deck: api.DeckFile | None = None, engine: str = "interpreter"
) -> Outcome:
    """Runs the cases of one file. Never raises for a bad file.

    The spec is `<game>.yaml` next to the file or in one of the three folders above it, else the packaged game.
    Pass `spec` to run the cases against another one, `deck` to play with the cards of a deck. `engine` plays them.
    """
    source, unreadable = read(path)
    loaded = _LoadedGames(spec, deck, engine)
    return _run(source, unreadable, loaded) if source else Outcome(str(path), "", (), tuple(unreadable))


def run_source(
    source: Source,
    spec: api.Spec | None = None,
    deck: api.DeckFile | None = None,
    engine: str = "interpreter",
    variant: str = "",
) -> Outcome:
    """Like `run`, for a text that is already read. `variant` is for a file that names none itself."""
    return _run(source, [], _LoadedGames(spec, deck, engine, variant=variant))


def run_all(
    paths: Iterable[str | Path],
    spec: api.Spec | None = None,
    deck: api.DeckFile | None = None,
    engine: str = "interpreter",
    variant: str = "",
) -> list[Outcome]:
    """Runs files, and all files in folders. A case id must be unique among all cases of a game.

    `variant` is for files that name none themselves.
    """
    loaded = _LoadedGames(spec, deck, engine, variant=variant)
    first: dict[tuple[str, str], str] = {}
    outcomes = []
    for path in files(paths):
        source, unreadable = read(path)
        outcome = _run(source, unreadable, loaded) if source else Outcome(str(path), "", (), tuple(unreadable))
        outcomes.append(_without_repeats(outcome, source, first) if source else outcome)
    return outcomes


def run_sources(
    sources: Iterable[Source], deck: api.DeckFile | None = None, engine: str = "interpreter"
) -> list[Outcome]:
    """Like `run_all`, for texts that are already read."""
    loaded = _LoadedGames(None, deck, engine)
    first: dict[tuple[str, str], str] = {}
    return [_without_repeats(_run(source, [], loaded), source, first) for source in sources]


def results(sources: Iterable[Source], ids: Collection[str], spec: api.Spec) -> dict[str, CaseResult]:
    """The results of some cases by id. Of all cases only these are played. Bad files have none."""
    loaded = _LoadedGames(spec, None, "interpreter", only=frozenset(ids))
    named = (source for source in sources if any(id_ in source.text for id_ in ids))
    return {case.id: case for source in named for case in _run(source, [], loaded).cases}


def ids(paths: Iterable[str | Path]) -> list[str]:
    """The ids of all cases in files, in folders and in readable files only."""
    found = []
    for path in files(paths):
        source, _ = read(path)
        root = parse(source)[0] if source is not None else None
        cases = root.get("cases") if isinstance(root, Mapping) else None
        nodes = cases.items if isinstance(cases, Sequence) else ()
        found += [scalar(node.get("id") or node).text for node in nodes if isinstance(node, Mapping) and node.get("id")]
    return found


def files(paths: Iterable[str | Path]) -> Iterator[str | Path]:
    """The given files, and every YAML file in the given folders, in a fixed order."""
    for path in paths:
        folder = Path(path)
        yield from sorted(folder.rglob("*.yaml")) if str(path) != "-" and folder.is_dir() else [path]


def coverage(spec: api.Spec, fired: Iterable[str]) -> list[str]:
    """The ids of the rules of a spec that never fired, in the order of the spec."""
    seen = set(fired)
    return [rule for rule in spec.model.rules if rule not in seen]


# --- a file ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _LoadedGames:
    """The games of one run by the path of their spec, each loaded once; or the one spec for all cases."""

    spec: api.Spec | None
    deck: api.DeckFile | None
    engine: str
    known: dict[str, Games] = field(default_factory=dict)
    only: frozenset[str] | None = None
    """The ids of the cases to run; None for all."""
    variant: str = ""
    """The variant for files that name none."""


def _run(source: Source, unreadable: list[Finding], loaded: _LoadedGames) -> Outcome:
    root, found = document(source, "scenario")
    wrong = [*unreadable, *found]
    if not isinstance(root, Mapping) or any(found.severity == "error" for found in wrong):
        return _outcome(source, "", [], wrong)
    source = root.source
    game = scalar(root.get("game") or root)
    games = _games(game, root.get("variant"), source, loaded)
    if isinstance(games, Finding):
        return _outcome(source, game.text, [], [*wrong, games])
    cases = root.get("cases")
    nodes = cases.items if isinstance(cases, Sequence) else ()
    return _cases(source, games, game.text, [node for node in nodes if _is_wanted(node, loaded)], wrong)


def _is_wanted(node: Node, loaded: _LoadedGames) -> bool:
    return loaded.only is None or (isinstance(node, Mapping) and scalar(node.get("id") or node).text in loaded.only)


def _cases(source: Source, games: Games, game: str, nodes: Iterable[Node], wrong: list[Finding]) -> Outcome:
    results, first = [], dict[str, Span]()
    for node in nodes:
        assert isinstance(node, Mapping)
        name = scalar(node.get("id") or node)
        before = first.setdefault(name.text, name.span)
        if before != name.span:
            where = say("at line {line}", line=source.located(before)[1].line)
            first_place = related(say("The first case `{name}`.", name=name.text), source, before)
            wrong.append(_same_id(name.text, name.span, where, source, [first_place]))
        case, misfits = read_case(node, games)
        if case is None:
            wrong.extend(misfits)
        else:
            results.append(_result(case, source, misfits))
    return _outcome(source, game, results, wrong, games.spec)


def _result(case: Case, source: Source, misfits: list[Finding]) -> CaseResult:
    failed, fired = _play(case, source)
    place = scalar(case.node.get("id") or case.node).span
    return CaseResult(
        case.id,
        case.title,
        place,
        (*misfits, *failed),
        frozenset(fired),
        case.vocabulary.game.setting.players,
        case.rulings,
        frozenset(_numbers(case.node)),
    )


def _numbers(node: Node) -> Iterator[int]:
    """All numbers in a node: in its keys and in its values."""
    if isinstance(node, Scalar):
        yield from (int(digits) for digits in re.findall(r"\d+", node.text))
    elif isinstance(node, Sequence):
        yield from (number for item in node.items for number in _numbers(item))
    elif isinstance(node, Mapping):
        yield from (number for entry in node.entries for part in entry for number in _numbers(part))


def _outcome(
    source: Source, game: str, results: list[CaseResult], wrong: list[Finding], spec: api.Spec | None = None
) -> Outcome:
    report = Report.of(wrong, *(result.findings for result in results))
    return Outcome(source.path, game, tuple(results), report.findings, spec)


def _games(game: Scalar, named: Node | None, source: Source, loaded: _LoadedGames) -> Games | Finding:
    path = "" if loaded.spec is not None else project.spec_for(game.text, source.path)
    variant = named.text if isinstance(named, Scalar) and path else loaded.variant
    key = f"{path}+{variant}"
    if key not in loaded.known:
        try:
            loaded.known[key] = _compiled(loaded.spec or api.load(path, loaded.deck, variant), loaded.engine)
        except VariantError as error:
            return finding(
                "scenario-no-game", reason(error), source, (named or game).span, say("Correct the id of the variant.")
            )
        except api.SpecError as error:
            return _no_game(game, source, path, error, loaded.deck)
    return loaded.known[key]


@lru_cache(maxsize=8)
def _compiled(spec: api.Spec, engine: str) -> Games:
    """The games of a spec, compiled once for its scenarios and for the worked examples in its texts."""
    return Games(spec, engine)


def _no_game(game: Scalar, source: Source, path: str, error: api.SpecError, deck: api.DeckFile | None) -> Finding:
    if any(found.name == "file-not-found" and found.path == path for found in error.diagnostics):
        message = say("No spec found for the game `{game}`.", game=game.text)
        return finding("scenario-no-game", message, source, game.span, near(game.text, project.playable_games()))
    if deck is not None:
        message = say("Cannot run the cases: `{game}` cannot be played with this deck.", game=game.text)
        name = deck.path if isinstance(deck, Source) else deck
        return finding(
            "scenario-no-game",
            message,
            source,
            game.span,
            say("Run `ftk check {name}` to see its findings.", name=name),
        )
    message = say("Cannot run the cases: the spec of `{game}` has errors.", game=game.text)
    broken = project.shown(Report.of(error.diagnostics).errors[0].path)
    hint = say("Run `ftk check {path}` and fix them first.", path=broken)
    return finding("scenario-no-game", message, source, game.span, hint)


def _same_id(id_: str, place: Span, where: Message, source: Source, others: Iterable[Related] = ()) -> Finding:
    message = say("Duplicate case id: {id} is also {where}.", id=id_, where=where)
    return finding("scenario-same-id", message, source, place, say("Give each case a unique id."), id_, related=others)


def _without_repeats(outcome: Outcome, source: Source, first: dict[tuple[str, str], str]) -> Outcome:
    """The outcome with a finding for every case whose id an earlier file has."""
    found = list(outcome.findings)
    for case in outcome.cases:
        where = first.setdefault((outcome.game, case.id), outcome.path)
        if where != outcome.path:
            found.append(_same_id(case.id, case.span, say("in {path}", path=where), source))
    return replace(outcome, findings=Report.of(found).findings)


# --- a case ----------------------------------------------------------------------------------------------------------


def _play(case: Case, source: Source) -> tuple[list[Finding], set[str]]:
    """Plays a case. Returns its findings and the rules that fired."""
    found: list[Finding] = []
    game = case.vocabulary.game
    try:
        state = game.state_at(case.position, case.seed) if case.position else game.new_initial_state(case.seed)
        found.extend(_steps(case, state, source))
        found.extend(_broken(case, state, source))
    except WrongStart as error:
        return [*found, _wrong_start(case, error, source)], set()
    except (LookupError, ArithmeticError):
        # The engine relies on what the checks have proven of play; a position set up by hand may break it.
        message = say("Play from this position fails: it lacks cards or values that the rules need.")
        hint = say("Start at an earlier rule, or give all cards and values that the rule needs.")
        return [*found, finding("scenario-no-start", message, source, _start(case).span, hint, case.id)], set()
    return found, state.fired()


def _steps(case: Case, state: State, source: Source) -> Iterator[Finding]:
    for step in case.steps:
        if not isinstance(step, Choice):
            failed = step.fails(state)
            if failed:
                yield finding("scenario-failed", failed, source, step.span, _OR, case.id)
        elif (wrong := _wrong_choice(case, step, state, source)) is not None:
            yield wrong
            return
        else:
            action = said(state, step.player).index(step.action.text)
            state.apply_action(state.legal_actions(step.player)[action], step.player)


_OR = say("Change the rules or this expectation.")


def _wrong_choice(case: Case, step: Choice, state: State, source: Source) -> Finding | None:
    if state.is_terminal():
        message = say("`{action}` cannot be chosen: the game is over.", action=step.action.text)
        hint = say("Delete this choice and the ones after it.")
        return finding("scenario-not-legal", message, source, step.by.span, hint, case.id)
    if step.player not in state.deciders():
        message, hint = (
            say(
                "Player {number} does not decide here: {players} must.",
                number=step.player + 1,
                players=deciding(state),
            ),
            _choices(state),
        )
        return finding("scenario-not-legal", message, source, step.by.span, hint, case.id)
    if step.action.text not in said(state, step.player):
        message, hint = (
            say(
                "Player {number} cannot choose `{action}` here.",
                number=step.player + 1,
                action=step.action.text,
            ),
            _choices(state, step),
        )
        return finding("scenario-not-legal", message, source, step.action.span, hint, case.id)
    return None


def _choices(state: State, step: Choice | None = None) -> Message:
    player = step.player if step else state.deciders()[0]
    return say("Player {player} may choose {names}.", player=player + 1, names=either(said(state, player)))


def _broken(case: Case, state: State, source: Source) -> Iterator[Finding]:
    place = scalar(case.node.get("id") or case.node).span
    for invariant in dict.fromkeys(state.broken_invariants()):
        message = say("The invariant `{invariant}` does not hold in this case.", invariant=invariant)
        yield finding("scenario-failed", message, source, place, say("Correct the rules or the position."), case.id)
    if state.stopped():
        message = say("In this case {stopped}.", stopped=state.stopped())
        hint = say("Correct the rules, raise `at_most`, or say under its `then` what happens.")
        yield finding("scenario-failed", message, source, place, hint, case.id)


def _wrong_start(case: Case, error: WrongStart, source: Source) -> Finding:
    game = case.vocabulary.game
    words = say("where `{about}` is {type}", about=unparse(game.spec, error.about), type=describe(error.type))
    found = game.names.notation(error.type, error.found)
    message = say(
        "The rule `{rule}` begins only {words}, but in this position it is {found}.",
        rule=error.rule,
        words=words,
        found=found,
    )
    hint = say("Change the position, or start at a rule outside of the condition.")
    return finding("scenario-no-start", message, source, _start(case).span, hint, case.id)


def _start(case: Case) -> Node:
    """The node of the rule that a case starts at."""
    given = case.node.get("given")
    return (given.get("at") if isinstance(given, Mapping) else None) or case.node
