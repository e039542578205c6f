"""The whole tree of a small game as text: Gambit's extensive form (`.efg`), which OpenSpiel reads, too."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.play.interop import library

MOST_NODES = 1_000_000
FINEST = 10**9
"""The largest denominator of a probability."""


def extensive_form(game: Game, most: int = MOST_NODES) -> str:
    """The game tree. Players who decide at once are asked in the order of the seats. Information sets have numbers, by
    player, in the order in which the tree reaches them.

    Raises ValueError for a tree with more than `most` nodes.
    """
    players = " ".join(f'"player {seat + 1}"' for seat in range(game.players))
    tree = _Tree(game, most)
    lines = [f'EFG 2 R "{_quoted(game.spec.title)}" {{ {players} }}', *tree.lines(tree.first)]
    return "\n".join(lines) + "\n"


def load_tree(game: Game, most: int = MOST_NODES) -> Any:
    """The game tree as a `pyspiel.Game` in C++: algorithms that walk it many times run at full speed. Raises like
    `extensive_form`, and ImportError if open_spiel is not installed."""
    return library("pyspiel", "openspiel").load_efg_game(extensive_form(game, most))


class _Tree:
    """Writes a tree, node by node: first a node, then what follows from its actions."""

    def __init__(self, game: Game, most: int) -> None:
        self.first, self._most, self._nodes = game.new_initial_state(chance="explicit"), most, 0
        self._known: list[dict[bytes, int]] = [{} for _ in range(game.players)]

    def lines(self, state: State) -> Iterator[str]:
        self._nodes += 1
        if self._nodes > self._most:
            raise ValueError(f"the tree of this game has more than {self._most:,} nodes")
        if state.is_terminal():
            yield f't "" {self._nodes} "" {{ {" ".join(map(str, state.returns()))} }}'
            return
        yield self._chance(state) if state.is_chance_node() else self._decision(state)
        player = _player(state)
        for action in state.legal_actions(player):
            after = state.clone()
            after.apply_action(action, player)
            yield from self.lines(after)

    def _chance(self, state: State) -> str:
        outcomes = (
            f'"{_words(state, outcome)}" {Fraction(chance).limit_denominator(FINEST)}'
            for outcome, chance in state.chance_outcomes()
        )
        return f'c "" {self._nodes} "" {{ {" ".join(outcomes)} }} 0'

    def _decision(self, state: State) -> str:
        player = _player(state)
        known = self._known[player]
        # Nodes with one key are one information set: to the player they are the same.
        number = known.setdefault(state.information_state_key(player), len(known) + 1)
        actions = " ".join(f'"{_words(state, action)}"' for action in state.legal_actions(player))
        return f'p "" {player + 1} {number} "" {{ {actions} }} 0'


def _player(state: State) -> int:
    return state.current_player() if state.is_chance_node() else state.deciders()[0]


def _words(state: State, action: int) -> str:
    return _quoted(state.action_to_string(_player(state), action))


def _quoted(words: str) -> str:
    """Words without the quotes that would end them."""
    return words.replace('"', "'")
