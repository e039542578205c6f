"""What a player observes, as text: the open decision, the values and the zones, as far as they know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from rulespec.engine.interpreter.running import Event, StartPosition
from rulespec.engine.knowledge.events import Narrator, cards_words
from rulespec.engine.knowledge.results import players_words
from rulespec.engine.knowledge.view import View, ZoneView
from rulespec.engine.rules.ruleset import Ruleset


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
    return turn_line(view.deciders, view.over)


def turn_line(deciders: Sequence[int], over: bool) -> str:
    """Who decides."""
    if len(deciders) > 1:
        return f"{players_words(deciders)} decide at once"
    if deciders:
        return f"player {deciders[0] + 1} decides"
    return "the game is over" if over else "chance decides"


def _values(state: ObservedState, view: View) -> Iterator[str]:
    return (value_line(state.game, *content) for content in view.values)


def value_line(game: Ruleset, value: str, cell: int, content: int) -> str:
    """What a cell of a value holds."""
    return f"{game.value_name(value, cell)}: {game.value_word(value, content)}"


def _zones(state: ObservedState, view: View) -> Iterator[str]:
    return (zone_line(state.game, zone, _seen(state, zone) if zone.visible else "") for zone in view.zones)


def zone_line(game: Ruleset, zone: ZoneView, seen: str = "") -> str:
    """What a player knows of a zone; `seen` are its cards in words if they see it."""
    words = seen if zone.visible else f"{cards_words(zone.size)}{_known(game, zone)}"
    return f"{game.zone_name(zone.number)}: {words or 'empty'}"


def _seen(state: ObservedState, zone: ZoneView) -> str:
    names = state.game.names
    if not names.on_cards:
        return faces_words(state.game, zone.faces)
    cards = [(state.game.program.faces[card], names.card_label(state.r, card)) for card in state.z[zone.number]]
    return ", ".join(word for _, word in (cards if state.game.ordered[zone.number] else sorted(cards)))


def faces_words(game: Ruleset, faces: Iterable[int]) -> str:
    """Faces in words."""
    return ", ".join(map(game.names.face_names.__getitem__, faces))


def _known(game: Ruleset, zone: ZoneView) -> str:
    """The known part of a hidden zone: the cards whose position is known, bottom to top, then the others."""
    ordered = f", bottom to top: {_placed(game, zone)}" if zone.places.count(None) < len(zone.places) else ""
    loose = faces_words(game, sorted(zone.known.elements())) if zone.known else ""
    return ordered + (f", known: {loose}" if loose else "")


def _placed(game: Ruleset, zone: ZoneView) -> str:
    words, names = [], game.names.face_names
    for placed, cards in groupby(zone.places, lambda face: face is not None):
        listed = list(cards)
        words += [names[face] for face in listed if face is not None] if placed else [f"{len(listed)} unknown"]
    return ", ".join(words)
