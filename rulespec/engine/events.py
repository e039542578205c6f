"""Events: what happened in a game, as words for each player and as JSON for logs.

An event is a tuple: its kind, the index of the rule that caused it, and
  rule                                 the rule starts to apply
  choice     player, action
  move       card, zone, position, zone
  move_all   zone, zone, *cards        a whole zone at once
  show       card, zone, position, player, number    -1 for everybody; number: how many the step has shown before
  shuffle    zone, *cards              bottom to top, afterwards
  set        value, cell, content
  random     place, content, viewers   a bit for each player who sees it, -1 for everybody
  award      place, subject, winner, deciding key, worth, *whether each player stood, *keys by player
  rank       place, deciding key, *ranks, *keys by player; keys that were not needed have no meaning
  stopped    number, thing             a loop would have more rounds than this (thing -1), a zone would hold more cards
                                       than this, or a value would be this: the game ends without a ranking
  setup      *sizes of all zones       the setup is over
  broken     invariant, *sides         an invariant does not hold; the sides of its comparison
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from rulespec.engine import ir
from rulespec.engine.knowledge import Knowledge
from rulespec.engine.observed import Observer
from rulespec.engine.results import award_words, bounded, ranked, ranking_lines
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.running import Event, StartPosition
from rulespec.model.spec import StoredValue


class Narrator:
    """Puts events into words for one player (None: for an observer of everything), one by one, from the beginning or
    from a position set up by hand."""

    def __init__(self, game: Ruleset, player: int | None, position: StartPosition | None = None) -> None:
        self.game, self.player = game, player
        self.observer = Observer(game, player, position)

    def narrate(self, event: Event) -> str:
        """The event in words, empty if this player observes nothing of it. Updates what they know.

        What the player begins to see before the event has a line each.
        """
        return "\n".join(_WORDS[kind](self, *rest) for kind, *rest in self.observer.observe(event))

    @property
    def knowledge(self) -> Knowledge | None:
        """What this player knows of hidden zones; None for an observer of everything."""
        return self.observer.knowledge

    def look(self) -> None:
        """Determines what the player sees after the events so far."""
        self.observer.look()

    def observes(self, *zones: int) -> bool:
        """Whether this player may look into one of the zones."""
        return self.observer.observes(*zones)

    def face(self, number: int) -> str:
        """A card face in words; -1 is a face that the player does not observe."""
        return self.game.names.face_names[number] if number >= 0 else "a card"

    def faces(self, faces: Iterable[int]) -> str:
        """Card faces in words."""
        return ", ".join(map(self.game.names.face_names.__getitem__, faces))


def _choice(narrator: Narrator, player: int, action: int) -> str:
    return f"player {player + 1}: {narrator.game.action_to_string(action)}"


def _kind(narrator: Narrator, player: int, title: str) -> str:
    return f"player {player + 1}: {title}"


def _move(narrator: Narrator, face: int, source: int, target: int) -> str:
    name = narrator.game.zone_name
    return f"{narrator.face(face)} goes from {name(source)} to {name(target)}"


def _move_all(narrator: Narrator, source: int, target: int, count: int, *faces: int) -> str:
    name = narrator.game.zone_name
    what = narrator.faces(faces) if faces else cards_words(count)
    return f"{what} {'go' if count > 1 else 'goes'} from {name(source)} to {name(target)}"


def _show(narrator: Narrator, face: int, zone: int, place: int, to: int) -> str:
    whom = "everybody" if to < 0 else f"player {to + 1}"
    return f"{narrator.face(face)} in {narrator.game.zone_name(zone)} is shown to {whom}"


def _shuffle(narrator: Narrator, zone: int) -> str:
    return f"{narrator.game.zone_name(zone)} is shuffled"


def _set(narrator: Narrator, value: str, cell: int, content: int) -> str:
    game = narrator.game
    return f"{game.value_name(value, cell)} is now {game.value_word(value, content)}"


def _random(narrator: Narrator, place: int, content: int) -> str:
    return f"drawn at random: {_drawn(narrator.game, place, content)}"


def _unseen(narrator: Narrator, place: int) -> str:
    return f"drawn at random: {_draw(narrator.game, place).name}, unseen"


def _drawn(game: Ruleset, place: int, content: int) -> str:
    draw = _draw(game, place)
    return f"{draw.name} {game.names.word(draw.type, content)}"


def _draw(game: Ruleset, place: int) -> ir.Draw:
    draw = game.program.code[place]
    assert isinstance(draw, ir.Draw)
    return draw


def _rank(narrator: Narrator, *ranks: int) -> str:
    return "final order: " + ", ".join(f"{rank}. player {p + 1}" for p, rank in ranked(ranks))


def _broken(narrator: Narrator, invariant: int) -> str:
    return f"the invariant {narrator.game.spec.invariants[invariant].id} does not hold"


def _said(narrator: Narrator, words: str, *numbers: int) -> str:
    return words


def _zone(narrator: Narrator, zone: int, *faces: int) -> str:
    return f"player {(narrator.player or 0) + 1} sees {narrator.game.zone_name(zone)}: {narrator.faces(faces)}"


def _value(narrator: Narrator, value: str, cell: int, content: int) -> str:
    game = narrator.game
    return f"player {(narrator.player or 0) + 1} sees {game.value_name(value, cell)}: {game.value_word(value, content)}"


_WORDS: dict[str, Callable[..., str]] = {
    "choice": _choice,
    "kind": _kind,
    "move": _move,
    "move_all": _move_all,
    "show": _show,
    "shuffle": _shuffle,
    "set": _set,
    "random": _random,
    "unseen": _unseen,
    "award": _said,
    "rank": _rank,
    "stopped": _said,
    "broken": _broken,
    "zone": _zone,
    "value": _value,
}
"""The words for what is observed, by kind (see observed.py)."""


def cards_words(count: int) -> str:
    """A number of cards in words."""
    return "1 card" if count == 1 else f"{count} cards"


class HasGame(Protocol):
    """A state, as far as logs need one."""

    @property
    def game(self) -> Ruleset:
        """The ruleset of the state."""


def plain(state: HasGame, event: Event) -> dict[str, Any]:
    """An event as JSON for logs: everything, with the rule's id and with names instead of numbers."""
    game = state.game
    kind, rule, *rest = event
    line: dict[str, Any] = {"event": kind, "rule": game.program.rules[rule] if rule >= 0 else ""}
    return line | _PLAIN[kind](game, rest)


def _bound(g: Ruleset, number: int, thing: int) -> dict[str, Any]:
    if thing < 0:
        return {"rounds": number}
    declared = bounded(g.spec, thing)
    is_value = isinstance(declared, StoredValue)
    return {"value": declared.name, "number": number} if is_value else {"zone": declared.name, "holds": number}


_PLAIN: dict[str, Callable[[Ruleset, list[Any]], dict[str, Any]]] = {
    "rule": lambda g, a: {},
    "choice": lambda g, a: {"player": a[0] + 1, "action": a[1], "says": g.action_to_string(a[1])},
    "move": lambda g, a: {"card": g.card_name(a[0]), "from": g.zone_id(a[1]), "position": a[2], "to": g.zone_id(a[3])},
    "move_all": lambda g, a: {"cards": [g.card_name(c) for c in a[2:]], "from": g.zone_id(a[0]), "to": g.zone_id(a[1])},
    "show": lambda g, a: {"card": g.card_name(a[0]), "in": g.zone_id(a[1]), "position": a[2], "to": a[3] + 1 or "all"},
    "shuffle": lambda g, a: {"zone": g.zone_id(a[0]), "order": [g.card_name(c) for c in a[1:]]},
    "set": lambda g, a: {"value": g.value_id(a[0], a[1]), "to": g.value_word(a[0], a[2])},
    "random": lambda g, a: {"drawn": _drawn(g, a[0], a[1])},
    "award": lambda g, a: {"says": award_words(g, ("award", 0, *a))},
    "rank": lambda g, a: {"says": ranking_lines(g, ("rank", 0, *a)), "ranks": a[2 : 2 + g.players]},
    "stopped": lambda g, a: _bound(g, a[0], a[1]),
    "setup": lambda g, a: {},
    "broken": lambda g, a: {"invariant": g.spec.invariants[a[0]].id},
}
