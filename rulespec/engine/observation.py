"""What a player observes, as text: the open decision, the values and the zones, as far as they know them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Protocol

from rulespec.engine.events import Narrator, cards_words
from rulespec.engine.results import players_words
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.running import Event, StartPosition
from rulespec.engine.view import View, ZoneView


class ObservedState(Protocol):
    """The parts of a state that an observation reads."""

    r: list[int]
    z: list[list[int]]
    events: list[Event] | None
    position: StartPosition | None

    @property
    def game(self) -> Ruleset:
        """The ruleset of the state."""


def observation(state: ObservedState, view: View) -> str:
    """What a player knows now, line by line."""
    return "\n".join([_turn(view), *_values(state, view), *_zones(state, view)])


def information_state(state: ObservedState, view: View) -> str:
    """What a player has observed and done since the beginning, line by line, and what they know now."""
    narrator = Narrator(state.game, view.player, state.position)
    lines = [words for event in state.events or () if (words := narrator.narrate(event))]
    return "\n".join([*lines, _turn(view), *_values(state, view), *_zones(state, view)])


def _turn(view: View) -> str:
    if len(view.deciders) > 1:
        return f"{players_words(view.deciders)} decide at once"
    if view.deciders:
        return f"player {view.deciders[0] + 1} decides"
    return "the game is over" if view.over else "chance decides"


def _values(state: ObservedState, view: View) -> Iterator[str]:
    game = state.game
    for value, cell, content in view.values:
        yield f"{game.value_name(value, cell)}: {game.value_word(value, content)}"


def _zones(state: ObservedState, view: View) -> Iterator[str]:
    for zone in view.zones:
        words = _seen(state, zone) if zone.visible else f"{cards_words(zone.size)}{_known(state, zone)}"
        yield f"{state.game.zone_name(zone.number)}: {words or 'empty'}"


def _seen(state: ObservedState, zone: ZoneView) -> str:
    names = state.game.names
    if not names.on_cards:
        return ", ".join(map(names.face_names.__getitem__, zone.faces))
    cards = [(state.game.program.faces[card], names.card_label(state.r, card)) for card in state.z[zone.number]]
    return ", ".join(word for _, word in (cards if state.game.ordered[zone.number] else sorted(cards)))


def _known(state: ObservedState, zone: ZoneView) -> str:
    """The known part of a hidden zone: the cards whose position is known, bottom to top, then the others."""
    words, names = [], state.game.names.face_names
    for placed, cards in groupby(zone.places, lambda face: face is not None):
        listed = list(cards)
        words += [names[face] for face in listed if face is not None] if placed else [f"{len(listed)} unknown"]
    ordered = f", bottom to top: {', '.join(words)}" if any(face is not None for face in zone.places) else ""
    loose = ", ".join(names[face] for face in sorted(zone.known.elements()))
    return ordered + (f", known: {loose}" if loose else "")
