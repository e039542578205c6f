"""States to play from: where a case of a scenario leads, and the last decision before a rule applies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.engine.interpreter.running import WrongStart
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import random_game
from rulespec.engine.states.state import State
from rulespec.games.api import Spec
from rulespec.games.scenario.cases import Case, Choice, Games, read_case
from rulespec.games.scenario.claims import said
from rulespec.games.scenario.vocabulary import near
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Scalar
from rulespec.language.document.nodes import Sequence as SequenceNode

GAMES = 100
"""The random games that are played to reach a rule."""
_UNPLAYABLE = (WrongStart, LookupError, ValueError, ArithmeticError)
"""What a case raises that has errors, makes an illegal choice, or sets up a position that lacks what the rules need."""
_OTHERS = "Choose other players or rulings (--players N, --ruling ID=ANSWER), or write a scenario that reaches it."


class NoStart(ValueError):
    """Raised if no game can be played from somewhere, with the reason and a hint."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@contextmanager
def from_there(state: State) -> Iterator[None]:
    """Play that goes on from a state. The engine relies on what is proven of play, and a position set up by hand may
    lack what the rules need: then NoStart is raised, with the reason and a hint."""
    try:
        yield
    except (LookupError, ArithmeticError) as error:
        if state.position is None:
            raise
        hint = say("Give it all that the rules need, or start at an earlier rule.")
        raise NoStart(say("Play from the position of this case fails: it lacks cards or values."), hint) from error


@dataclass(frozen=True)
class Start:
    """A state to play from, and the case or the random game that leads there, in words; `title` is that of a case."""

    state: State
    way: str
    title: str = ""

    @property
    def game(self) -> Game:
        assert isinstance(self.state.game, Game)
        return self.state.game

    @property
    def seat(self) -> int:
        """The seat to act, the first of several."""
        return self.state.deciders()[0]

    def __str__(self) -> str:
        choices = len(self.state.choices)
        return f"{self.way} after {choices} choice{'s' * (choices != 1)}"


def variant_of(source: Source) -> str:
    """The variant that a file of scenarios names, "" if it names none."""
    root = parse(source)[0]
    named = root.get("variant") if isinstance(root, Mapping) else None
    return named.text if isinstance(named, Scalar) else ""


def from_case(source: Source, id_: str, spec: Spec, engine: str = "interpreter") -> Start:
    """The last decision that a case leads to: behind its choices, or before the one that ends the game.

    Raises NoStart if the file has no such case, or if it cannot be played or leads to no decision.
    """
    cases = dict(_cases(source))
    if id_ not in cases:
        raise NoStart(say("There is no case `{id}` in {path}.", id=id_, path=source.path), near(id_, cases))
    run_it = f"Run it with: ftk test {source.path}"
    try:
        states = _of_case(cases[id_], Games(spec, engine))
        decisions = [state.clone() for state in states if not state.is_terminal()]
    except _UNPLAYABLE as error:
        raise NoStart(say("The case `{id}` cannot be played to its end.", id=id_), run_it) from error
    if not decisions:
        raise NoStart(say("The case `{id}` leads to no decision.", id=id_), run_it)
    title = cases[id_].get("title")
    return Start(decisions[-1], f"the case {id_}", title.text if isinstance(title, Scalar) else "")


def case_in(sources: Iterable[Source], id_: str, spec: Spec) -> Case:
    """A case ready to run, played by the interpreter. Raises NoStart if no file has it, or if it has errors."""
    node = next((node for source in sources for known, node in _cases(source) if known == id_), None)
    case = read_case(node, Games(spec, "interpreter"))[0] if node is not None else None
    if case is None:
        raise NoStart(say("There is no case `{id}` that can be played.", id=id_), say("Run: ftk test {id}", id=spec.id))
    return case


def before_rule(rule: str, games: Sequence[Game], seed: int, scenarios: Iterable[Source], spec: Spec) -> Start:
    """The first decision that offers a rule, else the last one before it applies, else, as in setup, the first one.

    They are sought in random games, of each of the games in turn, then in the cases of the scenarios. Raises NoStart if
    none reaches the rule.
    """
    for number in range(seed, seed + GAMES):
        state = _before(random_game(games[(number - seed) % len(games)], number), rule)
        if state is not None:
            return Start(state, f"a random game (seed {number})")
    shared = Games(spec, games[0].engine)
    for id_, node in (case for source in scenarios for case in _cases(source)):
        try:
            state = _before(_of_case(node, shared), rule)
        except _UNPLAYABLE:  # `ftk test` says why
            continue
        if state is not None:
            return Start(state, f"the case {id_}")
    message = say(
        "No decision comes before the rule `{rule}` in {games} random games, nor in a scenario.", rule=rule, games=GAMES
    )
    raise NoStart(message, _OTHERS)


def _before(states: Iterable[State], rule: str) -> State | None:
    before: State | None = None
    for state in states:
        if any(state.why(action) == rule for seat in state.deciders() for action in state.legal_actions(seat)):
            return state
        if rule in state.fired():
            return before if before is not None or state.is_terminal() else state
        # A clone, since the states are one object that goes on.
        before = state.clone()
    return None


def _of_case(node: Mapping, games: Games) -> Iterator[State]:
    """The states of a case: one object, which goes on. Raises one of _UNPLAYABLE where it cannot be played."""
    case, _ = read_case(node, games)
    if case is None:
        raise ValueError("the case has errors")
    game = case.vocabulary.game
    state = game.state_at(case.position, case.seed) if case.position else game.new_initial_state(case.seed)
    yield state
    for step in case.steps:
        if isinstance(step, Choice):
            state.apply_action(state.legal_actions(step.player)[_number(step, state)], step.player)
            yield state


def _number(choice: Choice, state: State) -> int:
    """The place of a choice among the legal actions. Raises ValueError if it is none of them."""
    return said(state, choice.player).index(choice.action.text)


def _cases(source: Source) -> Iterator[tuple[str, Mapping]]:
    """The id and the node of every case."""
    root = parse(source)[0]
    cases = root.get("cases") if isinstance(root, Mapping) else None
    for node in cases.items if isinstance(cases, SequenceNode) else ():
        id_ = node.get("id") if isinstance(node, Mapping) else None
        if isinstance(id_, Scalar) and isinstance(node, Mapping):
            yield id_.text, node
