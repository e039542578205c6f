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

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from rulespec.engine import ir
from rulespec.engine.knowledge import Begun, Knowledge
from rulespec.engine.observers import View
from rulespec.engine.results import award_words, bound_words, bounded, ranked, ranking_lines
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.running import Event, StartPosition, cards_at_start
from rulespec.model.spec import StoredValue


class Narrator:
    """Puts events into words for one player (None: for an observer of everything), one by one, from the beginning or
    from a position set up by hand."""

    def __init__(self, game: Ruleset, player: int | None, position: StartPosition | None = None) -> None:
        self.game, self.player = game, player
        self.knowledge = Knowledge(game, player, position) if player is not None else None
        # Where every card really is: decides what this player may be shown, and is never shown itself.
        self._zone_of = cards_at_start(game.program.cards, game.program.start_zone, position)

    def narrate(self, event: Event) -> str:
        """The event in words, empty if this player observes nothing of it. Updates what they know.

        What the player begins to see before the event has a line each.
        """
        begun = self._begun(self.knowledge.before(event)) if self.knowledge is not None else ()
        words = "\n".join(filter(None, [*begun, _WORDS[event[0]](self, event)]))
        if self.knowledge is not None:
            self.knowledge.take(event)
        if event[0] == "move":
            self._zone_of[event[2]] = event[5]
        elif event[0] == "move_all":
            self._zone_of.update(dict.fromkeys(event[4:], event[3]))
        return words

    @property
    def view(self) -> View | None:
        """What this player sees; None for an observer of everything."""
        return self.knowledge.view if self.knowledge is not None else None

    def look(self) -> None:
        """Determines what the player sees after the events so far."""
        if self.knowledge is not None:
            self.knowledge.look()

    def _begun(self, begun: Begun) -> Iterator[str]:
        """A line for each zone with cards, and for each titled value, that the player begins to see."""
        game, who = self.game, f"player {(self.player or 0) + 1} sees"
        for zone, cards in begun.zones:
            if cards:
                yield f"{who} {game.zone_name(zone)}: {self.listed(zone, cards)}"
        for slot, content in begun.registers:
            value, cell = game.observers.cell_of(slot)
            if game.spec.values[value].title:
                yield f"{who} {game.value_name(value, cell)}: {game.value_word(value, content)}"

    def listed(self, zone: int, cards: Iterable[int]) -> str:
        """Cards in words; without their order, if players do not see the order of the zone."""
        game = self.game
        shown = [(game.program.faces[card], game.card_name(card)) for card in cards]
        ordered = game.spec.zones[game.program.zones[zone][0]].ordered
        return ", ".join(word for _, word in (shown if ordered else sorted(shown)))

    def observes_cell(self, value: str, cell: int) -> bool:
        """Whether this player sees a cell of a stored value."""
        return self.view is None or self.game.program.value_base[value] + cell not in self.view.hidden

    def observes(self, *zones: int) -> bool:
        """Whether this player may look into one of the zones."""
        return self.knowledge is None or any(self.knowledge.visible[zone] for zone in zones)

    def observes_card(self, card: int) -> bool:
        """Whether this player may look into the zone of a card."""
        return self.observes(self._zone_of[card])

    def moved_card(self, event: Event) -> str:
        """The card of a move, as far as this player knows it."""
        _, _, card, source, position, target = event
        if self.observes(source, target):
            return self.game.card_name(card)
        assert self.knowledge is not None
        known = self.knowledge.at[source][position] if self.knowledge.ordered[source] else None
        return self.game.names.face_names[known] if known is not None else "a card"


def _nothing(narrator: Narrator, event: Event) -> str:
    return ""


def _choice(narrator: Narrator, event: Event) -> str:
    _, _, player, action = event
    game = narrator.game
    hidden = narrator.player not in (None, player) and game.actions.is_secret(action)
    # A picked card shows only where it goes, and a pick that goes into a hidden place only what it changes there: the
    # events of moves and values say as much as this player may know.
    words = game.title_of_action(action) if hidden else game.action_to_string(action)
    return f"player {player + 1}: {words}"


def _move(narrator: Narrator, event: Event) -> str:
    name = narrator.game.zone_name
    return f"{narrator.moved_card(event)} goes from {name(event[3])} to {name(event[5])}"


def _move_all(narrator: Narrator, event: Event) -> str:
    _, _, source, target, *cards = event
    name = narrator.game.zone_name
    seen = narrator.observes(source, target)
    what = ", ".join(narrator.game.card_name(card) for card in cards) if seen else cards_words(len(cards))
    return f"{what} {'go' if len(cards) > 1 else 'goes'} from {name(source)} to {name(target)}"


def _show(narrator: Narrator, event: Event) -> str:
    _, _, card, zone, _, to, _ = event
    game, whom = narrator.game, "everybody" if to < 0 else f"player {to + 1}"
    known = to in (-1, narrator.player) or narrator.observes(zone)
    return f"{game.card_name(card) if known else 'a card'} in {game.zone_name(zone)} is shown to {whom}"


def _shuffle(narrator: Narrator, event: Event) -> str:
    return f"{narrator.game.zone_name(event[2])} is shuffled"


def _set(narrator: Narrator, event: Event) -> str:
    _, _, value, cell, content = event
    game = narrator.game
    # Only those who may look at a card learn what changes on it: the name alone would reveal where the card is.
    if not game.spec.values[value].title or not all(map(narrator.observes_card, game.names.cards_of(value, cell))):
        return ""
    if not narrator.observes_cell(value, cell):
        return ""
    return f"{game.value_name(value, cell)} is now {game.value_word(value, content)}"


def _random(narrator: Narrator, event: Event) -> str:
    if narrator.player is not None and not event[4] >> narrator.player & 1:
        draw = narrator.game.program.code[event[2]]
        assert isinstance(draw, ir.Draw)
        return f"drawn at random: {draw.name}, unseen"
    return f"drawn at random: {_drawn(narrator.game, event[2], event[3])}"


def _drawn(game: Ruleset, place: int, content: int) -> str:
    draw = game.program.code[place]
    assert isinstance(draw, ir.Draw)
    return f"{draw.name} {game.names.word(draw.type, content)}"


def _award(narrator: Narrator, event: Event) -> str:
    return award_words(narrator.game, event, narrator.view)


def _rank(narrator: Narrator, event: Event) -> str:
    ranks = event[4 : 4 + narrator.game.players]
    return "final order: " + ", ".join(f"{rank}. player {p + 1}" for p, rank in ranked(ranks))


def _stopped(narrator: Narrator, event: Event) -> str:
    return bound_words(narrator.game, event)


def _broken(narrator: Narrator, event: Event) -> str:
    if narrator.player is not None:
        return ""  # an invariant may read what is hidden from players
    return f"the invariant {narrator.game.spec.invariants[event[2]].id} does not hold"


_WORDS: dict[str, Callable[[Narrator, Event], str]] = {
    "rule": _nothing,
    "setup": _nothing,
    "choice": _choice,
    "move": _move,
    "move_all": _move_all,
    "show": _show,
    "shuffle": _shuffle,
    "set": _set,
    "random": _random,
    "award": _award,
    "rank": _rank,
    "stopped": _stopped,
    "broken": _broken,
}


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
