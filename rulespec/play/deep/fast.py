"""Games in compiled Python that test nothing but invariants and bounds, several times as fast as traced ones."""

from __future__ import annotations

from rulespec.engine.interpreter.evaluate import Evaluate, evaluator
from rulespec.engine.program import ir
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.play.deep.lines import MOST_CHOICES
from rulespec.play.deep.players import Choose


def watches(program: ir.Program, spec: m.Spec) -> bool:
    """Whether a game can break an invariant during play, or stop at a bound."""
    stops = any(isinstance(one, ir.Note) and isinstance(one.report, ir.Bound) for one in program.code)
    return stops or any(invariant.at != "setup.end" for invariant in spec.invariants)


class Fast:
    """A game and the invariants that are tested at decisions and at the end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._always = [evaluator(check.holds) for check in game.program.always]
        self._end = [*self._always, *(evaluator(check.holds) for check in _at_end(game))]

    def play(self, seed: int, choose: Choose) -> list[tuple[int, int]] | None:
        """The players and actions up to where something goes wrong; None if nothing does."""
        state = State(self.game, seed, False)
        while not state.is_terminal() and len(state.choices) < MOST_CHOICES:
            if _broken(self._always, state):
                return [*state.choices, *state.decided.items()]
            who = state.deciders()[0]
            state.apply_action(choose(who, state.legal_actions(who)), who)
        wrong = _broken(self._end, state) or (state.is_terminal() and not any(state.ranking()))
        return state.choices if wrong else None


def _at_end(game: Game) -> list[ir.Check]:
    invariants = game.spec.invariants
    checks = [one for one in game.program.code if isinstance(one, ir.Check)]
    return [check for check in checks if invariants[check.invariant].at == "end"]


def _broken(checks: list[Evaluate], state: State) -> bool:
    return any(not holds(state.r, state.z) for holds in checks)
