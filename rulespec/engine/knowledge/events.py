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

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Protocol

from rulespec.base.messages import Message, counted
from rulespec.engine.interpreter.running import Event
from rulespec.engine.knowledge.memo import Memo
from rulespec.engine.knowledge.observer import Observed
from rulespec.engine.knowledge.results import award_words, bounded, player_words, ranked, ranking_lines
from rulespec.engine.program import ir
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.language.model.spec import StoredValue
from rulespec.language.model.types import Type


class Narrator:
    """Puts what one player observes into words (None: an observer of everything), for logs and information states."""

    def __init__(self, game: Ruleset, player: int | None) -> None:
        self.game, self.player = game, player
        self._places = Memo(self._place)

    def words(self, observed: Observed) -> str:
        """What this player observes (see observer.py), in words."""
        kind, *rest = observed
        return _WORDS[kind](self, *rest)

    def faces(self, faces: Iterable[int]) -> str:
        """Card faces in words; -1 is a face that the player does not observe."""
        names = self.game.names.face_names
        return ", ".join(names[number] if number >= 0 else "a card" for number in faces)

    def place(self, zone: int) -> str:
        """A zone inside a sentence, with its owner, and with an article unless its title has a determiner."""
        return self._places[zone]

    def _place(self, zone: int) -> str:
        name, index = self.game.program.zones[zone]
        declared = self.game.spec.zones[name]
        whose = [self.word(type_, at) for type_, at in zip(declared.per, index, strict=True)]
        named = f"{declared.title} of {', '.join(whose)}" if whose else declared.title
        return named if DETERMINER.match(named) else f"the {named}"

    def value(self, value: str, cell: int) -> str:
        """A cell of a value in words."""
        title = self.game.spec.values[value].title or value
        index = [self.word(type_, at) for type_, at in self.game.names.indices(value, cell)]
        return f"{title} ({', '.join(index)})" if index else title

    def content(self, value: str, content: int) -> str:
        """What a stored value holds, in words."""
        return self.word(self.game.spec.values[value].type, content) or "none"

    def word(self, type_: Type, at: int) -> str:
        """A player, a number, a member or a card in words."""
        return player_words(at) if type_.kind == "player" and at >= 0 else self.game.names.word(type_, at)


def _choice(narrator: Narrator, player: int, action: int) -> str:
    return f"{player_words(player)}: {narrator.game.actions.said(action)}"


def _kind(narrator: Narrator, player: int, title: str) -> str:
    return f"{player_words(player)}: {title}"


def _move(narrator: Narrator, face: int, source: int, target: int) -> str:
    return f"{narrator.faces((face,))} goes {_way(narrator, source, target)}"


def _move_all(narrator: Narrator, source: int, target: int, count: int, *faces: int) -> str:
    if count == 1:
        return _move(narrator, faces[0] if faces else -1, source, target)
    return f"{narrator.faces(faces) if faces else cards_words(count)} go {_way(narrator, source, target)}"


def _way(narrator: Narrator, source: int, target: int) -> str:
    return f"from {narrator.place(source)} to {narrator.place(target)}"


def _show(narrator: Narrator, face: int, zone: int, place: int, to: int) -> str:
    whom = "everybody" if to < 0 else player_words(to)
    return f"{narrator.faces((face,))} in {narrator.place(zone)} is shown to {whom}"


def _shuffle(narrator: Narrator, zone: int) -> str:
    return f"{narrator.place(zone)} is shuffled"


def _sink(narrator: Narrator, zone: int, place: int) -> str:
    where = f"place {place + 1} from the bottom" if place >= 0 else "a place among the others"
    return f"the top card of {narrator.place(zone)} goes to {where}"


def _set(narrator: Narrator, value: str, cell: int, content: int) -> str:
    return f"{narrator.value(value, cell)} is now {narrator.content(value, content)}"


def _random(narrator: Narrator, place: int, content: int) -> str:
    draw = drawn(narrator.game, place)
    return f"drawn at random: {draw.name} {narrator.word(draw.type, content)}"


def _unseen(narrator: Narrator, place: int) -> str:
    return f"drawn at random: {drawn(narrator.game, place).name}, unseen"


def _drawn(game: Ruleset, place: int, content: int) -> str:
    draw = drawn(game, place)
    return f"{draw.name} {game.names.word(draw.type, content)}"


def drawn(game: Ruleset, place: int) -> ir.Draw:
    """What is drawn at random at a place in the program."""
    draw = game.program.code[place]
    assert isinstance(draw, ir.Draw)
    return draw


def _rank(narrator: Narrator, *ranks: int) -> str:
    return f"final order: {', '.join(f'{rank}. {player_words(player)}' for player, rank in ranked(ranks))}"


def _broken(narrator: Narrator, invariant: int) -> str:
    return f"the invariant {narrator.game.spec.invariants[invariant].id} does not hold"


def _said(narrator: Narrator, words: Message, *numbers: int) -> str:
    return words


def _zone(narrator: Narrator, zone: int, *faces: int) -> str:
    return f"{player_words(narrator.player or 0)} sees {narrator.place(zone)}: {narrator.faces(faces)}"


def _value(narrator: Narrator, value: str, cell: int, content: int) -> str:
    named = f"{narrator.value(value, cell)}: {narrator.content(value, content)}"
    return f"{player_words(narrator.player or 0)} sees {named}"


_WORDS: dict[str, Callable[..., str]] = {
    "choice": _choice,
    "kind": _kind,
    "move": _move,
    "move_all": _move_all,
    "show": _show,
    "shuffle": _shuffle,
    "sink": _sink,
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
"""The words for what is observed, by kind (see observer.py)."""


DETERMINER = re.compile(r"(?:the|this|that|your|his|her|its|their)\b|\w+['’]s\b")
"""How titles begin that take no article, such as “the King's deck”."""


@lru_cache
def cards_words(count: int) -> Message:
    """A number of cards in words."""
    return counted("{number} card", "{number} cards", number=count)


def faces_words(game: Ruleset, faces: Iterable[int]) -> str:
    """Faces in words."""
    return ", ".join(map(game.names.face_names.__getitem__, faces))


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
    return line | KINDS[kind](game, rest)


def _bound(g: Ruleset, number: int, thing: int) -> dict[str, Any]:
    if thing < 0:
        return {"rounds": number}
    declared = bounded(g.spec, thing)
    is_value = isinstance(declared, StoredValue)
    return {"value": declared.name, "number": number} if is_value else {"zone": declared.name, "holds": number}


KINDS: dict[str, Callable[[Ruleset, list[Any]], dict[str, Any]]] = {
    "rule": lambda g, a: {},
    "choice": lambda g, a: {"player": a[0] + 1, "action": a[1], "says": g.action_to_string(a[1])},
    "move": lambda g, a: {"card": g.card_name(a[0]), "from": g.zone_id(a[1]), "position": a[2], "to": g.zone_id(a[3])},
    "move_all": lambda g, a: {"cards": [g.card_name(c) for c in a[2:]], "from": g.zone_id(a[0]), "to": g.zone_id(a[1])},
    # In logs seats count from 1, so that -1, everybody, becomes 0 here, which is false.
    "show": lambda g, a: {"card": g.card_name(a[0]), "in": g.zone_id(a[1]), "position": a[2], "to": a[3] + 1 or "all"},
    "shuffle": lambda g, a: {"zone": g.zone_id(a[0]), "order": [g.card_name(c) for c in a[1:]]},
    "sink": lambda g, a: {"zone": g.zone_id(a[0]), "position": a[1]},
    "set": lambda g, a: {"value": g.value_id(a[0], a[1]), "to": g.value_word(a[0], a[2])},
    "random": lambda g, a: {"drawn": _drawn(g, a[0], a[1])},
    "award": lambda g, a: {"says": award_words(g, ("award", 0, *a))},
    "rank": lambda g, a: {"says": ranking_lines(g, ("rank", 0, *a)), "ranks": a[2 : 2 + g.players]},
    "stopped": lambda g, a: _bound(g, a[0], a[1]),
    "setup": lambda g, a: {},
    "broken": lambda g, a: {"invariant": g.spec.invariants[a[0]].id},
}
"""Every kind of event, with its keys in logs."""
