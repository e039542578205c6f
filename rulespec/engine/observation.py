"""What a player observes: the open decision, the values they may know, and each zone as far as they know it."""

from __future__ import annotations

from itertools import groupby
from typing import Protocol

from rulespec.engine.events import Narrator, cards_words
from rulespec.engine.knowledge import Knowledge
from rulespec.engine.results import players_words
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.running import RunningState, StartPosition


class ObservedState(RunningState, Protocol):
    """The parts of a state that an observation reads."""

    position: StartPosition | None

    @property
    def game(self) -> Ruleset:
        """The ruleset of the state."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""


def observation(state: ObservedState, player: int, knowledge: Knowledge) -> str:
    """What a player knows now, line by line. `knowledge` is theirs after all events so far."""
    return "\n".join([_turn(state), *_values(state, player), *_zones(state, knowledge)])


def information_state(state: ObservedState, player: int) -> str:
    """What a player has observed and done since the beginning, line by line, and what they know now."""
    narrator = Narrator(state.game, player, state.position)
    lines = [words for event in state.events or () if (words := narrator.narrate(event))]
    assert narrator.knowledge is not None
    narrator.look()
    return "\n".join([*lines, *_values(state, player), *_zones(state, narrator.knowledge)])


def _turn(state: ObservedState) -> str:
    if state.asked:
        # All of them, whether they have chosen or not: who has chosen is hidden.
        return f"{players_words(state.asked)} decide at once"
    if state.is_terminal():
        return "the game is over"
    return f"player {state.player + 1} decides" if state.player >= 0 else "chance decides"


def _values(state: ObservedState, player: int) -> list[str]:
    game = state.game
    return [f"{game.value_name(name, cell)}: {word}" for name, cell, word in game.observers.values(state, player)]


def _zones(state: ObservedState, knowledge: Knowledge) -> list[str]:
    game, lines = state.game, []
    for number, cards in enumerate(state.z):
        if not knowledge.visible[number]:
            lines.append(f"{game.zone_name(number)}: {cards_words(len(cards))}{_known(game, knowledge, number)}")
            continue
        # The order of an unordered zone is hidden: it would show how the cards came there.
        shown = [(game.program.faces[card], game.names.card_label(state.r, card)) for card in cards]
        words = ", ".join(word for _, word in (shown if knowledge.ordered[number] else sorted(shown)))
        lines.append(f"{game.zone_name(number)}: {words or 'empty'}")
    return lines


def _known(game: Ruleset, knowledge: Knowledge, zone: int) -> str:
    """The known part of a hidden zone: the cards whose position is known, bottom to top, then the others."""
    words, names = [], game.names.face_names
    for placed, cards in groupby(knowledge.at[zone], lambda face: face is not None):
        listed = list(cards)
        words += [names[face] for face in listed if face is not None] if placed else [f"{len(listed)} unknown"]
    ordered = f", bottom to top: {', '.join(words)}" if any(face is not None for face in knowledge.at[zone]) else ""
    loose = ", ".join(names[face] for face in sorted((+knowledge.loose[zone]).elements()))
    return ordered + (f", known: {loose}" if loose else "")
